/*
 * Finding items by name: part of the name, its pinyin or its initials ([R240]), the newest change first, in the libraries
 * that hold anything for the caller; each hit is checked by the exact evaluator before it is answered, so an index can
 * hide a hit, never show one.
 *
 * A search runs through two sets. What changed since the index was last brought up to date is read as it is, item by
 * item; it is little. Everything else is read from `search_item` in windows of numbers from the newest down. The first
 * window is so small that it is read in a row; what it holds tells how wide the next one should be, so that neither a
 * word that every tenth name holds nor one that a single name holds costs more where there are more names.
 */
import { type ItemRecord, searchCalls } from '@cloudoc/contract'
import { denial, fail, gates, isVirtualFolder } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Access, ItemRow, Library, PathLink } from '../../core/access.ts'
import type { Actor } from '../../core/actor.ts'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import {
  type Above,
  aboveChildrenOf,
  accessTo,
  accessToMany,
  factsBelow,
  itemColumns,
  ownEntries,
  peopleOf,
  recordOf,
  toRecord,
  unpackEntries,
  virtualParentOf,
} from '../tree/index.ts'
import { librarySign, readWords, type Words, windowsBelow } from './words.ts'

export { indexAllNames, rebuildNames } from './index-names.ts'

const batchSize = 200
/** How many matching rows one call looks at: what a person may not see costs no more than this. */
const mostLookedAt = 10_000
/** How many numbers the first window has, and by how much a window may be wider than the one before. */
const firstWindow = 1024
const mostWider = 64
/** How many matching rows a window is expected to hold at most. */
const mostInWindow = 2000
/** Who is named in more places than this sees so much that the libraries are not worth telling apart. */
const mostPlaces = 2000
/** With so few libraries the index is asked for them; with more, rows are. */
const fewLibraries = 16

type Candidate = ItemRow & { entries: Parameters<typeof unpackEntries>[0] }

/** Where a search goes on: among what changed of late, or among the numbered rows; both as they were when it began. */
type Place = { readonly newest: number } & (
  | { readonly among: 'changed'; readonly at: number; readonly id: number }
  | { readonly among: 'indexed'; readonly below: number }
)

interface Query {
  readonly db: Db
  readonly actor: Actor
  readonly now: number
  readonly words: Words
  /** Undefined for all. */
  readonly libraries: readonly number[] | undefined
  readonly isInScope: (library: Library, path: readonly PathLink[]) => boolean
  /** The folders that hits lie in, each loaded once; undefined where a folder or one above it is deleted. */
  readonly parents: Map<number, Above | undefined>
  /** Folders whose items, unless they have rules of their own, the caller turned out not to see: not looked at again. */
  readonly closed: Set<number>
  /** Folders that hold no hit at all: deleted, or outside the folder that is searched. */
  readonly outside: Set<number>
}

/** What of the candidates is worth the exact evaluation. */
function worthALook({ actor, closed, outside }: Query): RawBuilder<unknown> {
  return sql`i.deleted_at is null and (i.parent_id is null or i.parent_id <> all(${[...outside]})) and (i.own_rules
    or i.created_by = ${actor.accountId} or i.parent_id is null or i.parent_id <> all(${[...closed]}))`
}

/** One batch of what changed since `newest` was the newest number, newest first. */
async function changed(query: Query, place: Extract<Place, { among: 'changed' }>): Promise<Candidate[]> {
  const { db, actor, words, libraries } = query
  const { rows } = await sql<Candidate>`
    select ${itemColumns}, ${peopleOf}, ${ownEntries(actor)} as entries
    from (
      select item_id from search_queue union select item_id from search_item where number > ${place.newest}
    ) c cross join lateral (select * from item where id = c.item_id offset 0) i
    where ${sql.join(words.onItem, sql` and `)} and ${worthALook(query)}
      ${libraries === undefined ? sql`` : sql`and i.library_id = any(${[...libraries]})`}
      and (i.modified_at, i.id) < (${place.at}, ${place.id})
    order by i.modified_at desc, i.id desc limit ${batchSize}`.execute(db)
  return rows
}

interface Window {
  /** Matching rows in the window, whoever may see them. */
  readonly matching: number
  readonly from: number
  readonly hits: readonly (Candidate & { readonly number: number })[]
}

