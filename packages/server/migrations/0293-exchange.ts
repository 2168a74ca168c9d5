// Exchange across networks: its rules, networks and keys, what was sent, what was received, and bundles.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`
create table exchange_network (
  code text primary key,
  name text not null,
  description text not null,
  -- The linked server; null for networks without a wire.
  server_id bigint,
  -- The public keys of the other side, the present one first: text and the time since when.
  peer_keys jsonb not null,
  -- The number of the last bundle for it.
  bundles int not null default 0,
  created_at bigint not null
);

-- The keys of this server, for bundles.
create table exchange_key (
  id bigint generated always as identity primary key,
  public_text text not null,
  fingerprint text not null unique,
  sealed text not null,
  created_at bigint not null,
  retired_at bigint
);
create unique index exchange_key_current on exchange_key ((true)) where retired_at is null;

create table exchange_rule (
  id bigint generated always as identity primary key,
  position int not null,
  name text not null,
  is_active boolean not null,
  until_at bigint,
  network_code text not null references exchange_network on delete cascade,
  subjects jsonb not null,
  item_ids bigint[] not null,
  receivers text[] not null,
  exts text[] not null,
  max_level int not null,
  max_files int not null,
  max_bytes bigint not null,
  needs_password boolean not null,
  levels jsonb not null,
  hours int not null,
  at_deadline text not null check (at_deadline in ('wait', 'reject', 'managers'))
);
create index exchange_rule_position on exchange_rule (position, id);

create table exchange_bundle (
  id bigint generated always as identity primary key,
  network_code text not null,
  number int not null,
  name text not null,
  network_name text not null,
  created_by bigint not null references account,
  created_at bigint not null,
  recipient text not null,
  manifest text not null,
  signature text not null,
  receipt jsonb,
  unique (network_code, number)
);

create table exchange (
  -- The request that was approved.
  review_id bigint primary key references review on delete cascade,
  number text not null unique,
  sender_id bigint not null references account,
  network_code text not null,
  network_name text not null,
  -- The linked server; null: it leaves in a bundle.
  server_id bigint,
  rule_name text not null,
  secret_level int not null,
  file_count int not null,
  bytes bigint not null,
  sealed_password text not null,
  password_hash text not null,
  receivers jsonb not null,
  -- Null until it is approved, and when it is not.
  delivery text check (delivery in ('waiting', 'underway', 'delivered', 'failed', 'exported', 'fetched', 'expired')),
  -- The code by which the delivery failed last.
  problem int not null default 0,
  failures int not null default 0,
  delivered_at bigint,
  expires_at bigint,
  fetched_at bigint,
  bundle_id bigint references exchange_bundle,
  changed_at bigint not null
);
create index exchange_open on exchange (changed_at) where delivery in ('waiting', 'underway', 'failed', 'delivered');
create index exchange_of_bundle on exchange (bundle_id) where bundle_id is not null;

create table exchange_file (
  review_id bigint not null references exchange on delete cascade,
  n int not null,
  item_id bigint not null,
  version int not null,
  blob_id bigint not null references blob,
  name text not null,
  path text not null,
  bytes bigint not null,
  sha256 bytea not null,
  secret_level int not null,
  primary key (review_id, n)
);
create index exchange_file_blob on exchange_file (blob_id);

create table exchange_event (
  id bigint generated always as identity primary key,
  review_id bigint not null references exchange on delete cascade,
  at bigint not null,
  what text not null,
  by_name text not null,
  comments text not null
);
create index exchange_event_of on exchange_event (review_id, id);

-- What arrives from another network. The contents come one after the other; receivers see it when all are there.
create table exchange_arrival (
  id bigint generated always as identity primary key,
  -- Whose: the linked server by its id, or the network by its code.
  origin text not null,
  number text not null,
  network_name text not null,
  manifest jsonb not null,
  complete_at bigint,
  recalled_at bigint,
  import_id bigint,
  created_at bigint not null,
  unique (origin, number)
);
create index exchange_arrival_stale on exchange_arrival (created_at) where complete_at is null;

create table exchange_arrival_content (
  arrival_id bigint not null references exchange_arrival on delete cascade,
  sha256 bytea not null,
  blob_id bigint not null references blob,
  primary key (arrival_id, sha256)
);
create index exchange_arrival_blob on exchange_arrival_content (blob_id);

create table exchange_received (
  id bigint generated always as identity primary key,
  arrival_id bigint not null references exchange_arrival on delete cascade,
  account_id bigint not null references account,
  state text not null check (state in ('waiting', 'fetched', 'expired', 'recalled')),
  created_at bigint not null,
  expires_at bigint not null,
  fetched_at bigint,
  item_id bigint,
  item_type smallint,
  wrong int not null default 0,
  locked_until bigint not null default 0,
  is_hidden boolean not null default false,
  unique (arrival_id, account_id)
);
create index exchange_received_of on exchange_received (account_id, id desc);
create index exchange_received_due on exchange_received (expires_at) where state = 'waiting';

-- Bundles that were imported. A bundle is imported once.
create table exchange_import (
  id bigint generated always as identity primary key,
  network_code text not null,
  network_name text not null,
  bundle_name text not null,
  manifest_sha256 bytea not null unique,
  imported_by bigint not null references account,
  imported_at bigint not null,
  file_count int not null,
  bytes bigint not null,
  receipt text not null
);
`)
    .execute(db)
}
