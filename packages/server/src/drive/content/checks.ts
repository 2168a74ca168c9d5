// Consistency checks of versions and contents.
import { sql } from 'kysely'
import type { TableCheck } from '../../core/checks.ts'

export const contentChecks: readonly TableCheck[] = [
  {
    says: 'every file has versions without a gap, up to its current one; nothing else has any',
    broken: sql`
      select 'item ' || i.id as what from item i
      left join (
        select item_id, count(*) as n, min(number) as first, max(number) as last from version group by item_id) v
      on v.item_id = i.id
      where case when i.f_type = 1 and i.link_to is null
        then v.first is distinct from 1 or v.last is distinct from i.version or v.n is distinct from i.version
        else v.n is not null end`,
  },
  {
    says: 'every file has the size of its current version',
    broken: sql`
      select 'item ' || i.id as what from item i join version v on v.item_id = i.id and v.number = i.version
      where v.size <> i.size`,
    mend: (tx) =>
      sql`
      update item i set size = v.size from version v
      where v.item_id = i.id and v.number = i.version and v.size <> i.size`.execute(tx),
  },
  {
    says: 'every version has the size of its content',
    broken: sql`
      select 'item ' || v.item_id || ' version ' || v.number as what from version v left join blob b on b.id = v.blob_id
      where b.id is null or b.size <> v.size`,
  },
]
