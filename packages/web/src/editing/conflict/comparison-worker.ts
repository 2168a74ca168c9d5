// Reads and counts beside the page what two have made of a version.
import { serveWorker } from '../../viewing/compare/worker-task.ts'
import { compareVersions } from './comparison.ts'

serveWorker(compareVersions)
