// Compares what two have made of a version without holding up the page.
import { type OnProgress, runInWorker } from '../../viewing/compare/worker-task.ts'
import type { MergeComparison, MergeFiles } from './comparison.ts'
import ComparisonWorker from './comparison-worker.ts?worker'

const parts = {
  start: () => new ComparisonWorker(),
  here: async () => (await import('./comparison.ts')).compareVersions,
}

/** Reads all three, and counts what differs. */
export function compareInWorker(
  versions: MergeFiles,
  signal: AbortSignal,
  onStep: OnProgress,
): Promise<MergeComparison> {
  return runInWorker(parts, versions, { signal, onStep })
}
