// A mail server for tests: a real one that keeps what it gets, and ones that are none.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'

/** A mail as it came. */
export interface Arrived {
  readonly from: string
  readonly to: readonly string[]
  readonly source: string
  readonly user: string
}

export interface TestMailServer {
  readonly port: number
  readonly mails: Arrived[]
  /** The first mail, arrived or to come, that passes. */
  next(test: (mail: Arrived) => boolean): Promise<Arrived>
}

/** Starts a mail server that ends with the test. */
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
  // What a client does that goes away is none of the test's business.
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

/** Listens and does with each connection as it is told; ends with the test. */
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

/** The text of a mail as a person reads it: its parts, decoded. */
export function readMail(source: string): string {
  const words = source.replaceAll(/=\?UTF-8\?(B|Q)\?([^?]*)\?=\s*/gi, (_, kind: string, coded: string) =>
    kind.toUpperCase() === 'B' ? Buffer.from(coded, 'base64').toString() : fromQuoted(coded.replaceAll('_', ' ')),
  )
  let encoding = ''
  return words
    .split(/\r\n\r\n/)
    .map((part) => {
      // What follows the end of a part are the heads of the next one.
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
