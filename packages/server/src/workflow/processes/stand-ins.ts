/*
 * Stand-ins of those whom processes wait for: they read the file, and are told. `process_stand_in` says for whom that was
 * done, so an absence that begins or ends while a process waits is found by a chore (ADR 0357).
 */
import { ProcessStateCode as WireState, waitingAt } from '@cloudoc/domain'
import { sql } from 'kysely'
import { dropReminders } from '../../approvals/reminders/index.ts'
import { currentStandIns } from '../../approvals/review/index.ts'
import type { ItemRow } from '../../core/access.ts'
import type { Db } from '../../core/db/database.ts'
import { type LevelBefore, type NewEvent, personal } from '../../core/events.ts'
import { settleNotices } from '../../core/notices/index.ts'
import { addProcessEntries, removeProcessEntries } from '../../drive/rights/index.ts'
import { itemEvent } from '../../drive/tree/index.ts'
import { launcherNameOf } from './notices.ts'
import { type Acting, type ProcessRow, standInsOf } from './process-row.ts'

/** Processes whose stand-ins are not those who stand in now. */
export async function processesToFollow(db: Db, now: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with wanted as materialized (
      select distinct w.process_id, s.id as account_id from (${currentStandIns(now)}) s
        join process_task w on w.account_id = s.person
      where not exists (select 1 from process_task o where o.process_id = w.process_id and o.account_id = s.id)
    )
    select process_id as id from wanted n where not exists (
      select 1 from process_stand_in x where x.process_id = n.process_id and x.account_id = n.account_id)
    union
    select x.process_id from process_stand_in x where not exists (
      select 1 from wanted n where n.process_id = x.process_id and n.account_id = x.account_id)
    limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Brings the stand-ins of a process up to date. Those who were told by `events` already are not told again. */
export async function followStandIns(
  acting: Acting,
  row: ProcessRow,
  nameOf: (node: string) => string,
  events: readonly NewEvent[] = [],
): Promise<void> {
  const { tx } = acting
  const waiting = row.state.tasks.flatMap(waitingAt)
  const wanted = (await standInsOf(acting, waiting)).filter((one) => !waiting.includes(one))
  const { rows } = await sql<{ account_id: number }>`
    select account_id from process_stand_in where process_id = ${row.id}`.execute(tx)
  const known = rows.map(({ account_id: id }) => id)
  const begun = wanted.filter((one) => !known.includes(one))
  const ended = known.filter((one) => !wanted.includes(one))
  if (begun.length > 0) {
    await sql`
      insert into process_stand_in (process_id, account_id)
      select ${row.id}, unnest(${begun}::bigint[])`.execute(tx)
    await giveRight(acting, row, begun)
    const told = new Set(events.flatMap((event) => ('accountIds' in event ? event.accountIds : [])))
    await tell(
      acting,
      row,
      nameOf,
      begun.filter((one) => !told.has(one)),
    )
  }
  if (ended.length > 0) {
    await sql`
      delete from process_stand_in where process_id = ${row.id} and account_id = any(${ended})`.execute(tx)
    await takeBack(acting, row, ended)
  }
}

async function tell(
  acting: Acting,
  row: ProcessRow,
  nameOf: (node: string) => string,
  begun: readonly number[],
): Promise<void> {
  const { tx, now } = acting
  const launcherName = await launcherNameOf(tx, row.launcher_id)
  for (const task of row.state.tasks) {
    const able = (await standInsOf(acting, waitingAt(task))).filter((one) => !task.barred?.includes(one))
    const people = begun.filter((one) => able.includes(one))
    if (people.length === 0) continue
    acting.event(
      personal('processPlayer', people, {
        ...{ serverId: 0, processId: row.id, processName: row.title, launcherName, createTime: now, comment: '' },
        ...{ processState: WireState.pending, nodeState: WireState.pending, nodeName: nameOf(task.node) },
      }),
    )
  }
}

async function giveRight(acting: Acting, row: ProcessRow, begun: readonly number[]): Promise<void> {
  if (row.item_id === null) return
  const accountIds = begun.filter((one) => one !== row.launcher_id)
  if (accountIds.length === 0) return
  const given = { processId: row.id, authorId: row.launcher_id, accountIds }
  await announce(acting, row.item_id, await addProcessEntries(acting, row.item_id, given))
}

/** What they were told is read; those who have to do with the process themselves keep their right. */
async function takeBack(acting: Acting, row: ProcessRow, ended: readonly number[]): Promise<void> {
  const { tx, now } = acting
  const { rows } = await sql<{ id: number }>`
    select e.id from unnest(${[...ended]}::bigint[]) as e (id)
    where not exists (select 1 from process_task w where w.process_id = ${row.id} and w.account_id = e.id)`.execute(tx)
  for (const { id } of rows) {
    await dropReminders(tx, id, `process ${row.id}`)
    for (const event of await settleNotices(tx, id, { group: 'workflow', key: String(row.id) }, now))
      acting.event(event)
  }
  if (row.item_id === null || rows.length === 0) return
  const others = await sql<{ id: number }>`
    select e.id from unnest(${rows.map(({ id }) => id)}::bigint[]) as e (id)
    where not exists (select 1 from process_player y where y.process_id = ${row.id} and y.account_id = e.id)`.execute(
    tx,
  )
  const given = { processId: row.id, authorId: row.launcher_id, accountIds: others.rows.map(({ id }) => id) }
  if (given.accountIds.length > 0)
    await announce(acting, row.item_id, await removeProcessEntries(acting, row.item_id, given))
}

/** Tells those who see a file that its rights have changed. */
async function announce(acting: Acting, itemId: number, before: LevelBefore | undefined): Promise<void> {
  if (before === undefined) return
  const { rows } = await sql<ItemRow>`select * from item where id = ${itemId}`.execute(acting.tx)
  const [item] = rows
  if (item !== undefined) acting.event(itemEvent(item, 'rights', acting.actor?.name ?? '', { before }))
}
