/*
 * A restore that has begun and not ended says so in the database that it fills: a table with one row, made before
 * anything else and dropped when everything has been seen to be there. Until then the database is nobody's but the
 * restore's, however empty or whole it looks.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from './database.ts'
import { UnsafeDatabase } from './fitness.ts'

/** The tables of a restore under way, which are part of no installation: what it is, and which contents it has brought. */
export const restoringTables = ['restoring', 'restored_content'] as const

/** Throws where a restore into the database has not ended. */
export async function refuseHalfRestored(db: Db): Promise<void> {
  const { rows: found } = await sql<{ yes: boolean }>`select to_regclass('restoring') is not null as yes`.execute(db)
  if (found[0]?.yes !== true) return
  const { rows } = await sql<{ backup: string }>`select backup from restoring`.execute(db)
  throw new UnsafeDatabase(halfRestored(rows[0]?.backup ?? '<folder>'))
}

/** What is to be done about a restore that has not ended. */
export function halfRestored(backup: string, otherwise = 'begin with an empty database and an empty store'): string {
  return `A restore has begun here and not ended: run npm run restore -- ${backup} again, with the same settings, until it says Restored; or ${otherwise}.`
}

/**
 * The file that says the same in a data folder while the embedded database is being made for a restore, and cannot say so
 * itself. It holds the backup's folder.
 */
export function restoringMark(dataDir: string): string {
  return join(dataDir, 'postgres.restoring')
}

/** Throws where a restore into the data folder broke off before its database could say so. */
export async function refuseBrokenOffRestore(dataDir: string): Promise<void> {
  const mark = restoringMark(dataDir)
  const backup = await readFile(mark, 'utf8').catch(() => undefined)
  // Nothing has been brought yet: without the file it is an empty folder like any other.
  if (backup !== undefined) throw new UnsafeDatabase(halfRestored(backup, `remove ${mark}`))
}
