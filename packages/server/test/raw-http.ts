// Handwritten HTTP for requests that no client library sends: broken bodies, cut connections, slow senders.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Person } from './harness.ts'

/** One request over its own socket, and the bytes received. */
export class RawRequest {
  readonly socket: Socket
  private received = ''
  /** Resolves with everything received when the server has closed the connection. */
  readonly ended: Promise<string>

  private constructor(socket: Socket) {
    this.socket = socket
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      this.received += text
      socket.emit('more')
    })
    socket.on('error', () => {})
    this.ended = once(socket, 'close').then(() => this.received)
  }

  /** Sends the head of a request; the body follows by `write`. */
  static async open(
    person: Person,
    method: string,
    path: string,
    headers: Record<string, string | number>,
  ): Promise<RawRequest> {
    const socket = connect(await person.world.port(), '127.0.0.1')
    await once(socket, 'connect')
    const request = new RawRequest(socket)
    const lines = Object.entries({ host: 'x', authorization: `Bearer ${person.token}`, ...headers })
    request.write(`${method} ${path} HTTP/1.1\r\n${lines.map(([k, v]) => `${k}: ${v}`).join('\r\n')}\r\n\r\n`)
    return request
  }

  write(bytes: string | Uint8Array): boolean {
    return this.socket.write(bytes)
  }

  /** Breaks the connection like a crashed client. */
  cut(): void {
    this.socket.destroy()
  }

  /** The status and the parsed body of the response, as soon as it is available. */
  async answer(): Promise<{ status: number; result: number; msg: string }> {
    while (true) {
      const [head = '', body = ''] = this.received.split('\r\n\r\n')
      const length = /content-length: (\d+)/i.exec(head)?.[1]
      if (length !== undefined && body.length >= Number(length)) {
        const envelope = JSON.parse(Buffer.from(body, 'latin1').toString()) as { result: number; msg: string }
        return { status: Number(head.slice(9, 12)), ...envelope }
      }
      await Promise.race([once(this.socket, 'more'), this.ended.then(() => this.stop())])
    }
  }

  private stop(): never {
    throw new Error(`the connection ended before an answer: ${this.received}`)
  }
}
