/*
 * Frees the space of contents that were removed from packs (ADR 58). The records that are still needed are copied to a
 * sparse file at the same offsets, which then replaces the pack.
 */
import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { join } from 'node:path'
import type { FileOperations } from './file-operations.ts'
import { syncFolder, unlessGone, writeAll } from './local-files.ts'
import { beingWritten, full, headSize, headsOf, idForm, isZero, page, readUpTo } from './pack-format.ts'
import type { ReadableFile } from './read-object.ts'

interface Packs {
  readonly files: FileOperations
  /** The folder of packs. */
  readonly folder: string
  /** Whether the owner process of a file no longer runs. `writtenAt` is the file's last write. */
  readonly isGone: (owner: string, writtenAt: number) => boolean
}

/** Suffix of the copy's name, followed by a random text: no two processes write to the same copy. */
const copying = '.copy'
const copyChunk = 1024 * 1024
/** The unit in which a file system reports the disk space of a file. */
const blockSize = 512

/** Returns a function that frees the space of all packs except those that this process writes. */
export function createPackCompaction(packs: Packs): (mine: ReadonlySet<string>) => Promise<void> {
  const { files, folder } = packs
  /** Packs with little to free, and their last write at that time: they are not read again until they change. */
  let lookedAt = new Map<string, number>()
  return async (mine) => {
    const before = lookedAt
    lookedAt = new Map()
    for (const name of await files.readdir(folder)) {
      // An unfinished copy.
      if (name.endsWith(copying)) await files.unlink(join(folder, name)).catch(unlessGone)
      if (!idForm.test(name) || mine.has(name)) continue
      const file = await files.openToRead(join(folder, name)).catch(unlessGone)
      if (file === undefined) continue
      try {
        const stats = await file.stat()
        if (before.get(name) === stats.mtimeMs || (await giveBackOf(file, { ...packs, id: name }, stats))) {
          lookedAt.set(name, stats.mtimeMs)
        }
      } finally {
        await file.close()
      }
    }
  }
}

/**
 * Frees the space of one pack that nobody writes to, if at least half of its disk space can be freed. Returns whether
 * nothing is left to do until the pack is written again.
 */
async function giveBackOf(
  file: ReadableFile,
  { files, folder, id, isGone }: Packs & { id: string },
  { blocks, mtimeMs, size }: Stats,
): Promise<boolean> {
  const [word, owner = ''] = (await readUpTo(file, Buffer.alloc(page), 0)).toString('latin1').split('\n')
  // An interrupted preallocation may have written no owner. Then the age decides.
  if (word !== full && !((word === beingWritten || owner === '') && isGone(owner, mtimeMs))) return false

  const removed: { readonly from: number; readonly to: number }[] = []
  for await (const { at, head } of headsOf(file, id)) {
    if (head.isGone) removed.push({ from: at, to: at + headSize + head.size })
  }
  // Only removed records and zeros can be dropped. Everything else stays, even what is not a readable record.
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
      // Keeps the file length: the last content may end in zeros.
      if (end < size) await writeAll(copy, Buffer.alloc(1), size - 1)
      await copy.sync()
    } finally {
      await copy.close()
    }
    // The copy no longer exists if another process considered it abandoned.
    await files.rename(copyPath, path).catch(unlessGone)
    await syncFolder(files, folder)
  }
  return true
}

/**
 * Yields the runs of pages that are not zero once removed records are left out. Each run is valid until the next one is
 * requested.
 */
async function* withoutRemoved(
  file: ReadableFile,
  removed: readonly { readonly from: number; readonly to: number }[],
): AsyncGenerator<{ at: number; bytes: Buffer }> {
  const buffer = Buffer.allocUnsafeSlow(copyChunk)
  let next = 0
  for (let at = 0; ; at += copyChunk) {
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
