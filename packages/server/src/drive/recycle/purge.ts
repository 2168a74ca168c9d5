/*
 * The second phase of permanent deletion: removes the rows of purged items and of everything below them in chunks,
 * deepest first. Each chunk is a separate transaction, and the bytes of the versions are freed. Contents stay until
 * nothing references them. Names stay as long as the audit refers to the items.
 */
import { sql } from 'kysely'
import { type Db, planAnew } from '../../core/db/database.ts'

const chunkSize = 500

/** Removes one chunk. Returns the number of rows processed, 0 when nothing is left to do. */
export async function purgeChunk(db: Db): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await planAnew(tx)
    // The leaves below purged items come first. Items below are marked on the way down, so each round is one index
    // look-up.
    // Each row is locked and its parent read again before it is marked: an item that is being moved elsewhere must not
    // be marked by where it was.
    const { numAffectedRows: marked = 0n } = await sql`
      with below as (
        select c.id from item c join item p on p.id = c.parent_id
        where p.purged and not c.purged limit ${chunkSize} for update of c skip locked
      )
      update item set purged = true where id in (select id from below)`.execute(tx)
    const { rows: gone } = await sql<{ id: number }>`
      with doomed as (
        select i.id, i.library_id, i.f_type, i.name from item i
        where i.purged and not exists (select 1 from item c where c.parent_id = i.id)
        order by i.id limit ${chunkSize} for update skip locked
      ), freed as (
        insert into tally (library_id, account_id, folder_id, bytes, children)
        select d.library_id, v.created_by, null, -sum(v.size), 0
        from doomed d join version v on v.item_id = d.id group by d.library_id, v.created_by
      ), named as (
        insert into gone_item (id, f_type, name) select d.id, d.f_type, d.name from doomed d
        where exists (select 1 from audit_item i where i.item_id = d.id)
          or d.id in (
            select unnest(a.items) from audit a
            where a.id > coalesce((select settled from audit_head order by seq desc limit 1), 0))
      ), totals as (
        delete from child_total where folder_id in (select id from doomed)
      ), pending as (
        update tally set folder_id = null, children = 0 where folder_id in (select id from doomed)
      )
      delete from item where id in (select id from doomed) returning id`.execute(tx)
    return Number(marked) + gone.length
  })
}
