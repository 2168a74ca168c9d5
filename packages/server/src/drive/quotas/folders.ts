/*
 * Limits of folders ([R119], ADR 97). What counts is what counts for a library: every version of what lies below, until it
 * is gone for good. A row for each folder with a limit says how much that is at most: whoever brings something adds to it
 * under its lock, and who takes something away leaves it as it is. Where it would refuse somebody, it is measured first.
 * So a folder without a limit above costs nobody anything, and one with a limit costs its writers one row.
 */
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { FolderLimit } from '../../core/access.ts'
import type { Db, Tx } from '../../core/db/database.ts'

/** No transaction lasts so long: whoever began before a limit was set, and did not know of it, is counted after that. */
const inFlightMs = 30_000

/** The bytes of all that lies below an item, or of a file. */
export async function measureBelow(db: Db, id: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    with recursive down as (
      select id, f_type from item where id = ${id}
      union all
      select c.id, c.f_type from down d
      cross join lateral (select id, f_type from item where parent_id = d.id and not purged offset 0) c
      where d.f_type = 2
    )
    select coalesce(sum(v.size), 0)::bigint as bytes from down d
    cross join lateral (select size from version where item_id = d.id offset 0) v
    where d.f_type = 1`.execute(db)
  return rows[0]?.bytes ?? 0
}

/** Sets the limit of a folder whose row is locked, or takes it away; answers the bytes that count. */
export async function limitFolder(tx: Tx, folderId: number, limit: number, now: number): Promise<number> {
  await tx
    .updateTable('item')
    .set({ space_limit: limit === 0 ? null : limit })
    .where('id', '=', folderId)
    .execute()
  const used = await measureBelow(tx, folderId)
  if (limit === 0) await tx.deleteFrom('folder_space').where('folder_id', '=', folderId).execute()
  else {
    const row = { used, measured_at: now, unsettled_until: now + inFlightMs }
    await tx
      .insertInto('folder_space')
      .values({ folder_id: folderId, ...row })
      .onConflict((conflict) => conflict.column('folder_id').doUpdateSet(row))
      .execute()
  }
  return used
}

/** How many bytes a limit leaves, for who holds nothing; measured where the row leaves fewer than are wanted. */
export async function remainingSpace(db: Db, { folderId, most }: FolderLimit, wanted: number): Promise<number> {
  const row = await db.selectFrom('folder_space').select('used').where('folder_id', '=', folderId).executeTakeFirst()
  const left = most - (row?.used ?? 0)
  return left >= Math.max(wanted, 1) ? left : most - (await measureBelow(db, folderId))
}

/** What a transaction holds of limits of folders. */
export interface FolderSpace {
  /** Adds bytes that are still to be written, or refuses them (-23). */
  take(bytes: number): Promise<void>
}

/**
 * Holds limits of folders until the transaction ends, in the order of ids. `joining`: what comes is there already, and who
 * writes to it at this moment may not know that the limit counts.
 */
export async function lockFolderSpace(
  tx: Tx,
  limits: readonly FolderLimit[],
  now: number,
  { joining = false } = {},
): Promise<FolderSpace> {
  const most = new Map(limits.map((limit) => [limit.folderId, limit.most]))
  const { rows } = await sql<{ id: number; used: number; measured: number; until: number }>`
    select folder_id as id, used, measured_at as measured, unsettled_until as until from folder_space
    where folder_id = any(${[...most.keys()]}) order by folder_id for update`.execute(tx)
  const fresh = new Set<number>()
  const measure = async (row: (typeof rows)[number]): Promise<void> => {
    row.used = await measureBelow(tx, row.id)
    fresh.add(row.id)
    await tx
      .updateTable('folder_space')
      .set({ used: row.used, measured_at: now })
      .where('folder_id', '=', row.id)
      .execute()
  }
  for (const row of rows) if (row.measured < row.until) await measure(row)
  return {
    async take(bytes) {
      if (bytes <= 0) return
      for (const row of rows) {
        const limit = most.get(row.id) ?? 0
        // What went away meanwhile is found by measuring, once it matters.
        if (row.used + bytes > limit && !fresh.has(row.id)) await measure(row)
        if (row.used + bytes > limit) fail('folderSizeExceeded')
      }
      for (const row of rows) row.used += bytes
      await sql`
        update folder_space set used = used + ${bytes}::bigint,
          unsettled_until = case when ${joining} then ${now + inFlightMs}::bigint else unsettled_until end
        where folder_id = any(${rows.map(({ id }) => id)})`.execute(tx)
    },
  }
}
