/*
 * Consistency checks of items and their sums.
 *
 * A wrong sum is wrong by the same difference in every snapshot, because writers change both sides in one transaction.
 * It is repaired by adding the difference, even while the server is running.
 */
import { sql } from 'kysely'
import type { TableCheck } from '../../core/checks.ts'

/** Bytes of the versions of each account in each library, compared with the sums. */
const usage = sql`
  select coalesce(t.library_id, s.library_id) as library_id, coalesce(t.account_id, s.account_id) as account_id,
    coalesce(t.bytes, 0) as true_bytes, coalesce(s.bytes, 0) as said_bytes
  from (
    select i.library_id, v.created_by as account_id, sum(v.size) as bytes
    from version v join item i on i.id = v.item_id group by 1, 2) t
  full join (
    select library_id, account_id, sum(bytes) as bytes from (
      select library_id, account_id, bytes from usage_total union all
      select library_id, account_id, bytes from tally) both_sums group by 1, 2) s
  on s.library_id = t.library_id and s.account_id = t.account_id
  where coalesce(t.bytes, 0) <> coalesce(s.bytes, 0)`

/** The same per library, and as row 0 for all of them. */
const libraryUsage = sql`
  select coalesce(t.library_id, s.library_id) as library_id,
    coalesce(t.bytes, 0) as true_bytes, coalesce(s.bytes, 0) as said_bytes
  from (
    select coalesce(i.library_id, 0) as library_id, sum(v.size) as bytes
    from version v join item i on i.id = v.item_id group by rollup (i.library_id)) t
  full join (
    select library_id, sum(bytes) as bytes from (
      select library_id, bytes from library_total union all
      select coalesce(library_id, 0), sum(bytes) from tally group by rollup (library_id)) both_sums group by 1) s
  on s.library_id = t.library_id
  where coalesce(t.bytes, 0) <> coalesce(s.bytes, 0)`

/** Number of existing direct children of each folder that is not purged, compared with the sums. */
const children = sql`
  select f.id as folder_id, coalesce(t.n, 0) as true_children, coalesce(s.n, 0) as said_children
  from item f
  left join (
    select parent_id, count(*) as n from item where parent_id is not null and deleted_at is null group by 1) t
  on t.parent_id = f.id
  left join (
    select folder_id, sum(children) as n from (
      select folder_id, children from child_total union all
      select folder_id, children from tally where folder_id is not null) both_sums group by 1) s
  on s.folder_id = f.id
  where f.f_type = 2 and not f.purged and coalesce(t.n, 0) <> coalesce(s.n, 0)`

export const treeChecks: readonly TableCheck[] = [
  {
    says: 'every library has one root, a folder of its own at the top',
    broken: sql`
      select 'library ' || l.id as what from library l left join item i on i.id = l.id
      where i.id is null or i.parent_id is not null or i.f_type <> 2 or i.library_id <> l.id
      union all
      select 'item ' || i.id from item i where i.parent_id is null
        and not exists (select 1 from library l where l.id = i.id)`,
  },
  {
    says: 'everything lies in a folder of its own library',
    broken: sql`
      select 'item ' || i.id as what from item i left join item p on p.id = i.parent_id
      where i.parent_id is not null and (p.id is null or p.f_type <> 2 or p.link_to is not null
        or p.library_id <> i.library_id)`,
  },
  {
    says: 'everything is reached from the root of its library, nothing lies in a ring',
    broken: sql`
      with recursive down as (
        select id from item where parent_id is null
        union all
        select c.id from down d join item c on c.parent_id = d.id
      )
      select 'item ' || i.id as what from item i where not exists (select 1 from down d where d.id = i.id)`,
  },
  {
    says: 'no folder holds a name twice',
    broken: sql`
      select 'folder ' || parent_id || ', items ' || string_agg(id::text, ' ' order by id) as what from item
      where deleted_at is null and parent_id is not null group by parent_id, name_key having count(*) > 1`,
  },
  {
    says: 'the bytes of each account in each library add up',
    broken: sql`
      select 'library ' || library_id || ' account ' || account_id || ': ' || said_bytes || ' instead of ' || true_bytes
        as what from (${usage}) u`,
    mend: (tx) =>
      sql`
      insert into usage_total (library_id, account_id, bytes)
      select library_id, account_id, true_bytes - said_bytes from (${usage}) u
      on conflict (library_id, account_id) do update set bytes = usage_total.bytes + excluded.bytes`.execute(tx),
  },
  {
    says: 'the bytes of each library add up',
    broken: sql`
      select case library_id when 0 then 'all libraries' else 'library ' || library_id end || ': ' || said_bytes
        || ' instead of ' || true_bytes as what from (${libraryUsage}) u`,
    mend: (tx) =>
      sql`
      insert into library_total (library_id, bytes)
      select library_id, true_bytes - said_bytes from (${libraryUsage}) u
      on conflict (library_id) do update set bytes = library_total.bytes + excluded.bytes`.execute(tx),
  },
  {
    says: 'every folder counts what is in it',
    broken: sql`
      select 'folder ' || folder_id || ': ' || said_children || ' instead of ' || true_children as what
      from (${children}) c`,
    mend: (tx) =>
      sql`
      insert into child_total (folder_id, children)
      select folder_id, true_children - said_children from (${children}) c
      on conflict (folder_id) do update set children = child_total.children + excluded.children`.execute(tx),
  },
]
