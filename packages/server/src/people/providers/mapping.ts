/*
 * Rules of OpenID and SAML providers: at each sign-in they set attributes, roles and the department of a person. What the
 * provider said last is kept, so that a page can tell what changed rules would do. When a provider suddenly says something
 * else of many people, their changes wait for an administrator (ADR 0333).
 */
import type { MappingRule } from '@cloudoc/contract'
import { mainServerId, ResultError } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { WriteContext } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import { personal } from '../../core/events.ts'
import { bump } from '../../core/settings.ts'
import { securityAdministrators } from '../auth/index.ts'
import { personColumns } from '../organisation/index.ts'
import { departmentFor, giveRoles, usableAttributes } from './accounts.ts'
import {
  attributesOf,
  departmentKey,
  hashOf,
  isSamePlan,
  type MappedSettings,
  planOf,
  storableValues,
  type Values,
} from './mapping-plan.ts'

const dayMs = 24 * 60 * 60_000
/** Changes beyond this, and this share of all people, wait for an administrator. */
export const brake = { count: 5, share: 0.02 }

/** A person of a provider, and their account as it is. */
export interface MappedPerson {
  readonly id: number
  readonly account_id: number
  readonly account: string
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly title: string
  readonly group_id: number
  /** The roles that the provider has given. */
  readonly role_ids: readonly number[]
  /** All roles of the account. */
  readonly held: readonly number[]
  readonly claims: Values
  readonly claims_at: number
  readonly mapping_waits: number
  readonly mapping_kept: string
}

interface Field {
  readonly field: 'name' | 'email' | 'phone' | 'title'
  readonly from: string
  readonly to: string
}

/** What the rules change for one person. */
export interface MappedChange {
  readonly person: MappedPerson
  readonly fields: Field[]
  /** The roles by the provider, afterwards. */
  readonly roleIds: readonly number[]
  readonly gains: readonly number[]
  readonly loses: readonly number[]
  /** The department to move to, by its id or its names. */
  readonly moves: { readonly groupId: number } | { readonly path: readonly string[] } | undefined
  readonly isOpen: boolean
}

/** Roles and departments by their ids. */
export interface RuleTargets {
  readonly roles: ReadonlyMap<number, string>
  /** The names from the company down; those of the company itself are empty. */
  readonly groups: ReadonlyMap<number, readonly string[]>
}

/** People of a provider, in the order of their identities. */
async function peopleOf(
  db: Db,
  providerId: number,
  asked: { readonly after: number; readonly limit: number; readonly id?: number; readonly waiting?: boolean },
): Promise<MappedPerson[]> {
  const { after, limit, id, waiting } = asked
  const { rows } = await sql<MappedPerson>`
    select i.id, i.account_id, i.claims, i.claims_at, i.mapping_waits, i.mapping_kept, i.role_ids,
      a.account, a.name, a.email, a.phone, a.title, a.group_id,
      array(select r.role_id from role_account r where r.account_id = a.id) as held
    from provider_identity i join account a on a.id = i.account_id
    where i.provider_id = ${providerId} and i.id > ${after} and a.state <> 'disabled'
      ${id === undefined ? sql`` : sql`and i.id = ${id}`} ${waiting === true ? sql`and i.mapping_waits > 0` : sql``}
    order by i.id limit ${limit}`.execute(db)
  const numbers = (list: readonly unknown[]): number[] => list.map(Number)
  return rows.map((row) => ({ ...row, role_ids: numbers(row.role_ids), held: numbers(row.held) }))
}

/** The roles and departments that rules name, and these. */
export async function targetsOf(
  db: Db,
  rules: readonly MappingRule[],
  more: { readonly roleIds: readonly number[]; readonly groupIds: readonly number[] },
): Promise<RuleTargets> {
  const idsOf = (gives: string): number[] => rules.flatMap((rule) => (rule.gives === gives ? [rule.id] : []))
  const roleIds = [...new Set([...idsOf('role'), ...more.roleIds])]
  const groupIds = [...new Set([...idsOf('department'), ...more.groupIds])]
  const { rows: roles } = await sql<{ id: number; name: string }>`
    select id, name from role where id = any(${roleIds})`.execute(db)
  const { rows: groups } = await sql<{ of: number; names: string[] }>`
    with recursive up as (
      select id as of, parent_id, name, 0 as depth from org_group where id = any(${groupIds})
      union all
      select u.of, g.parent_id, g.name, u.depth + 1 from up u join org_group g on g.id = u.parent_id
    )
    select of, coalesce(array_agg(name order by depth desc) filter (where parent_id is not null), '{}') as names
    from up group by of`.execute(db)
  return {
    roles: new Map(roles.map(({ id, name }) => [id, name])),
    groups: new Map(groups.map(({ of, names }) => [of, names])),
  }
}

