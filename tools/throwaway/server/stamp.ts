// A background job: a sticker gets its stamp a moment after it was added.
import { sql } from 'kysely'
import { z } from 'zod'
import { job } from '../../core/queue/job.ts'

const aMinute = 60_000

export const stamp = job({
  name: 'sticker stamp',
  input: z.object({ fileId: z.int() }),
  key: ({ fileId }) => String(fileId),
  attempts: 3,
  concurrency: 1,
  timeoutMs: aMinute,
  run: () => Promise.resolve(),
  async commit({ tx }, { fileId }) {
    await sql`update sticker set stamped = true where item_id = ${fileId}`.execute(tx)
  },
})
