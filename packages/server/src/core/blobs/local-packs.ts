/*
 * Packs: preallocated files in which small contents that arrive in large numbers are written one after another (ADR
 * 58).
 *
 * A file per content costs creating the file, creating its name, and syncs that commit the journal of the file system.
 * In a pack the blocks already exist: one durable write (`O_DSYNC`) stores all contents of a moment. Contents that
 * arrive rarely are stored as separate files.
 *
 * A pack is `packs/{id}` (pack-format.ts). Each batch of contents starts at a new page, so that no page with
 * acknowledged data is written again. A content is removed by a mark in its head. Its space is freed later
 * (pack-compaction.ts).
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { batched, type Outcome, outcomeOf } from '../batcher.ts'
import type { FileOperations, OpenFile } from './file-operations.ts'
import { syncFolder, writeAll } from './local-files.ts'
import { createPackCompaction } from './pack-compaction.ts'
import { beingWritten, type Content, full, headSize, keyOf, page, upTo, writeHead } from './pack-format.ts'
import { packedObjects } from './packed-objects.ts'
import type { ByteRange, OpenObject, StoredObject } from './store.ts'

/** When contents are packed. */
export interface Packing {
  /** Minimum number of small contents in one second. 0 packs every content and waits for the pack, for tests. */
  readonly after: number
  /** Size of a pack in bytes. */
  readonly bytes: number
}

export const usualPacking: Packing = { after: 64, bytes: 32 * 1024 * 1024 }

/** The part of the local store that manages packs. */
export interface LocalPacks {
  /**
   * Writes a content to a pack durably and returns its key. Returns undefined if the content should be stored as a
   * separate file.
   */
  keep(sha256: Buffer, bytes: Uint8Array): Promise<string | undefined>
  /** The operations of the store, for keys that are `isPacked`. */
  open(key: string, range?: ByteRange): Promise<OpenObject>
  remove(key: string): Promise<void>
  list(): AsyncIterable<StoredObject>
  giveBack(): Promise<void>
  close(): Promise<void>
}

interface LocalPacksOptions {
  readonly files: FileOperations
  /** The folder of the store. */
  readonly folder: string
  /** Identifies this process, for `isGone`. */
  readonly owner: string
  /** Whether the owner process of a file no longer runs. `writtenAt` is the file's last write. */
  readonly isGone: (owner: string, writtenAt: number) => boolean
  /** Free bytes. */
  readonly room: () => Promise<number>
  readonly packing: Packing
}

/** Maximum number of contents in one write. */
const maxBatch = 16
/** A pack is preallocated in steps of this many bytes. */
const layoutChunk = 1024 * 1024
/** Delay before the next attempt after preallocating a pack failed. */
const retryMs = 10_000
/** A pack without writes for this long is closed for writing. */
const idleMs = 60_000

/**
 * A pack without writes for this long is not written again. A process that cannot see its owner considers it abandoned
 * (`isGone`), though only after a much longer time. Measured by wall clock, which continues while a machine sleeps.
 */
const freshMs = 60 * 60_000

interface Pack {
  readonly id: string
  readonly file: OpenFile
  /** How far the clock of the disk is ahead of ours. Ages are measured by the disk's clock, as for files. */
  readonly ahead: number
  /** Offset of the next contents. */
  at: number
  /** When the pack was preallocated or last written to. */
  touchedAt: number
}

const isFresh = ({ touchedAt }: Pack): boolean => Math.abs(Date.now() - touchedAt) < freshMs

