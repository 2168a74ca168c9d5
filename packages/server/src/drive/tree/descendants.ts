// What a user sees below a folder at any depth, with their rights there.
import { denial, type Facts, gates } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access, ItemRow } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import { type Above, aboveChildrenOf, factsBelow, parentsOf } from './access.ts'
import { itemColumns, noPeople, ownEntries, unpackEntries } from './chains.ts'

const folderBatch = 500

type Child = ItemRow & { entries: Parameters<typeof unpackEntries>[0] }

interface Bounds {
  /** Maximum number of rows read. */
  readonly most: number
  /** Also includes items deleted from visible folders, with the rights they had there, but not what is below them. */
  readonly withDeleted?: boolean
}

/** Visits everything that the actor sees, level by level, without links. Returns false if the maximum was exceeded. */
export async function visitDescendants(
  db: Db,
  actor: Account,
  folder: Access,
  now: number,
  { most, withDeleted = false }: Bounds,
  meet: (row: ItemRow, facts: Facts) => void,
): Promise<boolean> {
  let looked = 0
  let level = new Map<number, Above>([[folder.row.id, aboveChildrenOf(folder)]])
  while (level.size > 0) {
    const below = new Map<number, Above>()
    const waiting = [...level.keys()]
    while (waiting.length > 0) {
      const rows = await childrenOf(db, actor, waiting.splice(0, folderBatch), {
        most: most - looked + 1,
        withDeleted,
      })
      looked += rows.length
      if (looked > most) return false
      for (const row of rows) {
        const above = level.get(row.parent_id ?? 0)
        if (above === undefined) continue
        const { facts, ...step } = factsBelow(
          above,
          { ...row, deleted_at: null },
          unpackEntries(row.entries),
          actor,
          now,
        )
        if (denial(gates.see, facts) !== undefined) continue
        meet(row, facts)
        if (row.f_type === 2 && row.deleted_at === null) below.set(row.id, { ...above, ...step })
      }
    }
    level = below
  }
  return true
}

/**
 * Returns those of the given items that `visitDescendants` with deleted items would visit: all ancestors up to the folder are
 * visible and exist. The items themselves may be deleted.
 */
export async function visibleDescendants(
  db: Db,
  actor: Account,
  folder: Access,
  ids: readonly number[],
  now: number,
): Promise<Map<number, Pick<Access, 'row' | 'facts'>>> {
  const seen = new Map<number, Pick<Access, 'row' | 'facts'>>()
  const { rows } = await sql<Child>`
    select ${itemColumns}, ${noPeople}, ${ownEntries(actor)} as entries
    from item i where id = any(${[...ids]}::bigint[]) and library_id = ${folder.library.id}
      and parent_id is not null and link_to is null and not purged`.execute(db)
  const parents = await parentsOf(db, actor, [...new Set(rows.map((row) => row.parent_id ?? 0))], now)
  for (const row of rows) {
    const above = parents.get(row.parent_id ?? 0)?.above
    const from = above?.path.findIndex(({ id }) => id === folder.row.id) ?? -1
    if (above === undefined || from < 0 || !above.path.slice(from).every(({ visible }) => visible)) continue
    const { facts } = factsBelow(above, { ...row, deleted_at: null }, unpackEntries(row.entries), actor, now)
    if (denial(gates.see, facts) === undefined) seen.set(row.id, { row, facts })
  }
  return seen
}

/** The children of folders. `offset 0` forces one index look-up per folder. */
async function childrenOf(
  db: Db,
  actor: Account,
  folderIds: readonly number[],
  { most, withDeleted }: Required<Bounds>,
): Promise<Child[]> {
  const which = withDeleted ? sql`not purged` : sql`deleted_at is null`
  const { rows } = await sql<Child>`
    select ${itemColumns}, ${noPeople}, ${ownEntries(actor)} as entries
    from unnest(${[...folderIds]}::bigint[]) as folder (id)
    cross join lateral (
      select * from item where parent_id = folder.id and link_to is null and ${which} offset 0) i
    limit ${most}`.execute(db)
  return rows
}
