// Brings a database to the newest schema, and refuses one that could lose or miss data.
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from '../../../migrations/index.ts'
import { type Db, openDatabase } from './database.ts'
import type { DatabaseTarget } from './target.ts'

/** A database that must not be used; the message is one clear line. */
export class UnsafeDatabase extends Error {
  override name = 'UnsafeDatabase'
}

/** Runs what is missing of migrations/; several processes may start at once, one migrates. */
export async function migrate(target: DatabaseTarget): Promise<void> {
  const database = openDatabase(target, 2)
  try {
    const migrator = new Migrator({
      db: database.db,
      provider: { getMigrations: () => Promise.resolve(migrations) },
    })
    const { error } = await migrator.migrateToLatest()
    if (error) throw error instanceof Error ? error : new Error('The schema could not be migrated', { cause: error })
  } finally {
    await database.close()
  }
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
