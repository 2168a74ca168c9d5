// Whom an urge reaches: the people of its departments and roles, as far as they may see the item.

import { fail, urgeLimits } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import type { Settings } from '../../core/settings.ts'
import { filterByRight, peopleAmong } from '../../drive/rights/index.ts'
import { knownOf, presentOf } from '../../people/organisation/index.ts'

/** Most people named in an answer because they may not see the item. */
const mostNamed = 20

/** Whom an urge is sent to, as sent. */
export interface Sent {
  readonly userIdArray: readonly number[]
  readonly groupIdArray: readonly number[]
  readonly roleIdArray: readonly number[]
}

/** Whom it reaches, and who of them may not see the item. */
export interface Reach {
  readonly accountIds: readonly number[]
  readonly unseenCount: number
  readonly unseen: { userId: number; accountName: string }[]
}

/**
 * Resolves receivers at this moment, without the sender. Refuses subjects that the caller may not know of, and more
 * receivers than allowed. People who may not see the item are not reached: an urge tells its name.
 */
export async function reachOf(context: Context, settings: Settings, access: Access, sent: Sent): Promise<Reach> {
  const { db, now } = context
  const actor = actorOf(context)
  const subjects = [
    ...sent.userIdArray.map((subjectId) => ({ subjectType: 'user' as const, subjectId })),
    ...sent.groupIdArray.map((subjectId) => ({ subjectType: 'group' as const, subjectId })),
    ...sent.roleIdArray.map((subjectId) => ({ subjectType: 'role' as const, subjectId })),
  ]
  const known = await presentOf(db, await knownOf(db, actor, subjects))
  if (known.length < subjects.length)
    return fail('notFound', {
      zh: '有人员、部门或角色不存在或已离开',
      en: 'a person, department or role is not there, or has left',
    })
  const all = await peopleAmong(db, known, urgeLimits.receivers + 2)
  const others = all.filter((id) => id !== actor.accountId)
  if (others.length > urgeLimits.receivers)
    return fail('tooMany', {
      zh: `一次最多催 ${urgeLimits.receivers} 人，请分几次发出`,
      en: `at most ${urgeLimits.receivers} people at once: send several urges`,
    })
  const able = await filterByRight(db, access, others, { settings, now, right: 'display' })
  const accountIds = able.map(({ accountId }) => accountId)
  const reached = new Set(accountIds)
  const missed = others.filter((id) => !reached.has(id))
  const { rows: unseen } = await sql<{ userId: number; accountName: string }>`
    select id as "userId", name as "accountName" from account where id = any(${missed})
    order by name_sort, id limit ${mostNamed}`.execute(db)
  return { accountIds, unseenCount: missed.length, unseen }
}
