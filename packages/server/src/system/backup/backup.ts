/*
 * Backs up a running installation. The rows come from one database snapshot, which is released before the blobs are
 * copied: a long copy then does not hold back the removal of old rows. The garbage collector is excluded from before
 * the snapshot until the last blob is copied, so everything the snapshot refers to remains.
 *
 * The order makes it atomic: rows and blobs are written and synced in a folder named `.partial`, which is renamed when
 * everything in it is durable. Blobs copied by an interrupted run are reused by the next one.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import pg from 'pg'
import copy from 'pg-copy-streams'
import { lockContents } from '../../core/blobs/contents-lock.ts'
import type { BlobStore } from '../../core/blobs/store.ts'
import { halfRestored } from '../../core/db/restoring.ts'
import type { Table, Tables } from '../../core/db/tables.ts'
import type { DatabaseTarget } from '../../core/db/target.ts'
import { ownTables, unendedRestore, withConnection } from './connection.ts'
import {
  BackupRefused,
  type FileEntry,
  formatObject,
  inParallel,
  type Manifest,
  manifestName,
  type ObjectLine,
  objectLines,
  objectPath,
  objectsName,
  partialSuffix,
  syncFolder,
  writeDurably,
} from './format.ts'

/** Number of blobs copied concurrently. */
const width = 8
/** Up to this many unreadable blobs count as damage; more mean that the store is unavailable. */
const mostDamaged = 1000

export interface Progress {
  readonly doing: string
  readonly done: number
  readonly of: number
  readonly bytes: number
}

export interface BackupOptions {
  readonly target: DatabaseTarget
  /** Which tables are included; a table that is not listed is included. */
  readonly tables: Tables
  readonly store: BlobStore
  /** The folder of backups; created if missing. */
  readonly folder: string
  /** Version of this build. */
  readonly product: string
  readonly onProgress?: (progress: Progress) => void
  /** A named point where tests can pause. */
  readonly pause?: (point: string) => Promise<void>
}

export interface BackupDone {
  readonly path: string
  readonly manifest: Manifest
  /** Blobs that no earlier backup in the folder had. */
  readonly copied: { readonly count: number; readonly bytes: number }
}

/** Makes one backup in the folder. */
export function backUp(options: BackupOptions): Promise<BackupDone> {
  const { pause = () => Promise.resolve(), onProgress = () => {} } = options
  const base = resolve(options.folder)
  return withConnection(options.target, async (client, lost) => {
    const unended = await unendedRestore(client)
    if (unended !== undefined) throw new BackupRefused(halfRestored(unended.backup))
    await lockContents(client)
    await mkdir(join(base, objectsName, 'incoming'), { recursive: true, mode: 0o700 })
    await removeLeftovers(base)
    const takenAt = new Date().toISOString()
    const name = takenAt.replaceAll(':', '-')
    const path = join(base, `${name}${partialSuffix}`)
    await mkdir(join(path, 'tables'), { recursive: true, mode: 0o700 })

    const rows = await copyRows(client, path, { tables: options.tables, pause, onProgress })
    await pause('rows copied')
    const contents = await copyContents({ base, path, store: options.store, count: rows.count, lost, onProgress })
    await pause('contents copied')
    const { count, ...database } = rows
    const manifest: Manifest = {
      format: 1,
      product: options.product,
      takenAt,
      ...database,
      objects: { ...rows.objects, count, totalBytes: contents.totalBytes },
      ...(contents.damaged === undefined ? {} : { damaged: contents.damaged }),
    }
    await writeDurably(join(path, manifestName), bytesOf(`${JSON.stringify(manifest, null, 2)}\n`))
    await syncFolder(join(path, 'tables'))
    await syncFolder(path)
    const final = join(base, name)
    await rename(path, final)
    await syncFolder(base)
    return { path: final, manifest, copied: contents.copied }
  })
}

/** Removes the remains of an interrupted run; its copied blobs remain. Only one backup runs at a time. */
async function removeLeftovers(base: string): Promise<void> {
  for (const name of await readdir(base)) {
    if (name.endsWith(partialSuffix)) await rm(join(base, name), { recursive: true })
  }
  const incoming = join(base, objectsName, 'incoming')
  for (const name of await readdir(incoming)) await unlink(join(incoming, name))
}

type Hooks = Required<Pick<BackupOptions, 'tables' | 'pause' | 'onProgress'>>

