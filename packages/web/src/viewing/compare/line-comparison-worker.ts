// Worker: compares lines outside the main thread.

import { compareLines } from './diff.ts'
import { serveWorker } from './worker-task.ts'

serveWorker(([before, after]: readonly [readonly string[], readonly string[]]) => compareLines(before, after))
