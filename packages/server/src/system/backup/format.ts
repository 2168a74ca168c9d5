/*
 * The format of a backup on disk. A folder contains any number of backups; they share blobs, which never change:
 *
 *   <folder>/objects/ab/<sha256>                every blob once
 *   <folder>/2026-11-20T16-45-00.000Z/          one backup; `.partial` until it is complete and durable
 *     manifest.json                             its contents, with the sha256 of every file beside it
 *     tables/<table>.copy                       the rows, in the text format of PostgreSQL's COPY, UTF-8
 *     objects.tsv                               sha256, size and (old) key of every blob, ordered by sha256
 *     damaged.tsv                               those of them that could not be read; only if there are any
 *
 * Nothing in it depends on a version of PostgreSQL: the schema is not included but created by the migrations up to the
 * one that the manifest names.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'

/** A backup or restore is impossible for a reason that the operator can fix; the message is one line. */
export class BackupRefused extends Error {
  override name = 'BackupRefused'
}

/** A backup does not match its manifest. */
export class BackupBroken extends Error {
  override name = 'BackupBroken'
}

const FileEntry = z.object({ file: z.string(), bytes: z.number(), sha256: z.string() })
export type FileEntry = z.infer<typeof FileEntry>

const Manifest = z.object({
  format: z.literal(1),
  product: z.string(),
  /** The newest applied migration. */
  schema: z.string(),
  postgres: z.string(),
  /** When the snapshot was taken. */
  takenAt: z.string(),
  tables: z.array(FileEntry.extend({ table: z.string(), columns: z.array(z.string()), rows: z.number() })),
  /** The next number of each sequence. */
  sequences: z.record(z.string(), z.string()),
  objects: FileEntry.extend({ count: z.number(), totalBytes: z.number() }),
  damaged: FileEntry.extend({ count: z.number() }).optional(),
})
export type Manifest = z.infer<typeof Manifest>

export const manifestName = 'manifest.json'
export const objectsName = 'objects'
export const partialSuffix = '.partial'

/** A backup in its folder. */
export interface Snapshot {
  /** The folder of all backups. */
  readonly base: string
  /** The folder of this one. */
  readonly path: string
  readonly manifest: Manifest
  /** Identifies the backup: the sha256 of its manifest. */
  readonly id: string
}

/** The folders of complete backups, oldest first. */
export async function snapshotNames(base: string): Promise<string[]> {
  const names: string[] = await readdir(base).catch(() => [])
  return names.filter((name) => /^\d{4}-[\dTZ.-]+Z$/.test(name)).sort()
}

/** Opens the backup in `folder`, or the newest complete one below it. */
export async function openSnapshot(folder: string): Promise<Snapshot> {
  const given = resolve(folder)
  const newest = (await snapshotNames(given)).at(-1)
  const path = newest === undefined ? given : join(given, newest)
  const text = await readFile(join(path, manifestName), 'utf8').catch(() => {
    throw new BackupRefused(`${given} holds no backup`)
  })
  const { format } = z.object({ format: z.number() }).catch({ format: 0 }).parse(parseJson(text))
  if (format > 1) throw new BackupRefused(`${path} was made by a newer build: use that one`)
  const manifest = Manifest.safeParse(parseJson(text))
  if (!manifest.success) throw new BackupBroken(`${join(path, manifestName)} cannot be read`)
  const id = createHash('sha256').update(text).digest('hex')
  return { base: resolve(path, '..'), path, manifest: manifest.data, id }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The path of a blob in a folder of backups. */
export function objectPath(base: string, sha256: string): string {
  return join(base, objectsName, sha256.slice(0, 2), sha256)
}

/** One line of objects.tsv. */
export interface ObjectLine {
  readonly sha256: string
  readonly size: number
  readonly key: string
}

/** Yields the blobs of a backup. */
export async function* objectLines(path: string): AsyncGenerator<ObjectLine> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const [sha256 = '', size, key = ''] = line.split('\t')
    yield { sha256, size: Number(size), key }
  }
}

/** The hashes of the blobs that were unreadable when the backup was made. */
export async function damagedOf({ path, manifest }: Snapshot): Promise<ReadonlySet<string>> {
  const hashes = new Set<string>()
  if (manifest.damaged === undefined) return hashes
  for await (const { sha256 } of objectLines(join(path, manifest.damaged.file))) hashes.add(sha256)
  return hashes
}

export function formatObject({ sha256, size, key }: ObjectLine): string {
  return `${sha256}\t${size}\t${key}\n`
}

/** The length and the hash of a file or blob. Bounded memory at any length. */
export async function digest(content: AsyncIterable<Uint8Array>): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of content) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Writes and syncs a new file; returns its digest. Its folder still has to be synced. */
export async function writeDurably(
  path: string,
  content: AsyncIterable<Uint8Array>,
): Promise<{ bytes: number; sha256: string }> {
  const handle = await open(path, 'wx', 0o600)
  try {
    const written = await digest(writingTo(handle, content))
    await handle.sync()
    return written
  } finally {
    await handle.close()
  }
}

async function* writingTo(handle: FileHandle, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length; ) at += (await handle.write(chunk, at)).bytesWritten
    yield chunk
  }
}

/** Syncs the directory entries of a folder. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Runs `work` on the input with bounded concurrency; the first failure ends it. */
export async function inParallel<T>(
  items: AsyncIterable<T>,
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]()
  let failed = false
  const worker = async (): Promise<void> => {
    while (!failed) {
      const next = await iterator.next()
      if (next.done === true) return
      await work(next.value)
    }
  }
  try {
    await Promise.all(
      Array.from({ length: width }, () =>
        worker().catch((error: unknown) => {
          failed = true
          throw error
        }),
      ),
    )
  } finally {
    await iterator.return?.()
  }
}
