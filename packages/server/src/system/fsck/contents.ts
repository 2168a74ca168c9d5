/*
 * Checks rows against blobs, in both directions. The store is listed into a temporary table, then compared in bulk.
 * Whatever looks wrong is checked once more individually, as a running server stores and collects blobs meanwhile.
 */
import { createHash } from 'node:crypto'
import { limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { BlobStore } from '../../core/blobs/store.ts'
import type { Db } from '../../core/db/database.ts'
import type { Damage } from '../../core/db/schema.ts'
import { damageIn } from '../../drive/content/index.ts'

interface BlobRow {
  readonly id: number
  readonly key: string
  readonly size: number
  readonly sha256: Buffer
}

/** Reads a blob to its end; returns undefined if it is intact. `onChunk` may slow the reading down. */
export async function damageOf(
  blobs: BlobStore,
  { key, size, sha256 }: Pick<BlobRow, 'key' | 'size' | 'sha256'>,
  onChunk: (chunk: Uint8Array) => Promise<void> = () => Promise.resolve(),
): Promise<Damage | undefined> {
  const hash = createHash('sha256')
  let read = 0
  try {
    await using object = await blobs.open(key)
    for await (const chunk of object.lent()) {
      hash.update(chunk)
      read += chunk.length
      await onChunk(chunk)
    }
  } catch (error) {
    const damage = damageIn(error)
    if (damage === undefined) throw error
    return damage
  }
  if (read !== size) return 'size'
  return hash.digest().equals(sha256) ? undefined : 'hash'
}

const listBatch = 2000
const hashBatch = 200

export interface DamagedContent {
  readonly id: number
  readonly key: string
  readonly damage: Damage
  /** The same as text. */
  readonly what: string
}

/** Blobs that do not match their rows, with the affected files, and unreferenced objects. */
export interface ContentBreaks {
  readonly damaged: readonly DamagedContent[]
  readonly unnamed: readonly string[]
}

/** Lists the store into the table `stored_object` of a connection, for comparison with rows. */
export function withStoredObjects<T>(db: Db, blobs: BlobStore, work: (connection: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql`create temporary table stored_object (key text, size bigint, modified_at bigint)`.execute(connection)
    try {
      for await (const batch of inBatches(blobs.list())) {
        await sql`
          insert into stored_object select * from unnest(${batch.map((object) => object.key)}::text[],
            ${batch.map((object) => object.size)}::bigint[],
            ${batch.map((object) => Math.round(object.modifiedAt))}::bigint[])`.execute(connection)
      }
      await sql`create index on stored_object (key)`.execute(connection)
      await sql`analyze stored_object`.execute(connection)
      return await work(connection)
    } finally {
      await sql`drop table stored_object`.execute(connection)
    }
  })
}

/** Compares rows and objects; with `rehash` it reads every blob as well. */
export async function checkContents(
  db: Db,
  blobs: BlobStore,
  { rehash, now, onContents }: { rehash: boolean; now: () => number; onContents: (done: number, of: number) => void },
): Promise<ContentBreaks> {
  const begun = now()
  return withStoredObjects(db, blobs, async (connection) => {
    const { rows: suspects } = await sql<BlobRow>`
        select b.id, b.key, b.size, b.sha256 from blob b left join stored_object o on o.key = b.key
        where (o.key is null and b.created_at < ${begun}) or o.size <> b.size order by b.id`.execute(connection)
    const damaged: DamagedContent[] = []
    const look = async (row: BlobRow): Promise<void> => {
      const damage = await damageOf(blobs, row)
      if (damage !== undefined && (await isNamed(connection, row)))
        damaged.push(await describe(connection, row, damage))
    }
    for (const row of suspects) await look(row)
    const seen = new Set(suspects.map((row) => row.id))
    const { rows: total } = await sql<{ n: number }>`select count(*) as n from blob`.execute(connection)
    let after = 0
    let hashed = 0
    while (rehash) {
      const { rows } = await sql<BlobRow>`
          select id, key, size, sha256 from blob where id > ${after} order by id limit ${hashBatch}`.execute(connection)
      for (const row of rows) if (!seen.has(row.id)) await look(row)
      hashed += rows.length
      onContents(hashed, total[0]?.n ?? 0)
      const last = rows.at(-1)
      if (last === undefined) break
      after = last.id
    }
    const { rows: unnamed } = await sql<{ key: string }>`
        select o.key from stored_object o where o.modified_at < ${now() - limits.unnamedObjectMs}
          and not exists (select 1 from blob b where b.key = o.key)
          and not exists (select 1 from dropped_object d where d.key = o.key) order by o.key`.execute(connection)
    return { damaged, unnamed: unnamed.map((row) => row.key) }
  })
}

async function* inBatches<T>(all: AsyncIterable<T>): AsyncIterable<T[]> {
  let batch: T[] = []
  for await (const one of all) {
    batch.push(one)
    if (batch.length < listBatch) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Whether the row still exists: its blob may have been collected during the check. */
async function isNamed(db: Db, { id, key }: BlobRow): Promise<boolean> {
  const row = await db.selectFrom('blob').select('id').where('id', '=', id).where('key', '=', key).executeTakeFirst()
  return row !== undefined
}

const filesNamed = 5

async function describe(db: Db, { id, key }: BlobRow, damage: Damage): Promise<DamagedContent> {
  const { rows } = await sql<{ file: string }>`
    select 'item ' || item_id || ' version ' || number as file from version
    where blob_id = ${id} order by item_id, number limit ${filesNamed + 1}`.execute(db)
  const files = rows.slice(0, filesNamed).map((row) => row.file)
  const how = {
    missing: 'is missing',
    unreadable: 'cannot be read',
    size: 'has another size',
    hash: 'has other bytes',
  }[damage]
  return {
    id,
    key,
    damage,
    what: `content ${key} ${how}: ${files.join(', ')}${rows.length > filesNamed ? ' …' : ''}`,
  }
}
