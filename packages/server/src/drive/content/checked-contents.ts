// Verifies contents when they are read: stores their checksums, and handles content that no longer matches.
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { piecesOf } from '../../core/blobs/block-sums.ts'
import { type Contents, createContents } from '../../core/blobs/contents.ts'
import type { BlobStore } from '../../core/blobs/store.ts'
import type { Db } from '../../core/db/database.ts'
import type { Log } from '../../core/log.ts'
import { damageIn, recordDamage } from './damage.ts'

/** Size of the process's checksum cache in bytes: enough for 250 GB of content. */
const mostSums = 8 * 1024 * 1024

/** Stores the checksums of contents. Corrects existing ones that differ. */
export async function storeSums(
  db: Db,
  contents: readonly { readonly blobId: number; readonly sums: Buffer }[],
): Promise<void> {
  const rows = contents
    .toSorted((a, b) => a.blobId - b.blobId)
    .flatMap(({ blobId, sums }) => piecesOf(sums).map((piece, n) => ({ blob_id: blobId, piece: n, sums: piece })))
  for (const row of rows) {
    // One by one, because the checksums of a large content take 32 KB.
    await sql`
      insert into blob_sums as known (blob_id, piece, sums) values (${row.blob_id}, ${row.piece}, ${row.sums})
      on conflict (blob_id, piece) do update set sums = excluded.sums where known.sums <> excluded.sums`.execute(db)
  }
}

/** The content reader of an installation. It verifies content on every read. */
export function createCheckedContents({
  db,
  blobs,
  now,
  log,
}: {
  readonly db: Db
  readonly blobs: BlobStore
  readonly now: () => number
  readonly log: Log
}): Contents {
  const kept = new LRUCache<string, Buffer>({ maxSize: mostSums, sizeCalculation: (sums) => sums.length + 100 })
  return createContents(blobs, {
    async sums(blobId, piece) {
      const name = `${blobId} ${piece}`
      const found = kept.get(name)
      if (found !== undefined) return found
      const row = await db
        .selectFrom('blob_sums')
        .select('sums')
        .where('blob_id', '=', blobId)
        .where('piece', '=', piece)
        .executeTakeFirst()
      if (row !== undefined) kept.set(name, row.sums)
      return row?.sums
    },

    async failed({ blobId, key }, error) {
      const damage = damageIn(error)
      if (damage === undefined) return
      try {
        if (await recordDamage(db, { id: blobId, key }, damage, now()))
          log.error({ content: key, damage }, 'a content is not as it was stored')
      } catch (err) {
        log.error({ err, content: key, damage }, 'a content is not as it was stored, which could not be written down')
      }
      // The cached checksums may have been wrong and may have been corrected meanwhile.
      kept.clear()
    },
  })
}
