/*
 * Synchronizes the accounts of this server with a directory. A list is complete or it changes nothing: who is missing in
 * half a list has not left. People who are gone are frozen, never deleted, and those who come back are thawed. Many
 * leavers at once wait for an administrator, as a wrong filter looks the same (ADR 0235).
 */
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { LdapSettings } from '@cloudoc/contract'
import { ResultError } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../core/db/database.ts'
import type { Changed, NewEvent } from '../../core/events.ts'
import type { Services } from '../../core/services.ts'
import { bump } from '../../core/settings.ts'
import { accountKey } from '../auth/index.ts'
import { personColumns } from '../organisation/index.ts'
import {
  createFor,
  departmentFor,
  freezeByProvider,
  giveRoles,
  notePending,
  thawByProvider,
  usableAttributes,
} from './accounts.ts'
import { type DirectoryPerson, dnKey, type GroupMembers, withDirectory } from './directory.ts'
import { brake, type RuleTargets, targetsOf } from './mapping.ts'
import { applyRules, departmentKey, type RuleOutcome } from './mapping-plan.ts'

/** People written by one transaction. */
const batch = 100
/** A run rests this many times as long as it writes, so that others hardly notice it: sign-ins keep 0.8 of their rate. */
const restPerWork = 4
/** Changes that a run stores, for the page. */
const maxShown = 300

export interface SyncCounts {
  read: number
  created: number
  updated: number
  frozen: number
  moved: number
  thawed: number
  unchanged: number
  pending: number
  refused: number
}

export interface SyncChange {
  readonly what: 'create' | 'update' | 'freeze' | 'thaw' | 'pending' | 'kept' | 'refused' | 'elsewhere'
  readonly name: string
  readonly account: string
  readonly detail: string
}

interface Known {
  readonly id: number
  readonly external_id: string
  readonly account_id: number
  readonly frozen_here: boolean
  readonly role_ids: number[]
  readonly account: string
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly title: string
  readonly state: string
  readonly group_id: number
  readonly department: string[]
  readonly administers: boolean
}

/** One step of a plan. */
interface Step {
  readonly change: SyncChange
  readonly known?: Known
  readonly person?: DirectoryPerson
  readonly roleIds: readonly number[]
  /** The department that a rule gives. */
  readonly groupId?: number
}

interface Plan {
  readonly steps: readonly Step[]
  readonly counts: SyncCounts
  readonly isMass: boolean
  readonly changes: readonly SyncChange[]
}

/** What a list was read with. */
const readWith = ({ urls, base, filter, idAttribute }: LdapSettings): string =>
  createHash('sha256')
    .update(JSON.stringify([urls, base, filter, idAttribute]))
    .digest('base64url')

interface Listed {
  readonly people: ReadonlyMap<string, DirectoryPerson>
  /** Entries without an id or an account name, and second entries with the same. */
  readonly unusable: readonly string[]
  /** Members of groups that another directory has. */
  readonly elsewhere: readonly string[]
  /** What the rules give to a person who has these roles by them. */
  readonly givenTo: (person: DirectoryPerson, hadRoleIds: readonly number[]) => RuleOutcome
}

/** Reads everything that the directory has. Rejects if anything of it is missing. */
async function readAll(settings: LdapSettings, secret: string, signal: AbortSignal): Promise<Listed> {
  return withDirectory(settings, secret, async (directory) => {
    const people = new Map<string, DirectoryPerson>()
    const names = new Set<string>()
    const unusable: string[] = []
    for await (const person of directory.people()) {
      signal.throwIfAborted()
      if ('unusable' in person) unusable.push(person.unusable)
      else if (people.has(person.externalId) || names.has(accountKey(person.account))) unusable.push(person.dn)
      else {
        people.set(person.externalId, person)
        names.add(accountKey(person.account))
      }
    }
    const groups = new Map<string, GroupMembers>()
    const keys = new Set([...people.values()].map(({ dn }) => dnKey(dn)))
    for (const { claim, value } of settings.rules) {
      signal.throwIfAborted()
      if (claim === '' && !groups.has(value)) groups.set(value, await directory.membersOf(value, keys))
    }
    const givenTo = (person: DirectoryPerson, had: readonly number[]): RuleOutcome => {
      const key = dnKey(person.dn)
      return applyRules(settings.rules, had, ({ claim, value }) =>
        claim === ''
          ? isMember(groups.get(value), key)
          : // The entry was read completely: an attribute that it lacks has no value.
            (person.values[claim] ?? []).some((one) => departmentKey([one]) === departmentKey([value])),
      )
    }
    const elsewhere = [...new Set([...groups.values()].flatMap((group) => group.elsewhere))]
    return { people, unusable, elsewhere, givenTo }
  })
}

