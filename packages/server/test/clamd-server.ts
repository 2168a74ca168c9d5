// A minimal clamd for tests: it finds a configured text and records the contents that it receives.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface TestClamd {
  readonly address: { readonly host: string; readonly port: number }
  /** The contents that it received, in order. */
  readonly scanned: string[]
  /** A fixed response that replaces scanning while it is set. */
  answer: string | undefined
  /** Blocks scan requests until the returned function is called. */
  pause(): () => void
}

/** Starts a clamd that reports `virus` in every content with these letters. It stops when the test ends. */
export async function startClamd(virus: string, mostBytes = Number.POSITIVE_INFINITY): Promise<TestClamd> {
  const scanned: string[] = []
  let waiting: Promise<void> = Promise.resolve()
  const sockets = new Set<Socket>()
  const clamd: TestClamd = {
    address: { host: '127.0.0.1', port: 0 },
    scanned,
    answer: undefined,
    pause() {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting = promise
      return resolve
    },
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    let got = Buffer.alloc(0)
    socket.on('data', (bytes: Buffer) => {
      got = Buffer.concat([got, bytes])
      const content = readStream(got)
      if (content === 'more') return
      if (content === 'wrong') return void socket.end('UNKNOWN COMMAND\0')
      if (content.length > mostBytes) return void socket.end('INSTREAM size limit exceeded. ERROR\0')
      scanned.push(content)
      void waiting.then(() =>
        socket.end(`${clamd.answer ?? (content.includes(virus) ? `stream: ${virus} FOUND` : 'stream: OK')}\0`),
      )
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  Object.assign(clamd.address, { port: (server.address() as AddressInfo).port })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return clamd
}

/** Parses the content of an INSTREAM command, once it is complete. */
function readStream(bytes: Buffer): string {
  const command = 'zINSTREAM\0'
  if (bytes.length < command.length) return 'more'
  if (bytes.toString('latin1', 0, command.length) !== command) return 'wrong'
  let content = ''
  for (let at = command.length; at + 4 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    if (length === 0) return content
    content += bytes.toString('latin1', at + 4, at + 4 + length)
    at += 4 + length
  }
  return 'more'
}
