/*
 * Compressed downloads ([R203]): a PDF is made smaller by compress-pdf-process.ts and answered from memory, or, whatever
 * goes wrong with that, as it is stored. It runs in a process of its own, not in a worker: a thread whose heap a hostile
 * document fills takes the whole server with it, and what a thread has asked of libvips ends only when it is done.
 */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import type { Contents } from '../../core/blobs/contents.ts'
import type { Context } from '../../core/call/context.ts'
import type { Log } from '../../core/log.ts'
import { type StoredContent, sendWhole } from './send-content.ts'

/** Bytes of the largest PDF that is made smaller: its process takes several times as many. */
const largest = 100 * 1024 * 1024
/** Megabytes of objects that a process may have, beside the document's bytes. */
const heap = 512
/** So many are made smaller at once, one processor left to everything else; whoever waits longer gets what is stored. */
const atOnce = Math.max(1, Math.min(2, availableParallelism() - 1))
/** Together less than a proxy waits for an answer to begin (deploy/nginx.conf). */
const waitMs = 30_000
const workMs = 60_000
/** Bytes that wait in memory for slow receivers; what would be more is answered as it is stored. */
const mostHeld = 128 * 1024 * 1024

/** Beside the bundle in a release, beside this file in a checkout. */
const program = fileURLToPath(
  new URL(`./compress-pdf-process.${import.meta.url.endsWith('.ts') ? 'ts' : 'mjs'}`, import.meta.url),
)

let free = atOnce
const waiting: (() => void)[] = []
let held = 0

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
    if (bytes !== undefined && held + bytes.length <= mostHeld) {
      held += bytes.length
      try {
        return await sendWhole(context, content.name, { length: bytes.length, chunks: [bytes] })
      } finally {
        held -= bytes.length
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
  if (content.size > largest || !(await getPlace(AbortSignal.any([gone, AbortSignal.timeout(waitMs)]))))
    return undefined
  try {
    await using object = await contents.open(content)
    return await run(Readable.from(object, { objectMode: false }), content.size, gone)
  } catch (error) {
    if (!gone.aborted) log.warn({ err: error, call: 'downloadCompression' }, 'a PDF is answered as it is stored')
    return undefined
  } finally {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }
}

/** Waits in line; whether it came to a place before the signal. Whoever is done hands its place to the next. */
async function getPlace(signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false
  if (free > 0) {
    free -= 1
    return true
  }
  return new Promise((resolve) => {
    const come = (): void => {
      signal.removeEventListener('abort', leave)
      resolve(true)
    }
    const leave = (): void => {
      waiting.splice(waiting.indexOf(come), 1)
      resolve(false)
    }
    signal.addEventListener('abort', leave, { once: true })
    waiting.push(come)
  })
}

/** Gives the bytes to a process and takes what it answers; when this settles, the process has ended. */
async function run(bytes: Readable, size: number, gone: AbortSignal): Promise<Buffer | undefined> {
  const child = spawn(process.execPath, [`--max-old-space-size=${heap}`, program], {
    // What is in the server's environment is no business of who reads what people uploaded.
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    signal: AbortSignal.any([gone, AbortSignal.timeout(workMs)]),
    killSignal: 'SIGKILL',
  })
  let failure: Error | undefined
  child.once('error', (error) => {
    failure = error
  })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  try {
    const [answer] = await Promise.all([answerOf(child.stdout, size), pipeline(bytes, child.stdin), closed])
    if (failure !== undefined) throw failure
    if (child.exitCode !== 0) throw new Error(`it ended with ${child.exitCode ?? child.signalCode}`)
    return answer.length === 0 ? undefined : answer
  } catch (error) {
    throw failure ?? error
  } finally {
    child.kill('SIGKILL')
    await closed
  }
}

async function answerOf(output: AsyncIterable<Buffer>, size: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of output) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= size) throw new Error('it made the PDF larger')
  }
  return Buffer.concat(chunks)
}
