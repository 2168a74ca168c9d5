// The administrator's view of people, and changes to one or many of them at once ([R047], [R347], [R349]).

import type { features, Parsed } from '@cloudoc/contract'
import { type CodeName, codes, fail, type Power } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import { actorOf, type Context, type WriteContext } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { PersonChange } from '../../core/events.ts'
import { accountLimitOf } from '../../core/licence.ts'
import { hashToken } from '../../core/secrets.ts'
import { bump, changeSettings } from '../../core/settings.ts'
import { searchWords } from '../../core/text-keys.ts'
import {
  clearSessionCookie,
  deviceMark,
  endSessions,
  failuresOf,
  forgetFailures,
  patienceOf,
  tokenOf,
} from '../auth/index.ts'
import { groupsBelow, pathsOf } from './departments.ts'
import { matchesWord, personColumns } from './names.ts'
import { holders } from './roles.ts'
import { administratorsAmong, groupFor, isIn, partOf, peopleOf, refusalIn } from './scope.ts'

type Calls = typeof features.people.calls
type Wanted = Parsed<Calls['countPeople']>
type AccountState = Parsed<Calls['setAccountState']>['state']

/** The people that a list shows, as a condition on `account a`. */
async function conditionOf(context: Context, wanted: Wanted): Promise<RawBuilder<unknown>> {
  const { db } = context
  const actor = actorOf(context)
  const { groupId, below, state, roleId, keyword } = wanted
  const part = partOf(actor)
  const parts: RawBuilder<unknown>[] = part === undefined ? [] : [peopleOf(part)]
  if (state === 'waiting') parts.push(sql`a.password_hash = '' and a.state <> 'disabled'`)
  else parts.push(state === 'all' ? sql`a.state <> 'disabled'` : sql`a.state = ${state}`)
  // The company with all descendants means everybody.
  if (!(groupId === 0 && below)) {
    const own = await groupFor(db, actor, groupId)
    const groups = below ? await groupsBelow(db, own) : [own]
    const { rows } = await sql<{ id: number }>`
      select account_id as id from membership where group_id = any(${groups})`.execute(db)
    const others = rows.map(({ id }) => id)
    parts.push(
      others.length === 0
        ? sql`a.group_id = any(${groups})`
        : sql`(a.group_id = any(${groups}) or a.id = any(${others}))`,
    )
  }
  if (roleId !== 0) parts.push(sql`a.id = any(${[...(await holders(db, roleId))]})`)
  for (const word of searchWords(keyword)) {
    parts.push(matchesWord('a', word))
  }
  return sql.join(parts, sql` and `)
}

const rowColumns = sql`
  a.id as "userId", a.account, a.name as "accountName", a.group_id as "groupId", g.name as "groupName", a.title,
  a.secret_level as "secretLevel", a.state, a.is_admin as "isAdmin", a.password_hash = '' as waiting,
  array(
    select power from administrator p where p.account_id = a.id
    union all select 'department' where exists (select 1 from group_administrator d where d.account_id = a.id)
  ) as powers,
  coalesce(a.signed_in_at, 0) as "signedInTime", coalesce(a.expires_at, 0) as "expireTime"`

interface PersonColumns {
  readonly userId: number
  readonly account: string
  readonly accountName: string
  readonly groupId: number
  readonly groupName: string
  readonly title: string
  readonly secretLevel: number
  readonly state: AccountState
  readonly isAdmin: boolean
  readonly powers: Power[]
  readonly waiting: boolean
  readonly signedInTime: number
  readonly expireTime: number
}