/** Whether a person is in a group. Undefined: unknown. */
function isMember(group: GroupMembers | undefined, key: string): boolean | undefined {
  if (group === undefined) return undefined
  return group.members.has(key) || (group.elsewhere.length === 0 ? false : undefined)
}

async function knownPeople(db: Db, providerId: number): Promise<Known[]> {
  const { rows } = await sql<Known>`
    with recursive up as (
      select id as of, id, parent_id, name, 0 as depth from org_group
      union all select u.of, g.id, g.parent_id, g.name, u.depth + 1 from up u join org_group g on g.id = u.parent_id
    ), path as (
      select of, array_agg(name order by depth desc) filter (where parent_id is not null) as names from up group by of
    )
    select i.id, i.external_id, i.account_id, i.frozen_here, i.role_ids, a.account, a.name, a.email, a.phone, a.title,
      a.state, a.group_id, coalesce(path.names, '{}') as department,
      a.is_admin or exists (select 1 from administrator p where p.account_id = a.id)
        or exists (select 1 from group_administrator d where d.account_id = a.id) as administers
    from provider_identity i join account a on a.id = i.account_id join path on path.of = a.group_id
    where i.provider_id = ${providerId}`.execute(db)
  return rows.map((row) => ({ ...row, role_ids: row.role_ids.map(Number) }))
}

