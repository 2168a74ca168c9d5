// The life of an urge: sent, reminded, answered, done or ended. Everything happens while its row is locked.
import type { PushPayload } from '@cloudoc/contract'
import { afterWorkdays, fail, isWorkday, NotifyType, RemindType, urgeLimits } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Tx } from '../../core/db/database.ts'
import { type FeatureEvent, type NewEvent, type PersonalEvent, personal } from '../../core/events.ts'
import { settleNotices } from '../../core/notices/index.ts'
import { type Audience, audibleToAccount } from '../../core/push/index.ts'
import { companyCalendar, type KeyedCalendar } from '../../core/work-calendar.ts'
import { dropReminders, postReminder } from '../reminders/index.ts'
import type { UrgeWhat } from './tables.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
/** Longest time until the last repeated reminder, and until a deadline. */
const yearMs = 366 * dayMs

/** An urge, with the name of its sender. */
export interface UrgeRow {
  readonly id: number
  readonly sender_id: number
  readonly sender: string
  readonly item_id: number | null
  readonly f_type: 1 | 2
  readonly title: string
  readonly notify_type: NotifyType
  readonly message: string
  readonly state: 'open' | 'done' | 'ended'
  readonly created_at: number
  readonly deadline: number | null
  readonly deadline_workdays: number | null
  readonly late_at: number | null
  readonly repeat_hours: number
  readonly repeat_until: number | null
  readonly workdays_only: boolean
  readonly receiver_count: number
  readonly handled_count: number
}

/** Reads an urge inside the transaction that holds its lock. */
export async function readUrge(tx: Tx, id: number): Promise<UrgeRow> {
  const { rows } = await sql<UrgeRow>`
    select u.*, a.name as sender from urge u join account a on a.id = u.sender_id where u.id = ${id}`.execute(tx)
  return rows[0] ?? fail('notFound')
}

type Schedule = Pick<UrgeRow, 'created_at' | 'deadline' | 'late_at' | 'repeat_hours' | 'repeat_until' | 'workdays_only'>

/**
 * When the next reminder or the deadline is due after `now`, or null. Repeated reminders have fixed times: every
 * `repeat_hours` after the urge was sent; those on days without work are left out if the sender wishes. Times that passed
 * while no server ran are not made up for.
 */
export function nextDue(
  { created_at, deadline, late_at, repeat_hours, repeat_until, workdays_only }: Schedule,
  now: number,
  calendar: KeyedCalendar | undefined,
) {
  const times: number[] = []
  if (deadline !== null && late_at === null) times.push(deadline)
  if (repeat_hours > 0 && repeat_until !== null) {
    const every = repeat_hours * hourMs
    let slot = created_at + (Math.floor(Math.max(0, now - created_at) / every) + 1) * every
    if (workdays_only && calendar !== undefined)
      while (slot <= repeat_until && !isWorkday(calendar, slot)) slot += every
    if (slot <= repeat_until) times.push(slot)
  }
  return times.length === 0 ? null : Math.min(...times)
}

/** Refuses a schedule that is over already, has no end, or is too long. */
export function checkSchedule(
  {
    deadline,
    deadlineWorkdays,
    repeatHours,
    repeatUntil,
  }: {
    readonly deadline: number | null
    readonly deadlineWorkdays: number
    readonly repeatHours: number
    readonly repeatUntil: number | null
  },
  now: number,
): void {
  const isOver = (at: number | null): boolean => at !== null && (at <= now || at > now + yearMs)
  if (isOver(deadline))
    return fail('badRequest', { zh: '最晚时间须在现在之后一年以内', en: 'deadline: within a year from now' })
  if (deadline !== null && deadlineWorkdays > 0)
    return fail('badRequest', {
      zh: '最晚时间和工作日只填一个',
      en: 'deadline, deadlineWorkdays: give one of them',
    })
  if (repeatHours === 0 && repeatUntil === null) return
  if (repeatHours === 0 || repeatUntil === null)
    return fail('badRequest', {
      zh: '重复提醒须有间隔和结束时间',
      en: 'repeatHours and repeatUntil: one needs the other',
    })
  if (isOver(repeatUntil) || repeatUntil < now + repeatHours * hourMs)
    return fail('badRequest', {
      zh: '重复提醒的结束时间须晚于第一次提醒，并在一年以内',
      en: 'repeatUntil: after the first repetition, within a year from now',
    })
}

