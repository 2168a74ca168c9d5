// Favourites and recent activity; and folders whose name is unique in their library.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table favorite (
  account_id bigint not null references account,
  item_id bigint not null references item on delete cascade,
  created_at bigint not null,
  primary key (account_id, item_id)
);
create index favorite_item on favorite (item_id);

-- The star of a favourite is kept with what is kept of the account.
create trigger favorite_invalidates after insert or update or delete on favorite
  for each row execute function invalidate_row('2', 'account_id');

create table recent (
  account_id bigint not null references account,
  item_id bigint not null references item on delete cascade,
  act text not null check (act in ('open', 'preview', 'download', 'edit')),
  at bigint not null,
  primary key (account_id, item_id)
);
create index recent_listed on recent (account_id, at desc, item_id);
create index recent_item on recent (item_id);

-- What somebody handed in, the latest first; what they edit now.
create index version_by on version (created_by, created_at);
create index item_editor on item (editor_id) where editor_id is not null;

create unique index item_associated on item (library_id, name_key)
  where status & 4194304 <> 0 and deleted_at is null;
`)
    .execute(db)
}
