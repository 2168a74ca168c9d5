// What everything that writes files for contents shares: large reads and writes, hashed on the way, and synced folders.
import { createHash } from 'node:crypto'
import type { BlockSums } from './block-sums.ts'
import type { FileOperations, OpenFile } from './file-operations.ts'

/** Small chunks of a body are gathered to this size before they are written. */
const writeSize = 512 * 1024

/**
 * Writes a stream to its end from a position on, at most so many bytes, and sums its blocks where that is wanted; answers
 * what was written. Does not sync.
 */
export async function pour(
  handle: OpenFile,
  content: AsyncIterable<Uint8Array>,
  { at, most, sums }: { at: number; most: number; sums?: BlockSums },
): Promise<{ size: number; sha256: Buffer }> {
  const hash = createHash('sha256')
  let size = 0
  let written = 0
  let held = 0
  // Two buffers take turns: the next part is read and hashed into one while the other is being written. New ones for every
  // write would keep the garbage collector running.
  let [filling, other]: (Buffer | undefined)[] = []
  let writing = Promise.resolve()
  const flush = (bytes: Buffer): void => {
    writing = writeAll(handle, bytes.subarray(0, held), at + written)
    writing.catch(() => {})
    written += held
    held = 0
    ;[filling, other] = [other, bytes]
  }
  try {
    for await (const chunk of content) {
      size += chunk.length
      if (size > most) throw new Error('more bytes than there is place for')
      hash.update(chunk)
      sums?.add(chunk)
      for (let from = 0; from < chunk.length; ) {
        filling ??= Buffer.allocUnsafeSlow(writeSize)
        const taken = chunk.subarray(from, from + writeSize - held)
        filling.set(taken, held)
        held += taken.length
        from += taken.length
        if (held < writeSize) continue
        await writing
        flush(filling)
      }
    }
    await writing
    if (filling !== undefined) flush(filling)
    await writing
  } finally {
    // Whoever closes the file must not do so under a write.
    await writing.catch(() => {})
  }
  return { size, sha256: hash.digest() }
}

/**
 * Reads the beginning of a stream: all its bytes where they are few, else a stream of the same, to be read or left. A
 * stream may hold a file open, which ends the process when it is forgotten.
 */
export async function begin(
  content: AsyncIterable<Uint8Array>,
  most: number,
): Promise<{ bytes: Uint8Array } | { content: AsyncIterable<Uint8Array>; leave: () => Promise<unknown> }> {
  const rest = content[Symbol.asyncIterator]()
  const read: Uint8Array[] = []
  for (let size = 0; size <= most; ) {
    const next = await rest.next()
    if (next.done === true) return { bytes: read.length === 1 && read[0] !== undefined ? read[0] : Buffer.concat(read) }
    read.push(next.value)
    size += next.value.length
  }
  return {
    // A generator that was never begun does not come to its end when it is left.
    leave: async () => rest.return?.(),
    content: (async function* () {
      try {
        yield* read
        yield* { [Symbol.asyncIterator]: () => rest }
      } finally {
        // Where nobody reads on, the source hears of it.
        await rest.return?.()
      }
    })(),
  }
}

/** Writes all of the bytes from a position of the file on. */
export async function writeAll(handle: OpenFile, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    at += (await handle.write(bytes, at, bytes.length - at, position + at)).bytesWritten
  }
}

/** Makes renames and new names in a folder durable. */
export async function syncFolder(files: FileOperations, folder: string): Promise<void> {
  const handle = await files.open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The system's name for what went wrong. */
export function codeOf(error: unknown): string | undefined {
  return (error as { code?: string } | null)?.code
}

/** Nothing, where a file has gone meanwhile. */
export function unlessGone(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}