/** Records what happened to an urge. Returns the id of the entry. */
export async function record(
  tx: Tx,
  id: number,
  at: number,
  what: UrgeWhat,
  { by = null, to = null, text = '' }: { by?: number | null; to?: number | null; text?: string } = {},
): Promise<number> {
  const row = { urge_id: id, at, account_id: by, what, to_id: to, text }
  return (await tx.insertInto('urge_entry').values(row).returning('id').executeTakeFirstOrThrow()).id
}

/** An urge has changed: its sender and receivers load it again. */
interface UrgeEvent extends FeatureEvent {
  readonly kind: 'urge.changed'
  readonly urgeId: number
}
export const changed = (urgeId: number): UrgeEvent => ({ kind: 'urge.changed', urgeId })

/** The sender and the receivers of the urge. */
export const urgeAudience: Audience<UrgeEvent> = {
  async prepare(db, events) {
    const ids = events.map(({ event }) => event.urgeId)
    const { rows } = await sql<{ id: number; people: number[] }>`
      select u.id, array(select u.sender_id union select r.account_id from urge_receiver r where r.urge_id = u.id) as people
      from urge u where u.id = any(${ids})`.execute(db)
    const peopleOf = new Map(rows.map(({ id, people }) => [id, new Set(people.map(Number))]))
    return new Map(
      events.map(({ position, event }) => {
        const people = peopleOf.get(event.urgeId) ?? new Set<number>()
        const view = { name: 'urgeChanged', payload: { notifyId: event.urgeId } } as const
        return [
          position,
          {
            ...audibleToAccount(null, view),
            concerns: { accountIds: people, groupIds: new Set<number>(), roleIds: new Set<number>() },
            viewFor: (actor) => (people.has(actor.accountId) ? view : undefined),
          },
        ]
      }),
    )
  },
}

interface Said {
  readonly by: { readonly accountId: number; readonly name: string }
  readonly message: string
  readonly at: number
  readonly change?: PushPayload<'urgeRemind'>['change']
  /** Only the sender learns how many there are and are done. */
  readonly counts?: { readonly handled: number; readonly all: number }
}

/** Notifies people about an urge ([R272]). */
export function notify(urge: UrgeRow, remindType: RemindType, people: readonly number[], said: Said): PersonalEvent[] {
  if (people.length === 0) return []
  return [
    personal('urgeRemind', people, {
      serverId: 0,
      notifyId: urge.id,
      remindType,
      userId: said.by.accountId,
      userName: said.by.name,
      fType: urge.f_type,
      fId: urge.item_id ?? 0,
      fName: urge.title,
      createTime: said.at,
      message: said.message,
      notifyType: urge.notify_type,
      handledCount: said.counts?.handled ?? 0,
      receiverCount: said.counts?.all ?? 0,
      ...(said.change !== undefined && { change: said.change }),
    }),
  ]
}

const senderOf = ({ sender_id, sender }: UrgeRow) => ({ accountId: sender_id, name: sender })

/** An urge to send. */
export interface NewUrge {
  readonly itemId: number
  readonly fType: 1 | 2
  readonly title: string
  readonly notifyType: NotifyType
  readonly message: string
  readonly sent: { readonly userIds: number[]; readonly groupIds: number[]; readonly roleIds: number[] }
  readonly partnerId: number | null
  readonly serverIds: number[]
  readonly deadline: number | null
  readonly deadlineWorkdays: number
  readonly repeatHours: number
  readonly repeatUntil: number | null
  readonly workdaysOnly: boolean
  readonly receivers: readonly number[]
}

