// The attachment of a process, with its preview and what changed since the node before passed it.
import type { ItemRecord } from '@cloudoc/contract'
import type { ReactNode } from 'react'
import { api, mainServer } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import { previewFile } from '../../items/actions/preview-file.ts'
import { useActionContext } from '../../items/actions/use-action-context.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { Button } from '../../kit/button.tsx'
import { DocumentSearch20Regular, Eye20Regular } from '../../kit/icons.ts'
import type { ProcessView } from '../shared/workflow-queries.ts'
import '../shared/workflow.css'

type Attached = Pick<
  ProcessView,
  'fileId' | 'fName' | 'extName' | 'version' | 'newestVersion' | 'versionPassedBefore' | 'state'
>

const readItem = (fileId: number): Promise<ItemRecord> => api.of(mainServer).getFileInfo({ fileId })

/** The attachment; nothing where there is none. */
export function Attachment({
  process,
  children,
}: {
  readonly process: Attached
  readonly children?: ReactNode
}): ReactNode {
  const t = useT()
  const context = useActionContext()
  const { fileId, fName, extName, version, newestVersion, versionPassedBefore, state } = process
  if (fName === '') return null
  const preview = async (): Promise<void> => {
    const file = previewFile({ ...(await readItem(fileId)), ...mainServer }, context)
    void openWindow('previewer', { fileInfo: { ...file, version }, isUseVersion: newestVersion !== version })
  }
  const compare = async (from: number, to: number): Promise<void> => {
    const item = await readItem(fileId)
    void openWindow('cloudoc-property', { item, tab: 'version', pair: [from, to] })
  }
  const isLater = newestVersion > version
  return (
    <>
      <div className="wf-file">
        <FileIcon ext={extName} size={22} />
        <span title={fName}>
          {fName} <small>{t('workflow.version', { n: version })}</small>
        </span>
        {fileId > 0 && versionPassedBefore > 0 && versionPassedBefore < version && (
          <Button
            size="small"
            icon={<DocumentSearch20Regular />}
            onClick={() => void compare(versionPassedBefore, version)}
          >
            {t('workflow.changes')}
          </Button>
        )}
        {fileId > 0 && (
          <Button size="small" icon={<Eye20Regular />} onClick={() => void preview()}>
            {t('workflow.preview')}
          </Button>
        )}
        {children}
      </div>
      {fileId > 0 && isLater && state === 'passed' && (
        <p className="wf-note">
          {t('workflow.later', { passed: version, now: newestVersion })}{' '}
          <Button kind="link" onClick={() => void compare(version, newestVersion)}>
            {t('workflow.changes')}
          </Button>
        </p>
      )}
    </>
  )
}
