// Brings a database to the newest schema, and refuses one that could lose or miss data.
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { type Db, openDatabase } from './database.ts'
import type { DatabaseTarget } from './target.ts'

/** A database that must not be used; the message is one clear line. */
export class UnsafeDatabase extends Error {
  override name = 'UnsafeDatabase'
}

/** The migrations of a build by their numbered names. */
export type Migrations = Readonly<Record<string, Migration>>

/** Held by who migrates, to the end of its connection. */
export const migrationLock = 0x6d696772

/** Runs what is missing of the migrations, up to one of them or all; several processes may start at once, one migrates. */
export async function migrate(target: DatabaseTarget, migrations: Migrations, upTo?: string): Promise<void> {
  const database = openDatabase(target, 2)
  try {
    await database.db.connection().execute(async (holder) => {
      // The migrator has a lock of its own, but looks at every table before it takes it: a column that another process
      // drops in that moment would end this one.
      await sql`select pg_advisory_lock(${migrationLock})`.execute(holder)
      await runMissing(database.db, migrations, upTo)
    })
  } finally {
    await database.close()
  }
}

/** Whether a database has all migrations and no others: there is nothing to run, nor to look for. */
export async function isMigrated(db: Db, migrations: Migrations): Promise<boolean> {
  const { rows: tables } = await sql<{ found: boolean }>`
    select to_regclass('kysely_migration') is not null as found`.execute(db)
  if (tables[0]?.found !== true) return false
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.length === Object.keys(migrations).length && rows.every(({ name }) => Object.hasOwn(migrations, name))
}

async function runMissing(db: Db, migrations: Migrations, upTo: string | undefined): Promise<void> {
  await refuseNewer(db, migrations)
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...migrations }) } })
  const { error } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo))
  if (error) throw error instanceof Error ? error : new Error('The schema could not be migrated', { cause: error })
}

async function refuseNewer(db: Db, migrations: Migrations): Promise<void> {
  const { rows: tables } = await sql<{ found: boolean }>`
    select to_regclass('kysely_migration') is not null as found`.execute(db)
  if (tables[0]?.found !== true) return
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  const unknown = rows.filter(({ name }) => !Object.hasOwn(migrations, name)).at(-1)
  if (unknown !== undefined) {
    throw new UnsafeDatabase(
      `The database was made by a newer build (schema ${unknown.name}); start that one, or restore a backup.`,
    )
  }
}

/** Connections that one server and a backup beside it may have open. */
const connectionsNeeded = 25
const leastBuffersMb = 64

/** What of the configuration of an outside PostgreSQL will hurt, in words; nothing where all is well. */
export async function hurtingSettings(db: Db): Promise<string[]> {
  const { rows } = await sql<{ jit: boolean; buffers: number; connections: number }>`
    select current_setting('jit') = 'on' as jit,
      pg_size_bytes(current_setting('shared_buffers')) / 1048576 as buffers,
      least(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)) as connections`.execute(db)
  const [found] = rows
  if (found === undefined) return []
  const { jit, buffers, connections } = found
  return [
    ...(jit ? ['jit = on cannot be switched off for a session, which makes uploads many times slower'] : []),
    ...(buffers < leastBuffersMb ? [`shared_buffers of ${buffers} MB are less than ${leastBuffersMb} MB`] : []),
    ...(connections < connectionsNeeded
      ? [`${connections} connections are fewer than the ${connectionsNeeded} that a server and a backup need`]
      : []),
  ]
}

/**
 * Throws unless the database keeps what it acknowledges (fsync, full_page_writes and synchronous_commit on) and makes
 * trigrams of Chinese text, without which no name would be found.
 */
export async function assertSafe(db: Db): Promise<void> {
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    const { rows } = await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db)
    if (rows[0]?.value === 'off') {
      throw new UnsafeDatabase(`The database runs with ${name} = off and could lose acknowledged files; switch it on.`)
    }
  }
  const { rows } = await sql<{ known: boolean }>`select show_trgm(${'合同'}) <> '{}' as known`.execute(db)
  if (rows[0]?.known !== true) {
    throw new UnsafeDatabase(
      'The database makes no trigrams of Chinese text; create it with a UTF-8 locale such as C.UTF-8 (builtin) or zh_CN.UTF-8.',
    )
  }
}
