/*
 * The states of linked servers (-13 to -16), stored once for all processes. After a failure nobody waits for the server
 * again until its next try, so that a server that is down does not make anything here slow.
 */
import type { ServerCause, ServerState } from '@cloudoc/contract'
import { type CodeName, fail } from '@cloudoc/domain'
import type { Db } from '../../core/db/database.ts'
import { type Peer, peerColumns } from './messages.ts'
import { PeerFailure, type RemoteTimes } from './transport.ts'

type StoredState = Exclude<ServerState, 'paused'>

/** A linked server with what is remembered of it. */
export interface KnownPeer extends Peer {
  readonly state: StoredState
  readonly cause: ServerCause
  readonly failures: number
  readonly retry_at: number
}

const codesOfStates = {
  invalid: 'interconnectedServerInvalid',
  missing: 'interconnectedServerMissing',
  notResponding: 'interconnectedServerNotResponding',
  faulty: 'interconnectedServerFaulty',
} as const satisfies Record<Exclude<StoredState, 'ok'>, CodeName>

const statesOfCodes: Partial<Record<CodeName, Exclude<StoredState, 'ok'>>> = {
  interconnectedServerInvalid: 'invalid',
  interconnectedServerMissing: 'missing',
  interconnectedServerNotResponding: 'notResponding',
  interconnectedServerFaulty: 'faulty',
}

/** A server counts as faulty after so many bad answers in a row: one call that it does not know is no fault. */
const faultyAfter = 5
const longestRetryMs = 60_000

/** Reads a linked server by its number. Fails if there is none (-14). */
export async function findPeer(db: Db, serverId: number): Promise<KnownPeer> {
  const row = await db
    .selectFrom('linked_server')
    .select([...peerColumns, 'state', 'cause', 'failures', 'retry_at'])
    .where('linked_server.id', '=', serverId)
    .executeTakeFirst()
  return row ?? fail('interconnectedServerMissing')
}

/** A linked server that may be asked now. Fails at once with its state if it failed a moment ago. */
export async function reachablePeer(db: Db, serverId: number, now: number): Promise<KnownPeer> {
  const peer = await findPeer(db, serverId)
  if (peer.is_paused || !peer.visits || peer.public_key === '') return fail('interconnectedServerInvalid')
  if (peer.state !== 'ok' && peer.retry_at > now) return fail(codesOfStates[peer.state])
  return peer
}

/** Remembers that a server has answered. */
export async function noteAnswer(
  db: Db,
  peer: KnownPeer,
  { now, latencyMs, version }: { readonly now: number; readonly latencyMs?: number; readonly version?: string },
): Promise<void> {
  if (peer.state === 'ok' && peer.failures === 0 && latencyMs === undefined) return
  await db
    .updateTable('linked_server')
    .set((eb) => ({
      ...{ state: 'ok', cause: '', cause_detail: '', failures: 0, retry_at: 0, seen_at: now },
      state_since: eb.case().when('state', '=', 'ok').then(eb.ref('state_since')).else(now).end(),
      ...(latencyMs !== undefined && { latency_ms: latencyMs }),
      ...(version !== undefined && { version }),
    }))
    .where('id', '=', peer.id)
    .execute()
}

/** Remembers a failure, if it is one of the server itself. Refusals of single calls are answers. */
export async function noteFailure(
  db: Db,
  peer: KnownPeer,
  error: unknown,
  { now, times }: { readonly now: number; readonly times: RemoteTimes },
): Promise<void> {
  if (!(error instanceof PeerFailure)) return
  const state = statesOfCodes[error.code]
  if (state === undefined) return
  const failures = peer.failures + 1
  const shown = state === 'faulty' && failures < faultyAfter ? undefined : state
  await db
    .updateTable('linked_server')
    .set((eb) => ({
      failures: eb('failures', '+', 1),
      ...(shown !== undefined && {
        state: shown,
        state_since: eb.case().when('state', '=', shown).then(eb.ref('state_since')).else(now).end(),
        cause: error.reason,
        cause_detail: error.said,
        retry_at: now + Math.min(longestRetryMs, times.retryMs * 2 ** Math.min(failures - 1, 10)),
      }),
    }))
    .where('id', '=', peer.id)
    .execute()
}

/** Asks a linked server, and remembers whether it answered. */
export async function withPeer<T>(
  { db, now, times }: { readonly db: Db; readonly now: () => number; readonly times: RemoteTimes },
  serverId: number,
  work: (peer: KnownPeer) => Promise<T>,
): Promise<T> {
  const peer = await reachablePeer(db, serverId, now())
  try {
    const done = await work(peer)
    await noteAnswer(db, peer, { now: now() })
    return done
  } catch (error) {
    await noteFailure(db, peer, error, { now: now(), times })
    throw error
  }
}