/** Number of accounts that count against the limit. */
export async function countAccounts(tx: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from account where state <> 'disabled'`.execute(tx)
  return rows[0]?.n ?? 0
}

/** Takes a lock that serializes the creation of accounts, as their number is checked. */
export async function lockAccounts(tx: Tx): Promise<void> {
  await sql`select 1 from stamp where name = 'organisation' for update`.execute(tx)
}

/** Refuses with -91 if that many more accounts would exceed the limit. Concurrent callers are serialized. */
export async function assertAccountsLeft(tx: Tx, limit: number, more: number): Promise<void> {
  if (limit === 0 || more === 0) return
  await lockAccounts(tx)
  if ((await countAccounts(tx)) + more > limit) fail('accountCountExceeded')
}

interface Before {
  readonly id: number
  readonly account: string
  readonly account_key: string
  readonly name: string
  readonly state: AccountState
  readonly group_id: number
  readonly is_admin: boolean
}

/** Locks the accounts that change, in the order of their ids. */
async function lockPeople(tx: Tx, userIds: readonly number[]): Promise<Map<number, Before>> {
  const { rows } = await sql<Before>`
    select id, account, account_key, name, state, group_id, is_admin from account
    where id = any(${[...new Set(userIds)]}) order by id for no key update`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Announces a change of a person to others, and to the person that their visible items changed. */
function notifyChanged(context: WriteContext, { id, name }: Before, what: Exclude<PersonChange['what'], 'name'>): void {
  context.changed({ kind: 'person', change: { accountId: id, name, what } })
}

/** Sets the main department of people. */
async function putInto(tx: Tx, userIds: readonly number[], groupId: number): Promise<void> {
  await sql`update account set group_id = ${groupId} where id = any(${[...userIds]})`.execute(tx)
  await sql`
    delete from membership where group_id = ${groupId} and account_id = any(${[...userIds]})`.execute(tx)
}

async function assertRoles(tx: Tx, roleIds: readonly number[]): Promise<void> {
  const { rows } = await sql`select 1 from role where id = any(${[...roleIds]})`.execute(tx)
  if (rows.length !== new Set(roleIds).size) fail('notFound', 'roleId')
}

/** Refuses users who would lock themselves out (-57) or lock an administrator out (-58). */
function shutOut(person: Before, ownId: number, administers: boolean): CodeName | undefined {
  if (person.id === ownId) return 'ownAccount'
  return administers ? 'adminAccount' : undefined
}

type Names =
  | 'getPeople'
  | 'countPeople'
  | 'getPerson'
  | 'modifyAccount'
  | 'changePeople'
  | 'endPersonSession'
  | 'endVisitorPassword'
  | 'confirmWipe'
  | 'setAccountLimit'

export const personHandlers: Pick<Handlers<Calls>, Names> = {
  async getPeople(context, { from, rows: most, ...wanted }) {
    const { db } = context
    // The page is found by the index only. Display data is read only for the people on it, whatever row count the
    // planner estimates.
    const condition = await conditionOf(context, wanted)
    const { rows: list } = await sql<PersonColumns & { roles: string[] }>`
      select ${rowColumns}, array(
        select r.name from role_account m join role r on r.id = m.role_id where m.account_id = a.id order by r.name
      ) as roles
      from (select a.id from account a where ${condition} order by a.name_sort, a.id limit ${most} offset ${from}) page
      cross join lateral (select * from account where id = page.id offset 0) a
      cross join lateral (select * from org_group where id = a.group_id offset 0) g
      order by a.name_sort, a.id`.execute(db)
    return { list }
  },

  async countPeople(context, wanted) {
    const { rows } = await sql<{ total: number }>`
      select count(*)::int as total from account a where ${await conditionOf(context, wanted)}`.execute(context.db)
    return { total: rows[0]?.total ?? 0 }
  },

  async getPerson(context, { userId }) {
    const { db, now } = context
    const { rows } = await sql<
      PersonColumns & {
        account_key: string
        email: string
        phone: string
        quota: number | null
        createTime: number
        secondFactor: boolean
        visitorUntil: number
        used: number
      }
    >`
      select ${rowColumns}, a.account_key, a.email, a.phone, a.quota, a.created_at as "createTime",
        (a.second_factor or exists (select from passkey where account_id = a.id)) as "secondFactor",
        case when a.visitor_hash <> '' and a.visitor_until > ${now} then a.visitor_until else 0 end as "visitorUntil",
        (coalesce((select sum(bytes) from usage_total where account_id = a.id), 0)
          + coalesce((select sum(bytes) from tally where account_id = a.id), 0))::bigint as used
      from account a join org_group g on g.id = a.group_id where a.id = ${userId}`.execute(db)
    const [row] = rows
    if (row === undefined || !isIn(partOf(actorOf(context)), row.groupId)) return fail('notFound')
    const { account_key, ...person } = row
    const [roles, otherGroups, sessions, failures, paths] = await Promise.all([
      db
        .selectFrom('role_account as m')
        .innerJoin('role as r', 'r.id', 'm.role_id')
        .select(['r.id as roleId', 'r.name as roleName'])
        .where('m.account_id', '=', userId)
        .orderBy('r.name')
        .execute(),
      db
        .selectFrom('membership as m')
        .innerJoin('org_group as g', 'g.id', 'm.group_id')
        .select(['g.id as groupId', 'g.name as groupName'])
        .where('m.account_id', '=', userId)
        .orderBy('g.name_sort')
        .execute(),
      db
        .selectFrom('session')
        .select([
          'id as sessionId',
          'client_type as clientType',
          'address',
          'created_at as createTime',
          'used_at as usedTime',
          'wiped',
        ])
        .where('account_id', '=', userId)
        .where('expires_at', '>', now)
        .where('program_id', 'is', null)
        .orderBy('used_at', 'desc')
        .execute(),
      failuresOf(db, account_key, now, patienceOf(actorOf(context).settings)),
      pathsOf(db, [person.groupId]),
    ])
    return {
      ...person,
      groupPath: paths.get(person.groupId)?.path ?? person.groupName,
      roles,
      otherGroups,
      sessions,
      failures:
        failures === undefined ? null : { count: failures.failures, since: failures.since, until: failures.until },
    }
  },

  async modifyAccount(context, input) {
    const { tx } = context
    const { userId, otherGroupIds, roleIds } = input
    const actor = actorOf(context)
    const person = (await lockPeople(tx, [userId])).get(userId) ?? fail('notFound')
    const administers = (await administratorsAmong(tx, [userId])).has(userId)
    const { userId: _id, ...asked } = input
    const shutsOut = input.expireTime !== undefined && input.expireTime !== null
    // The account name, mail or phone gives access to a password reset.
    const takesOver = [input.account, input.email, input.phone].some((given) => given !== undefined)
    const refusal =
      refusalIn(actor, person, administers, asked) ??
      (shutsOut ? shutOut(person, actor.accountId, administers) : undefined) ??
      (takesOver && administers && userId !== actor.accountId ? 'adminAccount' : undefined)
    if (refusal !== undefined) return fail(refusal)
    const columns =
      input.account === undefined && input.accountName === undefined
        ? undefined
        : personColumns({ account: input.account ?? person.account, accountName: input.accountName ?? person.name })
    if (columns !== undefined && columns.account_key !== person.account_key) {
      const taken = await tx
        .selectFrom('account')
        .select('id')
        .where('account_key', '=', columns.account_key)
        .executeTakeFirst()
      if (taken !== undefined) return fail('alreadyExists')
    }
    const given = {
      ...columns,
      ...(input.title === undefined ? {} : { title: input.title.trim() }),
      ...(input.email === undefined ? {} : { email: input.email.trim() }),
      ...(input.phone === undefined ? {} : { phone: input.phone.trim() }),
      ...(input.secretLevel === undefined ? {} : { secret_level: input.secretLevel }),
      ...(input.quota === undefined ? {} : { quota: input.quota }),
      ...(input.expireTime === undefined ? {} : { expires_at: input.expireTime }),
    }
    if (Object.keys(given).length > 0) await tx.updateTable('account').set(given).where('id', '=', userId).execute()
    const groupId = input.groupId === undefined ? undefined : await groupFor(tx, actor, input.groupId, 'people')
    if (groupId !== undefined && groupId !== person.group_id) await putInto(tx, [userId], groupId)
    if (otherGroupIds !== undefined) {
      const own = groupId ?? person.group_id
      for (const id of otherGroupIds) await groupFor(tx, actor, id)
      const others = [...new Set(otherGroupIds)].filter((id) => id !== own)
      await sql`delete from membership where account_id = ${userId} and group_id <> all(${others})`.execute(tx)
      await sql`
        insert into membership (account_id, group_id) select ${userId}::bigint, unnest(${others}::bigint[])
        on conflict do nothing`.execute(tx)
    }
    if (roleIds !== undefined) {
      await assertRoles(tx, roleIds)
      await sql`delete from role_account where account_id = ${userId} and role_id <> all(${roleIds})`.execute(tx)
      await sql`
        insert into role_account (role_id, account_id) select unnest(${[...new Set(roleIds)]}::bigint[]), ${userId}::bigint
        on conflict do nothing`.execute(tx)
    }
    if (columns !== undefined && columns.name !== person.name)
      context.changed({
        kind: 'person',
        change: { accountId: userId, name: columns.name, what: 'name', before: person.name },
      })
    else notifyChanged(context, person, 'profile')
    if (groupId !== undefined || otherGroupIds !== undefined) notifyChanged(context, person, 'groups')
    if (roleIds !== undefined) notifyChanged(context, person, 'roles')
    if (input.quota !== undefined) notifyChanged(context, person, 'quota')
    // A position may bring a role, and a level decides who reads secret documents, also those that are open.
    const mayDiffer = groupId ?? otherGroupIds ?? roleIds ?? input.title ?? input.secretLevel
    // Live channels keep actors, with their level and quota, by this version.
    if ((mayDiffer ?? input.quota) !== undefined) await bump(tx, 'organisation')
    if (mayDiffer !== undefined) context.event({ kind: 'refetch', accountIds: [userId] })
    const { userId: _, ...changes } = input
    context.audit({ userId, account: person.account, changes: JSON.stringify(changes) })
    return {}
  },

  async changePeople(context, input) {
    const { tx, now } = context
    const actor = actorOf(context)
    const { userIds, state, addRoleId, removeRoleId } = input
    const groupId = input.groupId === undefined ? undefined : await groupFor(tx, actor, input.groupId, 'people')
    if (addRoleId !== undefined) await assertRoles(tx, [addRoleId])
    const people = await lockPeople(tx, userIds)
    const administrators = await administratorsAmong(tx, [...people.keys()])
    const { userIds: _ids, ...asked } = input
    const ends = input.expireTime !== undefined && input.expireTime !== null
    const shutsOut = state !== undefined || ends || input.endSessions === true
    const answers = [...new Set(userIds)].map((userId) => {
      const person = people.get(userId)
      const administers = administrators.has(userId)
      const refusal: CodeName | undefined =
        person === undefined
          ? 'notFound'
          : (refusalIn(actor, person, administers, asked) ??
            (shutsOut ? shutOut(person, actor.accountId, administers) : undefined))
      return {
        userId,
        name: refusal === 'notFound' ? '' : (person?.name ?? ''),
        result: codes[refusal ?? 'success'].code,
        person,
        refusal,
      }
    })
    const changed = answers.flatMap(({ person, refusal }) => (refusal === undefined && person ? [person] : []))
    const ids = changed.map(({ id }) => id)
    if (ids.length > 0) {
      if (state !== undefined && state !== 'disabled') {
        const back = changed.filter((person) => person.state === 'disabled').length
        await assertAccountsLeft(tx, accountLimitOf(actor.settings), back)
      }
      const given = {
        ...(state === undefined ? {} : { state }),
        ...(input.secretLevel === undefined ? {} : { secret_level: input.secretLevel }),
        ...(input.quota === undefined ? {} : { quota: input.quota }),
        ...(input.expireTime === undefined ? {} : { expires_at: input.expireTime }),
      }
      if (Object.keys(given).length > 0) await tx.updateTable('account').set(given).where('id', 'in', ids).execute()
      if (input.unlock === true) {
        await forgetFailures(
          tx,
          changed.map(({ account_key }) => account_key),
        )
        await sql`update account set state = 'normal' where id = any(${ids}) and state = 'locked'`.execute(tx)
      }
      if ((state !== undefined && state !== 'normal') || input.endSessions === true) {
        for (const id of ids) {
          const ended = await endSessions(tx, id, { programs: state !== undefined && state !== 'normal' })
          if (ended !== undefined) context.event(input.endSessions === true ? { ...ended, elsewhere: true } : ended)
        }
      }
      if (groupId !== undefined) await putInto(tx, ids, groupId)
      if (addRoleId !== undefined)
        await sql`
          insert into role_account (role_id, account_id) select ${addRoleId}::bigint, unnest(${ids}::bigint[])
          on conflict do nothing`.execute(tx)
      if (removeRoleId !== undefined)
        await sql`delete from role_account where role_id = ${removeRoleId} and account_id = any(${ids})`.execute(tx)
      const mayDiffer = groupId ?? addRoleId ?? removeRoleId ?? input.secretLevel
      if ((mayDiffer ?? input.quota) !== undefined) await bump(tx, 'organisation')
      if (mayDiffer !== undefined) context.event({ kind: 'refetch', accountIds: ids })
      for (const person of changed) {
        if (state !== undefined) notifyChanged(context, person, 'state')
        else if (groupId !== undefined) notifyChanged(context, person, 'groups')
        else if (addRoleId !== undefined || removeRoleId !== undefined) notifyChanged(context, person, 'roles')
        if (input.quota !== undefined) notifyChanged(context, person, 'quota')
      }
    }
    const { userIds: _, ...change } = input
    context.audit({
      people: JSON.stringify(ids),
      change: JSON.stringify(change),
      notDone: answers.length - ids.length,
      at: now,
    })
    return { list: answers.map(({ userId, name, result }) => ({ userId, name, result })) }
  },

  async endPersonSession(context, { userId, sessionId, wipe }) {
    const { tx } = context
    const person = (await lockPeople(tx, [userId])).get(userId) ?? fail('notFound')
    const administers = (await administratorsAmong(tx, [userId])).has(userId)
    const refusal = refusalIn(actorOf(context), person, administers, { sessionId })
    if (refusal !== undefined) return fail(refusal)
    const found = await tx
      .selectFrom('session')
      .select('id')
      .where('id', '=', sessionId)
      .where('account_id', '=', userId)
      .forUpdate()
      .executeTakeFirst()
    if (found === undefined) return fail('notFound')
    if (wipe) {
      await tx.updateTable('session').set({ wiped: true }).where('id', '=', sessionId).execute()
      // The browser's device keys end as well: it is not known which of them belongs to the device.
      await sql`
        delete from once where kind = 'deviceKey' and value::jsonb ->> 'accountId' = ${String(userId)}`.execute(tx)
    } else await tx.deleteFrom('session').where('id', '=', sessionId).execute()
    context.event({ kind: 'session', sessionIds: [sessionId], elsewhere: !wipe })
    context.audit({ userId, wiped: wipe })
    return {}
  },

  async endVisitorPassword(context, { userId }) {
    const { tx } = context
    const person = (await lockPeople(tx, [userId])).get(userId) ?? fail('notFound')
    const administers = (await administratorsAmong(tx, [userId])).has(userId)
    const refusal = refusalIn(actorOf(context), person, administers, {})
    if (refusal !== undefined) return fail(refusal)
    await tx.updateTable('account').set({ visitor_hash: '', visitor_until: 0 }).where('id', '=', userId).execute()
    const ended = await endSessions(tx, userId, { visitors: true })
    if (ended !== undefined) context.event(ended)
    context.audit({ userId })
    return {}
  },

  async confirmWipe(context) {
    const mark = deviceMark(context.request)
    if (mark !== undefined)
      await context.db
        .updateTable('device')
        .set({ cleared_at: context.now })
        .where('mark', '=', mark)
        .where('state', '=', 'wiped')
        .execute()
    const token = tokenOf(context.request)
    if (token !== undefined) {
      await context.db
        .deleteFrom('session')
        .where('token_hash', '=', hashToken(token))
        .where('wiped', '=', true)
        .execute()
    }
    clearSessionCookie(context.request, context.reply)
    return {}
  },

  async setAccountLimit(context, { accountLimit }) {
    await changeSettings({ ...context, actor: actorOf(context) }, { account_limit: accountLimit })
    context.audit({ accountLimit })
    return {}
  },
}
