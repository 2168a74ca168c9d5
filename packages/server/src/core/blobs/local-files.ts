// Shared by all code that writes files for contents: large reads and writes, hashed on the way, and synced folders.
import { createHash } from 'node:crypto'
import type { BlockSums } from './block-sums.ts'
import type { FileOperations, OpenFile } from './file-operations.ts'

/** Small chunks of a body are collected to this size before they are written. */
const writeSize = 512 * 1024

/**
 * Writes a stream to its end from a position on, up to a maximum size, and computes its checksums if wanted. Returns
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
  // Double buffering: the next part is read and hashed into one buffer while the other is written. Allocating a buffer
  // for every write would keep the garbage collector busy.
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
    // The caller must not close the file while a write is running.
    await writing.catch(() => {})
  }
  return { size, sha256: hash.digest() }
}

/**
 * Reads the beginning of a stream. Returns all bytes if they are few. Otherwise returns a stream with the same bytes,
 * to be read or closed by the caller. A stream may hold a file open: an open file that is forgotten ends the process.
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
    // Leaving a generator that never started does not run its `finally`.
    leave: async () => rest.return?.(),
    content: (async function* () {
      try {
        yield* read
        yield* { [Symbol.asyncIterator]: () => rest }
      } finally {
        // If the reader stops early, the source is notified.
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

/** The system's error code of a failure. */
export function codeOf(error: unknown): string | undefined {
  return (error as { code?: string } | null)?.code
}

/** Returns undefined if the file no longer exists. Otherwise throws the error. */
export function unlessGone(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}
