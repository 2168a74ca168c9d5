/*
 * Connections to the mail servers that people name. An address of this machine or of a cloud's metadata service is
 * refused, because settings of a mailbox would otherwise probe services that nobody but this machine may reach. Every
 * wait has a time, and failures say what to check.
 */
import { isIP } from 'node:net'
import { ImapFlow } from 'imapflow'
import Pop3Command from 'node-pop3'
import type { NodemailerError } from 'nodemailer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import XOAuth2 from 'nodemailer/lib/xoauth2'
import { allowedAddress, MailFailure, problemOf, type Reaching } from '../../core/mail/index.ts'
import type { Credential } from './credentials.ts'
import type { BoxSettings } from './settings.ts'

/** Until a connection is there and the server has answered. */
const connectMs = 15_000
/** Between two answers of a server that is working. */
const idleMs = 60_000

/** Where a connection goes, for people. */
export const whereOf = ({ host, port }: { readonly host: string; readonly port: number }): string => `${host}:${port}`

/**
 * Opens an IMAP connection, signed in. Close it with `logout` or `close`. `longestIdle`: how long one IDLE lasts on a
 * connection that waits for mail.
 */
export async function openImap(
  box: Pick<BoxSettings, 'receive' | 'login' | 'ssl'>,
  credential: Credential,
  { localHosts, signal }: Reaching,
  longestIdle?: number,
): Promise<ImapFlow> {
  const { host, port } = box.receive
  const client = new ImapFlow({
    host: await allowedAddress(host, localHosts),
    port,
    secure: box.ssl,
    servername: isIP(host) === 0 ? host : undefined,
    auth: {
      user: box.login,
      ...('password' in credential ? { pass: credential.password } : { accessToken: credential.accessToken }),
    },
    // NetEase and others refuse folders to a client that has not named itself.
    clientInfo: { name: 'Cloudoc', version: '1', vendor: 'Cloudoc' },
    logger: false,
    disableAutoIdle: true,
    ...(longestIdle === undefined ? {} : { maxIdleTime: longestIdle }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: idleMs,
    tls: { rejectUnauthorized: !isLocal(host, localHosts) },
  })
  client.on('error', () => {})
  const stop = (): void => client.close()
  signal.addEventListener('abort', stop, { once: true })
  try {
    await client.connect()
    return client
  } catch (error) {
    client.close()
    signal.throwIfAborted()
    throw imapProblem(error)
  }
}

/** A certificate of a server on this machine proves nothing more. */
const isLocal = (host: string, localHosts: readonly string[]): boolean => localHosts.includes(host)

interface ImapError {
  readonly authenticationFailed?: boolean
  readonly responseText?: string
  readonly serverResponseCode?: string
  readonly code?: string
  readonly message?: string
}

/** Maps an error of the IMAP library to a problem that says what to check. */
export function imapProblem(error: unknown): MailFailure {
  if (error instanceof MailFailure) return error
  const {
    authenticationFailed,
    responseText = '',
    serverResponseCode = '',
    code = '',
    message = '',
  } = error as ImapError
  const said = responseText.replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]+/gu, ' ').slice(0, 200)
  // A limit is no wrong password: the mailbox goes on later.
  if (/LIMIT|INUSE|UNAVAILABLE|SERVERBUG/.test(serverResponseCode) || /too many|try again/i.test(said))
    return new MailFailure('limit', said, false, error)
  if (authenticationFailed === true) return new MailFailure('signIn', said, true, error)
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|EPROTO$)/.test(code))
    return new MailFailure('encryption', '', false, error)
  if (/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/.test(code)) return new MailFailure('unreachable', '', false, error)
  if (/ETIMEDOUT|CONNECT_TIMEOUT|GREETING_TIMEOUT|UPGRADE_TIMEOUT/i.test(code) || /timeout/i.test(message))
    return new MailFailure('silent', '', false, error)
  if (said !== '') return new MailFailure('message', said, false, error)
  return new MailFailure('brokeOff', '', false, error)
}

/** A POP3 connection, signed in. */
export async function openPop(
  box: Pick<BoxSettings, 'receive' | 'login' | 'ssl'>,
  credential: Credential,
  { localHosts, signal }: Reaching,
): Promise<Pop3Command> {
  const password = passwordIn(credential)
  const { host, port } = box.receive
  const client = new Pop3Command({
    host: await allowedAddress(host, localHosts),
    port,
    user: box.login,
    password,
    tls: box.ssl,
    timeout: idleMs,
    servername: host,
    tlsOptions: { rejectUnauthorized: !isLocal(host, localHosts), ...(isIP(host) === 0 ? { servername: host } : {}) },
  })
  signal.addEventListener('abort', () => void client.QUIT().catch(() => {}), { once: true })
  try {
    await client.connect()
  } catch (error) {
    signal.throwIfAborted()
    const found = popProblem(error)
    // What another service answers is not shown: people must not read the banners of internal services.
    throw found.code === 'message' ? new MailFailure('noMailServer', '', false, error) : found
  }
  try {
    await client.command('USER', box.login)
    await client.command('PASS', password)
    return client
  } catch (error) {
    await client.QUIT().catch(() => {})
    signal.throwIfAborted()
    const found = popProblem(error)
    throw found.code === 'message' ? new MailFailure('signIn', found.message, true, error) : found
  }
}

