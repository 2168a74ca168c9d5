// Consistency checks of the index of names.
import { sql } from 'kysely'
import type { TableCheck } from '../../core/checks.ts'

/** Items whose row in the index of names is missing or outdated, and rows of deleted items, unless they are queued. */
const names = sql`
  select coalesce(i.id, s.item_id) as item_id
  from item i full join search_item s on s.item_id = i.id
  where (i.id is null or s.item_id is null or s.text <> i.search_text or s.modified_at <> i.modified_at
      or s.library_id <> i.library_id or s.parent_id is distinct from i.parent_id)
    and not exists (select 1 from search_queue q where q.item_id = coalesce(i.id, s.item_id))
    and not exists (select 1 from search_rebuild q where q.item_id = coalesce(i.id, s.item_id))`

export const searchChecks: readonly TableCheck[] = [
  {
    says: 'every name is in the index of names as it is, or waits for it',
    broken: sql`select 'item ' || item_id as what from (${names}) n`,
    mend: (tx) => sql`insert into search_queue select item_id from (${names}) n`.execute(tx),
  },
]