/** Copies every row of one snapshot, and the list of the blobs it refers to. */
async function copyRows(client: pg.Client, path: string, { tables: declared, pause, onProgress }: Hooks) {
  const locked = await beginSnapshot(client)
  await pause('snapshot taken')
  const one = async <T extends object>(text: string): Promise<T> => {
    const { rows } = await client.query<T>(text)
    if (rows[0] === undefined) throw new BackupRefused('The database holds no installation.')
    return rows[0]
  }
  const toFile = async (file: string, query: string): Promise<FileEntry & { rows: number }> => {
    const stream = client.query(copy.to(`copy (${query}) to stdout`))
    const written = await writeDurably(join(path, file), stream)
    return { file, ...written, rows: stream.rowCount }
  }
  const { schema } = await one<{ schema: string }>(
    'select name as schema from kysely_migration order by name desc limit 1',
  )
  const { postgres } = await one<{ postgres: string }>(`select current_setting('server_version') as postgres`)
  const tables: Manifest['tables'] = []
  let bytes = 0
  for (const table of locked.filter((name) => (declared as Readonly<Record<string, Table>>)[name]?.backup !== 'left')) {
    onProgress({ doing: `rows of ${table}`, done: tables.length, of: locked.length, bytes })
    const columns = await columnsOf(client, table)
    const listed = columns.map(pg.escapeIdentifier).join(', ')
    const written = await toFile(`tables/${table}.copy`, `select ${listed} from ${pg.escapeIdentifier(table)}`)
    tables.push({ table, columns, ...written })
    bytes += written.bytes
  }
  const { rows: count, ...objects } = await toFile(
    'objects.tsv',
    `select encode(sha256, 'hex'), size, key from blob order by sha256`,
  )
  const sequences = await nextNumbers(client)
  await client.query('commit')
  return { schema, postgres, tables, sequences, objects, count }
}

/**
 * Begins the transaction of the snapshot; returns the tables to copy. They are locked before the snapshot is taken, so
 * that no migration can change their columns in between.
 */
async function beginSnapshot(client: pg.Client): Promise<string[]> {
  while (true) {
    const tables = await ownTables(client)
    if (tables.length === 0) throw new BackupRefused('The database holds no installation.')
    await client.query('begin isolation level repeatable read, read only')
    await client.query(`lock table ${tables.map(pg.escapeIdentifier).join(', ')} in access share mode`)
    if ((await ownTables(client)).join() === tables.join()) return tables
    await client.query('rollback')
  }
}

/** The stored columns, without computed ones. */
async function columnsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [pg.escapeIdentifier(table)],
  )
  return rows.map(({ name }) => name)
}

/** Sequences are not part of snapshots: a value read after the snapshot is never lower than those in its rows. */
async function nextNumbers(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'S' order by 1`,
  )
  const next: Record<string, string> = {}
  for (const { name } of rows) {
    const found = await client.query<{ next: string }>(
      `select (last_value + is_called::int)::text as next from ${pg.escapeIdentifier(name)}`,
    )
    next[name] = found.rows[0]?.next ?? '1'
  }
  return next
}

interface CopyingContents {
  readonly base: string
  readonly path: string
  readonly store: BlobStore
  readonly count: number
  readonly lost: AbortSignal
  readonly onProgress: (progress: Progress) => void
}

/** Copies the blobs that the folder does not have yet, verifying their hashes. */
async function copyContents({ base, path, store, count, lost, onProgress }: CopyingContents) {
  const touched = new Set([join(base, objectsName)])
  const damaged: ObjectLine[] = []
  const copied = { count: 0, bytes: 0 }
  let totalBytes = 0
  let done = 0
  await inParallel(objectLines(join(path, 'objects.tsv')), width, async (line) => {
    lost.throwIfAborted()
    const final = objectPath(base, line.sha256)
    const present = await stat(final).catch(() => undefined)
    if (present?.size !== line.size) {
      const folder = dirname(final)
      if (!touched.has(folder)) await mkdir(folder, { recursive: true, mode: 0o700 })
      touched.add(folder)
      if (await copyContent(store, line, join(base, objectsName, 'incoming'), final)) {
        copied.count += 1
        copied.bytes += line.size
      } else if (damaged.push(line) > mostDamaged) {
        throw new BackupRefused(`More than ${mostDamaged} contents cannot be read: is the store there?`)
      }
    }
    totalBytes += line.size
    done += 1
    onProgress({ doing: 'contents', done, of: count, bytes: totalBytes })
  })
  for (const folder of touched) await syncFolder(folder)
  lost.throwIfAborted()
  if (damaged.length === 0) return { copied, totalBytes }
  const text = damaged.map(formatObject).join('')
  const written = await writeDurably(join(path, 'damaged.tsv'), bytesOf(text))
  return { copied, totalBytes, damaged: { file: 'damaged.tsv', ...written, count: damaged.length } }
}

/** Copies one blob; false if it is unreadable or does not match its row. */
async function copyContent(store: BlobStore, line: ObjectLine, incoming: string, final: string): Promise<boolean> {
  const arriving = join(incoming, randomBytes(9).toString('base64url'))
  let unreadable = false
  const reading = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* await store.open(line.key)
    } catch (error) {
      unreadable = true
      throw error
    }
  }
  try {
    const { sha256 } = await writeDurably(arriving, reading())
    if (sha256 !== line.sha256) return false
    await rename(arriving, final)
    return true
  } catch (error) {
    if (unreadable) return false
    throw error
  } finally {
    await rm(arriving, { force: true })
  }
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
