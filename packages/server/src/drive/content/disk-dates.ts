// For demo data: an import fills the demo company within a minute. This dates everything as it was on disk, as if the
// company had worked for a year.
import { defaultSetting } from '@cloudoc/contract'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import { foldTallies } from '../tree/index.ts'

const { download_time_zone: timeZone } = defaultSetting.setting

/**
 * Sets the server time of every file to its disk time, if it has one, and of every folder to the earliest time of its
 * contents. Storage statistics are dated accordingly. Only for an installation that nobody has used yet. Libraries and
 * users keep their dates.
 */
export async function dateAsOnDisk(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`update version set created_at = disk_time where disk_time is not null`.execute(tx)
    await sql`
      update item i set created_at = v.first, modified_at = i.disk_time
      from (select item_id, min(disk_time) as first from version where disk_time is not null group by item_id) v
      where v.item_id = i.id and i.disk_time is not null`.execute(tx)
    await sql`
      with recursive inside as (
        select parent_id as folder, min(created_at) as first from item
        where disk_time is not null and parent_id is not null group by parent_id
        union all
        select p.parent_id, i.first from inside i join item p on p.id = i.folder where p.parent_id is not null
      )
      update item f set created_at = w.first, modified_at = w.first
      from (select folder, min(first) as first from inside group by folder) w
      where f.id = w.folder and f.parent_id is not null`.execute(tx)
    while ((await foldTallies(tx)) > 0);
    await tx.deleteFrom('usage_day').execute()
    await sql`
      insert into usage_day (day, library_id, account_id, bytes)
      select (to_timestamp(v.created_at / 1000.0) at time zone ${timeZone})::date - date '1970-01-01',
        i.library_id, v.created_by, sum(v.size)
      from version v join item i on i.id = v.item_id group by 1, 2, 3`.execute(tx)
  })
}
