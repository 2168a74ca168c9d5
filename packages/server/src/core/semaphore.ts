// A semaphore for expensive work: a limited number at once, all others in a queue.

export interface Semaphore {
  /**
   * Waits in the queue. Returns whether a slot was acquired before the signal. An acquired slot must be released by
   * `leave`.
   */
  acquire(signal?: AbortSignal): Promise<boolean>
  /** Releases the slot to the next in the queue. */
  release(): void
}

export function createSemaphore(atOnce: number): Semaphore {
  let free = atOnce
  const waiting: (() => void)[] = []
  return {
    async acquire(signal) {
      if (signal?.aborted === true) return false
      if (free > 0) {
        free -= 1
        return true
      }
      return new Promise((resolve) => {
        const come = (): void => {
          signal?.removeEventListener('abort', give)
          resolve(true)
        }
        const give = (): void => {
          waiting.splice(waiting.indexOf(come), 1)
          resolve(false)
        }
        signal?.addEventListener('abort', give, { once: true })
        waiting.push(come)
      })
    },
    release() {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    },
  }
}
