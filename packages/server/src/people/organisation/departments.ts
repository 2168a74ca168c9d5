// The department tree: ancestors, descendants, and changes.
import type { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { foldTyped } from '../../core/folding.ts'
import { bump } from '../../core/settings.ts'
import { groupOrRoot } from './group-ids.ts'
import { matchesWord, named } from './names.ts'
import { groupFor, isIn, partOf } from './scope.ts'

/** A department and all its descendants. */
export async function groupsBelow(db: Db, groupId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive below as (
      select id from org_group where id = ${groupId}
      union all select g.id from below b join org_group g on g.parent_id = b.id
    )
    select id from below`.execute(db)
  return rows.map(({ id }) => id)
}

/** The ids and the names on the path from the company to each of these departments. */
export async function pathsOf(
  db: Db,
  groupIds: readonly number[],
): Promise<Map<number, { readonly path: string; readonly ids: readonly number[] }>> {
  const { rows } = await sql<{ of: number; names: string[]; ids: number[] }>`
    with recursive up as (
      select id as of, id, parent_id, name, 0 as depth from org_group where id = any(${[...groupIds]})
      union all select u.of, g.id, g.parent_id, g.name, u.depth + 1
      from up u cross join lateral (select * from org_group where id = u.parent_id offset 0) g
    )
    select of, array_agg(name order by depth desc) as names, array_agg(id order by depth desc) as ids
    from up group by of`.execute(db)
  return new Map(rows.map(({ of, names, ids }) => [of, { path: names.join(' / '), ids: ids.map(Number) }]))
}

/** Number of people in each of these departments and their descendants, each person once. Leavers do not count. */
export async function peopleIn(db: Db, groupIds: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ of: number; people: number }>`
    with recursive below as (
      select id as of, id from org_group where id = any(${[...groupIds]})
      union all select b.of, g.id from below b join org_group g on g.parent_id = b.id
    )
    select of, count(distinct account_id)::int as people from (
      select b.of, a.id as account_id from below b join account a on a.group_id = b.id where a.state <> 'disabled'
      union all
      select b.of, a.id from below b join membership o on o.group_id = b.id
        join account a on a.id = o.account_id where a.state <> 'disabled'
    ) each group by of`.execute(db)
  return new Map(rows.map(({ of, people }) => [of, people]))
}

/** All members of these departments. */
async function membersOf(db: Db, groupIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from account where group_id = any(${[...groupIds]})
    union select account_id from membership where group_id = any(${[...groupIds]})`.execute(db)
  return rows.map(({ id }) => id)
}

interface Row {
  readonly id: number
  readonly parent_id: number | null
  readonly name: string
}

/**
 * Locks the departments that change, in the order of their ids. The company's row is always locked too, so moves that
 * together would form a cycle are serialized.
 */
async function lockDepartments(tx: Tx, groupIds: readonly number[]): Promise<(id: number) => Row> {
  const { rows } = await sql<Row>`
    select id, parent_id, name from org_group where id = any(${[...groupIds]}) or parent_id is null
    order by id for update`.execute(tx)
  const found = new Map(rows.map((row) => [row.id, row]))
  return (id) => found.get(id) ?? fail('notFound', 'groupId')
}

/** Renumbers the child departments of a parent, with one of them before another or at the end. */
async function order(tx: Tx, parentId: number, groupId: number, beforeId: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from org_group where parent_id = ${parentId} order by place, name_sort, id`.execute(tx)
  const ids = rows.map(({ id }) => id).filter((id) => id !== groupId)
  const at = ids.indexOf(beforeId)
  ids.splice(at < 0 ? ids.length : at, 0, groupId)
  await sql`
    update org_group g set place = o.place
    from unnest(${ids}::bigint[]) with ordinality as o (id, place) where g.id = o.id and g.place <> o.place`.execute(tx)
}

/** The next sibling; 0 if it is the last. */
async function nextOf(db: Db, { id, parent_id }: Row): Promise<number> {
  const { rows } = await sql<{ next: number | null }>`
    select next from (
      select id, lead(id) over (order by place, name_sort, id) as next from org_group where parent_id = ${parent_id}
    ) s where id = ${id}`.execute(db)
  return rows[0]?.next ?? 0
}

/** Announces that the visible items of these accounts have changed with their departments. */
async function membershipChanged(context: WriteContext, accountIds: readonly number[]): Promise<void> {
  await bump(context.tx, 'organisation')
  if (accountIds.length > 0) context.event({ kind: 'refetch', accountIds: [...accountIds] })
}

async function assertFree(tx: Tx, parentId: number, key: string, but: number): Promise<void> {
  const taken = await tx
    .selectFrom('org_group')
    .select('id')
    .where('parent_id', '=', parentId)
    .where('name_key', '=', key)
    .where('id', '<>', but)
    .executeTakeFirst()
  if (taken !== undefined) fail('alreadyExists')
}

type Names =
  | 'getDepartments'
  | 'countDepartments'
  | 'getDepartment'
  | 'renameGroup'
  | 'getGroupEffect'
  | 'moveGroup'
  | 'mergeGroup'
  | 'setGroupManagers'

export const departmentHandlers: Pick<Handlers<typeof features.people.calls>, Names> = {
  async getDepartments(context, { parentId, keyword, rows: most }) {
    const { db } = context
    const actor = actorOf(context)
    const part = partOf(actor)
    const own = part === undefined ? undefined : [...part]
    const word = foldTyped(keyword)
    // For a delegated administrator the top departments of their part are the roots, instead of the company.
    const tops =
      own === undefined
        ? sql`parent_id is null`
        : sql`g.id = any(${own}) and (parent_id is null or parent_id <> all(${own}))`
    const which =
      word !== ''
        ? sql`${matchesWord('g', word)}${own === undefined ? sql`` : sql` and g.id = any(${own})`}`
        : parentId === undefined
          ? tops
          : sql`parent_id = ${await groupFor(db, actor, parentId)}`
    const { rows } = await sql<Row & { below: number }>`
      select g.id, g.parent_id, g.name,
        (select count(*)::int from org_group b where b.parent_id = g.id) as below
      from org_group g where ${which} order by place, name_sort, id limit ${most}`.execute(db)
    // Departments below the same parent share its path.
    const isBelow = word === '' && parentId !== undefined
    const asked = isBelow ? rows.slice(0, 1).map(({ parent_id }) => parent_id ?? 0) : rows.map(({ id }) => id)
    const paths = await pathsOf(db, asked)
    const above = isBelow ? [...paths.values()][0]?.path : undefined
    return {
      list: rows.map(({ id, parent_id, name, below }) => ({
        groupId: id,
        groupName: name,
        parentId: parent_id ?? 0,
        below,
        path: paths.get(id)?.path ?? (above === undefined ? name : `${above} / ${name}`),
      })),
    }
  },

  async countDepartments(context, { groupIds }) {
    const part = partOf(actorOf(context))
    const own = groupIds.filter((groupId) => isIn(part, groupId))
    const people = await peopleIn(context.db, own)
    return { list: own.map((groupId) => ({ groupId, people: people.get(groupId) ?? 0 })) }
  },

  async getDepartment(context, { groupId: given }) {
    const { db } = context
    const groupId = await groupFor(db, actorOf(context), given)
    const row = await db
      .selectFrom('org_group as g')
      .select((eb) => [
        'g.name',
        'g.parent_id',
        eb
          .selectFrom('org_group as b')
          .select((b) => b.fn.countAll<number>().as('n'))
          .whereRef('b.parent_id', '=', 'g.id')
          .as('below'),
      ])
      .where('g.id', '=', groupId)
      .executeTakeFirstOrThrow()
    const managers = await db
      .selectFrom('group_manager as m')
      .innerJoin('account as a', 'a.id', 'm.account_id')
      .select(['a.id as userId', 'a.name as accountName', 'a.account'])
      .where('m.group_id', '=', groupId)
      .orderBy('a.name_sort')
      .execute()
    return {
      groupId,
      groupName: row.name,
      parentId: row.parent_id ?? 0,
      below: row.below ?? 0,
      path: (await pathsOf(db, [groupId])).get(groupId)?.path ?? row.name,
      people: (await peopleIn(db, [groupId])).get(groupId) ?? 0,
      managers,
    }
  },

  async renameGroup(context, { groupId: given, groupName }) {
    const { tx } = context
    const groupId = await groupFor(tx, actorOf(context), given, 'departments')
    const row = (await lockDepartments(tx, [groupId]))(groupId)
    const { name, key, sort, text, grams } = named(groupName)
    if (row.parent_id !== null) await assertFree(tx, row.parent_id, key, groupId)
    await tx
      .updateTable('org_group')
      .set({ name, name_key: key, name_sort: sort, search_text: text, search_grams: grams })
      .where('id', '=', groupId)
      .execute()
    context.changed({ kind: 'group', change: { groupId, name, what: 'name', before: row.name } })
    context.audit({ groupId, from: row.name, to: name })
    await bump(tx, 'organisation')
    return {}
  },

  async getGroupEffect(context, { groupId, parentId: given }) {
    const { db } = context
    const parentId = await groupFor(db, actorOf(context), given)
    await groupFor(db, actorOf(context), groupId)
    const paths = await pathsOf(db, [groupId, parentId])
    const above = new Set((paths.get(groupId)?.ids ?? []).slice(0, -1))
    const then = new Set(paths.get(parentId)?.ids ?? [])
    const differing = [...above, ...then].filter((id) => above.has(id) !== then.has(id))
    const names = new Map(
      (
        await db
          .selectFrom('org_group')
          .select(['id', 'name'])
          .where('id', 'in', [0, ...differing])
          .execute()
      ).map(({ id, name }) => [id, name]),
    )
    const nameOf = (id: number): string => names.get(id) ?? ''
    return {
      people: (await peopleIn(db, [groupId])).get(groupId) ?? 0,
      loses: differing.filter((id) => above.has(id)).map(nameOf),
      gains: differing.filter((id) => then.has(id)).map(nameOf),
    }
  },

  async moveGroup(context, { groupId, parentId: given, beforeId }) {
    const { tx } = context
    const actor = actorOf(context)
    const parentId = await groupFor(tx, actor, given, 'departments')
    await groupFor(tx, actor, groupId, 'departments')
    const rowOf = await lockDepartments(tx, [groupId, parentId])
    const row = rowOf(groupId)
    const parent = rowOf(parentId)
    if (row.parent_id === null) return fail('noPermission', 'company')
    // The parent of a part's top department is outside the administrator's part.
    if (!isIn(partOf(actor, 'departments'), row.parent_id)) return fail('noPermission', 'groupId')
    const below = await groupsBelow(tx, groupId)
    if (below.includes(parentId)) return fail('moveIntoSubfolder')
    const before = { parentId: row.parent_id, beforeId: await nextOf(tx, row) }
    if (row.parent_id !== parentId) {
      await assertFree(tx, parentId, named(row.name).key, groupId)
      await tx.updateTable('org_group').set({ parent_id: parentId }).where('id', '=', groupId).execute()
      context.changed({ kind: 'group', change: { groupId, name: row.name, what: 'moved' } })
      await membershipChanged(context, await membersOf(tx, below))
    }
    await order(tx, parentId, groupId, beforeId)
    context.audit({ groupId, name: row.name, to: parent.name })
    return before
  },

  async mergeGroup(context, { groupId, intoId: given }) {
    const { tx } = context
    const intoId = await groupOrRoot(tx, given)
    if (groupId === intoId) return fail('sameFolder')
    const rowOf = await lockDepartments(tx, [groupId, intoId])
    const row = rowOf(groupId)
    const into = rowOf(intoId)
    if (row.parent_id === null) return fail('noPermission', 'company')
    if ((await groupsBelow(tx, groupId)).includes(intoId)) return fail('moveIntoSubfolder')
    const clash = await sql`
      select 1 from org_group a join org_group b on b.name_key = a.name_key
      where a.parent_id = ${groupId} and b.parent_id = ${intoId} and b.id <> ${groupId} limit 1`.execute(tx)
    if (clash.rows.length > 0) return fail('alreadyExists')
    const members = await membersOf(tx, await groupsBelow(tx, groupId))
    // The name is released first: a child department may have the same name.
    await sql`update org_group set name_key = name_key || '/' || id where id = ${groupId}`.execute(tx)
    await sql`update org_group set parent_id = ${intoId} where parent_id = ${groupId}`.execute(tx)
    await sql`update account set group_id = ${intoId} where group_id = ${groupId}`.execute(tx)
    await sql`
      insert into membership (account_id, group_id)
      select account_id, ${intoId}::bigint from membership where group_id = ${groupId}
      on conflict do nothing`.execute(tx)
    await sql`
      delete from membership o using account a
      where a.id = o.account_id and a.group_id = o.group_id and o.group_id = ${intoId}`.execute(tx)
    await sql`delete from org_group where id = ${groupId}`.execute(tx)
    context.changed({ kind: 'group', change: { groupId, name: row.name, what: 'merged', into: intoId } })
    await membershipChanged(context, members)
    context.audit({ groupId, from: row.name, to: into.name, members: members.length })
    return { people: members.length }
  },

  async setGroupManagers(context, { groupId: given, userIds }) {
    const { tx } = context
    const groupId = await groupOrRoot(tx, given)
    const row = (await lockDepartments(tx, [groupId]))(groupId)
    const wanted = new Set(userIds)
    const known = await tx
      .selectFrom('account')
      .select('id')
      .where('id', 'in', [0, ...wanted])
      .execute()
    if (known.length !== wanted.size) return fail('notFound', 'userIds')
    const { rows } = await sql<{ account_id: number }>`
      select account_id from group_manager where group_id = ${groupId}`.execute(tx)
    const had = new Set(rows.map(({ account_id }) => account_id))
    const added = [...wanted].filter((id) => !had.has(id))
    const removed = [...had].filter((id) => !wanted.has(id))
    await sql`delete from group_manager where group_id = ${groupId} and account_id = any(${removed})`.execute(tx)
    await sql`
      insert into group_manager (group_id, account_id)
      select ${groupId}::bigint, unnest(${added}::bigint[])`.execute(tx)
    context.changed({ kind: 'group', change: { groupId, name: row.name, what: 'managers', added, removed } })
    if (added.length + removed.length > 0) context.event({ kind: 'refetch', accountIds: [...added, ...removed] })
    context.audit({ groupId, name: row.name, managers: JSON.stringify([...wanted]) })
    return {}
  },
}
