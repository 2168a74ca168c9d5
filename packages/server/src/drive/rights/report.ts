/*
 * The access report: who can see an item and what a user can see, with the reasons, now or at a past moment. The same
 * evaluator runs on historical rows: entries from the history of each item, and the memberships of departments, roles
 * and libraries at that time. Items moved since then are evaluated at their current location.
 */
import type { Answer, features } from '@cloudoc/contract'
import {
  explainRights,
  fail,
  groupOf,
  hasRight,
  type Rights,
  type RightsEntry,
  type RightsState,
  rights,
  rightsOf,
  rightsStateAt,
  type Subjects,
  secretLevelNow,
} from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import type { LevelBefore } from '../../core/events.ts'
import { likeAnywhere, searchWords } from '../../core/text-keys.ts'
import { belongingOf, relationsAt } from '../../people/organisation/index.ts'
import { nameMatches } from '../tree/index.ts'
import { managersOf } from './audience.ts'
import { assertEntries, changed, keyOf, levelsOf, namesOf } from './change.ts'
import { effectOf, stepsOf } from './insight.ts'
import { type ItemLevel, loadLevels } from './levels.ts'
import { membersOf, subjectsIn, subjectsOf } from './people.ts'

type Calls = typeof features.rights.calls
type Names = 'findReportItems' | 'getAccessReport' | 'getPersonReport' | 'whatIfShared'
type ReportRow = Answer<Calls['findReportItems']>['list'][number]

/** Maximum number of items that the report checks: those with an entry for the user, where access could begin. */
const mostStarts = 3000

interface ReportItem {
  readonly id: number
  readonly fType: 1 | 2
  readonly libraryId: number
  readonly isLibrary: boolean
  readonly secretLevel: number
  readonly secretUntil: number | null
}

const itemColumns = sql`i.id, i.f_type as "fType", i.library_id as "libraryId", i.parent_id is null as "isLibrary",
  i.secret_level as "secretLevel", i.secret_until as "secretUntil"`

/** Existing items that match the condition, regardless of who may see them. */
async function itemsWhere(db: Db, condition: RawBuilder<unknown>, most: number): Promise<ReportItem[]> {
  const { rows } = await sql<ReportItem>`
    select ${itemColumns} from item i
    where ${condition} and i.deleted_at is null and not i.purged and i.link_to is null
    order by i.parent_id is not null, i.f_type desc, i.name_sort, i.id limit ${most}`.execute(db)
  return rows
}

function reportRow({ id, fType }: ReportItem, levels: readonly ItemLevel[]): ReportRow {
  return {
    fType,
    fId: id,
    fName: levels.at(-1)?.name ?? '',
    pathString: levels
      .slice(0, -1)
      .map(({ name }) => name)
      .join('/'),
  }
}

const placeIn = (levels: readonly ItemLevel[]) => {
  const names = new Map(levels.map(({ itemId, name }) => [itemId, name]))
  return (id: number) => ({ folderId: id, fName: names.get(id) ?? '' })
}

/** The rights levels of the items at a moment: the first later change contains the state before it. */
async function levelsAt(
  db: Db,
  chains: ReadonlyMap<number, readonly ItemLevel[]>,
  at: number | undefined,
): Promise<Map<number, readonly ItemLevel[]>> {
  if (at === undefined) return new Map(chains)
  const ids = [...new Set([...chains.values()].flatMap((chain) => chain.map(({ itemId }) => itemId)))]
  const { rows } = await sql<{ itemId: number; before: LevelBefore }>`
    select distinct on (item_id) item_id as "itemId", before from rights_change
    where item_id = any(${ids}) and created_at > ${at} order by item_id, id`.execute(db)
  const before = new Map(rows.map((row) => [row.itemId, row.before]))
  return new Map(
    [...chains].map(([id, chain]) => [id, chain.map((level) => ({ ...level, ...before.get(level.itemId) }))]),
  )
}

/** The owners and managers of libraries at a moment. */
async function managersAt(db: Db, libraryIds: readonly number[], at: number): Promise<Map<number, Set<number>>> {
  const rel = relationsAt(at)
  const { rows } = await sql<{ library: number; account: number }>`
    with ${sql.join(rel.before)}
    select library_id as library, account_id as account from ${rel.libraries} l
    where library_id = any(${[...libraryIds]})`.execute(db)
  const found = new Map<number, Set<number>>()
  for (const { library, account } of rows) found.set(library, (found.get(library) ?? new Set()).add(account))
  return found
}

