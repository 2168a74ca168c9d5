// Cleanup of documents that are no longer edited.
import { limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'

/** How long an offline user can return and add changes. */
const retentionMs = 7 * 24 * 60 * 60_000
/** Longer states are rebuilt from the file. */
const longestState = 4 * limits.togetherLength
const memberRetentionMs = 60 * 60_000
const most = 500

/** Removes documents that are stored and idle, and members that have left. Returns whether there is more. */
export async function removeIdleDocuments(db: Db, now: number): Promise<boolean> {
  await sql`delete from together_member where seen_at <= ${now - memberRetentionMs}`.execute(db)
  const { rows } = await sql`
    delete from together_document where item_id in (
      select d.item_id from together_document d
      where (d.touched_at <= ${now - retentionMs}
          or (d.touched_at <= ${now - memberRetentionMs} and octet_length(d.state) > ${longestState}))
        and d.saved_seq >= d.seq and not exists (select 1 from together_member m where m.item_id = d.item_id)
      order by d.touched_at limit ${most} for update skip locked)
    returning 1`.execute(db)
  return rows.length === most
}
