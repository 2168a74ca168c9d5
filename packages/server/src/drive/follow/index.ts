// Following files and folders ([R239]): calls, flags and notifications.
import { type Answer, features, type ItemRecord } from '@cloudoc/contract'
import { denial, fail, gates } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import type { FeatureEvent } from '../../core/events.ts'
import { toThemselves } from '../../core/push/index.ts'
import { knownOf, presentOf } from '../../people/organisation/index.ts'
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

type Followed = Pick<Answer<typeof features.follow.calls.getInterestList>['list'][number], FollowedField>
type FollowedField = 'followedUsers' | 'followedGroups'
const everybody: Followed = { followedUsers: [], followedGroups: [] }

const subjectsOf = (people: readonly number[], groups: readonly number[]) => [
  ...people.map((subjectId) => ({ subjectType: 'user' as const, subjectId })),
  ...groups.map((subjectId) => ({ subjectType: 'group' as const, subjectId })),
]

/** Refuses people and departments that do not exist or that the caller may not see. */
async function assertKnown(db: Db, actor: Account, people: readonly number[], groups: readonly number[]) {
  const named = subjectsOf(people, groups)
  const there = await knownOf(db, actor, await presentOf(db, named))
  if (there.length < named.length)
    fail('notFound', { zh: '人员或部门不存在或已离开', en: 'a person or department that is not there, or has left' })
}

/**
 * Returns whose actions a user follows, for the listed items that are not followed for everybody. People and
 * departments that the user may not see any more are left out.
 */
async function followedOf(
  db: Db,
  actor: Account,
  kind: number,
  list: readonly Pick<ItemRecord, 'fId'>[],
): Promise<ReadonlyMap<number, Followed>> {
  const { rows } = await sql<Followed & { item_id: number }>`
    select f.item_id,
      coalesce((select jsonb_agg(jsonb_build_object('userId', a.id, 'name', a.name) order by a.name_sort, a.id)
        from account a where a.id = any(f.people)), '[]') as "followedUsers",
      coalesce((select jsonb_agg(jsonb_build_object('groupId', g.id, 'name', g.name) order by g.name_sort, g.id)
        from org_group g where g.id = any(f.groups)), '[]') as "followedGroups"
    from follow f
    where f.account_id = ${actor.accountId} and f.kind = ${kind} and f.item_id = any(${list.map(({ fId }) => fId)})
      and cardinality(f.people) + cardinality(f.groups) > 0`.execute(db)
  const users = rows.flatMap(({ followedUsers }) => followedUsers.map(({ userId }) => userId))
  const groups = rows.flatMap(({ followedGroups }) => followedGroups.map(({ groupId }) => groupId))
  const known = new Set(
    (await knownOf(db, actor, subjectsOf(users, groups))).map(
      ({ subjectType, subjectId }) => `${subjectType} ${subjectId}`,
    ),
  )
  return new Map(
    rows.map(({ item_id, ...one }) => [
      item_id,
      {
        followedUsers: one.followedUsers.filter(({ userId }) => known.has(`user ${userId}`)),
        followedGroups: one.followedGroups.filter(({ groupId }) => known.has(`group ${groupId}`)),
      },
    ]),
  )
}

/** The call handlers of following. */
export function followHandlers(marks: Marks) {
  return implement(features.follow.calls, {
    async addInterest(context, { interestType, userIdString: people, groupIdString: groups }, item) {
      const { tx, now } = context
      const actor = actorOf(context)
      const { accountId } = actor
      const { row } = context.item(item)
      if (people.length + groups.length > 0) await assertKnown(tx, actor, people, groups)
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

    async deleteInterest(context, { interestType, userIdString: people, groupIdString: groups }, item) {
      const { tx } = context
      const { accountId } = actorOf(context)
      const { row } = context.item(item)
      const follow = sql`account_id = ${accountId} and item_id = ${row.id} and kind = ${interestType}`
      if (people.length + groups.length === 0) await sql`delete from follow where ${follow}`.execute(tx)
      else {
        // A follow of everybody has two empty lists: nobody can be removed from it, and it must not end here.
        const { rows } = await sql<{ people: number[]; groups: number[] }>`
          select to_jsonb(people) as people, to_jsonb(groups) as groups from follow
          where ${follow} and cardinality(people) + cardinality(groups) > 0 for update`.execute(tx)
        for (const one of rows) {
          const left = {
            people: one.people.filter((id) => !people.includes(id)),
            groups: one.groups.filter((id) => !groups.includes(id)),
          }
          await (left.people.length + left.groups.length === 0
            ? sql`delete from follow where ${follow}`
            : sql`
                update follow set people = ${left.people}::bigint[], groups = ${left.groups}::bigint[] where ${follow}`
          ).execute(tx)
        }
      }
      const changed: FollowEvent = { kind: 'follow.changed', accountId, fId: row.id, fType: row.f_type }
      context.event(changed)
      return { fId: row.id }
    },

    async getInterestList(context, { interestType, from, rows: most, keyword, fId }) {
      const { db, now } = context
      const actor = actorOf(context)
      const { rows } = await sql<{ item_id: number }>`
        select f.item_id from follow f join item i on i.id = f.item_id
        where ${sql.join([sql`f.account_id = ${actor.accountId} and f.kind = ${interestType}`, ...(fId === undefined ? [] : [sql`f.item_id = ${fId}`]), ...nameMatches(keyword)], sql` and `)}
        order by f.created_at desc, f.item_id desc limit ${mostFollowed}`.execute(db)
      const ids = rows.map(({ item_id }) => item_id)
      const found = await accessToMany(db, actor, ids, now)
      const there = ids
        .flatMap((id) => found.get(id) ?? [])
        .filter((access) => denial(gates.follow, access.facts) === undefined)
      const list = there.slice(from, from + most).map((access) => recordOf(access, actor))
      const followed = await followedOf(db, actor, interestType, list)
      const marked = await marks.on(actor, list)
      return {
        list: marked.map((record) => ({ ...record, ...(followed.get(record.fId) ?? everybody) })),
        total: there.length,
      }
    },
  })
}
