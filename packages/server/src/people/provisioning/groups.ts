// The groups of a provisioning system. Their members may get a role, which an administrator chooses for each group.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'
import { type Columns, conditionOf, parseFilter, passes } from './filter.ts'
import { type MemberChange, memberChanges, membersIn, operationsOf, patched } from './patch.ts'
import { assertVersion, type Page, type ScimAnswer, type ScimWrite, versionOf } from './people.ts'
import { refuse } from './refusal.ts'
import { refreshRoles } from './roles.ts'
import { groupKind, type Json, type Resource, readResource, schemaUrns } from './schema.ts'

interface GroupRow {
  readonly id: number
  readonly external_id: string | null
  readonly name: string
  readonly role_id: number | null
  readonly created_at: number
  readonly changed_at: number
  readonly revision: number
}

const columns = sql`g.id, g.external_id, g.name, g.role_id, g.created_at, g.changed_at, g.revision`
const idOf = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0)
const keyOf = (name: string): string => name.normalize('NFKC').trim().toLowerCase()
const longestName = 200

export async function findGroup(db: Db, providerId: number, id: string): Promise<GroupRow> {
  const { rows } = await sql<GroupRow>`
    select ${columns} from scim_group g where g.provider_id = ${providerId} and g.id = ${idOf(id)}`.execute(db)
  return rows[0] ?? refuse(404, `no group ${id.slice(0, 50)}`)
}

const filterColumns: Columns = {
  document: sql`jsonb_strip_nulls(jsonb_build_object('displayName', g.name, 'externalId', g.external_id))`,
  id: sql`g.id`,
  created: sql`g.created_at`,
  lastModified: sql`g.changed_at`,
  equal: (name, value): RawBuilder<boolean> | undefined =>
    name === 'displayName'
      ? sql`(g.name_key = ${keyOf(value)})`
      : name === 'externalId'
        ? sql`(g.external_id = ${value})`
        : undefined,
  related: (name, value): RawBuilder<boolean> | undefined =>
    name === 'members'
      ? sql`exists (select 1 from scim_member m where m.group_id = g.id and m.identity_id = ${idOf(value)})`
      : undefined,
}

export async function listGroups(
  db: Db,
  providerId: number,
  { filter, start, count }: Page,
): Promise<{ readonly total: number; readonly rows: GroupRow[] }> {
  const chosen = filter === undefined ? sql`true` : conditionOf(parseFilter(filter), groupKind, filterColumns)
  const condition = sql`g.provider_id = ${providerId} and ${chosen}`
  const { rows: counted } = await sql<{ n: number }>`
    select count(*)::int as n from scim_group g where ${condition}`.execute(db)
  const { rows } = await sql<GroupRow>`
    select ${columns} from scim_group g where ${condition} order by g.id limit ${count} offset ${start - 1}`.execute(db)
  return { total: counted[0]?.n ?? 0, rows }
}

/** The resources of groups; their members only where they are wanted, as there may be many. */
export async function groupResources(
  db: Db,
  rows: readonly GroupRow[],
  base: string,
  withMembers: boolean,
): Promise<Resource[]> {
  const members = new Map<number, Json[]>()
  if (withMembers) {
    const { rows: found } = await sql<{ group_id: number; id: number; name: string }>`
      select m.group_id, m.identity_id as id, i.label as name
      from scim_member m join provider_identity i on i.id = m.identity_id
      where m.group_id = any(${rows.map(({ id }) => id)}) order by m.group_id, m.identity_id`.execute(db)
    for (const { group_id, id, name } of found) {
      const list = members.get(group_id) ?? []
      list.push({ value: String(id), $ref: `${base}/Users/${id}`, display: name, type: 'User' })
      members.set(group_id, list)
    }
  }
  return rows.map(({ id, external_id, name, created_at, changed_at, revision }) => ({
    ...{ schemas: [schemaUrns.group], id: String(id), displayName: name },
    ...(external_id !== null && { externalId: external_id }),
    ...(members.has(id) && { members: members.get(id) ?? [] }),
    meta: {
      ...{ resourceType: 'Group', created: new Date(created_at).toISOString() },
      ...{ lastModified: new Date(changed_at).toISOString(), location: `${base}/Groups/${id}` },
      version: versionOf(revision),
    },
  }))
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value.trim() : '')

