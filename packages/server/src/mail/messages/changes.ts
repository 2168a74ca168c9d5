/*
 * What a person did to mails here and the server of the mailbox does not know yet. The rows change at once; the server
 * is told at the next connection, in order. A change applies only under the numbering that it was made in, so that it
 * never hits another mail.
 */
import type { CopyResponseObject, ImapFlow } from 'imapflow'
import { sql } from 'kysely'
import type Pop3Command from 'node-pop3'
import type { Db, Tx } from '../../core/db/database.ts'
import { createFolder, deleteItems, type Ews, markItems, moveItems } from '../exchange/index.ts'
import { usualNames } from './folders.ts'

export type MailAction = 'read' | 'unread' | 'star' | 'unstar' | 'answered' | 'move' | 'delete'

interface PendingChange {
  readonly id: number
  readonly mailId: number
  readonly path: string
  readonly uidValidity: string
  readonly remoteKey: string
  readonly action: MailAction
  readonly targetPath: string | null
  readonly targetId: number | null
}

/** Records changes of mails for the server. A mail that is itself being moved has no number yet: it waits in order. */
export async function recordChanges(
  tx: Tx,
  mailIds: readonly number[],
  action: MailAction,
  targetId: number | null = null,
): Promise<void> {
  await sql`
    insert into mail_change (mailbox_id, folder_id, uid_validity, mail_id, remote_key, action, target_id)
    select m.mailbox_id, m.folder_id, f.uid_validity, m.id, m.remote_key, ${action}, ${targetId}
    from mail m join mail_folder f on f.id = m.folder_id
    where m.id = any(${mailIds}::bigint[]) order by m.id`.execute(tx)
}

