/*
 * Stores fetched mails: first their bytes, then one transaction with their rows and the progress of the folder. A
 * process that dies between the two leaves bytes that the collector removes, and fetches the mails again.
 */
import type { MailRole } from '@cloudoc/contract'
import { sql } from 'kysely'
import type { BlobStore } from '../../core/blobs/store.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { type NewEvent, personal, writeEvents } from '../../core/events.ts'
import { contentRow, type PendingContent, persist } from '../../drive/content/index.ts'
import { mailChanged } from '../boxes/index.ts'
import type { MailSummary } from './mime.ts'
import { summariesOf } from './read-mails.ts'
import { searchColumns } from './search-words.ts'

export interface MailFlags {
  readonly isRead: boolean
  readonly isStarred: boolean
  readonly isAnswered: boolean
}

/** A mail as it came from the server. */
export interface FetchedMail extends MailFlags {
  readonly remoteKey: string
  /** When it arrived at the server; undefined where that does not say: then its own date counts. */
  readonly receivedAt: number | undefined
  /** Its bytes; or its beginning, with the content stored already. */
  readonly bytes: Buffer
  readonly stored?: PendingContent
  /** Only its beginning was fetched. */
  readonly problem?: 'tooLarge'
}

export interface Folder {
  readonly id: number
  readonly path: string
  readonly role: MailRole
  readonly uidValidity: string
  readonly uidHigh: number
  readonly uidLow: number
}

interface Parts {
  readonly db: Db
  readonly blobs: BlobStore
  readonly now: () => number
  readonly signal: AbortSignal
}

/** The progress of a folder, written with the mails. */
export interface Progress {
  readonly uidHigh: number
  readonly uidLow: number
}

/** Maximum number of notices for mails that arrive together. */
const mostNotices = 20
/** A mail that waited longer in the box is not announced. */
const newsMs = 3 * 24 * 60 * 60_000

/**
 * Stores mails of one folder. `isNews`: they have arrived since the last fetch, so their owner is notified. Returns false
 * if the folder was renumbered or removed meanwhile, and nothing was stored.
 */
export async function storeMails(
  { db, blobs, now, signal }: Parts,
  box: { readonly boxId: number; readonly accountId: number },
  folder: Folder,
  mails: readonly FetchedMail[],
  progress: Progress | undefined,
  isNews: boolean,
): Promise<boolean> {
  const summaries = await summariesOf(
    mails.map(({ bytes }) => bytes),
    signal,
  )
  const contents: PendingContent[] = []
  for (const { bytes, stored } of mails) contents.push(stored ?? (await persist(await blobs.stage(single(bytes)))))
  const at = now()
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql`
      select 1 from mail_folder where id = ${folder.id} and uid_validity = ${folder.uidValidity}
      for no key update`.execute(tx)
    if (rows.length === 0) return false
    const events: NewEvent[] = []
    for (const [n, mail] of mails.entries()) {
      const [summary, content] = [summaries[n], contents[n]]
      if (summary === undefined || content === undefined) continue
      // A date in the future is a wrong clock, of the sender or of the mail server.
      const receivedAt = Math.min(at, mail.receivedAt ?? (summary.sentAt > 0 ? summary.sentAt : at))
      const mailId = await insertMail(tx, box, folder, { ...mail, receivedAt }, summary, content, at)
      const isAnnounced =
        isNews && mailId !== undefined && folder.role === 'inbox' && !mail.isRead && receivedAt > at - newsMs
      if (isAnnounced && events.length < mostNotices)
        events.push(
          personal('emailReceived', [box.accountId], {
            serverId: 0,
            mailId,
            mailTime: receivedAt,
            senderName: summary.from.name || summary.from.address,
            mailTitle: summary.subject.slice(0, 200),
          }),
        )
    }
    if (progress !== undefined)
      await sql`
        update mail_folder set uid_high = ${progress.uidHigh}, uid_low = ${progress.uidLow}
        where id = ${folder.id}`.execute(tx)
    if (mails.length > 0) events.push(mailChanged(box.accountId, box.boxId))
    await writeEvents(tx, events, at)
    return true
  })
}

async function insertMail(
  tx: Tx,
  { boxId, accountId }: { readonly boxId: number; readonly accountId: number },
  folder: Folder,
  mail: FetchedMail & { readonly receivedAt: number },
  summary: MailSummary,
  content: PendingContent,
  now: number,
): Promise<number | undefined> {
  const { id: blobId } = await contentRow(tx, content, now)
  const { from, to, cc, bcc, replyTo, subject, messageId, references, text, attachments, problem, sentAt } = summary
  const { words, searchText } = searchColumns(accountId, summary)
  const { rows } = await sql<{ id: number }>`
    insert into mail (account_id, mailbox_id, folder_id, remote_key, blob_id, message_id, thread, refs, from_name,
      from_address, people, subject, sent_at, received_at, size, is_read, is_starred, is_answered, attachments, summary,
      words, search_text, problem)
    values (${accountId}, ${boxId}, ${folder.id}, ${mail.remoteKey}, ${blobId}, ${messageId},
      ${references[0] ?? messageId}, ${JSON.stringify(references)}, ${from.name}, ${from.address},
      ${JSON.stringify({ to, cc, bcc, replyTo })}, ${subject}, ${sentAt}, ${mail.receivedAt}, ${content.size},
      ${mail.isRead}, ${mail.isStarred}, ${mail.isAnswered}, ${JSON.stringify(attachments)}, ${text.slice(0, 200)},
      ${words}::text[], ${searchText}, ${mail.problem ?? (mail.stored === undefined ? problem : 'tooLong')})
    on conflict (folder_id, remote_key) do nothing returning id`.execute(tx)
  return rows[0]?.id
}

async function* single(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
