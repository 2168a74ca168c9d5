// cloudoc-edit-turn ([R180], [R317]): a file that the user waited for is reserved for the user for a few minutes.
import { extNameOf, minuteTime } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import type { LockGrant } from './lock-queue.ts'
import '../shared/edit-dialogs.css'

export interface LockGrantedProps {
  readonly grant: LockGrant
}

export function LockGranted({ grant, close }: WindowProps<LockGrantedProps, 'open' | 'pass'>): ReactNode {
  const t = useT()
  const { fileName, version, keptUntil } = grant
  return (
    <>
      <DialogBody>
        <div className="ed-told is-roomy">
          <FileIcon ext={extNameOf(fileName)} />
          <div>
            <h3 className="ed-name">{t('turn.yours')}</h3>
            <p className="ed-told-name" title={fileName}>
              {fileName}
            </p>
            <p className="ed-words">{t('turn.until', { n: version, time: minuteTime(keptUntil) })}</p>
          </div>
        </div>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close('pass')}>{t('turn.pass')}</Button>
        <Button kind="primary" autoFocus onClick={() => close('open')}>
          {t('turn.open')}
        </Button>
      </DialogFooter>
    </>
  )
}
