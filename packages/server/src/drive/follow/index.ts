// Following files and folders ([R239]): calls, flags and notifications.
import { features } from '@cloudoc/contract'
import { denial, fail, gates } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { FeatureEvent } from '../../core/events.ts'
import { toThemselves } from '../../core/push/index.ts'
import { accessToMany, nameMatches, recordOf } from '../tree/index.ts'
import type { Marks } from './marks.ts'

export { createNotifyDownloads, type NotifyDownloads } from './download-notifier.ts'
export { createMarks, type Marks } from './marks.ts'
export { type DownloadEvent, notifyFollowers } from './notify-followers.ts'

/** Maximum number of items that one user follows, per type. */
const mostFollowed = 5000

/** A user follows an item or stops following it. */
interface FollowEvent extends FeatureEvent {
  readonly kind: 'follow.changed'
  readonly accountId: number
  readonly fId: number
  readonly fType: 1 | 2
}

/** Only the user themselves. */
export const followAudience = toThemselves<FollowEvent>(({ fId, fType }) => ({
  name: 'followsChanged',
  payload: { fId, fType },
}))

/** The call handlers of following. */
export function followHandlers(marks: Marks) {
  return implement(features.follow.calls, {
    async addInterest(context, { interestType, userIdString: people, groupIdString: groups }, item) {
      const { tx, now } = context
      const { accountId } = actorOf(context)
      const { row } = context.item(item)
      const { rows } = await sql`
        insert into follow (account_id, item_id, kind, people, groups, created_at)
        select ${accountId}, ${row.id}, ${interestType}, ${people}::bigint[], ${groups}::bigint[], ${now}
        where (select count(*) from follow where account_id = ${accountId} and kind = ${interestType}) < ${mostFollowed}
          or exists (
            select 1 from follow where account_id = ${accountId} and item_id = ${row.id} and kind = ${interestType})
        on conflict (account_id, item_id, kind) do update set people = excluded.people, groups = excluded.groups
        returning 1`.execute(tx)
      if (rows.length === 0)
        return fail('tooMany', { zh: `最多关注 ${mostFollowed} 项`, en: `at most ${mostFollowed} followed items` })
      const changed: FollowEvent = { kind: 'follow.changed', accountId, fId: row.id, fType: row.f_type }
      context.event(changed)
      return { fId: row.id }
    },

    async deleteInterest(context, { interestType }, item) {
      const { accountId } = actorOf(context)
      const { row } = context.item(item)
      await context.tx
        .deleteFrom('follow')
        .where('account_id', '=', accountId)
        .where('item_id', '=', row.id)
        .where('kind', '=', interestType)
        .execute()
      const changed: FollowEvent = { kind: 'follow.changed', accountId, fId: row.id, fType: row.f_type }
      context.event(changed)
      return { fId: row.id }
    },

    async getInterestList(context, { interestType, from, rows: most, keyword }) {
      const { db, now } = context
      const actor = actorOf(context)
      const { rows } = await sql<{ item_id: number }>`
        select f.item_id from follow f join item i on i.id = f.item_id
        where ${sql.join([sql`f.account_id = ${actor.accountId} and f.kind = ${interestType}`, ...nameMatches(keyword)], sql` and `)}
        order by f.created_at desc, f.item_id desc limit ${mostFollowed}`.execute(db)
      const ids = rows.map(({ item_id }) => item_id)
      const found = await accessToMany(db, actor, ids, now)
      const there = ids
        .flatMap((id) => found.get(id) ?? [])
        .filter((access) => denial(gates.follow, access.facts) === undefined)
      const list = there.slice(from, from + most).map((access) => recordOf(access, actor))
      return { list: await marks.on(actor, list), total: there.length }
    },
  })
}
