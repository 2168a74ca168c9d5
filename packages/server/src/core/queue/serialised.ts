// Work that runs once at a time.
import type { Log } from '../log.ts'

/** Runs work once at a time. Requests during a run are served by the next run. */
export function serialised(log: Log, work: () => Promise<void>): () => Promise<void> {
  let isAsked = false
  let working: Promise<void> | undefined
  const run = async (): Promise<void> => {
    while (isAsked) {
      isAsked = false
      await work().catch((error: unknown) => log.warn({ err: error }, 'the queue is looked at again in a second'))
    }
    working = undefined
  }
  return () => {
    isAsked = true
    working ??= run()
    return working
  }
}
