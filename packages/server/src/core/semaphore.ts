// Places for work that takes much: so many at once, everybody else in line.

export interface Semaphore {
  /** Waits in line; whether it came to a place before the signal. Whoever came to one hands it back by `leave`. */
  acquire(signal?: AbortSignal): Promise<boolean>
  /** Hands the place to the next. */
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