/** The rights data of an item at one moment, for all subjects. */
interface Moment {
  readonly at: number
  readonly levels: readonly ItemLevel[]
  readonly state: RightsState
  readonly managers: ReadonlySet<number>
}

function momentOf(levels: readonly ItemLevel[], managers: ReadonlySet<number> | undefined, at: number): Moment {
  return { at, levels, state: rightsStateAt(levels, at), managers: managers ?? new Set() }
}

/** The rights of a user at a moment; none for a user who does not see the item. */
function maskAt({ state }: Moment, subjects: Subjects, isManager: boolean, printRights: boolean): Rights {
  const { rights: mask } = rightsOf(state, subjects, { printRights, isManager })
  return hasRight(mask, 'display') ? mask : rights(0)
}

const ranks = ['full', 'edit', 'download', 'preview', 'custom'] as const
type Rank = (typeof ranks)[number]

function rankOf(mask: Rights, printRights: boolean): Rank {
  if (hasRight(mask, 'full')) return 'full'
  const group = groupOf(mask, { printRights })
  return group === 'invisible' ? 'custom' : group
}

/** Identifies users with equal subjects at both moments, by the subject numbers of the report's statements. */
type Key = readonly [
  then: readonly number[] | null,
  now: readonly number[] | null,
  managedThen: boolean,
  managesNow: boolean,
]

/** All users whom the entries concern at either moment, with their key. */
function everyone(then: Moment, now: Moment, past: number | undefined): RawBuilder<unknown> {
  const rel = relationsAt(past)
  return sql`
    with recursive ${sql.join([
      ...membersOf(subjectsIn(then.state), rel, '_then'),
      ...membersOf(subjectsIn(now.state), relationsAt(undefined), '_now'),
      sql`who as (
        select account_id as id from person_then union select account_id from person_now
        union select unnest(${[...then.managers, ...now.managers]}::bigint[]))`,
      sql`everyone as (
        select w.id, jsonb_build_array(t.ns, n.ns, w.id = any(${[...then.managers]}::bigint[]),
          w.id = any(${[...now.managers]}::bigint[])) as key
        from who w join account a on a.id = w.id and a.state <> 'disabled'
          left join person_then t on t.account_id = w.id left join person_now n on n.account_id = w.id)`,
    ])}`
}

/** SQL filter on users whose name, account or department contains each of the terms. */
function peopleNamed(keyword: string): RawBuilder<unknown> {
  const each = searchWords(keyword).map((word) => {
    const pattern = likeAnywhere(word)
    return sql`(a.search_text like ${pattern} or g.search_text like ${pattern})`
  })
  return sql.join([sql`true`, ...each], sql` and `)
}

/** The item of a report; fails if it is deleted. */
async function itemOf(db: Db, input: { fileId?: number | undefined; folderId?: number | undefined }) {
  const [id, fType] = input.fileId === undefined ? [input.folderId ?? 0, 2] : [input.fileId, 1]
  const [found] = await itemsWhere(db, sql`i.id = ${id} and i.f_type = ${fType}`, 1)
  return found ?? fail('notFound')
}

