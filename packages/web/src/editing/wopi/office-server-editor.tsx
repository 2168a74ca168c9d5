// The window for co-editing a file in the office server ([R172], [R182]).
import type { ItemRecord } from '@cloudoc/contract'
import { extNameOf } from '@cloudoc/domain'
import { type ReactNode, useEffect, useState } from 'react'
import { api, CallError, streamUrl } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { Button, IconButton } from '../../kit/button.tsx'
import { Dismiss20Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import '../shared/editor-frame.css'
import './office-server-editor.css'

export interface OfficeServerEditorProps {
  readonly item: Pick<ItemRecord, 'serverId' | 'fId' | 'fName'>
}

/** The iframe permissions of the office server: its own scripts and forms, and windows for printing and saving. */
const allowed =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads allow-modals'

type Shown = { readonly address: string; readonly canWrite: boolean } | { readonly problem: string }

export function OfficeServerEditor({ item, close }: WindowProps<OfficeServerEditorProps>): ReactNode {
  const t = useT()
  const [shown, setShown] = useState<Shown>()
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let isGone = false
    const open = async (fileId: number): Promise<void> => {
      if (tries > 0) setShown(undefined)
      try {
        const { key, canWrite } = await api.of(item).createEditKey({ fileId }, { quiet: true })
        if (!isGone) setShown({ address: streamUrl('multiEditPage', { fileId }, item, key), canWrite })
      } catch (error) {
        if (!(error instanceof CallError)) throw error
        if (!isGone) setShown({ problem: error.message })
      }
    }
    void open(item.fId)
    return () => {
      isGone = true
    }
  }, [item, tries])
  const isReadOnly = shown !== undefined && 'canWrite' in shown && !shown.canWrite
  return (
    <div className="ed">
      <header className="ed-head">
        <FileIcon ext={extNameOf(item.fName)} />
        <b title={item.fName}>{item.fName}</b>
        <span className="ed-tools">
          <IconButton label={t('drive.close')} icon={<Dismiss20Regular />} onClick={() => close()} />
        </span>
      </header>
      {isReadOnly && (
        <p className="ed-notice" role="status">
          {t('together.readOnly')}
        </p>
      )}
      {shown === undefined ? (
        <Spinner label={t('together.opening')} />
      ) : 'problem' in shown ? (
        <StatePage title={t('together.problem')} text={shown.problem}>
          <Button kind="primary" onClick={() => setTries(tries + 1)}>
            {t('together.again')}
          </Button>
        </StatePage>
      ) : (
        <iframe className="tg-page" title={item.fName} src={shown.address} sandbox={allowed} allowFullScreen />
      )}
    </div>
  )
}