const targetsFor = (db: Db, { rules }: MappedSettings, people: readonly MappedPerson[]): Promise<RuleTargets> =>
  targetsOf(db, rules, {
    roleIds: people.flatMap(({ role_ids }) => role_ids),
    groupIds: people.map(({ group_id }) => group_id),
  })

/** What the rules change for a person of whom the provider says this. */
function changeOf(settings: MappedSettings, values: Values, person: MappedPerson, targets: RuleTargets): MappedChange {
  const told = attributesOf(settings, values)
  const wanted = { ...(told.name !== '' && { name: told.name }), ...usableAttributes(told) }
  const fields = Object.entries(wanted).flatMap(([field, to]) => {
    const name = field as Field['field']
    const from = person[name]
    return from === to || !isPossible(person, name, to) ? [] : [{ field: name, from, to }]
  })
  const plan = planOf(settings, values, person.role_ids)
  const roleIds = plan.roleIds.filter((id) => targets.roles.has(id))
  const gains = roleIds.filter((id) => !person.held.includes(id))
  const loses = person.role_ids.filter((id) => !roleIds.includes(id) && person.held.includes(id))
  const here = targets.groups.get(person.group_id) ?? []
  const { groupId, path } = plan
  const isRuled = typeof groupId === 'number' && groupId !== person.group_id && targets.groups.has(groupId)
  const isNamed = path !== undefined && departmentKey(path) !== departmentKey(here)
  const moves = isRuled ? { groupId } : isNamed ? { path } : undefined
  return { person, fields, roleIds, gains, loses, moves, isOpen: plan.isOpen }
}

/** Whether an account can have this value. A name that it cannot have is left out, rather than failing the sign-in. */
function isPossible({ account }: MappedPerson, field: Field['field'], to: string): boolean {
  if (field !== 'name') return true
  try {
    return personColumns({ account, accountName: to }).name === to.normalize()
  } catch (error) {
    if (error instanceof ResultError) return false
    throw error
  }
}

const isSomething = ({ fields, gains, loses, moves }: MappedChange): boolean =>
  fields.length > 0 || gains.length > 0 || loses.length > 0 || moves !== undefined

/** A change as the page shows it. */
function shownChange({ person, fields, gains, loses, moves }: MappedChange, { roles, groups }: RuleTargets) {
  const text = (names: readonly string[] = []): string => names.join(' / ')
  const from = text(groups.get(person.group_id))
  const names = (ids: readonly number[]): string[] => ids.map((id) => roles.get(id) ?? String(id))
  const to = moves === undefined ? from : text('path' in moves ? moves.path : groups.get(moves.groupId))
  return {
    ...{ userId: person.account_id, account: person.account, accountName: person.name, fields: [...fields] },
    ...{ gains: names(gains), loses: names(loses), department: { from, to } },
  }
}

const pageSize = 500
const mostShown = 300

/** What settings would change for all people of a provider, from what it said of them last. */
export async function previewOf(db: Db, providerId: number, settings: MappedSettings) {
  const counts = { people: 0, known: 0, changed: 0, gain: 0, lose: 0, move: 0, unknown: 0 }
  const changes: ReturnType<typeof shownChange>[] = []
  for (let after = 0; ; ) {
    const people = await peopleOf(db, providerId, { after, limit: pageSize })
    const targets = await targetsFor(db, settings, people)
    for (const person of people) {
      counts.people += 1
      if (person.claims_at === 0) continue
      counts.known += 1
      const change = changeOf(settings, person.claims, person, targets)
      if (change.isOpen) counts.unknown += 1
      if (!isSomething(change)) continue
      counts.changed += 1
      if (change.gains.length > 0) counts.gain += 1
      if (change.loses.length > 0) counts.lose += 1
      if (change.moves !== undefined) counts.move += 1
      if (changes.length < mostShown) changes.push(shownChange(change, targets))
    }
    const last = people.at(-1)
    if (last === undefined || people.length < pageSize) break
    after = last.id
  }
  return { ...counts, many: counts.changed > Math.max(brake.count, counts.people * brake.share), changes }
}

const claimPeople = 500
const mostValues = 20

