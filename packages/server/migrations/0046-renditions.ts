// Renditions of contents for viewing (viewing/preview): one row per content, form and kind of reader.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table rendition (
  -- The content it was made of, which takes it along when it goes.
  blob_id bigint not null references blob on delete cascade,
  form text not null check (form in ('view', 'thumbnail')),
  kind text not null,
  readers integer not null,
  -- What was made; none where there is a problem.
  made_id bigint references blob,
  problem text,
  size bigint not null,
  used_at bigint not null,
  primary key (blob_id, form, kind),
  check ((made_id is null) <> (problem is null))
);
create index rendition_made on rendition (made_id);
create index rendition_used on rendition (used_at);
`)
    .execute(db)
}
