/*
 * The people that a provisioning system keeps here. The id of a resource is that of the person's identity: user name, mail
 * and position are attributes. An account of the same name is not taken over (ADR 0234). Leavers are frozen, never
 * deleted; many of them at once wait for an administrator (ADR 0343).
 */
import type { ScimSettings } from '@cloudoc/contract'
import { mainServerId } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { WriteContext } from '../../core/call/context.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { personal } from '../../core/events.ts'
import { bump } from '../../core/settings.ts'
import { accountKey, securityAdministrators } from '../auth/index.ts'
import { administratorsAmong, lockAccounts, personColumns } from '../organisation/index.ts'
import {
  createFor,
  departmentFor,
  freezeByProvider,
  type ProviderPerson,
  thawByProvider,
  usableAttributes,
} from '../providers/index.ts'
import { type Columns, conditionOf, parseFilter } from './filter.ts'
import { operationsOf, patched } from './patch.ts'
import { refuse } from './refusal.ts'
import { refreshRoles } from './roles.ts'
import { isComplex, type Json, type Resource, readResource, schemaUrns, userKind } from './schema.ts'

export interface ScimProvider {
  readonly id: number
  readonly settings: ScimSettings
}

/** A request that changes something: its transaction, and whom it speaks for. */
export interface ScimWrite {
  readonly write: WriteContext
  readonly provider: ScimProvider
  /** The address of this server's SCIM, for links in answers. */
  readonly base: string
}

export interface ScimAnswer {
  readonly status: number
  readonly body?: Resource
  readonly headers?: Readonly<Record<string, string>>
  /** For the list of requests on the page; absent: nothing has changed. */
  readonly told?: { readonly what: string; readonly name: string; readonly detail: string }
}

export interface PersonRow {
  readonly id: number
  readonly account_id: number
  readonly external_id: string
  readonly resource: Resource
  readonly waits_since: number
  readonly created_at: number
  readonly changed_at: number
  readonly revision: number
  readonly state: string
  readonly account: string
  readonly name: string
  readonly group_id: number
  readonly frozen_here: boolean
}

const isActive = (state: string): boolean => state === 'normal' || state === 'locked'

const columns = sql`
  p.identity_id as id, i.account_id, i.external_id, i.frozen_here, p.resource, p.waits_since, p.created_at, p.changed_at,
  p.revision, a.state, a.account, a.name, a.group_id`
const tables = sql`
  scim_person p join provider_identity i on i.id = p.identity_id join account a on a.id = i.account_id`

const idOf = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0)

/** A person of the provider; 404 for anybody else. */
export async function findPerson(db: Db, providerId: number, id: string): Promise<PersonRow> {
  const { rows } = await sql<PersonRow>`
    select ${columns} from ${tables}
    where p.provider_id = ${providerId} and p.identity_id = ${idOf(id)} and not p.gone`.execute(db)
  return rows[0] ?? refuse(404, `no user ${id.slice(0, 50)}`)
}

const filterColumns: Columns = {
  document: sql`p.resource`,
  id: sql`p.identity_id`,
  active: sql<boolean>`(a.state in ('normal', 'locked'))`,
  created: sql`p.created_at`,
  lastModified: sql`p.changed_at`,
  equal: (name, value): RawBuilder<boolean> | undefined =>
    name === 'userName'
      ? sql`(i.account_key = ${accountKey(value)})`
      : name === 'externalId'
        ? sql`(i.external_id = ${value} and p.resource ->> 'externalId' = ${value})`
        : undefined,
  related: (name, value): RawBuilder<boolean> | undefined =>
    name === 'groups'
      ? sql`exists (select 1 from scim_member m where m.identity_id = p.identity_id and m.group_id = ${idOf(value)})`
      : undefined,
}

export interface Page {
  readonly filter: string | undefined
  readonly start: number
  readonly count: number
}

/** A page of people, and how many there are. */
export async function listPeople(
  db: Db,
  providerId: number,
  { filter, start, count }: Page,
): Promise<{ readonly total: number; readonly rows: PersonRow[] }> {
  const passes = filter === undefined ? sql`true` : conditionOf(parseFilter(filter), userKind, filterColumns)
  const condition = sql`p.provider_id = ${providerId} and not p.gone and ${passes}`
  const { rows: counted } = await sql<{ n: number }>`
    select count(*)::int as n from ${tables} where ${condition}`.execute(db)
  const { rows } = await sql<PersonRow>`
    select ${columns} from ${tables} where ${condition}
    order by p.identity_id limit ${count} offset ${start - 1}`.execute(db)
  return { total: counted[0]?.n ?? 0, rows }
}

