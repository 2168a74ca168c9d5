// Signed calls to linked servers: JSON to JSON, and contents that arrive with their hash.
import { createHash } from 'node:crypto'
import { type CallAnswer, type calls, callsByName, type Fields, placeInput } from '@cloudoc/contract'
import type { Db } from '../../core/db/database.ts'
import type { Secrets } from '../../core/secrets.ts'
import { keyFor, type Message, signMessage } from './messages.ts'
import { parseKnown } from './newer-answers.ts'
import { type KnownPeer, withPeer } from './states.ts'
import {
  dataOf,
  PeerFailure,
  type RemoteTimes,
  refusing,
  requestPeer,
  slowestBytesPerMs,
  usualTimes,
  whole,
} from './transport.ts'

type Catalogue = typeof calls

/** What calls to other servers need of a process. */
export interface Caller {
  readonly db: Db
  readonly secrets: Pick<Secrets, 'signingKey'>
  readonly now: () => number
  readonly times?: RemoteTimes
}

interface Asked {
  /** Ends the request. */
  readonly signal: AbortSignal
}

async function requestFor(
  { db, secrets, now, times = usualTimes }: Caller,
  peer: KnownPeer,
  name: keyof Catalogue,
  input: Fields,
  { signal }: Asked,
) {
  const key = await keyFor(db, secrets, peer, now())
  const signed = signMessage(name, input, { key, peer, now: now() })
  const { method, path, body } = placeInput(callsByName[name], signed)
  return requestPeer(peer, path, {
    method,
    signal,
    timeMs: times.answerMs,
    ...(body && { body: body.text }),
    headers: { 'accept-encoding': 'identity', ...(body && { 'content-type': body.type }) },
  })
}

/**
 * Makes a signed call to a linked server. `input` has every field of the call but those that sign it, also those with a
 * default. Fails with the code of the refusal there, or with the state of the server (-13 to -16).
 */
export function askServer<N extends keyof Catalogue>(
  caller: Caller,
  serverId: number,
  name: N,
  input: Message<N>,
  asked: Asked,
): Promise<CallAnswer<N>>
export async function askServer(
  caller: Caller,
  serverId: number,
  name: keyof Catalogue,
  input: Fields,
  asked: Asked,
): Promise<unknown> {
  const { db, now, times = usualTimes } = caller
  return withPeer({ db, now, times }, serverId, async (peer) => {
    const data = await dataOf(await requestFor(caller, peer, name, input, asked))
    const parsed = parseKnown(callsByName[name].data, data)
    if (!parsed.success) throw new PeerFailure('interconnectedServerFaulty', 'answer', `${name}: not its schema`)
    return parsed.data
  })
}

/** A content of another server. Reading it to the end fails unless it has the announced size and hash. */
export interface PeerContent {
  readonly size: number
  /** Hex. */
  readonly sha256: string
  readonly bytes: AsyncIterable<Uint8Array>
  /** Ends an unread content. */
  drop(): void
}

/** The hash of a content in the form of an ETag: base64url in quotes. */
const etagForm = /^"([\w-]{43})"$/

/**
 * Reads a content from a linked server by a signed call of kind `stream` that answers with `content-length` and the hash
 * as ETag. With `sha256` (hex) a content with another hash is refused before it is read.
 */
export function contentOfServer<N extends keyof Catalogue>(
  caller: Caller,
  serverId: number,
  name: N,
  input: Message<N>,
  asked: Asked & { readonly sha256?: string },
): Promise<PeerContent>
export async function contentOfServer(
  caller: Caller,
  serverId: number,
  name: keyof Catalogue,
  input: Fields,
  { sha256, ...asked }: Asked & { readonly sha256?: string },
): Promise<PeerContent> {
  const { db, now, times = usualTimes } = caller
  return withPeer({ db, now, times }, serverId, async (peer) => {
    const answer = await requestFor(caller, peer, name, input, asked)
    const announced = Buffer.from(etagForm.exec(answer.headers.etag ?? '')?.[1] ?? '', 'base64url').toString('hex')
    // An answer without content is an envelope with the reason.
    if (answer.status !== 200 || announced.length !== 64) await dataOf(answer)
    if (announced.length !== 64 || (sha256 !== undefined && announced !== sha256)) {
      answer.drop()
      throw new PeerFailure('interconnectedServerFaulty', 'answer', 'a content with another hash')
    }
    const { length, bytes } = await refusing(() => answer.content({ idleMs: times.idleMs, slowest: slowestBytesPerMs }))
    return { size: length, sha256: announced, bytes: verified(whole(bytes), announced), drop: () => answer.drop() }
  })
}

/** Passes a content on. Fails at its end unless it has the hash. */
async function* verified(bytes: AsyncIterable<Uint8Array>, sha256: string): AsyncIterable<Uint8Array> {
  const hash = createHash('sha256')
  for await (const chunk of bytes) {
    hash.update(chunk)
    yield chunk
  }
  if (hash.digest('hex') !== sha256)
    throw new PeerFailure('interconnectedServerFaulty', 'answer', 'a content that has not its hash')
}
