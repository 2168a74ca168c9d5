// Watermark templates, where they apply, and the watermarks of links (drive/watermarks).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table watermark_template (
  id bigint generated always as identity primary key,
  name text not null,
  name_key text not null unique,
  -- Lines, with words in braces that stand for something.
  words text not null default '',
  -- A picture as a data address; empty: none.
  image text not null default '',
  rotate int not null default 45,
  padding int not null default 60,
  opacity real not null default 0.5,
  line_gap int not null default 4,
  size int not null default 13,
  color text not null default '#b4bac4',
  layout text not null default 'tile' check (layout in ('tile', 'centre', 'corner')),
  on_preview boolean not null default true,
  on_download boolean not null default true,
  -- The one that is taken where one is needed and none is named.
  standard boolean not null default false,
  modified_at bigint not null default 0
);
create unique index watermark_template_standard on watermark_template (standard) where standard;
insert into watermark_template (name, name_key, words, standard)
values ('标准', '标准', E'{name} {account}\\n{time}\\n{address} {link}', true);

-- All three null: for everything.
create table watermark_rule (
  id bigint generated always as identity primary key,
  template_id bigint not null references watermark_template on delete cascade,
  account_id bigint references account on delete cascade,
  library_id bigint references library on delete cascade,
  level int,
  check (num_nonnulls(account_id, library_id, level) <= 1)
);
create index watermark_rule_template on watermark_rule (template_id);
create index watermark_rule_account on watermark_rule (account_id) where account_id is not null;
create index watermark_rule_library on watermark_rule (library_id) where library_id is not null;

alter table external_link add column marked boolean not null default false;
alter table external_link add column template_id bigint references watermark_template on delete set null;
create index external_link_template on external_link (template_id) where template_id is not null;
`)
    .execute(db)
}