/** The resources of people, with their groups. */
export async function resourcesOf(db: Db, rows: readonly PersonRow[], base: string): Promise<Resource[]> {
  const { rows: groups } = await sql<{ person: number; id: number; name: string }>`
    select m.identity_id as person, g.id, g.name from scim_member m join scim_group g on g.id = m.group_id
    where m.identity_id = any(${rows.map(({ id }) => id)}) order by g.id`.execute(db)
  return rows.map((row) => {
    const own = groups.filter(({ person }) => person === row.id)
    const { resource } = row
    return {
      schemas: [schemaUrns.user, ...(schemaUrns.enterprise in resource ? [schemaUrns.enterprise] : [])],
      id: String(row.id),
      ...resource,
      active: isActive(row.state),
      ...(own.length > 0 && {
        groups: own.map(({ id, name }) => ({
          ...{ value: String(id), $ref: `${base}/Groups/${id}`, display: name, type: 'direct' },
        })),
      }),
      meta: {
        ...{ resourceType: 'User', created: new Date(row.created_at).toISOString() },
        ...{ lastModified: new Date(row.changed_at).toISOString(), location: `${base}/Users/${row.id}` },
        version: versionOf(row.revision),
      },
    }
  })
}

/** The entity tag of a revision. */
export const versionOf = (revision: number): string => `W/"${revision}"`

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value.trim() : '')

/** The value of a list that counts: one of a type first if there is one, then the primary one, then the first. */
function chosenOf(value: Json | undefined, type?: string): string {
  const list = (Array.isArray(value) ? (value as readonly Json[]) : []).filter(isComplex)
  const one =
    list.find((each) => type !== undefined && textOf(each['type']).toLowerCase() === type) ??
    list.find((each) => each['primary'] === true) ??
    list[0]
  return textOf(one?.['value'])
}

/** Chinese names are written without a space, the family name first. */
const isHan = (text: string): boolean => /\p{Script=Han}/u.test(text)

/** What a resource says of a person. */
export function personOf(resource: Resource, { departments }: Pick<ScimSettings, 'departments'>): ProviderPerson {
  const name = isComplex(resource['name']) ? resource['name'] : {}
  const [family, given] = [textOf(name['familyName']), textOf(name['givenName'])]
  const joined = isHan(family + given) ? family + given : [given, family].filter((part) => part !== '').join(' ')
  const account = textOf(resource['userName'])
  const enterprise = resource[schemaUrns.enterprise]
  const department = isComplex(enterprise) ? textOf(enterprise['department']) : ''
  const path = department.split('/').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]))
  return {
    account,
    externalId: textOf(resource['externalId']) || `name:${accountKey(account)}`,
    name: textOf(resource['displayName']) || textOf(name['formatted']) || joined || account,
    email: chosenOf(resource['emails']),
    phone: chosenOf(resource['phoneNumbers'], 'mobile'),
    title: textOf(resource['title']),
    ...(departments && path.length > 0 && { department: path }),
  }
}

/** Takes the wanted state out of a resource: it is a column of the account. */
function splitActive(resource: Resource): { readonly stored: Resource; readonly active: boolean | undefined } {
  const { active, ...stored } = resource
  return { stored, active: typeof active === 'boolean' ? active : undefined }
}

const uniqueness = (detail: string): never => refuse(409, detail, 'uniqueness')

/** The person id at the sign-in provider; empty: it is not known. */
const signInId = (resource: Resource, { signInBy }: ScimSettings): string => textOf(resource[signInBy])

/** Binds the identity of the sign-in provider to an account that was created here: the administrator has said how. */
async function bindSignIn(
  tx: Tx,
  { settings }: ScimProvider,
  accountId: number,
  person: ProviderPerson,
  resource: Resource,
): Promise<void> {
  const externalId = signInId(resource, settings)
  if (settings.signInProviderId === 0 || externalId === '') return
  await sql`
    insert into provider_identity (provider_id, external_id, account_id, label, account_name, account_key)
    select id, ${externalId}, ${accountId}::bigint, ${person.name}, ${person.account}, ${accountKey(person.account)}
    from provider where id = ${settings.signInProviderId}
    on conflict (provider_id, external_id) do update set account_id = excluded.account_id
      where provider_identity.account_id is null`.execute(tx)
}

