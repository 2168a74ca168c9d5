// Requests of users and the decisions on them (approvals/review), and the entries that an approval grants
// (drive/rights).
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table review (
  id bigint generated always as identity primary key,
  kind text not null,
  launcher_id bigint not null references account,
  -- What it is about, and what that was called when it was asked for; the item may be gone.
  item_id bigint references item on delete set null,
  title text not null,
  -- Two requests of one person with one key ask for the same.
  key text not null,
  subject jsonb not null,
  comments text not null,
  state text not null default 'pending'
    check (state in ('pending', 'approved', 'rejected', 'withdrawn', 'revoked')),
  round int not null default 0,
  created_at bigint not null,
  handle_before bigint,
  -- When those whom it waits for are told again.
  remind_at bigint,
  reminded_at bigint,
  decision jsonb,
  decided_by bigint references account,
  decided_at bigint,
  answer text not null default '',
  -- When what was approved ends by itself.
  ends_at bigint
);
create unique index review_pending on review (kind, launcher_id, key) where state = 'pending';
create index review_launched on review (launcher_id, kind, id desc);
create index review_reminds on review (remind_at) where state = 'pending' and remind_at is not null;
create index review_item on review (item_id) where item_id is not null;

create table review_round (
  review_id bigint not null references review on delete cascade,
  round int not null,
  -- How many have to approve.
  needed int not null,
  primary key (review_id, round)
);

create table review_reviewer (
  review_id bigint not null references review on delete cascade,
  round int not null,
  account_id bigint not null references account,
  why text not null check (why in ('owner', 'manager', 'named', 'role', 'handedOn', 'added', 'later')),
  answer text check (answer in ('approved', 'rejected', 'handedOn')),
  -- Who answered, where somebody stood in.
  answered_by bigint references account,
  comments text not null default '',
  at bigint,
  is_waiting boolean not null default false,
  primary key (review_id, round, account_id)
);
create index review_waits_for on review_reviewer (account_id, review_id) where is_waiting;
create index review_asked on review_reviewer (account_id, review_id desc);

create table review_note (
  id bigint generated always as identity primary key,
  review_id bigint not null references review on delete cascade,
  at bigint not null,
  account_id bigint references account,
  what text not null,
  to_id bigint references account,
  comments text not null default ''
);
create index review_note_review on review_note (review_id, id);

create table review_stand_in (
  account_id bigint primary key references account,
  stand_in_id bigint not null references account,
  from_at bigint not null,
  until_at bigint
);
create index review_stand_in_for on review_stand_in (stand_in_id);

-- What an approval gives is an entry that is tied to it.
alter table entry add column review_id bigint references review on delete cascade;
create unique index entry_review on entry (review_id) where review_id is not null;
`)
    .execute(db)
}
