// A linked server, accessed as one of its people: a signed message opens a session there, and from then on it answers
// only what that person may see.
import { randomInt } from 'node:crypto'
import { Readable } from 'node:stream'
import { type CallAnswer, type CallInput, calls, callsByName, type Fields, placeInput } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import type { OutboundRequest, OutboundResponse } from '../../core/outbound-http.ts'
import { throughServer } from '../../drive/transfer/index.ts'
import type { Caller } from './calls.ts'
import { isSignedBy } from './keys.ts'
import { keyFor, signMessage } from './messages.ts'
import { parseKnown } from './newer-answers.ts'
import { type KnownPeer, reachablePeer } from './states.ts'
import {
  dataOf,
  type PeerAddress,
  PeerFailure,
  type RemoteTimes,
  refusing,
  requestPeer,
  slowestBytesPerMs,
  usualTimes,
  whole,
} from './transport.ts'

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
  const answer = await requestPeer(peer, path, {
    ...{ method, signal, timeMs: times.answerMs },
    ...(body && { body: body.text, headers: { 'content-type': body.type } }),
  })
  const parsed = parseKnown(calls.loginByServer.data, await dataOf(answer))
  if (!parsed.success) throw new PeerFailure('interconnectedServerFaulty', 'answer', 'loginByServer: not its schema')
  const { accessToken, signature, ...person } = parsed.data
  if (!isSignedBy(peer.public_key, sessionText(message.nonce, accessToken), signature))
    throw new PeerFailure('interconnectedServerInvalid', 'key')
  return { ...person, token: accessToken }
}

/** Sends a request at a linked server with a session there. */
export function requestAs(
  peer: PeerAddress,
  { token }: Pick<PeerSession, 'token'>,
  path: string,
  asked: OutboundRequest,
): Promise<OutboundResponse> {
  return requestPeer(peer, path, {
    ...asked,
    headers: { ...asked.headers, authorization: `Bearer ${token}` },
  })
}

/** A content of a server with the hash that it announces. */
export interface Content {
  readonly bytes: AsyncIterable<Uint8Array>
  /** Of the whole content, also if it is read from a later byte on. */
  readonly size: number
  /** The hash of the whole content according to the server, in hex. */
  readonly sha256: string
  /** The first byte that is read. */
  readonly from: number
  /** Ends an unread content. */
  drop(): void
}

/** A server as seen by one person: a linked one, or this one. */
export interface Remote {
  /** The name of the person there. */
  readonly accountName: string
  ask<N extends keyof Catalogue>(name: N, input: CallInput<N>): Promise<CallAnswer<N>>
  /** Reads a content, from a byte on if it still has the hash; otherwise from its first byte. */
  content(fileId: number, later?: { readonly from: number; readonly sha256: string }): Promise<Content>
  /** Sends a part of an upload. */
  sendPart(
    part: { readonly uploadId: string; readonly partNumber: number; readonly size: number },
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<void>
  close(): Promise<void>
}

interface RemoteParts {
  readonly accountName: string
  /** Sends a request with the session of the person. */
  readonly send: (path: string, asked: OutboundRequest) => Promise<OutboundResponse>
  readonly times: RemoteTimes
  /** All requests end with it. */
  readonly signal: AbortSignal
}

const hashOf = (etag: string | undefined): string | undefined => {
  const bytes = Buffer.from(/^"([\w-]{43})"$/.exec(etag ?? '')?.[1] ?? '', 'base64url')
  return bytes.length === 32 ? bytes.toString('hex') : undefined
}

/** A server to which requests are sent with the session of one person. */
export function remoteFor({ accountName, send, times, signal }: RemoteParts): Remote {
  const askUntil = async (name: keyof Catalogue, input: Fields, until: AbortSignal): Promise<never> => {
    const { method, path, body } = placeInput(callsByName[name], input)
    const answer = await send(path, {
      ...{ method, signal: until, timeMs: callsByName[name].timeoutMs ?? times.answerMs },
      ...(body && { headers: { 'content-type': body.type }, body: body.text }),
    })
    const parsed = parseKnown(callsByName[name].data, await dataOf(answer))
    return (parsed.success ? parsed.data : fail('interconnectedServerFaulty')) as never
  }
  return {
    accountName,
    ask: (name, input) => askUntil(name, input, signal),
    async content(fileId, later) {
      const answer = await send(`/DownloadServlet?fileId=${fileId}`, {
        ...{ signal, timeMs: times.answerMs },
        headers: {
          'accept-encoding': 'identity',
          [throughServer]: '1',
          ...(later !== undefined && {
            range: `bytes=${later.from}-`,
            'if-range': `"${Buffer.from(later.sha256, 'hex').toString('base64url')}"`,
          }),
        },
      })
      // An answer without content is an envelope with the reason.
      if (answer.headers['content-disposition'] === undefined) await dataOf(answer)
      const sha256 = hashOf(answer.headers.etag)
      const isRest = answer.status === 206 && later !== undefined && sha256 === later.sha256
      if ((answer.status !== 200 && !isRest) || sha256 === undefined) {
        answer.drop()
        return fail('interconnectedServerFaulty')
      }
      const { length, bytes } = await refusing(() =>
        answer.content({ idleMs: times.idleMs, slowest: slowestBytesPerMs }),
      )
      const from = isRest ? later.from : 0
      return { size: from + length, from, bytes: whole(bytes), sha256, drop: () => answer.drop() }
    },
    async sendPart({ uploadId, partNumber, size }, bytes) {
      const { method, path } = placeInput(calls.uploadPart, { uploadId, partNumber })
      const body = Readable.from(bytes)
      // The failure of the source is the reason, not the broken request.
      let failure: unknown
      body.once('error', (error) => {
        failure = error
      })
      try {
        await dataOf(
          await send(path, {
            ...{ method, signal, timeMs: times.answerMs, body },
            headers: { 'content-type': 'application/octet-stream', 'content-length': String(size) },
          }),
        )
      } catch (error) {
        throw failure ?? error
      } finally {
        body.destroy()
      }
    },
    async close() {
      // Sent even if the copy was aborted.
      await askUntil('logout2', {}, AbortSignal.timeout(goodbyeMs)).catch(() => {})
    },
  }
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
  return remoteFor({
    ...{ accountName: session.accountName, times, signal: visit },
    send: (path, asked) => requestAs(peer, session, path, asked),
  })
}
