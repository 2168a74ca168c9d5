/*
 * Removes the metadata of pictures that were sent before the server did so for every picture (0374): those who join
 * later, and those to whom a picture is forwarded, have not seen it yet. One picture at a time, as each is in memory as a
 * whole. A picture under a legal hold is left as it is until the hold ends.
 */
import { buffer } from 'node:stream/consumers'
import { limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Services } from '../../core/services.ts'
import { withoutMetadata } from '../../documents/index.ts'
import { contentRow, persist } from '../../drive/content/index.ts'
import { askThumbnail } from '../../viewing/preview/index.ts'

interface OldPicture {
  readonly id: number
  readonly name: string
  readonly blobId: number
  readonly key: string
  readonly size: number
}

/** A picture that cannot be read now is tried again after this time. */
const retryMs = 24 * 60 * 60_000

/** Cleans the next picture that is due. Returns whether there was one. */
export async function cleanOldPicture({ db, blobs, now }: Pick<Services, 'db' | 'blobs' | 'now'>): Promise<boolean> {
  const { rows } = await sql<OldPicture>`
    update talk_file f set clean_at = ${now() + retryMs}::bigint from blob b
    where b.id = f.blob_id and f.id = (
      select d.id from talk_file d where d.clean_at <= ${now()}::bigint and not is_talk_held(d.conversation_id)
      order by d.clean_at limit 1 for no key update skip locked)
    returning f.id, f.name, b.id as "blobId", b.key, b.size`.execute(db)
  const [picture] = rows
  if (picture === undefined) return (await settleGone(db)) > 0
  const bytes =
    picture.size > limits.largestTalkPicture ? undefined : withoutMetadata(await buffer(await blobs.open(picture.key)))
  if (bytes === undefined) {
    // Of another kind than those that are known: it stays as its readers have it.
    await sql`update talk_file set clean_at = null where id = ${picture.id}`.execute(db)
    return true
  }
  const content = await persist(await blobs.stage(once(bytes)))
  await db.transaction().execute(async (tx) => {
    const at = now()
    const blob = await contentRow(tx, content, at)
    // A content with malware keeps its finding; one that has ended meanwhile is not brought back.
    const { rows: cleaned } = await sql`
      update talk_file set blob_id = ${blob.id}, size = ${content.size}, is_picture = true, clean_at = null
      where id = ${picture.id} and blob_id = ${picture.blobId} and not is_talk_held(conversation_id)
        and not exists (select 1 from scan s where s.blob_id = ${picture.blobId} and s.virus is not null)
      returning 1`.execute(tx)
    if (cleaned.length > 0)
      await askThumbnail({ tx, now: at }, { blobId: blob.id, size: content.size, name: picture.name })
  })
  return true
}

/** Pictures whose content has ended are due no more. Returns their number. */
async function settleGone(db: Services['db']): Promise<number> {
  const { rows } = await sql`
    update talk_file set clean_at = null where clean_at is not null and blob_id is null returning 1`.execute(db)
  return rows.length
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
