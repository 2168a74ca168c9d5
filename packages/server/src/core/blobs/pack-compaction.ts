/*
 * Room of contents that were removed from packs (ADR 58): what is needed of a pack is copied to a file with holes, at the
 * same places, which then takes the name.
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
  /** Whether an owner is no more, whose file was last written then. */
  readonly isGone: (owner: string, writtenAt: number) => boolean
}

/** What a pack is copied to has its name with a word and this behind it: no two processes copy to the same file. */
const copying = '.copy'
const copyChunk = 1024 * 1024
/** In what unit a file system tells the room that a file takes. */
const blockSize = 512

/** Answers what gives back room of all packs but those that this process writes. */
export function createPackCompaction(packs: Packs): (mine: ReadonlySet<string>) => Promise<void> {
  const { files, folder } = packs
  /** Packs that were as full as they should be, and when they were last written to then: they are not read again. */
  let lookedAt = new Map<string, number>()
  return async (mine) => {
    const before = lookedAt
    lookedAt = new Map()
    for (const name of await files.readdir(folder)) {
      // A copy that was not finished.
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
 * Gives back the room of one pack that nobody writes to, where that is at least half of what it takes. Answers whether
 * there is nothing more to do as long as nobody writes there.
 */
async function giveBackOf(
  file: ReadableFile,
  { files, folder, id, isGone }: Packs & { id: string },
  { blocks, mtimeMs, size }: Stats,
): Promise<boolean> {
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
