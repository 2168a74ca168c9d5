// The rights of items for all subjects. The evaluator uses them for many users at once (push audiences) or for all
// entries (the rights list). The access of a single actor is computed in drive/tree.
import type { RightsEntry, RightsLevel } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'

/** One level of the path to an item, with all entries set on it. */
export interface ItemLevel extends RightsLevel {
  readonly name: string
}

/** The levels of each item from the library root down, including deleted items. */
export async function loadLevels(db: Db, ids: readonly number[]): Promise<Map<number, ItemLevel[]>> {
  const { rows } = await sql<{
    start: number
    id: number
    inherit: boolean
    restricted: boolean
    created_by: number
    name: string
    entries: RightsEntry[] | null
  }>`
    with recursive chain as (
      select i.id as start, 0 as depth, i.id, i.parent_id, i.inherit, i.restricted, i.created_by, i.name, i.own_rules
      from item i where i.id = any(${[...ids]})
      union all
      select c.start, c.depth + 1, p.id, p.parent_id, p.inherit, p.restricted, p.created_by, p.name, p.own_rules
      from chain c join item p on p.id = c.parent_id
    )
    select i.start, i.id, i.inherit, i.restricted, i.created_by, i.name, case when i.own_rules then (
      select json_agg(json_build_object('subjectType', e.subject_type, 'subjectId', e.subject_id, 'rights', e.rights,
        'kind', e.kind, 'expireTime', e.expires_at, 'givenBy', e.created_by, 'givenAt', e.created_at) order by e.id)
      from entry e where e.item_id = i.id) end as entries
    from chain i
    order by i.start, i.depth desc`.execute(db)
  const levels = new Map<number, ItemLevel[]>()
  for (const row of rows) {
    const list = levels.get(row.start) ?? []
    list.push({
      itemId: row.id,
      inherit: row.inherit,
      restricted: row.restricted,
      createdBy: row.created_by,
      name: row.name,
      entries: row.entries ?? [],
    })
    levels.set(row.start, list)
  }
  return levels
}
