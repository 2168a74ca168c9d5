/*
 * Restores a backup into an empty installation: another PostgreSQL, another version of it, another store. The blobs
 * come first and are durable before a row refers to them. Then one transaction loads all rows.
 *
 * Restored blobs are recorded in the target database (core/db/restoring.ts), with the backup and the store, so that an
 * interrupted restore can continue only with the same ones. That record is no proof: before the end every blob that a
 * row refers to is checked, and missing ones are restored again. Until then no server starts on the database.
 *
 * The store assigns new keys to blobs, and the rows are updated.
 */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import pg from 'pg'
import copy from 'pg-copy-streams'
import { disownStore } from '../../core/blobs/claim.ts'
import { lockContents } from '../../core/blobs/contents-lock.ts'
import type { BlobStore } from '../../core/blobs/store.ts'
import { type Db, openDatabase } from '../../core/db/database.ts'
import { assertDurable, assertFit } from '../../core/db/fitness.ts'
import { type Migrations, migrate } from '../../core/db/migrate.ts'
import { restoringTables } from '../../core/db/restoring.ts'
import type { DatabaseTarget } from '../../core/db/target.ts'
import { damageOf, withStoredObjects } from '../fsck/index.ts'
import type { Progress } from './backup.ts'
import { ownTables, type UnendedRestore, unendedRestore, withConnection } from './connection.ts'
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

/** Number of blobs restored concurrently, and recorded in one batch. */
const width = 8
const connections = 2
const batch = 64
/** Number of blobs, and of their bytes, that are verified if not all are. */
const sampled = 200
const sampledBytes = 1024 * 1024 * 1024
/** Maximum number of attempts to restore missing blobs again. */
const rounds = 3

export interface RestoreOptions {
  readonly target: DatabaseTarget
  /** The migrations of this build. */
  readonly migrations: Migrations
  readonly store: BlobStore
  /** Identifies the store: blobs restored into another one do not count. */
  readonly storeName: string
  /** A backup, or a folder of backups; then the newest is used. */
  readonly folder: string
  /** Reads every blob again before the end; otherwise all are checked for existence, and some are read. */
  readonly rehash?: boolean
  /** Leaves the schema as it was at the time of the backup; the next start migrates it forward. */
  readonly keepSchema?: boolean
  /** As in the server: tests run on a database without fsync. */
  readonly allowUnsafeDatabase?: boolean
  /** Called when the database is marked as being restored. */
  readonly onStarted?: () => Promise<void>
  readonly onProgress?: (progress: Progress) => void
  /** A named point where tests can pause. */
  readonly pause?: (point: string) => Promise<void>
}

export interface RestoreDone {
  readonly snapshot: Snapshot
  /** Blobs that were already damaged when the backup was made. */
  readonly damaged: number
}

/** Fills an empty installation from a backup. */
export async function restore(options: RestoreOptions): Promise<RestoreDone> {
  const { store, pause = () => Promise.resolve(), onStarted = () => Promise.resolve(), onProgress = () => {} } = options
  const snapshot = await openSnapshot(options.folder)
  const { manifest } = snapshot
  if (!Object.hasOwn(options.migrations, manifest.schema)) {
    throw new BackupRefused(`${snapshot.path} was made by a newer build (schema ${manifest.schema}): use that one.`)
  }
  await withConnection(options.target, async (client, lost) => {
    const earlier = await unendedRestore(client)
    const hasRows = earlier?.id === snapshot.id && earlier.has_rows
    if (!hasRows) await refuseOccupied(client, manifest.schema, earlier)
    const [problem] = await checkFiles(snapshot)
    if (problem !== undefined) throw new BackupBroken(problem)
    if (earlier?.store !== options.storeName) await refuseUsedStore(store, options.storeName)
    if (!hasRows && options.allowUnsafeDatabase !== true) {
      await onDatabase(options.target, assertDurable)
      await assertFit(options.target, connections)
    }
    await lockContents(client)
    await begin(client, snapshot, options.storeName, earlier)
    await onStarted()
    await pause('begun')
    const work: Work = { client, store, snapshot, damaged: await damagedOf(snapshot), lost, onProgress, pause }
    if (!hasRows) {
      await migrate(options.target, options.migrations, { upTo: manifest.schema })
      await bringContents(work)
      await bringRows(work, earlier?.has_rows === true)
      await pause('rows kept')
    }
    if (options.keepSchema !== true) {
      await migrate(options.target, options.migrations)
      await onDatabase(options.target, disownStore)
    }
    await onDatabase(options.target, (db) => seeToContents(db, work, options.rehash === true))
    await client.query('vacuum analyze')
    await pause('seen')
    await client.query(`drop table ${restoringTables.join(', ')}`)
  })
  return { snapshot, damaged: manifest.damaged?.count ?? 0 }
}

