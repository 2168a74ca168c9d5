// Urges: what people are asked to do about a file or folder, their receivers, and what happened to them.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table urge (
  id bigint generated always as identity primary key,
  sender_id bigint not null references account,
  -- What it is about, and what that was called when it was sent; the item may be gone.
  item_id bigint references item on delete set null,
  f_type smallint not null,
  title text not null,
  notify_type smallint not null check (notify_type between 1 and 3),
  message text not null,
  -- Whom it was sent to, as sent.
  user_ids bigint[] not null,
  group_ids bigint[] not null,
  role_ids bigint[] not null,
  partner_id bigint,
  server_ids bigint[] not null,
  state text not null default 'open' check (state in ('open', 'done', 'ended')),
  created_at bigint not null,
  ended_at bigint,
  deadline bigint,
  -- When the sender was told that the deadline is over.
  late_at bigint,
  repeat_hours int not null,
  repeat_until bigint,
  -- When the next reminder or the deadline is due.
  next_at bigint,
  reminded int not null default 0,
  receiver_count int not null,
  handled_count int not null default 0,
  -- The newest message, and the newest one that the sender has read.
  last_message_id bigint not null default 0,
  sender_seen_id bigint not null default 0
);
create index urge_sent on urge (sender_id, id desc);
create index urge_sent_open on urge (sender_id, id desc) where state = 'open';
create index urge_due on urge (next_at) where next_at is not null;
create index urge_item on urge (item_id) where item_id is not null;

create table urge_receiver (
  urge_id bigint not null references urge on delete cascade,
  account_id bigint not null references account,
  -- The urge is open, and this receiver is not done.
  is_waiting boolean not null default true,
  read_at bigint,
  handled_at bigint,
  comments text not null default '',
  -- How often this receiver was urged.
  urged int not null default 1,
  -- The newest message that this receiver has read.
  seen_id bigint not null default 0,
  -- Who is urged instead; such a receiver does not count.
  handed_to bigint references account,
  primary key (urge_id, account_id)
);
create index urge_received on urge_receiver (account_id, urge_id desc);
create index urge_waits_for on urge_receiver (account_id, urge_id desc) where is_waiting;

create table urge_entry (
  id bigint generated always as identity primary key,
  urge_id bigint not null references urge on delete cascade,
  at bigint not null,
  account_id bigint references account,
  what text not null
    check (what in ('created', 'message', 'reminded', 'repeated', 'handled', 'handedOn', 'late', 'ended', 'done')),
  to_id bigint references account,
  text text not null default ''
);
create index urge_entry_of on urge_entry (urge_id, id desc);
create index urge_message_of on urge_entry (urge_id, id desc) where what = 'message';
`)
    .execute(db)
}
