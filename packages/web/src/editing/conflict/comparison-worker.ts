// The worker that compares two edits of a version.
import { serveWorker } from '../../viewing/compare/worker-task.ts'
import { compareVersions } from './comparison.ts'

serveWorker(compareVersions)
