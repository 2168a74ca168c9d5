// The sessions of people at linked servers: opened when they are first needed, kept in this process only.
import { fail, ResultError } from '@cloudoc/domain'
import type { AccountActor } from '../../core/actor.ts'
import { type Caller, type KnownPeer, openPeerSession, type PeerSession } from '../links/index.ts'

const mostKept = 10_000

/** The sessions of people at linked servers. */
export interface PeerSessions {
  of(actor: AccountActor, peer: KnownPeer, signal: AbortSignal): Promise<PeerSession>
  /** Forgets a session that the other server has ended. */
  forget(actor: AccountActor, peer: KnownPeer, session: PeerSession): Promise<void>
}

/** Creates the sessions of a process. */
export function createPeerSessions(caller: Caller): PeerSessions {
  const kept = new Map<string, Promise<PeerSession>>()
  const keyOf = ({ sessionId }: AccountActor, { id, public_key }: KnownPeer): string =>
    `${sessionId} ${id} ${public_key}`
  return {
    of(actor, peer, signal) {
      const key = keyOf(actor, peer)
      const known = kept.get(key)
      if (known !== undefined) return known
      // Several requests of a page wait for one sign-in, which does not end with the first of them.
      const opened = openPeerSession(caller, peer, actor, AbortSignal.timeout(signInMs)).catch(withoutAccount)
      const oldest = kept.size >= mostKept ? kept.keys().next().value : undefined
      if (oldest !== undefined) kept.delete(oldest)
      kept.set(key, opened)
      opened.catch(() => {
        if (kept.get(key) === opened) kept.delete(key)
      })
      return withSignal(opened, signal)
    },
    async forget(actor, peer, session) {
      const key = keyOf(actor, peer)
      const held = kept.get(key)
      const one = await held?.catch(() => undefined)
      if (one?.token === session.token && kept.get(key) === held) kept.delete(key)
    },
  }
}

const signInMs = 20_000

/** Who has no account there that belongs to them is not signed in there. */
function withoutAccount(error: unknown): never {
  if (error instanceof ResultError && error.code === 'notFound') return fail('notLoggedIn')
  throw error
}

/** Waits for a promise until the signal. */
function withSignal<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