/** Maps an error of the POP3 library to a problem. */
export function popProblem(error: unknown): MailFailure {
  if (error instanceof MailFailure) return error
  const { code = '', message = '', eventName = '' } = error as { code?: string; message?: string; eventName?: string }
  const said = message.replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]+/gu, ' ').slice(0, 200)
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|EPROTO$)/.test(code))
    return new MailFailure('encryption', '', false, error)
  if (/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/.test(code)) return new MailFailure('unreachable', '', false, error)
  if (eventName === 'timeout' || /timeout/i.test(message)) return new MailFailure('silent', '', false, error)
  if (['error', 'close', 'end'].includes(eventName)) return new MailFailure('brokeOff', '', false, error)
  return new MailFailure('message', said, false, error)
}

/** What an SMTP server answered to a mail. */
export interface Delivered {
  readonly accepted: readonly string[]
  readonly rejected: readonly string[]
}

/** Runs `work` on an SMTP connection that is signed in. Fails with a {@link MailFailure}. */
export async function withSmtp<T>(
  box: Pick<BoxSettings, 'send' | 'login' | 'ssl'>,
  credential: Credential,
  { localHosts, signal }: Reaching,
  work: (connection: SMTPConnection, step: typeof smtpStep) => Promise<T>,
): Promise<T> {
  if (box.send === undefined) throw new MailFailure('notSetUp', '', true)
  const { host, port } = box.send
  const connection = new SMTPConnection({
    host: await allowedAddress(host, localHosts),
    port,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    secure: box.ssl && port !== 587 && port !== 25,
    requireTLS: box.ssl && (port === 587 || port === 25),
    dnsTimeout: connectMs,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: idleMs,
    socketCloseTimeout: 0,
    maxResponseSize: 64 * 1024,
    tls: { rejectUnauthorized: !isLocal(host, localHosts) },
  })
  const ended = Promise.withResolvers<never>()
  connection.on('error', (error: NodemailerError) => ended.reject(problemOf(error)))
  const stop = (): void => ended.reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  const all = async (): Promise<T> => {
    await smtpStep<undefined>((done) => connection.connect((error) => done(error)))
    // Servers inside a network may take mail without a sign-in.
    const signIn = loginOf(box.login, credential)
    if (!connection.authenticated && signIn !== undefined && 'AUTH' in smtpExtensions(connection))
      await smtpStep<undefined>((done) => connection.login(signIn, (error) => done(error)))
    return work(connection, smtpStep)
  }
  ended.promise.catch(() => {})
  try {
    const made = await Promise.race([all(), ended.promise])
    connection.quit()
    return made
  } finally {
    signal.removeEventListener('abort', stop)
    connection.close()
  }
}

/** How a connection for sending signs in; undefined: not at all. */
function loginOf(user: string, credential: Credential): Parameters<SMTPConnection['login']>[0] | undefined {
  if ('password' in credential) return credential.password === '' ? undefined : { user, pass: credential.password }
  // The token is renewed by credentials.ts, so the library gets one that is valid and nothing to renew it with.
  return { type: 'OAuth2', user, method: 'XOAUTH2', oauth2: new XOAuth2({ user, accessToken: credential.accessToken }) }
}

/** The password; Outlook mailboxes have none, and no protocol that needs one. */
export const passwordIn = (credential: Credential): string => ('password' in credential ? credential.password : '')

/** The extensions that the server has named. */
function smtpExtensions(connection: SMTPConnection): Record<string, true> {
  const { _supportedAuth: methods } = connection as unknown as { readonly _supportedAuth?: readonly string[] }
  return methods !== undefined && methods.length > 0 ? { AUTH: true } : {}
}

/** Whether the server takes addresses with characters outside ASCII before the @ (RFC 6531). */
export function takesUnicodeNames(connection: SMTPConnection): boolean {
  const { _supportedExtensions: extensions } = connection as unknown as {
    readonly _supportedExtensions?: readonly string[]
  }
  return extensions?.includes('SMTPUTF8') === true
}

/** Converts a callback step of the SMTP library to a promise. */
export function smtpStep<T>(begin: (done: (error?: NodemailerError | null, value?: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    begin((error, value) => {
      if (error === undefined || error === null) resolve(value as T)
      else reject(problemOf(error))
    })
  })
}
