// Administrative powers (decisions E1): three powers of which no user has two, and delegated departments.
import type { features } from '@cloudoc/contract'
import { type DelegatedTask, delegatedTasks, fail, type SeparatedPower, separatedPowers } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Tx } from '../../core/db/database.ts'
import { bump, createSettings } from '../../core/settings.ts'
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

type Names =
  | 'getAdministrators'
  | 'setPowerHolders'
  | 'giveUpPowers'
  | 'proposePowerHolders'
  | 'decidePowerProposal'
  | 'setDelegation'

/** Changes and proposals of holders are serialized: two of them together could leave a power without anybody. */
const powersLock = 0x706f7765
export const lockPowers = (tx: Tx): Promise<unknown> => sql`select pg_advisory_xact_lock(${powersLock})`.execute(tx)

interface Differing {
  readonly people: ReadonlyMap<number, Candidate>
  readonly given: readonly number[]
  readonly taken: readonly number[]
}

/** Checks a change of the holders of a power, without making it. */
async function checkHolders(
  context: WriteContext,
  { power, userIds }: { power: SeparatedPower; userIds: readonly number[] },
): Promise<Differing> {
  const { tx } = context
  const actor = actorOf(context)
  const wanted = new Set(userIds)
  const { rows } = await sql<{ account_id: number }>`
    select account_id from administrator where power = ${power}`.execute(tx)
  const had = new Set(rows.map(({ account_id }) => account_id))
  const given = [...wanted].filter((id) => !had.has(id))
  const taken = [...had].filter((id) => !wanted.has(id))
  if ([...given, ...taken].includes(actor.accountId)) return fail('noPermission', ownPowers)
  const people = await lockCandidates(tx, [...given, ...taken])
  // Not what the session knows: the powers may have been separated since it was read.
  const { combined_powers: combined } = await createSettings(tx).current()
  for (const id of given) {
    const person = people.get(id) ?? fail('notFound', 'userIds')
    if (person.is_admin || person.delegated || (!combined && person.powers.length > 0))
      return fail('noPermission', already)
    if (person.state !== 'normal') return fail('noPermission', unusable)
  }
  return { people, given, taken }
}

/** Sets the holders of a power, after the check. */
async function setHolders(
  context: WriteContext,
  { power, userIds }: { power: SeparatedPower; userIds: readonly number[] },
): Promise<void> {
  const { tx, now } = context
  const { people, given, taken } = await checkHolders(context, { power, userIds })
  await sql`
    delete from administrator where power = ${power} and account_id = any(${[...taken]}::bigint[])`.execute(tx)
  await sql`
    insert into administrator (account_id, power, since)
    select unnest(${[...given]}::bigint[]), ${power}, ${now}::bigint on conflict do nothing`.execute(tx)
  await notifyChanged(context, [...people.values()])
  context.audit({ power, ...namesOf(people, given, taken) })
}

const namesOf = (people: Differing['people'], given: readonly number[], taken: readonly number[]) => {
  const accounts = (ids: readonly number[]): string => ids.flatMap((id) => people.get(id)?.account ?? []).join(', ')
  return { given: accounts(given), taken: accounts(taken) }
}

/** Refuses to demand separate powers while somebody has several, and names them. */
export async function assertPowersSeparated(tx: Tx): Promise<void> {
  await lockPowers(tx)
  const { rows } = await sql<{ name: string }>`
    select a.name from administrator p join account a on a.id = p.account_id
    group by a.id having count(*) > 1 order by a.name`.execute(tx)
  const names = rows.map(({ name }) => name)
  if (names.length > 0)
    fail('settingsContradict', {
      zh: `${names.join('、')}现在兼任多项管理权，请先调整任命`,
      en: `${names.join(', ')} hold several powers; change that first`,
    })
}

const ownProposal = {
  zh: '自己的提议由另一位管理员决定',
  en: 'another administrator decides about your proposal',
}

/** Refuses if one of the powers would have no holder who can sign in, apart from the first administrator. */
async function checkAllHeld(tx: Tx): Promise<void> {
  const { rows } = await sql<{ power: SeparatedPower }>`
    select distinct p.power from administrator p join account a on a.id = p.account_id
    where a.state = 'normal' and not a.is_admin and a.signed_in_at is not null`.execute(tx)
  const held = new Set(rows.map(({ power }) => power))
  const missing = separatedPowers.filter((power) => !held.has(power))
  if (missing.length === 0) return
  fail('powersNotHeld', {
    zh: missing.map((power) => powerNames[power].zh).join('、'),
    en: missing.map((power) => powerNames[power].en).join(', '),
  })
}
const powerNames = {
  system: { zh: '系统管理员', en: 'system administrator' },
  security: { zh: '安全管理员', en: 'security administrator' },
  audit: { zh: '审计管理员', en: 'auditor' },
} as const