/** Refuses an installation with accounts, or with a newer schema than the backup's, which cannot take its rows. */
async function refuseOccupied(client: pg.Client, wanted: string, earlier: UnendedRestore | undefined): Promise<void> {
  const tables = await ownTables(client)
  if (tables.length === 0) return
  if (!tables.includes('account')) throw new BackupRefused('The database holds tables of something else.')
  if (earlier === undefined) await refuseAccounts(client)
  const { rows: applied } = await client.query<{ name: string }>('select max(name) as name from kysely_migration')
  if ((applied[0]?.name ?? '') > wanted) {
    throw new BackupRefused('The database is empty but of a newer schema than the backup: make it anew.')
  }
}

async function refuseAccounts(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select 1 from account limit 1')
  if (rows.length === 0) return
  throw new BackupRefused('The installation is in use: restore into an empty one (another --data folder or database).')
}

/**
 * Refuses a store with objects of another installation: each installation's garbage collector would remove the objects
 * of the other.
 */
async function refuseUsedStore(store: BlobStore, name: string): Promise<void> {
  for await (const { key } of store.list()) {
    throw new BackupRefused(`There are contents in ${name} already (${key}): empty it, or give another one.`)
  }
}

/**
 * Marks the database as being restored, with the backup and the store. Blobs of an earlier restore count if both are
 * the same. Its rows count wherever its blobs went: they are checked at the end.
 */
async function begin(
  client: pg.Client,
  { id, path }: Snapshot,
  store: string,
  earlier: UnendedRestore | undefined,
): Promise<void> {
  await client.query('begin')
  if (earlier === undefined) {
    await client.query('create table restoring (id text, backup text, store text, has_rows boolean not null)')
    await client.query('create table restored_content (sha256 bytea primary key, key text not null)')
    await client.query('insert into restoring (has_rows) values (false)')
  } else if (earlier.id !== id) {
    await client.query('update restoring set has_rows = false')
  }
  if (earlier?.id !== id || earlier.store !== store) await client.query('truncate restored_content')
  await client.query('update restoring set id = $1, backup = $2, store = $3', [id, path, store])
  await client.query('commit')
}

async function onDatabase<T>(target: DatabaseTarget, work: (db: Db) => Promise<T>): Promise<T> {
  const database = openDatabase(target, connections)
  try {
    return await work(database.db)
  } finally {
    await database.close()
  }
}

/** The context of every step of a restore. */
interface Work {
  readonly client: pg.Client
  readonly store: BlobStore
  readonly snapshot: Snapshot
  /** Blobs that the backup could not read: there is nothing to restore, and their rows keep the old keys. */
  readonly damaged: ReadonlySet<string>
  readonly lost: AbortSignal
  readonly onProgress: (progress: Progress) => void
  readonly pause: (point: string) => Promise<void>
}

