// Reading a stored file: large reads, one ahead of the receiver.
import type { FileHandle } from 'node:fs/promises'
import { type ByteRange, NotAsStored, type OpenObject } from './store.ts'

/** Half the system calls of the usual 64 KiB, and level with sendfile from here on. */
const readSize = 512 * 1024

/** A file that is open for reading. */
export type ReadableFile = Pick<FileHandle, 'read' | 'stat' | 'close'>

/** The bytes of an open file, which it closes. */
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

/** With `reuse` two buffers take turns: one for every read costs more than the reads, as the collector runs all the time. */
async function* chunksOf(
  file: ReadableFile,
  start: number,
  end: number,
  close: () => Promise<void>,
  reuse: boolean,
): AsyncGenerator<Uint8Array> {
  const read = (from: number, buffer: Buffer = Buffer.allocUnsafeSlow(Math.min(readSize, end - from + 1))) => {
    const reading = file.read(buffer, 0, Math.min(buffer.length, end - from + 1), from)
    // Whoever leaves before its turn comes does not hear of it.
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

/** Bytes that are in memory. */
export function inMemory(bytes: Buffer, range: ByteRange | undefined): OpenObject {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)
  }
  return { [Symbol.asyncIterator]: chunks, lent: chunks, [Symbol.asyncDispose]: () => Promise.resolve() }
}
