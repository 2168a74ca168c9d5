// Reading a stored file: large reads, with one read ahead of the receiver.
import type { FileHandle } from 'node:fs/promises'
import { type ByteRange, NotAsStored, type OpenObject } from './store.ts'

/** Half the system calls of the usual 64 KiB. From this size on it is as fast as sendfile. */
const readSize = 512 * 1024

/** A file open for reading. */
export type ReadableFile = Pick<FileHandle, 'read' | 'stat' | 'close'>

/** Returns the bytes of an open file, and closes the file at the end. */
export async function objectOf(file: ReadableFile, range: ByteRange | undefined): Promise<OpenObject> {
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= file.close()
    return closing
  }
  try {
    const { start, end } = range ?? { start: 0, end: (await file.stat()).size - 1 }
    return {
      [Symbol.asyncIterator]: () => chunksOf(file, start, end, close, false),
      lent: () => chunksOf(file, start, end, close, true),
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * With `reuse` two buffers alternate. A new buffer for every read costs more than the reads, because the garbage
 * collector runs all the time.
 */
async function* chunksOf(
  file: ReadableFile,
  start: number,
  end: number,
  close: () => Promise<void>,
  reuse: boolean,
): AsyncGenerator<Uint8Array> {
  const read = (from: number, buffer: Buffer = Buffer.allocUnsafeSlow(Math.min(readSize, end - from + 1))) => {
    const reading = file.read(buffer, 0, Math.min(buffer.length, end - from + 1), from)
    // If the reader leaves before it awaits this read, a failure must not be an unhandled rejection.
    reading.catch(() => {})
    return reading
  }
  try {
    let at = start
    let spare: Buffer | undefined
    let reading = at > end ? undefined : read(at)
    while (reading !== undefined) {
      const { bytesRead, buffer } = await reading
      if (bytesRead === 0) throw new NotAsStored('size')
      at += bytesRead
      reading = at > end ? undefined : read(at, spare)
      if (reuse) spare = buffer
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await close()
  }
}

/** An object from bytes in memory. */
export function inMemory(bytes: Buffer, range: ByteRange | undefined): OpenObject {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)
  }
  return { [Symbol.asyncIterator]: chunks, lent: chunks, [Symbol.asyncDispose]: () => Promise.resolve() }
}
