import type { Db } from '../src/core/db/database.ts'
import { purgeChunk } from '../src/drive/recycle/index.ts'

/** Purges all permanently deleted items. Waits for rows that the background job holds at the moment. */
export async function purgeAll(db: Db): Promise<void> {
  const left = db.selectFrom('item').select('id').where('purged', '=', true).limit(1)
  while ((await purgeChunk(db)) > 0 || (await left.executeTakeFirst()) !== undefined);
}