export const reportHandlers: Pick<Handlers<Calls>, Names> = {
  async findReportItems({ db }, { keyword, parentId, rows }) {
    const condition =
      keyword.trim() === ''
        ? parentId === 0
          ? sql`i.parent_id is null`
          : sql`i.parent_id = ${parentId}`
        : sql.join(nameMatches(keyword), sql` and `)
    const items = await itemsWhere(db, condition, rows)
    const chains = await loadLevels(
      db,
      items.map(({ id }) => id),
    )
    return { list: items.map((item) => reportRow(item, chains.get(item.id) ?? [])) }
  },

  async getAccessReport(context, { at, keyword, group, differs, from, rows: most, ...input }) {
    const { tx, now } = context
    const past = at === undefined || at >= now ? undefined : at
    const item = await itemOf(tx, input)
    const levels = await levelsOf(tx, item.id)
    const before = (await levelsAt(tx, new Map([[item.id, levels]]), past)).get(item.id) ?? levels
    const managers = (await managersOf(tx, [item.libraryId])).get(item.libraryId)
    const managed = past === undefined ? managers : (await managersAt(tx, [item.libraryId], past)).get(item.libraryId)
    const [then, today] = [momentOf(before, managed, past ?? now), momentOf(levels, managers, now)]
    const { printRights, level } = viewOf(actorOf(context), item, now)
    const [thenSubjects, nowSubjects] = [subjectsIn(then.state), subjectsIn(today.state)]

    const { rows: kinds } = await sql<{ key: Key; people: number }>`
      ${everyone(then, today, past)} select key, count(*)::int as people from everyone group by key`.execute(tx)
    const counts = { all: 0, full: 0, edit: 0, download: 0, preview: 0, custom: 0 }
    const since = { lost: 0, changed: 0 }
    const wanted = kinds.flatMap(({ key, people }) => {
      const [thenNs, nowNs, managedThen, managesNow] = key
      const subjects = subjectsOf(thenSubjects, thenNs ?? [])
      const had = maskAt(then, subjects, managedThen, printRights)
      if (had === 0) return []
      const has = maskAt(today, subjectsOf(nowSubjects, nowNs ?? []), managesNow, printRights)
      const rank = rankOf(had, printRights)
      counts.all += people
      counts[rank] += people
      if (has === 0) since.lost += people
      else if (has !== had) since.changed += people
      if ((group !== undefined && group !== rank) || (differs && has === had)) return []
      return [{ key, rank: ranks.indexOf(rank), had, has, subjects, isManager: managedThen }]
    })
    const { rows } = await sql<{
      userId: number
      accountName: string
      groupName: string
      secretLevel: number
      n: number
      total: number
    }>`
      ${everyone(then, today, past)}, wanted as (
        select (value ->> 'rank')::int as rank, value -> 'key' as key, (ordinality - 1)::int as n
        from jsonb_array_elements(${JSON.stringify(wanted.map(({ key, rank }) => ({ key, rank })))}::jsonb)
          with ordinality)
      select a.id as "userId", a.name as "accountName", g.name as "groupName", a.secret_level as "secretLevel", w.n,
        count(*) over ()::int as total
      from everyone e join wanted w on w.key = e.key join account a on a.id = e.id join org_group g on g.id = a.group_id
      where ${peopleNamed(keyword)} order by w.rank, a.name_sort, a.id limit ${most} offset ${from}`.execute(tx)
    const named = await namesOf(tx, [...then.state.inForce, ...before.flatMap((one) => one.entries)])
    context.audit({ itemId: item.id, at: past ?? null })
    return {
      item: reportRow(item, levels),
      at: past ?? now,
      counts,
      since,
      list: rows.flatMap(({ n, secretLevel, total: _, ...person }) => {
        const kind = wanted[n]
        if (kind === undefined) return []
        const { had, has, subjects, isManager } = kind
        const { reasons } = explainRights(before, subjects, { printRights, isManager, now: then.at })
        const told = { named, place: placeIn(levels), isOwner: false }
        const belowLevel = secretLevel < level
        return [{ ...person, rights: had, isManager, belowLevel, steps: stepsOf(reasons, told), now: has }]
      }),
      total: rows[0]?.total ?? 0,
    }
  },

  async getPersonReport(context, { userId, at, keyword, from, rows: most }) {
    const { tx, now } = context
    const past = at === undefined || at >= now ? undefined : at
    const person = await personOf(tx, userId)
    const [then, today] = [await subjectsAt(tx, userId, past), await subjectsAt(tx, userId, undefined)]
    const items = await startsOf(context, userId, [then, today], past, keyword)
    const chains = await loadLevels(
      tx,
      items.map(({ id }) => id),
    )
    const before = await levelsAt(tx, chains, past)
    const libraries = [...new Set(items.map(({ libraryId }) => libraryId))]
    const managers = libraries.length === 0 ? new Map<number, Set<number>>() : await managersOf(tx, libraries)
    const managed = past === undefined ? managers : await managersAt(tx, libraries, past)
    const actor = actorOf(context)
    const { printRights } = viewOf(actor, undefined, now)
    const starts = items.flatMap((item) => {
      const [levels, levelsBefore] = [chains.get(item.id) ?? [], before.get(item.id) ?? []]
      const isManager = managed.get(item.libraryId)?.has(userId) === true
      const managesNow = managers.get(item.libraryId)?.has(userId) === true
      const had = atMoment(levelsBefore, then, isManager, past ?? now)
      const has = atMoment(levels, today, managesNow, now)
      // A library where no entry concerns the user is not listed.
      if (had === 0 && has === 0 && item.isLibrary) return []
      return [{ item, levels, levelsBefore, isManager, had, has }]
    })
    function atMoment(levels: readonly ItemLevel[], subjects: Subjects, isManager: boolean, moment: number): Rights {
      return maskAt(momentOf(levels, undefined, moment), subjects, isManager, printRights)
    }
    const page = starts.slice(from, from + most)
    const named = await namesOf(
      tx,
      page.flatMap(({ levelsBefore }) => levelsBefore.flatMap(({ entries }) => entries)),
    )
    context.audit({ userId, at: past ?? null })
    return {
      userId,
      accountName: person.name,
      groupName: person.groupName,
      at: past ?? now,
      list: page.map(({ item, levels, levelsBefore, isManager, had, has }) => {
        const { reasons } = explainRights(levelsBefore, then, { printRights, isManager, now: past ?? now })
        return {
          item: reportRow(item, levels),
          isLibrary: item.isLibrary,
          rights: had,
          isManager,
          belowLevel: person.secretLevel < viewOf(actor, item, now).level,
          steps: stepsOf(reasons, { named, place: placeIn(levels), isOwner: false }),
          now: has,
        }
      }),
      total: starts.length,
    }
  },

  async whatIfShared(context, { inherit, entries, ...input }) {
    const { db, now } = context
    const actor = actorOf(context)
    const item = await itemOf(db, input)
    const levels = await levelsOf(db, item.id)
    await assertEntries(db, actor, entries, levels, now)
    const own = levels.at(-1) ?? fail('notFound')
    const instead = new Set(entries.map(keyOf))
    const kept = own.entries.filter((entry) => entry.kind === 'application' || !instead.has(keyOf(entry)))
    const given = entries.flatMap((entry): RightsEntry[] =>
      entry.rights === 0 ? [] : [{ ...entry, kind: 'independent', expireTime: null }],
    )
    const to = { inherit: inherit ?? own.inherit, restricted: own.restricted, entries: [...kept, ...given] }
    const managers = (await managersOf(db, [item.libraryId])).get(item.libraryId) ?? new Set<number>()
    const { printRights } = viewOf(actor, item, now)
    const [before, after] = [rightsStateAt(levels, now), rightsStateAt(changed(levels, to).after, now)]
    return effectOf(db, { before, after, managers, printRights, by: actor })
  },
}

