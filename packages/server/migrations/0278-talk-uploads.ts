// Files of conversations that are uploaded in parts, and files whose content is still being checked.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table talk_upload (
  id text primary key,
  account_id bigint not null references account,
  conversation_id bigint not null references talk_conversation on delete cascade,
  name text not null,
  size bigint not null,
  part_size bigint not null,
  width int,
  height int,
  sha256 bytea,
  file_id bigint references talk_file on delete set null,
  expires_at bigint not null
);
create index talk_upload_account on talk_upload (account_id);
create index talk_upload_conversation on talk_upload (conversation_id);
create index talk_upload_file on talk_upload (file_id) where file_id is not null;
create index talk_upload_expiry on talk_upload (expires_at);
create table talk_upload_part (
  upload_id text not null references talk_upload on delete cascade,
  number int not null,
  tag text not null,
  size bigint not null,
  primary key (upload_id, number)
);
-- Not to be sent before the rules for sensitive content have looked at it.
alter table talk_file add column is_checking boolean not null default false;
`)
    .execute(db)
}
