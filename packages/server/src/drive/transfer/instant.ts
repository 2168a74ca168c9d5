/*
 * Instant upload: content that the installation already holds is stored without being sent, if the user proves to have
 * it and may read it anyway (docs/adr/0011, 0091). A challenge of random byte ranges is returned for any hash and size,
 * so a request discloses nothing. Unknown content and content the user may not read get the same response: the upload
 * continues normally. A wrong proof is reported only for content that the caller may read.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { denial, fail, gates, limits } from '@cloudoc/domain'
import { type Selectable, sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import type { Content, Contents } from '../../core/blobs/contents.ts'
import type { ByteRange } from '../../core/blobs/store.ts'
import { actorOf, type StagedContext } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import type { Schema } from '../../core/db/schema.ts'
import type { Services } from '../../core/services.ts'
import { type Idempotency, type Placement, type StoredFile, storeKnown } from '../content/index.ts'
import { accessToMany } from '../tree/index.ts'

type Challenged = Pick<Selectable<Schema['upload']>, 'id' | 'nonce' | 'sha256' | 'size' | 'folder_id'>

/** How many items that hold the content are checked, and from how many of its versions they are chosen. */
const maxItemsChecked = 8
const versionsLookedAt = 200

/**
 * The ranges of a challenge: the whole of a small content; for a larger one, one piece of each of its equal sections.
 */
export function challengeRanges(nonce: Buffer, size: number): ByteRange[] {
  const { challengeRanges: count, challengeRangeBytes: length } = limits
  if (size === 0) return []
  if (size <= count * length) return [{ start: 0, end: size - 1 }]
  const section = Math.floor(size / count)
  return Array.from({ length: count }, (_, n) => {
    const random = createHash('sha256')
      .update(nonce)
      .update(Buffer.from([n]))
      .digest()
      .readUIntBE(0, 6)
    const start = n * section + (random % (section - length + 1))
    return { start, end: start + length - 1 }
  })
}

/** The challenge of an upload, as sent to its client; undefined if it has none or it has expired. */
export function challengeOf({ nonce, size }: Pick<Challenged, 'nonce' | 'size'>) {
  return nonce === null ? undefined : { nonce: nonce.toString('hex'), ranges: challengeRanges(nonce, size) }
}

/** Stores an upload's file from existing content; undefined if that is not possible for any reason. */
export async function storeProved(
  context: StagedContext,
  { contents, pause }: Pick<Services, 'pause'> & { readonly contents: Contents },
  { upload, file, proof }: { upload: Challenged; file: Placement; proof: string },
  once: Idempotency,
): Promise<StoredFile | undefined> {
  const { nonce, sha256, size, folder_id: folderId } = upload
  if (nonce === null || sha256 === null) return undefined
  const actor = actorOf(context)
  const readable = (db: Db) => readableContent(db, actor, { sha256, size, folderId }, context.now)
  const object = await readable(context.db)
  const found =
    object === undefined
      ? 'unknown'
      : await compare(contents, { ...object, sha256, size }, nonce, Buffer.from(proof, 'hex'))
  await pause('proved')
  if (found === 'same') {
    // Checked again in the transaction, because rights may have been revoked meanwhile.
    const mayRead = async (tx: Db): Promise<boolean> => (await readable(tx)) !== undefined
    const stored = await storeKnown(context, file, { sha256, size }, mayRead, once)
    if (stored !== undefined) return stored
  }
  // Each challenge accepts one response only.
  await context.commit(async ({ tx }) => {
    await tx.updateTable('upload').set({ nonce: null }).where('id', '=', upload.id).execute()
  })
  if (found === 'other') {
    return fail('uploadInterrupted', {
      zh: 'proof：不是该内容的 nonce 与各区间字节的 sha256',
      en: 'proof: not the sha256 over the nonce and the ranges of this content',
    })
  }
  return undefined
}

/**
 * The object of a content that the actor may read in some item. The same number of items is checked whether the content
 * exists or not: if fewer items hold it, items near the target folder are checked instead.
 */
async function readableContent(
  db: Db,
  actor: Account,
  { sha256, size, folderId }: { sha256: Buffer; size: number; folderId: number },
  now: number,
): Promise<Pick<Content, 'blobId' | 'key'> | undefined> {
  const { rows } = await sql<{ id: number; blobId: number; key: string | null }>`
    with place as (
      select v.item_id as id, b.id as "blobId", b.key, v.own from blob b cross join lateral (
        select item_id, created_by = ${actor.accountId} as own from version where blob_id = b.id
        limit ${versionsLookedAt}) v
      where b.sha256 = ${sha256} and b.size = ${size}
    )
    (select id, "blobId", key from place order by own desc limit ${maxItemsChecked})
    union all
    (select id, 0, null from item where id >= ${folderId} order by id limit ${maxItemsChecked})`.execute(db)
  const places = new Map<number, (typeof rows)[number]>()
  for (const row of rows) if (places.size < maxItemsChecked && !places.has(row.id)) places.set(row.id, row)
  const found = await accessToMany(db, actor, [...places.keys()], now)
  let readable: Pick<Content, 'blobId' | 'key'> | undefined
  for (const [id, { blobId, key }] of places) {
    const access = found.get(id)
    if (access !== undefined && denial(gates.download, access.facts) === undefined && key !== null)
      readable = { blobId, key }
  }
  return readable
}

/**
 * Whether a proof matches the content. If the object cannot be read, the proof fails, and the content is sent and
 * stored again.
 */
async function compare(
  contents: Contents,
  content: Content,
  nonce: Buffer,
  proof: Buffer,
): Promise<'same' | 'other' | 'unknown'> {
  const hash = createHash('sha256').update(nonce)
  try {
    for (const range of challengeRanges(nonce, content.size)) {
      for await (const chunk of await contents.open(content, range, { fresh: true })) hash.update(chunk)
    }
  } catch {
    return 'unknown'
  }
  return timingSafeEqual(hash.digest(), proof) ? 'same' : 'other'
}
