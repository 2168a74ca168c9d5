// Background jobs for administrators. Job keys contain ids and hashes only, so the page discloses no contents.
import { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { implement } from '../../core/call/implement.ts'
import type { Tx } from '../../core/db/database.ts'
import { jobEndings } from '../../core/queue/endings.ts'
import type { JobState } from '../../core/queue/kind.ts'
import { cancelById, countJobs, retry } from '../../core/queue/rows.ts'
import type { Services } from '../../core/services.ts'
import { countQueuedNames, requeueNames } from '../../search/items/index.ts'
import { titleOf } from './words.ts'

interface Listed {
  readonly id: number
  readonly kind: string
  readonly key: string
  readonly state: JobState
  readonly progress: number
  readonly attempts: number
  readonly created_at: number
  readonly due: number | null
  readonly ended_at: number | null
  readonly error_code: string | null
  readonly error_message: string | null
}

/** The call handlers of background jobs. */
export function jobHandlers({ contributed }: Pick<Services, 'contributed'>) {
  return implement(features.jobs.calls, {
    async getJobs({ db, now }, { state, kind, from, rows: most }) {
      const which = sql`${state === 'all' ? sql`true` : sql`state = ${state}`}
        and ${kind === '' ? sql`true` : sql`kind = ${kind}`}`
      const [counts, { rows }, { rows: totals }, notIndexed] = await Promise.all([
        countJobs(db, now),
        sql<Listed>`
          select id, kind, key, state, progress, attempts, created_at, due, ended_at, error_code, error_message
          from job where ${which} order by id desc limit ${most} offset ${from}`.execute(db),
        sql<{ total: number }>`select count(*)::int as total from job where ${which}`.execute(db),
        countQueuedNames(db),
      ])
      return {
        kinds: counts.map((one) => ({ ...one, title: titleOf(one.kind) })),
        list: rows.map((row) => ({
          jobId: row.id,
          kind: row.kind,
          title: titleOf(row.kind),
          key: row.key,
          state: row.state,
          progress: row.progress,
          attempts: row.attempts,
          createTime: row.created_at,
          dueTime: row.due ?? 0,
          endTime: row.ended_at ?? 0,
          errorCode: row.error_code ?? '',
          errorMessage: row.error_message ?? '',
        })),
        total: totals[0]?.total ?? 0,
        notIndexed,
      }
    },

    async retryJob(context, { jobId }) {
      await assertKnown(context.tx, jobId)
      const retried = await retry(context, sql`id = ${jobId} and state in ('failed', 'cancelled', 'waiting')`)
      return retried === 0 ? fail('duplicateOperation') : {}
    },

    async retryFailedJobs(context, { kind }) {
      const count = await retry(context, sql`state = 'failed' and ${kind === '' ? sql`true` : sql`kind = ${kind}`}`)
      context.audit({ count })
      return { count }
    },

    async cancelJob(context, { jobId }) {
      await assertKnown(context.tx, jobId)
      const gone = (await cancelById(context, jobId)) ?? fail('duplicateOperation')
      for (const { kind, cancelled } of contributed(jobEndings))
        if (kind.name === gone.kind) await cancelled(context, gone.input as never)
      return {}
    },

    async rebuildSearch(context) {
      const count = (await requeueNames(context.tx)) ?? fail('duplicateOperation')
      context.audit({ count })
      return { count }
    },
  })
}

async function assertKnown(tx: Tx, jobId: number): Promise<void> {
  const row = await tx.selectFrom('job').select('id').where('id', '=', jobId).executeTakeFirst()
  if (row === undefined) fail('notFound')
}
