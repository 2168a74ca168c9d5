// Timers by name: a name that waits is not started again.

export interface NamedTimers {
  readonly later: (name: string, ms: number, work: () => void) => void
  readonly clear: () => void
  /** Clears them, and starts no more. */
  readonly close: () => void
}

export function openTimers(): NamedTimers {
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  let isClosed = false
  const clear = (): void => {
    for (const timer of timers.values()) clearTimeout(timer)
    timers.clear()
  }
  return {
    later(name, ms, work) {
      if (timers.has(name) || isClosed) return
      timers.set(
        name,
        setTimeout(() => {
          timers.delete(name)
          work()
        }, ms),
      )
    },
    clear,
    close() {
      isClosed = true
      clear()
    },
  }
}
