// Verification of the chain as a queued job: it takes minutes for a million rows.
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../core/db/database.ts'
import { job } from '../../core/queue/job.ts'
import type { JobKind } from '../../core/queue/kind.ts'
import type { Services } from '../../core/services.ts'
import { verifyAudit } from './verify.ts'

const hourMs = 60 * 60_000

const Result = z.object({
  at: z.number(),
  tookMs: z.number(),
  rows: z.number(),
  problems: z.array(
    z.object({
      what: z.enum(['altered', 'removed', 'inserted', 'cut', 'head']),
      seq: z.number(),
      auditId: z.number(),
      count: z.number(),
    }),
  ),
  problemCount: z.number(),
})
export type Verification = z.output<typeof Result>

/** `asked` distinguishes verifications. `by` is the requesting account, or 0 for the daily verification. */
export const verification: JobKind<{ asked: number; by: number }, Verification> = {
  name: 'audit.verify',
  input: z.object({ asked: z.number(), by: z.number() }),
  key: ({ asked }) => String(asked),
  result: Result,
}

export const verificationJob = ({ blobs }: Pick<Services, 'blobs'>) =>
  job({
    ...verification,
    attempts: 3,
    concurrency: 1,
    timeoutMs: 6 * hourMs,
    async run(context) {
      const { db, signal } = context
      const begun = Date.now()
      const found = await verifyAudit(db, blobs, {
        signal,
        onProgress: (done, of) => context.progress(of === 0 ? 1000 : Math.min(999, Math.floor((done * 1000) / of))),
      })
      return { ...found, problems: [...found.problems], at: begun, tookMs: Date.now() - begun }
    },
    async commit({ tx, now }, { by }, result) {
      // The result is audited, in the chain itself.
      await tx
        .insertInto('audit')
        .values({
          at: now,
          account_id: by === 0 ? null : by,
          call: 'auditVerified',
          address: '',
          items: [],
          detail: JSON.stringify(result),
        })
        .execute()
    },
  })

/** The running verification, and the last finished one. */
export async function verificationOf(db: Db): Promise<{ progress: number | null; last: Verification | null }> {
  const running = await db
    .selectFrom('job')
    .select('progress')
    .where('kind', '=', verification.name)
    .where('state', 'in', ['waiting', 'running'])
    .limit(1)
    .executeTakeFirst()
  const { rows } = await sql<{ result: Verification }>`
    select result from job where kind = ${verification.name} and state = 'done' and result is not null
    order by ended_at desc limit 1`.execute(db)
  return { progress: running?.progress ?? null, last: rows[0]?.result ?? null }
}
