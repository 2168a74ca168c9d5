// A folder's total excludes items that are hidden from the caller. Of the children with their own rights, only those
// are examined that can be hidden from a user who sees the folder: there are few of them even with many grants.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
-- An own entry may hide the item: it denies (1) or does not show (2).
alter table item add column withholds boolean not null default false;
update item set withholds = true
  where own_rules and exists (select 1 from entry e where e.item_id = item.id and e.rights & 3 <> 2);
drop index item_own_rules;
create index item_withheld on item (parent_id) where (withholds or not inherit) and deleted_at is null;
`)
    .execute(db)
}
