// Work that waits until its cause rests for a while: the documented waits of [R087].

/** Milliseconds after the last cause, and at most after the first that still waits. */
export interface Wait {
  readonly afterMs: number
  readonly mostMs?: number
}

/** The documented waits. */
export const scrollWait: Wait = { afterMs: 100 }
export const settingsWait: Wait = { afterMs: 200, mostMs: 500 }
export const saveWait: Wait = { afterMs: 300, mostMs: 800 }

export interface Debounced<A extends unknown[]> {
  /** Does the work with the latest arguments after the wait. */
  readonly later: (...args: A) => void
  /** Does at once what still waits. */
  readonly flush: () => void
  /** Forgets what still waits. */
  readonly cancel: () => void
}

export function debounced<A extends unknown[]>(
  work: (...args: A) => void,
  { afterMs, mostMs = Number.POSITIVE_INFINITY }: Wait,
): Debounced<A> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let since = 0
  let latest: A | undefined
  const cancel = (): void => {
    clearTimeout(timer)
    timer = undefined
    latest = undefined
  }
  const flush = (): void => {
    const waiting = latest
    cancel()
    if (waiting !== undefined) work(...waiting)
  }
  return {
    later: (...args) => {
      const now = performance.now()
      if (latest === undefined) since = now
      latest = args
      clearTimeout(timer)
      timer = setTimeout(flush, Math.max(0, Math.min(afterMs, since + mostMs - now)))
    },
    flush,
    cancel,
  }
}
