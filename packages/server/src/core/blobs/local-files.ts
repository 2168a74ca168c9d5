// What everything that writes files for contents shares: large reads and writes, hashed on the way, and synced folders.
import { createHash } from 'node:crypto'
import type { FileOperations, OpenFile } from './file-operations.ts'

/** Small chunks of a body are gathered to this size before they are written. */
const writeSize = 256 * 1024

/** Writes a stream to its end from a position on, at most so many bytes; answers what was written. Does not sync. */
export async function pour(
  handle: OpenFile,
  content: AsyncIterable<Uint8Array>,
  { at, most }: { at: number; most: number },
): Promise<{ size: number; sha256: Buffer }> {
  const hash = createHash('sha256')
  let size = 0
  let written = 0
  let gathered: Uint8Array[] = []
  let held = 0
  // The next part is read and hashed while one is being written.
  let writing = Promise.resolve()
  const flush = (): void => {
    writing = writeAll(handle, gathered, at + written)
    writing.catch(() => {})
    written += held
    gathered = []
    held = 0
  }
  try {
    for await (const chunk of content) {
      size += chunk.length
      if (size > most) throw new Error('more bytes than there is place for')
      hash.update(chunk)
      gathered.push(chunk)
      held += chunk.length
      if (held >= writeSize) {
        await writing
        flush()
      }
    }
    await writing
    flush()
    await writing
  } finally {
    // Whoever closes the file must not do so under a write.
    await writing.catch(() => {})
  }
  return { size, sha256: hash.digest() }
}

/** Reads the beginning of a stream: all its bytes where they are few, else a stream of the same. */
export async function begin(
  content: AsyncIterable<Uint8Array>,
  most: number,
): Promise<{ bytes: Uint8Array } | { content: AsyncIterable<Uint8Array> }> {
  const rest = content[Symbol.asyncIterator]()
  const read: Uint8Array[] = []
  for (let size = 0; size <= most; ) {
    const next = await rest.next()
    if (next.done === true) return { bytes: read.length === 1 && read[0] !== undefined ? read[0] : Buffer.concat(read) }
    read.push(next.value)
    size += next.value.length
  }
  return {
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

async function writeAll(handle: OpenFile, chunks: readonly Uint8Array[], position: number): Promise<void> {
  if (chunks.length === 0) return
  const bytes = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
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
