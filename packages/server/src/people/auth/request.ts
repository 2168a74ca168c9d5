/*
 * Maps a request to its actor. Programs send a bearer token. Browsers hold the token in an HttpOnly, SameSite=Strict
 * cookie, which is accepted only together with the header `x-cloudoc-client: web`: no page of another site can send
 * that header. A page states in `x-cloudoc-account` which account it shows; if another account is signed in in that
 * browser, the request is refused. Stream calls also accept `access_token` in the query: a ticket, or the session token
 * as documented (X36).
 */
import { randomBytes } from 'node:crypto'
import { fail } from '@cloudoc/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccountActor, Limit } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import type { Invalidations } from '../../core/db/invalidations.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import { assertAddress } from './addresses.ts'
import type { Sessions } from './sessions.ts'

export const sessionCookie = 'cloudoc_session'
const captchaCookie = 'cloudoc_captcha'
/**
 * Tells the page's scripts which account is signed in, so that a page without a session does not request account data.
 * It proves nothing.
 */
const accountCookie = 'cloudoc_account'
/** Identifies a browser, for its device keys. */
const deviceCookie = 'cloudoc_device'

/** Returns one cookie of a request. */
export function cookieOf(request: { headers: { cookie?: string | undefined } }, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=')
    if (part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return undefined
}

const fromWebClient = (request: FastifyRequest): boolean => request.headers['x-cloudoc-client'] === 'web'

/** The bearer token of a program, which knows its token and sends it itself. */
export function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

/** The token in the headers of instant messaging: `token` and `apiToken` under its base path ([R304]). */
function talkTokenOf({ url, headers }: FastifyRequest): string | undefined {
  if (!url.startsWith('/im/')) return undefined
  const token = headers['token'] ?? headers['apitoken']
  return typeof token === 'string' && token !== '' ? token : undefined
}

/**
 * The account and the token that WebDAV clients send as user name and password. Programs that know only this scheme use
 * it; pages and calls do not take it.
 */
export function basicOf({ url, headers }: FastifyRequest): { account: string; token: string } | undefined {
  const sent = isDav(url) ? /^Basic\s+([A-Za-z0-9+/=]+)$/i.exec(headers.authorization ?? '')?.[1] : undefined
  if (sent === undefined) return undefined
  const [account = '', ...rest] = Buffer.from(sent, 'base64').toString('utf8').split(':')
  return { account, token: rest.join(':') }
}

const isDav = (url: string): boolean => /^\/dav(?:[/?]|$)/.test(url)

/** The session token in a request's header or cookie. A cookie does not open WebDAV: another page could cause it. */
export function tokenOf(request: FastifyRequest): string | undefined {
  const sent = bearerOf(request) ?? basicOf(request)?.token ?? talkTokenOf(request)
  if (sent !== undefined || isDav(request.url)) return sent
  return fromWebClient(request) ? cookieOf(request, sessionCookie) : undefined
}

interface StoredTicket {
  readonly sessionId: number
  readonly scope: readonly string[]
  /** The token is an office key for co-editing this file. */
  readonly joined?: number
}

/** Tickets that open a few addresses for a session: downloads, and files on the pages of office servers. */
export const ticketTokens = oneTimeToken<StoredTicket>('ticket')

/** A ticket is valid for the scopes it names, as `action:fType:fId`; `*` stands for all items of a type. */
const toScope =
  (scope: ReadonlySet<string>): Limit =>
  (use) =>
    'item' in use && [use.item.fId, '*'].some((id) => scope.has(`${use.action}:${use.item.fType}:${id}`))
      ? undefined
      : 'noPermission'

/**
 * Reads the actor of a request. Returns undefined if no credential was sent. Afterwards the caches of database content
 * are as current as a fresh read (`Invalidations.catchUp`), unless `lately` was requested.
 */
export async function authenticate(
  parts: { db: Db; sessions: Sessions; invalidations: Invalidations; now: () => number },
  request: FastifyRequest,
  options: { query: boolean; lately?: boolean },
): Promise<AccountActor | undefined> {
  const now = parts.now()
  const token = tokenOf(request)
  const inQuery = options.query ? (request.query as { access_token?: unknown }).access_token : undefined
  // Office servers send their key in both the header and the query.
  if (token !== undefined && token !== inQuery) {
    const actor = await (options.lately === true
      ? parts.sessions.lately(token, now)
      : parts.sessions.byToken(token, now))
    assertAddress(actor.settings, request.ip)
    // The page shows another account: a sign-in in another tab has replaced the browser's session.
    const shown = request.headers['x-cloudoc-account']
    return shown === undefined || shown === String(actor.accountId) ? actor : fail('notLoggedIn')
  }
  if (inQuery === undefined) return undefined
  if (typeof inQuery !== 'string') return fail('badRequest', 'access_token')
  const ticket = await ticketTokens.peek(parts.db, inQuery, now)
  if (ticket === undefined) {
    const actor = await parts.sessions.byToken(inQuery, now)
    assertAddress(actor.settings, request.ip)
    return actor
  }
  const [actor] = await Promise.all([parts.sessions.byId(ticket.sessionId, now), parts.invalidations.catchUp()])
  assertAddress(actor.settings, request.ip)
  const joined = ticket.joined === undefined ? {} : { joined: ticket.joined }
  return { ...actor, limit: toScope(new Set(ticket.scope)), ...joined }
}

const readable = (request: FastifyRequest): string =>
  `Path=/; SameSite=Strict${request.protocol === 'https' ? '; Secure' : ''}`
const attributes = (request: FastifyRequest): string => `${readable(request)}; HttpOnly`
const month = 30 * 24 * 3600

/** Sets the session cookie if the caller is a browser; returns whether it is one. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { token, accountId }: { readonly token: string; readonly accountId: number },
): boolean {
  if (!fromWebClient(request)) return false
  reply.header('set-cookie', `${sessionCookie}=${token}; ${attributes(request)}; Max-Age=${month}`)
  reply.header('set-cookie', `${accountCookie}=${accountId}; ${readable(request)}; Max-Age=${month}`)
  return true
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('set-cookie', `${sessionCookie}=; ${attributes(request)}; Max-Age=0`)
  reply.header('set-cookie', `${accountCookie}=; ${readable(request)}; Max-Age=0`)
}

export function setCaptchaCookie(request: FastifyRequest, reply: FastifyReply, id: string): void {
  reply.header('set-cookie', `${captchaCookie}=${id}; ${attributes(request)}; Max-Age=300`)
}

/** Returns the browser's device name; generates and sets one if it has none. */
export function deviceFor(request: FastifyRequest, reply: FastifyReply): string {
  const device = deviceOf(request) ?? randomBytes(24).toString('base64url')
  reply.header('set-cookie', `${deviceCookie}=${device}; ${attributes(request)}; Max-Age=${month}`)
  return device
}

export const deviceOf = (request: FastifyRequest): string | undefined => cookieOf(request, deviceCookie)

export const captchaIdOf = (request: FastifyRequest): string | undefined => cookieOf(request, captchaCookie)
