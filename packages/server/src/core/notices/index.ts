/*
 * The notification centre of each user ([R088]-[R101]): the notices that the user received as pushes declared as
 * notices. The sequencer stores a notice in the transaction that gives its event a position, which is the number of the
 * notice (`remindId`). This module reads and ignores notices. The unread state is the same in every tab and on every
 * device, because each is notified when another one has read it (push `noticesRead`).
 *
 * Permissions are checked when notices are read: notices of an item the user may no longer see are not shown.
 */
import { type FeatureSwitch, features, type NoticeGroup, noticeGroups, type PushCatalogue } from '@cloudoc/contract'
import { limits } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Account } from '../actor.ts'
import { actorOf } from '../call/context.ts'
import { implement } from '../call/implement.ts'
import type { Db, Tx } from '../db/database.ts'
import type { FeatureEvent } from '../events.ts'
import { toThemselves } from '../push/audience.ts'
import type { Services } from '../services.ts'

interface NoticeRow {
  readonly remind_id: number
  readonly notice_group: NoticeGroup
  readonly key: string
  readonly push_type: number
  readonly payload: Record<string, unknown>
  readonly item_type: 1 | 2 | null
  readonly item_id: number | null
  readonly created_at: number
  readonly read_at: number | null
}

const noticeOf = (row: NoticeRow) => ({
  remindId: row.remind_id,
  group: row.notice_group,
  key: row.key,
  pushType: row.push_type,
  message: JSON.stringify({ ...row.payload, remindId: row.remind_id }),
  time: row.created_at,
  read: row.read_at !== null,
})

/**
 * SQL condition: the notice has not expired. Some notices expire by themselves ([R099]); such a notice no longer counts
 * as unread, wherever the user was meanwhile.
 */
function isUnexpired(pushes: PushCatalogue, now: number): RawBuilder<boolean> {
  const conditions = Object.values(pushes).flatMap(({ type, notice }) =>
    notice?.lifetimeMs === undefined ? [] : [sql`(push_type <> ${type} or created_at > ${now - notice.lifetimeMs})`],
  )
  return sql.join([sql`true`, ...conditions], sql` and `)
}

/** SQL condition: the feature of the notice is not among those that are switched off. It is shown again with them. */
function isSwitchedOn(pushes: PushCatalogue, off: readonly FeatureSwitch[]): RawBuilder<boolean> {
  const types = Object.values(pushes).flatMap(({ type, switchedBy }) =>
    switchedBy !== undefined && off.includes(switchedBy) ? [type] : [],
  )
  return sql`push_type <> all(${types}::int[])`
}

/** SQL condition: the notice has not expired, and its feature is on. */
export function isCurrent(pushes: PushCatalogue, { settings }: Account, now: number): RawBuilder<boolean> {
  return sql.join([isUnexpired(pushes, now), isSwitchedOn(pushes, settings.features_off)], sql` and `)
}

/** A user has read notices, or marked them unread again. */
interface ReadEvent extends FeatureEvent {
  readonly kind: 'notice.read'
  readonly accountId: number
}
const readBy = (accountId: number): ReadEvent => ({ kind: 'notice.read', accountId })

/** Only the user whose notices they are. */
export const readAudience = toThemselves<ReadEvent>(() => ({ name: 'noticesRead', payload: {} }))

/**
 * Marks the unread notices of one subject as read for a user, because what they ask for is done. Returns the events for
 * the user's other pages.
 */
export async function settleNotices(
  tx: Tx,
  accountId: number,
  { group, key }: { readonly group: NoticeGroup; readonly key: string },
  now: number,
): Promise<readonly FeatureEvent[]> {
  const { rows } = await sql`
    update notice set read_at = ${now}
    where account_id = ${accountId} and read_at is null and notice_group = ${group} and key = ${key}
    returning 1`.execute(tx)
  return rows.length === 0 ? [] : [readBy(accountId)]
}

