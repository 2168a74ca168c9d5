// The clamd protocol: scans one content with the command INSTREAM, each on its own connection.
import { connect, type Socket } from 'node:net'
import type { ClamdAddress } from '../../core/services.ts'

const chunkBytes = 64 * 1024
/** Timeout if clamd sends nothing. */
const silenceMs = 120_000
const longestAnswer = 4096

/** The scan failed. `tooLarge`: a retry cannot succeed. */
export class ScanFailed extends Error {
  override name = 'ScanFailed'
  readonly tooLarge: boolean

  constructor(message: string, tooLarge = false) {
    super(message)
    this.tooLarge = tooLarge
  }
}

/** Returns clamd's name for the malware in a content; undefined if it is clean. */
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
  // If the connection breaks, the answer contains the reason.
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
      // clamd refuses content beyond its size limit before all of it is sent.
      if (socket.readableEnded || socket.destroyed) break
    }
    if (!socket.destroyed) await send(socket, lengthOf(0))
    return read(await answer)
  } catch (error) {
    // An answer received before the end is more informative than a failed write.
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
