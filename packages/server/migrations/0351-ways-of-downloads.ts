// By which way each download of an application left, and which version each visitor of a link received.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
alter table download_delivery add column way text not null default 'file'
  check (way in ('file', 'zip', 'ticket', 'link', 'webDav', 'program'));
-- The link by which its visitor downloaded.
alter table download_delivery add column link_id bigint references external_link on delete set null;
create index download_delivery_link on download_delivery (link_id) where link_id is not null;
update download_delivery set way = 'link' where visitor <> '';
alter table external_visit add column version int;
-- The applications for a link, of which the last one is in force.
create index review_link on review (key, id desc) where kind = 'link';
`)
    .execute(db)
}