const stillFirst = {
  zh: '首次安装的管理员还没有交出管理权，由它直接任免',
  en: 'the first administrator still has the powers and sets the holders',
}

/** Tells every holder of a power, so that open pages show the proposals as they are. */
async function tellHolders(context: WriteContext): Promise<void> {
  const { rows } = await sql<{ account_id: number }>`select distinct account_id from administrator`.execute(context.tx)
  context.event({ kind: 'refetch', accountIds: rows.map(({ account_id: id }) => id) })
}

export const administratorHandlers: Pick<Handlers<typeof features.people.calls>, Names> = {
  async getAdministrators(context) {
    const { db, now } = context
    const actor = actorOf(context)
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
    const { rows: proposals } = await sql<{
      proposalId: number
      power: SeparatedPower
      people: { userId: number; accountName: string }[] | null
      proposerId: number
      proposerName: string
      createTime: number
      concerns: number[]
    }>`
      select p.id as "proposalId", p.power, p.account_id as "proposerId", a.name as "proposerName",
        p.created_at as "createTime",
        (select json_agg(json_build_object('userId', w.id, 'accountName', w.name) order by w.name_sort, w.id)
          from power_proposal_person q join account w on w.id = q.account_id where q.proposal_id = p.id) as people,
        array(
          (select account_id from power_proposal_person where proposal_id = p.id
            except select account_id from administrator where power = p.power)
          union (select account_id from administrator where power = p.power
            except select account_id from power_proposal_person where proposal_id = p.id)) as concerns
      from power_proposal p join account a on a.id = p.account_id order by p.id`.execute(db)
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
      combined: actor.settings.combined_powers,
      proposals: proposals.map(({ concerns, ...proposal }) => ({
        ...proposal,
        people: proposal.people ?? [],
        mayDecide: proposal.proposerId !== actor.accountId && !concerns.map(Number).includes(actor.accountId),
      })),
    }
  },

  async setPowerHolders(context, input) {
    await lockPowers(context.tx)
    await setHolders(context, input)
    return {}
  },

  async giveUpPowers(context) {
    const { tx } = context
    await lockPowers(tx)
    const actor = actorOf(context)
    // Somebody to whom the company gave all three powers is not the first administrator.
    if (!actor.isAdmin) return fail('noPermission', ownPowers)
    await checkAllHeld(tx)
    await sql`update account set is_admin = false where id = ${actor.accountId}`.execute(tx)
    await notifyChanged(context, [{ id: actor.accountId, name: actor.name }])
    await tellHolders(context)
    return {}
  },

  async proposePowerHolders(context, { power, userIds }) {
    const { tx, now } = context
    await lockPowers(tx)
    const { rows } = await sql`select 1 from account where is_admin and state <> 'disabled' limit 1`.execute(tx)
    if (rows.length > 0) return fail('noPermission', stillFirst)
    const wanted = [...new Set(userIds)]
    const { people, given, taken } = await checkHolders(context, { power, userIds: wanted })
    await sql`delete from power_proposal where power = ${power}`.execute(tx)
    const { id: proposalId } = await tx
      .insertInto('power_proposal')
      .values({ power, account_id: actorOf(context).accountId, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('power_proposal_person')
      .values(wanted.map((id) => ({ proposal_id: proposalId, account_id: id })))
      .execute()
    await tellHolders(context)
    context.audit({ power, ...namesOf(people, given, taken) })
    return { proposalId }
  },

  async decidePowerProposal(context, { proposalId, agree }) {
    const { tx } = context
    await lockPowers(tx)
    const { rows } = await sql<{ power: SeparatedPower; account_id: number; user_ids: number[] }>`
      select p.power, p.account_id, array(
        select account_id from power_proposal_person where proposal_id = p.id order by account_id) as user_ids
      from power_proposal p where p.id = ${proposalId}`.execute(tx)
    const proposal = rows[0] ?? fail('notFound')
    if (agree && proposal.account_id === actorOf(context).accountId) return fail('noPermission', ownProposal)
    await sql`delete from power_proposal where id = ${proposalId}`.execute(tx)
    context.audit({ power: proposal.power, agrees: agree })
    if (agree) {
      await setHolders(context, { power: proposal.power, userIds: proposal.user_ids.map(Number) })
      await checkAllHeld(tx)
    }
    await tellHolders(context)
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
