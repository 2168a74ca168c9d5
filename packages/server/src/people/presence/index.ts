/*
 * Presence: a user is online while they have an open push channel in any process. Each process writes arrivals and
 * departures in batches. A user who reconnects at once, such as by a page reload, does not count as gone. Changes are
 * pushed only to the departments of the user (push 45): in a company of thousands most users are not interested in the
 * others' presence.
 */
import { randomUUID } from 'node:crypto'
import { features, type PushPayload } from '@cloudoc/contract'
import { ClientType } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { type FeatureEvent, writeEvents } from '../../core/events.ts'
import type { AudibleEvent, Audience } from '../../core/push/index.ts'
import type { Services } from '../../core/services.ts'

/** A user came online or went offline. */
interface PresenceEvent extends FeatureEvent {
  readonly kind: 'presence.changed'
  readonly accountId: number
}

/** A user without a channel for this long is offline. */
export const graceMs = 20_000
/** How often a process renews its lease, and how long the lease lasts. */
const renewMs = 30_000
export const leaseMs = 90_000
/** An older event is not delivered: a page fetches the current state when it reconnects. */
const freshMs = 60_000

/** The kinds of accounts; an account with an end is temporary, such as that of a trial. */
const accountTypes = { permanent: 0, temporary: 1, program: 2 } as const

type Present = PushPayload<'userOnline'>
interface Found extends Omit<Present, 'status' | 'serverId' | 'level'> {
  readonly groupIds: number[]
  readonly online: boolean
}

/**
 * Loads people with their departments; the company as a whole does not count as a department. Their client is that of the
 * session that was used last ([R341]).
 */