/** Whether the server of the mailbox does not know all changes yet. */
export async function hasChanges(db: Db, boxId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from mail_change where mailbox_id = ${boxId} limit 1`.execute(db)
  return rows.length > 0
}

const mostAtOnce = 500

/** Applies the pending changes of a mailbox over an open connection. */
export async function applyChanges(
  db: Db,
  boxId: number,
  client: { readonly imap: ImapFlow } | { readonly pop: Pop3Command } | { readonly ews: Ews },
): Promise<void> {
  while (true) {
    const { rows } = await sql<PendingChange>`
      select c.id, c.mail_id as "mailId", f.path, c.uid_validity as "uidValidity", c.action, t.path as "targetPath",
        c.target_id as "targetId",
        -- A mail that an earlier change has moved has another number by now.
        case when c.remote_key like 'pending-%' then coalesce(m.remote_key, c.remote_key) else c.remote_key end
          as "remoteKey"
      from mail_change c join mail_folder f on f.id = c.folder_id
      left join mail_folder t on t.id = c.target_id left join mail m on m.id = c.mail_id
      where c.mailbox_id = ${boxId} order by c.id limit ${mostAtOnce}`.execute(db)
    if (rows.length === 0) return
    // One group at a time: a move gives the mails of later changes their numbers.
    const group = 'pop' in client ? rows : firstGroup(rows)
    if ('pop' in client) await applyPop(client.pop, group)
    else if ('ews' in client) await applyExchange(db, client.ews, group)
    else await applyImap(db, client.imap, group)
    await sql`delete from mail_change where id = any(${group.map(({ id }) => id)}::bigint[])`.execute(db)
  }
}

/** The first changes, as far as one command can make them: each of another mail. */
function firstGroup(changes: readonly PendingChange[]): PendingChange[] {
  const group: PendingChange[] = []
  for (const one of changes) {
    const [first = one] = group
    const isSame =
      first.path === one.path &&
      first.uidValidity === one.uidValidity &&
      first.action === one.action &&
      first.targetId === one.targetId
    if (!isSame || group.some(({ mailId }) => mailId === one.mailId)) break
    group.push(one)
  }
  return group
}

const flags = {
  read: { set: true, flag: '\\Seen' },
  unread: { set: false, flag: '\\Seen' },
  star: { set: true, flag: '\\Flagged' },
  unstar: { set: false, flag: '\\Flagged' },
  answered: { set: true, flag: '\\Answered' },
} as const

async function applyImap(db: Db, client: ImapFlow, group: readonly PendingChange[]): Promise<void> {
  const [first] = group
  if (first === undefined) return
  const keys = group.map(({ remoteKey }) => remoteKey).filter((key) => /^\d+$/.test(key))
  const lock = await client.getMailboxLock(first.path).catch(() => undefined)
  if (lock === undefined) return
  try {
    if (client.mailbox === false || String(client.mailbox.uidValidity) !== first.uidValidity || keys.length === 0)
      return
    const range = keys.join(',')
    if (first.action === 'delete') await client.messageDelete(range, { uid: true })
    else if (first.action === 'move') {
      if (first.targetPath === null) return
      const there = await client.status(first.targetPath, { messages: true }).catch(() => false as const)
      if (there === false) await client.mailboxCreate(first.targetPath)
      const moved = await client.messageMove(range, first.targetPath, { uid: true })
      if (moved === false) await putBack(db, group)
      else await placeMoved(db, group, moved)
    } else {
      const { set, flag } = flags[first.action]
      if (set) await client.messageFlagsAdd(range, [flag], { uid: true })
      else await client.messageFlagsRemove(range, [flag], { uid: true })
    }
  } finally {
    lock.release()
  }
}

async function applyExchange(db: Db, ews: Ews, group: readonly PendingChange[]): Promise<void> {
  const [first] = group
  const items = group.filter(({ remoteKey }) => !remoteKey.startsWith('pending-'))
  if (first === undefined || items.length === 0) return
  const ids = items.map(({ remoteKey }) => remoteKey)
  if (first.action === 'delete') return deleteItems(ews, ids)
  if (first.action !== 'move') return markItems(ews, ids, first.action)
  const { targetPath, targetId } = first
  if (targetPath === null || targetId === null) return
  // A folder that was made here has a name and no id of Exchange yet.
  let folderId = targetPath
  if (Object.values(usualNames).some((name) => name === targetPath)) {
    folderId = await createFolder(ews, targetPath)
    await sql`update mail_folder set path = ${folderId} where id = ${targetId}`.execute(db)
  }
  const moved = await moveItems(ews, ids, folderId)
  for (const [n, change] of items.entries()) await place(db, change, moved[n] || undefined)
}

/**
 * Gives moved mails their numbers in the new folder. A server that does not tell them shows the mails as new ones, so
 * the rows that wait for a number are removed.
 */
async function placeMoved(
  db: Db,
  group: readonly PendingChange[],
  { uidMap, uidValidity }: Pick<CopyResponseObject, 'uidMap' | 'uidValidity'>,
): Promise<void> {
  const uids = [...(uidMap?.values() ?? [])]
  const target = group[0]?.targetId
  // A folder that was just created begins with these mails.
  if (uids.length > 0 && uidValidity !== undefined && typeof target === 'number')
    await sql`
      update mail_folder set uid_validity = ${String(uidValidity)}, uid_high = ${Math.max(...uids)},
        uid_low = ${Math.min(...uids)}
      where id = ${target} and uid_validity = ''`.execute(db)
  for (const change of group) {
    const uid = uidMap?.get(Number(change.remoteKey))
    await place(db, change, uid === undefined ? undefined : String(uid), uidValidity?.toString())
  }
}

/**
 * Takes over the number of a moved mail: for the mail, unless it waits for a further move, and for the later changes of
 * it, also where it was deleted here meanwhile. Without a number the row is removed: the mail comes as a new one.
 */
async function place(
  db: Db,
  { id, mailId, targetId }: PendingChange,
  key: string | undefined,
  uidValidity?: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql`
      select 1 from mail where id = ${mailId} and remote_key like 'pending-%' for update`.execute(tx)
    if (key === undefined) {
      if (rows.length > 0) await sql`delete from mail where id = ${mailId}`.execute(tx)
      return
    }
    // Another fetch may have found it there already.
    await sql`
      delete from mail where folder_id = ${targetId} and remote_key = ${key} and id <> ${mailId}`.execute(tx)
    await sql`
      update mail_change set remote_key = ${key},
        uid_validity = case when folder_id = ${targetId} then coalesce(${uidValidity ?? null}, uid_validity) else uid_validity end
      where mail_id = ${mailId} and id > ${id}`.execute(tx)
    await sql`
      update mail set remote_key = ${key}
      where id = ${mailId} and remote_key like 'pending-%' and not exists (
        select 1 from mail_change where mail_id = ${mailId} and id > ${id} and action = 'move')`.execute(tx)
  })
}

/** The server has refused to move mails: they are shown where they are. */
async function putBack(db: Db, group: readonly PendingChange[]): Promise<void> {
  for (const { id, mailId, remoteKey } of group)
    await sql`
      update mail set folder_id = (select folder_id from mail_change where id = ${id}), remote_key = ${remoteKey}
      where id = ${mailId} and remote_key like 'pending-%'`.execute(db)
}

/** POP3 can only delete. */
async function applyPop(client: Pop3Command, changes: readonly PendingChange[]): Promise<void> {
  const wanted = new Set(changes.filter(({ action }) => action === 'delete').map(({ remoteKey }) => remoteKey))
  if (wanted.size === 0) return
  const listed = await client.UIDL()
  for (const line of listed) {
    const [number, id] = Array.isArray(line) ? line : line.split(' ')
    if (number !== undefined && id !== undefined && wanted.has(id)) await client.DELE(Number(number))
  }
}