/** Which of these account names an account has. */
async function takenNames(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select account_key as key from account where account_key = any(${[...keys]})`.execute(db)
  return new Set(rows.map(({ key }) => key))
}

/** What differs between an account and its person in the directory. */
interface Difference {
  readonly texts: readonly string[]
  /** The person loses a role or changes the department. */
  readonly isMoved: boolean
}

function differences(
  known: Known,
  person: DirectoryPerson,
  { roleIds, groupId }: Pick<Step, 'roleIds' | 'groupId'>,
  targets: RuleTargets,
): Difference {
  const given = { account: person.account, name: person.name, ...usableAttributes(person) }
  const texts = Object.entries(given).flatMap(([field, value]) => {
    const own = known[field as 'account' | 'name' | 'email' | 'phone' | 'title']
    return own === value ? [] : [`${field}: ${own} → ${value}`]
  })
  const to = groupId === undefined ? person.department : targets.groups.get(groupId)
  const isOther = to !== undefined && departmentKey(to) !== departmentKey(known.department)
  if (isOther) texts.push(`department: ${known.department.join(' / ')} → ${to.join(' / ')}`)
  const name = (id: number): string => targets.roles.get(id) ?? String(id)
  const lost = known.role_ids.filter((id) => !roleIds.includes(id))
  const gained = roleIds.filter((id) => !known.role_ids.includes(id))
  texts.push(...gained.map((id) => `+${name(id)}`), ...lost.map((id) => `−${name(id)}`))
  return { texts, isMoved: isOther || lost.length > 0 }
}

/** What differs between the directory and this server. */
async function plan(
  db: Db,
  { id, settings }: { readonly id: number; readonly settings: LdapSettings },
  listed: Listed,
  isSameSource: boolean,
): Promise<Plan> {
  const known = await knownPeople(db, id)
  const byId = new Map(known.map((one) => [one.external_id, one]))
  const counts: SyncCounts = {
    ...{ read: listed.people.size, created: 0, updated: 0, frozen: 0, moved: 0, thawed: 0, unchanged: 0, pending: 0 },
    refused: listed.unusable.length,
  }
  const targets = await targetsOf(db, settings.rules, {
    roleIds: known.flatMap(({ role_ids }) => role_ids),
    groupIds: [],
  })
  /** What rules give. A role or a department that was deleted is not given. */
  const given = (person: DirectoryPerson, had: readonly number[]): Pick<Step, 'roleIds' | 'groupId'> => {
    const { roleIds, groupId } = listed.givenTo(person, had)
    return {
      roleIds: roleIds.filter((one) => targets.roles.has(one)),
      ...(typeof groupId === 'number' && targets.groups.has(groupId) && { groupId }),
    }
  }
  const steps: Step[] = []
  const changes: SyncChange[] = []
  const add = (step: Step): void => {
    steps.push(step)
    if (changes.length < maxShown) changes.push(step.change)
  }
  for (const dn of listed.unusable) add({ change: { what: 'refused', name: dn, account: '', detail: '' }, roleIds: [] })
  for (const dn of listed.elsewhere)
    add({ change: { what: 'elsewhere', name: dn, account: '', detail: '' }, roleIds: [] })
  const news = [...listed.people.values()].filter(({ externalId }) => !byId.has(externalId))
  const taken = await takenNames(
    db,
    news.map(({ account }) => accountKey(account)),
  )
  for (const person of news) {
    const isTaken = taken.has(accountKey(person.account))
    if (!isTaken && (person.disabled || !settings.creates)) continue
    counts[isTaken ? 'pending' : 'created'] += 1
    const what = isTaken ? 'pending' : 'create'
    const own = given(person, [])
    const department = own.groupId === undefined ? person.department : targets.groups.get(own.groupId)
    const detail = department?.join(' / ') ?? ''
    add({ change: { what, name: person.name, account: person.account, detail }, person, ...own })
  }
  let leavers = 0
  for (const one of known) {
    const person = listed.people.get(one.external_id)
    const told = { name: one.name, account: one.account, detail: '' }
    if (person === undefined || person.disabled) {
      if (one.state !== 'normal') counts.unchanged += 1
      else if (one.administers) add({ change: { ...told, what: 'kept' }, known: one, roleIds: [] })
      else {
        leavers += 1
        counts.frozen += 1
        add({ change: { ...told, what: 'freeze' }, known: one, roleIds: [] })
      }
      continue
    }
    const own = given(person, one.role_ids)
    const differs = differences(one, person, own, targets)
    if (differs.isMoved) counts.moved += 1
    const thaws = one.frozen_here && one.state === 'frozen'
    if (thaws) counts.thawed += 1
    else if (differs.texts.length > 0) counts.updated += 1
    else {
      counts.unchanged += 1
      continue
    }
    const what = thaws ? 'thaw' : 'update'
    add({ change: { ...told, what, detail: differs.texts.join('; ') }, known: one, person, ...own })
  }
  const active = known.filter(({ state }) => state === 'normal').length
  const most = Math.max(brake.count, active * brake.share)
  const isMass = counts.moved > most || (leavers > 0 && (leavers > most || listed.people.size === 0 || !isSameSource))
  return { steps, counts, isMass, changes }
}

/** What a transaction of a run has changed. */
interface Written {
  readonly tx: Tx
  readonly now: number
  readonly changed: (changed: Changed) => void
  readonly event: (event: NewEvent) => void
}

/** Carries out one step, on the rows as they are now. */
async function carryOut(write: Written, providerId: number, step: Step): Promise<void> {
  const { change, known, person, roleIds, groupId: ruled } = step
  const { tx } = write
  if (change.what === 'pending' && person !== undefined) return notePending(tx, providerId, person)
  if (change.what === 'create' && person !== undefined) {
    // The department of a rule comes before the one that the directory names.
    const { department, ...rest } = person
    const accountId = await createFor(write, providerId, ruled === undefined ? { ...rest, department } : rest)
    if (ruled !== undefined)
      await tx.updateTable('account').set({ group_id: ruled }).where('id', '=', accountId).execute()
    await giveRoles(tx, { providerId, accountId }, roleIds)
    return
  }
  if (known === undefined) return
  const accountId = known.account_id
  const now = await tx
    .selectFrom('account')
    .select(['state', 'account', 'name', 'group_id', 'title'])
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (now === undefined) return
  if (change.what === 'freeze') {
    if (now.state === 'normal') await freezeByProvider(write, { identityId: known.id, accountId })
    return
  }
  if (person === undefined) return
  if (change.what === 'thaw') await thawByProvider(write, { identityId: known.id, accountId })
  const columns = personColumns({ account: person.account, accountName: person.name })
  const named = person.department === undefined ? now.group_id : undefined
  const groupId = ruled ?? named ?? (await departmentFor(write, person.department ?? []))
  await tx
    .updateTable('account')
    .set({ ...columns, ...usableAttributes(person), group_id: groupId })
    .where('id', '=', accountId)
    .execute()
  await tx
    .updateTable('provider_identity')
    .set({ label: columns.name, account_name: columns.account, account_key: columns.account_key })
    .where('id', '=', known.id)
    .execute()
  await giveRoles(tx, { providerId, accountId }, roleIds)
  if (columns.name !== now.name)
    write.changed({ kind: 'person', change: { accountId, name: columns.name, what: 'name', before: now.name } })
  write.changed({ kind: 'person', change: { accountId, name: columns.name, what: 'groups' } })
  write.event({ kind: 'refetch', accountIds: [accountId] })
}

/** Runs steps in one transaction. One that a rule refuses, such as an illegal name, is left out by a savepoint. */
async function carryOutAll(
  { db, commit, now }: Pick<Services, 'db' | 'commit' | 'now'>,
  providerId: number,
  steps: readonly Step[],
): Promise<{ readonly refused: SyncChange[] }> {
  const refused: SyncChange[] = []
  await db.transaction().execute(async (tx) => {
    const at = now()
    const changed: Changed[] = []
    const events: NewEvent[] = []
    for (const step of steps) {
      const own: { changed: Changed[]; events: NewEvent[] } = { changed: [], events: [] }
      await sql`savepoint person`.execute(tx)
      try {
        const write = {
          ...{ tx, now: at },
          changed: (one: Changed) => void own.changed.push(one),
          event: (one: NewEvent) => void own.events.push(one),
        }
        await carryOut(write, providerId, step)
        await sql`release savepoint person`.execute(tx)
        changed.push(...own.changed)
        events.push(...own.events)
      } catch (error) {
        const isRule = error instanceof ResultError || (error as { readonly code?: string }).code === '23505'
        if (!isRule) throw error
        await sql`rollback to savepoint person`.execute(tx)
        const detail = error instanceof ResultError ? error.code : 'alreadyExists'
        refused.push({ ...step.change, what: 'refused', detail })
      }
    }
    if (changed.length === 0) return
    await bump(tx, 'organisation')
    await commit(tx, [
      {
        ...{ changed, events, actor: undefined, now: at, call: 'syncProvider', address: '', items: [] },
        detail: { providerId, people: changed.length },
      },
    ])
  })
  return { refused }
}

export interface RunOutcome {
  readonly state: 'done' | 'waiting'
  readonly counts: SyncCounts
  readonly changes: readonly SyncChange[]
}

/** Reads the directory and carries out what differs, unless the run is dry or has to be confirmed. */
export async function synchronize(
  services: Pick<Services, 'db' | 'commit' | 'now'>,
  provider: { readonly id: number; readonly settings: LdapSettings; readonly secret: string },
  run: { readonly dry: boolean; readonly confirmed: { readonly frozen: number; readonly moved: number } | undefined },
  signal: AbortSignal,
): Promise<RunOutcome> {
  const { db } = services
  const { id, settings, secret } = provider
  const listed = await readAll(settings, secret, signal)
  const before = await db.selectFrom('provider').select('read_with').where('id', '=', id).executeTakeFirstOrThrow()
  const source = readWith(settings)
  const isSameSource = before.read_with === '' || before.read_with === source
  const { steps, counts, changes, isMass } = await plan(db, { id, settings }, listed, isSameSource)
  const { confirmed } = run
  const isConfirmed = confirmed !== undefined && counts.frozen <= confirmed.frozen && counts.moved <= confirmed.moved
  if (run.dry) return { state: 'done', counts, changes }
  if (isMass && !isConfirmed) return { state: 'waiting', counts, changes }
  const refused: SyncChange[] = []
  const wanted = steps.filter(({ change }) => !['refused', 'kept', 'elsewhere'].includes(change.what))
  for (let at = 0; at < wanted.length; at += batch) {
    signal.throwIfAborted()
    const began = performance.now()
    refused.push(...(await carryOutAll(services, id, wanted.slice(at, at + batch))).refused)
    const pauseMs = (performance.now() - began) * restPerWork
    if (at + batch < wanted.length) await delay(pauseMs, undefined, { signal })
  }
  await sql`
    update provider set read_with = ${source}, synced_at = ${services.now()} where id = ${id}`.execute(db)
  for (const { account } of refused) {
    const kind = changes.find((change) => change.account === account)?.what
    if (kind === 'create') counts.created -= 1
    if (kind === 'update') counts.updated -= 1
  }
  counts.refused += refused.length
  return { state: 'done', counts, changes: [...refused, ...changes].slice(0, maxShown) }
}

/** For conditions that a page shows: the people of a provider, and those who are not joined. */
export const peopleOfProvider = (pending: boolean): RawBuilder<number> => sql<number>`
  (select count(*)::int from provider_identity i
    where i.provider_id = provider.id and (i.account_id is null) = ${pending}::boolean)`
