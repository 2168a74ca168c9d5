/*
 * What a backup is on disk. A folder holds any number of backups; they share contents, which never change:
 *
 *   <folder>/objects/ab/<sha256>                every content once
 *   <folder>/2026-11-20T16-45-00.000Z/          one backup; `.partial` until it is whole and durable
 *     manifest.json                             what is in it, with the sha256 of every file beside it
 *     tables/<table>.copy                       the rows, in the text format of PostgreSQL's COPY, UTF-8
 *     objects.tsv                               sha256, size and (old) key of every content, in the order of sha256
 *     damaged.tsv                               those of them that could not be read; only where there are any
 *
 * Nothing in it depends on a version of PostgreSQL: the schema is not in it but made by the migrations up to the one
 * that the manifest names.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'

/** A backup or restore that cannot be done for a reason of the operator's; the message is one line. */
export class BackupRefused extends Error {
  override name = 'BackupRefused'
}

/** A backup that is not what its manifest says. */
export class BackupBroken extends Error {
  override name = 'BackupBroken'
}

const FileEntry = z.object({ file: z.string(), bytes: z.number(), sha256: z.string() })
export type FileEntry = z.infer<typeof FileEntry>

const Manifest = z.object({
  format: z.literal(1),
  product: z.string(),
  /** The newest migration that had run. */
  schema: z.string(),
  postgres: z.string(),
  /** When the snapshot was taken. */
  takenAt: z.string(),
  tables: z.array(FileEntry.extend({ table: z.string(), columns: z.array(z.string()), rows: z.number() })),
  /** The number that each sequence gives next. */
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
  /** Names the backup: the sha256 of its manifest. */
  readonly id: string
}

/** The folders of whole backups in a folder of them, oldest first. */
export async function snapshotNames(base: string): Promise<string[]> {
  const names: string[] = await readdir(base).catch(() => [])
  return names.filter((name) => /^\d{4}-[\dTZ.-]+Z$/.test(name)).sort()
}

/** Opens the backup that lies at `folder`, or the newest whole one in it. */
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

/** Where a content lies in a folder of backups. */
export function objectPath(base: string, sha256: string): string {
  return join(base, objectsName, sha256.slice(0, 2), sha256)
}

/** One line of objects.tsv. */
export interface ObjectLine {
  readonly sha256: string
  readonly size: number
  readonly key: string
}

/** The contents that a backup names, one at a time. */
export async function* objectLines(path: string): AsyncGenerator<ObjectLine> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const [sha256 = '', size, key = ''] = line.split('\t')
    yield { sha256, size: Number(size), key }
  }
}

/** The hashes of the contents that could not be read when the backup was made. */
export async function damagedOf({ path, manifest }: Snapshot): Promise<ReadonlySet<string>> {
  const hashes = new Set<string>()
  if (manifest.damaged === undefined) return hashes
  for await (const { sha256 } of objectLines(join(path, manifest.damaged.file))) hashes.add(sha256)
  return hashes
}

export function formatObject({ sha256, size, key }: ObjectLine): string {
  return `${sha256}\t${size}\t${key}\n`
}

/** What there is of a file or content: how long, and its hash. Bounded memory at any length. */
export async function digest(content: AsyncIterable<Uint8Array>): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of content) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Writes a new file and makes it durable; answers what was written. Its folder is still to be synced. */
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

/** Makes the names in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Runs `work` on what comes, so many at a time; the first failure ends it. */
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
