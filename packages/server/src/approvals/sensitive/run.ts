// The check of the files that are there, on demand: it walks through all files in steps, and can be stopped.
import type { SensitiveRun } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import { writeEvents } from '../../core/events.ts'
import type { Write } from '../../core/queue/job.ts'
import { advance, detectionNames } from './check.ts'
import type { ActiveRules } from './rules.ts'

const stepFiles = 300
/** A step waits until fewer contents than this are queued, so that new versions do not wait long behind them. */
const mostQueued = 200

/** Begins a check of all files. One runs at a time. */
export async function startRun({ tx, now }: Write, accountId: number): Promise<number> {
  const { rows: running } = await sql`select 1 from sensitive_run where state = 'running'`.execute(tx)
  if (running.length > 0) return fail('duplicateOperation', { zh: '正在检测', en: 'a check is running' })
  const { rows } = await sql<{ id: number }>`
    insert into sensitive_run (state, started_by, started_at, total)
    select 'running', ${accountId}, ${now}, count(*) from item
    where f_type = 1 and link_to is null and deleted_at is null and not purged returning id`.execute(tx)
  return rows[0]?.id ?? fail('notFound')
}

/** Stops the check that runs; what is queued already still ends. */
export async function stopRun({ tx, now }: Write): Promise<void> {
  const { rows } = await sql`
    update sensitive_run set state = 'stopped', ended_at = ${now} where state = 'running' returning 1`.execute(tx)
  if (rows.length === 0) fail('notFound')
}

const queuedContents = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (
      select 1 from job where kind = any(${detectionNames}) and due is not null limit 10000) j`.execute(db)
  return rows[0]?.n ?? 0
}

/** The last check, whether it runs or has ended. */
export async function lastRun(db: Db): Promise<SensitiveRun | null> {
  const { rows } = await sql<Omit<SensitiveRun, 'queued'>>`
    select r.id as "runId", r.state, r.started_at as "startTime", r.ended_at as "endTime", a.name as "startedBy", r.total,
      least(r.done, r.total) as done, r.found
    from sensitive_run r join account a on a.id = r.started_by order by r.id desc limit 1`.execute(db)
  const [run] = rows
  return run === undefined ? null : { ...run, queued: await queuedContents(db) }
}

/** Goes on with the check that runs by some files. Returns whether there is more to do now. */
export async function stepRun(
  db: Db,
  now: number,
  current: (db: Db) => Promise<ActiveRules>,
  key: Uint8Array,
): Promise<boolean> {
  const { rows: running } = await sql`select 1 from sensitive_run where state = 'running'`.execute(db)
  if (running.length === 0 || (await queuedContents(db)) >= mostQueued) return false
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: number; last_id: number; started_at: number }>`
      select id, last_id, started_at from sensitive_run where state = 'running' for update skip locked`.execute(tx)
    const [run] = rows
    if (run === undefined) return false
    const files = await sql<{ id: number }>`
      select id from item where id > ${run.last_id} and f_type = 1 and link_to is null and deleted_at is null and not purged
      order by id limit ${stepFiles}`.execute(tx)
    const ids = files.rows.map(({ id }) => id)
    if (ids.length === 0) {
      // What is still queued was found by this check.
      const { rows: pending } = await sql`select 1 from sensitive_file where pending limit 1`.execute(tx)
      if (pending.length > 0) return false
      await sql`
        update sensitive_run set state = 'done', ended_at = ${now}, found = (
          select count(*)::int from sensitive_file where found_at >= ${run.started_at} and hits <> '[]'::jsonb)
        where id = ${run.id}`.execute(tx)
      return false
    }
    await sql`
      insert into sensitive_file (item_id, version, blob_id, name, uploader_id, state, pending, pending_since, created_at)
      select i.id, i.version, v.blob_id, i.name, v.created_by, 'clean', true, ${now}, ${now}
      from item i join version v on v.item_id = i.id and v.number = i.version where i.id = any(${ids})
      on conflict (item_id, version) do update set name = excluded.name, pending = true, tries = 0,
        pending_since = excluded.pending_since
      where sensitive_file.state not in ('deleted', 'replaced')`.execute(tx)
    const events = await advance({ tx, now }, { itemIds: ids }, await current(tx), key)
    await writeEvents(tx, events, now)
    await sql`
      update sensitive_run set last_id = ${ids.at(-1) ?? 0}, done = done + ${ids.length},
        found = (select count(*)::int from sensitive_file where found_at >= ${run.started_at} and hits <> '[]'::jsonb)
      where id = ${run.id}`.execute(tx)
    return ids.length === stepFiles
  })
}
