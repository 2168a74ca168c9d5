// Reports what was written to a database since the last call, at the cost of one statement: triggers record each
// changed row. Rolled-back changes do not count.
import { sql } from 'kysely'
import type { Db } from '../src/core/db/database.ts'

/** Bookkeeping tables about callers, which every call may write. */
const books = ['audit', 'throttle', 'once']

/** Tables that background work writes later, not the call. The index queue is not among them: a call writes it. */
const follows =
  /^(child_total|usage_total|usage_day|library_total|walk|search_(item|document)): |^(tally|event): (update|delete)$|^search_queue: delete$|^stamp: update$/

/** Returns the tables that were written since the last call, each with the operations on its rows. */
export type Changes = () => Promise<string[]>

/** Watches every table except the bookkeeping about callers. For a session, ignores its time of last use. */
export async function watchRows(db: Db): Promise<Changes> {
  await sql`create schema watch`.execute(db)
  await sql`create unlogged table watch.changed (change text)`.execute(db)
  await sql`create function watch.note() returns trigger language plpgsql as
    $$ begin insert into watch.changed values (tg_table_name || ': ' || lower(tg_op)); return null; end $$`.execute(db)
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not relispartition and relname not like 'kysely%'`.execute(db)
  for (const { name } of rows.filter((table) => !books.includes(table.name))) {
    const table = sql.table(name)
    const row = (which: 'old' | 'new') =>
      name === 'session' ? sql`to_jsonb(${sql.raw(which)}) - 'used_at' - 'expires_at'` : sql`${sql.raw(which)}.*`
    await sql`create trigger watch_rows after insert or delete on ${table} for each row execute function watch.note()`.execute(
      db,
    )
    await sql`create trigger watch_updates after update on ${table} for each row
      when (${row('old')} is distinct from ${row('new')}) execute function watch.note()`.execute(db)
    await sql`create trigger watch_all after truncate on ${table} execute function watch.note()`.execute(db)
  }
  return async () => {
    const { rows: changed } = await sql<{ change: string }>`delete from watch.changed returning change`.execute(db)
    return [...new Set(changed.map(({ change }) => change))].filter((change) => !follows.test(change)).sort()
  }
}