/** The claims that the provider sends, from the people who have signed in last. */
export async function claimsOf(db: Db, providerId: number) {
  const { rows } = await sql<{ claims: Values }>`
    select claims from provider_identity where provider_id = ${providerId} and claims_at > 0
    order by claims_at desc limit ${claimPeople}`.execute(db)
  const found = new Map<string, { people: number; values: Map<string, number> }>()
  for (const { claims } of rows) {
    for (const [name, list] of Object.entries(claims)) {
      const one = found.get(name) ?? { people: 0, values: new Map<string, number>() }
      found.set(name, one)
      one.people += 1
      for (const value of list ?? []) one.values.set(value, (one.values.get(value) ?? 0) + 1)
    }
  }
  return [...found]
    .map(([name, { people, values }]) => {
      const most = [...values].sort(([, a], [, b]) => b - a).slice(0, mostValues)
      return { name, people, values: most.map(([value]) => value) }
    })
    .sort((a, b) => b.people - a.people || a.name.localeCompare(b.name))
}

/** People whose changes wait. */
export async function waitingOf(db: Db, providerId: number, settings: MappedSettings) {
  const people = await peopleOf(db, providerId, { after: 0, limit: mostShown, waiting: true })
  const targets = await targetsFor(db, settings, people)
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from provider_identity i join account a on a.id = i.account_id
    where i.provider_id = ${providerId} and i.mapping_waits > 0 and a.state <> 'disabled'`.execute(db)
  return {
    waiting: people.map((person) => shownChange(changeOf(settings, person.claims, person, targets), targets)),
    waitingTotal: rows[0]?.n ?? 0,
  }
}

type Write = Pick<WriteContext, 'tx' | 'now' | 'changed' | 'event'>

/** Sets the attributes. */
async function setFields({ tx, changed, event }: Write, { person, fields }: MappedChange): Promise<void> {
  if (fields.length === 0) return
  const value = (field: Field['field']): string | undefined => fields.find((one) => one.field === field)?.to
  const [fullName, email, phone, title] = [value('name'), value('email'), value('phone'), value('title')]
  await tx
    .updateTable('account')
    .set({
      ...(fullName !== undefined && personColumns({ account: person.account, accountName: fullName })),
      ...(email !== undefined && { email }),
      ...(phone !== undefined && { phone }),
      ...(title !== undefined && { title }),
    })
    .where('id', '=', person.account_id)
    .execute()
  const name = fields.find(({ field }) => field === 'name')
  if (name !== undefined)
    changed({
      kind: 'person',
      change: { accountId: person.account_id, name: name.to, what: 'name', before: name.from },
    })
  // A position may give roles.
  if (fields.some(({ field }) => field === 'title')) await bump(tx, 'organisation')
  event({ kind: 'refetch', accountIds: [person.account_id] })
}

/** Sets roles and department. */
async function setRolesAndDepartment(write: Write, providerId: number, change: MappedChange): Promise<void> {
  const { tx, changed, event } = write
  const { person, roleIds, moves } = change
  const accountId = person.account_id
  const given = await giveRoles(tx, { providerId, accountId }, roleIds)
  if (moves !== undefined) {
    const groupId = 'path' in moves ? await departmentFor(write, moves.path) : moves.groupId
    await tx.updateTable('account').set({ group_id: groupId }).where('id', '=', accountId).execute()
    await bump(tx, 'organisation')
    changed({ kind: 'person', change: { accountId, name: person.name, what: 'groups' } })
  }
  if (given) changed({ kind: 'person', change: { accountId, name: person.name, what: 'roles' } })
  if (given || moves !== undefined) event({ kind: 'refetch', accountIds: [accountId] })
}

/** What a change is recognized by when it comes again. */
const markOf = ({ roleIds, moves }: MappedChange): string => hashOf([roleIds, moves ?? null])

/**
 * Applies the rules to a person who has just signed in, and keeps what the provider said. Returns a short text of what
 * has changed, for the audit.
 */
export async function applyMapping(
  write: Write,
  provider: { readonly id: number; readonly settings: MappedSettings },
  accountId: number,
  { values, isNew }: { readonly values: Values; readonly isNew: boolean },
): Promise<string> {
  const { tx, now } = write
  const { id: providerId, settings } = provider
  const locked = await tx
    .selectFrom('provider_identity')
    .select('id')
    .where('provider_id', '=', providerId)
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
  const [person] = locked === undefined ? [] : await peopleOf(tx, providerId, { after: 0, limit: 1, id: locked.id })
  if (person === undefined) return ''
  const kept = storableValues(values)
  if (person.claims_at === 0 || orderedText(person.claims) !== orderedText(kept))
    await sql`
      update provider_identity set claims = ${JSON.stringify(kept)}::jsonb, claims_at = ${now}
      where id = ${person.id}`.execute(tx)
  if (!settings.applies) return ''
  const targets = await targetsFor(tx, settings, [person])
  const change = changeOf(settings, values, person, targets)
  await setFields(write, change)
  const isTaken = change.loses.length > 0 || change.moves !== undefined
  if (isTaken && markOf(change) === person.mapping_kept) return ''
  const wasKnown = person.claims_at > 0
  const bySource = wasKnown
    ? !isSamePlan(settings, person.claims, values, person.role_ids)
    : !isNew && change.loses.length > 0
  const counts = isTaken && (bySource || person.mapping_waits > 0)
  if (counts && (person.mapping_waits > 0 || (await isTooMany(write, providerId)))) {
    if (person.mapping_waits === 0) await wait(write, providerId, person)
    return ''
  }
  await setRolesAndDepartment(write, providerId, change)
  await tx
    .updateTable('provider_identity')
    .set({ mapping_waits: 0, mapping_kept: '', ...(counts && { mapped_at: now }) })
    .where('id', '=', person.id)
    .execute()
  return isSomething(change) && !isNew ? textOf(change, targets) : ''
}

function textOf(change: MappedChange, targets: RuleTargets): string {
  const { fields, gains, loses, department } = shownChange(change, targets)
  return [
    ...fields.map(({ field, from, to }) => `${field}: ${from} → ${to}`),
    ...gains.map((name) => `+${name}`),
    ...loses.map((name) => `−${name}`),
    ...(change.moves === undefined ? [] : [`department: ${department.from} → ${department.to}`]),
  ].join('; ')
}

/** Values as a text that does not depend on their order: the database has one of its own. */
const orderedText = (values: Values): string =>
  JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Whether so many people have lost something within a day that the next one waits. */
async function isTooMany({ tx, now }: Pick<Write, 'tx' | 'now'>, providerId: number): Promise<boolean> {
  const provider = await tx
    .selectFrom('provider')
    .select('brake_from')
    .where('id', '=', providerId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const { rows } = await sql<{ changed: number; people: number }>`
    select count(*) filter (where mapped_at > ${Math.max(now - dayMs, provider?.brake_from ?? 0)})::int as changed,
      count(*)::int as people
    from provider_identity where provider_id = ${providerId} and account_id is not null`.execute(tx)
  const { changed, people } = rows[0] ?? { changed: 0, people: 0 }
  return changed + 1 > Math.max(brake.count, people * brake.share)
}

async function wait({ tx, now, event }: Write, providerId: number, { id }: MappedPerson): Promise<void> {
  await tx.updateTable('provider_identity').set({ mapping_waits: now }).where('id', '=', id).execute()
  const { name } = await tx.selectFrom('provider').select('name').where('id', '=', providerId).executeTakeFirstOrThrow()
  event(
    personal('mappingWaiting', await securityAdministrators(tx), {
      ...{ serverId: mainServerId, providerId, providerName: name },
    }),
  )
}

/** Carries out the changes that wait, at most as many as an administrator has seen, or declines them. */
export async function decideWaiting(
  write: Write,
  provider: { readonly id: number; readonly settings: MappedSettings },
  { apply, total }: { readonly apply: boolean; readonly total: number },
): Promise<readonly number[]> {
  const { tx, now } = write
  const { id: providerId, settings } = provider
  await tx.selectFrom('provider').select('id').where('id', '=', providerId).forNoKeyUpdate().execute()
  const done: number[] = []
  const most = apply ? total : Number.MAX_SAFE_INTEGER
  for (let after = 0; done.length < most; ) {
    const limit = Math.min(pageSize, most - done.length)
    const people = await peopleOf(tx, providerId, { after, limit, waiting: true })
    const targets = await targetsFor(tx, settings, people)
    for (const person of people) {
      const change = changeOf(settings, person.claims, person, targets)
      if (apply) await setRolesAndDepartment(write, providerId, change)
      await tx
        .updateTable('provider_identity')
        .set({ mapping_waits: 0, mapping_kept: apply ? '' : markOf(change) })
        .where('id', '=', person.id)
        .execute()
      done.push(person.account_id)
    }
    const last = people.at(-1)
    if (last === undefined || people.length < limit) break
    after = last.id
  }
  // Those that an administrator has looked at are no reason to stop the next ones.
  await sql`update provider set brake_from = ${now} where id = ${providerId}`.execute(tx)
  return done
}

/** After rules were changed and confirmed, what was decided or waits by the former ones is over. */
export async function forgetDecisions(db: Db, providerId: number): Promise<void> {
  await sql`
    update provider_identity set mapping_waits = 0, mapping_kept = ''
    where provider_id = ${providerId} and (mapping_waits > 0 or mapping_kept <> '')`.execute(db)
}
