// Feature: signing.
import { features } from '@cloudoc/contract'
import { signLimits } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import { writeEvents } from '../../core/events.ts'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import type { Services } from '../../core/services.ts'
import { createCheckedContents } from '../../drive/content/index.ts'
import { accessSources } from '../../drive/rights/index.ts'
import { signingAccessRecords } from './access-records.ts'
import { expire } from './acts.ts'
import { archiveJob } from './archive.ts'
import { archiving } from './archive-kind.ts'
import { signingHandlers } from './index.ts'
import { launchedSignings, signaturesOf } from './leavers.ts'
import { externalSigners } from './outsiders.ts'
import { signaturesWaiting, signingsOpen } from './read.ts'
import { changed, record, signingAudience, signingObjects } from './rows.ts'
import { signingTables } from './tables.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const chunk = 100

export const signing = feature({
  wire: features.signing,
  tables: signingTables,
  checks: [
    {
      says: 'a running signing process waits for somebody, and nobody else is asked',
      broken: sql`
        select 'signing ' || s.id as what from sign_activity s where (s.state = 'running') <> exists (
          select 1 from sign_signer g where g.activity_id = s.id and g.state = 'now')`,
    },
    {
      says: 'a file bears the mark of being signed as long as it is signed',
      broken: sql`
        select 'signing ' || s.id as what from sign_activity s join item i on i.id = s.item_id
        where s.state in ('running', 'signed') and i.status & 2097152 = 0`,
    },
    {
      says: 'a signing process has every revision up to its newest',
      broken: sql`
        select 'signing ' || s.id as what from sign_activity s
        where case when s.contents_removed_at is null then s.revision + 1 else 0 end <> (
          select count(*) from sign_revision r where r.activity_id = s.id and r.number <= s.revision)`,
    },
    {
      says: 'a signing process that is not over has its contents',
      broken: sql`
        select 'signing ' || id as what from sign_activity
        where contents_removed_at is not null and state in ('running', 'signed')`,
    },
  ],
  open: (services) => ({
    contributions: [contribute(accessSources, signingAccessRecords)],
    handlers: signingHandlers(services, createCheckedContents(services)),
    objects: [signingObjects(services.now)],
    outsiders: [externalSigners(services)],
    audiences: { 'signing.changed': signingAudience },
    counters: { signReview: signaturesWaiting, signCreation: signingsOpen },
    jobs: [archiveJob(services)],
    leavers: [signaturesOf(services), launchedSignings],
    chores: [
      {
        name: 'contents of ended signing',
        everyMs: hourMs,
        run: async () => (await removeContents(services.db, services.now())) === chunk,
      },
      {
        name: 'deadlines of signing',
        everyMs: minuteMs,
        run: async () => (await passDeadlines(services, services.now())) === chunk,
      },
    ],
  }),
})

/**
 * Ends processes whose time is over, and shows archives that cannot be written. Returns how many it looked at; a process
 * that stops in between ends none twice.
 */
export async function passDeadlines(
  { db, secrets, settings }: Pick<Services, 'db' | 'secrets' | 'settings'>,
  now: number,
): Promise<number> {
  const { rows } = await sql<{ id: number; why: 'late' | 'archive' }>`
    (select id, 'late' as why from sign_activity where state = 'running' and deadline <= ${now}
      order by deadline limit ${chunk})
    union all
    (select s.id, 'archive' from job j join sign_activity s on s.id = (j.input->>'activityId')::bigint
      where j.kind = ${archiving.name} and j.state = 'failed' and s.state = 'signed' and s.archive_problem is null
        and s.archive_folder_id = (j.input->>'folderId')::bigint limit ${chunk})`.execute(db)
  for (const { id, why } of rows) {
    await db.transaction().execute(async (tx) => {
      if (why === 'late') return writeEvents(tx, await expire({ tx, now }, { secrets, settings }, id), now)
      const given = await sql`
        update sign_activity set archive_problem = -2 where id = ${id} and state = 'signed' and archive_problem is null
        returning 1`.execute(tx)
      if (given.rows.length === 0) return
      await record(tx, id, now, 'notArchived')
      await writeEvents(tx, [changed(id)], now)
    })
  }
  return rows.length
}

/**
 * Removes the contents of processes that ended long ago; the collector then removes what nothing else refers to. What was
 * archived lies in its folder, and the course of the process stays. Returns the number of processes.
 */
export async function removeContents(db: Db, now: number): Promise<number> {
  const before = now - signLimits.contentDays * 24 * hourMs
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      select id from sign_activity
      where contents_removed_at is null and state in ('archived', 'rejected', 'withdrawn', 'expired')
        and ended_at < ${before}
      order by ended_at limit ${chunk} for no key update skip locked`.execute(tx)
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return 0
    await sql`delete from sign_revision where activity_id = any(${ids}::bigint[])`.execute(tx)
    await sql`update sign_activity set contents_removed_at = ${now} where id = any(${ids}::bigint[])`.execute(tx)
    return ids.length
  })
}
