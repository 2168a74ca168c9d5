// Compares what two have made of a version without holding up the page.
import { beside, type Steps } from '../../viewing/compare/worker-task.ts'
import type { Compared, Versions } from './comparison.ts'
import ComparisonWorker from './comparison-worker.ts?worker'

const parts = {
  start: () => new ComparisonWorker(),
  here: async () => (await import('./comparison.ts')).compareVersions,
}

/** Reads all three, and counts what differs. */
export function comparedBeside(versions: Versions, signal: AbortSignal, onStep: Steps): Promise<Compared> {
  return beside(parts, versions, { signal, onStep })
}
