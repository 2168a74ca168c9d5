// The company directory for all users: search, and lists by department and role ([R347], [R348]).
import type { Answer, features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import { actorOf } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import { likeAnywhere, searchWords } from '../../core/text-keys.ts'
import { pathsOf } from './departments.ts'
import { groupOrRoot } from './group-ids.ts'
import { matchesWord } from './names.ts'
import { holders } from './roles.ts'
import { partOf } from './scope.ts'

type Calls = typeof features.people.calls
type Item = Answer<Calls['searchItem2']>['list'][number]
type Person = Answer<Calls['getUserInfo']>

/** Number of matching departments and roles listed beside the people, so that people are still visible. */
const maxGroupsAndRoles = 10

const administers = ({ powers }: Account): boolean => powers.includes('system')

/**
 * The part of the company a user may see. A user who may not see the whole company sees the people of their own
 * departments, the ancestors of those departments, and their own roles. Everything else is answered as absent.
 */
interface Sight {
  /** Condition on `account a`. */
  readonly people: RawBuilder<unknown>
  /** Condition on a department as `g`, and on a role as `g`. */
  readonly groups: RawBuilder<unknown>
  readonly roles: RawBuilder<unknown>
  readonly seesGroup: (groupId: number) => boolean
  readonly seesRole: (roleId: number) => boolean
}

function sightOf(actor: Account): Sight {
  const { accountId, capabilities, powers, subjects } = actor
  if (capabilities.has('companyTree') || powers.some((power) => power !== 'department'))
    return { people: sql`true`, groups: sql`true`, roles: sql`true`, seesGroup: () => true, seesRole: () => true }
  const own = sql`(
    select group_id from account where id = ${accountId} union select group_id from membership where account_id = ${accountId})`
  const part = partOf(actor) ?? new Set()
  return {
    people: sql`(a.group_id in ${own} or a.id in (select account_id from membership where group_id in ${own})
      or a.group_id = any(${[...part]}))`,
    groups: sql`g.id = any(${[...subjects.groupIds, ...part]})`,
    roles: sql`g.id = any(${[...subjects.roleIds]})`,
    seesGroup: (groupId) => subjects.groupIds.has(groupId) || part.has(groupId),
    seesRole: (roleId) => subjects.roleIds.has(roleId),
  }
}

/**
 * Narrows the directory that the caller may see to accounts of at least a secret level ([R233]). A level above the
 * caller's own counts as the caller's own, so the filter does not reveal who has a higher one.
 */
function atLeast(sight: Sight, level: number, { secretLevel }: Account): Sight {
  const asked = Math.min(level, secretLevel)
  return asked === 0 ? sight : { ...sight, people: sql`(${sight.people} and a.secret_level >= ${asked})` }
}

/** The condition on `account a` for the people the user may see. */
export const peopleKnownTo = (actor: Account): RawBuilder<unknown> => sightOf(actor).people

/** A subject that can be granted something: a person, a department or a role. */
export interface Subject {
  readonly subjectType: 'user' | 'group' | 'role'
  readonly subjectId: number
}

/** Filters subjects to those that exist; leavers do not. */
export async function presentOf<S extends Subject>(db: Db, subjects: readonly S[]): Promise<S[]> {
  const idsOf = (type: Subject['subjectType']): number[] =>
    subjects.filter(({ subjectType }) => subjectType === type).map(({ subjectId }) => subjectId)
  const { rows } = await sql<{ type: Subject['subjectType']; id: number }>`
    select 'user' as type, id from account where id = any(${idsOf('user')}) and state <> 'disabled'
    union all select 'group', id from org_group where id = any(${idsOf('group')})
    union all select 'role', id from role where id = any(${idsOf('role')})`.execute(db)
  const there = new Set(rows.map(({ type, id }) => `${type}:${id}`))
  return subjects.filter(({ subjectType, subjectId }) => there.has(`${subjectType}:${subjectId}`))
}

/** Filters subjects to those the user may see. */
export async function knownOf<S extends Subject>(db: Db, actor: Account, subjects: readonly S[]): Promise<S[]> {
  const sight = sightOf(actor)
  const people = subjects.filter(({ subjectType }) => subjectType === 'user').map(({ subjectId }) => subjectId)
  const { rows } = await sql<{ id: number }>`
    select a.id from account a where a.id = any(${people}) and (a.id = ${actor.accountId} or ${sight.people})`.execute(
    db,
  )
  const seen = new Set(rows.map(({ id }) => id))
  const sees = { user: (id: number) => seen.has(id), group: sight.seesGroup, role: sight.seesRole }
  return subjects.filter(({ subjectType, subjectId }) => sees[subjectType](subjectId))
}

/** Leavers are hidden except from administrators. */
const present = (actor: Account): RawBuilder<unknown> => (administers(actor) ? sql`true` : sql`a.state <> 'disabled'`)

function trimmed({ secretLevel, state, isAdmin, ...person }: Required<Person>, actor: Account): Person {
  return administers(actor) ? { ...person, secretLevel, state, isAdmin } : person
}

const personColumns = sql`
  a.id as "userId", a.account, a.name as "accountName", a.group_id as "groupId", g.name as "groupName",
  a.secret_level as "secretLevel", a.state, a.is_admin as "isAdmin"`

interface Found {
  readonly id: number
  readonly name: string
  readonly account: string
  readonly title: string
  readonly groupName: string
}

const asItem = ({ title, ...person }: Found): Item => ({ type: 'user', ...person, ...(title === '' ? {} : { title }) })

/** People that match a condition on `account a`, ordered by name. */
async function peopleWhere(db: Db, condition: RawBuilder<unknown>, most: number, from = 0): Promise<Item[]> {
  // The page is found by indexes only. Display data is read only for the people on it.
  const { rows } = await sql<Found>`
    select a.id, a.name, a.account, a.title, g.name as "groupName"
    from (
      select a.id from account a where a.state <> 'disabled' and ${condition}
      order by a.name_sort, a.id limit ${most} offset ${from}
    ) page join account a on a.id = page.id join org_group g on g.id = a.group_id
    order by a.name_sort, a.id`.execute(db)
  return rows.map(asItem)
}

const ofPerson = (word: string): RawBuilder<unknown> => matchesWord('a', word)

/** People who match all words. Each word must match the person or their department, and at least one the person. */
async function peopleBy(db: Db, sight: Sight, words: readonly string[], most: number): Promise<Item[]> {
  if (words.length < 2) return peopleWhere(db, sql.join([sight.people, ...words.map(ofPerson)], sql` and `), most)
  const parts: RawBuilder<unknown>[] = [sight.people, sql`(${sql.join(words.map(ofPerson), sql` or `)})`]
  for (const word of words) {
    const { rows } = await sql<{ id: number }>`
      select id from org_group g where ${matchesWord('g', word)}`.execute(db)
    const groups = rows.map(({ id }) => id)
    parts.push(groups.length === 0 ? ofPerson(word) : sql`(${ofPerson(word)} or a.group_id = any(${groups}))`)
  }
  return peopleWhere(db, sql.join(parts, sql` and `), most)
}

/** Departments or roles by name. Those the user may not see do not count against the limit. */
async function namedBy(
  db: Db,
  sight: Sight,
  type: 'group' | 'role',
  words: readonly string[],
  most: number,
): Promise<Item[]> {
  const isGroup = type === 'group'
  const [table, order] = isGroup ? (['org_group', 'name_sort'] as const) : (['role', 'name'] as const)
  // There are few roles, so a scan is enough.
  const parts = words.map((word) => (isGroup ? matchesWord('g', word) : sql`g.search_text like ${likeAnywhere(word)}`))
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from ${sql.table(table)} g
    where ${sql.join([isGroup ? sight.groups : sight.roles, ...parts], sql` and `)}
    order by ${sql.ref(order)}, id limit ${most}`.execute(db)
  if (type === 'role') return rows.map((row) => ({ type, ...row }))
  const ids = rows.map(({ id }) => id)
  const paths = ids.length === 0 ? new Map<number, { path: string }>() : await pathsOf(db, ids)
  return rows.map((row) => {
    const above = paths.get(row.id)?.path.split(' / ').slice(0, -1).join(' / ') ?? ''
    return { type, ...row, ...(above === '' ? {} : { path: above }) }
  })
}

type Names = 'searchItem2' | 'getSubItemList' | 'getAllAccount' | 'getRoleList' | 'getUserInfo' | 'getGroupInfo'

export const directoryHandlers: Pick<Handlers<Calls>, Names> = {
  async searchItem2(context, { searchType, keyword, rows, secretLevel }) {
    const { db } = context
    const sight = atLeast(sightOf(actorOf(context)), secretLevel, actorOf(context))
    const words = searchWords(keyword)
    const beside = searchType === 'all' ? Math.min(maxGroupsAndRoles, Math.ceil(rows / 3)) : rows
    const list: Item[] = []
    for (const type of ['group', 'role'] as const)
      if (searchType === 'all' || searchType === type) list.push(...(await namedBy(db, sight, type, words, beside)))
    if (searchType === 'all' || searchType === 'user')
      list.push(...(await peopleBy(db, sight, words, rows - list.length)))
    return { list }
  },

  async getSubItemList(context, { parentType, parentId, from, rows, secretLevel }) {
    const { db } = context
    const sight = atLeast(sightOf(actorOf(context)), secretLevel, actorOf(context))
    if (parentType === 'role') {
      const role = await db.selectFrom('role').select('id').where('id', '=', parentId).executeTakeFirst()
      if (role === undefined || !sight.seesRole(parentId)) return fail('notFound', 'parentId')
      const having = sql`a.id = any(${[...(await holders(db, parentId))]})`
      return { list: await peopleWhere(db, sql`${having} and ${sight.people}`, rows, from) }
    }
    const groupId = await groupOrRoot(db, parentId)
    if (!sight.seesGroup(groupId)) return fail('notFound', 'groupId')
    const below = await db
      .selectFrom('org_group')
      .select(['id', 'name'])
      .where('parent_id', '=', groupId)
      .orderBy('place')
      .orderBy('name_sort')
      .orderBy('id')
      .execute()
    const groups = below.filter(({ id }) => sight.seesGroup(id))
    const shown = groups.slice(from, from + rows).map((group): Item => ({ type: 'group', ...group }))
    const others = sql`a.id in (select account_id from membership where group_id = ${groupId})`
    const { rows: more } = await sql`select 1 from membership where group_id = ${groupId} limit 1`.execute(db)
    const inGroup = more.length === 0 ? sql`a.group_id = ${groupId}` : sql`(a.group_id = ${groupId} or ${others})`
    const members =
      shown.length < rows
        ? await peopleWhere(
            db,
            sql`${inGroup} and ${sight.people}`,
            rows - shown.length,
            Math.max(0, from - groups.length),
          )
        : []
    return { list: [...shown, ...members] }
  },

  async getAllAccount(context, { from, rows }) {
    const { db } = context
    const actor = actorOf(context)
    const { rows: page } = await sql<Required<Person>>`
      select ${personColumns} from account a join org_group g on g.id = a.group_id
      where ${present(actor)} and ${sightOf(actor).people} order by a.name_sort, a.id limit ${rows} offset ${from}`.execute(
      db,
    )
    const { rows: counted } = await sql<{ total: number }>`
      select count(*)::int as total from account a where ${present(actor)} and ${sightOf(actor).people}`.execute(db)
    return { list: page.map((person) => trimmed(person, actor)), total: counted[0]?.total ?? 0 }
  },

  async getRoleList(context) {
    const sight = sightOf(actorOf(context))
    const list = await context.db
      .selectFrom('role')
      .select(['id as roleId', 'name as roleName'])
      .orderBy('id')
      .execute()
    return { list: list.filter(({ roleId }) => sight.seesRole(roleId)) }
  },

  async getUserInfo(context, { accountId }) {
    const actor = actorOf(context)
    const { rows } = await sql<Required<Person>>`
      select ${personColumns} from account a join org_group g on g.id = a.group_id
      where a.id = ${accountId} and ${present(actor)} and (a.id = ${actor.accountId} or ${sightOf(actor).people})`.execute(
      context.db,
    )
    const person = rows[0] ?? fail('notFound')
    return trimmed(person, actor)
  },

  async getGroupInfo(context, { groupId }) {
    const group = await context.db
      .selectFrom('org_group as g')
      .leftJoin('library as l', 'l.group_id', 'g.id')
      .select(['g.id', 'g.name', 'g.parent_id', 'l.id as library_id'])
      .where('g.id', '=', await groupOrRoot(context.db, groupId))
      .executeTakeFirst()
    if (group === undefined || !sightOf(actorOf(context)).seesGroup(group.id)) return fail('notFound')
    return {
      groupId: group.id,
      groupName: group.name,
      parentId: group.parent_id ?? 0,
      // The id of the library is hidden, as the caller may not see the library.
      libraryId: administers(actorOf(context)) ? (group.library_id ?? 0) : 0,
    }
  },
}