interface Known {
  readonly id: number
  readonly account_id: number | null
  readonly external_id: string
  readonly state: string | null
  readonly frozen_here: boolean
  readonly provisioned: boolean
  readonly gone: boolean
}

/** Creates a person; brings one back who had left. */
export async function createPerson(request: ScimWrite, body: Json): Promise<ScimAnswer> {
  const { write, provider } = request
  const { tx, now } = write
  const { stored, active } = splitActive(readResource(userKind, body))
  const person = personOf(stored, provider.settings)
  // The same lock serializes all that create accounts: of two equal requests one finds what the other has made.
  await lockAccounts(tx)
  const { rows: known } = await sql<Known>`
    select i.id, i.account_id, i.external_id, i.frozen_here, a.state, p.identity_id is not null as provisioned,
      coalesce(p.gone, false) as gone
    from provider_identity i left join account a on a.id = i.account_id left join scim_person p on p.identity_id = i.id
    where i.provider_id = ${provider.id} and (i.external_id = ${person.externalId}
      or i.account_key = ${accountKey(person.account)}) and i.account_id is not null`.execute(tx)
  const [one] = known
  if (known.length > 1) return uniqueness(`${person.account}: externalId and userName belong to different users`)
  if (one !== undefined) {
    if (one.state === 'disabled') return uniqueness(`${person.account}: the account was removed by an administrator`)
    const isBack = one.gone || (one.frozen_here && one.state === 'frozen')
    if (one.provisioned && !isBack) return uniqueness(`${person.account}: exists already, its id is ${one.id}`)
    const isAdopted = !one.provisioned
    await sql`
      insert into scim_person (identity_id, provider_id, resource, created_at, changed_at)
      values (${one.id}, ${provider.id}, ${JSON.stringify(stored)}, ${now}, ${now})
      on conflict (identity_id) do update set gone = false, waits_since = 0`.execute(tx)
    const row = await findPerson(tx, provider.id, String(one.id))
    const told = await apply(request, row, stored, active ?? true, isAdopted)
    return answerWith(request, one.id, 201, told.held ? told : { ...told, what: isAdopted ? 'create' : 'thaw' })
  }
  if (!provider.settings.creates) return refuse(403, 'this provider creates no accounts')
  // A person who was noted under another id, because an account had this name that is gone now.
  await sql`
    delete from provider_identity where provider_id = ${provider.id} and account_id is null
      and account_key = ${accountKey(person.account)} and external_id <> ${person.externalId}`.execute(tx)
  const accountId = await createFor(write, provider.id, person)
  const { rows } = await sql<{ id: number }>`
    insert into scim_person (identity_id, provider_id, resource, created_at, changed_at)
    select id, provider_id, ${JSON.stringify(stored)}, ${now}, ${now} from provider_identity
    where provider_id = ${provider.id} and account_id = ${accountId} returning identity_id as id`.execute(tx)
  const id = rows[0]?.id ?? refuse(500, 'the user was not stored')
  await bindSignIn(tx, provider, accountId, person, stored)
  if (active === false) await freezeByProvider(write, { identityId: id, accountId })
  write.audit({ userId: accountId, account: person.account })
  return answerWith(request, id, 201, { what: 'create', name: person.name, detail: person.department?.join('/') ?? '' })
}

interface Told {
  readonly what: string
  readonly name: string
  readonly detail: string
  /** The person would be frozen, and an administrator has to decide. */
  readonly held?: true
}

/** Seconds after which a system may ask again for what an administrator has to decide. */
const retrySeconds = 3600

async function answerWith(
  { write, provider, base }: ScimWrite,
  id: number,
  status: number,
  { held, ...told }: Told,
): Promise<ScimAnswer> {
  if (held === true) {
    const detail =
      'more people than usual would be frozen: an administrator has to confirm it on the page of sign-in providers'
    return {
      status: 503,
      body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '503', detail },
      headers: { 'retry-after': String(retrySeconds) },
      told: { ...told, what: 'wait' },
    }
  }
  const [body] = await resourcesOf(write.tx, [await findPerson(write.tx, provider.id, String(id))], base)
  return { status, ...(body !== undefined && { body }), told }
}

/** Replaces the attributes of a person (PUT). */
export async function replacePerson(request: ScimWrite, id: string, body: Json): Promise<ScimAnswer> {
  const row = await lockedPerson(request, id)
  const { stored, active } = splitActive(readResource(userKind, body))
  return answerWith(request, row.id, 200, await apply(request, row, stored, active))
}

