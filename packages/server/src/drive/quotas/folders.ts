/*
 * Space limits of folders ([R119], ADR 97). Every version of every item below the folder counts until it is permanently
 * deleted, as for a library. Each folder with a limit has a row with an upper bound of its usage. A writer that adds
 * content increases it under a row lock. A writer that removes content leaves it unchanged. Before a write is refused,
 * the actual usage is measured. So folders without a limit cost nothing, and a folder with a limit costs its writers
 * one row.
 */
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { FolderLimit } from '../../core/access.ts'
import type { Db, Tx } from '../../core/db/database.ts'

/**
 * Upper bound on the duration of a transaction. A transaction that started before a limit was set does not know of it,
 * so its bytes are only counted by a measurement after this time.
 */
const inFlightMs = 30_000

/** The bytes of a file, or of everything below a folder. */
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

/** Sets or removes the limit of a folder whose row is locked. Returns the bytes that count towards it. */
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

/**
 * How many bytes a limit leaves, read without a lock. The usage is measured if the row leaves fewer bytes than wanted.
 */
export async function remainingSpace(db: Db, { folderId, most }: FolderLimit, wanted: number): Promise<number> {
  const row = await db.selectFrom('folder_space').select('used').where('folder_id', '=', folderId).executeTakeFirst()
  const left = most - (row?.used ?? 0)
  return left >= Math.max(wanted, 1) ? left : most - (await measureBelow(db, folderId))
}

/** The folder limits that a transaction has locked. */
export interface FolderSpace {
  /** Reserves bytes before they are written, or refuses them (-23). */
  take(bytes: number): Promise<void>
}

/**
 * Locks folder limits until the transaction ends, in id order. `joining`: existing items are moved below the folders.
 * Concurrent writers to those items may not know of the limit yet.
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
        // Bytes removed in the meantime are only found by measuring, which happens when the limit would be exceeded.
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
