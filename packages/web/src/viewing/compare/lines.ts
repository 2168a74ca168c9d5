// Compares lines without holding up the page.
import { beside } from './beside.ts'
import type { Line } from './diff.ts'
import LinesWorker from './lines-worker.ts?worker'

const parts = {
  start: () => new LinesWorker(),
  here: async () => {
    const { compareLines } = await import('./diff.ts')
    return ([before, after]: readonly [readonly string[], readonly string[]]) => compareLines(before, after)
  },
}

/** The lines of two texts beside each other. */
export function linesBeside(before: readonly string[], after: readonly string[], signal: AbortSignal): Promise<Line[]> {
  return beside(parts, [before, after] as const, { signal })
}