/** Changes attributes of a person (PATCH). */
export async function patchPerson(request: ScimWrite, id: string, body: Json): Promise<ScimAnswer> {
  const row = await lockedPerson(request, id)
  const before = { ...row.resource, active: isActive(row.state) }
  const { stored, active } = splitActive(patched(userKind, before, operationsOf(userKind, body)))
  return answerWith(request, row.id, 200, await apply(request, row, stored, active))
}

async function lockedPerson({ write, provider }: ScimWrite, id: string): Promise<PersonRow> {
  await sql`
    select 1 from scim_person where provider_id = ${provider.id} and identity_id = ${idOf(id)} for update`.execute(
    write.tx,
  )
  const row = await findPerson(write.tx, provider.id, id)
  assertVersion(write, row.revision)
  return row
}

/** Refuses a change of a version that is not the current one any more. */
export function assertVersion({ request }: Pick<WriteContext, 'request'>, revision: number): void {
  const wanted = request.headers['if-match']
  if (wanted === undefined || wanted.trim() === '*') return
  if (!wanted.split(',').some((one) => one.trim() === versionOf(revision)))
    refuse(412, 'the resource has changed: read it again')
}

/** Entra renames a person whom it has removed: 32 digits of its id stand before the former name. */
function isTombstone(before: string, after: string): boolean {
  const [, rest] = /^[0-9a-f]{32}(.+)$/is.exec(after) ?? []
  return rest !== undefined && rest.toLowerCase() === before.toLowerCase()
}

/** Carries out what a resource says. */
async function apply(
  { write, provider }: ScimWrite,
  row: PersonRow,
  resource: Resource,
  wanted: boolean | undefined,
  isAdopted = false,
): Promise<Told> {
  const { tx, now } = write
  const { settings } = provider
  const [nameBefore, nameAfter] = [textOf(row.resource['userName']), textOf(resource['userName'])]
  const isRemoved = isTombstone(nameBefore, nameAfter)
  const stored: Resource = isRemoved ? { ...resource, userName: nameBefore } : resource
  const active = isRemoved ? false : wanted
  const own = { identityId: row.id, accountId: row.account_id }
  let what = 'update'
  if (active === false && isActive(row.state)) {
    if (!(await freeze(write, provider, row))) return { what: 'wait', name: row.name, detail: row.account, held: true }
    what = 'freeze'
  } else if (active === true) {
    if (row.state === 'frozen' && row.frozen_here) {
      await thawByProvider(write, own)
      what = 'thaw'
    }
    await sql`update scim_person set waits_since = 0, frozen_at = 0 where identity_id = ${row.id}`.execute(tx)
  }
  const [before, after] = [personOf(row.resource, settings), personOf(stored, settings)]
  const columnsOfName = personColumns({ account: after.account, accountName: after.name })
  if (columnsOfName.account_key !== accountKey(row.account)) {
    const taken = await tx
      .selectFrom('account')
      .select('id')
      .where('account_key', '=', columnsOfName.account_key)
      .executeTakeFirst()
    if (taken !== undefined) return uniqueness(`${after.account}: another account has this name`)
  }
  const groupId = after.department === undefined ? row.group_id : await departmentFor(write, after.department)
  // What the system does not say any more, and has said before, is gone; what an administrator has entered stays.
  const [had, has] = [usableAttributes(before), usableAttributes(after)]
  const emptied = Object.fromEntries(
    Object.keys(had).flatMap((field) => (field in has || isAdopted ? [] : [[field, '']])),
  )
  await tx
    .updateTable('account')
    .set({ ...columnsOfName, ...emptied, ...has, group_id: groupId })
    .where('id', '=', row.account_id)
    .execute()
  await tx
    .updateTable('provider_identity')
    .set({
      ...{ label: columnsOfName.name, account_name: columnsOfName.account, account_key: columnsOfName.account_key },
      external_id: after.externalId,
    })
    .where('id', '=', row.id)
    .execute()
  const [idBefore, idAfter] = [signInId(row.resource, settings), signInId(stored, settings)]
  if (settings.signInProviderId !== 0 && idBefore !== idAfter && idBefore !== '' && idAfter !== '')
    await sql`
      update provider_identity set external_id = ${idAfter}
      where provider_id = ${settings.signInProviderId} and account_id = ${row.account_id}
        and external_id = ${idBefore}`.execute(tx)
  await sql`
    update scim_person set resource = ${JSON.stringify(stored)}, changed_at = ${now}, revision = revision + 1
    where identity_id = ${row.id}`.execute(tx)
  if (columnsOfName.name !== row.name)
    write.changed({
      kind: 'person',
      change: { accountId: row.account_id, name: columnsOfName.name, what: 'name', before: row.name },
    })
  if (groupId !== row.group_id) {
    write.changed({ kind: 'person', change: { accountId: row.account_id, name: columnsOfName.name, what: 'groups' } })
    await bump(tx, 'organisation')
    write.event({ kind: 'refetch', accountIds: [row.account_id] })
  }
  const detail = differenceOf(before, after)
  write.audit({ userId: row.account_id, account: columnsOfName.account, ...(detail !== '' && { changes: detail }) })
  return { what, name: columnsOfName.name, detail }
}

