// Many signed-in accounts, created directly in the database: signing in a thousand people would take a minute of
// password hashing.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../src/core/db/database.ts'
import { hashToken } from '../src/core/secrets.ts'

/** Creates accounts with access to the whole company, each with a session. */
export async function manySessions(db: Db, count: number): Promise<{ accountId: number; token: string }[]> {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'))
  const name = `crowd ${tokens[0] ?? ''}`
  const now = Date.now()
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into account (account, account_key, name, name_sort, search_text, password_hash, group_id, created_at)
      select ${name} || n, ${name} || n, 'one of many', 'one of many', 'one of many', '-',
        (select id from org_group where parent_id is null), ${now}
      from generate_series(1, ${count}::int) n returning id
    ), numbered as (select id, row_number() over (order by id) as n from made)
    insert into session (token_hash, account_id, client_type, address, created_at, used_at, expires_at)
    select t.hash, m.id, 6, '127.0.0.1', ${now}, ${now}, ${now + 3_600_000}
    from numbered m join unnest(${tokens.map(hashToken)}::bytea[]) with ordinality t (hash, n) on t.n = m.n
    returning account_id as id`.execute(db)
  return rows.map(({ id }, n) => ({ accountId: id, token: tokens[n] ?? '' }))
}
