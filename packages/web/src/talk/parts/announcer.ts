/*
 * Announcements of new messages to screen readers: at most one in some seconds by the clock, however often the page is
 * drawn. A few messages are read out, more only counted.
 */

const everyMs = 5000
/** Messages that are read out at once. */
const mostRead = 3

export interface Announcer<T> {
  /** New messages, in their order. */
  add(messages: readonly T[]): void
  /** What waits is not announced any more. */
  clear(): void
}

/** Announces by `say`: the messages, or if they are more than a few their number. */
export function createAnnouncer<T>(say: (messages: readonly T[] | number) => void): Announcer<T> {
  let waiting: T[] = []
  let saidAt = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  const speak = (): void => {
    timer = undefined
    saidAt = performance.now()
    const told = waiting
    waiting = []
    say(told.length > mostRead ? told.length : told)
  }
  return {
    add(messages) {
      if (messages.length === 0) return
      waiting.push(...messages)
      timer ??= setTimeout(speak, Math.max(0, saidAt + everyMs - performance.now()))
    },
    clear() {
      clearTimeout(timer)
      timer = undefined
      waiting = []
    },
  }
}
