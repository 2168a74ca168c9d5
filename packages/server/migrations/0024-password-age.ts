// When a password was set; its expiry is computed from this (-137). A trigger writes it, so that no statement can omit
// it.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
alter table account add column password_at bigint not null default 0;
update account set password_at = (extract(epoch from now()) * 1000)::bigint;
alter table account alter column password_at set default (extract(epoch from now()) * 1000)::bigint;
create function note_password() returns trigger language plpgsql as $$
begin
  new.password_at := (extract(epoch from now()) * 1000)::bigint;
  return new;
end $$;
create trigger account_password before update of password_hash on account
  for each row when (old.password_hash is distinct from new.password_hash) execute function note_password();
`)
    .execute(db)
}
