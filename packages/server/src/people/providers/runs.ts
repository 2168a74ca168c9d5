// Runs of the synchronization: requested by an administrator or by the clock, carried out by a job.
import type { LdapSettings } from '@cloudoc/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../core/db/database.ts'
import { type Job, job, type Write } from '../../core/queue/job.ts'
import type { JobKind } from '../../core/queue/kind.ts'
import { enqueue } from '../../core/queue/rows.ts'
import { unseal } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { DirectoryFailure } from './directory.ts'
import { providerSecret } from './ldap-identity.ts'
import { synchronize } from './sync.ts'

const Wanted = z.object({ runId: z.int() })
const runKind: JobKind<z.output<typeof Wanted>, void> = {
  name: 'directory.sync',
  input: Wanted,
  key: ({ runId }) => String(runId),
}
const runMs = 60 * 60_000
const minuteMs = 60_000
/** Runs that are kept of each provider. */
const kept = 20

/** Requests a run. Of each provider one runs at a time (-109). */
export async function requestRun(
  write: Write,
  providerId: number,
  { dry, confirmedId }: { readonly dry: boolean; readonly confirmedId: number },
): Promise<number> {
  const { id } = await write.tx
    .insertInto('provider_run')
    .values({ provider_id: providerId, dry, state: 'running', started_at: write.now, confirmed_id: confirmedId })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    delete from provider_run where provider_id = ${providerId} and id in (
      select id from provider_run where provider_id = ${providerId} order by id desc offset ${kept})`.execute(write.tx)
  await enqueue(write, runKind, { runId: id })
  return id
}

type Deps = Pick<Services, 'db' | 'commit' | 'now' | 'secrets'>

async function end(db: Db, runId: number, set: Record<string, unknown>, now: number): Promise<void> {
  await db
    .updateTable('provider_run')
    .set({ ...set, ended_at: now })
    .where('id', '=', runId)
    .execute()
}

async function carryOut(deps: Deps, runId: number, signal: AbortSignal): Promise<void> {
  const { db, now, secrets } = deps
  const run = await db
    .selectFrom('provider_run as r')
    .innerJoin('provider as p', 'p.id', 'r.provider_id')
    .leftJoin('provider_run as c', (join) =>
      join.onRef('c.id', '=', 'r.confirmed_id').onRef('c.provider_id', '=', 'r.provider_id'),
    )
    .select(['p.id', 'p.settings', 'p.secret', 'r.dry', 'c.counts as confirmed', 'c.state as confirmed_state'])
    .where('r.id', '=', runId)
    .executeTakeFirst()
  // The provider was removed since.
  if (run === undefined || run.settings.kind !== 'ldap') return
  const settings: LdapSettings = run.settings
  try {
    const provider = {
      ...{ id: run.id, settings },
      secret: run.secret === '' ? '' : unseal(secrets, providerSecret, run.secret),
    }
    const seen = (name: string): number => run.confirmed?.[name] ?? 0
    const confirmed = run.confirmed_state === 'waiting' ? { frozen: seen('frozen'), moved: seen('moved') } : undefined
    const { state, counts, changes } = await synchronize(deps, provider, { dry: run.dry, confirmed }, signal)
    const stored = { counts: { ...counts }, changes: JSON.stringify(changes) }
    await end(db, runId, { state, ...stored }, now())
  } catch (error) {
    const problem = error instanceof DirectoryFailure ? `${error.kind}: ${error.message}` : ''
    await end(db, runId, { state: 'failed', problem: problem.slice(0, 500) || 'interrupted' }, now())
    if (!(error instanceof DirectoryFailure)) throw error
  }
}

/** Carries out runs. A run that ended in the middle is not repeated: the next one finds what is left. */
export function runJob(deps: Deps): Job<z.output<typeof Wanted>, void> {
  return job({
    ...runKind,
    attempts: 1,
    concurrency: 1,
    timeoutMs: runMs,
    run: ({ signal }, { runId }) => carryOut(deps, runId, signal),
  })
}

/** Requests the runs that are due, and ends those whose process has died. */
export async function requestDueRuns({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  const at = now()
  await sql`
    update provider_run set state = 'failed', problem = 'interrupted', ended_at = ${at}
    where state = 'running' and started_at < ${at - runMs - minuteMs}`.execute(db)
  const { rows } = await sql<{ id: number }>`
    select p.id from provider p
    where p.enabled and p.settings ->> 'kind' = 'ldap' and (p.settings ->> 'syncMinutes')::int > 0
      and not exists (select 1 from provider_run r where r.provider_id = p.id and r.state = 'running')
      and coalesce((select max(r.started_at) from provider_run r where r.provider_id = p.id and not r.dry), 0)
        + (p.settings ->> 'syncMinutes')::int * ${minuteMs}::bigint <= ${at}`.execute(db)
  for (const { id } of rows) {
    await db
      .transaction()
      .execute((tx) => requestRun({ tx, now: at }, id, { dry: false, confirmedId: 0 }))
      .catch((error: unknown) => {
        // An administrator has requested one at the same moment.
        if ((error as { readonly code?: string }).code !== '23505') throw error
      })
  }
}
