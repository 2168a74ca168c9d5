// Places for work that takes much: so many at once, everybody else in line.

export interface Places {
  /** Waits in line; whether it came to a place before the signal. Whoever came to one hands it back by `leave`. */
  come(signal?: AbortSignal): Promise<boolean>
  /** Hands the place to the next. */
  leave(): void
}

export function createPlaces(atOnce: number): Places {
  let free = atOnce
  const waiting: (() => void)[] = []
  return {
    async come(signal) {
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
    leave() {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    },
  }
}
