// Administrative powers (decisions E1): three powers of which no user has two, and delegated departments.
import type { features } from '@cloudoc/contract'
import { type DelegatedTask, delegatedTasks, fail, type SeparatedPower, separatedPowers } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Tx } from '../../core/db/database.ts'
import { bump } from '../../core/settings.ts'
import { pathsOf, peopleIn } from './departments.ts'
import { groupOrRoot } from './group-ids.ts'

const already = {
  zh: '此人已经是管理员：一个人只能有一项管理权，请先收回',
  en: 'already an administrator: nobody has two powers, take the other one back first',
} as const
const ownPowers = {
  zh: '不能给自己授予或收回管理权限，请由其他管理员操作',
  en: 'nobody gives or takes their own powers: another administrator must do it',
}
const unusable = {
  zh: '账号不能使用，不能成为管理员',
  en: 'the account cannot be used, it cannot become an administrator',
} as const

interface Candidate {
  readonly id: number
  readonly name: string
  readonly account: string
  readonly state: string
  readonly is_admin: boolean
  readonly powers: SeparatedPower[]
  readonly delegated: boolean
}

/** Locks the accounts: a concurrent freeze happens before, or not at all. */
async function lockCandidates(tx: Tx, userIds: readonly number[]): Promise<Map<number, Candidate>> {
  await sql`
    select 1 from account where id = any(${[...userIds]}) order by id for no key update`.execute(tx)
  const { rows } = await sql<Candidate>`
    select a.id, a.name, a.account, a.state, a.is_admin,
      array(select power from administrator p where p.account_id = a.id) as powers,
      exists (select 1 from group_administrator g where g.account_id = a.id) as delegated
    from account a where a.id = any(${[...userIds]})`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Announces that these users' administrative powers have changed, also to their open sessions. */
async function notifyChanged(context: WriteContext, people: readonly { id: number; name: string }[]): Promise<void> {
  if (people.length === 0) return
  for (const { id, name } of people) context.changed({ kind: 'person', change: { accountId: id, name, what: 'roles' } })
  await bump(context.tx, 'organisation')
  context.event({ kind: 'refetch', accountIds: people.map(({ id }) => id) })
}

type Names = 'getAdministrators' | 'setPowerHolders' | 'setDelegation'

export const administratorHandlers: Pick<Handlers<typeof features.people.calls>, Names> = {
  async getAdministrators({ db, now }) {
    const { rows } = await sql<{
      userId: number
      accountName: string
      account: string
      groupName: string
      usedTime: number
      address: string
      power: SeparatedPower | 'first' | 'department'
      since: number
    }>`
      with held as (
        select id as account_id, 'first' as power, 0::bigint as since from account
          where is_admin and state <> 'disabled'
        union all select account_id, power, since from administrator
        union all select account_id, 'department', min(since) from group_administrator group by account_id
      )
      select a.id as "userId", a.name as "accountName", a.account, g.name as "groupName", h.power, h.since,
        coalesce(s.used_at, a.signed_in_at, 0) as "usedTime", coalesce(s.address, '') as address
      from held h join account a on a.id = h.account_id join org_group g on g.id = a.group_id
      left join lateral (
        select used_at, address from session where account_id = a.id and not guest and expires_at > ${now}
        order by used_at desc limit 1) s on true
      order by a.name_sort, a.id`.execute(db)
    const { rows: parts } = await sql<{ userId: number; groupId: number; groupName: string; tasks: DelegatedTask[] }>`
      select d.account_id as "userId", g.id as "groupId", g.name as "groupName", d.tasks
      from group_administrator d join org_group g on g.id = d.group_id order by g.name_sort, g.id`.execute(db)
    const groupIds = [...new Set(parts.map(({ groupId }) => groupId))]
    const [paths, people] = await Promise.all([pathsOf(db, groupIds), peopleIn(db, groupIds)])
    const partsBy = Map.groupBy(parts, ({ userId }) => userId)
    const of = (power: string) => rows.filter((row) => row.power === power)
    return {
      first: of('first').map(({ power: _, since: __, ...person }) => person),
      separated: separatedPowers.map((power) => ({
        power,
        people: of(power).map(({ power: _, ...person }) => person),
      })),
      delegated: of('department').map(({ power: _, ...person }) => {
        const own = partsBy.get(person.userId) ?? []
        return {
          ...person,
          tasks: delegatedTasks.filter((task) => own.some(({ tasks }) => tasks.includes(task))),
          groups: own.map(({ groupId, groupName }) => ({
            groupId,
            groupName,
            path: paths.get(groupId)?.path ?? groupName,
            people: people.get(groupId) ?? 0,
          })),
        }
      }),
    }
  },

  async setPowerHolders(context, { power, userIds }) {
    const { tx, now } = context
    const wanted = new Set(userIds)
    const { rows } = await sql<{ account_id: number }>`
      select account_id from administrator where power = ${power}`.execute(tx)
    const had = new Set(rows.map(({ account_id }) => account_id))
    const differing = [...new Set([...had, ...wanted])].filter((id) => had.has(id) !== wanted.has(id))
    if (differing.includes(actorOf(context).accountId)) return fail('noPermission', ownPowers)
    const people = await lockCandidates(tx, differing)
    for (const id of differing) {
      const person = people.get(id) ?? fail('notFound', 'userIds')
      if (!wanted.has(id)) continue
      if (person.is_admin || person.delegated || person.powers.length > 0) return fail('noPermission', already)
      if (person.state !== 'normal') return fail('noPermission', unusable)
    }
    await sql`
      delete from administrator where power = ${power} and account_id <> all(${[...wanted]})`.execute(tx)
    await sql`
      insert into administrator (account_id, power, since)
      select unnest(${[...wanted]}::bigint[]), ${power}, ${now}::bigint on conflict do nothing`.execute(tx)
    await notifyChanged(context, [...people.values()])
    const names = (them: (id: number) => boolean): string =>
      differing.flatMap((id) => (them(id) ? (people.get(id)?.account ?? []) : [])).join(', ')
    context.audit({ power, given: names((id) => wanted.has(id)), taken: names((id) => !wanted.has(id)) })
    return {}
  },

  async setDelegation(context, { userId, groupIds, tasks }) {
    const { tx, now } = context
    if (userId === actorOf(context).accountId) return fail('noPermission', ownPowers)
    const person = (await lockCandidates(tx, [userId])).get(userId) ?? fail('notFound', 'userId')
    const ids = new Set<number>()
    for (const groupId of groupIds) ids.add(await groupOrRoot(tx, groupId))
    const isGiven = ids.size > 0 && tasks.length > 0
    if (isGiven && (person.is_admin || person.powers.length > 0)) return fail('noPermission', already)
    if (isGiven && person.state !== 'normal') return fail('noPermission', unusable)
    const kept = isGiven ? [...ids] : []
    await sql`
      delete from group_administrator where account_id = ${userId} and group_id <> all(${kept})`.execute(tx)
    await sql`
      insert into group_administrator (account_id, group_id, tasks, since)
      select ${userId}::bigint, unnest(${kept}::bigint[]), ${[...new Set(tasks)]}::text[], ${now}::bigint
      on conflict (account_id, group_id) do update set tasks = excluded.tasks`.execute(tx)
    await notifyChanged(context, [person])
    context.audit({ userId, account: person.account, groups: JSON.stringify(kept), tasks: JSON.stringify(tasks) })
    return {}
  },
}
