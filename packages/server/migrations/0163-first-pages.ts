// The pages of a content that are finished while the remaining pages are still being rendered.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table rendition_pages (
  -- The content they are made of, which takes them along when it goes.
  blob_id bigint not null references blob on delete cascade,
  kind text not null,
  -- The number of the first of them, from 1.
  first integer not null,
  pages integer not null,
  readers integer not null,
  made_id bigint not null references blob,
  by_office boolean not null,
  made_at bigint not null,
  primary key (blob_id, kind, first)
);
create index rendition_pages_made on rendition_pages (made_id);
create index rendition_pages_at on rendition_pages (made_at);
`)
    .execute(db)
}
