// Mail servers for tests: a working one that stores the mails it receives, and broken ones.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'

/** A received mail. */
export interface Arrived {
  readonly from: string
  readonly to: readonly string[]
  readonly source: string
  readonly user: string
}

export interface TestMailServer {
  readonly port: number
  readonly mails: Arrived[]
  /** Resolves with the first mail, past or future, that passes the test. */
  next(test: (mail: Arrived) => boolean): Promise<Arrived>
}

/** Starts a mail server that stops when the test ends. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<TestMailServer> {
  const mails: Arrived[] = []
  const waiting: { test: (mail: Arrived) => boolean; resolve: (mail: Arrived) => void }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const mail = {
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString(),
          user: String(session.user ?? ''),
        }
        mails.push(mail)
        done()
        for (const one of waiting) if (one.test(mail)) one.resolve(mail)
      })
    },
    ...options,
  })
  // Errors of a disconnecting client are ignored.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    next(test) {
      const arrived = mails.find(test)
      if (arrived !== undefined) return Promise.resolve(arrived)
      return new Promise((resolve) => waiting.push({ test, resolve }))
    },
  }
}

/** Listens and handles each connection with `meet`; stops when the test ends. */
export async function startWrongServer(meet: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    meet(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** The readable text of a mail: its parts, decoded. */
export function readMail(source: string): string {
  const words = source.replaceAll(/=\?UTF-8\?(B|Q)\?([^?]*)\?=\s*/gi, (_, kind: string, coded: string) =>
    kind.toUpperCase() === 'B' ? Buffer.from(coded, 'base64').toString() : fromQuoted(coded.replaceAll('_', ' ')),
  )
  let encoding = ''
  return words
    .split(/\r\n\r\n/)
    .map((part) => {
      // The text after the end of a part is the header of the next one.
      const [body = '', ...heads] = part.split(/\r\n(?=--)/)
      const read =
        encoding === 'base64'
          ? Buffer.from(body, 'base64').toString()
          : encoding === 'quoted-printable'
            ? fromQuoted(body)
            : body
      const next = /transfer-encoding: ([\w-]+)/i.exec(part)?.[1]?.toLowerCase()
      if (next !== undefined || heads.length > 0) encoding = next ?? ''
      return [read, ...heads].join('\n')
    })
    .join('\n')
}

const fromQuoted = (coded: string): string =>
  Buffer.from(
    coded
      .replaceAll(/=\r\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()
