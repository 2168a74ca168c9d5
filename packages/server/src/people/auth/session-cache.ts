// Sessions that were read lately, by their tokens, until the database reports that one or its account has changed.
import type { AccountActor } from '../../core/actor.ts'
import type { Invalidations } from '../../core/db/invalidations.ts'

/** Maximum number of cached sessions. */
const maxCached = 20_000

export interface CachedSession {
  readonly actor: AccountActor
  readonly expiresAt: number
  readonly usedAt: number
  /** When it was last known to be valid. */
  heldAt: number
}

export function createSessionCache(invalidations: Invalidations) {
  const kept = new Map<string, CachedSession>()
  const keys = { session: new Map<number, string>(), account: new Map<number, Set<string>>() }
  const forget = (key: string): void => {
    const actor = kept.get(key)?.actor
    if (actor === undefined) return
    kept.delete(key)
    keys.session.delete(actor.sessionId)
    const others = keys.account.get(actor.accountId)
    others?.delete(key)
    if (others?.size === 0) keys.account.delete(actor.accountId)
  }
  const forgetAll = (): void => {
    kept.clear()
    keys.session.clear()
    keys.account.clear()
  }
  const keep = (key: string, one: CachedSession): void => {
    if (kept.size > maxCached) forgetAll()
    kept.set(key, one)
    keys.session.set(one.actor.sessionId, key)
    const others = keys.account.get(one.actor.accountId)
    if (others === undefined) keys.account.set(one.actor.accountId, new Set([key]))
    else others.add(key)
  }
  invalidations.follow({
    forget(kind, id) {
      if (kind === 'session') forget(keys.session.get(id) ?? '')
      if (kind === 'account') for (const key of keys.account.get(id) ?? []) forget(key)
    },
    forgetAll,
  })

  return { get: (key: string) => kept.get(key), keep }
}
