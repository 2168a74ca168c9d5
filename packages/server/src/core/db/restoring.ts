/*
 * The mark of an unfinished restore in the database that it fills: a table with one row, created before anything else
 * and dropped after everything was verified. Until then the database belongs to the restore, however empty or complete
 * it looks.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from './database.ts'
import { UnsafeDatabase } from './fitness.ts'

/**
 * The tables of a running restore, which are part of no installation: the restore itself, and the contents it has
 * stored.
 */
export const restoringTables = ['restoring', 'restored_content'] as const

/** Throws if a restore into the database is unfinished. */
export async function refuseHalfRestored(db: Db): Promise<void> {
  const { rows: found } = await sql<{ yes: boolean }>`select to_regclass('restoring') is not null as yes`.execute(db)
  if (found[0]?.yes !== true) return
  const { rows } = await sql<{ backup: string }>`select backup from restoring`.execute(db)
  throw new UnsafeDatabase(halfRestored(rows[0]?.backup ?? '<folder>'))
}

/** The message with what to do about an unfinished restore. */
export function halfRestored(backup: string, otherwise = 'begin with an empty database and an empty store'): string {
  return `A restore has begun here and not ended: run npm run restore -- ${backup} again, with the same settings, until it says Restored; or ${otherwise}.`
}

/**
 * The file that marks an unfinished restore in a data folder while the embedded database is being created and cannot
 * hold the mark itself. It contains the path of the backup.
 */
export function restoringMark(dataDir: string): string {
  return join(dataDir, 'postgres.restoring')
}

/** Throws if a restore into the data folder was interrupted before its database could hold the mark. */
export async function refuseBrokenOffRestore(dataDir: string): Promise<void> {
  const mark = restoringMark(dataDir)
  const backup = await readFile(mark, 'utf8').catch(() => undefined)
  // Nothing has been restored yet: without the file it is an ordinary empty folder.
  if (backup !== undefined) throw new UnsafeDatabase(halfRestored(backup, `remove ${mark}`))
}
