// Asking linked servers how they are: their keys, clocks and versions, and the announcement of a new key of this server.
import { calls, placeInput, type ServerCause, type ServerState } from '@cloudoc/contract'
import type { CodeName } from '@cloudoc/domain'
import type { Caller } from './calls.ts'
import { currentKey, isSignedBy, ownKey } from './keys.ts'
import { clockTolerance, keyFor, type Peer, signMessage } from './messages.ts'
import { parseKnown } from './newer-answers.ts'
import { findPeer, type KnownPeer, noteAnswer, noteFailure } from './states.ts'
import { dataOf, PeerFailure, requestPeer, usualTimes } from './transport.ts'

/** An answer to a greeting, without its signature. */
export interface GreetingText {
  readonly answer: string
  readonly time: number
  readonly version: string
  readonly serverName: string
}

/** The text by which a server signs its answer to a greeting. */
export const greetingText = (nonce: string, { answer, time, version, serverName }: GreetingText): string =>
  ['cloudoc-greeting-1', nonce, answer, time, version, serverName].join('\n')

/** A server has this long to answer a greeting, and in lists over several servers ([R344]). */
export const greetingMs = 10_000

/** What was found out about a server. */
export interface Found {
  readonly state: ServerState
  readonly cause: ServerCause
  readonly detail: string
  readonly ms: number
}

const refusals: Readonly<Record<string, readonly [CodeName, Exclude<ServerCause, ''>]>> = {
  unknown: ['interconnectedServerMissing', 'unknown'],
  revoked: ['interconnectedServerInvalid', 'key'],
  paused: ['interconnectedServerInvalid', 'paused'],
  clock: ['interconnectedServerInvalid', 'clock'],
}

async function greet(caller: Caller, peer: KnownPeer, signal: AbortSignal) {
  const { db, secrets, now, times = usualTimes } = caller
  if (peer.public_key === '') throw new PeerFailure('interconnectedServerInvalid', 'key')
  const key = await keyFor(db, secrets, peer, now())
  const message = signMessage('greetServer', {}, { key, peer, now: now() })
  const { method, path, body } = placeInput(calls.greetServer, message)
  const started = performance.now()
  const data = await dataOf(
    await requestPeer(peer, path, {
      ...{ method, signal, timeMs: Math.min(greetingMs, times.answerMs) },
      ...(body && { body: body.text, headers: { 'content-type': body.type } }),
    }),
  ).catch((error: unknown) => {
    // It is a server of ours, and has another key than the one that it is known by.
    if (error instanceof PeerFailure || (error as { code?: string }).code !== 'interconnectedServerInvalid') throw error
    throw new PeerFailure('interconnectedServerInvalid', 'key')
  })
  const ms = Math.round(performance.now() - started)
  const parsed = parseKnown(calls.greetServer.data, data)
  if (!parsed.success) throw new PeerFailure('interconnectedServerFaulty', 'answer', 'greetServer: not its schema')
  const greeting = parsed.data
  if (!isSignedBy(peer.public_key, greetingText(message.nonce, greeting), greeting.signature))
    throw new PeerFailure('interconnectedServerInvalid', 'key')
  const aheadMs = greeting.time - now()
  if (greeting.answer === 'clock' || Math.abs(aheadMs) > clockTolerance)
    throw new PeerFailure('interconnectedServerInvalid', 'clock', String(Math.round(aheadMs / 1000)))
  const refused = refusals[greeting.answer]
  if (refused !== undefined) throw new PeerFailure(...refused)
  return { ms, version: greeting.version }
}

/** Asks a linked server now, and remembers what was found. Tells it the current key of this server if it has another. */
export async function checkPeer(caller: Caller, serverId: number, signal: AbortSignal): Promise<Found> {
  const { db, now, times = usualTimes } = caller
  const peer = await findPeer(db, serverId)
  try {
    const { ms, version } = await greet(caller, peer, signal)
    await noteAnswer(db, peer, { now: now(), latencyMs: ms, version })
    await announceKey(caller, peer, signal)
    return { state: peer.is_paused ? 'paused' : 'ok', cause: '', detail: '', ms }
  } catch (error) {
    if (!(error instanceof PeerFailure)) throw error
    await noteFailure(db, peer, error, { now: now(), times })
    const state = stateOf(error.code)
    return { state, cause: error.reason, detail: error.said, ms: 0 }
  }
}

const stateOf = (code: CodeName): ServerState => {
  if (code === 'interconnectedServerMissing') return 'missing'
  if (code === 'interconnectedServerNotResponding') return 'notResponding'
  return code === 'interconnectedServerFaulty' ? 'faulty' : 'invalid'
}

/**
 * Tells a server the current key of this one. Signed with the key that it knows, so it can be repeated until it is
 * answered: the other side takes the same announcement again.
 */
async function announceKey(caller: Caller, peer: Peer, signal: AbortSignal): Promise<void> {
  const { db, secrets, now, times = usualTimes } = caller
  const current = await currentKey(db, secrets, now())
  const known = peer.told_key === '' ? undefined : await ownKey(db, secrets, peer.told_key)
  if (known !== undefined && known.publicKey !== current.publicKey) {
    const proof = current.sign(`cloudoc-key-1\n${known.publicKey}\n${current.publicKey}`)
    const message = signMessage(
      'announceServerKey',
      { newKey: current.publicKey, proof },
      { key: known, peer, now: now() },
    )
    const { method, path, body } = placeInput(calls.announceServerKey, message)
    await dataOf(
      await requestPeer(peer, path, {
        ...{ method, signal, timeMs: times.answerMs },
        ...(body && { body: body.text, headers: { 'content-type': body.type } }),
      }),
    )
  }
  if (peer.told_key !== current.publicKey)
    await db
      .updateTable('linked_server')
      .set({ told_key: current.publicKey })
      .where('id', '=', peer.id)
      .where('told_key', '=', peer.told_key)
      .execute()
}

/** Whether the holder of the old key also holds the new one. */
export const isKeyProven = (oldKey: string, newKey: string, proof: string): boolean =>
  isSignedBy(newKey, `cloudoc-key-1\n${oldKey}\n${newKey}`, proof)
