// A linked server, accessed as one of its people: a signed message opens a session there, and from then on it answers
// only what that person may see.
import { randomInt } from 'node:crypto'
import { type Answer, calls, callsByName, type Input, placeInput } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import type { OutboundRequest, OutboundResponse } from '../../core/outbound-http.ts'
import type { Caller } from './calls.ts'
import { isSignedBy } from './keys.ts'
import { keyFor, signMessage } from './messages.ts'
import { type KnownPeer, reachablePeer } from './states.ts'
import { dataOf, PeerFailure, refusing, requestPeer, slowestBytesPerMs, usualTimes, whole } from './transport.ts'

/** The client types of such sessions: one each for concurrent sessions of one person. */
const clientTypes = { from: 200, to: 255 }
/** The other server ends the session by itself if the sign-out does not arrive. */
const goodbyeMs = 5_000

type Catalogue = typeof calls

/** A person of this server. */
export interface Traveller {
  readonly accountId: number
  readonly account: string
}

/** The text by which a server proves that a session was opened by it, with its key. */
export const sessionText = (nonce: string, token: string): string => `cloudoc-session-1\n${nonce}\n${token}`

/** A session of a person at a linked server. */
export interface PeerSession {
  readonly token: string
  readonly account: string
  readonly accountName: string
  readonly userId: number
}

/** Signs a person of this server in at a linked one. */
export async function openPeerSession(
  { db, secrets, now, times = usualTimes }: Caller,
  peer: KnownPeer,
  { accountId, account }: Traveller,
  signal: AbortSignal,
): Promise<PeerSession> {
  const key = await keyFor(db, secrets, peer, now())
  const clientType = randomInt(clientTypes.from, clientTypes.to + 1)
  const message = signMessage('loginByServer', { account, accountId, clientType }, { key, peer, now: now() })
  const { method, path, body } = placeInput(calls.loginByServer, message)
  const answer = await requestPeer(`${peer.api_host}${path}`, {
    ...{ method, signal, timeMs: times.answerMs },
    ...(body && { body: body.text, headers: { 'content-type': body.type } }),
  })
  const parsed = calls.loginByServer.data.safeParse(await dataOf(answer))
  if (!parsed.success) throw new PeerFailure('interconnectedServerFaulty', 'answer', 'loginByServer: not its schema')
  const { accessToken, signature, ...person } = parsed.data
  if (!isSignedBy(peer.public_key, sessionText(message.nonce, accessToken), signature))
    throw new PeerFailure('interconnectedServerInvalid', 'key')
  return { ...person, token: accessToken }
}

/** Sends a request at a linked server with a session there. */
export function requestAs(
  { api_host }: Pick<KnownPeer, 'api_host'>,
  { token }: Pick<PeerSession, 'token'>,
  path: string,
  asked: OutboundRequest,
): Promise<OutboundResponse> {
  return requestPeer(`${api_host}${path}`, {
    ...asked,
    headers: { ...asked.headers, authorization: `Bearer ${token}` },
  })
}

/** A content of another server with the hash that it announces. */
export interface Content {
  readonly bytes: AsyncIterable<Uint8Array>
  readonly size: number
  /** The hash of the content according to the other server. */
  readonly sha256: string
  /** Ends an unread content. */
  drop(): void
}

/** A linked server as seen by one person. */
export interface Remote {
  ask<N extends keyof Catalogue>(name: N, input: Input<Catalogue[N]>): Promise<Answer<Catalogue[N]>>
  content(fileId: number): Promise<Content>
  close(): Promise<void>
}

/** Opens a linked server for a person. All requests to it end with the signal. */
export async function openRemote(
  caller: Caller,
  serverId: number,
  person: Traveller,
  signal: AbortSignal,
): Promise<Remote> {
  const { db, now, times = usualTimes } = caller
  const peer = await reachablePeer(db, serverId, now())
  const visit = AbortSignal.any([signal, AbortSignal.timeout(times.visitMs)])
  const session = await openPeerSession(caller, peer, person, visit)

  const askUntil = async <N extends keyof Catalogue>(
    name: N,
    input: Input<Catalogue[N]>,
    until: AbortSignal,
  ): Promise<Answer<Catalogue[N]>> => {
    const { method, path, body } = placeInput(callsByName[name], input)
    const answer = await requestAs(peer, session, path, {
      ...{ method, signal: until, timeMs: times.answerMs },
      ...(body && { headers: { 'content-type': body.type }, body: body.text }),
    })
    const parsed = callsByName[name].data.safeParse(await dataOf(answer))
    return (parsed.success ? parsed.data : fail('interconnectedServerFaulty')) as never
  }
  return {
    ask: (name, input) => askUntil(name, input, visit),
    async content(fileId) {
      const answer = await requestAs(peer, session, `/DownloadServlet?fileId=${fileId}`, {
        ...{ signal: visit, timeMs: times.answerMs },
        headers: { 'accept-encoding': 'identity' },
      })
      // An answer without content is an envelope with the reason.
      if (answer.headers['content-disposition'] === undefined) await dataOf(answer)
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
    },
  }
}
