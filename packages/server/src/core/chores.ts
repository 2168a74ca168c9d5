// Recurring background work.

import { pause } from './leader-election.ts'
import type { Log } from './log.ts'

/** One recurring background task. It may stop at any point, and another process may take it over. */
export interface Chore {
  /** The name in the log. */
  readonly name: string
  /** The pause when there is nothing more to do. */
  readonly everyMs: number
  /** Runs in every process instead of only in the elected one. */
  readonly everywhere?: true
  /** Does some of the work. Returns true if more is waiting. May run until the signal. */
  readonly run: (signal: AbortSignal) => Promise<boolean | void>
}

const retryMs = 1000
/** Chores with a longer pause than this are not urgent when a server starts. */
const restlessMs = 10_000
const settleMs = 5000

/**
 * Runs all chores until the signal, independently: a long or failing chore does not delay the others. They start one
 * after another. Otherwise each would need a connection at once, and the first requests would wait for that.
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
