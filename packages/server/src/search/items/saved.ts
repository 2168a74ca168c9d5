// The searches saved by users.
import type { SearchQuery } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db, Tx } from '../../core/db/database.ts'

const maxSaved = 100

export async function savedOf(
  db: Db,
  accountId: number,
): Promise<{ searchId: number; name: string; query: SearchQuery }[]> {
  const rows = await db
    .selectFrom('saved_search')
    .select(['id as searchId', 'name', 'query'])
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows
}

export async function saveSearch(
  tx: Tx,
  now: number,
  accountId: number,
  { name, query }: { name: string; query: SearchQuery },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into saved_search (account_id, name, query, created_at)
    values (${accountId}, ${name}, ${JSON.stringify(query)}::jsonb, ${now})
    on conflict (account_id, name) do update set query = excluded.query, created_at = excluded.created_at
    returning id`.execute(tx)
  await sql`
    delete from saved_search where account_id = ${accountId} and id not in (
      select id from saved_search where account_id = ${accountId} order by created_at desc, id desc limit ${maxSaved})`.execute(
    tx,
  )
  return rows[0]?.id ?? 0
}

export async function renameSearch(tx: Tx, accountId: number, searchId: number, name: string): Promise<void> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from saved_search where account_id = ${accountId} for update`.execute(tx)
  if (!rows.some(({ id }) => id === searchId)) fail('notFound')
  if (rows.some((other) => other.id !== searchId && other.name === name)) fail('alreadyExists', name)
  await tx.updateTable('saved_search').set({ name }).where('id', '=', searchId).execute()
}

export async function dropSearch(tx: Tx, accountId: number, searchId: number): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('saved_search')
    .where('id', '=', searchId)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) fail('notFound')
}
