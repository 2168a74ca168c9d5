// Webhooks and their deliveries: each has a copy of its event, so that it outlives the log of events.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table webhook (
      id bigint generated always as identity primary key,
      name text not null,
      address text not null,
      topics text[] not null,
      owner_id bigint not null references account,
      sealed_secret text not null,
      old_secret text,
      old_secret_until bigint,
      state text not null default 'active' check (state in ('active', 'paused')),
      created_at bigint not null,
      delivered_at bigint not null default 0,
      problem text not null default ''
    )`.execute(db)
  await sql`create unique index webhook_name on webhook (name)`.execute(db)
  await sql`
    create table webhook_delivery (
      id bigint generated always as identity primary key,
      webhook_id bigint not null references webhook on delete cascade,
      position bigint not null,
      is_test boolean not null default false,
      object text not null,
      name text,
      event jsonb not null,
      actor_id bigint,
      happened_at bigint not null,
      created_at bigint not null,
      state text not null default 'waiting' check (state in ('waiting', 'delivered', 'dead')),
      due bigint not null,
      attempts int not null default 0,
      status int not null default 0,
      problem text not null default ''
    )`.execute(db)
  await sql`
    create unique index webhook_delivery_position on webhook_delivery (webhook_id, position) where not is_test`.execute(
    db,
  )
  // What is due, and what precedes it on its object.
  await sql`create index webhook_delivery_due on webhook_delivery (webhook_id, due) where state = 'waiting'`.execute(db)
  await sql`
    create index webhook_delivery_order on webhook_delivery (webhook_id, object, position, id)
    where state = 'waiting'`.execute(db)
  await sql`create index webhook_delivery_listed on webhook_delivery (webhook_id, state, id desc)`.execute(db)
  await sql`create index webhook_delivery_age on webhook_delivery (created_at)`.execute(db)
}
