/*
 * Brings a backup back into an empty installation: another PostgreSQL, another version of it, another store. The contents
 * come first and are durable before a row names them. Then one transaction takes all rows, so that the database is empty or
 * whole. What a broken restore has brought of the contents is written down in a journal, and the next one goes on there.
 *
 * The store gives contents keys of its own, and the rows are told.
 */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import copy from 'pg-copy-streams'
import { holdContents } from '../../core/blobs/contents-lock.ts'
import type { BlobStore } from '../../core/blobs/store.ts'
import { openDatabase } from '../../core/db/database.ts'
import { assertSafe, knowsSchema, migrate } from '../../core/db/migrate.ts'
import type { DatabaseTarget } from '../../core/db/target.ts'
import type { Progress } from './backup.ts'
import { ownTables, withConnection } from './connection.ts'
import {
  BackupBroken,
  BackupRefused,
  damagedOf,
  inParallel,
  type ObjectLine,
  objectLines,
  objectPath,
  openSnapshot,
  type Snapshot,
} from './format.ts'
import { checkFiles } from './verify.ts'

/** Contents brought at a time, and how many the journal takes down together. */
const width = 8
const batch = 64

export interface RestoreOptions {
  readonly target: DatabaseTarget
  readonly store: BlobStore
  /** Names the store: a journal written for another one counts for nothing. */
  readonly storeName: string
  /** A backup, or a folder of backups: then the newest. */
  readonly folder: string
  /** Where the journal of a restore lies. */
  readonly dataDir: string
  /** Leaves the schema as it was at the time of the backup; the next start migrates it forward. */
  readonly keepSchema?: boolean
  /** As in the server: tests run on a database without fsync. */
  readonly allowUnsafeDatabase?: boolean
  readonly onProgress?: (progress: Progress) => void
  /** A named point that tests can stop at. */
  readonly pause?: (point: string) => Promise<void>
}

export interface RestoreDone {
  readonly snapshot: Snapshot
  /** Contents that were damaged already when the backup was made. */
  readonly damaged: number
}

/** Fills an empty installation from a backup. */
export async function restore(options: RestoreOptions): Promise<RestoreDone> {
  const { pause = () => Promise.resolve(), onProgress = () => {} } = options
  const snapshot = await openSnapshot(options.folder)
  const { manifest } = snapshot
  if (!knowsSchema(manifest.schema)) {
    throw new BackupRefused(`${snapshot.path} was made by a newer build (schema ${manifest.schema}): use that one.`)
  }
  await withConnection(options.target, async (client, lost) => {
    await refuseOccupied(client, manifest.schema)
    const [problem] = await checkFiles(snapshot)
    if (problem !== undefined) throw new BackupBroken(problem)
    await holdContents(client)
    const journal: Journal = {
      path: join(options.dataDir, 'restore.journal'),
      head: `${JSON.stringify({ backup: snapshot.id, store: options.storeName })}\n`,
    }
    await migrate(options.target, manifest.schema)
    if (options.allowUnsafeDatabase !== true) await refuseUnsafe(options.target)
    await bringContents({ store: options.store, snapshot, journal, lost, onProgress, pause })
    await bringRows(client, snapshot, journal, { onProgress, pause })
    if (options.keepSchema !== true) await migrate(options.target)
    await client.query('vacuum analyze')
    await rm(journal.path)
  })
  return { snapshot, damaged: manifest.damaged?.count ?? 0 }
}

/** Only an installation without accounts is empty; a newer schema than the backup's cannot take its rows. */
async function refuseOccupied(client: pg.Client, wanted: string): Promise<void> {
  const tables = await ownTables(client)
  if (tables.length === 0) return
  if (!tables.includes('account')) throw new BackupRefused('The database holds tables of something else.')
  const { rows: accounts } = await client.query('select 1 from account limit 1')
  if (accounts.length > 0) {
    throw new BackupRefused(
      'The installation is in use: restore into an empty one (another --data folder or database).',
    )
  }
  const { rows: applied } = await client.query<{ name: string }>('select max(name) as name from kysely_migration')
  if ((applied[0]?.name ?? '') > wanted) {
    throw new BackupRefused('The database is empty but of a newer schema than the backup: make it anew.')
  }
}

async function refuseUnsafe(target: DatabaseTarget): Promise<void> {
  const database = openDatabase(target, 1)
  try {
    await assertSafe(database.db)
  } finally {
    await database.close()
  }
}

/** What has been brought: after the head, which says of what and to where, a line for each content in their order. */
interface Journal {
  readonly path: string
  readonly head: string
}

interface Hooks {
  readonly onProgress: (progress: Progress) => void
  readonly pause: (point: string) => Promise<void>
}

interface BringingContents extends Hooks {
  readonly store: BlobStore
  readonly snapshot: Snapshot
  readonly journal: Journal
  readonly lost: AbortSignal
}

