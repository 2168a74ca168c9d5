// Finds folders that contain a visible subfolder. Folder trees show only these as expandable.
import { denial, gates } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { ItemRow } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import { factsBelow, parentsOf } from './access.ts'
import { itemColumns, noPeople, ownEntries, unpackEntries } from './chains.ts'

/**
 * Maximum number of subfolders checked per folder. If none of them is visible and there are more, the folder is shown
 * as expandable.
 */
const lookedAt = 32

/** Those visible folders that contain a visible subfolder, or more subfolders than are checked. */
export async function foldersWithSubfolders(
  db: Db,
  actor: Account,
  ids: readonly number[],
  now: number,
): Promise<number[]> {
  const parents = await parentsOf(db, actor, ids, now)
  const seen = [...parents].filter(([, { folder }]) => denial(gates.see, folder.facts) === undefined)
  if (seen.length === 0) return []
  const { rows } = await sql<ItemRow & { entries: Parameters<typeof unpackEntries>[0] }>`
    select ${itemColumns}, ${noPeople}, ${ownEntries(actor)} as entries
    from unnest(${seen.map(([id]) => id)}::bigint[]) as folder (id)
    cross join lateral (
      select * from item where parent_id = folder.id and f_type = 2 and deleted_at is null and link_to is null
      limit ${lookedAt}) i`.execute(db)
  const inside = Map.groupBy(rows, (row) => row.parent_id ?? 0)
  return seen.flatMap(([id, { above }]) => {
    const folders = inside.get(id) ?? []
    const isSeen = (row: (typeof folders)[number]): boolean =>
      denial(gates.see, factsBelow(above, row, unpackEntries(row.entries), actor, now).facts) === undefined
    return folders.length === lookedAt || folders.some(isSeen) ? [id] : []
  })
}