/** The handlers of the notification centre. */
export function noticeHandlers({ sees, pushes }: Pick<Services, 'sees' | 'pushes'>) {
  type Named = Pick<NoticeRow, 'item_type' | 'item_id'>
  /** Leaves out rows about items that no longer exist for the actor. */
  const shown = async <R extends Named>(db: Db, actor: Account, rows: readonly R[]): Promise<R[]> => {
    const items = new Map<string, { actor: Account; item: { fType: 1 | 2; fId: number } }>()
    const keyOf = (row: Named): string => `${row.item_type} ${row.item_id}`
    for (const row of rows) {
      const { item_type: fType, item_id: fId } = row
      if (fType !== null && fId !== null) items.set(keyOf(row), { actor, item: { fType, fId } })
    }
    if (items.size === 0) return [...rows]
    const seen = await sees(db, [...items.values()])
    const there = new Set([...items.keys()].filter((_, n) => seen[n] === true))
    return rows.filter((row) => row.item_id === null || there.has(keyOf(row)))
  }

  return implement(features.notices.calls, {
    async getNotices(context, { rows: most }) {
      const { db } = context
      const actor = actorOf(context)
      // Read first: a notice that arrives in between has a greater number.
      const newest = await sql<{ newest: number | null }>`
        select max(remind_id) as newest from notice where account_id = ${actor.accountId}`.execute(db)
      const { rows } = await sql<Pick<NoticeRow, 'remind_id' | 'notice_group' | 'item_type' | 'item_id'>>`
        select remind_id, notice_group, item_type, item_id from (
          select *, row_number() over (partition by notice_group order by remind_id desc) as nth
          from notice where account_id = ${actor.accountId} and read_at is null and ${isCurrent(pushes, actor, context.now)}) n
        where nth <= ${limits.noticesMost} order by remind_id desc`.execute(db)
      const byGroup = Map.groupBy(await shown(db, actor, rows), (row) => row.notice_group)
      // Ordered by their newest notice, as the rows are.
      const groups = [...byGroup].filter(([group]) => noticeGroups.includes(group))
      const ids = groups.flatMap(([, own]) => own.slice(0, most).map((row) => row.remind_id))
      const found = await readRows(db, actor, sql`remind_id = any(${ids})`, ids.length)
      const listed = Map.groupBy(found, (row) => row.notice_group)
      return {
        total: groups.reduce((sum, [, own]) => sum + own.length, 0),
        upTo: newest.rows[0]?.newest ?? 0,
        groups: groups.map(([group, own]) => ({
          group,
          total: own.length,
          list: (listed.get(group) ?? []).map(noticeOf),
        })),
      }
    },

    async getNoticeList(context, { group, keyword, unread, before, rows: most }) {
      const { db } = context
      const actor = actorOf(context)
      const conditions = [isSwitchedOn(pushes, actor.settings.features_off)]
      if (group !== undefined) conditions.push(sql`notice_group = ${group}`)
      if (unread) conditions.push(sql`read_at is null`, isUnexpired(pushes, context.now))
      if (keyword.trim() !== '') {
        conditions.push(sql`exists (
          select 1 from jsonb_each(payload) as said
          where jsonb_typeof(said.value) = 'string'
            and strpos(lower(said.value #>> '{}'), lower(${keyword.trim()})) > 0)`)
      }
      const list: NoticeRow[] = []
      let from = before ?? Number.MAX_SAFE_INTEGER
      while (true) {
        const condition = sql`remind_id < ${from} and ${sql.join(conditions, sql` and `)}`
        const rows = await readRows(db, actor, condition, most + 1)
        list.push(...(await shown(db, actor, rows)))
        if (list.length > most || rows.length <= most) break
        from = rows.at(-1)?.remind_id ?? 0
      }
      return { list: list.slice(0, most).map(noticeOf), hasMore: list.length > most }
    },

    async ignoreNotices(context, { remindIds, groups, all, upTo = Number.MAX_SAFE_INTEGER }) {
      const { tx, now } = context
      const { accountId } = actorOf(context)
      const ids = remindIds.length === 0 ? [] : [...remindIds, ...(await behind(tx, pushes, accountId, remindIds))]
      const { rows } = await sql`
        update notice set read_at = ${now}
        where account_id = ${accountId} and read_at is null and remind_id <= ${upTo}
          and (${all} or notice_group = any(${groups}) or remind_id = any(${ids}))
        returning remind_id`.execute(tx)
      if (rows.length > 0) context.event(readBy(accountId))
      return { count: rows.length, ignoredAt: now }
    },

    async restoreNotices(context, { ignoredAt }) {
      const { tx } = context
      const { accountId } = actorOf(context)
      // A newer notice about the same thing remains the only one. The sequencer may be writing it right now, so its
      // lock is taken.
      await sql`select from stamp where name = 'event' for update`.execute(tx)
      const { rows } = await sql`
        update notice n set read_at = null
        where n.account_id = ${accountId} and n.read_at = ${ignoredAt}
          and n.remind_id = (
            select max(o.remind_id) from notice o
            where o.account_id = n.account_id and o.notice_group = n.notice_group and o.key = n.key
              and o.read_at = ${ignoredAt})
          and not exists (
            select 1 from notice o
            where o.account_id = n.account_id and o.notice_group = n.notice_group and o.key = n.key and o.read_at is null)
        returning n.remind_id`.execute(tx)
      if (rows.length > 0) context.event(readBy(accountId))
      return { count: rows.length }
    },
  })
}

