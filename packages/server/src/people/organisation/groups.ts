import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Tx } from '../../core/db/database.ts'
import { named } from './names.ts'

/** Creates a department; null creates the company itself. Names are unique among siblings. */
export async function insertGroup(
  tx: Tx,
  parentId: number | null,
  groupName: string,
): Promise<{ id: number; name: string }> {
  const { name, key, sort, text, grams } = named(groupName)
  const { rows } = await sql<{ id: number }>`
    insert into org_group (parent_id, name, name_key, name_sort, search_text, search_grams, place)
    values (${parentId}, ${name}, ${key}, ${sort}, ${text}, ${grams},
      (select coalesce(max(place), 0) from org_group where parent_id = ${parentId}))
    on conflict do nothing returning id`.execute(tx)
  const id = rows[0]?.id ?? fail('alreadyExists')
  return { id, name }
}