/** Opens or creates the folder of packs. */
export async function openLocalPacks(options: LocalPacksOptions): Promise<LocalPacks> {
  const { files, owner, isGone, room, packing } = options
  const folder = join(options.folder, 'packs')
  await files.mkdir(folder, { recursive: true })

  const giveBack = createPackCompaction({ files, folder, isGone })

  /** The packs that this process preallocates or writes. */
  const mine = new Set<string>()
  let current: Pack | undefined
  let spare: Pack | undefined
  let preparing: Promise<void> | undefined
  let retryAt = 0
  let closed = false

  const layOut = async (): Promise<Pack> => {
    const id = randomBytes(9).toString('base64url')
    const path = join(folder, id)
    mine.add(id)
    try {
      const file = await files.open(path, 'wx')
      try {
        const first = Buffer.alloc(page)
        first.write(`${beingWritten}\n${owner}\n`)
        await writeAll(file, first, 0)
        const rest = Buffer.alloc(layoutChunk)
        for (let at = page; at < packing.bytes; at += rest.length) {
          await writeAll(file, rest.subarray(0, packing.bytes - at), at)
        }
        await file.sync()
      } finally {
        await file.close()
      }
      const ahead = (await files.stat(path)).mtimeMs - Date.now()
      await syncFolder(files, folder)
      return { id, file: await files.openSynced(path), ahead, at: page, touchedAt: Date.now() }
    } catch (error) {
      await discard(id)
      throw error
    }
  }

  /** Removes a pack that was never written to. */
  const discard = async (id: string): Promise<void> => {
    await files.unlink(join(folder, id)).catch(() => {})
    mine.delete(id)
  }

  const prepare = async (): Promise<void> => {
    try {
      if ((await room()) < 4 * packing.bytes) throw new Error('too little room for a pack')
      spare = await layOut()
    } catch {
      // Until then contents are stored as separate files.
      retryAt = performance.now() + retryMs
    }
    preparing = undefined
  }
  const prepareSpare = (): void => {
    if (spare === undefined && !closed && performance.now() >= retryAt) preparing ??= prepare()
  }

  // Files are closed only after the running write: a descriptor that is closed during a write may already belong to
  // another file.
  let writing: Promise<unknown> = Promise.resolve()

  /**
   * Closes a pack for writing. If the mark cannot be written, the pack counts as closed once this process has ended.
   */
  const finish = async (pack: Pack): Promise<void> => {
    await writing
    await outcomeOf(writeAll(pack.file, Buffer.from(full), 0))
    await pack.file.close().catch(() => {})
    mine.delete(pack.id)
  }

  const leave = (): void => {
    if (current !== undefined) void finish(current)
    current = undefined
  }

  const drop = async ({ id, file }: Pack): Promise<void> => {
    await file.close().catch(() => {})
    await discard(id)
  }
  const dropSpare = (): void => {
    if (spare !== undefined) void drop(spare)
    spare = undefined
  }

  // The contents of one batch are assembled in this buffer and written at once.
  let scratch: Buffer | undefined
  const append = batched(
    { most: maxBatch, atOnce: 1 },
    async (contents: readonly Content[]): Promise<Outcome<string | undefined>[]> => {
      if (closed) throw new Error('the store is closed')
      const starts: number[] = []
      let size = 0
      for (const { bytes } of contents) {
        starts.push(size)
        size += upTo(headSize, headSize + bytes.length)
      }
      size = upTo(page, size)
      if (current !== undefined && (current.at + size > packing.bytes || !isFresh(current))) leave()
      if (spare !== undefined && !isFresh(spare)) dropSpare()
      current ??= spare
      if (current === spare) spare = undefined
      const pack = current
      if (pack === undefined || pack.at + size > packing.bytes) return contents.map(() => ({ value: undefined }))
      if (pack.at > packing.bytes / 2) prepareSpare()
      if (scratch === undefined || scratch.length < size) scratch = Buffer.allocUnsafeSlow(size)
      const bundle = scratch.subarray(0, size).fill(0)
      const writtenAt = Date.now() + pack.ahead
      for (const [n, content] of contents.entries()) {
        const start = starts[n] ?? 0
        writeHead(bundle.subarray(start, start + headSize), pack.id, content, writtenAt)
        bundle.set(content.bytes, start + headSize)
      }
      const { at } = pack
      pack.at += size
      pack.touchedAt = Date.now()
      try {
        const written = writeAll(pack.file, bundle, at)
        writing = outcomeOf(written)
        await written
      } catch (error) {
        // After a failed write it is unknown which part is on the disk: nothing more is written to this pack.
        if (current === pack) leave()
        throw error
      }
      return contents.map(({ sha256, bytes }, n) => ({
        value: keyOf(pack.id, { at: at + (starts[n] ?? 0), sha256, size: bytes.length }),
      }))
    },
  )

  const arrivals = createArrivals(packing.after)

  const idle = setInterval(() => {
    if (performance.now() < arrivals.last() + idleMs) return
    leave()
    dropSpare()
  }, idleMs)
  idle.unref()

  return {
    async keep(sha256, bytes) {
      const many = arrivals.areMany()
      if (current === undefined && spare === undefined) {
        if (!many) return undefined
        prepareSpare()
        if (packing.after > 0) return undefined
        await preparing
      }
      return append({ sha256, bytes })
    },

    ...packedObjects(files, folder),

    giveBack: () => giveBack(mine),

    async close() {
      closed = true
      clearInterval(idle)
      await preparing
      if (spare !== undefined) await drop(spare)
      if (current !== undefined) await finish(current)
      spare = current = undefined
    },
  }
}

/** Counts the contents that arrive in a second. */
function createArrivals(after: number) {
  // Start of the second in which they are counted.
  let second = Number.NEGATIVE_INFINITY
  let came = 0
  let lastCame = 0

  return {
    /** Counts one more. Whether there are enough for a pack. */
    areMany(): boolean {
      const now = performance.now()
      if (now >= second + 1000) {
        second = now
        came = 0
      }
      came += 1
      lastCame = now
      return came >= after
    },
    /** When the last one came, by the monotonic clock. */
    last: () => lastCame,
  }
}
