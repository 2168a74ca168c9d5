/*
 * Who decides requests of every kind, for the administration: the rules of each kind, for whom requests wait, and who
 * stands in for whom. Features with rules of their own contribute them (`approverSources`).
 */
import type { ApproverKind, features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type Context, type WriteContext } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import { type Contributed, extensionPoint } from '../../core/extension-points.ts'
import { knownOf } from '../../people/organisation/index.ts'
import { longestStandInChain, standInChain } from './read.ts'
import { ableOf } from './reviewers.ts'

/** A rule that names who decides. */
export interface ApproverRule {
  readonly kind: ApproverKind
  readonly name: string
  readonly by: 'people' | 'role' | 'managers' | 'owner' | 'superior' | 'security'
  /** Ids of people, or of roles. */
  readonly ids: readonly number[]
}

/** The rules of one feature that are in force. */
export const approverSources = extensionPoint<(db: Db) => Promise<readonly ApproverRule[]>>('approverSources')

/** Kinds without rules: the managers of the library decide about rights, security administrators about downloads. */
const fixed: readonly ApproverRule[] = [
  { kind: 'rights', name: '', by: 'managers', ids: [] },
  { kind: 'downloads', name: '', by: 'security', ids: [] },
]

const mostListed = 500

interface Row {
  readonly userId: number
  readonly accountName: string
  readonly groupName: string
  readonly waiting: number
  readonly oldestTime: number
  readonly standInId: number | null
  readonly standInName: string | null
  readonly from: number | null
  readonly until: number | null
}

/** Sets the stand-in of an account; `standInId` 0 removes it. */
export async function setStandIn(
  context: WriteContext,
  accountId: number,
  { standInId, from, until }: { standInId: number; from: number | undefined; until: number | undefined },
): Promise<void> {
  const { tx, now } = context
  const begins = from ?? now
  if (standInId === accountId) fail('badRequest', { zh: '不能由自己代理', en: 'nobody stands in for themselves' })
  if (until !== undefined && until <= Math.max(begins, now))
    fail('badRequest', { zh: '结束时间须晚于开始时间和现在', en: 'until: it is over before it begins' })
  if (standInId !== 0) {
    const known = await knownOf(tx, actorOf(context), [{ subjectType: 'user', subjectId: standInId } as const])
    if (known.length === 0 || (await ableOf(tx, [standInId], null, now)).length === 0)
      fail('notFound', { zh: '该人员不存在或已离开', en: 'userId: somebody who is not there, or has left' })
    const { ids, isCircle } = await standInChain(tx, {
      ...{ accountId, userId: standInId, from: begins, until: until ?? null },
    })
    if (isCircle || ids.length > longestStandInChain + 1) {
      const { rows } = await sql<{ id: number; name: string }>`
        select id, name from account where id = any(${[...ids]})`.execute(tx)
      const path = ids.map((id) => rows.find((one) => one.id === id)?.name ?? '').join(' → ')
      if (isCircle)
        fail('badRequest', { zh: `代理形成循环：${path}`, en: `userId: the stand-ins form a circle: ${path}` })
      fail('badRequest', {
        zh: `代理最多接续 ${longestStandInChain} 层：${path}`,
        en: `userId: more than ${longestStandInChain} stand-ins in a row: ${path}`,
      })
    }
  }
  await tx.deleteFrom('review_stand_in').where('account_id', '=', accountId).execute()
  if (standInId === 0) return
  await tx
    .insertInto('review_stand_in')
    .values({ account_id: accountId, stand_in_id: standInId, from_at: begins, until_at: until ?? null })
    .execute()
}

type Calls = Pick<Handlers<typeof features.reviews.calls>, 'getApprovers' | 'setStandInOf'>

export const approverHandlers = (contributed: Contributed): Calls => ({
  async getApprovers({ db, now }: Context) {
    const sources = await Promise.all(contributed(approverSources).map((source) => source(db)))
    const rules = [...fixed, ...sources.flat()]
    const idsOf = (wanted: ApproverRule['by']): number[] =>
      rules.flatMap(({ by, ids }) => (by === wanted ? [...ids] : []))
    const [{ rows: people }, { rows: roles }, { rows: list }] = await Promise.all([
      sql<{ id: number; name: string }>`
        select id, name from account where id = any(${idsOf('people')}::bigint[])`.execute(db),
      sql<{ id: number; name: string }>`
        select id, name from role where id = any(${idsOf('role')}::bigint[])`.execute(db),
      sql<Row>`
        with waits as (
          select w.account_id, count(*)::int as waiting, min(r.created_at) as oldest
          from review_reviewer w join review r on r.id = w.review_id where w.is_waiting group by w.account_id
        )
        select a.id as "userId", a.name as "accountName", g.name as "groupName", coalesce(w.waiting, 0) as waiting,
          coalesce(w.oldest, 0)::bigint as "oldestTime", s.stand_in_id as "standInId", b.name as "standInName",
          s.from_at as "from", s.until_at as "until"
        from account a join org_group g on g.id = a.group_id
        left join waits w on w.account_id = a.id
        left join review_stand_in s on s.account_id = a.id and (s.until_at is null or s.until_at > ${now})
        left join account b on b.id = s.stand_in_id
        where w.account_id is not null or s.account_id is not null
          or a.id = any(${idsOf('people')}::bigint[])
        order by coalesce(w.waiting, 0) desc, a.name_sort, a.id limit ${mostListed}`.execute(db),
    ])
    const personOf = new Map(people.map(({ id, name }) => [id, { userId: id, accountName: name }]))
    const roleOf = new Map(roles.map(({ id, name }) => [id, name]))
    return {
      rules: rules.map(({ kind, name, by, ids }) => ({
        ...{ kind, name, by },
        people: by === 'people' ? ids.flatMap((id) => personOf.get(id) ?? []) : [],
        roles: by === 'role' ? ids.flatMap((id) => roleOf.get(id) ?? []) : [],
      })),
      list: list.map(({ standInId, standInName, from, until, ...person }) => ({
        ...person,
        standIn:
          standInId === null ? null : { userId: standInId, accountName: standInName ?? '', from: from ?? 0, until },
      })),
    }
  },

  async setStandInOf(context, { userId, standInId, from, until }) {
    const { rows } = await sql`
      select 1 from account where id = ${userId} and state <> 'disabled' for no key update`.execute(context.tx)
    if (rows.length === 0) return fail('notFound', 'userId')
    await setStandIn(context, userId, { standInId, from, until })
    context.audit({ userId })
    return {}
  },
})
