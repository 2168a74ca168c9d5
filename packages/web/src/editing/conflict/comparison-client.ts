// Runs the comparison of two edits of a version in a worker, so that the page is not blocked.
import { type OnProgress, runInWorker } from '../../viewing/compare/worker-task.ts'
import type { MergeComparison, MergeFiles } from './comparison.ts'
import ComparisonWorker from './comparison-worker.ts?worker'

const parts = {
  start: () => new ComparisonWorker(),
  here: async () => (await import('./comparison.ts')).compareVersions,
}

/** Reads all three files and counts the differences. */
export function compareInWorker(
  versions: MergeFiles,
  signal: AbortSignal,
  onStep: OnProgress,
): Promise<MergeComparison> {
  return runInWorker(parts, versions, { signal, onStep })
}
