// What can be done with the mails that were picked in the list.
import type { ListedMail } from '@cloudoc/contract'
import type { ReactNode } from 'react'
import { useT } from '../core/i18n/i18n.ts'
import { IconButton } from '../kit/button.tsx'
import {
  Archive20Regular,
  Delete20Regular,
  Dismiss20Regular,
  MailRead20Regular,
  MailUnread20Regular,
  Star20Regular,
} from '../kit/icons.ts'
import { deleteForGood, markMails, moveMails } from './mail-acts.ts'

interface PickedBarProps {
  readonly mails: readonly ListedMail[]
  readonly isInTrash: boolean
  readonly clear: () => void
}

export function PickedBar({ mails, isInTrash, clear }: PickedBarProps): ReactNode {
  const t = useT()
  const done = (act: Promise<unknown>): void => void act.then(clear)
  const remove = async (): Promise<void> => {
    if (!isInTrash) await moveMails(mails, 'trash')
    else if (!(await deleteForGood(mails))) return
    clear()
  }
  return (
    <div className="em-picked" role="toolbar" aria-label={t('email.picked', { n: mails.length })}>
      <b>{t('email.picked', { n: mails.length })}</b>
      <IconButton
        label={t('email.markRead')}
        icon={<MailRead20Regular />}
        onClick={() => done(markMails(mails, { isRead: true }))}
      />
      <IconButton
        label={t('email.markUnread')}
        icon={<MailUnread20Regular />}
        onClick={() => done(markMails(mails, { isRead: false }))}
      />
      <IconButton
        label={t('email.star')}
        icon={<Star20Regular />}
        onClick={() => done(markMails(mails, { isStarred: true }))}
      />
      <IconButton
        label={t('email.archive')}
        icon={<Archive20Regular />}
        onClick={() => done(moveMails(mails, 'archive'))}
      />
      <IconButton
        label={t(isInTrash ? 'email.deleteForGood' : 'email.delete')}
        icon={<Delete20Regular />}
        onClick={() => void remove()}
      />
      <IconButton label={t('email.unpick')} icon={<Dismiss20Regular />} onClick={clear} />
    </div>
  )
}
