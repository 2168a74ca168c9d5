/*
 * Sends one mail over one connection. The server may hang, send slowly or break the protocol: every wait and the whole
 * exchange have a timeout, and an answer has a maximum size.
 */
import type { NodemailerError } from 'nodemailer'
import MailComposer from 'nodemailer/lib/mail-composer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { MailFailure, problemOf } from './problems.ts'

/** Timeouts of a mail server. */
export interface MailTimes {
  /** Until the first answer, and between two answers. */
  readonly idleMs: number
  /** For the whole exchange. */
  readonly wholeMs: number
}

export const usualMailTimes: MailTimes = { idleMs: 10_000, wholeMs: 30_000 }

/** The configured mail server. */
export interface MailServer {
  readonly host: string
  readonly port: number
  readonly security: 'starttls' | 'tls' | 'plain'
  readonly account: string
  readonly password: string
}

/** A mail in its sent form. */
export interface OutgoingMail {
  readonly id: string
  readonly from: { readonly name: string; readonly address: string }
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string | undefined
  readonly language: string
}

const longestAnswer = 64 * 1024

/** Sends a mail to the server. Rejects with a {@link MailFailure}. */
export async function sendMail(
  server: MailServer,
  mail: OutgoingMail,
  times: MailTimes,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  const { from, to, subject, text, html } = mail
  const message = await new MailComposer({
    messageId: `<${mail.id}@${from.address.split('@')[1] ?? 'localhost'}>`,
    from,
    to: { name: '', address: to },
    subject,
    text,
    ...(html === undefined ? {} : { html }),
    headers: { 'Content-Language': mail.language, 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build()
  const connection = new SMTPConnection({
    host: server.host,
    port: server.port,
    secure: server.security === 'tls',
    requireTLS: server.security === 'starttls',
    ignoreTLS: server.security === 'plain',
    dnsTimeout: times.idleMs,
    connectionTimeout: times.idleMs,
    greetingTimeout: times.idleMs,
    socketTimeout: times.idleMs,
    socketCloseTimeout: 0,
    maxResponseSize: longestAnswer,
  })
  const steps = async (): Promise<void> => {
    await step((done) => connection.connect(done))
    if (server.account !== '') {
      const { account: user, password: pass } = server
      await step((done) => connection.login({ user, pass }, done))
    }
    await step((done) => connection.send({ from: from.address, to: [to] }, message, done))
  }
  const ended = Promise.withResolvers<never>()
  connection.on('error', (error: NodemailerError) => ended.reject(problemOf(error)))
  const late = setTimeout(() => ended.reject(new MailFailure('silent')), times.wholeMs)
  const stop = (): void => ended.reject(signal.reason)
  signal.addEventListener('abort', stop)
  try {
    await Promise.race([steps(), ended.promise])
    connection.quit()
  } finally {
    clearTimeout(late)
    signal.removeEventListener('abort', stop)
    connection.close()
  }
}

/** Converts a callback step of the library to a promise. */
function step(begin: (done: (error?: Parameters<typeof problemOf>[0] | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    begin((error) => {
      if (error === undefined || error === null) resolve()
      else reject(problemOf(error))
    })
  })
}
