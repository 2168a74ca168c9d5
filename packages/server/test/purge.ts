import type { Db } from '../src/core/db/database.ts'
import { purgeChunk } from '../src/drive/recycle/index.ts'

/** Removes all that was deleted for good. The background does so too, and what it holds at the moment is waited for. */
export async function purgeAll(db: Db): Promise<void> {
  const left = db.selectFrom('item').select('id').where('purged', '=', true).limit(1)
  while ((await purgeChunk(db)) > 0 || (await left.executeTakeFirst()) !== undefined);
}
