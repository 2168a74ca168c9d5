// Renditions may be the pages that LibreOffice makes of a document, for printing and comparing.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
alter table rendition drop constraint rendition_form_check;
alter table rendition add constraint rendition_form_check check (form in ('view', 'thumbnail', 'words', 'pdf', 'pages'));
`)
    .execute(db)
}
