// Brings a database to the newest schema, and refuses one that is beyond it.
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Log } from '../log.ts'
import { type Db, openDatabase } from './database.ts'
import { UnsafeDatabase } from './fitness.ts'
import type { DatabaseTarget } from './target.ts'

/** The migrations of a build by their numbered names. */
export type Migrations = Readonly<Record<string, Migration>>

/** Held by who migrates, to the end of its connection. */
export const migrationLock = 0x6d696772

/** Runs what is missing of the migrations, up to one of them or all; several processes may start at once, one migrates. */
export async function migrate(
  target: DatabaseTarget,
  migrations: Migrations,
  { upTo, log }: { readonly upTo?: string; readonly log?: Log } = {},
): Promise<void> {
  const database = openDatabase(target, 2)
  try {
    await database.db.connection().execute(async (holder) => {
      // The migrator has a lock of its own, but looks at every table before it takes it: a column that another process
      // drops in that moment would end this one.
      await sql`select pg_advisory_lock(${migrationLock})`.execute(holder)
      await runMissing(database.db, migrations, upTo, log)
    })
  } finally {
    await database.close()
  }
}

/**
 * Whether a database has all migrations: there is nothing to run, nor to look for. Throws `UnsafeDatabase` where it has
 * others.
 */
export async function isMigrated(db: Db, migrations: Migrations): Promise<boolean> {
  const { rows: tables } = await sql<{ found: boolean }>`
    select to_regclass('kysely_migration') is not null as found`.execute(db)
  if (tables[0]?.found !== true) return false
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  const unknown = rows.filter(({ name }) => !Object.hasOwn(migrations, name)).at(-1)
  if (unknown !== undefined) {
    throw new UnsafeDatabase(
      `The database was made by a newer build (schema ${unknown.name}); start that one, or restore a backup.`,
    )
  }
  return rows.length === Object.keys(migrations).length
}

async function runMissing(
  db: Db,
  migrations: Migrations,
  upTo: string | undefined,
  log: Log | undefined,
): Promise<void> {
  // Another process may have been first.
  if (await isMigrated(db, migrations)) return
  const told = Object.entries(migrations).map(([name, migration]): [string, Migration] => [
    name,
    { ...migration, up: (on) => timed(name, () => migration.up(on), log) },
  ])
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(Object.fromEntries(told)) } })
  const { error } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo))
  if (error) throw error instanceof Error ? error : new Error('The schema could not be migrated', { cause: error })
}

/** One line for each step, as some of them take long on much data. */
async function timed(migration: string, up: () => Promise<void>, log: Log | undefined): Promise<void> {
  const from = performance.now()
  await up()
  log?.info({ migration, ms: Math.round(performance.now() - from) }, 'the schema has been migrated')
}
