// Roles and their holders: people by name, all members of a department and its descendants, all people with a position
// ([R348]).
import type { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { bump } from '../../core/settings.ts'
import { hasPasskey } from '../auth/index.ts'
import { pathsOf } from './departments.ts'
import { groupOrRoot } from './group-ids.ts'
import { named } from './names.ts'

/** The holders of these roles, by role. */
export async function holdersOf(db: Db, roleIds: readonly number[]): Promise<Map<number, Set<number>>> {
  const { rows } = await sql<{ role_id: number; account_id: number }>`
    with recursive below as (
      select role_id, group_id as id from role_group where role_id = any(${[...roleIds]})
      union select b.role_id, g.id from below b join org_group g on g.parent_id = b.id
    )
    select h.role_id, h.account_id from (
      select role_id, account_id from role_account where role_id = any(${[...roleIds]})
      union select b.role_id, a.id from below b join account a on a.group_id = b.id
      union select b.role_id, m.account_id from below b join membership m on m.group_id = b.id
      union select t.role_id, a.id from role_title t join account a on a.title = t.title
        where t.role_id = any(${[...roleIds]})
    ) h join account a on a.id = h.account_id where a.state <> 'disabled'`.execute(db)
  const found = new Map<number, Set<number>>()
  for (const { role_id, account_id } of rows) found.set(role_id, (found.get(role_id) ?? new Set()).add(account_id))
  return found
}

/** All holders of a role, however they got it. */
export async function holders(db: Db, roleId: number): Promise<ReadonlySet<number>> {
  return (await holdersOf(db, [roleId])).get(roleId) ?? new Set()
}

async function lockRole(tx: Tx, roleId: number): Promise<{ name: string }> {
  const row = await tx.selectFrom('role').select('name').where('id', '=', roleId).forUpdate().executeTakeFirst()
  return row ?? fail('notFound', 'roleId')
}

type Names = 'getRoles' | 'getRole' | 'setRoleSecondFactor' | 'renameRole' | 'deleteRole' | 'setRoleMembers'

export const roleHandlers: Pick<Handlers<typeof features.people.calls>, Names> = {
  async getRoles({ db }) {
    const roles = await db.selectFrom('role').select(['id', 'name']).orderBy('id').execute()
    const found = await holdersOf(
      db,
      roles.map(({ id }) => id),
    )
    const { rows: titles } = await sql<{ title: string }>`
      select distinct title from account where title <> '' order by title limit 500`.execute(db)
    return {
      list: roles.map(({ id, name }) => ({ roleId: id, roleName: name, people: found.get(id)?.size ?? 0 })),
      titles: titles.map(({ title }) => title),
    }
  },

  async getRole({ db }, { roleId }) {
    const role = await db.selectFrom('role').select('second_factor').where('id', '=', roleId).executeTakeFirst()
    if (role === undefined) return fail('notFound')
    const users = await db
      .selectFrom('role_account as m')
      .innerJoin('account as a', 'a.id', 'm.account_id')
      .select(['a.id as userId', 'a.name as accountName', 'a.account'])
      .where('m.role_id', '=', roleId)
      .orderBy('a.name_sort')
      .execute()
    const groups = await db
      .selectFrom('role_group as m')
      .innerJoin('org_group as g', 'g.id', 'm.group_id')
      .select(['g.id as groupId', 'g.name as groupName'])
      .where('m.role_id', '=', roleId)
      .orderBy('g.name_sort')
      .execute()
    const titles = await db
      .selectFrom('role_title')
      .select('title')
      .where('role_id', '=', roleId)
      .orderBy('title')
      .execute()
    const paths = await pathsOf(
      db,
      groups.map(({ groupId }) => groupId),
    )
    return {
      users,
      groups: groups.map((group) => ({ ...group, path: paths.get(group.groupId)?.path ?? group.groupName })),
      titles: titles.map(({ title }) => title),
      secondFactor: role.second_factor,
    }
  },

  async setRoleSecondFactor(context, { roleId, needed }) {
    const { tx } = context
    await lockRole(tx, roleId)
    const actor = actorOf(context)
    // Who demands it of themselves has one first, or they would be locked out.
    const isOwn = needed && actor.subjects.roleIds.has(roleId)
    const { rows } = await sql`select 1 from account where id = ${actor.accountId} and second_factor`.execute(tx)
    if (isOwn && rows.length === 0 && !(await hasPasskey(tx, actor.accountId))) return fail('secondFactorMissing')
    await tx.updateTable('role').set({ second_factor: needed }).where('id', '=', roleId).execute()
    await bump(tx, 'organisation')
    const people = await holders(tx, roleId)
    if (people.size > 0) context.event({ kind: 'refetch', accountIds: [...people] })
    return {}
  },

  async renameRole(context, { roleId, roleName }) {
    const { tx } = context
    const before = await lockRole(tx, roleId)
    const { name, key, text } = named(roleName)
    const taken = await tx
      .selectFrom('role')
      .select('id')
      .where('name_key', '=', key)
      .where('id', '<>', roleId)
      .executeTakeFirst()
    if (taken !== undefined) return fail('alreadyExists')
    await tx.updateTable('role').set({ name, name_key: key, search_text: text }).where('id', '=', roleId).execute()
    context.audit({ roleId, from: before.name, to: name })
    return {}
  },

  async deleteRole(context, { roleId }) {
    const { tx } = context
    const { name } = await lockRole(tx, roleId)
    const had = await holders(tx, roleId)
    await tx.deleteFrom('role').where('id', '=', roleId).execute()
    context.changed({ kind: 'role', change: { roleId, name, what: 'deleted' } })
    await bump(tx, 'organisation')
    if (had.size > 0) context.event({ kind: 'refetch', accountIds: [...had] })
    context.audit({ roleId, name, members: had.size })
    return {}
  },

  async setRoleMembers(context, { roleId, userIds, groupIds, titles }) {
    const { tx } = context
    const { name } = await lockRole(tx, roleId)
    const had = await holders(tx, roleId)
    const { rows: known } = await sql`select 1 from account where id = any(${userIds})`.execute(tx)
    if (known.length !== new Set(userIds).size) return fail('notFound', 'userIds')
    const groups = new Set<number>()
    for (const id of groupIds) groups.add(await groupOrRoot(tx, id))
    const positions = [...new Set(titles.map((title) => title.trim()).filter((title) => title !== ''))]
    for (const table of ['role_account', 'role_group', 'role_title'] as const)
      await tx.deleteFrom(table).where('role_id', '=', roleId).execute()
    await sql`
      insert into role_account (role_id, account_id)
      select ${roleId}::bigint, unnest(${[...new Set(userIds)]}::bigint[])`.execute(tx)
    await sql`
      insert into role_group (role_id, group_id) select ${roleId}::bigint, unnest(${[...groups]}::bigint[])`.execute(tx)
    await sql`
      insert into role_title (role_id, title) select ${roleId}::bigint, unnest(${positions}::text[])`.execute(tx)
    const has = await holders(tx, roleId)
    const differing = [...had, ...has].filter((id) => had.has(id) !== has.has(id))
    await bump(tx, 'organisation')
    if (differing.length > 0) context.event({ kind: 'refetch', accountIds: [...new Set(differing)] })
    context.audit({ roleId, name, members: has.size, changed: differing.length })
    return { people: has.size }
  },
}
