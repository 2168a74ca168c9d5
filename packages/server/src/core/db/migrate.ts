// Migrates a database to the newest schema, and refuses one with a newer schema.
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { serverLock } from '../leader-election.ts'
import type { Log } from '../log.ts'
import { type Db, openDatabase } from './database.ts'
import { UnsafeDatabase } from './fitness.ts'
import type { DatabaseTarget } from './target.ts'

/** The migrations of a build, by their numbered names. */
export type Migrations = Readonly<Record<string, Migration>>

/** The advisory lock of a migrating process, held until its connection ends. */
export const migrationLock = 0x6d696772

/** PostgreSQL notices the end of a server that has just stopped a moment later. */
const stoppingMs = 3000
const tryEveryMs = 100

/** Runs the missing migrations, up to one of them or all. Several processes may start at once: one migrates. */
export async function migrate(
  target: DatabaseTarget,
  migrations: Migrations,
  { upTo, log }: { readonly upTo?: string; readonly log?: Log } = {},
): Promise<void> {
  const database = openDatabase(target, 2)
  try {
    await database.db.connection().execute(async (holder) => {
      // The migrator has its own lock, but reads every table before it takes it. A column dropped by another process at
      // that moment would make it fail.
      await sql`select pg_advisory_lock(${migrationLock})`.execute(holder)
      if (upTo === undefined) await assertNobodyServes(holder, database.db, migrations)
      await runMissing(database.db, migrations, upTo, log)
    })
  } finally {
    await database.close()
  }
}

/**
 * Whether a database has exactly all migrations, so that none need to run. Throws `UnsafeDatabase` if it has others.
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

/**
 * Throws `UnsafeDatabase` if an older build serves from a database that has to be migrated: its statements would meet a
 * schema that it does not know. Servers of this build run only once it is migrated. The lock is kept by the connection.
 */
async function assertNobodyServes(holder: Db, db: Db, migrations: Migrations): Promise<void> {
  if (await isMigrated(db, migrations)) return
  for (const until = performance.now() + stoppingMs; ; await delay(tryEveryMs)) {
    const { rows } = await sql<{ alone: boolean }>`select pg_try_advisory_lock(${serverLock}) as alone`.execute(holder)
    if (rows[0]?.alone === true) return
    if (performance.now() > until) break
  }
  throw new UnsafeDatabase(
    'A server of an older build runs on this database; stop all of them, then start this one, which migrates the data.',
  )
}

async function runMissing(
  db: Db,
  migrations: Migrations,
  upTo: string | undefined,
  log: Log | undefined,
): Promise<void> {
  // Another process may have been first.
  if (await isMigrated(db, migrations)) return
  const all = Object.keys(migrations).toSorted()
  const told = Object.entries(migrations).map(([name, migration]): [string, Migration] => {
    const facts = { migration: name, step: all.indexOf(name) + 1, of: all.length }
    return [name, { ...migration, up: (on) => timed(facts, () => migration.up(on), log) }]
  })
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(Object.fromEntries(told)) } })
  const { error } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo))
  if (error) throw error instanceof Error ? error : new Error('The schema could not be migrated', { cause: error })
}

/** Logs one line for each step, because some take long on large data. */
async function timed(facts: object, up: () => Promise<void>, log: Log | undefined): Promise<void> {
  const from = performance.now()
  await up()
  log?.info({ ...facts, ms: Math.round(performance.now() - from) }, 'the schema has been migrated')
}
