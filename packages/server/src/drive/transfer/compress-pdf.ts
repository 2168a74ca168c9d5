/*
 * Compressed downloads ([R203]): a PDF is compressed by compress-pdf-process.ts and sent from memory. On any failure it
 * is sent unchanged. The work runs in a separate process and not in a worker: a thread whose heap is exhausted by a
 * hostile document would crash the whole server, and a libvips operation started by a thread cannot be cancelled.
 */
import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import type { Contents } from '../../core/blobs/contents.ts'
import type { Context } from '../../core/call/context.ts'
import { type Limits, runConfined, siblingProgram } from '../../core/confined/confined.ts'
import type { Log } from '../../core/log.ts'
import { createSemaphore } from '../../core/semaphore.ts'
import { type StoredContent, sendWhole } from './send-content.ts'

/** Maximum size in bytes of a PDF to compress; the process needs several times as much memory. */
const largest = 100 * 1024 * 1024
/** Heap limit of the process in megabytes, without the document's bytes. */
const heap = 512
/** Limit in megabytes for all other memory: several copies of the document, and pixels. */
const otherMb = (size: number): number => 1024 + Math.ceil((8 * size) / (1024 * 1024))
/**
 * Number of concurrent compressions; one processor is left for everything else. Requests that wait too long get the
 * stored file.
 */
const concurrency = Math.max(1, Math.min(2, availableParallelism() - 1))
/** Maximum total wait. It stays below the proxy's response timeout (deploy/nginx.conf). */
const waitMs = 30_000
const workMs = 60_000
/** Maximum number of bytes buffered in memory for slow receivers. Above that the file is sent as stored. */
const maxBuffered = 128 * 1024 * 1024

const program = siblingProgram(import.meta.url, 'compress-pdf-process')

const limitsOf = (size: number): Limits => ({
  wallMs: workMs,
  cpuSeconds: workMs / 1000,
  heapMb: heap,
  otherMb: otherMb(size),
  outputBytes: size - 1,
})

const semaphore = createSemaphore(concurrency)
let buffered = 0

/** Sends the response. Resolves when it has been sent or the client has disconnected, which also cancels the work. */
export async function sendCompressed(
  context: Context,
  contents: Contents,
  content: StoredContent,
  log: Log,
): Promise<void> {
  if (context.request.method === 'HEAD') return void (await sendWhole(context, content.name, undefined))
  const gone = new AbortController()
  const { socket } = context.request.raw
  const onClose = (): void => gone.abort()
  socket.once('close', onClose)
  try {
    const bytes = await smallerOf(contents, content, gone.signal, log)
    if (bytes !== undefined && buffered + bytes.length <= maxBuffered) {
      buffered += bytes.length
      try {
        await sendWhole(context, content.name, { length: bytes.length, chunks: [bytes] })
        return
      } finally {
        buffered -= bytes.length
      }
    }
  } finally {
    socket.off('close', onClose)
  }
  await using object = await contents.open(content)
  await sendWhole(context, content.name, { length: content.size, chunks: object.lent() })
}

/** The smaller PDF; undefined if there is none, if it would need too much memory, or if the client has disconnected. */
async function smallerOf(
  contents: Contents,
  content: StoredContent,
  gone: AbortSignal,
  log: Log,
): Promise<Buffer | undefined> {
  if (content.size > largest || !(await semaphore.acquire(AbortSignal.any([gone, AbortSignal.timeout(waitMs)]))))
    return undefined
  try {
    await using object = await contents.open(content)
    const smaller = await runConfined({
      program,
      input: Readable.from(object, { objectMode: false }),
      limits: limitsOf(content.size),
      signal: gone,
    })
    return smaller.length === 0 ? undefined : smaller
  } catch (error) {
    if (!gone.aborted) log.warn({ err: error, call: 'downloadCompression' }, 'a PDF is answered as it is stored')
    return undefined
  } finally {
    semaphore.release()
  }
}
