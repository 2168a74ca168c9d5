// HTTP requests over a bare socket: the client runs on the measured machine, and a more convenient one would use a
// considerable part of it.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A keep-alive connection with one request at a time. */
export class Line {
  private readonly socket: Socket
  private head = ''
  /** Remaining bytes of the body; undefined until the head is complete. */
  private left: number | undefined
  private answered: { resolve: () => void; reject: (error: Error) => void } | undefined

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (chunk: Buffer) => this.take(chunk))
    socket.on('error', (error) => this.answered?.reject(error))
    socket.on('close', () => this.answered?.reject(new Error('the connection was closed')))
  }

  static async open(port: number): Promise<Line> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.setNoDelay(true)
    return new Line(socket)
  }

  /**
   * Sends a request, head and body. Resolves when the complete response has arrived, which must be a success
   * (200 or 201) with a Content-Length.
   */
  ask(bytes: Buffer): Promise<void> {
    this.head = ''
    this.left = undefined
    return new Promise((resolve, reject) => {
      this.answered = { resolve, reject }
      this.socket.write(bytes)
    })
  }

  private take(chunk: Buffer): void {
    let body = chunk
    if (this.left === undefined) {
      this.head += chunk.toString('latin1')
      const end = this.head.indexOf('\r\n\r\n')
      if (end < 0) return
      const [status = ''] = this.head.split('\r\n', 1)
      const length = /\r\ncontent-length: (\d+)/i.exec(this.head.slice(0, end + 2))?.[1]
      if (!/ 20[01] /.test(status) || length === undefined) {
        this.answered?.reject(new Error(this.head.slice(0, 300)))
        return
      }
      this.left = Number(length)
      body = chunk.subarray(chunk.length - (this.head.length - end - 4))
    }
    this.left -= body.length
    if (this.left === 0) this.answered?.resolve()
  }

  close(): void {
    this.answered = undefined
    this.socket.destroy()
  }
}
