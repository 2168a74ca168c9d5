/*
 * From a request to its actor. Programs send a bearer token. Browsers hold the token in an HttpOnly, SameSite=Strict
 * cookie, which counts only beside the header `x-cloudoc-client: web`: no other site's page can send that header.
 * A page says in `x-cloudoc-account` whom it shows; in a browser where somebody else is signed in it acts for nobody.
 * Stream calls also take `access_token` in the query: a ticket, or the session token as documented (X36).
 */
import { randomBytes } from 'node:crypto'
import { fail } from '@cloudoc/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccountActor, Limit } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import type { Invalidations } from '../../core/db/invalidations.ts'
import { peekToken } from '../../core/one-time-tokens.ts'
import { assertAddress } from './addresses.ts'
import type { Sessions } from './sessions.ts'

export const sessionCookie = 'cloudoc_session'
const captchaCookie = 'cloudoc_captcha'
/** Names the account to the page's scripts, so that a page of nobody asks for nobody's account; it proves nothing. */
const accountCookie = 'cloudoc_account'
/** Tells one browser from another, for the keys that it keeps. */
const deviceCookie = 'cloudoc_device'

/** One cookie of a request. */
export function cookieOf(request: { headers: { cookie?: string | undefined } }, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=')
    if (part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return undefined
}

const fromWebClient = (request: FastifyRequest): boolean => request.headers['x-cloudoc-client'] === 'web'

/** The token of a program, which knows it and sends it itself. */
export function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

/** The session token that a request presents by header or cookie. */
export function tokenOf(request: FastifyRequest): string | undefined {
  return bearerOf(request) ?? (fromWebClient(request) ? cookieOf(request, sessionCookie) : undefined)
}

interface StoredTicket {
  readonly sessionId: number
  readonly scope: readonly string[]
  /** It is a key of somebody who edits this file together with others. */
  readonly joined?: number
}

/** A ticket is good for what it names, as `action:fType:fId`; `*` stands for all items of a type. */
const toScope =
  (scope: ReadonlySet<string>): Limit =>
  (use) =>
    'item' in use && [use.item.fId, '*'].some((id) => scope.has(`${use.action}:${use.item.fType}:${id}`))
      ? undefined
      : 'noPermission'

/**
 * Reads the actor of a request; undefined where no credential was sent. After it, whatever is kept of the database is as
 * good as read anew (`Invalidations.catchUp`), unless it was asked to look `lately`.
 */
export async function authenticate(
  parts: { db: Db; sessions: Sessions; invalidations: Invalidations; now: () => number },
  request: FastifyRequest,
  options: { query: boolean; lately?: boolean },
): Promise<AccountActor | undefined> {
  const now = parts.now()
  const token = tokenOf(request)
  const inQuery = options.query ? (request.query as { access_token?: unknown }).access_token : undefined
  // Office servers send their key in both places.
  if (token !== undefined && token !== inQuery) {
    const actor = await (options.lately === true
      ? parts.sessions.lately(token, now)
      : parts.sessions.byToken(token, now))
    assertAddress(actor.settings, request.ip)
    // A page that shows somebody else: another tab has given the browser's session to this one.
    const shown = request.headers['x-cloudoc-account']
    return shown === undefined || shown === String(actor.accountId) ? actor : fail('notLoggedIn')
  }
  if (inQuery === undefined) return undefined
  if (typeof inQuery !== 'string') return fail('badRequest', 'access_token')
  const ticket = await peekToken<StoredTicket>(parts.db, 'ticket', inQuery, now)
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

/** Gives a browser its session; answers whether the caller is one. */
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

/** The name of the browser, made up and given to it where it has none. */
export function deviceFor(request: FastifyRequest, reply: FastifyReply): string {
  const device = deviceOf(request) ?? randomBytes(24).toString('base64url')
  reply.header('set-cookie', `${deviceCookie}=${device}; ${attributes(request)}; Max-Age=${month}`)
  return device
}

export const deviceOf = (request: FastifyRequest): string | undefined => cookieOf(request, deviceCookie)

export const captchaIdOf = (request: FastifyRequest): string | undefined => cookieOf(request, captchaCookie)
