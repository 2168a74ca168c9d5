/*
 * The gateway: `/linked/{serverId}/…` is the same address at a linked server, as the person who is signed in here. The
 * page has one origin, the tokens of linked servers stay on this server, and contents pass as streams.
 *
 * A linked server is not trusted: its answers get the headers of user content, so that nothing of it runs in the page.
 * No database connection is held while the other server is waited for.
 */
import { Readable } from 'node:stream'
import { signedIn } from '@cloudoc/contract'
import { codeMessage, codes, fail } from '@cloudoc/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { actorOf, type Context, whileAsked } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import type { Perform } from '../../core/call/operation.ts'
import type { Db } from '../../core/db/database.ts'
import type { OutboundResponse } from '../../core/outbound-http.ts'
import { hashToken } from '../../core/secrets.ts'
import { cookieOf, sessionCookie } from '../../people/auth/index.ts'
import {
  type Caller,
  type KnownPeer,
  PeerFailure,
  type PeerSession,
  peerFailure,
  requestAs,
  requestPeer,
  slowestBytesPerMs,
  usualTimes,
  withPeer,
} from '../links/index.ts'
import { routeOf } from './allowed.ts'
import type { PeerSessions } from './sessions.ts'

const prefix = '/linked'
/** Larger answers of calls are none of a server of ours. */
const answerLimits = { bytes: 8 * 1024 * 1024, inflatedBytes: 32 * 1024 * 1024 }
const bodyMost = 4 * 1024 * 1024

const passedOn = [
  'content-type',
  'content-length',
  'accept-language',
  'range',
  'if-none-match',
  'if-range',
  'x-http-method-override',
]
const passedBack = [
  'content-length',
  'content-disposition',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
  'cloudoc-file-id',
  'cache-control',
]
const isOfTus = (name: string): boolean => name.startsWith('upload-') || name.startsWith('tus-')
/** Types that a browser shows and does not run. */
const harmless =
  /^(application\/(json|pdf|zip|octet-stream)|image\/(?!svg)[\w.+-]+|(video|audio)\/[\w.+-]+|text\/(plain|csv))\b/

interface GatewayParts {
  readonly caller: Caller
  readonly sessions: PeerSessions
  readonly perform: Perform
}

interface Target {
  readonly serverId: number
  readonly method: string
  /** With the query. */
  readonly address: string
  readonly isStream: boolean
  readonly isSignOut: boolean
}

