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

/** Whether our page sent the request; no page of another site can. */
export const isFromPage = (request: FastifyRequest): boolean => request.headers['x-cloudoc-client'] === 'web'

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

/** How a request carries its token. */
type TokenSource = 'header' | 'cookie' | 'basic'

/** Below this address programs sign in with the account and an app password (RFC 7617). */
export const appPasswordPath = '/dav'

/** The account and the app password of a request, at the only address that takes them. */
function basicOf({
  url,
  headers,
}: FastifyRequest): { readonly account: string; readonly password: string } | undefined {
  const path = url.split('?')[0] ?? ''
  if (path !== appPasswordPath && !path.startsWith(`${appPasswordPath}/`)) return undefined
  const [, encoded] = /^Basic\s+(\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const at = text.indexOf(':')
  return at < 0 ? undefined : { account: text.slice(0, at), password: text.slice(at + 1) }
}

/** The token of a request, and where it was. */
function carriedToken(request: FastifyRequest): { token: string; source: TokenSource; account?: string } | undefined {
  const inHeader = bearerOf(request) ?? talkTokenOf(request)
  if (inHeader !== undefined) return { token: inHeader, source: 'header' }
  const basic = basicOf(request)
  if (basic !== undefined) return { token: basic.password, source: 'basic', account: basic.account }
  const inCookie = isFromPage(request) ? cookieOf(request, sessionCookie) : undefined
  return inCookie === undefined ? undefined : { token: inCookie, source: 'cookie' }
}

/** The session token in a request's header or cookie. */
export function tokenOf(request: FastifyRequest): string | undefined {
  return carriedToken(request)?.token
}

/**
 * A token of a program is good in the header alone, so it opens no page and stands in no address; an app password is good
 * as the password of its account alone.
 */
function assertCarriedWell({ program, account }: AccountActor, source: TokenSource | 'query', named?: string): void {
  const expected = program === undefined ? undefined : program.kind === 'app' ? 'basic' : 'header'
  const isWell = expected === undefined ? source !== 'basic' : source === expected
  const isOwn = named === undefined || foldedAccount(named) === foldedAccount(account)
  if (!isWell || !isOwn) fail('notLoggedIn')
}

const foldedAccount = (account: string): string => account.normalize('NFKC').toLowerCase().trim()

interface StoredTicket {
  readonly sessionId: number
  readonly scope: readonly string[]
  /** The token is an office key for co-editing this file. */
  readonly joined?: number
}

/** Tickets that open a few addresses for a session: downloads, and files on the pages of office servers. */
export const ticketTokens = oneTimeToken<StoredTicket>('ticket')

/**
 * A ticket is valid for the scopes it names, as `action:fType:fId`, or `action:kind:id` for objects of other kinds; `*`
 * stands for all items of a type.
 */
const toScope =
  (scope: ReadonlySet<string>): Limit =>
  (use) => {
    const isNamed =
      'item' in use
        ? [use.item.fId, '*'].some((id) => scope.has(`${use.action}:${use.item.fType}:${id}`))
        : scope.has(`${use.action}:${use.object.kind}:${use.id}`)
    return isNamed ? undefined : 'noPermission'
  }

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
  const carried = carriedToken(request)
  const token = carried?.token
  const inQuery = options.query ? (request.query as { access_token?: unknown }).access_token : undefined
  // Office servers send their key in both the header and the query.
  if (carried !== undefined && token !== undefined && token !== inQuery) {
    const actor = await (options.lately === true
      ? parts.sessions.lately(token, now)
      : parts.sessions.byToken(token, now))
    assertCarriedWell(actor, carried.source, carried.account)
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
    assertCarriedWell(actor, 'query')
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
  if (!isFromPage(request)) return false
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
