// An edit lock belongs to the session that took it, so that two programs of one user do not overwrite each other. When
// the session ends, the lock belongs to the user, and their next session continues with it.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
alter table item add column editor_session bigint;
create index item_editor_session on item (editor_session) where editor_session is not null;

create function session_lets_go() returns trigger language plpgsql as $$
begin
  if exists (select 1 from item where editor_session in (select id from gone)) then
    update item set editor_session = null where editor_session in (select id from gone);
  end if;
  return null;
end $$;
create trigger session_lets_go after delete on session referencing old table as gone
  for each statement execute function session_lets_go();
`)
    .execute(db)
}
