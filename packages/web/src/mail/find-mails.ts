// Mails for the search of everything (Ctrl+K).
import { api } from '../core/call/api.ts'
import { t } from '../core/i18n/i18n.ts'
import type { Command } from '../core/menu/commands.ts'
import { openAddress } from '../core/page/open-address.ts'

/** The newest mails with these words in the mailboxes of the person. */
export async function findMails(keyword: string, most: number): Promise<Command[]> {
  const { list } = await api.getMailList({ keyword, rows: most }, { quiet: true })
  return list.map(({ mailId, mailTitle, senderName, senderAddress }) => ({
    id: `mail-${mailId}`,
    label: mailTitle || t('email.noSubject'),
    hint: senderName || senderAddress,
    run: () => openAddress(`/doc/folder/email?mailId=${mailId}`),
  }))
}
