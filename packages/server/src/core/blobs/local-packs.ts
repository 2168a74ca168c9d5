/*
 * Packs: files laid out beforehand, in which small contents that come in numbers are written one after another (ADR 58).
 *
 * A file of its own costs its making, its name, and syncs that commit the journal of the file system. In a pack the blocks
 * are there already: one write that is durable when it returns (`O_DSYNC`) holds all contents of a moment. Contents that
 * come now and then stay files of their own.
 *
 * A pack is `packs/{id}`. Its first page tells whether it is still written, and by whom. Then come records, a head and the
 * bytes; what is written at one moment begins at a page of its own, so that no page that holds something acknowledged is
 * written again. The key of a content says where its record is. A head carries the pack's id, which nobody outside knows,
 * so that no content can pass for one. A content is removed by a mark in its head; room is given back by copying what is
 * needed to a file with holes, at the same places, which then takes the name.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { gathered, type Outcome, outcomeOf } from '../gather.ts'
import type { FileOperations, OpenFile } from './file-operations.ts'
import { codeOf, syncFolder, writeAll } from './local-files.ts'
import { inMemory, type ReadableFile } from './read-object.ts'
import { type ByteRange, noSuchObject, type OpenObject, type StoredObject } from './store.ts'

/** When contents are packed. */
export interface Packing {
  /** From so many small contents in one second on; 0 packs each and waits until it can, for tests. */
  readonly after: number
  /** Bytes of a pack. */
  readonly bytes: number
}

export const usualPacking: Packing = { after: 64, bytes: 32 * 1024 * 1024 }

/** The part of the local store that keeps packs. */
export interface LocalPacks {
  /** Writes a content to a pack, durably, and answers its key; undefined where it should be a file of its own. */
  keep(sha256: Buffer, bytes: Uint8Array): Promise<string | undefined>
  /** As those of the store, for keys that are `isPacked`. */
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
  /** Says who this process is, for `isGone`. */
  readonly owner: string
  /** Whether an owner is no more, whose file was last written then. */
  readonly isGone: (owner: string, writtenAt: number) => boolean
  /** Bytes that there is room for. */
  readonly room: () => Promise<number>
  readonly packing: Packing
}

const page = 4096
const headSize = 64
/** So many contents are written at once at most. */
const together = 16
const copyAtOnce = 1024 * 1024
/** Heads are looked for in so many bytes at once. */
const windowSize = 64 * 1024
/** A pack that could not be laid out is not tried again for so long. */
const retryMs = 10_000
/** A pack that nothing was written to for so long is written no more. */
const idleMs = 60_000

/**
 * A pack that nothing was written to for so long is not written again: who cannot see that its process lives takes it for
 * one that has been left (`isGone`), though much later. By the time of day, which goes on while a machine sleeps.
 */
const freshMs = 60 * 60_000

/** What a pack is copied to has its name with a word and this behind it: no two processes copy to the same file. */
const copying = '.copy'
/** In what unit a file system tells the room that a file takes. */
const blockSize = 512

const idForm = /^[\w-]{12}$/
const keyForm = /^pk\/([0-9a-f]{64})\.([\w-]{12})\.([0-9a-z]{1,9})\.([0-9a-z]{1,4})$/
/** The first word of a pack. */
const [beingWritten, full] = ['open', 'full']
/** The state of a record. Neither becomes the other by one bit. */
const [kept, gone] = ['kept', 'gone']

/** Whether a key names a content in a pack. */
export function isPacked(key: string): boolean {
  return keyForm.test(key)
}

interface Content {
  readonly sha256: Buffer
  readonly bytes: Uint8Array
}

interface Pack {
  readonly id: string
  readonly file: OpenFile
  /** How far the clock of the disk is ahead of ours: ages are told by the disk's, as those of files are. */
  readonly ahead: number
  /** Where the next contents begin. */
  at: number
  /** When it was laid out or last written to. */
  touchedAt: number
}

/** What a head says of its content. */
interface Head {
  readonly size: number
  readonly sha256: Buffer
  readonly writtenAt: number
  readonly isGone: boolean
}