function namesOf(resource: Resource): { readonly name: string; readonly externalId: string | null } {
  const name = textOf(resource['displayName'])
  if (name.length > longestName) refuse(400, 'displayName: too long', 'invalidValue')
  return { name, externalId: textOf(resource['externalId']) || null }
}

/** Refuses a name or an id that another group has. */
async function assertFree(
  { write: { tx }, provider }: ScimWrite,
  { name, externalId }: ReturnType<typeof namesOf>,
  exceptId = 0,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from scim_group where provider_id = ${provider.id} and id <> ${exceptId}
      and (name_key = ${keyOf(name)} or external_id = ${externalId})`.execute(tx)
  if (rows[0] !== undefined) refuse(409, `${name}: group ${rows[0].id} has this name or id`, 'uniqueness')
}

export async function createGroup(request: ScimWrite, body: Json): Promise<ScimAnswer> {
  const { write, provider, base } = request
  const { tx, now } = write
  const resource = readResource(groupKind, body)
  const names = namesOf(resource)
  await assertFree(request, names)
  const { rows } = await sql<GroupRow>`
    insert into scim_group as g (provider_id, external_id, name, name_key, created_at, changed_at)
    values (${provider.id}, ${names.externalId}, ${names.name}, ${keyOf(names.name)}, ${now}, ${now})
    returning ${columns}`.execute(tx)
  const row = rows[0] ?? refuse(500, 'the group was not stored')
  const ids = membersIn(body) ?? []
  const added = await addMembers(request, row.id, ids)
  const [made] = await groupResources(tx, [row], base, true)
  write.audit({ name: names.name })
  return {
    status: 201,
    ...(made !== undefined && { body: made }),
    told: { what: 'groupCreate', name: names.name, detail: figures(added.length, 0) },
  }
}

const figures = (added: number, removed: number): string => (added + removed === 0 ? '' : `+${added} −${removed}`)

async function lockedGroup({ write, provider }: ScimWrite, id: string): Promise<GroupRow> {
  await sql`
    select 1 from scim_group where provider_id = ${provider.id} and id = ${idOf(id)} for update`.execute(write.tx)
  const row = await findGroup(write.tx, provider.id, id)
  assertVersion(write, row.revision)
  return row
}

export async function replaceGroup(request: ScimWrite, id: string, body: Json): Promise<ScimAnswer> {
  const { write, base } = request
  const row = await lockedGroup(request, id)
  const resource = readResource(groupKind, body)
  const ids = membersIn(body)
  // A group that is sent whole without members has none (RFC 7644, 3.5.1).
  const told = await change(request, row, resource, [{ what: 'replace', ids: ids ?? [] }])
  const [made] = await groupResources(write.tx, [await findGroup(write.tx, request.provider.id, id)], base, true)
  return { status: 200, ...(made !== undefined && { body: made }), told }
}

/** Changes a group (PATCH). Of its members only those that are named are read and written. */
export async function patchGroup(request: ScimWrite, id: string, body: Json): Promise<ScimAnswer> {
  const row = await lockedGroup(request, id)
  const { members, rest } = memberChanges(groupKind, operationsOf(groupKind, body))
  const before: Resource = { displayName: row.name, ...(row.external_id !== null && { externalId: row.external_id }) }
  return { status: 204, told: await change(request, row, patched(groupKind, before, rest), members) }
}

async function change(
  request: ScimWrite,
  row: GroupRow,
  resource: Resource,
  members: readonly MemberChange[],
): Promise<NonNullable<ScimAnswer['told']>> {
  const { write, provider } = request
  const { tx, now } = write
  const names = namesOf(resource)
  await assertFree(request, names, row.id)
  const [added, removed] = [new Set<number>(), new Set<number>()]
  for (const one of members) {
    const done = await changeMembers(request, row.id, one)
    for (const each of done.added) added.add(each)
    for (const each of done.removed) removed.add(each)
  }
  await sql`
    update scim_group set name = ${names.name}, name_key = ${keyOf(names.name)}, external_id = ${names.externalId},
      changed_at = ${now}, revision = revision + 1
    where id = ${row.id}`.execute(tx)
  if (row.role_id !== null) await refreshRoles(write, provider.id, [...new Set([...added, ...removed])])
  write.audit({ name: names.name })
  const renamed = names.name === row.name ? '' : `${row.name} → ${names.name}`
  const detail = [renamed, figures(added.size, removed.size)].filter((part) => part !== '').join('; ')
  return { what: 'groupUpdate', name: names.name, detail }
}

async function addMembers({ write: { tx }, provider }: ScimWrite, groupId: number, ids: readonly string[]) {
  if (ids.length === 0) return []
  const wanted = [...new Set(ids)]
  const { rows } = await sql<{ id: number }>`
    select identity_id as id from scim_person
    where provider_id = ${provider.id} and not gone and identity_id = any(${wanted.map(idOf)})`.execute(tx)
  if (rows.length < wanted.length) {
    const known = new Set(rows.map(({ id }) => String(id)))
    refuse(400, `members: no user ${wanted.find((id) => !known.has(id))?.slice(0, 50) ?? ''}`, 'invalidValue')
  }
  const { rows: added } = await sql<{ id: number }>`
    insert into scim_member (group_id, identity_id) select ${groupId}::bigint, unnest(${rows.map(({ id }) => id)}::bigint[])
    on conflict do nothing returning identity_id as id`.execute(tx)
  return added.map(({ id }) => id)
}

async function changeMembers(request: ScimWrite, groupId: number, one: MemberChange) {
  const { tx } = request.write
  const remove = async (condition: RawBuilder<unknown>): Promise<number[]> => {
    const { rows } = await sql<{ id: number }>`
      delete from scim_member m where m.group_id = ${groupId} and ${condition} returning m.identity_id as id`.execute(
      tx,
    )
    return rows.map(({ id }) => id)
  }
  if (one.what === 'removeWhere') {
    const { rows } = await sql<{ id: number; name: string }>`
      select m.identity_id as id, i.label as name from scim_member m join provider_identity i on i.id = m.identity_id
      where m.group_id = ${groupId}`.execute(tx)
    const hits = rows.filter(({ id, name }) =>
      passes(one.filter, one.attribute, { value: String(id), display: name, type: 'User' }),
    )
    return { added: [], removed: await remove(sql`m.identity_id = any(${hits.map(({ id }) => id)})`) }
  }
  if (one.what === 'remove') return { added: [], removed: await remove(sql`m.identity_id = any(${one.ids.map(idOf)})`) }
  const removed = one.what === 'replace' ? await remove(sql`m.identity_id <> all(${one.ids.map(idOf)})`) : []
  return { added: await addMembers(request, groupId, one.ids), removed }
}

/** Removes a group. The roles that it gave end with it. */
export async function removeGroup(request: ScimWrite, id: string): Promise<ScimAnswer> {
  const { write, provider } = request
  const row = await lockedGroup(request, id)
  const { rows } = await sql<{ id: number }>`
    delete from scim_member where group_id = ${row.id} returning identity_id as id`.execute(write.tx)
  const ids = rows.map((one) => one.id)
  await sql`delete from scim_group where id = ${row.id}`.execute(write.tx)
  if (row.role_id !== null) await refreshRoles(write, provider.id, ids)
  write.audit({ name: row.name })
  return { status: 204, told: { what: 'groupDelete', name: row.name, detail: figures(0, ids.length) } }
}
