// Pictures of conversations without metadata, contents that wait for the scanner, who mentions everybody, and merged
// forwards that name their messages.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
-- Whether its metadata were removed, so that it can be sent as a picture.
alter table talk_file add column is_picture boolean not null default false;
alter table talk_upload add column is_picture boolean not null default false;
-- Who alone uses a content that the scanner has not inspected yet. Null: it was not closed.
alter table talk_file add column uninspected_by bigint references account;
alter table talk_conversation add column leaders_mention_all boolean not null default false;
-- The forwards of a message.
create index talk_message_records on talk_message using gin ((data -> 'records') jsonb_path_ops) where data ? 'records';

-- What the messages of a merged forward say now, in their order.
create function talk_entries(records jsonb) returns jsonb language sql stable as $$
  select jsonb_agg(
    case when s.id is null then jsonb_build_object('value', '', 'state', 'gone')
      when s.recalled_at is not null then jsonb_build_object('value', '', 'state', 'recalled')
      when coalesce(s.edited_position, 0) <> coalesce((r.entry ->> 'edited')::bigint, 0)
        then jsonb_build_object('value', '', 'state', 'edited')
      else jsonb_build_object('value', coalesce(f.name, s.data ->> 'name', s.value), 'state', null) end
    order by r.n)
  from jsonb_array_elements(records) with ordinality r (entry, n)
  left join talk_message s on s.id = (r.entry ->> 'source')::bigint
  left join talk_file f on f.id = s.file_id
$$;
`)
    .execute(db)
}
