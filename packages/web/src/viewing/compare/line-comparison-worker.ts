// Compares lines beside the page.

import { compareLines } from './diff.ts'
import { answersBeside } from './worker-task.ts'

answersBeside(([before, after]: readonly [readonly string[], readonly string[]]) => compareLines(before, after))
