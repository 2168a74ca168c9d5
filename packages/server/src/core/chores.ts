// Work that is done again and again in the background.

import { pause } from './leader-election.ts'
import type { Log } from './log.ts'

/** One piece of background work. It may stop at any point, and another process may take it up. */
export interface Chore {
  /** For the log. */
  readonly name: string
  /** How long it rests when there is nothing more to do. */
  readonly everyMs: number
  /** Done by every process instead of the elected one alone. */
  readonly everywhere?: true
  /** Does some of it; true where more waits. May go on until the signal. */
  readonly run: (signal: AbortSignal) => Promise<boolean | void>
}

const retryMs = 1000
/** What rests longer than this is in no hurry when a server has started. */
const restlessMs = 10_000
const settleMs = 5000

/**
 * Does all of them until the signal, each by itself: one that is long or fails holds up no other. They begin one after
 * another, as all at once would want a connection each, and the first requests wait for that.
 */
export async function runChores(chores: readonly Chore[], signal: AbortSignal, log: Log): Promise<void> {
  await Promise.all(chores.map((chore, at) => runChore(chore, at / chores.length, signal, log)))
}

async function runChore({ name, everyMs, run }: Chore, place: number, signal: AbortSignal, log: Log): Promise<void> {
  await pause(everyMs > restlessMs ? settleMs + place * restlessMs : place * Math.min(everyMs, 1000), signal)
  while (!signal.aborted) {
    try {
      while (!signal.aborted && (await run(signal)) === true);
      await pause(everyMs, signal)
    } catch (error) {
      if (signal.aborted) return
      log.error({ err: error, chore: name }, 'background work failed and is tried again')
      await pause(retryMs, signal)
    }
  }
}
