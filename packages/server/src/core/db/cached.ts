// Something small that everybody is told alike and that administrators seldom change (ADR 35).
import { batched } from '../batcher.ts'
import type { Invalidations } from './invalidations.ts'

/**
 * Reads it once, and keeps it until everything is let go of, which the triggers of its tables ask for. Who asks has caught
 * up with what has changed.
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