/** The first hits among the `span` numbers below a number. Rows that are behind their item are among what changed. */
async function indexed(query: Query, below: number, span: number): Promise<Window> {
  const { db, actor, words, libraries } = query
  const isFirst = span <= firstWindow
  const window = isFirst ? { signs: [], from: Math.max(below - span, 0) } : windowsBelow(below, span)
  const few = libraries !== undefined && libraries.length <= fewLibraries
  const conditions = [
    ...words.onRow,
    ...(libraries === undefined ? [] : [sql`d.library_id = any(${[...libraries]})`]),
    ...(isFirst || !few ? [] : [sql`d.signs && ${libraries.map(librarySign)}::int[]`]),
    ...(window.signs.length === 0 ? [] : [sql`d.signs && ${window.signs}::int[]`]),
  ]
  // By itself the first window is read by its numbers; the others by their signs, to which '+ 0' leaves no choice.
  const numbers = isFirst
    ? sql`(select * from search_item where number < ${below} and number >= ${window.from} offset 0)`
    : sql`(select * from search_item where number + 0 < ${below} and number + 0 >= ${window.from})`
  const { rows } = await sql<{ matching: number } & (Candidate | { id: null }) & { number: number }>`
    with found as materialized (
      select d.item_id, d.number, d.modified_at, d.text from ${numbers} d where ${sql.join(conditions, sql` and `)}
    )
    select hit.*, counted.matching from (select count(*) as matching from found) counted left join lateral (
      select ${itemColumns}, ${peopleOf}, ${ownEntries(actor)} as entries, f.number
      from (select * from found order by number desc) f
      cross join lateral (select * from item where id = f.item_id offset 0) i
      where i.search_text = f.text and i.modified_at = f.modified_at and ${worthALook(query)}
      order by f.number desc limit ${batchSize}
    ) hit on true`.execute(db)
  const hits = rows.flatMap((row) => (row.id === null ? [] : [row]))
  return { matching: rows[0]?.matching ?? 0, from: window.from, hits }
}

/** Loads the folders that hits lie in and that were not met before. */
async function loadParents({ db, actor, now, parents }: Query, hits: readonly Candidate[]): Promise<void> {
  const ids = [...new Set(hits.flatMap((hit) => hit.parent_id ?? []))].filter((id) => !parents.has(id))
  const found = await accessToMany(db, actor, ids, now)
  for (const id of ids) {
    const folder = found.get(id)
    parents.set(id, folder === undefined || folder.row.deleted_at !== null ? undefined : aboveChildrenOf(folder))
  }
}

/** The record of a hit, if the caller may see it and it lies in the scope. */
async function recordOfHit(query: Query, hit: Candidate): Promise<ItemRecord | undefined> {
  const { db, actor, now, parents, closed, outside, isInScope } = query
  if (hit.parent_id === null) {
    const root = await accessTo(db, actor, { fType: 2, fId: hit.id }, now)
    const isShown = root !== undefined && denial(gates.see, root.facts) === undefined && isInScope(root.library, [])
    return isShown ? recordOf(root, actor) : undefined
  }
  const above = parents.get(hit.parent_id)
  if (above === undefined || !isInScope(above.library, above.path)) {
    outside.add(hit.parent_id)
    return undefined
  }
  const { facts } = factsBelow(above, hit, unpackEntries(hit.entries), actor, now)
  if (denial(gates.see, facts) === undefined) return toRecord(hit, facts, above.path, above.library, actor)
  if (!hit.own_rules) closed.add(hit.parent_id)
  return undefined
}

/**
 * The libraries that the caller owns or manages, and those where some entry names them: nothing else shows them anything.
 * Undefined where these are too many to be worth naming.
 */