/** Sends an urge. Returns its id. */
export async function send(context: WriteContext, made: NewUrge): Promise<number> {
  const { tx, now } = context
  const { accountId } = actorOf(context)
  const calendar = made.deadlineWorkdays > 0 || made.workdaysOnly ? await companyCalendar(tx) : undefined
  const deadline =
    calendar !== undefined && made.deadlineWorkdays > 0
      ? afterWorkdays(calendar, now, made.deadlineWorkdays)
      : made.deadline
  const schedule = {
    ...{ created_at: now, deadline, late_at: null, workdays_only: made.workdaysOnly },
    ...{ repeat_hours: made.repeatHours, repeat_until: made.repeatUntil },
  }
  const { id } = await tx
    .insertInto('urge')
    .values({
      sender_id: accountId,
      item_id: made.itemId,
      f_type: made.fType,
      title: made.title,
      notify_type: made.notifyType,
      message: made.message,
      user_ids: made.sent.userIds,
      group_ids: made.sent.groupIds,
      role_ids: made.sent.roleIds,
      partner_id: made.partnerId,
      server_ids: made.serverIds,
      created_at: now,
      deadline,
      deadline_workdays: made.deadlineWorkdays > 0 ? made.deadlineWorkdays : null,
      calendar: calendar?.key ?? null,
      repeat_hours: made.repeatHours,
      repeat_until: made.repeatUntil,
      workdays_only: made.workdaysOnly,
      next_at: nextDue(schedule, now, calendar),
      receiver_count: made.receivers.length,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into urge_receiver (urge_id, account_id) select ${id}, unnest(${[...made.receivers]}::bigint[])`.execute(tx)
  await record(tx, id, now, 'created', { by: accountId })
  const urge = await readUrge(tx, id)
  const said = { by: senderOf(urge), message: urge.message, at: now }
  for (const event of notify(urge, RemindType.created, made.receivers, said)) context.event(event)
  context.event(changed(id))
  return id
}

/** Receivers who are not done and can act: accounts that are active. */
async function waitingFor(tx: Tx, id: number, now: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select r.account_id as id from urge_receiver r join account a on a.id = r.account_id
    where r.urge_id = ${id} and r.is_waiting and a.state = 'normal' and (a.expires_at is null or a.expires_at > ${now})
    order by 1`.execute(tx)
  return rows.map((row) => row.id)
}

/** Urges those again who are not done, by the sender or by a repeated reminder. */
async function urgeAgain(tx: Tx, urge: UrgeRow, now: number, by: number | null): Promise<[number, PersonalEvent[]]> {
  const people = await waitingFor(tx, urge.id, now)
  if (people.length === 0) return [0, []]
  await sql`
    update urge_receiver set urged = urged + 1 where urge_id = ${urge.id} and account_id = any(${people})`.execute(tx)
  await sql`update urge set reminded = reminded + 1 where id = ${urge.id}`.execute(tx)
  await record(tx, urge.id, now, by === null ? 'repeated' : 'reminded', { by })
  const said = { by: senderOf(urge), message: urge.message, at: now }
  return [people.length, notify(urge, RemindType.repeated, people, said)]
}

/** How often the sender may still urge within these 24 hours. */
export async function remindsLeft(tx: Tx, id: number, now: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from urge_entry
    where urge_id = ${id} and what in ('created', 'reminded') and at > ${now - dayMs}`.execute(tx)
  return Math.max(0, urgeLimits.perDay - (rows[0]?.n ?? 0))
}

/** The sender urges again. Returns how many people. Its call is gated by `remind`. */
export async function remind(context: WriteContext, id: number): Promise<number> {
  const { tx, now } = context
  if ((await remindsLeft(tx, id, now)) === 0)
    return fail('duplicateOperation', {
      zh: `24 小时内最多催 ${urgeLimits.perDay} 次，请稍后再催`,
      en: `at most ${urgeLimits.perDay} times in 24 hours: try again later`,
    })
  const [count, events] = await urgeAgain(tx, await readUrge(tx, id), now, actorOf(context).accountId)
  for (const event of [...events, changed(id)]) context.event(event)
  return count
}

/** Writes a message. The sender's reaches all who are not done, a receiver's the sender; both all who wrote before. */
export async function write(context: WriteContext, id: number, message: string): Promise<number> {
  const { tx, now } = context
  const { accountId, name } = actorOf(context)
  const urge = await readUrge(tx, id)
  const { rows } = await sql<{ id: number }>`
    select distinct account_id as id from urge_entry where urge_id = ${id} and what = 'message'`.execute(tx)
  const direct = accountId === urge.sender_id ? await waitingFor(tx, id, now) : [urge.sender_id]
  const people = new Set([...direct, ...rows.map((row) => row.id)])
  people.delete(accountId)
  const messageId = await record(tx, id, now, 'message', { by: accountId, text: message })
  await sql`update urge set last_message_id = ${messageId} where id = ${id}`.execute(tx)
  await markRead(tx, id, accountId, now)
  const said = { by: { accountId, name }, message, at: now }
  for (const event of notify(urge, RemindType.message, [...people], said)) context.event(event)
  context.event(changed(id))
  return messageId
}

/** Records that a person has read an urge and its messages. Returns false if nothing is new. */
export async function markRead(tx: Tx, id: number, accountId: number, now: number): Promise<boolean> {
  const { rows } = await sql`
    with sender as (
      update urge set sender_seen_id = last_message_id
      where id = ${id} and sender_id = ${accountId} and sender_seen_id < last_message_id returning 1)
    , receiver as (
      update urge_receiver r set read_at = coalesce(read_at, ${now}), seen_id = u.last_message_id
      from urge u where u.id = r.urge_id and r.urge_id = ${id} and r.account_id = ${accountId}
        and (r.read_at is null or r.seen_id < u.last_message_id) returning 1)
    select 1 from sender union all select 1 from receiver`.execute(tx)
  return rows.length > 0
}

/** The receiver is done. Its call is gated by `handle`. */
export async function handle(context: WriteContext, id: number, comments: string): Promise<void> {
  const { tx, now } = context
  const { accountId, name } = actorOf(context)
  const urge = await readUrge(tx, id)
  if (urge.notify_type === NotifyType.feedback && comments === '' && !(await hasWritten(tx, id, accountId)))
    return fail('badRequest', { zh: '请先写下反馈', en: 'comments: write your feedback' })
  await sql`
    update urge_receiver set is_waiting = false, handled_at = ${now}, read_at = coalesce(read_at, ${now}),
      comments = ${comments}
    where urge_id = ${id} and account_id = ${accountId}`.execute(tx)
  await record(tx, id, now, 'handled', { by: accountId, text: comments })
  const counts = { handled: urge.handled_count + 1, all: urge.receiver_count }
  await sql`update urge set handled_count = ${counts.handled} where id = ${id}`.execute(tx)
  await closeWhenDone(tx, id, now)
  const said = { by: { accountId, name }, message: comments, at: now, counts }
  for (const event of notify(urge, RemindType.handled, [urge.sender_id], said)) context.event(event)
  await settle(context, id, accountId)
  context.event(changed(id))
}

/** What asked a receiver to act is read once they have acted; messages, once they are on the screen. */
export async function settle(
  context: WriteContext,
  id: number,
  accountId: number,
  what: 'act' | 'message' = 'act',
): Promise<void> {
  const key = what === 'act' ? String(id) : `${id} ${RemindType.message}`
  if (what === 'act') await dropReminders(context.tx, accountId, `urge ${id}`)
  const events = await settleNotices(context.tx, accountId, { group: 'reminder', key }, context.now)
  for (const event of events) context.event(event)
}

async function hasWritten(tx: Tx, id: number, accountId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from urge_entry where urge_id = ${id} and what = 'message' and account_id = ${accountId} limit 1`.execute(
    tx,
  )
  return rows.length > 0
}

/** An urge is done when nobody is left to act. */
async function closeWhenDone(tx: Tx, id: number, now: number): Promise<void> {
  const { rows } = await sql`
    update urge u set state = 'done', ended_at = ${now}, next_at = null
    where id = ${id} and state = 'open'
      and not exists (select 1 from urge_receiver r where r.urge_id = u.id and r.is_waiting) returning 1`.execute(tx)
  if (rows.length > 0) await record(tx, id, now, 'done')
}

/**
 * Passes what a receiver has to do to another user, who is urged instead. If that user is a receiver already, nothing
 * is added. Callers check that the user may see the item.
 */
export async function passOn(
  context: WriteContext,
  id: number,
  from: number,
  to: number,
  comments: string,
): Promise<void> {
  const { tx, now } = context
  const urge = await readUrge(tx, id)
  const { accountId } = actorOf(context)
  await sql`
    update urge_receiver set is_waiting = false, handed_to = ${to} where urge_id = ${id} and account_id = ${from}`.execute(
    tx,
  )
  const added = await sql`
    insert into urge_receiver (urge_id, account_id) values (${id}, ${to})
    on conflict (urge_id, account_id) do update set handed_to = null, is_waiting = true
      where urge_receiver.handed_to is not null returning 1`.execute(tx)
  await record(tx, id, now, 'handedOn', { by: accountId, to, text: comments })
  if (added.rows.length === 0) {
    await sql`update urge set receiver_count = receiver_count - 1 where id = ${id}`.execute(tx)
    await closeWhenDone(tx, id, now)
  }
  const said = { by: senderOf(urge), message: comments === '' ? urge.message : comments, at: now }
  if (added.rows.length > 0) for (const event of notify(urge, RemindType.created, [to], said)) context.event(event)
  await settle(context, id, from)
  context.event(changed(id))
}

/** A receiver has left, and nobody acts instead. */
export async function leave(context: WriteContext, id: number, accountId: number): Promise<void> {
  const { tx, now } = context
  await sql`
    delete from urge_receiver where urge_id = ${id} and account_id = ${accountId} and is_waiting`.execute(tx)
  await sql`update urge set receiver_count = receiver_count - 1 where id = ${id}`.execute(tx)
  await closeWhenDone(tx, id, now)
  context.event(changed(id))
}

/** Ends an urge: nobody has to act any more. Its call is gated by `end`. */
export async function end(context: WriteContext, id: number, comments: string): Promise<void> {
  const { tx, now } = context
  const { accountId, name } = actorOf(context)
  const urge = await readUrge(tx, id)
  const people = await waitingFor(tx, id, now)
  await sql`update urge set state = 'ended', ended_at = ${now}, next_at = null where id = ${id}`.execute(tx)
  await sql`update urge_receiver set is_waiting = false where urge_id = ${id} and is_waiting`.execute(tx)
  for (const one of people) await dropReminders(tx, one, `urge ${id}`)
  await record(tx, id, now, 'ended', { by: accountId, text: comments })
  const said = { by: { accountId, name }, message: comments, at: now, change: 'ended' } as const
  for (const event of notify(urge, RemindType.changed, people, said)) context.event(event)
  context.event(changed(id))
}

/**
 * Computes the times of an urge again by a changed calendar. If its deadline moves, sender and receivers are told. The
 * transaction holds its row.
 */
export async function followCalendar(tx: Tx, id: number, now: number, calendar: KeyedCalendar): Promise<NewEvent[]> {
  const urge = await readUrge(tx, id)
  const { created_at, deadline_workdays: workdays, late_at } = urge
  const deadline = workdays !== null && late_at === null ? afterWorkdays(calendar, created_at, workdays) : urge.deadline
  const next = nextDue({ ...urge, deadline }, now, calendar)
  await sql`
    update urge set deadline = ${deadline}, next_at = ${next}, calendar = ${calendar.key} where id = ${id}`.execute(tx)
  if (deadline === urge.deadline) return []
  await record(tx, id, now, 'moved')
  const said = { by: senderOf(urge), message: '', at: now, change: 'moved' } as const
  const people = new Set([urge.sender_id, ...(await waitingFor(tx, id, now))])
  return [...notify(urge, RemindType.changed, [...people], said), changed(id)]
}

/**
 * Sends what is due of an urge whose row the transaction holds: the repeated reminder, and at the deadline a last one to
 * the receivers and word to the sender. An item in the recycle bin is not reminded of.
 */
export async function sendDue(tx: Tx, id: number, now: number, calendar: KeyedCalendar): Promise<NewEvent[]> {
  const urge = await readUrge(tx, id)
  const isLate = urge.deadline !== null && urge.deadline <= now && urge.late_at === null
  const next = nextDue({ ...urge, late_at: isLate ? now : urge.late_at }, now, calendar)
  await sql`
    update urge set next_at = ${next}, late_at = ${isLate ? now : urge.late_at} where id = ${id}`.execute(tx)
  const { rows } = await sql`select 1 from item where id = ${urge.item_id} and deleted_at is null`.execute(tx)
  if (rows.length === 0) return []
  const [, events] = await urgeAgain(tx, urge, now, null)
  for (const event of events) await postReminder(tx, `urge ${id}`, event, now)
  if (!isLate) return [changed(id)]
  await record(tx, id, now, 'late')
  const counts = { handled: urge.handled_count, all: urge.receiver_count }
  const said = { by: senderOf(urge), message: '', at: now, change: 'late', counts } as const
  return [...notify(urge, RemindType.changed, [urge.sender_id], said), changed(id)]
}