/** The older unread notices behind these, for notices of which only the first is shown ([R098], [R103]). */
async function behind(
  tx: Db,
  pushes: PushCatalogue,
  accountId: number,
  remindIds: readonly number[],
): Promise<number[]> {
  const rules = new Map(
    Object.values(pushes).flatMap(({ type, notice }) => (notice?.firstOf ? [[type, notice] as const] : [])),
  )
  const { rows } = await sql<Pick<NoticeRow, 'remind_id' | 'push_type' | 'payload'>>`
    select remind_id, push_type, payload from notice
    where account_id = ${accountId} and read_at is null and push_type in (
      select push_type from notice
      where account_id = ${accountId} and remind_id = any(${remindIds}) and push_type = any(${[...rules.keys()]}))`.execute(
    tx,
  )
  const firsts = new Map<string, number>()
  const ofAll = rows.map(({ remind_id: id, push_type: type, payload }) => ({
    id,
    first: rules.get(type)?.firstOf?.(payload),
  }))
  for (const { id, first } of ofAll)
    if (first !== undefined && remindIds.includes(id)) firsts.set(first, Math.max(id, firsts.get(first) ?? 0))
  return ofAll.flatMap(({ id, first }) => (first !== undefined && id < (firsts.get(first) ?? 0) ? [id] : []))
}

async function readRows(db: Db, actor: Account, condition: RawBuilder<unknown>, most: number): Promise<NoticeRow[]> {
  const { rows } = await sql<NoticeRow>`
    select remind_id, notice_group, key, push_type, payload, item_type, item_id, created_at, read_at
    from notice where account_id = ${actor.accountId} and ${condition}
    order by remind_id desc limit ${most}`.execute(db)
  return rows
}

/** How long a notice is stored, read or not. */
const noticeLife = 90 * 24 * 60 * 60_000
const removalBatch = 5000

/**
 * Removes notices that are too old, and the oldest ones of groups that are full ([R101]). Returns true if more is
 * waiting.
 */
export async function removeExpiredNotices(db: Db, now: number): Promise<boolean> {
  const { rows } = await sql`
    delete from notice where ctid in (
      select ctid from notice where created_at < ${now - noticeLife} limit ${removalBatch}) returning 1`.execute(db)
  const { rows: over } = await sql`
    delete from notice n using (
      select account_id, notice_group from notice group by 1, 2 having count(*) > ${limits.noticesMost} limit 100) full_group
    where n.account_id = full_group.account_id and n.notice_group = full_group.notice_group
      and n.remind_id < (
        select remind_id from notice o
        where o.account_id = n.account_id and o.notice_group = n.notice_group
        order by remind_id desc offset ${limits.noticesMost - 1} limit 1)
    returning 1`.execute(db)
  return rows.length === removalBatch || over.length > 0
}
