// Backdates the audit of the demo company: it has worked for a year, so its audit starts with the dates of its files.
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import { auditLock } from './seal.ts'

const dayMs = 86_400_000

/**
 * Gives the audit rows of each version the time of the version, dates earlier rows to the day before the first version,
 * and rebuilds the chain in that order. Only for an unused installation.
 */
export async function dateAuditAsOnDisk(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${auditLock})`.execute(tx)
    await sql`
      create temporary table dated on commit drop as
      with timed as (
        select a.id, v.created_at as at from audit a join version v
          on v.item_id = a.items[2] and v.number = coalesce((a.detail ->> 'version')::int, 1)
        where a.call = 'uploadRaw'
      ), began as (select min(id) as id, min(at) - ${dayMs} as at from timed)
      select a.*, coalesce(t.at, case when a.id < b.id then b.at - (b.id - a.id) * 1000 else a.at end) as day
      from audit a cross join began b left join timed t on t.id = a.id`.execute(tx)
    for (const table of [
      'audit_seal',
      'audit_item',
      'audit_library',
      'audit_head',
      'audit_hour',
      'audit_download',
      'audit',
    ]) {
      await sql`delete from ${sql.table(table)}`.execute(tx)
    }
    await sql`
      insert into audit (id, at, account_id, call, address, items, detail, outsider) overriding system value
      select i.id, d.day, d.account_id, d.call, d.address, d.items, d.detail, d.outsider
      from (select *, row_number() over (order by day, id) as n from dated) d
      join (select id, row_number() over (order by id) as n from dated) i using (n)`.execute(tx)
  })
}