/** Registers the gateway. */
export function serveGateway(app: FastifyInstance, { caller, sessions, perform }: GatewayParts): void {
  const operation = {
    ...({ name: 'linkedServer', auth: 'required', payload: 'raw', kind: 'stream', guard: signedIn } as const),
    unrecorded: true,
    async run(context: Context, input: { readonly serverId: number }) {
      const target = targetOf(context.request, input.serverId)
      await relay(context, target)
    },
  } as const

  const relay = (context: Context, target: Target): Promise<void> =>
    whileAsked(context, async (signal) => {
      const { request, reply } = context
      const actor = actorOf(context)
      // Guests of this server have no business at others (X51).
      if (actor.isGuest) return fail('notFound')
      await withPeer({ ...caller, times: caller.times ?? usualTimes }, target.serverId, async (peer) => {
        const session = await sessions.of(actor, peer, signal)
        let answer = await ask(peer, session, request, target, signal)
        // The session there has ended: for a request that can be repeated, another one is opened.
        if (answer.status === 401 && !(request.body instanceof Readable)) {
          answer.drop()
          await sessions.forget(actor, peer, session)
          answer = await ask(peer, await sessions.of(actor, peer, signal), request, target, signal)
        }
        // Somebody who signs out there is signed in again by their next request.
        if (target.isSignOut) await sessions.forget(actor, peer, session)
        await passBack(answer, target, reply)
      })
    })

  const ask = (peer: KnownPeer, session: PeerSession, request: FastifyRequest, target: Target, signal: AbortSignal) =>
    requestAs(peer, session, target.address, askedOf(request, target, signal))

  const askedOf = (request: FastifyRequest, { method }: Target, signal: AbortSignal) => ({
    ...{ method, signal, timeMs: (caller.times ?? usualTimes).answerMs },
    headers: headersOf(request),
    body: request.body as string | Readable | undefined,
  })

  const passBack = async (answer: OutboundResponse, target: Target, reply: FastifyReply): Promise<void> => {
    if (answer.status >= 300 && answer.status < 400 && answer.status !== 304) {
      answer.drop()
      throw new PeerFailure('interconnectedServerFaulty', 'answer', 'a redirect')
    }
    const type = answer.headers['content-type'] ?? ''
    const headers = headersBack(answer, target.serverId, type)
    const isEnvelope = type.startsWith('application/json')
    if (!target.isStream || (isEnvelope && answer.headers['content-disposition'] === undefined)) {
      if (!isEnvelope && answer.status < 500) {
        answer.drop()
        throw new PeerFailure('interconnectedServerFaulty', 'answer', `an answer of the type ${type.slice(0, 60)}`)
      }
      const bytes = await answer.whole(answerLimits).catch((error: unknown) => {
        throw peerFailure(error)
      })
      if (!/^\{"result":-?\d+[,}]/.test(bytes.subarray(0, 40).toString('latin1')))
        throw new PeerFailure('interconnectedServerFaulty', 'answer', 'no envelope')
      const { 'content-length': _, ...others } = headers
      await reply.status(answer.status).headers(others).send(bytes)
      return
    }
    const { idleMs } = caller.times ?? usualTimes
    const bytes = Readable.from(answer.stream({ idleMs, slowest: slowestBytesPerMs }), { objectMode: false })
    await reply.status(answer.status).headers(headers).send(bytes)
  }

  /** A request of an element of the page: it has a ticket of the linked server, and the cookie of a session here. */
  const byTicket = async (request: FastifyRequest, reply: FastifyReply, serverId: number): Promise<void> => {
    const target = targetOf(request, serverId)
    if (!(await hasSession(caller.db, request, caller.now()))) return fail('notLoggedIn')
    await whileAsked({ request }, (signal) =>
      withPeer({ ...caller, times: caller.times ?? usualTimes }, serverId, async (peer) => {
        const answer = await requestPeer(peer, target.address, askedOf(request, target, signal))
        await passBack(answer, target, reply)
      }),
    )
  }

  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain'])
      scope.addContentTypeParser(type, { parseAs: 'string', bodyLimit: bodyMost }, (_request, text, parsed) =>
        parsed(null, text),
      )
    scope.addContentTypeParser('*', (_request, body, parsed) => parsed(null, body))
    scope.route({
      method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url: `${prefix}/:serverId/*`,
      bodyLimit: Number.MAX_SAFE_INTEGER,
      exposeHeadRoute: false,
      async handler(request, reply) {
        const { serverId: written } = request.params as { serverId: string }
        const serverId = /^\d{1,7}$/.test(written) ? Number(written) : -1
        const { access_token: ticket } = request.query as { access_token?: unknown }
        if (ticket !== undefined && request.method === 'GET') {
          try {
            await byTicket(request, reply, serverId)
          } catch (error) {
            refuse(error, request, reply)
          }
          return reply
        }
        const performed = await perform({
          operation,
          request,
          reply,
          incoming: async () => ({ input: { serverId } }),
        })
        if ('code' in performed) await reply.status(200).send(performed.envelope)
        return reply
      },
    })
    done()
  })
}

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (reply.raw.headersSent) return void reply.raw.destroy()
  const { code } = error as { code?: keyof typeof codes }
  if (code === undefined || !(code in codes) || code === 'success') throw error
  void reply.status(200).send({ result: codes[code].code, data: null, msg: codeMessage(code, localeOf(request)) })
}

/** Where a request goes. What is not relayed does not exist here. */
function targetOf(request: FastifyRequest, serverId: number): Target {
  const address = request.url.slice(`${prefix}/${serverId}`.length)
  const [path = ''] = address.split('?')
  const override = request.headers['x-http-method-override']
  const method = request.method
  const route = routeOf(typeof override === 'string' ? override.toUpperCase() : method, path)
  return route === undefined ? fail('notFound') : { serverId, address, ...route, method }
}

function headersOf(request: FastifyRequest): Record<string, string> {
  const sent = Object.entries(request.headers).filter(([name]) => passedOn.includes(name) || isOfTus(name))
  return {
    ...Object.fromEntries(sent.map(([name, value]) => [name, String(value)])),
    'accept-encoding': 'identity',
  }
}

/** The headers of an answer that are passed back, with those that keep its content from running in the page. */
function headersBack({ headers }: OutboundResponse, serverId: number, type: string): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => passedBack.includes(name) || isOfTus(name))
  const { location } = headers
  return {
    ...Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
    ...(location?.startsWith('/services2/upload/tus/') && { location: `${prefix}/${serverId}${location}` }),
    'content-type': harmless.test(type) ? type : 'application/octet-stream',
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  }
}

/** Whether the browser is signed in here. Elements of a page cannot send the header that calls need. */
async function hasSession(db: Db, request: FastifyRequest, now: number): Promise<boolean> {
  const token = cookieOf(request, sessionCookie)
  if (token === undefined) return false
  const row = await db
    .selectFrom('session')
    .select('id')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now)
    .where('wiped', '=', false)
    .executeTakeFirst()
  return row !== undefined
}
