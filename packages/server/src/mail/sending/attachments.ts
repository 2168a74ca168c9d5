// Attachments of outgoing mails. Their contents are held by rows of their own, so that a draft keeps what was attached.
import { maxMailBytes } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { lookup } from 'mrmime'
import type { Db, Tx } from '../../core/db/database.ts'
import type { Attached } from './message.ts'

const mostAttachments = 100

export interface NewAttachment {
  readonly blobId: number
  readonly itemId: number
  readonly name: string
  readonly size: number
}

/** Adds attachments to a draft and returns their ids. Refuses those that make it too large for mail servers. */
export async function addAttachments(tx: Tx, outgoingId: number, added: readonly NewAttachment[]): Promise<number[]> {
  const { rows } = await sql<{ n: number; bytes: number }>`
    select count(*)::int as n, coalesce(sum(size), 0)::float8 as bytes from mail_attachment
    where outgoing_id = ${outgoingId}`.execute(tx)
  const { n = 0, bytes = 0 } = rows[0] ?? {}
  if (n + added.length > mostAttachments) fail('tooMany')
  if (bytes + added.reduce((sum, { size }) => sum + size, 0) > maxMailBytes) fail('mailTooLarge')
  const ids: number[] = []
  for (const { blobId, itemId, name, size } of added) {
    const { id } = await tx
      .insertInto('mail_attachment')
      .values({
        outgoing_id: outgoingId,
        blob_id: blobId,
        item_id: itemId,
        name,
        type: lookup(name) ?? 'application/octet-stream',
        size,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.push(id)
  }
  return ids
}

/** Whether a rule for sensitive content finds something in a stored content. */
export type IsSensitive = (file: {
  readonly blobId: number
  readonly name: string
  readonly size: number
}) => Promise<boolean>

/**
 * Whether a mail must not leave the company because of an attachment: a file of the drive by its state, everything else
 * by its content, which has no state. Reads contents, so it is called outside of transactions.
 */
export async function isWithheld(db: Db, isSensitive: IsSensitive, outgoingId: number): Promise<boolean> {
  if (await hasSensitiveFile(db, outgoingId)) return true
  const { rows } = await sql<{ blobId: number; name: string; size: number }>`
    select blob_id as "blobId", name, size from mail_attachment
    where outgoing_id = ${outgoingId} and item_id = 0 order by id`.execute(db)
  for (const attached of rows) if (await isSensitive(attached)) return true
  return false
}

/** Whether a mail has a file of the drive in which something sensitive was found, or is being looked for. */
export async function hasSensitiveFile(db: Db, outgoingId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from mail_attachment a join sensitive_file s on s.item_id = a.item_id and s.blob_id = a.blob_id
    where a.outgoing_id = ${outgoingId} and s.state in ('waiting', 'disapproved', 'deleted', 'detecting')
    limit 1`.execute(db)
  return rows.length > 0
}

/** The attachments of a mail with their contents, in the order in which they were added. */
export async function attachedTo(db: Db, outgoingId: number): Promise<Attached[]> {
  const { rows } = await sql<Attached>`
    select a.name, a.type, b.id as "blobId", b.key, b.size, b.sha256
    from mail_attachment a join blob b on b.id = a.blob_id where a.outgoing_id = ${outgoingId} order by a.id`.execute(
    db,
  )
  return rows
}

/** The attachments as pages show them. */
export async function shownAttachments(
  db: Db,
  outgoingIds: readonly number[],
): Promise<ReadonlyMap<number, { attachmentId: number; name: string; size: number; fId: number }[]>> {
  const { rows } = await sql<{ outgoingId: number; attachmentId: number; name: string; size: number; fId: number }>`
    select outgoing_id as "outgoingId", id as "attachmentId", name, size, item_id as "fId" from mail_attachment
    where outgoing_id = any(${outgoingIds}::bigint[]) order by id`.execute(db)
  return new Map(
    outgoingIds.map((id) => [
      id,
      rows.filter(({ outgoingId }) => outgoingId === id).map(({ outgoingId: _id, ...shown }) => shown),
    ]),
  )
}
