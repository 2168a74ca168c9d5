// Acts on one mail or several, each of which can be undone.
import type { ListedMail } from '@cloudoc/contract'
import { api } from '../core/call/api.ts'
import { t } from '../core/i18n/i18n.ts'
import { toast } from '../core/toast/toast.ts'
import { confirmBox } from '../core/windows/boxes.ts'
import { tryMail } from './mail-queries.ts'

type Placed = Pick<ListedMail, 'mailId' | 'mailFolderId'>
type Marked = Pick<ListedMail, 'mailId' | 'isRead' | 'isStarred'>

const idsOf = (mails: readonly { readonly mailId: number }[]): number[] => mails.map(({ mailId }) => mailId)

/** Moves mails; undone, each is in its own folder again. */
export async function moveMails(mails: readonly Placed[], role: 'archive' | 'trash'): Promise<void> {
  if (!(await tryMail(() => api.moveMails({ mailIdArray: idsOf(mails), role })))) return
  const back = async (): Promise<void> => {
    for (const [mailFolderId, some] of Map.groupBy(mails, (mail) => mail.mailFolderId))
      await tryMail(() => api.moveMails({ mailIdArray: idsOf(some), mailFolderId }))
  }
  const folder = t(`email.role.${role}`)
  toast({
    text: mails.length === 1 ? t('email.moved', { folder }) : t('email.movedMany', { folder, n: mails.length }),
    action: { text: t('email.undo'), run: () => void back() },
  })
}

/** Marks mails; undone, those that were otherwise before are so again. */
export async function markMails(
  mails: readonly Marked[],
  change: { readonly isRead: boolean } | { readonly isStarred: boolean },
): Promise<void> {
  const changed = mails.filter((mail) =>
    'isRead' in change ? mail.isRead !== change.isRead : mail.isStarred !== change.isStarred,
  )
  if (changed.length === 0) return
  const mailIdArray = idsOf(changed)
  if (!(await tryMail(() => api.markMails({ mailIdArray, ...change })))) return
  const before = 'isRead' in change ? { isRead: !change.isRead } : { isStarred: !change.isStarred }
  toast({
    text: t('email.marked', { n: changed.length }),
    action: { text: t('email.undo'), run: () => void tryMail(() => api.markMails({ mailIdArray, ...before })) },
  })
}

/** Asks, and deletes mails for good. Returns whether it was confirmed. */
export async function deleteForGood(mails: readonly Placed[]): Promise<boolean> {
  const sure = await confirmBox({
    text: t('email.delete.ask', { n: mails.length }),
    detail: t('email.delete.more'),
    ok: t('email.deleteForGood'),
    danger: true,
  })
  if (sure) await tryMail(() => api.deleteMails({ mailIdArray: idsOf(mails) }))
  return sure
}
