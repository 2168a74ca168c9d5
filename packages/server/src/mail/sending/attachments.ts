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

/** Adds attachments to a draft. Refuses those that make it too large for mail servers. */
export async function addAttachments(tx: Tx, outgoingId: number, added: readonly NewAttachment[]): Promise<void> {
  const { rows } = await sql<{ n: number; bytes: number }>`
    select count(*)::int as n, coalesce(sum(size), 0)::float8 as bytes from mail_attachment
    where outgoing_id = ${outgoingId}`.execute(tx)
  const { n = 0, bytes = 0 } = rows[0] ?? {}
  if (n + added.length > mostAttachments) fail('tooMany')
  if (bytes + added.reduce((sum, { size }) => sum + size, 0) > maxMailBytes) fail('mailTooLarge')
  for (const { blobId, itemId, name, size } of added)
    await tx
      .insertInto('mail_attachment')
      .values({
        outgoing_id: outgoingId,
        blob_id: blobId,
        item_id: itemId,
        name,
        type: lookup(name) ?? 'application/octet-stream',
        size,
      })
      .execute()
}

/** Refuses a mail with a file in which something sensitive was found, or is being looked for, after it was attached. */
export async function checkAttached(tx: Tx, outgoingId: number): Promise<void> {
  const { rows } = await sql`
    select 1 from mail_attachment a join sensitive_file s on s.item_id = a.item_id and s.blob_id = a.blob_id
    where a.outgoing_id = ${outgoingId} and s.state in ('waiting', 'disapproved', 'deleted', 'detecting')
    limit 1`.execute(tx)
  if (rows.length > 0) fail('sensitiveFile')
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
