/*
 * Announcements: what an administrator tells everybody, or some departments with those below them, for a while. Each
 * person gets a notice when one begins, and sees it on every page until they put it away or it ends. A chore tells of
 * those that begin later.
 */
import { type AnnouncementKind, features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { type FeatureEvent, type NewEvent, personal, writeEvents } from '../../core/events.ts'
import { groupOrRoot } from '../../people/organisation/index.ts'

export const announcementsChanged = 'announcements.changed'

/** The announcements of which pages hear that they changed, by the departments. */
export interface AnnouncementEvent extends FeatureEvent {
  readonly kind: typeof announcementsChanged
  readonly groupIds: readonly number[]
}

const endsFirst = { zh: '结束时间须晚于开始时间和现在', en: 'it has to end after its beginning, and later than now' }
const mostShown = 10
const mostListed = 200

/** The people to whom an announcement is: of the departments and below, or everybody. Leavers and programs are left out. */
const audienceOf = (id: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  with recursive below as (
    select group_id as id from announcement_group where announcement_id = ${id}
    union
    select g.id from below b join org_group g on g.parent_id = b.id
  )
  select p.id, p.group_id from account p
  where p.state <> 'disabled' and not p.service and (
    not exists (select 1 from below) or p.group_id in (select id from below)
    or exists (select 1 from membership m where m.account_id = p.id and m.group_id in (select id from below))))`

/** Whether an announcement `n` is to this account. */
const isTo = ({ subjects }: Account): RawBuilder<boolean> => sql`(
  not exists (select 1 from announcement_group g where g.announcement_id = n.id)
  or exists (select 1 from announcement_group g where g.announcement_id = n.id
    and g.group_id = any(${[...subjects.groupIds]}::bigint[])))`

interface Told {
  readonly id: number
  readonly title: string
  readonly words: string
  readonly kind: AnnouncementKind
  readonly asks_reading: boolean
  readonly creator: string
}

/** Tells the people of an announcement who have not read it. Returns the events and how many people they reach. */
async function tell(tx: Tx, announcementId: number): Promise<{ events: NewEvent[]; people: number }> {
  const { rows } = await sql<Told>`
    select n.*, a.name as creator from announcement n join account a on a.id = n.created_by
    where n.id = ${announcementId}`.execute(tx)
  const row = rows[0] ?? fail('notFound')
  const { rows: people } = await sql<{ id: number }>`
    select p.id from ${audienceOf(sql`${announcementId}::bigint`)} p
    where not exists (
      select 1 from announcement_reader r where r.announcement_id = ${announcementId} and r.account_id = p.id)
    order by p.id`.execute(tx)
  if (people.length === 0) return { events: [], people: 0 }
  const event = personal(
    'announced',
    people.map(({ id }) => id),
    {
      serverId: 0,
      announcementId: row.id,
      title: row.title,
      text: row.words,
      kind: row.kind,
      asksReading: row.asks_reading,
      creatorName: row.creator,
    },
  )
  return { events: [event], people: people.length }
}

async function changedEvent(tx: Tx, announcementId: number): Promise<AnnouncementEvent> {
  const { rows } = await sql<{ group_id: number }>`
    select group_id from announcement_group where announcement_id = ${announcementId}`.execute(tx)
  return { kind: announcementsChanged, groupIds: rows.map(({ group_id: id }) => id) }
}

/** Tells of an announcement that has begun meanwhile. Returns whether there may be another one. */
export async function announceNext(db: Db, now: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      update announcement set told_at = ${now} where id = (
        select id from announcement where told_at is null and starts_at <= ${now} and ends_at > ${now}
        order by starts_at, id limit 1 for update skip locked)
      returning id`.execute(tx)
    const [row] = rows
    if (row === undefined) return false
    const { events } = await tell(tx, row.id)
    await writeEvents(tx, [...events, await changedEvent(tx, row.id)], now)
    return true
  })
}

async function lockOne(context: WriteContext, announcementId: number): Promise<{ title: string; told: boolean }> {
  const { rows } = await sql<{ title: string; told: boolean }>`
    select title, told_at is not null as told from announcement where id = ${announcementId} for update`.execute(
    context.tx,
  )
  return rows[0] ?? fail('notFound')
}

