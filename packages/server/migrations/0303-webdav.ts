// Locks and properties of WebDAV clients.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table dav_lock (
      token text primary key,
      item_id bigint not null references item on delete cascade,
      account_id bigint not null references account on delete cascade,
      session_id bigint not null references session on delete cascade,
      deep boolean not null,
      shared boolean not null,
      owner text not null,
      expires_at bigint not null
    )`.execute(db)
  await sql`create index dav_lock_item on dav_lock (item_id)`.execute(db)
  await sql`create index dav_lock_session on dav_lock (session_id)`.execute(db)
  await sql`create index dav_lock_account on dav_lock (account_id)`.execute(db)
  await sql`create index dav_lock_expiry on dav_lock (expires_at)`.execute(db)
  await sql`
    create table dav_property (
      item_id bigint not null references item on delete cascade,
      ns text not null,
      name text not null,
      value text not null,
      primary key (item_id, ns, name)
    )`.execute(db)
}
