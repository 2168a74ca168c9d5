// The lists of a user's recent items ([R249], X63), each filtered by the current rights.
import { features, type ItemRecord } from '@cloudoc/contract'
import { denial, gates } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import type { Marks } from '../follow/index.ts'
import { accessToMany, nameMatches, recordOf } from '../tree/index.ts'
import { recordRecent } from './record-recent.ts'

export { recordRecent } from './record-recent.ts'

/** Maximum number of items in each list. */
const mostListed = 1000
/** Maximum number of items changed by others: per followed folder, and of the user's own files. */
const mostInFolder = 200
const dayMs = 24 * 60 * 60_000
const changedWithin = 30 * dayMs

interface Page {
  readonly from: number
  readonly rows: number
  readonly keyword: string
  readonly days?: number | undefined
}

/** SQL filter on item i: the name matches, and the time of the action is in the requested range. */
function asked({ now }: Context, { keyword, days }: Page, at: RawBuilder<unknown>): RawBuilder<unknown> {
  const since = days === undefined ? 0 : now - days * dayMs
  return sql.join([...nameMatches(keyword), sql`${at} >= ${since}`], sql` and `)
}

interface Change {
  readonly changeFrom: number
  readonly changeCount: number
  readonly changeComment: string
  readonly changeRestored: number
  readonly isNew: boolean
}
const noChange: Change = { changeFrom: 0, changeCount: 0, changeComment: '', changeRestored: 0, isNew: false }

/**
 * The changes of files: the versions after the one that the user created or last opened, at most those since the given
 * time. If the user has opened the file since its last change, only the newest version.
 */
async function changesOf(
  db: Db,
  { accountId }: Account,
  ids: readonly number[],
  since: number,
): Promise<ReadonlyMap<number, Change>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Change & { id: number }>`
    select c.id, coalesce(o.number, 0) as "changeFrom", coalesce(nullif(v.name, ''), v.comment) as "changeComment",
      coalesce(v.restored_from, 0) as "changeRestored", c.is_new as "isNew",
      (select count(*)::int from version w where w.item_id = c.id and w.number > coalesce(o.number, 0)) as "changeCount"
    from (
      select i.id, i.version, coalesce(r.at, 0) as opened, coalesce(r.at, 0) < i.modified_at as is_new
      from unnest(${[...ids]}::bigint[]) as k (id) join item i on i.id = k.id
      left join recent r on r.item_id = i.id and r.account_id = ${accountId}) c
    join version v on v.item_id = c.id and v.number = c.version
    left join lateral (
      select max(w.number) as number from version w
      where w.item_id = c.id and w.number < c.version and (not c.is_new
        or w.created_by = ${accountId} or w.editors @> to_jsonb(${accountId}::bigint)
        or w.created_at <= greatest(c.opened, ${since}::bigint))) o on true`.execute(db)
  return new Map(rows.map(({ id, ...change }) => [id, change]))
}

