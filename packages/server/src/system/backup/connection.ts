// The connection of a backup or a restore: a single one, so that its locks last as long as the work.
import pg from 'pg'
import { connectionOf, settleSession } from '../../core/db/database.ts'
import { restoringTables } from '../../core/db/restoring.ts'
import type { DatabaseTarget } from '../../core/db/target.ts'
import { BackupRefused } from './format.ts'

/** The key of the advisory lock that allows one backup or restore of an installation at a time. */
const oneAtATime = 0x6261636b

/**
 * Runs `work` on a connection without server-side timeouts. The signal is aborted when the connection is lost, and with
 * it the locks that the work relies on.
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
    await settleSession(target, client)
    for (const [name, value] of Object.entries({
      client_encoding: 'UTF8',
      datestyle: 'ISO, YMD',
      intervalstyle: 'postgres',
      bytea_output: 'hex',
      extra_float_digits: '1',
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

/** The product's tables, except those of the migrator and of a restore. */
export async function ownTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname not like 'kysely%'
       and relname <> all($1) order by relname`,
    [restoringTables],
  )
  return rows.map(({ name }) => name)
}

/** An unfinished restore into the database. */
export interface UnendedRestore {
  /** Which backup: the sha256 of its manifest. */
  readonly id: string
  /** The path of that backup. */
  readonly backup: string
  readonly store: string
  readonly has_rows: boolean
}

export async function unendedRestore(client: pg.Client): Promise<UnendedRestore | undefined> {
  const { rows: found } = await client.query<{ yes: boolean }>(`select to_regclass('restoring') is not null as yes`)
  if (found[0]?.yes !== true) return undefined
  const { rows } = await client.query<UnendedRestore>('select id, backup, store, has_rows from restoring')
  return rows[0]
}
