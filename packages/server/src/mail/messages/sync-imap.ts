/*
 * Fetches a mailbox over IMAP. New mails come first, then older ones from the newest down, so that a large mailbox is
 * usable while it is being fetched. The server is asked for ascending ranges of numbers and for flags only, never for
 * words: searches of servers are unreliable. What it answers beside the asked range is dropped.
 */
import type { FetchMessageObject, ImapFlow } from 'imapflow'
import { sql } from 'kysely'
import type { BlobStore } from '../../core/blobs/store.ts'
import type { Db } from '../../core/db/database.ts'
import { type NewEvent, writeEvents } from '../../core/events.ts'
import { persist } from '../../drive/content/index.ts'
import { mailChanged } from '../boxes/index.ts'
import { listFolders, storeFolders } from './folders.ts'
import { type FetchedMail, type Folder, type MailFlags, type Progress, storeMails } from './store-mails.ts'

export interface SyncParts {
  readonly db: Db
  readonly blobs: BlobStore
  readonly now: () => number
  readonly signal: AbortSignal
  readonly pause: (point: string) => Promise<void>
}

export interface SyncedBox {
  readonly boxId: number
  readonly accountId: number
}

/** Mails of one request, by number and by bytes in memory. */
const batch = { mails: 200, bytes: 16 * 1024 * 1024 }
/** Larger mails are not held in memory: they are stored while they arrive, and only their beginning is read. */
const largestInMemory = 24 * 1024 * 1024
const beginningBytes = 256 * 1024
/** Maximum size of a mail that is fetched whole. Of a larger one the beginning is here, with the reason. */
const largestMail = 150 * 1024 * 1024
/** Flags are compared for this many newest mails of a folder at each fetch. */
const flagsCompared = 1000

/** Fetches what is new, and older mails until `until`. Returns true if older mails are left. */
export async function syncImap(client: ImapFlow, parts: SyncParts, box: SyncedBox, until: number): Promise<boolean> {
  const folders = await storeFolders(parts.db, box.boxId, await listFolders(client))
  const opened: Folder[] = []
  for (const folder of folders) {
    parts.signal.throwIfAborted()
    const current = await syncFolder(client, parts, box, folder)
    if (current !== undefined) opened.push(current)
  }
  for (const folder of opened) if (await fetchOlder(client, parts, box, folder, until)) return true
  return false
}

/** Runs work with a folder selected. Undefined if the folder is gone. */
async function within<T>(client: ImapFlow, path: string, work: () => Promise<T>): Promise<T | undefined> {
  const lock = await client.getMailboxLock(path, { readOnly: true }).catch((error: unknown) => {
    // The folder was removed or renamed since it was listed.
    if (client.usable) return undefined
    throw error
  })
  if (lock === undefined) return undefined
  try {
    return await work()
  } finally {
    lock.release()
  }
}

/** Fetches the new mails of a folder and compares flags. Returns the folder as it is now. */
async function syncFolder(
  client: ImapFlow,
  parts: SyncParts,
  box: SyncedBox,
  stored: Folder,
): Promise<Folder | undefined> {
  return within(client, stored.path, async () => {
    const { mailbox } = client
    if (mailbox === false) return undefined
    const folder = await numbered(parts, stored, String(mailbox.uidValidity), mailbox.uidNext)
    let current = folder
    if (mailbox.exists > 0 && mailbox.uidNext > folder.uidHigh + 1) {
      // A folder that was never fetched begins with its older mails.
      const range = { from: folder.uidHigh + 1, to: mailbox.uidNext - 1 }
      const found = await listRange(client, range.from, range.to)
      for (const some of batchesOf(found)) {
        const uidHigh = Math.max(...some.map(({ uid }) => uid))
        const progress = { uidHigh, uidLow: folder.uidLow }
        if (!(await fetchBatch(client, parts, box, folder, some, progress, true))) return undefined
        current = { ...current, uidHigh }
      }
    }
    if (folder.uidLow <= folder.uidHigh) await compareFlags(client, parts, box, current, mailbox.exists)
    return current
  })
}

/**
 * The folder under the numbering that the server uses now. Under another numbering everything that was stored is fetched
 * again: no flag, move or deletion may hit another mail.
 */