/** The call handlers of recent items. */
export function recentHandlers(marks: Marks) {
  /** Returns one page of the items that the caller may see, in the given order. */
  const pageOf = async <R extends { readonly id: number }, M extends object>(
    { db, now }: Context,
    actor: Account,
    rows: readonly R[],
    { from, rows: most }: Page,
    more: (row: R) => M,
  ): Promise<{ list: (ItemRecord & M)[]; total: number }> => {
    const found = await accessToMany(
      db,
      actor,
      rows.map(({ id }) => id),
      now,
    )
    const there = rows.flatMap((row) => {
      const access = found.get(row.id)
      return access === undefined || denial(gates.see, access.facts) !== undefined ? [] : [{ row, access }]
    })
    const page = there.slice(from, from + most)
    const records = await marks.on(
      actor,
      page.map(({ access }) => recordOf(access, actor)),
    )
    return {
      list: page.flatMap(({ row }, n) => {
        const record = records[n]
        return record === undefined ? [] : [{ ...record, ...more(row) }]
      }),
      total: there.length,
    }
  }

  return implement(features.recent.calls, {
    async getRecentHistory(context, page) {
      const actor = actorOf(context)
      const { rows } = await sql<{ id: number; act: 'open' | 'preview' | 'download' | 'edit'; at: number }>`
        select r.item_id as id, r.act, r.at from recent r join item i on i.id = r.item_id
        where r.account_id = ${actor.accountId} and ${asked(context, page, sql`r.at`)}
        order by r.at desc, r.item_id limit ${mostListed}`.execute(context.db)
      return pageOf(context, actor, rows, page, ({ act, at }) => ({ recentTime: at, recentAct: act }))
    },

    async getRecentLocked(context, page) {
      const actor = actorOf(context)
      const { rows } = await sql<{ id: number; since: number }>`
        select i.id, l.since from (
          select i.id, i.editing_since as since from item i where i.editor_id = ${actor.accountId} and i.deleted_at is null
          union
          select i.id, i.editing_since from item i
          where i.library_id in (
              select id from library where owner_id = ${actor.accountId}
              union select library_id from library_manager where account_id = ${actor.accountId})
            and (i.status & 270532608 <> 0 or i.editor_id is not null) and i.editor_id is not null
            and i.deleted_at is null) l
        join item i on i.id = l.id where ${asked(context, page, sql`l.since`)}
        order by l.since desc, i.id desc limit ${mostListed}`.execute(context.db)
      return pageOf(context, actor, rows, page, ({ since }) => ({ lockTime: since }))
    },

    async getRecentSubmit(context, page) {
      const actor = actorOf(context)
      const { rows } = await sql<{ id: number; number: number; at: number }>`
        select item_id as id, max(number) as number, max(created_at) as at from (
          select v.item_id, v.number, v.created_at from version v join item i on i.id = v.item_id
          where v.created_by = ${actor.accountId} and ${asked(context, page, sql`v.created_at`)}
          order by v.created_at desc limit ${mostListed}) v
        group by item_id order by at desc, item_id desc`.execute(context.db)
      return pageOf(context, actor, rows, page, ({ number, at }) => ({ submitTime: at, submitVersion: number }))
    },

    async getRecentChange(context, page) {
      const { db, now } = context
      const actor = actorOf(context)
      const since = now - changedWithin
      const { rows } = await sql<{ id: number }>`
        with mine as (
          select item_id as id from follow where account_id = ${actor.accountId} and kind = 1
          union select item_id from recent where account_id = ${actor.accountId} and at >= ${since}
          union select item_id from (
            select item_id from version where created_by = ${actor.accountId}
            order by created_at desc limit ${mostListed}) v
          union select c.id from follow f cross join lateral (
            select i.id from item i
            where i.parent_id = f.item_id and i.f_type = 1 and i.modified_at >= ${since} and i.deleted_at is null
            order by i.modified_at desc limit ${mostInFolder}) c
          where f.account_id = ${actor.accountId} and f.kind = 1
        )
        select i.id from mine m join item i on i.id = m.id
        where i.f_type = 1 and i.link_to is null and i.deleted_at is null and i.modified_at >= ${since}
          and i.modified_by <> ${actor.accountId} and ${asked(context, page, sql`i.modified_at`)}
        order by i.modified_at desc, i.id desc limit ${mostListed}`.execute(db)
      const { list, total } = await pageOf(context, actor, rows, page, () => ({}))
      const changes = await changesOf(
        db,
        actor,
        list.map(({ fId }) => fId),
        since,
      )
      return { list: list.map((row) => ({ ...row, ...(changes.get(row.fId) ?? noChange) })), total }
    },

    async noteOpened(context, { fileIdArray, folderIdArray }) {
      const { accountId } = actorOf(context)
      await recordRecent(context.tx, accountId, [...fileIdArray, ...folderIdArray], 'open', context.now)
      return {}
    },

    async deleteRecentHistory(context, { all, fileIdArray, folderIdArray }) {
      const { accountId } = actorOf(context)
      const which = all ? sql`true` : sql`item_id = any(${[...fileIdArray, ...folderIdArray]})`
      await sql`delete from recent where account_id = ${accountId} and ${which}`.execute(context.tx)
      return {}
    },
  })
}
