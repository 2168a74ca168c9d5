// The cache of a small value that is the same for all users and that administrators seldom change (ADR 35).
import { batched } from '../batcher.ts'
import type { Invalidations } from './invalidations.ts'

/**
 * Reads the value once and caches it until all caches are cleared, which the triggers of its tables request. The caller
 * must have caught up with changes.
 */
export function cachedForAll<O>(invalidations: Invalidations, read: () => Promise<O>): () => Promise<O> {
  let kept: { readonly value: O } | undefined
  invalidations.follow({
    forget() {},
    forgetAll() {
      kept = undefined
    },
  })
  const readTogether = batched<undefined, O>({ most: 1000, atOnce: 2 }, async (asked) => {
    const mark = invalidations.mark()
    const value = await read()
    if (invalidations.isCurrentSince(mark)) kept = { value }
    return asked.map(() => ({ value }))
  })
  return async () => (kept === undefined ? readTogether(undefined) : kept.value)
}
