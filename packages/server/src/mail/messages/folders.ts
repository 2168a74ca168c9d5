// The folders of an IMAP mailbox, with the part that each plays.
import type { MailRole } from '@cloudoc/contract'
import type { ImapFlow } from 'imapflow'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import type { Folder } from './store-mails.ts'

const bySpecialUse: Readonly<Record<string, MailRole>> = {
  '\\Inbox': 'inbox',
  '\\Sent': 'sent',
  '\\Drafts': 'drafts',
  '\\Trash': 'trash',
  '\\Junk': 'junk',
  '\\Archive': 'archive',
}
/** Names of servers that do not say what their folders are for. */
const byName: Readonly<Record<string, MailRole>> = {
  inbox: 'inbox',
  sent: 'sent',
  'sent items': 'sent',
  'sent messages': 'sent',
  'sent mail': 'sent',
  已发送: 'sent',
  已发邮件: 'sent',
  已发送邮件: 'sent',
  drafts: 'drafts',
  草稿: 'drafts',
  草稿箱: 'drafts',
  trash: 'trash',
  deleted: 'trash',
  'deleted items': 'trash',
  'deleted messages': 'trash',
  已删除: 'trash',
  已删除邮件: 'trash',
  垃圾箱: 'trash',
  junk: 'junk',
  spam: 'junk',
  'junk e-mail': 'junk',
  垃圾邮件: 'junk',
  archive: 'archive',
  归档: 'archive',
}

/** The usual names of folders that a mailbox has none of. */
export const usualNames = { sent: 'Sent', trash: 'Trash', junk: 'Junk', archive: 'Archive' } as const

interface ListedFolder {
  readonly path: string
  readonly name: string
  readonly role: MailRole
}

const mostFolders = 500

/** Asks the server for its folders. Of several that seem to play one part, the first does. */
export async function listFolders(client: ImapFlow): Promise<ListedFolder[]> {
  const found = (await client.list()).filter(({ flags }) => !flags.has('\\Noselect') && !flags.has('\\NonExistent'))
  const taken = new Set<MailRole>()
  const roles = new Map<string, MailRole>()
  const claim = (path: string, role: MailRole | undefined): void => {
    if (role === undefined || taken.has(role) || roles.has(path)) return
    taken.add(role)
    roles.set(path, role)
  }
  // What the server says counts before what a name looks like.
  for (const { path, specialUse } of found) claim(path, bySpecialUse[specialUse ?? ''])
  for (const { path, name } of found) claim(path, byName[name.toLowerCase()])
  return found.slice(0, mostFolders).map(({ path, name }) => ({
    path,
    name: name.toWellFormed().replaceAll('\0', ''),
    role: roles.get(path) ?? 'other',
  }))
}

/** Brings the stored folders of a mailbox in line with those of its server. Returns them, the inbox first. */
export async function storeFolders(db: Db, boxId: number, listed: readonly ListedFolder[]): Promise<Folder[]> {
  return db.transaction().execute(async (tx) => {
    await sql`select 1 from mailbox where id = ${boxId} for no key update`.execute(tx)
    const paths = listed.map(({ path }) => path)
    // A folder that the person has just moved mails to is created at the server with the next changes.
    await sql`
      delete from mail_folder f where mailbox_id = ${boxId} and not path = any(${paths}::text[])
        and not exists (select 1 from mail_change c where c.target_id = f.id)`.execute(tx)
    await sql`
      insert into mail_folder (mailbox_id, path, name, role)
      select ${boxId}, path, name, role from jsonb_to_recordset(${JSON.stringify(listed)}::jsonb)
        as l (path text, name text, role text)
      on conflict (mailbox_id, path) do update set name = excluded.name, role = excluded.role
      where (mail_folder.name, mail_folder.role) is distinct from (excluded.name, excluded.role)`.execute(tx)
    return foldersOf(tx, boxId)
  })
}

/** The stored folders of a mailbox, the inbox first. */
export async function foldersOf(db: Db, boxId: number): Promise<Folder[]> {
  const { rows } = await sql<Folder>`
    select id, path, role, uid_validity as "uidValidity", uid_high as "uidHigh", uid_low as "uidLow"
    from mail_folder where mailbox_id = ${boxId}
    order by array_position(array['inbox','sent','other','archive','drafts','junk','trash'], role), id`.execute(db)
  return rows
}
