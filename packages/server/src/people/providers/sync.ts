/*
 * Synchronizes the accounts of this server with a directory. A list is complete or it changes nothing: who is missing in
 * half a list has not left. People who are gone are frozen, never deleted, and those who come back are thawed. Many
 * leavers at once wait for an administrator, as a wrong filter looks the same (ADR 0235).
 */
import { createHash } from 'node:crypto'
import type { LdapSettings } from '@cloudoc/contract'
import { ResultError } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../core/db/database.ts'
import type { Changed, NewEvent } from '../../core/events.ts'
import type { Services } from '../../core/services.ts'
import { bump } from '../../core/settings.ts'
import { accountKey, endSessions } from '../auth/index.ts'
import { personColumns } from '../organisation/index.ts'
import { createFor, departmentFor, giveRoles, notePending, usableAttributes } from './accounts.ts'
import { type DirectoryPerson, dnKey, withDirectory } from './directory.ts'

/** People written by one transaction. */
const batch = 100
/** Changes that a run stores, for the page. */
const maxShown = 300
/** Leavers beyond this, and this share of all people, wait for a confirmation. */
const brake = { count: 5, share: 0.02 }

export interface SyncCounts {
  read: number
  created: number
  updated: number
  frozen: number
  thawed: number
  unchanged: number
  pending: number
  refused: number
}

export interface SyncChange {
  readonly what: 'create' | 'update' | 'freeze' | 'thaw' | 'pending' | 'kept' | 'refused'
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
  readonly department: string[]
  readonly administers: boolean
}

/** One step of a plan. */
interface Step {
  readonly change: SyncChange
  readonly known?: Known
  readonly person?: DirectoryPerson
  readonly roleIds: readonly number[]
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
  /** The roles that groups of the directory give, by the name of an entry. */
  readonly rolesOf: (dn: string) => number[]
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
    const members: { readonly roleId: number; readonly names: ReadonlySet<string> }[] = []
    for (const { group, roleId } of settings.groupRoles) {
      signal.throwIfAborted()
      members.push({ roleId, names: await directory.membersOf(group) })
    }
    const rolesOf = (dn: string): number[] => {
      const key = dnKey(dn)
      return [...new Set(members.filter(({ names: has }) => has.has(key)).map(({ roleId }) => roleId))].sort(
        (a, b) => a - b,
      )
    }
    return { people, unusable, rolesOf }
  })
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
      a.state, coalesce(path.names, '{}') as department,
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

/** The values that differ between an account and its person in the directory. */
function differences(known: Known, person: DirectoryPerson, roleIds: readonly number[]): string[] {
  const given = { account: person.account, name: person.name, ...usableAttributes(person) }
  const found = Object.entries(given).flatMap(([field, value]) => {
    const own = known[field as 'account' | 'name' | 'email' | 'phone' | 'title']
    return own === value ? [] : [`${field}: ${own} → ${value}`]
  })
  const [from, to] = [known.department.join(' / '), person.department?.join(' / ')]
  if (to !== undefined && from !== to) found.push(`department: ${from} → ${to}`)
  if (known.role_ids.toSorted((a, b) => a - b).join() !== roleIds.join())
    found.push(`roles: ${known.role_ids.join()} → ${roleIds.join()}`)
  return found
}

