// The kind of job that fetches one mailbox.
import { sql } from 'kysely'
import { z } from 'zod'
import type { Write } from '../../core/queue/job.ts'
import type { JobKind } from '../../core/queue/kind.ts'
import { enqueue } from '../../core/queue/rows.ts'

const Asked = z.object({ boxId: z.int() })
export type FetchAsked = z.output<typeof Asked>

/** Fetches one mailbox. */
export const fetching: JobKind<FetchAsked, void> = {
  name: 'mail.fetch',
  input: Asked,
  key: ({ boxId }) => String(boxId),
  retentionMs: 1000,
}

/** Lets a mailbox be fetched now: a fetch that runs already goes over its folders once more. */
export async function fetchNow(write: Write, boxId: number): Promise<void> {
  await sql`update mailbox set next_fetch = ${write.now}::bigint where id = ${boxId}`.execute(write.tx)
  await enqueue(write, fetching, { boxId }, { retryFailed: true })
}
