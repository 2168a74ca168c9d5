// Extracts one file of an archive, or renders a preview of it or of a content that is no file of the drive, in a separate
// process and sends it from memory.
import { Readable } from 'node:stream'
import { extNameOf, fail } from '@cloudoc/domain'
import type { Contents } from '../../core/blobs/contents.ts'
import type { Context } from '../../core/call/context.ts'
import { createSemaphore, type Semaphore } from '../../core/semaphore.ts'
import {
  ConfinedFailure,
  type EntryName,
  makeEntryRendition,
  makeRendition,
  Refused,
  readConcurrency,
  takeEntry,
} from '../../documents/index.ts'
import { type StoredContent, sendWhole } from './send-content.ts'

/**
 * Maximum wait for a free slot. With the extraction time it stays below the proxy's response timeout
 * (deploy/nginx.conf).
 */
const waitMs = 20_000

/** Maximum number of bytes buffered in memory for slow receivers. */
const maxBuffered = 256 * 1024 * 1024

const entries = createSemaphore(readConcurrency)
let buffered = 0

/** Sends the response. Resolves when it has been sent or the client has disconnected, which also cancels the work. */
export async function sendEntry(
  context: Context,
  contents: Contents,
  content: StoredContent,
  entry: EntryName,
  as: 'file' | 'rendition' = 'file',
): Promise<void> {
  const name = as === 'file' ? nameOfEntry(entry.path) : 'rendition.bin'
  if (context.request.method === 'HEAD') return void (await sendWhole(context, name, undefined))
  await withEntry(context, contents, content, entry, as, (bytes) =>
    sendWhole(context, name, { length: bytes.length, chunks: [bytes] }),
  )
}

export const nameOfEntry = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Extracts a file when a slot is free and holds it in memory while `work` uses it. */
export async function withEntry<T>(
  context: Context,
  contents: Contents,
  content: StoredContent,
  entry: EntryName,
  as: 'file' | 'rendition',
  work: (bytes: Buffer) => Promise<T>,
): Promise<T> {
  const bytes = await withSemaphore(context, entries, (signal) => unpacked(contents, content, entry, as, signal))
  return whileBuffered(bytes, work)
}

/** A content that is no file of the drive, such as an attachment of a mail. */
export interface LooseContent {
  readonly name: string
  readonly size: number
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Sends what is shown of a content, which is opened when a slot is free. */
export async function sendRendition(
  context: Context,
  open: (signal: AbortSignal) => Promise<LooseContent>,
): Promise<void> {
  const made = await withSemaphore(context, entries, async (signal) => {
    const { name, size, bytes } = await open(signal)
    const source = { content: Readable.from(bytes, { objectMode: false }), size, ext: extNameOf(name).toLowerCase() }
    return refusing(makeRendition(source, { signal }))
  })
  await whileBuffered(made, (bytes) => sendWhole(context, 'rendition.bin', { length: bytes.length, chunks: [bytes] }))
}

/** Counts bytes as buffered while `work` uses them. */
async function whileBuffered<T>(bytes: Buffer, work: (bytes: Buffer) => Promise<T>): Promise<T> {
  if (buffered + bytes.length > maxBuffered) return fail('noConversionLock')
  buffered += bytes.length
  try {
    return await work(bytes)
  } finally {
    buffered -= bytes.length
  }
}

/** Runs `work` when a slot is free. Aborts when the client disconnects. */
export async function withSemaphore<T>(
  context: Context,
  places: Semaphore,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = new AbortController()
  const { socket } = context.request.raw
  const onClose = (): void => gone.abort()
  socket.once('close', onClose)
  try {
    if (!(await places.acquire(AbortSignal.any([gone.signal, AbortSignal.timeout(waitMs)]))))
      return fail('noConversionLock')
    try {
      return await work(gone.signal)
    } finally {
      places.release()
    }
  } finally {
    socket.off('close', onClose)
  }
}

async function unpacked(
  contents: Contents,
  content: StoredContent,
  entry: EntryName,
  as: 'file' | 'rendition',
  signal: AbortSignal,
): Promise<Buffer> {
  await using object = await contents.open(content)
  const ext = extNameOf(content.name).toLowerCase()
  const source = { content: Readable.from(object, { objectMode: false }), size: content.size, ext }
  const make = as === 'file' ? takeEntry : makeEntryRendition
  return (await refusing(make(source, entry, { signal }))) ?? fail('notFound')
}

/** The result of a reader. Its refusals become those of the call. */
async function refusing<T>(making: Promise<T>): Promise<T> {
  try {
    return await making
  } catch (error) {
    if (error instanceof Refused) return fail(error.code)
    if (error instanceof ConfinedFailure) return fail(error.code === 'time' ? 'conversionTimedOut' : 'conversionFailed')
    throw error
  }
}
