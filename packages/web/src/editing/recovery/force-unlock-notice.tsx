// cloudoc-force-unlock-notice ([R080], [R339]): another user has ended the edit of the user. The changes can be saved
// as a copy.
import { extNameOf, LockType, shortTime } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { useSession } from '../../core/session/session.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import type { ForceUnlocked } from './force-unlocked.ts'
import '../shared/edit-dialogs.css'

export interface ForceUnlockNoticeProps {
  readonly told: ForceUnlocked
  /** This browser has changes that can be saved. */
  readonly copies: boolean
}

/** The notice dialog. */
export function ForceUnlockNotice({ told, copies, close }: WindowProps<ForceUnlockNoticeProps, 'saveAs'>): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { userId } = useSession().account
  const [now] = useState(Date.now)
  const { fileName, userName, lockType, handleTime } = told
  const what = lockType === LockType.multi ? 'unlock.notice.several' : 'unlock.notice'
  const title = told.userId === userId ? t('unlock.notice.self') : t(what, { who: isolated(userName) })
  return (
    <>
      <DialogBody>
        <div className="ed-told">
          <FileIcon ext={extNameOf(fileName)} />
          <div>
            <h3 className="ed-name" title={title}>
              {title}
            </h3>
            <p className="ed-told-name" title={fileName}>
              {`${fileName} · ${shortTime(handleTime, now, locale)}`}
            </p>
            {copies && <p className="ed-words">{t('unlock.notice.kept')}</p>}
          </div>
        </div>
      </DialogBody>
      <DialogFooter>
        <Button autoFocus={!copies} {...(!copies && { kind: 'primary' as const })} onClick={() => close()}>
          {t('unlock.notice.ok')}
        </Button>
        {copies && (
          <Button kind="primary" autoFocus onClick={() => close('saveAs')}>
            {t('unlock.notice.save')}
          </Button>
        )}
      </DialogFooter>
    </>
  )
}
