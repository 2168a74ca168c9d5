// cloudoc-unlock-apply ([R084], [R179]): another user requests a file whose lock this user has, but which is not open
// in this browser.
import { extNameOf } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import type { LockRequest } from './lock-queue.ts'
import '../shared/edit-dialogs.css'

export interface UnlockApplyProps {
  readonly request: LockRequest
}

/** The dialog; returns whether the user gives up the file. */
export function UnlockApply({ request, close }: WindowProps<UnlockApplyProps, boolean>): ReactNode {
  const t = useT()
  const { fileName, userName, message } = request
  return (
    <>
      <DialogBody>
        <div className="ed-told is-roomy">
          <FileIcon ext={extNameOf(fileName)} />
          <div>
            <h3 className="ed-name">{t('turn.wanted', { who: isolated(userName) })}</h3>
            <p className="ed-told-name" title={fileName}>
              {fileName}
            </p>
            {message !== undefined && <q className="ed-quote">{message}</q>}
            <p className="ed-words">{t('turn.wanted.more')}</p>
          </div>
        </div>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close(false)}>{t('turn.refuse')}</Button>
        <Button kind="primary" onClick={() => close(true)}>
          {t('turn.leave')}
        </Button>
      </DialogFooter>
    </>
  )
}
