/*
 * Reminders by the clock. Whoever finds that something is due writes the reminder of each person here, in the transaction
 * that moves the time of the next one; so none is lost or written twice. They are sent a moment later: one by one, or as
 * one notice where many are due for one person (ADR 0267).
 */
import { sql } from 'kysely'
import type { Db, Tx } from '../../core/db/database.ts'
import { type NewEvent, type PersonalEvent, personal, writeEvents } from '../../core/events.ts'
import type { StoredReminder } from './tables.ts'

/** More reminders than this at once become one notice. */
const mostSingle = 5
/** The people to whom one transaction sends. */
const peopleAtOnce = 100
/** The reminders that one notice names. */
const mostNamed = 1000

/** What a person is reminded of. */
export type ReminderSubject = `urge ${number}` | `process ${number}`

/** Writes a reminder for the people of a push. */
export async function postReminder(tx: Tx, subject: ReminderSubject, event: PersonalEvent, now: number): Promise<void> {
  const { accountIds, ...push } = event
  await sql`
    insert into reminder_waiting (account_id, subject, push, created_at)
    select unnest(${[...accountIds]}::bigint[]), ${subject}, ${JSON.stringify(push)}::jsonb, ${now}`.execute(tx)
}

/** A person has acted: a reminder that has not been sent yet is not sent any more. */
export async function dropReminders(tx: Tx, accountId: number, subject: ReminderSubject): Promise<void> {
  await sql`delete from reminder_waiting where account_id = ${accountId} and subject = ${subject}`.execute(tx)
}

interface Waiting {
  readonly account_id: number
  readonly subject: string
  readonly push: StoredReminder
}

/** Sends the reminders that wait. Returns how many there were. */
export async function sendReminders(db: Db, now: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<Waiting>`
      with due as (
        select id from reminder_waiting
        where account_id in (select distinct account_id from reminder_waiting limit ${peopleAtOnce})
        for update skip locked
      )
      delete from reminder_waiting w using due where w.id = due.id
      returning w.account_id, w.subject, w.push`.execute(tx)
    if (rows.length > 0) await writeEvents(tx, eventsOf(rows, now), now)
    return rows.length
  })
}

function eventsOf(rows: readonly Waiting[], now: number): NewEvent[] {
  const single = new Map<string, { push: StoredReminder; accountIds: number[] }>()
  const many: NewEvent[] = []
  for (const [accountId, own] of Map.groupBy(rows, (row) => row.account_id)) {
    const subjects = [...new Set(own.map(({ subject }) => subject))]
    if (subjects.length > mostSingle) {
      const idsOf = (kind: string): number[] =>
        subjects.flatMap((subject) => (subject.startsWith(`${kind} `) ? [Number(subject.slice(kind.length + 1))] : []))
      const [urges, processes] = [idsOf('urge'), idsOf('process')]
      many.push(
        personal('remindersDue', [accountId], {
          ...{ serverId: 0, count: subjects.length, createTime: now },
          ...{ notifyIdArray: urges.slice(0, mostNamed), processIdArray: processes.slice(0, mostNamed) },
        }),
      )
      continue
    }
    for (const { push } of own) {
      const key = JSON.stringify(push)
      const same = single.get(key) ?? { push, accountIds: [] }
      same.accountIds.push(accountId)
      single.set(key, same)
    }
  }
  return [...[...single.values()].map(({ push, accountIds }): PersonalEvent => ({ ...push, accountIds })), ...many]
}