async function findPeople(db: Db, accountIds: readonly number[], now: number): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select a.id as "userId", a.name as "userName", g.name as "groupName", a.gender, a.title as job,
      case when a.service then ${accountTypes.program}::int when a.expires_at is not null then ${accountTypes.temporary}::int
        else ${accountTypes.permanent}::int end as "accountType",
      coalesce((select s.client_type from session s where s.account_id = a.id and s.expires_at > ${now} and not s.wiped
        order by s.used_at desc, s.id desc limit 1), ${ClientType.web}) as client,
      exists (select 1 from presence p where p.account_id = a.id) as online,
      (select coalesce(json_agg(d.id), '[]') from (
        select a.group_id as id union select m.group_id from membership m where m.account_id = a.id) d
        where d.id <> 0) as "groupIds"
    from account a join org_group g on g.id = a.group_id where a.id = any(${[...accountIds]})`.execute(db)
  return rows
}

function presentOf({ groupIds: _, online, gender, ...person }: Found, showsGender: boolean): Present {
  return {
    ...person,
    gender: showsGender ? gender : 2,
    serverId: 0,
    level: 0,
    status: online ? 'ONLINE' : 'OFFLINE',
  }
}

const nobody: ReadonlySet<number> = new Set()

/** The departments of the user who came or went. */
export const presenceAudience: Audience<PresenceEvent> = {
  async prepare(db, events, now) {
    const fresh = events.filter(({ at }) => at > now - freshMs)
    if (fresh.length === 0) return new Map()
    const people = await findPeople(db, [...new Set(fresh.map(({ event }) => event.accountId))], now)
    const byId = new Map(people.map((person) => [person.userId, person]))
    return new Map(
      fresh.flatMap(({ position, event }): [number, AudibleEvent][] => {
        const person = byId.get(event.accountId)
        if (person === undefined || person.groupIds.length === 0) return []
        const groupIds = new Set(person.groupIds)
        const views = [false, true].map((shows) => ({
          name: 'userOnline' as const,
          payload: presentOf(person, shows),
        }))
        return [
          [
            position,
            {
              concerns: { accountIds: nobody, groupIds, roleIds: nobody },
              perAccount: true,
              // A recipient in a descendant department gets their own department.
              viewFor: ({ accountId, groupId, settings }) =>
                accountId !== person.userId && groupIds.has(groupId) ? views[settings.show_gender ? 1 : 0] : undefined,
            },
          ],
        ]
      }),
    )
  },
}

export function presenceHandlers() {
  return implement(features.presence.calls, {
    async getOnlineUsers(context) {
      const { accountId, groupId, settings } = actorOf(context)
      if (groupId === 0) return { list: [] }
      const { rows } = await sql<{ id: number }>`
        select distinct p.account_id as id from presence p join account a on a.id = p.account_id
        where p.account_id <> ${accountId} and (a.group_id = ${groupId} or exists (
          select 1 from membership m where m.account_id = a.id and m.group_id = ${groupId}))
        limit 1000`.execute(context.db)
      const people =
        rows.length === 0
          ? []
          : await findPeople(
              context.db,
              rows.map(({ id }) => id),
              context.now,
            )
      return { list: people.map((person) => presentOf(person, settings.show_gender)) }
    },
  })
}

/** Serializes writers of presence: the last one sees what the others wrote. */
const lockPresence = (tx: Tx) => sql`lock table presence in share row exclusive mode`.execute(tx)

async function publish(tx: Tx, accountIds: readonly number[], now: number): Promise<void> {
  const events = accountIds.map((accountId): PresenceEvent => ({ kind: 'presence.changed', accountId }))
  await writeEvents(tx, events, now)
}

/** Returns a function that writes the arrivals and departures of this process. */
export function createPresence({ db, now, present }: Pick<Services, 'db' | 'now' | 'present'>): () => Promise<void> {
  const processId = randomUUID()
  const written = new Set<number>()
  const heardAt = new Map<number, number>()
  let renewedAt = Number.NEGATIVE_INFINITY
  return async () => {
    const at = now()
    const here = present()
    for (const id of here) heardAt.set(id, at)
    const come = [...here].filter((id) => !written.has(id))
    const gone = [...written].filter((id) => !here.has(id) && at - (heardAt.get(id) ?? 0) >= graceMs)
    const isDue = written.size > 0 && at - renewedAt >= renewMs
    if (come.length === 0 && gone.length === 0 && !isDue) return
    await db.transaction().execute(async (tx) => {
      await lockPresence(tx)
      const { rows: renewed } = await sql<{ isNew: boolean }>`
        insert into presence_process (id, alive_until) values (${processId}, ${at + leaseMs})
        on conflict (id) do update set alive_until = excluded.alive_until returning xmax = 0 as "isNew"`.execute(tx)
      // If the lease had expired, all users of this process are written again.
      const all = renewed[0]?.isNew === true ? [...here] : come
      const { rows: changed } = await sql<{ id: number }>`
        with before as (
          select c.id from unnest(${all}::bigint[]) as c (id)
          where not exists (select 1 from presence p where p.account_id = c.id)
        ), added as (
          insert into presence (account_id, process_id)
          select a.id, ${processId} from unnest(${all}::bigint[]) as c (id) join account a on a.id = c.id
          on conflict do nothing
        ), removed as (
          delete from presence where process_id = ${processId} and account_id = any(${gone}) returning account_id as id
        )
        select id from before union all
        select r.id from removed r
        where not exists (select 1 from presence p where p.account_id = r.id and p.process_id <> ${processId})`.execute(
        tx,
      )
      await publish(
        tx,
        changed.map(({ id }) => id),
        at,
      )
    })
    renewedAt = at
    for (const id of come) written.add(id)
    for (const id of gone) {
      written.delete(id)
      heardAt.delete(id)
    }
  }
}

/** Removes the presence rows of dead processes. */
export async function endDeadProcesses(db: Db, now: number): Promise<void> {
  const { rows: dead } = await sql`select 1 from presence_process where alive_until < ${now} limit 1`.execute(db)
  if (dead.length === 0) return
  await db.transaction().execute(async (tx) => {
    await lockPresence(tx)
    const { rows } = await sql<{ id: number }>`
      with gone as (delete from presence_process where alive_until < ${now} returning id)
      select distinct p.account_id as id from presence p where p.process_id in (select id from gone)
        and not exists (select 1 from presence o where o.account_id = p.account_id
          and o.process_id not in (select id from gone))`.execute(tx)
    await publish(
      tx,
      rows.map(({ id }) => id),
      now,
    )
  })
}
