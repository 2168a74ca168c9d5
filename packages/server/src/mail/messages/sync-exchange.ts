/*
 * Fetches a mailbox from Exchange. The server says what has changed in a folder since a state that it gave us; the state is
 * stored with the mails, so an interrupted fetch goes on where it was. A state that the server does not know any more
 * begins the folder anew.
 */
import { sql } from 'kysely'
import { writeEvents } from '../../core/events.ts'
import { mailChanged } from '../boxes/index.ts'
import {
  changesSince,
  type Ews,
  EwsRefusal,
  type FolderChanges,
  type ListedItem,
  listExchangeFolders,
  mailsOf,
} from '../exchange/index.ts'
import { storeFolders } from './folders.ts'
import { type FetchedMail, type Folder, storeMails } from './store-mails.ts'
import type { SyncedBox, SyncParts } from './sync-imap.ts'

/** Mails of one request, by number and by bytes: their text is in memory as base64 and as XML. */
const batch = { mails: 20, bytes: 8 * 1024 * 1024 }
const largestMail = 60 * 1024 * 1024

interface SyncedFolder extends Folder {
  readonly syncState: string
}

/** Fetches what is new until `until`. Returns true if mails are left. */
export async function syncExchange(ews: Ews, parts: SyncParts, box: SyncedBox, until: number): Promise<boolean> {
  const stored = await storeFolders(parts.db, box.boxId, await listExchangeFolders(ews))
  const { rows } = await sql<{ id: number; state: string }>`
    select id, sync_state as state from mail_folder where mailbox_id = ${box.boxId}`.execute(parts.db)
  const states = new Map(rows.map(({ id, state }) => [id, state]))
  for (const folder of stored) {
    parts.signal.throwIfAborted()
    if (await syncFolder(ews, parts, box, { ...folder, syncState: states.get(folder.id) ?? '' }, until)) return true
  }
  return false
}

/** Fetches one folder. True if the time is over before it is complete. */
async function syncFolder(
  ews: Ews,
  parts: SyncParts,
  box: SyncedBox,
  folder: SyncedFolder,
  until: number,
): Promise<boolean> {
  // What was there before the first complete fetch is no news.
  let isNews = folder.uidHigh > 0
  for (let state = folder.syncState; ; ) {
    parts.signal.throwIfAborted()
    let changes: FolderChanges
    try {
      changes = await changesSince(ews, folder.path, state)
    } catch (error) {
      if (!(error instanceof EwsRefusal && error.reason === 'ErrorInvalidSyncStateData' && state !== '')) throw error
      await sql`delete from mail where folder_id = ${folder.id}`.execute(parts.db)
      ;[state, isNews] = ['', false]
      continue
    }
    const known = await knownAmong(parts, folder, changes.items)
    for (const some of batchesOf(changes.items.filter(({ id, size }) => !known.has(id) && size <= largestMail))) {
      const bytes = await mailsOf(
        ews,
        some.map(({ id }) => id),
      )
      const mails = some.flatMap(({ id, size: _, ...flags }): FetchedMail[] => {
        const content = bytes.get(id)
        return content === undefined ? [] : [{ ...flags, remoteKey: id, bytes: content }]
      })
      await parts.pause('mails fetched')
      if (!(await storeMails(parts, box, folder, mails, undefined, isNews))) return false
    }
    await takeOver(parts, box, folder, changes)
    state = changes.state
    const at = { state, complete: changes.isLast ? 1 : folder.uidHigh }
    await sql`
      update mail_folder set sync_state = ${at.state}, uid_high = ${at.complete}, uid_low = 1
      where id = ${folder.id}`.execute(parts.db)
    if (changes.isLast) return false
    if (parts.now() > until) return true
  }
}

async function knownAmong({ db }: SyncParts, folder: Folder, items: readonly ListedItem[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select remote_key as key from mail
    where folder_id = ${folder.id} and remote_key = any(${items.map(({ id }) => id)}::text[])`.execute(db)
  return new Set(rows.map(({ key }) => key))
}

/** Groups of mails that fit into memory together. */
function batchesOf(items: readonly ListedItem[]): ListedItem[][] {
  const groups: ListedItem[][] = []
  let bytes = 0
  for (const one of items) {
    const last = groups.at(-1)
    if (last === undefined || last.length >= batch.mails || bytes + one.size > batch.bytes) {
      groups.push([one])
      bytes = one.size
    } else {
      last.push(one)
      bytes += one.size
    }
  }
  return groups
}

/** Takes over flags and deletions that other programs made. Changes of the person that the server does not know remain. */
async function takeOver(
  { db, now }: SyncParts,
  { boxId, accountId }: SyncedBox,
  folder: Folder,
  { items, read, gone }: FolderChanges,
): Promise<void> {
  if (items.length + read.length + gone.length === 0) return
  const flags = [
    ...items.map(({ id, isRead, isStarred, isAnswered }) => ({ id, isRead, isStarred, isAnswered })),
    ...read,
  ]
  await db.transaction().execute(async (tx) => {
    await sql`
      delete from mail m where folder_id = ${folder.id} and remote_key = any(${[...gone]}::text[])
        and not exists (select 1 from mail_change w where w.mail_id = m.id)`.execute(tx)
    await sql`
      update mail m set is_read = coalesce(c."isRead", m.is_read), is_starred = coalesce(c."isStarred", m.is_starred),
        is_answered = coalesce(c."isAnswered", m.is_answered)
      from jsonb_to_recordset(${JSON.stringify(flags)}::jsonb)
        as c (id text, "isRead" boolean, "isStarred" boolean, "isAnswered" boolean)
      where m.remote_key = c.id and m.folder_id = ${folder.id}
        and not exists (select 1 from mail_change w where w.mail_id = m.id)`.execute(tx)
    await writeEvents(tx, [mailChanged(accountId, boxId)], now())
  })
}
