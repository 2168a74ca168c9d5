// How many files a user may download per day ([R284], [R285]).
import { type DownloadLimit, features } from '@cloudoc/contract'
import { calendarDay, fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import { todayOf } from './download-limits.ts'

export {
  createDownloadLimits,
  type DownloadLimits,
  giveMore,
  type Limited,
  removeExpiredDownloads,
  todayOf,
} from './download-limits.ts'
export {
  addGrants,
  endExpiredGrants,
  endGrants,
  type GrantedDownload,
  grantApplications,
  grantMeter,
  grantsInForce,
  type Meter,
  type NewGrant,
  needsGrant,
} from './grants.ts'

/** The call handlers of download limits. */
export function downloadLimitHandlers() {
  return implement(features.downloadLimits.calls, {
    async getDownloadLimits({ db }) {
      const { rows: list } = await sql<DownloadLimit>`
        select l.id as "limitId",
          case when l.account_id is not null then 'user' when l.group_id is not null then 'group'
            when l.role_id is not null then 'role' else 'everybody' end as "subjectType",
          coalesce(l.account_id, l.group_id, l.role_id, 0) as "subjectId",
          coalesce(a.name, g.name, r.name, '') as "subjectName", l.per_day as "perDay"
        from download_limit l left join account a on a.id = l.account_id left join org_group g on g.id = l.group_id
          left join role r on r.id = l.role_id
        order by num_nonnulls(l.account_id, l.group_id, l.role_id), l.group_id is null, l.role_id is null, l.id`.execute(
        db,
      )
      return { list }
    },

    async setDownloadLimit(context, { subjectType, subjectId, perDay }) {
      const { tx } = context
      const known = {
        everybody: sql`select 1`,
        user: sql`select 1 from account where id = ${subjectId}`,
        group: sql`select 1 from org_group where id = ${subjectId} for share`,
        role: sql`select 1 from role where id = ${subjectId} for share`,
      }[subjectType]
      if ((await known.execute(tx)).rows.length === 0) return fail('notFound', 'subjectId')
      const whom = {
        account_id: subjectType === 'user' ? subjectId : null,
        group_id: subjectType === 'group' ? subjectId : null,
        role_id: subjectType === 'role' ? subjectId : null,
      }
      // Serializes concurrent changes to the limit of the same subject; the later one wins.
      await sql`select pg_advisory_xact_lock(hashtext('download_limit'))`.execute(tx)
      await sql`
        delete from download_limit where account_id is not distinct from ${whom.account_id}::bigint
          and group_id is not distinct from ${whom.group_id}::bigint
          and role_id is not distinct from ${whom.role_id}::bigint`.execute(tx)
      const { id: limitId } = await tx
        .insertInto('download_limit')
        .values({ ...whom, per_day: perDay })
        .returning('id')
        .executeTakeFirstOrThrow()
      context.audit({ limitId, subjectType, subjectId, perDay })
      return { limitId }
    },

    async removeDownloadLimit(context, { limitId }) {
      const { numDeletedRows } = await context.tx
        .deleteFrom('download_limit')
        .where('id', '=', limitId)
        .executeTakeFirst()
      if (numDeletedRows === 0n) return fail('notFound', 'limitId')
      context.audit({ limitId })
      return {}
    },

    getDownloadToday: (context) => todayOf(context.db, actorOf(context), context.now),

    async getDownloadAudit(context, { from, rows: most }) {
      const { db, now } = context
      const { day } = calendarDay(now, actorOf(context).settings.setting.download_time_zone)
      const { rows: list } = await sql<{
        accountId: number
        account: string
        accountName: string
        groupName: string
        count: number
      }>`
        select a.id as "accountId", a.account, a.name as "accountName", coalesce(g.name, '') as "groupName",
          d.taken as count
        from download_day d join account a on a.id = d.account_id left join org_group g on g.id = a.group_id
        where d.day = ${day} and d.taken > 0 order by d.taken desc, a.id limit ${most} offset ${from}`.execute(db)
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from download_day where day = ${day} and taken > 0`.execute(db)
      return { list, total: rows[0]?.n ?? 0 }
    },
  })
}