const isFresh = ({ touchedAt }: Pack): boolean => Math.abs(Date.now() - touchedAt) < freshMs

const upTo = (unit: number, n: number): number => Math.ceil(n / unit) * unit

/** Opens or makes the folder of packs. */
export async function openLocalPacks(options: LocalPacksOptions): Promise<LocalPacks> {
  const { files, owner, isGone, room, packing } = options
  const folder = join(options.folder, 'packs')
  await files.mkdir(folder, { recursive: true })

  /** The packs that this process lays out or writes. */
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
        const rest = Buffer.alloc(copyAtOnce)
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

  /** Removes a pack that nothing was written to. */
  const discard = async (id: string): Promise<void> => {
    await files.unlink(join(folder, id)).catch(() => {})
    mine.delete(id)
  }

  const prepare = async (): Promise<void> => {
    try {
      if ((await room()) < 4 * packing.bytes) throw new Error('too little room for a pack')
      spare = await layOut()
    } catch {
      // Contents are files of their own meanwhile.
      retryAt = performance.now() + retryMs
    }
    preparing = undefined
  }
  const prepareSpare = (): void => {
    if (spare === undefined && !closed && performance.now() >= retryAt) preparing ??= prepare()
  }

  // A file that is closed under a write may be another one by the time it is written.
  let writing: Promise<unknown> = Promise.resolve()

  /** Writes no more to a pack. Where that cannot be noted, it is when this process is gone. */
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

  // Contents of one moment are laid one after another here, and written at once.
  let scratch: Buffer | undefined
  const append = gathered(
    { most: together, atOnce: 1 },
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
        // What of it is on the disk nobody knows: nothing more is written beside it.
        if (current === pack) leave()
        throw error
      }
      return contents.map(({ sha256, bytes }, n) => ({
        value: keyOf(pack.id, { at: at + (starts[n] ?? 0), sha256, size: bytes.length }),
      }))
    },
  )

  // So many contents came in the second that began then.
  let second = Number.NEGATIVE_INFINITY
  let came = 0
  let lastCame = 0
  const areMany = (): boolean => {
    const now = performance.now()
    if (now >= second + 1000) {
      second = now
      came = 0
    }
    came += 1
    lastCame = now
    return came >= packing.after
  }

  const idle = setInterval(() => {
    if (performance.now() < lastCame + idleMs) return
    leave()
    dropSpare()
  }, idleMs)
  idle.unref()

  /** Packs that were as full as they should be, and when they were last written to then: they are not read again. */
  let lookedAt = new Map<string, number>()

  /** The ids of all packs. */
  const ids = async (): Promise<string[]> => (await files.readdir(folder)).filter((name) => idForm.test(name))

  return {
    async keep(sha256, bytes) {
      const many = areMany()
      if (current === undefined && spare === undefined) {
        if (!many) return undefined
        prepareSpare()
        if (packing.after > 0) return undefined
        await preparing
      }
      return append({ sha256, bytes })
    },

    async open(key, range) {
      const { id, at, size } = placeOf(key)
      const record = await readRecord(files, join(folder, id), at, size)
      const bytes = record.subarray(0, headSize)
      const head = readHead(bytes, id)
      // A head that is damaged says nothing of the content: that is compared with its hash where it matters.
      if (head === undefined ? isZero(bytes) : head.isGone || keyOf(id, { at, ...head }) !== key) throw noSuchObject()
      if (record.length < headSize + size) throw new Error('a stored content is shorter than it was')
      return inMemory(record.subarray(headSize), range)
    },

    async remove(key) {
      try {
        const { id, at } = placeOf(key)
        const path = join(folder, id)
        const record = await readRecord(files, path, at, 0)
        const head = readHead(record, id)
        if (head === undefined || keyOf(id, { at, ...head }) !== key) return
        const file = await files.open(path, 'r+')
        try {
          // Not synced: a mark that is lost is made again, by whoever finds that nothing names the content.
          await writeAll(file, Buffer.from(gone), at + stateAt)
        } finally {
          await file.close()
        }
      } catch (error) {
        unlessGone(error)
      }
    },

    async *list() {
      for (const id of await ids()) {
        const file = await files.openToRead(join(folder, id)).catch(unlessGone)
        if (file === undefined) continue
        try {
          for await (const { at, head } of headsOf(file, id)) {
            if (head.isGone) continue
            yield { key: keyOf(id, { at, ...head }), size: head.size, modifiedAt: head.writtenAt }
          }
        } finally {
          await file.close()
        }
      }
    },

    async giveBack() {
      for (const name of await files.readdir(folder)) {
        // A copy that was not finished.
        if (name.endsWith(copying)) await files.unlink(join(folder, name)).catch(unlessGone)
      }
      const before = lookedAt
      lookedAt = new Map()
      for (const id of await ids()) {
        if (mine.has(id)) continue
        const file = await files.openToRead(join(folder, id)).catch(unlessGone)
        if (file === undefined) continue
        try {
          const { mtimeMs } = await file.stat()
          if (before.get(id) === mtimeMs || (await giveBackOf(file, { files, folder, id, isGone }))) {
            lookedAt.set(id, mtimeMs)
          }
        } finally {
          await file.close()
        }
      }
    },

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

/**
 * Gives back the room of one pack that nobody writes to, where that is at least half of what it takes. Answers whether
 * there is nothing more to do as long as nobody writes there.
 */
async function giveBackOf(
  file: ReadableFile,
  { files, folder, id, isGone }: Pick<LocalPacksOptions, 'files' | 'folder' | 'isGone'> & { id: string },
): Promise<boolean> {
  const { blocks, mtimeMs, size } = await file.stat()
  const [word, owner = ''] = (await readUpTo(file, Buffer.alloc(page), 0)).toString('latin1').split('\n')
  // Where laying out was broken off there may be no owner: then the age tells.
  if (word !== full && !((word === beingWritten || owner === '') && isGone(owner, mtimeMs))) return false

  const removed: { readonly from: number; readonly to: number }[] = []
  for await (const { at, head } of headsOf(file, id)) {
    if (head.isGone) removed.push({ from: at, to: at + headSize + head.size })
  }
  // Whatever else is there stays, also what cannot be read as a record: only what was removed, and zeros, are not needed.
  let needed = 0
  for await (const { bytes } of withoutRemoved(file, removed)) needed += bytes.length
  const path = join(folder, id)
  if (needed <= page) await files.unlink(path).catch(unlessGone)
  else if (needed <= (blocks * blockSize) / 2) {
    const copyPath = `${path}.${randomBytes(6).toString('base64url')}${copying}`
    const copy = await files.open(copyPath, 'wx')
    try {
      let end = 0
      for await (const { at, bytes } of withoutRemoved(file, removed)) {
        await writeAll(copy, bytes, at)
        end = at + bytes.length
      }
      await writeAll(copy, Buffer.from(full), 0)
      // As long as it was: the last content may end in zeros.
      if (end < size) await writeAll(copy, Buffer.alloc(1), size - 1)
      await copy.sync()
    } finally {
      await copy.close()
    }
    // Gone where another process took it for one that was left.
    await files.rename(copyPath, path).catch(unlessGone)
    await syncFolder(files, folder)
  }
  return true
}

/** The runs of pages that are not zeros once what was removed is left out. Each is good until the next one is asked for. */
async function* withoutRemoved(
  file: ReadableFile,
  removed: readonly { readonly from: number; readonly to: number }[],
): AsyncGenerator<{ at: number; bytes: Buffer }> {
  const buffer = Buffer.allocUnsafeSlow(copyAtOnce)
  let next = 0
  for (let at = 0; ; at += copyAtOnce) {
    const bytes = await readUpTo(file, buffer, at)
    if (bytes.length === 0) return
    const end = at + bytes.length
    for (let span = removed[next]; span !== undefined && span.from < end; span = removed[next]) {
      bytes.fill(0, Math.max(0, span.from - at), Math.min(bytes.length, span.to - at))
      if (span.to > end) break
      next += 1
    }
    let from = 0
    for (let to = 0; to <= bytes.length; to += page) {
      const isNeeded = to < bytes.length && !isZero(bytes.subarray(to, to + page))
      if (isNeeded) continue
      if (from < to) yield { at: at + from, bytes: bytes.subarray(from, to) }
      from = to + page
    }
  }
}

const zeros = Buffer.alloc(page)
const isZero = (bytes: Buffer): boolean => bytes.equals(zeros.subarray(0, bytes.length))

/** The heads of a pack in order. Where there is none, one may begin behind what was removed, or at the next page. */
async function* headsOf(file: ReadableFile, id: string): AsyncGenerator<{ at: number; head: Head }> {
  const buffer = Buffer.allocUnsafeSlow(windowSize)
  let window = buffer.subarray(0, 0)
  let from = 0
  for (let at = page; ; ) {
    if (at + headSize > from + window.length) {
      window = await readUpTo(file, buffer, at)
      from = at
      if (window.length < headSize) return
    }
    const head = readHead(window.subarray(at - from, at - from + headSize), id)
    if (head !== undefined) yield { at, head }
    at = upTo(headSize, at + headSize + (head?.size ?? 0))
  }
}

/*
 * A head: the pack's id, the state, the size (4 bytes), the checksum of all but the state (4), the time in ms (8), the
 * sha256.
 */
const stateAt = 12
const sizeAt = 16
const checksumAt = 20
const writtenAt = 24
const sha256At = 32

const checksumOf = (head: Buffer): number =>
  crc32(head.subarray(writtenAt), crc32(head.subarray(sizeAt, checksumAt), crc32(head.subarray(0, stateAt))))

function writeHead(head: Buffer, id: string, { sha256, bytes }: Content, now: number): void {
  head.write(id + kept, 'latin1')
  head.writeUInt32LE(bytes.length, sizeAt)
  head.writeDoubleLE(now, writtenAt)
  head.set(sha256, sha256At)
  head.writeUInt32LE(checksumOf(head), checksumAt)
}

/** What a head says; undefined where there is none, or it is damaged. */
function readHead(head: Buffer, id: string): Head | undefined {
  if (head[0] !== id.charCodeAt(0) || head.toString('latin1', 0, stateAt) !== id) return undefined
  const state = head.toString('latin1', stateAt, sizeAt)
  if (state !== kept && state !== gone) return undefined
  if (head.readUInt32LE(checksumAt) !== checksumOf(head)) return undefined
  return {
    size: head.readUInt32LE(sizeAt),
    sha256: Buffer.from(head.subarray(sha256At)),
    writtenAt: head.readDoubleLE(writtenAt),
    isGone: state === gone,
  }
}

function keyOf(id: string, { at, sha256, size }: { at: number; sha256: Buffer; size: number }): string {
  return `pk/${sha256.toString('hex')}.${id}.${at.toString(36)}.${size.toString(36)}`
}

function placeOf(key: string): { id: string; at: number; size: number } {
  const [, , id, at, size] = keyForm.exec(key) ?? []
  if (id === undefined || at === undefined || size === undefined) throw noSuchObject()
  const place = { id, at: Number.parseInt(at, 36), size: Number.parseInt(size, 36) }
  if (place.at < page || place.at % headSize > 0) throw noSuchObject()
  return place
}

/** What there is of a file from a position on, up to the size of the buffer. */
async function readUpTo(file: ReadableFile, buffer: Buffer<ArrayBuffer>, at: number): Promise<Buffer<ArrayBuffer>> {
  let held = 0
  while (held < buffer.length) {
    const { bytesRead } = await file.read(buffer, held, buffer.length - held, at + held)
    if (bytesRead === 0) break
    held += bytesRead
  }
  return buffer.subarray(0, held)
}

async function readRecord(files: FileOperations, path: string, at: number, size: number): Promise<Buffer> {
  const file = await files.openToRead(path)
  try {
    const record = await readUpTo(file, Buffer.allocUnsafe(headSize + size), at)
    // Room that was given back may have been at the end.
    if (record.length < headSize) throw noSuchObject()
    return record
  } finally {
    await file.close()
  }
}

/** Nothing, where a file has gone meanwhile. */
function unlessGone(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}
