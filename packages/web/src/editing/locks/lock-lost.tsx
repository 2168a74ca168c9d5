// The edit cannot be uploaded because another user has the lock ([R173]): cancel, or save a copy.
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import '../shared/edit-dialogs.css'

/** The decision of the user. */
export type LockLostAnswer = 'saveAs' | 'wait'

export interface LockLostProps {
  readonly name: string
  /** Another user has the lock and will release it. */
  readonly canWait: boolean
  /** The message of the server. */
  readonly reason: string
}

export function LockLost({ name, reason, canWait, close }: WindowProps<LockLostProps, LockLostAnswer>): ReactNode {
  const t = useT()
  return (
    <>
      <DialogBody>
        <h3 className="ed-name">{name}</h3>
        <p className="ed-words is-why">{reason}</p>
        <p className="ed-words">{t('editor.cannotLock.more')}</p>
      </DialogBody>
      <DialogFooter>
        {canWait && (
          <Button kind="ghost" onClick={() => close('wait')}>
            {t('editor.cannotLock.wait')}
          </Button>
        )}
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button kind="primary" autoFocus onClick={() => close('saveAs')}>
          {t('editor.saveAs')}
        </Button>
      </DialogFooter>
    </>
  )
}
