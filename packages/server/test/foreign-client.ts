/*
 * A client of the old channel as a third party would write it, from the decisions ("Binary push framing", "JSON
 * channel") alone. It imports nothing of this repository.
 */
import { once } from 'node:events'
import { WebSocket } from 'ws'

export interface ForeignPush {
  readonly pushType: number
  readonly identity: bigint
  readonly body: unknown
}

/** Builds a frame: a header of 13 bytes, and the body. */
export function foreignFrame(pushType: number, identity: bigint, body: string): Buffer {
  const text = Buffer.from(body, 'utf8')
  const header = Buffer.alloc(13)
  header.writeUInt32BE(text.length, 0)
  header.writeUInt8(pushType, 4)
  header.writeBigUInt64BE(identity, 5)
  return Buffer.concat([header, text])
}

export function readForeign(bytes: Buffer): ForeignPush {
  const length = bytes.readUInt32BE(0)
  if (bytes.length !== 13 + length) throw new Error(`${bytes.length} bytes are no frame with a body of ${length}`)
  const body = bytes.subarray(13).toString('utf8')
  return {
    pushType: bytes.readUInt8(4),
    identity: bytes.readBigUInt64BE(5),
    body: body === '' ? undefined : (JSON.parse(body) as unknown),
  }
}

export class ForeignClient {
  readonly socket: WebSocket
  readonly pushes: ForeignPush[] = []
  readonly closed: Promise<number>
  private readonly waiting = new Set<() => void>()

  private constructor(socket: WebSocket) {
    this.socket = socket
    this.closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => undefined)
    socket.on('message', (bytes: Buffer, isBinary: boolean) => {
      if (!isBinary) throw new Error('the old channel sends no text')
      this.pushes.push(readForeign(bytes))
      for (const look of this.waiting) look()
    })
  }

  /** Connects with host and port only, as the decisions describe. */
  static async connect(
    port: number,
    path = '',
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ForeignClient> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers })
    const client = new ForeignClient(socket)
    await once(socket, 'open')
    return client
  }

  login(as: { accountId: number; token: string; lastIdentity?: string; [more: string]: unknown }): this {
    const said = { clientType: 1, serverId: 0, machineId: 'a-machine', lastIdentity: '', ...as }
    this.socket.send(foreignFrame(18, 0n, JSON.stringify(said)))
    return this
  }

  heartbeat(): void {
    this.socket.send(foreignFrame(1, 0n, ''))
  }

  /** Resolves with the first push, past or future, that has the type and passes the test. */
  async next(pushType: number, holds: (body: never, push: ForeignPush) => boolean = () => true): Promise<ForeignPush> {
    const found = Promise.withResolvers<ForeignPush>()
    const look = (): void => {
      const push = this.pushes.find((one) => one.pushType === pushType && holds(one.body as never, one))
      if (push === undefined) return
      this.waiting.delete(look)
      found.resolve(push)
    }
    this.waiting.add(look)
    look()
    return found.promise
  }

  close(): Promise<number> {
    this.socket.close()
    return this.closed
  }
}
