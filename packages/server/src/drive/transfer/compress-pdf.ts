/*
 * Compressed downloads ([R203]): a PDF is made smaller by compress-pdf-process.ts and answered from memory, or, whatever
 * goes wrong with that, as it is stored. It runs in a process of its own, not in a worker: a thread whose heap a hostile
 * document fills takes the whole server with it, and what a thread has asked of libvips ends only when it is done.
 */
import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import type { Contents } from '../../core/blobs/contents.ts'
import type { Context } from '../../core/call/context.ts'
import { type Limits, runConfined, siblingProgram } from '../../core/confined/confined.ts'
import type { Log } from '../../core/log.ts'
import { createSemaphore } from '../../core/semaphore.ts'
import { type StoredContent, sendWhole } from './send-content.ts'

/** Bytes of the largest PDF that is made smaller: its process takes several times as many. */
const largest = 100 * 1024 * 1024
/** Megabytes of objects that a process may have, beside the document's bytes. */
const heap = 512
/** Megabytes of everything else: the document several times over, and pixels. */
const otherMb = (size: number): number => 1024 + Math.ceil((8 * size) / (1024 * 1024))
/** So many are made smaller at once, one processor left to everything else; whoever waits longer gets what is stored. */
const concurrency = Math.max(1, Math.min(2, availableParallelism() - 1))
/** Together less than a proxy waits for an answer to begin (deploy/nginx.conf). */
const waitMs = 30_000
const workMs = 60_000
/** Bytes that wait in memory for slow receivers; what would be more is answered as it is stored. */
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

/** Writes the answer; resolves when it has been sent or the client is gone, with whom the work ends. */
export async function sendCompressed(
  context: Context,
  contents: Contents,
  content: StoredContent,
  log: Log,
): Promise<void> {
  if (context.request.method === 'HEAD') return sendWhole(context, content.name, undefined)
  const gone = new AbortController()
  const { socket } = context.request.raw
  const onClose = (): void => gone.abort()
  socket.once('close', onClose)
  try {
    const bytes = await smallerOf(contents, content, gone.signal, log)
    if (bytes !== undefined && buffered + bytes.length <= maxBuffered) {
      buffered += bytes.length
      try {
        return await sendWhole(context, content.name, { length: bytes.length, chunks: [bytes] })
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

/** The smaller PDF; undefined where there is none, also because it would take too much, or because nobody waits for it. */
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
