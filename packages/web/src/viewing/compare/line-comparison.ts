// Compares lines without blocking the page.

import type { Line } from './diff.ts'
import LinesWorker from './line-comparison-worker.ts?worker'
import { runInWorker } from './worker-task.ts'

const parts = {
  start: () => new LinesWorker(),
  here: async () => {
    const { compareLines } = await import('./diff.ts')
    return ([before, after]: readonly [readonly string[], readonly string[]]) => compareLines(before, after)
  },
}

/** Returns the lines of two texts side by side. */
export function compareLinesInWorker(
  before: readonly string[],
  after: readonly string[],
  signal: AbortSignal,
): Promise<Line[]> {
  return runInWorker(parts, [before, after] as const, { signal })
}
