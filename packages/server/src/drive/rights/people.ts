/*
 * Computes the rights of all users on an item at once. Users who match the same entries have the same rights.
 * PostgreSQL therefore groups users by their matching entries, and the evaluator runs once per group, whatever its
 * size.
 */
import { type EntryInForce, type Rights, type RightsState, rightsOf, type Subjects } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import { peopleKnownTo, type Relations, relationsAt } from '../../people/organisation/index.ts'
import { keyOf } from './change.ts'

/** Users who match the same subjects: their number, and the first of them by name. */
export interface Alike {
  readonly subjects: Subjects
  readonly people: number
  readonly first: readonly number[]
}

type Subject = Pick<EntryInForce, 'subjectType' | 'subjectId'>

/** The distinct subjects, in the order in which the statements below number them. */
export function distinct(entries: readonly Subject[]): Subject[] {
  return [...new Map(entries.map((entry) => [keyOf(entry), entry])).values()]
}

/**
 * Common table expressions for a `with recursive`: `person` holds for each account the numbers of the subjects that it
 * is or belongs to.
 */
export function membersOf(
  subjects: readonly Subject[],
  rel: Relations = relationsAt(undefined),
  name = '',
): RawBuilder<unknown>[] {
  const asked = JSON.stringify(
    subjects.map(({ subjectType, subjectId }, n) => ({ n, type: subjectType, id: subjectId })),
  )
  const called = (table: string): RawBuilder<unknown> => sql.raw(table + name)
  const [subject, below, member] = [called('subject'), called('below'), called('member')]
  return [
    ...rel.before,
    sql`${subject} as (select * from jsonb_to_recordset(${asked}::jsonb) as s (n int, type text, id bigint))`,
    sql`${below} as (
      select n, id as group_id from ${subject} where type = 'group'
      union select s.n, r.group_id from ${subject} s join ${rel.roleGroups} r on r.role_id = s.id where s.type = 'role'
      union select b.n, g.id from ${below} b join ${rel.groups} g on g.parent_id = b.group_id)`,
    sql`${member} as (
      select n, id as account_id from ${subject} where type = 'user'
      union select b.n, m.account_id from ${below} b join ${rel.members} m on m.group_id = b.group_id
      union select s.n, r.account_id from ${subject} s join ${rel.roleAccounts} r on r.role_id = s.id
        where s.type = 'role'
      union select s.n, t.account_id from ${subject} s join ${rel.roleTitles} t on t.role_id = s.id
        where s.type = 'role')`,
    sql`${called('person')} as (
      select m.account_id, array_agg(m.n order by m.n) as ns
      from ${member} m join account a on a.id = m.account_id and a.state <> 'disabled' group by m.account_id)`,
  ]
}

/** A user's subjects, limited to the given ones. */
export function subjectsOf(all: readonly Subject[], ns: readonly number[]): Subjects {
  const mine = ns.flatMap((n) => all[n] ?? [])
  const idsOf = (type: Subject['subjectType']): number[] =>
    mine.filter(({ subjectType }) => subjectType === type).map(({ subjectId }) => subjectId)
  return { userId: idsOf('user')[0] ?? 0, groupIds: new Set(idsOf('group')), roleIds: new Set(idsOf('role')) }
}