async function numbered({ db }: SyncParts, folder: Folder, uidValidity: string, uidNext: number): Promise<Folder> {
  if (folder.uidValidity === uidValidity) return folder
  const uidHigh = uidNext - 1
  await db.transaction().execute(async (tx) => {
    await sql`select 1 from mail_folder where id = ${folder.id} for no key update`.execute(tx)
    await sql`delete from mail where folder_id = ${folder.id}`.execute(tx)
    await sql`
      update mail_folder set uid_validity = ${uidValidity}, uid_high = ${uidHigh}, uid_low = ${uidNext}
      where id = ${folder.id}`.execute(tx)
  })
  return { ...folder, uidValidity, uidHigh, uidLow: uidNext }
}

/** Fetches older mails, newest first, until the folder is complete or the time is over. True if some are left. */
async function fetchOlder(
  client: ImapFlow,
  parts: SyncParts,
  box: SyncedBox,
  folder: Folder,
  until: number,
): Promise<boolean> {
  let low = folder.uidLow
  if (low <= 1) return false
  const isLeft = await within(client, folder.path, async () => {
    if (client.mailbox === false || String(client.mailbox.uidValidity) !== folder.uidValidity) return false
    const exists = client.mailbox.exists
    if (exists === 0) {
      await storeMails(parts, box, folder, [], { uidHigh: folder.uidHigh, uidLow: 1 }, false)
      return false
    }
    let span = 200
    while (low > 1) {
      parts.signal.throwIfAborted()
      if (parts.now() > until) return true
      const from = Math.max(1, low - span)
      const found = await listRange(client, from, low - 1)
      // Numbers may have large gaps.
      span = found.length < 50 ? Math.min(span * 4, 1_000_000) : 200
      for (const some of batchesOf(found).toReversed()) {
        const progress = { uidHigh: folder.uidHigh, uidLow: Math.min(...some.map(({ uid }) => uid)) }
        if (!(await fetchBatch(client, parts, box, folder, some, progress, false))) return false
      }
      low = from
      const progress = { uidHigh: folder.uidHigh, uidLow: low }
      if (!(await storeMails(parts, box, folder, [], progress, false))) return false
    }
    return false
  })
  return isLeft === true
}

interface ListedMail extends MailFlags {
  readonly uid: number
  readonly size: number
  readonly receivedAt: number
}

/** Lists the mails of a range of numbers, ascending, without their contents. */
async function listRange(client: ImapFlow, from: number, to: number): Promise<ListedMail[]> {
  const found = await client.fetchAll(
    `${from}:${to}`,
    { uid: true, flags: true, size: true, internalDate: true },
    { uid: true },
  )
  return found
    .filter(({ uid }) => uid >= from && uid <= to)
    .map((one) => ({ uid: one.uid, size: one.size ?? 0, receivedAt: timeOf(one), ...flagsOf(one) }))
    .toSorted((a, b) => a.uid - b.uid)
}

const timeOf = ({ internalDate }: FetchMessageObject): number =>
  internalDate === undefined ? 0 : new Date(internalDate).getTime() || 0

const flagsOf = ({ flags = new Set() }: FetchMessageObject): MailFlags => ({
  isRead: flags.has('\\Seen'),
  isStarred: flags.has('\\Flagged'),
  isAnswered: flags.has('\\Answered'),
})

/** Groups of mails that fit into memory together. */
function batchesOf(found: readonly ListedMail[]): ListedMail[][] {
  const all: ListedMail[][] = []
  let bytes = 0
  for (const one of found) {
    const last = all.at(-1)
    if (last === undefined || last.length >= batch.mails || bytes + one.size > batch.bytes) {
      all.push([one])
      bytes = one.size
    } else {
      last.push(one)
      bytes += one.size
    }
  }
  return all
}

