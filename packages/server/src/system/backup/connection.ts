// The connection of a backup or a restore: one for all of it, so that its locks last as long as the work.
import pg from 'pg'
import { connectionOf } from '../../core/db/database.ts'
import type { DatabaseTarget } from '../../core/db/target.ts'
import { BackupRefused } from './format.ts'

/** The key of the advisory lock that lets one backup or restore of an installation run at a time. */
const oneAtATime = 0x6261636b

/**
 * Runs `work` on a connection that no time limit of the server ends. The signal is aborted when the connection is lost,
 * and with it the locks that the work relies on.
 */
export async function withConnection<T>(
  target: DatabaseTarget,
  work: (client: pg.Client, lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...connectionOf(target), connectionTimeoutMillis: 10_000, keepAlive: true })
  const lost = new AbortController()
  client.on('error', () => lost.abort(new BackupRefused('The connection to the database was lost; run it again.')))
  await client.connect()
  try {
    for (const [name, value] of Object.entries({
      client_encoding: 'UTF8',
      datestyle: 'ISO, YMD',
      intervalstyle: 'postgres',
      timezone: 'UTC',
      bytea_output: 'hex',
      extra_float_digits: '1',
      statement_timeout: '0',
      lock_timeout: '0',
      idle_session_timeout: '0',
      idle_in_transaction_session_timeout: '0',
    })) {
      await client.query('select set_config($1, $2, false)', [name, value])
    }
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [oneAtATime])
    if (rows[0]?.held !== true) throw new BackupRefused('A backup or restore of this installation is running already.')
    return await work(client, lost.signal)
  } catch (error) {
    throw lost.signal.aborted ? lost.signal.reason : error
  } finally {
    await client.end().catch(() => {})
  }
}

/** Our tables, but for what the migrator keeps for itself. */
export async function ownTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname not like 'kysely%'
    order by relname`)
  return rows.map(({ name }) => name)
}