/** The ids of the users who are or belong to these subjects, without leavers, in the order of their names. */
export async function peopleAmong(db: Db, subjects: readonly Subject[], most: number): Promise<number[]> {
  const all = distinct(subjects)
  if (all.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    with recursive ${sql.join(membersOf(all))}
    select a.id from person p join account a on a.id = p.account_id order by a.name_sort, a.id limit ${most}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** The number of users in each of these departments and roles. */
export async function countPeople(db: Db, subjects: readonly Subject[]): Promise<Map<string, number>> {
  const all = distinct(subjects)
  if (all.length === 0) return new Map()
  const { rows } = await sql<{ n: number; people: number }>`
    with recursive ${sql.join(membersOf(all))}
    select u.n, count(*)::int as people from person p cross join lateral unnest(p.ns) as u (n) group by u.n`.execute(db)
  const counted = new Map(rows.map(({ n, people }) => [n, people]))
  return new Map(all.map((subject, n) => [keyOf(subject), counted.get(n) ?? 0]))
}

/** The subjects on which the rights of a user in these states depend. */
export function subjectsIn(...states: readonly RightsState[]): Subject[] {
  // The creator of an item in a restricted folder has rights that others with the same entries do not have.
  const creators = states.flatMap(({ onlyFor }): Subject[] =>
    onlyFor === undefined ? [] : [{ subjectType: 'user', subjectId: onlyFor }],
  )
  return distinct([...states.flatMap(({ inForce }) => inForce), ...creators])
}

/**
 * The groups of users whom the states concern, without the users in `but`. Their first users are named only if the
 * caller may know of them.
 */
export async function kindsOfPeople(
  db: Db,
  states: readonly RightsState[],
  but: readonly number[],
  most: number,
  by: Account,
): Promise<Alike[]> {
  const all = subjectsIn(...states)
  if (all.length === 0) return []
  const { rows } = await sql<{ ns: number[]; people: number; first: number[] }>`
    with recursive ${sql.join(membersOf(all))}
    select p.ns, count(*)::int as people, to_json(coalesce((array_agg(a.id order by a.name_sort, a.id)
      filter (where ${peopleKnownTo(by)}))[1:${most}], '{}')) as first
    from person p join account a on a.id = p.account_id
    where p.account_id <> all(${[...but]}) group by p.ns order by p.ns`.execute(db)
  return rows.map(({ ns, people, first }) => ({ subjects: subjectsOf(all, ns), people, first }))
}

/**
 * A page of the users who are managers or whose rights pass the filter, and their total number. Only users whom the
 * caller may know of are listed.
 */
export async function peopleWith(
  db: Db,
  state: RightsState,
  managers: readonly number[],
  by: Account,
  options: { readonly printRights: boolean; readonly passes: (rights: Rights) => boolean },
  page: { readonly from: number; readonly rows: number },
): Promise<{
  list: { userId: number; accountName: string; groupName: string; rights: Rights; isManager: boolean }[]
  total: number
}> {
  const all = subjectsIn(state)
  const alike = await kindsOfPeople(db, [state], managers, 0, by)
  const maskOf = (subjects: Subjects): Rights =>
    rightsOf(state, subjects, { printRights: options.printRights, isManager: false }).rights
  const some = alike.filter(({ subjects }) => options.passes(maskOf(subjects)))
  const shown = some.map(({ subjects }) => all.flatMap((one, n) => (isOne(subjects, one) ? [n] : [])))
  const { rows } = await sql<{
    userId: number
    accountName: string
    groupName: string
    ns: number[] | null
    total: number
  }>`
    with recursive ${sql.join(membersOf(all))}, wanted as (
      select account_id, to_json(ns) as ns from person where account_id <> all(${[...managers]})
        and to_jsonb(ns) in (select value from jsonb_array_elements(${JSON.stringify(shown)}::jsonb))
      union all select unnest(${[...managers]}::bigint[]), null
    )
    select a.id as "userId", a.name as "accountName", g.name as "groupName", w.ns, count(*) over ()::int as total
    from wanted w join account a on a.id = w.account_id join org_group g on g.id = a.group_id
    where ${peopleKnownTo(by)} order by w.ns is not null, a.name_sort, a.id limit ${page.rows} offset ${page.from}`.execute(
    db,
  )
  return {
    list: rows.map(({ ns, total: _, ...person }) => ({
      ...person,
      isManager: ns === null,
      rights:
        ns === null
          ? rightsOf(state, subjectsOf([], []), { printRights: options.printRights, isManager: true }).rights
          : maskOf(subjectsOf(all, ns)),
    })),
    total: rows[0]?.total ?? 0,
  }
}

function isOne({ userId, groupIds, roleIds }: Subjects, { subjectType, subjectId }: Subject): boolean {
  if (subjectType === 'user') return userId === subjectId
  return (subjectType === 'group' ? groupIds : roleIds).has(subjectId)
}