async function librariesOf(db: Db, actor: Actor): Promise<number[] | undefined> {
  const { userId, groupIds, roleIds } = actor.subjects
  const named = sql`from entry where
      (subject_type = 'user' and subject_id = ${userId}) or
      (subject_type = 'group' and subject_id = any(${[...groupIds]})) or
      (subject_type = 'role' and subject_id = any(${[...roleIds]})) limit ${mostPlaces}`
  const { rows: places } = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 from library_manager where account_id = ${userId} union all (select 1 ${named})) p`.execute(db)
  if ((places[0]?.count ?? 0) >= mostPlaces) return undefined
  const { rows } = await sql<{ id: number }>`
    select id from library where owner_id = ${userId}
    union select library_id from library_manager where account_id = ${userId}
    union select i.library_id from (select item_id ${named}) e
      cross join lateral (select library_id from item where id = e.item_id offset 0) i`.execute(db)
  return rows.map((row) => row.id)
}

function encodeScroll(place: Place): string {
  return place.among === 'changed' ? `c.${place.newest}.${place.at}.${place.id}` : `i.${place.newest}.${place.below}`
}

function decodeScroll(scrollId: string): Place {
  const [among, ...numbers] = scrollId.split('.')
  const [newest = 0, second = 0, third = 0] = numbers.map(Number)
  if (numbers.every((each) => /^\d{1,16}$/.test(each))) {
    if (among === 'c' && numbers.length === 3) return { newest, among: 'changed', at: second, id: third }
    if (among === 'i' && numbers.length === 2) return { newest, among: 'indexed', below: second }
  }
  return fail('badRequest', 'scrollId')
}

/** Before everything, as it is now. */
async function beginning(db: Db): Promise<Place> {
  const { rows } = await sql<{ value: number }>`select value from stamp where name = 'search'`.execute(db)
  return {
    newest: rows[0]?.value ?? 0,
    among: 'changed',
    at: Number.MAX_SAFE_INTEGER,
    id: Number.MAX_SAFE_INTEGER,
  }
}

/** The folder that a search is limited to, if the caller may see it. */
async function scopeOf(db: Db, actor: Actor, folderId: number, now: number): Promise<Access> {
  const folder = (await accessTo(db, actor, { fType: 2, fId: folderId }, now)) ?? fail('notFound')
  const refusal = denial(gates.see, folder.facts)
  return refusal === undefined ? folder : fail(refusal)
}

/** Adds hits until there are `rows`; answers where to go on, undefined at the end. */
async function collect(query: Query, start: Place, rows: number, list: ItemRecord[]): Promise<Place | undefined> {
  let looked = 0
  /** Adds those that the caller may see; answers the last one looked at where the list is full. */
  const add = async <T extends Candidate>(hits: readonly T[]): Promise<T | undefined> => {
    await loadParents(query, hits)
    for (const hit of hits) {
      const record = await recordOfHit(query, hit)
      if (record !== undefined) list.push(record)
      if (list.length === rows) return hit
    }
    return undefined
  }

  let place = start
  while (place.among === 'changed') {
    const hits = await changed(query, place)
    const last = await add(hits)
    if (last !== undefined) return { ...place, at: last.modified_at, id: last.id }
    looked += hits.length
    const end = hits.at(-1)
    if (end !== undefined && hits.length === batchSize) place = { ...place, at: end.modified_at, id: end.id }
    else place = { newest: place.newest, among: 'indexed', below: place.newest + 1 }
    if (looked >= mostLookedAt) return place
  }

  let { below } = place
  let span = firstWindow
  let seen = 0
  let matched = 0
  while (below > 1) {
    const window = await indexed(query, below, span)
    const last = await add(window.hits)
    if (last !== undefined) return { newest: place.newest, among: 'indexed', below: last.number }
    const end = window.hits.at(-1)
    const isWhole = window.hits.length < batchSize || end === undefined
    looked += isWhole ? window.matching : window.hits.length
    if (isWhole) {
      seen += below - window.from
      matched += window.matching
      below = window.from
      // As wide as the missing hits would need, were they as many as so far, within what one window may cost.
      const shown = Math.max(list.length, 0.5) / Math.max(matched, 0.5)
      const wanted = Math.min((2 * (rows - list.length)) / shown, mostInWindow)
      span = Math.max(firstWindow + 1, Math.min((wanted * seen) / Math.max(matched, 0.5), mostWider * span))
    } else {
      below = end.number
    }
    if (looked >= mostLookedAt) return { newest: place.newest, among: 'indexed', below }
  }
  return undefined
}

/** The handlers of search. */
export function searchHandlers() {
  return implement(searchCalls, {
    clearScroll: () => Promise.resolve({}),

    async searchDoc(context, { keyword, folderId, rows, scrollId }) {
      const { db, now } = context
      const actor = actorOf(context)
      const started = performance.now()
      const scope = folderId === undefined ? undefined : await scopeOf(db, actor, folderId, now)
      const place = scrollId === undefined ? await beginning(db) : decodeScroll(scrollId)
      const query: Query = {
        db,
        actor,
        now,
        words: readWords(keyword),
        libraries:
          scope === undefined || isVirtualFolder(scope.row.id) ? await librariesOf(db, actor) : [scope.library.id],
        isInScope: (library, path) =>
          scope === undefined ||
          virtualParentOf(library, actor) === scope.row.id ||
          path.some((link) => link.id === scope.row.id),
        parents: new Map(),
        closed: new Set(),
        outside: new Set(),
      }
      const list: ItemRecord[] = []
      const isAsked = query.words.onItem.length > 0 && query.libraries?.length !== 0
      const next = isAsked ? await collect(query, place, rows, list) : undefined
      return {
        list,
        scrollId: next === undefined ? null : encodeScroll(next),
        total: list.length,
        took: Math.round(performance.now() - started),
      }
    },
  })
}