/** Gives every content to the store, and notes the key that it got. */
async function bringContents(options: BringingContents): Promise<void> {
  const { snapshot, journal, store, lost, onProgress, pause } = options
  const { objects } = snapshot.manifest
  let toSkip = await resumeJournal(journal)
  let done = toSkip
  let bytes = 0
  const damaged = await damagedOf(snapshot)
  const written = await open(journal.path, 'a')
  try {
    const bringBatch = async (lines: readonly ObjectLine[]): Promise<void> => {
      lost.throwIfAborted()
      const keys = new Map<ObjectLine, string>()
      await inParallel(each(lines), width, async (line) => {
        // Nothing to bring: the row keeps the key that it had, under which there is nothing.
        keys.set(line, damaged.has(line.sha256) ? line.key : await bringContent(store, snapshot, line))
        bytes += line.size
      })
      await written.write(lines.map((line) => `\\\\x${line.sha256}\t${keys.get(line)}\n`).join(''))
      await written.sync()
      done += lines.length
      onProgress({ doing: 'contents', done, of: objects.count, bytes })
      await pause('contents brought')
    }
    let lines: ObjectLine[] = []
    for await (const line of objectLines(join(snapshot.path, objects.file))) {
      if (toSkip > 0) {
        toSkip -= 1
        continue
      }
      lines.push(line)
      if (lines.length < batch) continue
      await bringBatch(lines)
      lines = []
    }
    if (lines.length > 0) await bringBatch(lines)
  } finally {
    await written.close()
  }
}

/** How many contents an earlier restore of the same backup into the same store has brought; else begins a new journal. */
async function resumeJournal({ path, head }: Journal): Promise<number> {
  const handle = await open(path, 'a+', 0o600)
  try {
    const { buffer } = await handle.read({ buffer: Buffer.alloc(Buffer.byteLength(head)), position: 0 })
    if (buffer.toString() !== head) {
      await handle.truncate(0)
      await handle.write(head)
      await handle.sync()
      return 0
    }
  } finally {
    await handle.close()
  }
  let lines = -1
  let whole = 0
  let at = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (let found = chunk.indexOf(10); found !== -1; found = chunk.indexOf(10, found + 1)) {
      lines += 1
      whole = at + found + 1
    }
    at += chunk.length
  }
  await truncate(path, whole)
  return lines
}

async function bringContent(store: BlobStore, { base }: Snapshot, { sha256, size }: ObjectLine): Promise<string> {
  const path = objectPath(base, sha256)
  const staged = await store.stage(createReadStream(path, { highWaterMark: 512 * 1024 }))
  if (staged.size !== size || staged.sha256.toString('hex') !== sha256) {
    await staged.discard()
    throw new BackupBroken(`${path} is damaged`)
  }
  return staged.keep()
}

/** Loads all tables in one transaction. */
async function bringRows(
  client: pg.Client,
  { path, manifest }: Snapshot,
  journal: Journal,
  hooks: Hooks,
): Promise<void> {
  const quoted = manifest.tables.map(({ table }) => pg.escapeIdentifier(table))
  await client.query('begin')
  await client.query(`set local maintenance_work_mem = '256MB'`)
  const rebuild = await takeDown(client)
  // Of what migrations put there. PostgreSQL may then load without writing its log.
  await client.query(`truncate ${quoted.join(', ')}`)
  let bytes = 0
  for (const [index, entry] of manifest.tables.entries()) {
    hooks.onProgress({ doing: `rows of ${entry.table}`, done: index, of: manifest.tables.length, bytes })
    const columns = entry.columns.map(pg.escapeIdentifier).join(', ')
    const stream = client.query(copy.from(`copy ${pg.escapeIdentifier(entry.table)} (${columns}) from stdin`))
    await pipeline(createReadStream(join(path, entry.file), { highWaterMark: 256 * 1024 }), stream)
    if (stream.rowCount !== entry.rows)
      throw new BackupBroken(`${entry.file} holds ${stream.rowCount} rows, not ${entry.rows}`)
    bytes += entry.bytes
  }
  await nameContents(client, journal)
  hooks.onProgress({ doing: 'indexes', done: manifest.tables.length, of: manifest.tables.length, bytes })
  for (const statement of rebuild) await client.query(statement)
  for (const [sequence, next] of Object.entries(manifest.sequences)) {
    await client.query('select setval($1::regclass, $2, false)', [pg.escapeIdentifier(sequence), next])
  }
  // Another history of events begins: clients that followed the old one fetch again.
  await client.query(`update secret set value = $1 where name = 'epoch'`, [randomBytes(9).toString('base64url')])
  await hooks.pause('rows brought')
  await client.query('commit')
}

/** Tells the rows the keys that the store gave. */
async function nameContents(client: pg.Client, { path, head }: Journal): Promise<void> {
  await client.query('create temporary table brought (sha256 bytea, key text) on commit drop')
  const stream = client.query(copy.from('copy brought from stdin'))
  await pipeline(createReadStream(path, { start: Buffer.byteLength(head) }), stream)
  await client.query('analyze brought')
  await client.query('update blob set key = brought.key from brought where brought.sha256 = blob.sha256')
}

/**
 * Removes what would cost, or forbid an order, while rows are loaded: foreign keys, indexes that no constraint stands on,
 * triggers (what they do is among the rows). Answers the statements that bring it back in PostgreSQL's own words; making a
 * foreign key checks every row.
 */
async function takeDown(client: pg.Client): Promise<string[]> {
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where connamespace = current_schema()::regnamespace and contype = 'f'`)
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = current_schema()::regnamespace
      and not exists (select from pg_constraint where conindid = indexrelid and contype <> 'f')`)
  const { rows: triggered } = await client.query<{ table: string }>(`
    select distinct tgrelid::regclass::text as table from pg_trigger join pg_class on pg_class.oid = tgrelid
    where relnamespace = current_schema()::regnamespace and not tgisinternal`)
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`)
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  for (const { table } of triggered) await client.query(`alter table ${table} disable trigger user`)
  return [
    ...indexes.map(({ definition }) => definition),
    ...triggered.map(({ table }) => `alter table ${table} enable trigger user`),
    ...keys.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
  ]
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}
