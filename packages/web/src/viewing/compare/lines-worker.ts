// Compares lines beside the page.
import { answersBeside } from './beside.ts'
import { compareLines } from './diff.ts'

answersBeside(([before, after]: readonly [readonly string[], readonly string[]]) => compareLines(before, after))