/** What differs between the directory and this server. */
async function plan(
  db: Db,
  { id, creates }: { readonly id: number; readonly creates: boolean },
  listed: Listed,
  isSameSource: boolean,
): Promise<Plan> {
  const known = await knownPeople(db, id)
  const byId = new Map(known.map((one) => [one.external_id, one]))
  const counts: SyncCounts = {
    ...{ read: listed.people.size, created: 0, updated: 0, frozen: 0, thawed: 0, unchanged: 0, pending: 0 },
    refused: listed.unusable.length,
  }
  const steps: Step[] = []
  const changes: SyncChange[] = []
  const add = (step: Step): void => {
    steps.push(step)
    if (changes.length < maxShown) changes.push(step.change)
  }
  for (const dn of listed.unusable) add({ change: { what: 'refused', name: dn, account: '', detail: '' }, roleIds: [] })
  const news = [...listed.people.values()].filter(({ externalId }) => !byId.has(externalId))
  const taken = await takenNames(
    db,
    news.map(({ account }) => accountKey(account)),
  )
  for (const person of news) {
    const isTaken = taken.has(accountKey(person.account))
    if (!isTaken && (person.disabled || !creates)) continue
    counts[isTaken ? 'pending' : 'created'] += 1
    const what = isTaken ? 'pending' : 'create'
    const detail = person.department?.join(' / ') ?? ''
    add({
      change: { what, name: person.name, account: person.account, detail },
      person,
      roleIds: listed.rolesOf(person.dn),
    })
  }
  let leavers = 0
  for (const one of known) {
    const person = listed.people.get(one.external_id)
    const told = { name: one.name, account: one.account, detail: '' }
    const roleIds = person === undefined ? [] : listed.rolesOf(person.dn)
    if (person === undefined || person.disabled) {
      if (one.state !== 'normal') counts.unchanged += 1
      else if (one.administers) add({ change: { ...told, what: 'kept' }, known: one, roleIds })
      else {
        leavers += 1
        counts.frozen += 1
        add({ change: { ...told, what: 'freeze' }, known: one, roleIds })
      }
      continue
    }
    const differs = differences(one, person, roleIds)
    const thaws = one.frozen_here && one.state === 'frozen'
    if (thaws) counts.thawed += 1
    else if (differs.length > 0) counts.updated += 1
    else {
      counts.unchanged += 1
      continue
    }
    const what = thaws ? 'thaw' : 'update'
    add({ change: { ...told, what, detail: differs.join('; ') }, known: one, person, roleIds })
  }
  const active = known.filter(({ state }) => state === 'normal').length
  const isMass =
    leavers > 0 && (leavers > Math.max(brake.count, active * brake.share) || listed.people.size === 0 || !isSameSource)
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
async function carryOut(write: Written, providerId: number, { change, known, person, roleIds }: Step): Promise<void> {
  const { tx } = write
  if (change.what === 'pending' && person !== undefined) return notePending(tx, providerId, person)
  if (change.what === 'create' && person !== undefined) {
    const accountId = await createFor(write, providerId, person)
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
    if (now.state !== 'normal') return
    await sql`update account set state = 'frozen' where id = ${accountId}`.execute(tx)
    await sql`update provider_identity set frozen_here = true where id = ${known.id}`.execute(tx)
    const ended = await endSessions(tx, accountId, { programs: true })
    if (ended !== undefined) write.event(ended)
    write.changed({ kind: 'person', change: { accountId, name: now.name, what: 'state' } })
    return
  }
  if (person === undefined) return
  if (change.what === 'thaw' && now.state === 'frozen') {
    await sql`update account set state = 'normal' where id = ${accountId}`.execute(tx)
    await sql`update provider_identity set frozen_here = false where id = ${known.id}`.execute(tx)
    write.changed({ kind: 'person', change: { accountId, name: now.name, what: 'state' } })
  }
  const columns = personColumns({ account: person.account, accountName: person.name })
  const groupId = person.department === undefined ? now.group_id : await departmentFor(write, person.department)
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
  run: { readonly dry: boolean; readonly confirmedFrozen: number },
  signal: AbortSignal,
): Promise<RunOutcome> {
  const { db } = services
  const { id, settings, secret } = provider
  const listed = await readAll(settings, secret, signal)
  const before = await db.selectFrom('provider').select('read_with').where('id', '=', id).executeTakeFirstOrThrow()
  const source = readWith(settings)
  const isSameSource = before.read_with === '' || before.read_with === source
  const { steps, counts, changes, isMass } = await plan(db, { id, creates: settings.creates }, listed, isSameSource)
  const isConfirmed = counts.frozen <= run.confirmedFrozen
  if (run.dry) return { state: 'done', counts, changes }
  if (isMass && !isConfirmed) return { state: 'waiting', counts, changes }
  const refused: SyncChange[] = []
  const wanted = steps.filter(({ change }) => !['refused', 'kept'].includes(change.what))
  for (let at = 0; at < wanted.length; at += batch) {
    signal.throwIfAborted()
    refused.push(...(await carryOutAll(services, id, wanted.slice(at, at + batch))).refused)
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
