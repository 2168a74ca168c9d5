/*
 * Requests to a linked server. It is not trusted: it may be down, slow, or answer anything. Every request has limits of
 * time and size, and every failure is one of the documented states with its cause.
 */
import type { Agent } from 'node:http'
import type { ServerCause } from '@cloudoc/contract'
import { type CodeName, codeOf, codes, fail, ResultError } from '@cloudoc/domain'
import {
  connectionsTo,
  OutboundFailure,
  type OutboundRequest,
  type OutboundResponse,
  parseOutboundJson,
  requestOutbound,
} from '../../core/outbound-http.ts'

/** Timeouts of another server's answers. */
export interface RemoteTimes {
  /** Until an answer is complete, or the first bytes of a content arrive. */
  readonly answerMs: number
  /** Maximum pause while a content arrives. */
  readonly idleMs: number
  /** For all requests of one copy. */
  readonly visitMs: number
  /** After a failure nobody asks the server again for this long; doubled with each further failure, up to a minute. */
  readonly retryMs: number
}

export const usualTimes: RemoteTimes = {
  answerMs: 30_000,
  idleMs: 30_000,
  visitMs: 12 * 60 * 60_000,
  retryMs: 5000,
}

/** Half a megabit per second: slower transfers are aborted. */
export const slowestBytesPerMs = 64
/** A page of a folder is far smaller. */
const answerLimits = { bytes: 2 * 1024 * 1024, inflatedBytes: 4 * 1024 * 1024 }
const mostValues = 20_000

/** A failed request: the code of the state that it shows, with the cause. */
export class PeerFailure extends ResultError {
  readonly reason: Exclude<ServerCause, ''>
  /** What the other side or the network said. */
  readonly said: string

  constructor(code: CodeName, reason: Exclude<ServerCause, ''>, said = '') {
    super(code)
    this.reason = reason
    this.said = said
  }
}

/** Where a server is, and which authorities its certificate may be from. */
export interface PeerAddress {
  readonly api_host: string
  /** In PEM; empty: those that this machine trusts. */
  readonly ca_certificate: string
}

/** The connections that are kept open to servers, by address. */
const connections = new Map<string, Agent>()

function agentFor(address: string): Agent {
  const { origin } = new URL(address)
  const known = connections.get(origin)
  if (known !== undefined) return known
  const agent = connectionsTo(address)
  connections.set(origin, agent)
  return agent
}

/** Sends a request to a linked server, on connections that are kept open. */
export function requestPeer(
  { api_host, ca_certificate: ca }: PeerAddress,
  path: string,
  asked: Omit<OutboundRequest, 'connections' | 'ca'>,
): Promise<OutboundResponse> {
  const address = `${api_host}${path}`
  // A connection is reused only by requests with the same authorities.
  const trust = ca === '' ? {} : { ca }
  return refusing(() => requestOutbound(address, { ...asked, ...trust, connections: agentFor(address) }))
}

function causeOf(error: unknown): Exclude<ServerCause, ''> {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code = '' } = at as { code?: string }
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'name'
    if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'host'
    if (/^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)/.test(code)) return 'tls'
    if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ECONNRESET|EPIPE)$/.test(code)) return 'route'
  }
  return 'time'
}

const saidBy = (error: unknown): string => {
  const deepest = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return deepest instanceof Error ? deepest.message.slice(0, 200) : ''
}

/** The failure of a request as a state of the other server. Failures of our own stay what they are. */
export function peerFailure(error: unknown): unknown {
  if (error instanceof OutboundFailure && error.kind === 'unusable')
    return new PeerFailure('interconnectedServerFaulty', 'answer', error.message)
  // The timeout of a whole visit is the reason of its signal.
  const isSilent = error instanceof OutboundFailure || (error instanceof DOMException && error.name === 'TimeoutError')
  return isSilent ? new PeerFailure('interconnectedServerNotResponding', causeOf(error), saidBy(error)) : error
}

/** Does work with another server; its failures become states of that server. */
export async function refusing<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw peerFailure(error)
  }
}

/** A stream whose failures are states of the other server. */
export async function* whole(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* bytes
  } catch (error) {
    throw peerFailure(error)
  }
}

/** What an answer of another server says: its data, or the code of its refusal and the words. */
export type PeerAnswer = { readonly data: unknown } | { readonly code: CodeName; readonly message: string }

/** Reads an answer. Fails if it is none of a server of ours. */
export async function readAnswer(answer: OutboundResponse): Promise<PeerAnswer> {
  const json = await refusing(async () => parseOutboundJson(await answer.whole(answerLimits), mostValues))
  const envelope = json as { result?: unknown; data?: unknown; msg?: unknown } | null
  const result = envelope?.result
  if (result === codes.success.code) return { data: envelope?.data }
  const code = typeof result === 'number' ? codeOf(result) : undefined
  if (code === undefined || code === 'serverException' || code === 'badRequest')
    throw new PeerFailure('interconnectedServerFaulty', 'answer', `result ${String(result)}`)
  return { code, message: typeof envelope?.msg === 'string' ? envelope.msg.slice(0, 300) : '' }
}

/** The data of an answer, or its refusal with its own code. */
export async function dataOf(answer: OutboundResponse): Promise<unknown> {
  const read = await readAnswer(answer)
  if ('data' in read) return read.data
  // The session at the other server has ended, not the one at this server.
  return fail(read.code === 'notLoggedIn' ? 'interconnectedServerInvalid' : read.code)
}
