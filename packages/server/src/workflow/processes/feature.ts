// Feature: processes.
import { features } from '@cloudoc/contract'
import { ResultError, waitingAt } from '@cloudoc/domain'
import { sql } from 'kysely'
import { postReminder } from '../../approvals/reminders/index.ts'
import { type NewEvent } from '../../core/events.ts'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import type { Services } from '../../core/services.ts'
import { companyCalendar } from '../../core/work-calendar.ts'
import { accessSources } from '../../drive/rights/index.ts'
import { processAccessRecords } from './access-records.ts'
import { archiveJob, settle } from './archive.ts'
import { archiving } from './archive-kind.ts'
import { processHandlers, reminderOf } from './index.ts'
import { waitingProcesses } from './leavers.ts'
import type { Acting, ProcessRow } from './process-row.ts'
import { pendingProcesses, processObjects } from './read.ts'
import { removeEnded } from './retention.ts'
import { lockProcess, perform } from './run.ts'
import { processesToFollow } from './stand-ins.ts'
import { processTables } from './tables.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const chunk = 100

export const processes = feature({
  wire: features.processes,
  tables: processTables,
  checks: [
    {
      says: 'a running process waits for somebody, or is being archived',
      broken: sql`
        select 'process ' || p.id as what from process p
        where (p.status in ('running', 'back') and not p.archiving) <> exists (
          select 1 from process_task w where w.process_id = p.id)
          and not (p.status in ('running', 'back') and p.archiving)`,
    },
    {
      says: 'a file names the process that it is in, and no other',
      broken: sql`
        select 'process ' || p.id as what from process p join item i on i.id = p.item_id
        where p.status in ('draft', 'running', 'back') and i.process_id is distinct from p.id`,
    },
    {
      says: 'the handlers of a process read its file as long as it runs',
      broken: sql`
        select 'process ' || p.id as what from entry e join process p on p.id = e.process_id
        where p.status not in ('running', 'back')`,
    },
  ],
  open(services) {
    return {
      contributions: [contribute(accessSources, processAccessRecords)],
      handlers: processHandlers(services),
      objects: [processObjects(services.now)],
      counters: { workflowPending: pendingProcesses },
      jobs: [archiveJob(services)],
      leavers: [waitingProcesses],
      reactions: [
        {
          to: 'person',
          async react(tx, heard) {
            for (const { change, now, event } of heard) {
              if (change.what !== 'state') continue
              const { rows } = await sql<{ id: number }>`
                select distinct process_id as id from process_task where account_id = ${change.accountId}
                order by 1`.execute(tx)
              const acting = { tx, now, actor: undefined, event }
              for (const { id } of rows) await perform(acting, await lockProcess(tx, id), { act: 'revive' })
            }
          },
        },
      ],
      chores: [
        {
          name: 'processes that ended long ago',
          everyMs: hourMs,
          run: () => removeEnded(services, services.now()),
        },
        {
          name: 'stand-ins of processes',
          everyMs: minuteMs,
          run: async () => (await followAbsences(services, services.now())) === chunk,
        },
        {
          name: 'deadlines of processes',
          everyMs: minuteMs,
          run: async () => (await passDeadlines(services, services.now())) === chunk,
        },
      ],
    }
  },
})

type Parts = Pick<Services, 'db' | 'commit' | 'pause'>

/** Deadlines in working days that were computed by another calendar. Returns how many processes there were. */
async function followCalendar(services: Parts, now: number): Promise<number> {
  const { key } = await companyCalendar(services.db)
  const { rows } = await sql<{ id: number }>`
    select id from process where calendar is not null and calendar <> ${key} order by id limit ${chunk}`.execute(
    services.db,
  )
  for (const { id } of rows)
    await alone(services, id, now, async (acting, row) => {
      await perform(acting, row, { act: 'calendar' })
      await sql`update process set calendar = ${key} where id = ${id} and calendar is not null`.execute(acting.tx)
    })
  return rows.length
}

/** Does something with one process, in a transaction of its own, without a call. */
async function alone(
  services: Parts,
  id: number,
  now: number,
  work: (acting: Acting, row: ProcessRow) => Promise<void>,
): Promise<void> {
  await services.db.transaction().execute(async (tx) => {
    const row = await lockProcess(tx, id)
    const events: NewEvent[] = []
    await work({ tx, now, actor: undefined, event: (event) => void events.push(event) }, row)
    await settle(services, tx, events, now, 'processDeadline')
    await services.pause('deadline passed')
  })
}

/** Absences that have begun or ended while processes wait. Returns how many processes it looked at. */
export async function followAbsences(services: Parts, now: number): Promise<number> {
  const ids = await processesToFollow(services.db, now, chunk)
  for (const id of ids)
    await alone(services, id, now, async (acting, row) => void (await perform(acting, row, { act: 'revive' })))
  return ids.length
}

/**
 * Applies deadlines that are over, asks others where those who are asked cannot act any more, and gives up archives
 * that cannot be written. Returns how many processes it looked at.
 */
export async function passDeadlines(services: Parts, now: number): Promise<number> {
  // First, so that no deadline passes that a changed calendar has moved.
  while ((await followCalendar(services, now)) === chunk);
  const { rows } = await sql<{ id: number; why: 'late' | 'unable' | 'archive' }>`
    (select id, 'late' as why from process where due_at <= ${now} order by due_at limit ${chunk})
    union all
    (select distinct w.process_id, 'unable' from process_task w join account a on a.id = w.account_id
      where a.state <> 'normal' or a.expires_at <= ${now} limit ${chunk})
    union all
    (select p.id, 'archive' from job j join process p on p.id = (j.input->>'processId')::bigint
      where j.kind = ${archiving.name} and j.state = 'failed' and p.archiving limit ${chunk})`.execute(services.db)
  for (const { id, why } of rows) {
    try {
      await alone(services, id, now, (acting, row) => passOne(acting, row, why))
    } catch (error) {
      // Somebody has acted meanwhile.
      if (!(error instanceof ResultError)) throw error
    }
  }
  return rows.length
}

async function passOne(acting: Acting, row: ProcessRow, why: 'late' | 'unable' | 'archive'): Promise<void> {
  if (why === 'unable') return void (await perform(acting, row, { act: 'revive' }))
  if (why === 'archive') {
    const task = row.state.tasks.find(({ mode }) => mode === 'archive')
    if (task !== undefined) await perform(acting, row, { act: 'notArchived', task: task.id, detail: 'failed' })
    return
  }
  const late = row.state.tasks.find(({ due }) => due !== null && due <= acting.now)
  if (late === undefined) return
  const { tasks } = await perform(acting, row, { act: 'deadline', task: late.id })
  // Whoever got the node by it has a notice of their own. Those of other nodes are in time.
  const still = tasks.filter(({ id }) => id === late.id).flatMap(waitingAt)
  const people = waitingAt(late).filter((one) => still.includes(one))
  for (const event of await reminderOf(acting, row, people))
    await postReminder(acting.tx, `process ${row.id}`, event, acting.now)
}
