// A conversation with clamd: one content by its command INSTREAM, on a connection of its own.
import { connect, type Socket } from 'node:net'
import type { ClamdAddress } from '../../core/services.ts'

const chunkBytes = 64 * 1024
/** So long clamd may say nothing. */
const silenceMs = 120_000
const longestAnswer = 4096

/** Clamd could not say whether a content is harmful; `tooLarge` it will not say ever. */
export class ScanFailed extends Error {
  override name = 'ScanFailed'
  readonly tooLarge: boolean

  constructor(message: string, tooLarge = false) {
    super(message)
    this.tooLarge = tooLarge
  }
}

/** What clamd calls what it finds in a content; undefined where it finds nothing. */
export async function scanContent(
  address: ClamdAddress,
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const socket = connect({ ...address })
  const end = (): void => void socket.destroy(new ScanFailed('called off'))
  signal.addEventListener('abort', end, { once: true })
  socket.setTimeout(silenceMs, () => socket.destroy(new ScanFailed('clamd says nothing')))
  const answer = answerOf(socket)
  // Where the conversation breaks off, the answer tells why.
  answer.catch(() => {})
  try {
    if (signal.aborted) end()
    await send(socket, Buffer.from('zINSTREAM\0'))
    for await (const bytes of content) {
      for (let at = 0; at < bytes.length; at += chunkBytes) {
        const chunk = bytes.subarray(at, at + chunkBytes)
        await send(socket, lengthOf(chunk.length))
        await send(socket, chunk)
      }
      // It refuses what is longer than it reads, before the end.
      if (socket.readableEnded || socket.destroyed) break
    }
    if (!socket.destroyed) await send(socket, lengthOf(0))
    return read(await answer)
  } catch (error) {
    // An answer that came before the end says more than a write that failed.
    const said = await answer.catch(() => undefined)
    if (said !== undefined && said !== '') return read(said)
    throw error
  } finally {
    signal.removeEventListener('abort', end)
    socket.destroy()
  }
}

function lengthOf(bytes: number): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(bytes)
  return head
}

const send = (socket: Socket, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()))
  })

function answerOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    socket.on('data', (bytes: Buffer) => {
      said += bytes.toString()
      if (said.includes('\0') || said.length > longestAnswer) resolve(said.split('\0')[0] ?? '')
    })
    socket.once('end', () => resolve(said))
    socket.once('error', reject)
    socket.once('close', () => reject(new ScanFailed('clamd has closed the connection')))
  })
}

function read(answer: string): string | undefined {
  const said = answer.trim()
  if (said.endsWith(': OK')) return undefined
  const found = /: (.+) FOUND$/.exec(said)?.[1]
  if (found !== undefined) return found.slice(0, 200)
  throw new ScanFailed(`clamd answers ${JSON.stringify(said.slice(0, 200))}`, /size limit exceeded/i.test(said))
}
