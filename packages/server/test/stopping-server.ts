// A server that hangs at a named point, to be killed there. Arguments: the database, the location of the contents as
// returned by `storeOf`, and the point.
import { createApp } from '../src/app.ts'
import type { S3Config } from '../src/config.ts'
import { openS3Store } from '../src/core/blobs/s3-store.ts'
import type { DatabaseTarget } from '../src/core/db/target.ts'
import { createLog } from '../src/core/log.ts'

const [database = '', store = '', point = ''] = process.argv.slice(2)
const log = createLog('silent')
const app = await createApp({
  database: JSON.parse(database) as DatabaseTarget,
  blobDir: store,
  ...(store.startsWith('{')
    ? { openBlobs: (pausePoint) => openS3Store(JSON.parse(store) as S3Config, { log, pausePoint }) }
    : {}),
  log,
  allowUnsafeDatabase: true,
  async pause(at) {
    if (at !== point) return
    process.stdout.write('stopped\n')
    await new Promise(() => {})
  },
})
process.stdout.write(`ready at ${await app.http.listen({ port: 0, host: '127.0.0.1' })}\n`)
