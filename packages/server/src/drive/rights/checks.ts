// Consistency checks of rights.
import { sql } from 'kysely'
import type { TableCheck } from '../../core/checks.ts'

export const rightsChecks: readonly TableCheck[] = [
  {
    says: 'whatever has rights of its own is known to have them',
    broken: sql`
      select 'item ' || i.id as what from item i where not i.own_rules
        and (not i.inherit or i.restricted or exists (select 1 from entry e where e.item_id = i.id))`,
    mend: (tx) =>
      sql`
      update item i set own_rules = true where not i.own_rules
        and (not i.inherit or i.restricted or exists (select 1 from entry e where e.item_id = i.id))`.execute(tx),
  },
  {
    says: 'whatever rights of its own may hide is known to be withheld',
    broken: sql`
      select 'item ' || i.id as what from item i where not i.withholds
        and exists (select 1 from entry e where e.item_id = i.id and e.rights & 3 <> 2)`,
    mend: (tx) =>
      sql`
      update item i set withholds = true where not i.withholds
        and exists (select 1 from entry e where e.item_id = i.id and e.rights & 3 <> 2)`.execute(tx),
  },
]