/** Fetches and stores mails of one folder. False if the folder was renumbered or removed meanwhile. */
async function fetchBatch(
  client: ImapFlow,
  parts: SyncParts,
  box: SyncedBox,
  folder: Folder,
  some: readonly ListedMail[],
  progress: Progress,
  isNews: boolean,
): Promise<boolean> {
  const small = some.filter(({ size }) => size <= largestInMemory)
  const mails: FetchedMail[] = []
  if (small.length > 0) {
    const uids = small.map(({ uid }) => uid).join(',')
    const found = await client.fetchAll(uids, { uid: true, source: true }, { uid: true })
    for (const one of small) {
      const bytes = found.find(({ uid }) => uid === one.uid)?.source
      // A mail that was deleted since it was listed.
      if (bytes !== undefined) mails.push({ ...one, remoteKey: String(one.uid), bytes })
    }
  }
  for (const one of some)
    if (one.size > largestInMemory && one.size <= largestMail) {
      const mail = await fetchLarge(client, parts, one)
      if (mail !== undefined) mails.push(mail)
    }
  for (const one of some)
    if (one.size > largestMail) {
      const source = { start: 0, maxLength: beginningBytes }
      const [found] = await client.fetchAll(String(one.uid), { uid: true, source }, { uid: true })
      if (found?.source !== undefined)
        mails.push({ ...one, remoteKey: String(one.uid), bytes: found.source, problem: 'tooLarge' })
    }
  await parts.pause('mails fetched')
  return storeMails(parts, box, folder, mails, progress, isNews)
}

/** Stores a large mail while it arrives. */
async function fetchLarge(client: ImapFlow, { blobs }: SyncParts, one: ListedMail): Promise<FetchedMail | undefined> {
  const answer = await client.download(String(one.uid), undefined, { uid: true })
  if (!('content' in answer) || answer.content === undefined) return undefined
  const { content } = answer
  const head: Buffer[] = []
  let size = 0
  const watched = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      if (size < beginningBytes) head.push(chunk)
      size += chunk.length
      yield chunk
    }
  }
  const stored = await persist(await blobs.stage(watched()))
  const bytes = Buffer.concat(head).subarray(0, beginningBytes)
  return { ...one, remoteKey: String(one.uid), bytes, stored }
}

/** Takes over flags and deletions that other programs made. */
async function compareFlags(
  client: ImapFlow,
  { db, now }: SyncParts,
  { boxId, accountId }: SyncedBox,
  folder: Folder,
  exists: number,
): Promise<void> {
  const { rows } = await sql<MailFlags & { id: number; uid: number; changedAt: number }>`
    select id, remote_key::bigint as uid, is_read as "isRead", is_starred as "isStarred", is_answered as "isAnswered",
      changed_at as "changedAt"
    from mail where folder_id = ${folder.id} and remote_key ~ '^[0-9]+$'
    order by remote_key::bigint desc limit ${flagsCompared}`.execute(db)
  if (rows.length === 0) return
  const lowest = rows.at(-1)?.uid ?? 1
  const found =
    exists === 0 ? [] : await client.fetchAll(`${lowest}:${folder.uidHigh}`, { uid: true, flags: true }, { uid: true })
  const flags = new Map(found.map((one) => [one.uid, flagsOf(one)]))
  const gone = rows.filter(({ uid }) => !flags.has(uid)).map(({ id }) => id)
  const waiting = new Set(
    (
      await sql<{ id: number }>`select mail_id as id from mail_change where folder_id = ${folder.id}`.execute(db)
    ).rows.map(({ id }) => id),
  )
  const changed = rows.flatMap(({ id, uid, isRead, isStarred, isAnswered }) => {
    const at = flags.get(uid)
    if (at === undefined || waiting.has(id)) return []
    return at.isRead === isRead && at.isStarred === isStarred && at.isAnswered === isAnswered ? [] : [{ id, ...at }]
  })
  if (gone.length + changed.length === 0) return
  await db.transaction().execute(async (tx) => {
    await sql`delete from mail where id = any(${gone}::bigint[]) and folder_id = ${folder.id}`.execute(tx)
    // Changes that the person made while the server was asked remain.
    await sql`
      update mail m set is_read = c."isRead", is_starred = c."isStarred", is_answered = c."isAnswered"
      from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb)
        as c (id bigint, "isRead" boolean, "isStarred" boolean, "isAnswered" boolean)
      where m.id = c.id and m.folder_id = ${folder.id}
        and not exists (select 1 from mail_change w where w.mail_id = m.id)`.execute(tx)
    const events: NewEvent[] = [mailChanged(accountId, boxId)]
    await writeEvents(tx, events, now())
  })
}