/** The attributes that differ, for the page. */
function differenceOf(before: ProviderPerson, after: ProviderPerson): string {
  const shown = ({ account, name, email, phone, title, department }: ProviderPerson) => ({
    ...{ userName: account, name, email, phone, title },
    department: department?.join('/') ?? '',
  })
  const [was, is] = [shown(before), shown(after)]
  return Object.entries(is)
    .flatMap(([field, value]) => {
      const old = was[field as keyof typeof was]
      return old === value ? [] : [`${field}: ${old} → ${value}`]
    })
    .join('; ')
}

const dayMs = 24 * 60 * 60_000
/** Leavers beyond this within a day, and this share of all people, wait for an administrator. */
const brake = { count: 5, share: 0.02 }

/** Freezes a person. False: too many are frozen within a day, so that an administrator has to decide. */
async function freeze(write: WriteContext, provider: ScimProvider, row: PersonRow): Promise<boolean> {
  const { tx, now } = write
  if ((await administratorsAmong(tx, [row.account_id])).has(row.account_id))
    return refuse(403, 'the account of an administrator is not frozen by provisioning')
  const { rows } = await sql<{ frozen: number; people: number }>`
    select (select count(*)::int from scim_person p join provider v on v.id = p.provider_id
        where p.provider_id = ${provider.id} and p.frozen_at > greatest(${now - dayMs}, v.brake_from)) as frozen,
      (select count(*)::int from ${tables} where p.provider_id = ${provider.id}
        and a.state in ('normal', 'locked')) as people`.execute(tx)
  const { frozen, people } = rows[0] ?? { frozen: 0, people: 0 }
  if (frozen + 1 > Math.max(brake.count, (people + frozen) * brake.share)) {
    await sql`
      update scim_person set waits_since = ${now} where identity_id = ${row.id} and waits_since = 0`.execute(tx)
    const { name } = await tx
      .selectFrom('provider')
      .select('name')
      .where('id', '=', provider.id)
      .executeTakeFirstOrThrow()
    write.event(
      personal('leaversWaiting', await securityAdministrators(tx), {
        ...{ serverId: mainServerId, providerId: provider.id, providerName: name },
      }),
    )
    return false
  }
  await freezeNow(write, row)
  return true
}

/** Freezes a person, and remembers it for the brake. */
export async function freezeNow(
  write: Pick<WriteContext, 'tx' | 'now' | 'changed' | 'event'>,
  { id, account_id }: Pick<PersonRow, 'id' | 'account_id'>,
): Promise<void> {
  await freezeByProvider(write, { identityId: id, accountId: account_id })
  await sql`
    update scim_person set frozen_at = ${write.now}, waits_since = 0, changed_at = ${write.now}, revision = revision + 1
    where identity_id = ${id}`.execute(write.tx)
}

/** Removes a person: the account is frozen, and leaves its groups. Its files stay. */
export async function removePerson(request: ScimWrite, id: string): Promise<ScimAnswer> {
  const { write, provider } = request
  const { tx } = write
  const row = await lockedPerson(request, id)
  if (isActive(row.state) && !(await freeze(write, provider, row)))
    return answerWith(request, row.id, 204, { what: 'wait', name: row.name, detail: row.account, held: true })
  await sql`delete from scim_member where identity_id = ${row.id}`.execute(tx)
  await refreshRoles(write, provider.id, [row.id])
  await sql`update scim_person set gone = true, waits_since = 0 where identity_id = ${row.id}`.execute(tx)
  write.audit({ userId: row.account_id, account: row.account })
  return { status: 204, told: { what: 'freeze', name: row.name, detail: 'DELETE' } }
}
