// Job kinds for tests, and processes that run them.
import { sql } from 'kysely'
import { z } from 'zod'
import { openDatabase } from '../src/core/db/database.ts'
import type { DatabaseTarget } from '../src/core/db/target.ts'
import { createPostgresFanout, type Fanout } from '../src/core/fanout.ts'
import { createLog } from '../src/core/log.ts'
import type { Job } from '../src/core/queue/job.ts'
import { createQueue, type QueueParts } from '../src/core/queue/queue.ts'

/** A job whose result is stored; a row of `stamp` counts how often it was written. */
export const written = {
  name: 'written',
  input: z.object({ n: z.number() }),
  result: z.object({ by: z.string() }),
  key: ({ n }: { n: number }) => String(n),
  attempts: 3,
  concurrency: 2,
  timeoutMs: 600_000,
  async commit({ tx }: Parameters<NonNullable<Job['commit']>>[0], { n }: { n: number }) {
    await sql`insert into stamp (name, value) values (${`written ${n}`}, 1)
      on conflict (name) do update set value = stamp.value + 1`.execute(tx)
  },
}

const never = 2 ** 31 - 1

/** The queue of one process: connections, wake-up notifications and its own worker. It polls only if configured to. */
export async function openProcess(
  target: DatabaseTarget,
  kinds: readonly Job[],
  more: Partial<QueueParts> = {},
): Promise<Process> {
  const database = openDatabase(target, 8)
  const fanout = more.fanout ?? createPostgresFanout(target)
  const queue = createQueue({
    database,
    fanout,
    kinds: () => kinds,
    log: createLog('silent'),
    now: Date.now,
    pollEveryMs: never,
    ...more,
  })
  queue.start()
  while (fanout.away !== undefined) await new Promise((resolve) => setImmediate(resolve))
  return {
    db: database.db,
    queue,
    async close() {
      await queue.stop()
      await fanout.close()
      await database.close()
    },
  }
}

export interface Process {
  readonly db: ReturnType<typeof openDatabase>['db']
  readonly queue: ReturnType<typeof createQueue>
  close(): Promise<void>
}

/** A fan-out that delivers nothing. */
export const deaf: Fanout = {
  publish: () => Promise.resolve(),
  subscribe: () => {},
  away: undefined,
  close: () => Promise.resolve(),
}
