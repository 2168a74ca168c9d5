/*
 * Instant upload: a content that the installation holds already is stored without being sent, for who proves to have it
 * and may read it anyway (docs/adr/0011, 0091). A challenge of random ranges is given for any hash and size, so asking
 * tells nothing; what is unknown and what may not be read are answered alike, by the upload going on. That a proof is
 * wrong is told of what the caller may read.
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

/** How many of a content's places are looked at, and how many of its versions they are chosen from. */
const maxItemsChecked = 8
const versionsLookedAt = 200

/** The ranges of a challenge: the whole of a small content, of a larger one a piece of each of its equal sections. */
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

/** What the challenge of an upload says to its client; undefined where it has none, or has none any more. */
export function challengeOf({ nonce, size }: Pick<Challenged, 'nonce' | 'size'>) {
  return nonce === null ? undefined : { nonce: nonce.toString('hex'), ranges: challengeRanges(nonce, size) }
}

/** Stores an upload's file from a content that is here; undefined where that is not possible, for whatever reason. */
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
    // Asked again where it is stored: rights may have gone since.
    const mayRead = async (tx: Db): Promise<boolean> => (await readable(tx)) !== undefined
    const stored = await storeKnown(context, file, { sha256, size }, mayRead, once)
    if (stored !== undefined) return stored
  }
  // One answer for each challenge.
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
 * The object of a content that the actor may read in some place. Whether the content is here or not, the same number of
 * items is looked at: where it lies in fewer places, items around the target folder make up for them.
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

/** Whether a proof is that of a content; an object that cannot be read proves nothing: it is sent and stored anew. */
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