/** The call handlers of announcements. */
export function announcementHandlers() {
  return implement(features.announcements.calls, {
    async getAnnouncements(context) {
      const { db, now } = context
      const account = actorOf(context)
      if (account.isGuest) return { list: [] }
      const { rows: list } = await sql<{
        announcementId: number
        title: string
        text: string
        kind: AnnouncementKind
        asksReading: boolean
        startTime: number
        endTime: number
      }>`
        select n.id as "announcementId", n.title, n.words as text, n.kind, n.asks_reading as "asksReading",
          n.starts_at as "startTime", n.ends_at as "endTime"
        from announcement n
        where n.ends_at > ${now} and n.starts_at <= ${now} and ${isTo(account)}
          and not exists (
            select 1 from announcement_reader r where r.announcement_id = n.id and r.account_id = ${account.accountId})
        order by n.starts_at desc, n.id desc limit ${mostShown}`.execute(db)
      return { list }
    },

    async putAnnouncementAway(context, { announcementId }) {
      const { tx, now } = context
      const actor = actorOf(context)
      const { rows } = await sql`
        select 1 from announcement n where n.id = ${announcementId} and n.starts_at <= ${now} and ${isTo(actor)}`.execute(
        tx,
      )
      if (rows.length === 0) return fail('notFound')
      await sql`
        insert into announcement_reader (announcement_id, account_id, at)
        values (${announcementId}, ${actor.accountId}, ${now}) on conflict do nothing`.execute(tx)
      return {}
    },

    async getAnnouncementList({ db, now }) {
      const { rows: list } = await sql<{
        announcementId: number
        title: string
        text: string
        kind: AnnouncementKind
        asksReading: boolean
        groups: { groupId: number; groupName: string }[]
        startTime: number
        endTime: number
        state: 'scheduled' | 'current' | 'ended'
        creatorName: string
        people: number
        read: number
      }>`
        select n.id as "announcementId", n.title, n.words as text, n.kind, n.asks_reading as "asksReading",
          n.starts_at as "startTime", n.ends_at as "endTime", a.name as "creatorName",
          case when n.ends_at <= ${now} then 'ended' when n.starts_at > ${now} then 'scheduled' else 'current' end as state,
          coalesce((select json_agg(json_build_object('groupId', o.id, 'groupName', o.name) order by o.name_sort, o.id)
            from announcement_group g join org_group o on o.id = g.group_id where g.announcement_id = n.id), '[]') as groups,
          (select count(*) from ${audienceOf(sql`n.id`)} p)::int as people,
          (select count(*) from ${audienceOf(sql`n.id`)} p
            join announcement_reader r on r.announcement_id = n.id and r.account_id = p.id)::int as read
        from announcement n join account a on a.id = n.created_by
        order by n.id desc limit ${mostListed}`.execute(db)
      return { list }
    },

    async getAnnouncementReaders({ db }, { announcementId }) {
      const { rows: list } = await sql<{ groupName: string; people: number; read: number }>`
        select o.name as "groupName", count(*)::int as people, count(r.account_id)::int as read
        from ${audienceOf(sql`${announcementId}::bigint`)} p join org_group o on o.id = p.group_id
        left join announcement_reader r on r.announcement_id = ${announcementId} and r.account_id = p.id
        where exists (select 1 from announcement where id = ${announcementId})
        group by o.id, o.name, o.name_sort order by o.name_sort, o.id`.execute(db)
      return list.length === 0 ? fail('notFound') : { list }
    },

    async saveAnnouncement(context, input) {
      const { tx, now } = context
      const { announcementId: wanted, title, text, kind, endTime, asksReading } = input
      const startsAt = input.startTime === 0 ? now : input.startTime
      if (endTime <= startsAt || endTime <= now) return fail('badRequest', endsFirst)
      const groupIds = new Set<number>()
      for (const groupId of input.groupIds) groupIds.add(await groupOrRoot(tx, groupId))
      const columns = { title: title.trim(), words: text.trim(), kind, ends_at: endTime, asks_reading: asksReading }
      let announcementId = wanted
      let isCurrent = false
      if (wanted === 0) {
        const made = await tx
          .insertInto('announcement')
          .values({
            ...columns,
            starts_at: startsAt,
            created_by: actorOf(context).accountId,
            created_at: now,
            told_at: startsAt <= now ? now : null,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        announcementId = made.id
      } else {
        const { told } = await lockOne(context, wanted)
        isCurrent = told
        // One that has begun keeps its beginning.
        await tx
          .updateTable('announcement')
          .set({ ...columns, ...(!told && { starts_at: startsAt, told_at: startsAt <= now ? now : null }) })
          .where('id', '=', wanted)
          .execute()
        context.event(await changedEvent(tx, wanted))
        await sql`delete from announcement_group where announcement_id = ${wanted}`.execute(tx)
      }
      await sql`
        insert into announcement_group (announcement_id, group_id)
        select ${announcementId}::bigint, unnest(${[...groupIds]}::bigint[])`.execute(tx)
      if (!isCurrent && startsAt <= now)
        for (const event of (await tell(tx, announcementId)).events) context.event(event)
      context.event(await changedEvent(tx, announcementId))
      context.audit({ name: title.trim() })
      return { announcementId }
    },

    async endAnnouncement(context, { announcementId }) {
      const { tx, now } = context
      const { title } = await lockOne(context, announcementId)
      await sql`update announcement set ends_at = least(ends_at, ${now}::bigint) where id = ${announcementId}`.execute(
        tx,
      )
      context.event(await changedEvent(tx, announcementId))
      context.audit({ name: title })
      return {}
    },

    async remindOfAnnouncement(context, { announcementId }) {
      const { title } = await lockOne(context, announcementId)
      const { events, people } = await tell(context.tx, announcementId)
      for (const event of events) context.event(event)
      context.audit({ name: title })
      return { people }
    },
  })
}