/** Stores every blob that was not stored yet, and records its new key. */
async function bringContents({ client, store, snapshot, damaged, lost, onProgress, pause }: Work): Promise<void> {
  const { objects } = snapshot.manifest
  let done = 0
  let bytes = 0
  for await (const lines of batches(objectLines(join(snapshot.path, objects.file)))) {
    lost.throwIfAborted()
    const { rows: brought } = await client.query<{ sha256: string }>(
      `select encode(sha256, 'hex') as sha256 from restored_content where sha256 = any($1)`,
      [lines.map(({ sha256 }) => Buffer.from(sha256, 'hex'))],
    )
    const skipped = new Set(brought.map(({ sha256 }) => sha256))
    const wanted = lines.filter(({ sha256 }) => !skipped.has(sha256) && !damaged.has(sha256))
    const kept: { sha256: Buffer; key: string }[] = []
    await inParallel(each(wanted), width, async (line) => {
      kept.push({ sha256: Buffer.from(line.sha256, 'hex'), key: await bringContent(store, snapshot, line) })
      bytes += line.size
    })
    await client.query('insert into restored_content select * from unnest($1::bytea[], $2::text[])', [
      kept.map(({ sha256 }) => sha256),
      kept.map(({ key }) => key),
    ])
    done += lines.length
    onProgress({ doing: 'contents', done, of: objects.count, bytes })
    await pause('contents brought')
  }
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
async function bringRows({ client, snapshot, onProgress, pause }: Work, replaces: boolean): Promise<void> {
  const { path, manifest } = snapshot
  const quoted = manifest.tables.map(({ table }) => pg.escapeIdentifier(table))
  await client.query('begin')
  await client.query(`set local maintenance_work_mem = '256MB'`)
  await client.query('lock table account in access exclusive mode')
  if (!replaces) await yieldToServer(client)
  const rebuild = await takeDown(client)
  // Removes the rows of migrations. PostgreSQL can then load without writing its WAL.
  await client.query(`truncate ${quoted.join(', ')}`)
  let bytes = 0
  for (const [index, entry] of manifest.tables.entries()) {
    onProgress({ doing: `rows of ${entry.table}`, done: index, of: manifest.tables.length, bytes })
    const columns = entry.columns.map(pg.escapeIdentifier).join(', ')
    const stream = client.query(copy.from(`copy ${pg.escapeIdentifier(entry.table)} (${columns}) from stdin`))
    await pipeline(createReadStream(join(path, entry.file), { highWaterMark: 256 * 1024 }), stream)
    bytes += entry.bytes
  }
  await client.query('update blob set key = c.key from restored_content c where c.sha256 = blob.sha256')
  onProgress({ doing: 'indexes', done: manifest.tables.length, of: manifest.tables.length, bytes })
  for (const statement of rebuild) await client.query(statement)
  for (const { table, file, rows: wanted } of manifest.tables) {
    const { rows: found } = await client.query<{ n: number }>(`select count(*) as n from ${pg.escapeIdentifier(table)}`)
    if (found[0]?.n !== wanted) throw new BackupBroken(`${file} holds ${found[0]?.n} rows, not ${wanted}`)
  }
  for (const [sequence, next] of Object.entries(manifest.sequences)) {
    await client.query('select setval($1::regclass, $2, false)', [pg.escapeIdentifier(sequence), next])
  }
  // A new event history begins: clients that followed the old one reload.
  await client.query(`update secret set value = $1 where name = 'epoch'`, [randomBytes(9).toString('base64url')])
  await client.query('update restoring set has_rows = true')
  await pause('rows brought')
  await client.query('commit')
}

/** A server that was starting on the empty database at the same time may have set it up already. */
async function yieldToServer(client: pg.Client): Promise<void> {
  try {
    await refuseAccounts(client)
  } catch (error) {
    await client.query('rollback')
    await client.query(`drop table ${restoringTables.join(', ')}`)
    throw error
  }
}

/**
 * Checks every blob that a row refers to, and reads some or all of them; restores missing or wrong ones again. The
 * store may have been emptied since an earlier restore, or be another one of the same name.
 */
async function seeToContents(db: Db, work: Work, rehash: boolean): Promise<void> {
  const { store, snapshot, lost, onProgress } = work
  for (let round = 1; ; round += 1) {
    const absent = await contentsNotThere(db, work, rehash)
    if (absent.length === 0) return
    if (round > rounds) {
      throw new BackupRefused(`The store does not keep what it is given: ${absent.length} contents are not there.`)
    }
    let done = 0
    let bytes = 0
    await inParallel(each(absent), width, async (line) => {
      lost.throwIfAborted()
      const key = await bringContent(store, snapshot, line)
      await sql`update blob set key = ${key} where key = ${line.key}`.execute(db)
      done += 1
      bytes += line.size
      onProgress({ doing: 'contents brought again', done, of: absent.length, bytes })
    })
  }
}

/** The blobs of the rows that are missing from the store, by their length, and by their hash if they are read. */
async function contentsNotThere(db: Db, { store, damaged, onProgress }: Work, rehash: boolean): Promise<ObjectLine[]> {
  const absent = await withStoredObjects(db, store, async (connection) => {
    const { rows } = await sql<ObjectLine>`
      select encode(b.sha256, 'hex') as sha256, b.size, b.key from blob b left join stored_object o on o.key = b.key
      where o.key is null or o.size <> b.size`.execute(connection)
    return rows.filter(({ sha256 }) => !damaged.has(sha256))
  })
  const passed = new Set(absent.map(({ sha256 }) => sha256))
  let done = 0
  let bytes = 0
  await inParallel(contentsToRead(db, rehash), width, async (line) => {
    if (passed.has(line.sha256) || damaged.has(line.sha256) || (!rehash && bytes > sampledBytes)) return
    bytes += line.size
    const content = { ...line, sha256: Buffer.from(line.sha256, 'hex') }
    if ((await damageOf(store, content)) !== undefined) absent.push(line)
    onProgress({ doing: 'contents read', done: (done += 1), of: line.of, bytes })
  })
  return absent
}

/** The blobs that are read again: all of them, or a random sample. */
async function* contentsToRead(db: Db, all: boolean): AsyncGenerator<ObjectLine & { readonly of: number }> {
  if (!all) {
    const { rows } = await sql<ObjectLine & { of: number }>`
      select encode(sha256, 'hex') as sha256, size, key, least(count(*) over (), ${sampled}) as of
      from blob order by random() limit ${sampled}`.execute(db)
    yield* rows
    return
  }
  const { rows: counted } = await sql<{ n: number }>`select count(*) as n from blob`.execute(db)
  for (let after = 0; ; ) {
    const { rows } = await sql<ObjectLine & { id: number }>`
      select id, encode(sha256, 'hex') as sha256, size, key from blob where id > ${after}
      order by id limit ${sampled}`.execute(db)
    const last = rows.at(-1)
    if (last === undefined) return
    for (const row of rows) yield { ...row, of: counted[0]?.n ?? 0 }
    after = last.id
  }
}

/**
 * Drops what slows down loading rows or enforces an order: foreign keys, indexes without a constraint, and triggers
 * (their effects are already in the rows). Returns the statements that restore them, as PostgreSQL prints them; adding
 * a foreign key checks every row.
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

async function* batches(lines: AsyncIterable<ObjectLine>): AsyncGenerator<ObjectLine[]> {
  let together: ObjectLine[] = []
  for await (const line of lines) {
    together.push(line)
    if (together.length < batch) continue
    yield together
    together = []
  }
  if (together.length > 0) yield together
}
