// A process that takes jobs until it is killed: it prints which job it has started and never finishes it.
import { openDatabase } from '../src/core/db/database.ts'
import type { DatabaseTarget } from '../src/core/db/target.ts'
import { createPostgresFanout } from '../src/core/fanout.ts'
import { createLog } from '../src/core/log.ts'
import { job } from '../src/core/queue/job.ts'
import { createQueue } from '../src/core/queue/queue.ts'
import { written } from './jobs.ts'

const [target = '{}'] = process.argv.slice(2)
const database = openDatabase(JSON.parse(target) as DatabaseTarget)
const queue = createQueue({
  database,
  fanout: createPostgresFanout(JSON.parse(target) as DatabaseTarget),
  log: createLog('silent'),
  now: Date.now,
  kinds: () => [
    job({
      ...written,
      run: (_context, { n }) => {
        process.stdout.write(`began ${n}\n`)
        return new Promise(() => {})
      },
    }),
  ],
})
queue.start()
