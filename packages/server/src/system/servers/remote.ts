/*
 * A linked server, accessed as one of its users: a signed ticket opens a session there, and from then on it answers
 * only what that user may see. It is not trusted: it may be down, slow, or answer anything.
 *
 *   ticket     account, client type, end, nonce, each on a line; HMAC-SHA256 with the key that both servers share
 */
import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { type Answer, calls, type Input, placeInput } from '@cloudoc/contract'
import { codeOf, codes, fail, ResultError } from '@cloudoc/domain'
import {
  connectionsTo,
  OutboundFailure,
  type OutboundRequest,
  type OutboundResponse,
  parseOutboundJson,
  requestOutbound,
} from '../../core/outbound-http.ts'

const ticketLife = 60_000
/** The client types of such sessions: one each for concurrent copies of one user. */
const clientTypes = { from: 200, to: 255 }

/** Timeouts of the other server's answers. */
export interface RemoteTimes {
  /** Until an answer is complete, or the first bytes of a content arrive. */
  readonly answerMs: number
  /** Maximum pause while a content arrives. */
  readonly idleMs: number
  /** For all requests of one copy. */
  readonly visitMs: number
}

export const usualTimes: RemoteTimes = { answerMs: 30_000, idleMs: 30_000, visitMs: 12 * 60 * 60_000 }

/** Half a megabit per second: slower transfers are aborted. */
const slowestBytesPerMs = 64
/** A page of a folder is far smaller. */
const answerLimits = { bytes: 2 * 1024 * 1024, inflatedBytes: 4 * 1024 * 1024 }
const mostValues = 20_000
/** The other server ends the session by itself if the sign-out does not arrive. */
const goodbyeMs = 5_000

export interface LinkedServer {
  readonly api_host: string
  readonly key: string
}

interface Ticket {
  readonly account: string
  readonly clientType: number
  readonly expiresAt: number
  readonly nonce: string
}

/** Signs a ticket with the key of two servers. */
export function signTicket({ account, clientType, expiresAt, nonce }: Ticket, key: string): string {
  return createHmac('sha256', key).update([account, clientType, expiresAt, nonce].join('\n')).digest('base64url')
}

type Catalogue = typeof calls
/** The calls that a copy sends to the other server. */
type Asked = 'loginByServer' | 'logout2' | 'getFileInfo' | 'getFolderInfo' | 'getSubItemList3'

export interface Content {
  readonly bytes: AsyncIterable<Uint8Array>
  readonly size: number
  /** The hash of the content according to the other server. */
  readonly sha256: string
  /** Ends an unread content. */
  drop(): void
}

export interface Remote {
  ask<N extends Asked>(name: N, input: Input<Catalogue[N]>): Promise<Answer<Catalogue[N]>>
  content(fileId: number): Promise<Content>
  close(): Promise<void>
}

/** Signs a user of this server in at the other one. All requests to it end with the signal. */
export async function openRemote(
  server: LinkedServer,
  account: string,
  now: number,
  { signal, times = usualTimes }: { signal: AbortSignal; times?: RemoteTimes },
): Promise<Remote> {
  /** Set once the other server has accepted the sign-in. */
  const session = { token: '' }
  const connections = connectionsTo(server.api_host)
  const visit = AbortSignal.any([signal, AbortSignal.timeout(times.visitMs)])

  const send = (method: string, path: string, more: Pick<OutboundRequest, 'headers' | 'body' | 'signal'>) =>
    refusing(() =>
      requestOutbound(`${server.api_host}${path}`, {
        ...more,
        method,
        timeMs: times.answerMs,
        connections,
        headers: { ...(session.token === '' ? {} : { authorization: `Bearer ${session.token}` }), ...more.headers },
      }),
    )

  const askUntil = async <N extends Asked>(
    name: N,
    input: Input<Catalogue[N]>,
    until: AbortSignal,
  ): Promise<Answer<Catalogue[N]>> => {
    const { method, path, body } = placeInput(calls[name], input)
    const answer = await send(method, path, {
      signal: until,
      ...(body === undefined ? {} : { headers: { 'content-type': body.type }, body: body.text }),
    })
    const parsed = calls[name].data.safeParse(await envelopeOf(answer))
    return (parsed.success ? parsed.data : fail('interconnectedServerFaulty')) as never
  }
  const ask: Remote['ask'] = (name, input) => askUntil(name, input, visit)

  const ticket = {
    account,
    clientType: randomInt(clientTypes.from, clientTypes.to + 1),
    expiresAt: now + ticketLife,
    nonce: randomBytes(24).toString('base64url'),
  }
  try {
    const signedIn = await ask('loginByServer', { ...ticket, signature: signTicket(ticket, server.key) })
    session.token = signedIn.accessToken
  } catch (error) {
    connections.destroy()
    throw error
  }
  return {
    ask,
    async content(fileId) {
      const answer = await send('GET', `/DownloadServlet?fileId=${fileId}`, {
        signal: visit,
        headers: { 'accept-encoding': 'identity' },
      })
      // An answer without content is an envelope with the reason.
      if (answer.headers['content-disposition'] === undefined) await envelopeOf(answer)
      const sha256 = Buffer.from(/^"([\w-]{43})"$/.exec(answer.headers.etag ?? '')?.[1] ?? '', 'base64url')
      if (answer.status !== 200 || sha256.length !== 32) {
        answer.drop()
        return fail('interconnectedServerFaulty')
      }
      const { length: size, bytes } = await refusing(() =>
        answer.content({ idleMs: times.idleMs, slowest: slowestBytesPerMs }),
      )
      return { size, bytes: whole(bytes), sha256: sha256.toString('hex'), drop: () => answer.drop() }
    },
    async close() {
      // Sent even if the copy was aborted.
      await askUntil('logout2', {}, AbortSignal.timeout(goodbyeMs)).catch(() => {})
      connections.destroy()
    },
  }
}

async function* whole(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* bytes
  } catch (error) {
    throw refused(error)
  }
}

function refused(error: unknown): unknown {
  if (error instanceof OutboundFailure && error.kind === 'unusable')
    return new ResultError('interconnectedServerFaulty')
  // The timeout of the whole visit is the reason of its signal.
  const isSilent = error instanceof OutboundFailure || (error instanceof DOMException && error.name === 'TimeoutError')
  return isSilent ? new ResultError('interconnectedServerNotResponding') : error
}

async function refusing<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw refused(error)
  }
}

/** The data of an answer, or its refusal with its own code. */
async function envelopeOf(answer: OutboundResponse): Promise<unknown> {
  const json = await refusing(async () => parseOutboundJson(await answer.whole(answerLimits), mostValues))
  const envelope = json as { result?: unknown; data?: unknown } | null
  const result = envelope?.result
  if (result === codes.success.code) return envelope?.data
  const code = typeof result === 'number' ? codeOf(result) : undefined
  if (code === undefined || code === 'serverException' || code === 'badRequest') {
    return fail('interconnectedServerFaulty')
  }
  // The session at the other server has ended, not the one at this server.
  throw new ResultError(code === 'notLoggedIn' ? 'interconnectedServerInvalid' : code)
}
