// The edit cannot be uploaded because another user or nobody has the lock ([R173]): cancel, or save a copy. Where another
// user has it, one can wait; where nobody has it, it can be taken again.
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import '../shared/edit-dialogs.css'

/** `wait`: another user has the lock and will release it. `again`: nobody has the lock. */
export type LockLostOption = 'wait' | 'again'

/** The decision of the user. */
export type LockLostAnswer = 'saveAs' | LockLostOption

export interface LockLostProps {
  readonly name: string
  /** What is offered beside the copy. */
  readonly option?: LockLostOption | undefined
  /** The message of the server. */
  readonly reason: string
}

export function LockLost({ name, reason, option, close }: WindowProps<LockLostProps, LockLostAnswer>): ReactNode {
  const t = useT()
  return (
    <>
      <DialogBody>
        <h3 className="ed-name">{name}</h3>
        <p className="ed-words is-why">{reason}</p>
        <p className="ed-words">{t('editor.cannotLock.more')}</p>
      </DialogBody>
      <DialogFooter>
        {option !== undefined && (
          <Button kind="ghost" onClick={() => close(option)}>
            {t(`editor.cannotLock.${option}`)}
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
