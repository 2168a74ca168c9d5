// Instant messaging: conversations, memberships with their history, messages, files, contact groups.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table talk_conversation (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('user', 'group')),
  -- Of two people: the smaller id first.
  low_id bigint references account,
  high_id bigint references account,
  name text not null default '',
  search_text text not null default '',
  founder_id bigint references account,
  picture_id text not null default '',
  announcement text not null default '',
  announced_by bigint references account,
  announced_at bigint,
  all_muted boolean not null default false,
  approves_invites boolean not null default false,
  shows_history boolean not null default false,
  -- One order for everything that happens in it: of the last change, and of the last message.
  position bigint not null default 0,
  last_number bigint not null default 0,
  last_at bigint not null,
  created_at bigint not null,
  dissolved_at bigint,
  check ((kind = 'user') = (low_id is not null)),
  check (low_id is null or low_id < high_id)
);
create unique index talk_conversation_pair on talk_conversation (low_id, high_id) where kind = 'user';
create index talk_conversation_high on talk_conversation (high_id) where kind = 'user';

-- What a person keeps of a conversation: role, read mark, settings, draft. Stays after the person has left.
create table talk_member (
  conversation_id bigint not null references talk_conversation on delete cascade,
  account_id bigint not null references account,
  role text not null default 'member' check (role in ('owner', 'manager', 'member')),
  is_member boolean not null default true,
  joined_at bigint not null,
  read_number bigint not null default 0,
  marked_unread boolean not null default false,
  muted boolean not null default false,
  pinned_at bigint,
  -- Removed from the list until something newer than this position is written.
  hidden_position bigint,
  read_announcement_at bigint,
  draft text not null default '',
  draft_at bigint,
  primary key (conversation_id, account_id)
);
create index talk_member_account on talk_member (account_id);

-- The history of memberships: what was written after one position and up to another is the person's to read.
create table talk_stay (
  conversation_id bigint not null references talk_conversation on delete cascade,
  account_id bigint not null references account,
  after_position bigint not null,
  until_position bigint,
  primary key (conversation_id, account_id, after_position)
);
create unique index talk_stay_open on talk_stay (conversation_id, account_id) where until_position is null;
create index talk_stay_account on talk_stay (account_id);

create table talk_file (
  id bigint generated always as identity primary key,
  account_id bigint not null references account,
  conversation_id bigint not null references talk_conversation on delete cascade,
  name text not null,
  size bigint not null,
  -- Null: expired. The name stays in the message.
  blob_id bigint references blob,
  width int,
  height int,
  created_at bigint not null,
  expires_at bigint not null
);
create index talk_file_blob on talk_file (blob_id) where blob_id is not null;
create index talk_file_expiry on talk_file (expires_at) where blob_id is not null;
create index talk_file_account on talk_file (account_id);
create index talk_file_conversation on talk_file (conversation_id);

create table talk_message (
  id bigint generated always as identity primary key,
  conversation_id bigint not null references talk_conversation on delete cascade,
  number bigint not null,
  -- The position of its last change: its number, until it is edited, recalled or reacted to.
  changed bigint not null,
  uuid uuid not null,
  sender_id bigint not null references account,
  type text not null check (type in ('text', 'img', 'file', 'link', 'share', 'notify')),
  value text not null,
  data jsonb not null default '{}',
  quote bigint,
  mentions bigint[] not null default '{}',
  file_id bigint references talk_file,
  grams text[] not null default '{}',
  created_at bigint not null,
  edited_at bigint,
  edited_position bigint,
  recalled_at bigint,
  -- What it said before it was recalled, until the company's retention ends (X75). No call reads it.
  sealed jsonb
);
create unique index talk_message_number on talk_message (conversation_id, number);
create unique index talk_message_uuid on talk_message (sender_id, uuid);
create index talk_message_shared on talk_message (conversation_id, type, number) where type <> 'text';
create index talk_message_grams on talk_message using gin (grams) where recalled_at is null;
create index talk_message_file on talk_message (file_id) where file_id is not null;
create index talk_message_sealed on talk_message (recalled_at) where sealed is not null;
create index talk_message_sender on talk_message (sender_id);

create table talk_reaction (
  conversation_id bigint not null,
  number bigint not null,
  account_id bigint not null references account,
  emoji text not null,
  position bigint not null,
  primary key (conversation_id, number, emoji, account_id),
  foreign key (conversation_id, number) references talk_message (conversation_id, number) on delete cascade
);
create index talk_reaction_account on talk_reaction (account_id);

-- Invitations that wait for the owner or a manager.
create table talk_invitation (
  conversation_id bigint not null references talk_conversation on delete cascade,
  account_id bigint not null references account,
  invited_by bigint not null references account,
  created_at bigint not null,
  primary key (conversation_id, account_id)
);
create index talk_invitation_account on talk_invitation (account_id);
create index talk_invitation_by on talk_invitation (invited_by);

create table talk_contact_group (
  id bigint generated always as identity primary key,
  account_id bigint not null references account,
  name text not null,
  created_at bigint not null
);
create unique index talk_contact_group_name on talk_contact_group (account_id, lower(name));

create table talk_contact (
  group_id bigint not null references talk_contact_group on delete cascade,
  account_id bigint not null references account,
  primary key (group_id, account_id)
);
create index talk_contact_account on talk_contact (account_id);

-- Who has a conversation open, and types in it: of the moment, so it is written to no log.
create unlogged table talk_open (
  conversation_id bigint not null references talk_conversation on delete cascade,
  session_id bigint not null,
  account_id bigint not null references account,
  typing_until bigint not null,
  seen_at bigint not null,
  primary key (conversation_id, session_id)
);
create index talk_open_session on talk_open (session_id);
create index talk_open_account on talk_open (account_id);
`)
    .execute(db)
}
