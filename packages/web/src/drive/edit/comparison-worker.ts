// Reads and counts beside the page what two have made of a version.
import { answersBeside } from '../compare/beside.ts'
import { compareVersions } from './comparison.ts'

answersBeside(compareVersions)