/** The print rights setting, and the item's current secret level. */
function viewOf({ settings }: Account, item: ReportItem | undefined, now: number) {
  return {
    printRights: settings.setting.print_rights,
    level: item === undefined ? 0 : secretLevelNow(item.secretLevel, item.secretUntil, now),
  }
}

async function personOf(db: Db, userId: number) {
  const { rows } = await sql<{ name: string; groupName: string; secretLevel: number }>`
    select a.name, g.name as "groupName", a.secret_level as "secretLevel"
    from account a join org_group g on g.id = a.group_id where a.id = ${userId}`.execute(db)
  return rows[0] ?? fail('notFound', 'userId')
}

/** A user's departments and roles at the given time. */
async function subjectsAt(db: Db, userId: number, at: number | undefined): Promise<Subjects> {
  const { rows } = await belongingOf(userId, relationsAt(at)).execute(db)
  const idsOf = (kind: 'group' | 'role') => new Set(rows.filter((row) => row.kind === kind).map(({ id }) => id))
  return { userId, groupIds: idsOf('group'), roleIds: idsOf('role') }
}

/**
 * The items at which a user's rights start, at either moment: libraries, and items with entries for any of the user's
 * subjects.
 */
async function startsOf(
  { tx }: WriteContext,
  userId: number,
  moments: readonly Subjects[],
  past: number | undefined,
  keyword: string,
): Promise<ReportItem[]> {
  const groups = moments.flatMap(({ groupIds }) => [...groupIds])
  const roles = moments.flatMap(({ roleIds }) => [...roleIds])
  const concerns = (type: RawBuilder<unknown>, id: RawBuilder<unknown>) => sql`(
    (${type} = 'user' and ${id} = ${userId}) or (${type} = 'group' and ${id} = any(${groups}::bigint[]))
    or (${type} = 'role' and ${id} = any(${roles}::bigint[])))`
  const history =
    past === undefined
      ? sql``
      : sql`union select c.item_id from rights_change c cross join lateral jsonb_array_elements(c.before -> 'entries') e
          where c.created_at > ${past} and ${concerns(sql`e ->> 'subjectType'`, sql`(e ->> 'subjectId')::bigint`)}`
  const named = nameMatches(keyword)
  const of = sql`i.id in (
    select id from library where owner_id = ${userId}
    union select library_id from library_manager where account_id = ${userId}
    union select e.item_id from entry e where ${concerns(sql`e.subject_type`, sql`e.subject_id`)} ${history})`
  return itemsWhere(tx, sql.join([of, ...named], sql` and `), mostStarts)
}
