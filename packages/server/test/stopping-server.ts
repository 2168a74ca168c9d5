// A server that hangs at a named point, to be killed there: arguments are the database, the folder and the point.
import { createApp } from '../src/app.ts'
import type { DatabaseTarget } from '../src/core/db/target.ts'
import { createLog } from '../src/core/log.ts'

const [database = '', blobDir = '', point = ''] = process.argv.slice(2)
const app = await createApp({
  database: JSON.parse(database) as DatabaseTarget,
  blobDir,
  log: createLog('silent'),
  allowUnsafeDatabase: true,
  async pause(at) {
    if (at !== point) return
    process.stdout.write('stopped\n')
    await new Promise(() => {})
  },
})
process.stdout.write(`ready at ${await app.http.listen({ port: 0, host: '127.0.0.1' })}\n`)
