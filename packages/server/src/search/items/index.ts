/*
 * Search by name: part of the name, its pinyin or its initials ([R240]). The best matches come first, and among equal
 * ones the latest change. Only libraries with items visible to the caller are searched. The exact evaluator checks each
 * hit before it is returned, so an index error can hide a hit but never disclose one.
 *
 * If all hits fit on one page, they are sorted after collection. Otherwise each match quality (exact, prefix, inside)
 * is searched separately, best first. The full name and its beginnings are signs of the row, so a single exact hit
 * among a million others is found at once.
 *
 * A search covers two sets. Items changed since the last indexing run are few and read directly, item by item. The
 * others are read from `search_item` in windows of numbers from the newest down. The first window is small enough to be
 * read sequentially, and its content determines the width of the next one. The cost is therefore independent of the
 * number of names, for a term in every tenth name as well as for a term in a single one.
 */
import { createHmac } from 'node:crypto'
import { features } from '@cloudoc/contract'
import { fail, isVirtualFolder } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import { type Secrets, sameSecret } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import type { TextSection } from '../../documents/index.ts'
import type { Marks } from '../../drive/follow/index.ts'
import { itemColumns, ownEntries, virtualParentOf } from '../../drive/tree/index.ts'
import { isFullScroll, searchFully } from './full-search.ts'
import {
  type Candidate,
  fewRoots,
  type Hit,
  hitOf,
  inRoots,
  loadFolders,
  mostInWindow,
  mostWider,
  recordsOf,
  rootsBelow,
  rootsOf,
  type SearchContext,
  scopeOf,
} from './hits.ts'
import { indexedSoFar } from './index-names.ts'
import { anyFolder, Fits, fits, type NameConditions, nameConditions, windowsBelow } from './index-signs.ts'
import { isByLine, passagesOf } from './passages.ts'
import { looserWords, parseQuery } from './query-terms.ts'
import { dropSearch, renameSearch, savedOf, saveSearch } from './saved.ts'
import { scansWaiting } from './scan-text.ts'

export { backfillDone } from './backfill.ts'
export { fewLetters, isTextSearchable, mostLetters, requestText, textListeners } from './content-text.ts'
export { documentSigns } from './documents.ts'
export { grams } from './folding.ts'
export { countQueuedNames, indexAllNames, indexNames, nameBatch, requeueNames } from './index-names.ts'
export { fitSigns, signsOf, wordSigns } from './index-signs.ts'

const batchSize = 200
/** Maximum number of matching rows checked per call; it bounds the cost of rows that the user may not see. */
const mostLookedAt = 10_000
/** Size of the first window in numbers. */
const firstWindow = 1024
/** Cost of querying the index for one more location, measured in rows read instead. */
const rowsPerSign = 4
/** Maximum number of locations combined with a sign in one index query. */
const fewToAsk = 200
const maxBatch = 300

/**
 * The position where a search continues: among recent changes or among the numbered rows, both in the state at its
 * beginning.
 */
type Place = { readonly newest: number } & (
  | { readonly among: 'changed'; readonly at: number; readonly id: number }
  | { readonly among: 'indexed'; readonly below: number }
)

/** The index in `fits` that a search has reached; undefined if hits are not ranked. */
interface Scroll {
  readonly fit: number | undefined
  /** When the search began: later changes are found only by a new search. */
  readonly since: number
  readonly place: Place
}

interface Query extends SearchContext {
  readonly keyword: string
  readonly conditions: NameConditions
  /** The index has the signs of folders and of match quality. */
  readonly isSigned: boolean
  readonly fits: Fits | undefined
  readonly fType: 1 | 2 | undefined
}

/** SQL conditions that preselect items for the exact evaluation. */
function worthALook({ actor, closed, excludedFolders, fType }: Query): RawBuilder<unknown> {
  return sql`${fType === undefined ? sql`` : sql`i.f_type = ${fType} and i.link_to is null and `}i.deleted_at is null and (i.parent_id is null or i.parent_id <> all(${[...excludedFolders]})) and (i.own_rules
    or i.created_by = ${actor.accountId} or i.parent_id is null or i.parent_id <> all(${[...closed]}))`
}

/** SQL expression for the match quality of a candidate. */
function rankOf({ fits: known }: Query): RawBuilder<unknown> {
  return known === undefined ? sql`2` : known.rank(sql`i.search_text`)
}

/** Items changed after number `newest` was assigned, newest first, up to a maximum. */
async function changed(query: Query, place: Extract<Place, { among: 'changed' }>, most: number): Promise<Named[]> {
  const { db, actor, conditions } = query
  const isWanted = [...conditions.onItem, worthALook(query), inRoots(query, sql`i`, sql`i.id`)]
  const { rows } = await sql<Named>`
    select ${itemColumns}, ${ownEntries(actor)} as entries, ${rankOf(query)} as rank
    from (
      select item_id from search_queue union select item_id from search_item where number > ${place.newest}
    ) c cross join lateral (select * from item where id = c.item_id offset 0) i
    where ${sql.join(isWanted, sql` and `)}
      and (i.modified_at, i.id) < (${place.at}, ${place.id})
    order by i.modified_at desc, i.id desc limit ${most}`.execute(db)
  return rows
}

/** A candidate from the index of names. */
type Named = Candidate & {
  /** Its index in `fits`. */
  readonly rank: number
}

interface Window {
  /** Number of rows that match the terms, and of those in one of the locations. */
  readonly worded: number
  readonly matching: number
  /** Number of rows of the first window in one of the locations, whether they match or not. */
  readonly inside: number
  readonly from: number
  readonly hits: readonly (Named & { readonly number: number })[]
}

interface Wanted {
  /** How many numbers to search. */
  readonly span: number
  /** Maximum number of hits to return. */
  readonly most: number
  /** Also queries the index by location: if many rows match the terms, or few rows are in the locations. */
  readonly byPlace: boolean
  /** If more rows than this match, undefined is returned. */
  readonly atMost?: number
}

/**
 * The first hits, up to a maximum, among the `span` numbers below a number. Rows of queued items are skipped, also where
 * they are not outdated, because their items are among the recent changes.
 */
async function indexed(
  query: Query,
  below: number,
  { span, most, byPlace, atMost }: Wanted,
): Promise<Window | undefined> {
  const { db, actor, conditions, roots, excludedFolders } = query
  const isFirst = span <= firstWindow
  const window = isFirst ? { signs: [], from: Math.max(below - span, 0) } : windowsBelow(below, span)
  const isWorded = sql.join(conditions.onRow, sql` and `)
  const isInWindow = [
    isFirst ? sql`true` : isWorded,
    ...(byPlace && roots !== undefined ? [sql`d.signs && ${[...roots.signs]}::int[]`] : []),
    ...(window.signs.length === 0 ? [] : [sql`d.signs && ${window.signs}::int[]`]),
  ]
  // The first window is read by the index on numbers. For the others, `+ 0` prevents that, so PostgreSQL must use the
  // signs.
  const numbers = isFirst
    ? sql`(select * from search_item where number < ${below} and number >= ${window.from} offset 0)`
    : sql`(select * from search_item where number + 0 < ${below} and number + 0 >= ${window.from})`
  const limit = atMost === undefined ? sql`` : sql`limit ${atMost + 1}`
  const { rows } = await sql<Omit<Window, 'from' | 'hits'> & (Named | { id: null }) & { number: number }>`
    with found as materialized (
      select d.item_id, d.number, d.parent_id, d.modified_at, d.text,
        ${isFirst ? isWorded : sql`true`} as worded, ${inRoots(query, sql`d`, sql`d.item_id`)} as inside
      from ${numbers} d where ${sql.join(isInWindow, sql` and `)} ${limit}
    )
    select hit.*, counted.*
    from (
      select count(*) filter (where worded) as worded, count(*) filter (where worded and inside) as matching,
        count(*) filter (where inside) as inside from found
    ) counted
    left join lateral (
      select ${itemColumns}, ${ownEntries(actor)} as entries, ${rankOf(query)} as rank, f.number
      from (
        select * from found where worded and inside and (parent_id is null or parent_id <> all(${[...excludedFolders]}))
          and not exists (select 1 from search_queue q where q.item_id = found.item_id)
        order by number desc
      ) f
      cross join lateral (select * from item where id = f.item_id offset 0) i
      where i.search_text = f.text and i.modified_at = f.modified_at and i.parent_id is not distinct from f.parent_id
        and ${worthALook(query)}
      order by f.number desc limit ${most}
    ) hit on true`.execute(db)
  const hits = rows.flatMap((row) => (row.id === null ? [] : [row]))
  const { worded, matching, inside } = rows[0] ?? { worded: 0, matching: 0, inside: 0 }
  if (atMost !== undefined && worded > atMost) return undefined
  return { worded, matching, inside, from: window.from, hits }
}

function encodeScroll({ fit, since, place }: Scroll): string {
  const where =
    place.among === 'changed' ? `c.${place.newest}.${place.at}.${place.id}` : `i.${place.newest}.${place.below}`
  return `${where}.${since}.${fit ?? fits.length}`
}

function decodeScroll(scrollId: string): Scroll {
  const [among, ...numbers] = scrollId.split('.')
  const [newest = 0, second = 0, ...rest] = numbers.map(Number)
  const [since = 0, way = 0] = rest.slice(-2)
  const fit = way < fits.length ? way : undefined
  if (numbers.every((each) => /^\d{1,16}$/.test(each))) {
    if (among === 'c' && numbers.length === 5)
      return { fit, since, place: { newest, among: 'changed', at: second, id: rest[0] ?? 0 } }
    if (among === 'i' && numbers.length === 4) return { fit, since, place: { newest, among: 'indexed', below: second } }
  }
  return fail('badRequest', 'scrollId')
}

/**
 * Scroll ids as returned to a caller: a position with a signature for this caller. One that was issued to somebody else
 * is refused like one that was never issued.
 */
function scrollIds({ signingKey }: Secrets) {
  const signature = ({ accountId }: Account, place: string): string =>
    createHmac('sha256', signingKey).update(`scroll ${accountId} ${place}`).digest('base64url').slice(0, 16)
  return {
    issue: (actor: Account, place: string): string => `${place}.${signature(actor, place)}`,
    open(actor: Account, scrollId: string): string {
      const end = scrollId.lastIndexOf('.')
      const place = scrollId.slice(0, Math.max(end, 0))
      return sameSecret(scrollId.slice(end + 1), signature(actor, place)) ? place : fail('badRequest', 'scrollId')
    },
  }
}

/** The start position: before everything newer than a number or a time. */
function beginning(newest: number, at = Number.MAX_SAFE_INTEGER): Place {
  return { newest, among: 'changed', at, id: Number.MAX_SAFE_INTEGER }
}

/** Adds hits until there are `rows`. Returns where to continue, undefined at the end. */
async function collect(query: Query, start: Place, rows: number, list: Hit<Named>[]): Promise<Place | undefined> {
  let looked = 0
  let asked = 0
  /** Estimates how many candidates are needed for the missing hits, from the fraction visible so far. */
  const missing = (): number =>
    ((rows - list.length) * Math.max(asked, 1)) / Math.max(list.length, asked === 0 ? 1 : 0.5)
  const batch = (): number => Math.ceil(Math.min(1.2 * missing() + 10, batchSize))
  /** Adds the candidates that the caller may see. Returns the last candidate checked when the list is full. */
  const add = async <T extends Named>(candidates: readonly T[]): Promise<T | undefined> => {
    for (let from = 0; from < candidates.length; ) {
      const some = candidates.slice(from, from + batch())
      from += some.length
      await loadFolders(query, some)
      for (const candidate of some) {
        asked += 1
        const hit = hitOf(query, candidate)
        if (hit !== undefined) list.push(hit)
        if (list.length === rows) return candidate
      }
    }
    return undefined
  }

  let place = start
  while (place.among === 'changed') {
    const most = batch()
    const candidates = await changed(query, place, most)
    const last = await add(candidates)
    if (last !== undefined) return { ...place, at: last.modified_at, id: last.id }
    looked += candidates.length
    const end = candidates.at(-1)
    if (end !== undefined && candidates.length === most) place = { ...place, at: end.modified_at, id: end.id }
    else place = { newest: place.newest, among: 'indexed', below: place.newest + 1 }
    if (looked >= mostLookedAt) return place
  }

  let { below } = place
  let span = firstWindow
  let byPlace = false
  let atOnce = false
  const signs = query.roots?.signs.length
  const seen = { numbers: 0, matching: 0, wordedNumbers: 0, worded: 0 }
  while (below > 1) {
    const most = batch()
    const window = await indexed(
      query,
      below,
      atOnce ? { span: below, most, byPlace: true, atMost: maxBatch } : { span, most, byPlace },
    )
    atOnce = false
    if (window === undefined) continue
    const last = await add(window.hits)
    if (last !== undefined) return { newest: place.newest, among: 'indexed', below: last.number }
    const end = window.hits.at(-1)
    if (end !== undefined && window.hits.length === most) {
      looked += most
      below = end.number
    } else {
      looked += window.matching
      const isFew = signs !== undefined && signs <= fewRoots && seen.numbers === 0 && window.inside === 0
      atOnce = isFew && window.from > firstWindow
      const numbers = below - window.from
      seen.numbers += numbers
      seen.matching += window.matching
      if (!byPlace) {
        seen.wordedNumbers += numbers
        seen.worded += window.worded
      }
      below = window.from
      // The width needed for the missing hits at the match rate so far, limited by the cost of one window.
      const rate = Math.max(seen.matching, 0.5) / seen.numbers
      const wanted = Math.min(2 * missing(), mostInWindow) / rate
      span = Math.max(firstWindow + 1, Math.min(Math.max(wanted, 2 * span), mostInWindow / rate, mostWider * span))
      const rowsRead = (seen.worded / seen.wordedNumbers) * Math.min(span, below)
      byPlace = signs !== undefined && rowsRead > signs * rowsPerSign
      if (!byPlace) span = Math.max(firstWindow + 1, (span * mostInWindow) / Math.max(rowsRead, mostInWindow))
    }
    if (looked >= mostLookedAt) return { newest: place.newest, among: 'indexed', below }
  }
  return undefined
}

/** The signs of the item type searched for. */
function signsOfKind({ isSigned, fType }: Pick<Query, 'isSigned' | 'fType'>): number[] {
  return isSigned && fType === 2 ? [anyFolder] : []
}

/** The same search, restricted to hits of one match quality. */
function fitting(query: Query, fit: number): Query {
  const { keyword, fits: known } = query
  const name = fits[fit]
  if (known === undefined || name === undefined) return query
  const own = known.signs(name)
  const narrowed = {
    onItem: known.is(name, sql`i.search_text`),
    // Appending the empty text prevents use of the trigram index: the sign selects few rows, while the parts of the
    // pattern would select far more.
    onRow: known.is(name, sql`(d.text || '')`),
    signs: [...signsOfKind(query), ...own],
    implied: own.length > 0,
  }
  return { ...query, conditions: nameConditions(keyword, narrowed) }
}

/** Whether any indexed name in the locations may begin with the typed text; true if the index cannot tell. */
async function beginsAnywhere({ db, roots }: Query, known: Fits): Promise<boolean> {
  const signs = known.signs('prefix')
  if (signs.length === 0) return true
  // For many locations the index would have to read as many posting lists.
  const isAsked = roots !== undefined && roots.signs.length <= fewToAsk
  const inside = isAsked ? sql`and signs && ${[...roots.signs]}::int[]` : sql``
  // Materialized so that the plan covers all rows. With `limit 1` alone the planner would scan the table, which is slow
  // if nothing matches.
  const { rows } = await sql`
    with beginning as materialized (select 1 from search_item where signs @> ${signs}::int[] ${inside})
    select 1 from beginning limit 1`.execute(db)
  return rows.length > 0
}

/** The first page: all hits sorted, or the first ones of the best match quality. */
async function begin(query: Query, newest: number, rows: number, list: Hit<Named>[]): Promise<Scroll | undefined> {
  const start = beginning(newest)
  const since = query.now
  const place = await collect(query, start, rows, list)
  if (place === undefined) {
    // Among equally good matches folders come first, so a folder is not lost among its files.
    list.sort((a, b) => a.row.rank - b.row.rank || b.row.f_type - a.row.f_type)
    return undefined
  }
  if (query.fits === undefined || !query.isSigned) return { fit: undefined, since, place }
  // All recent changes were checked and no indexed name begins with the text, so these are the best hits.
  const isBetterNowhere = place.among === 'indexed' && list.every(({ row }) => row.rank === fits.length - 1)
  if (isBetterNowhere && !(await beginsAnywhere(query, query.fits))) return { fit: fits.length - 1, since, place }
  list.length = 0
  return goOn(query, { fit: 0, since, place: start }, rows, list, start)
}

/** Hits from a position on. `start` is the start position for the next match quality. */
async function goOn(
  query: Query,
  { fit, since, place }: Scroll,
  rows: number,
  list: Hit<Named>[],
  start: Place,
): Promise<Scroll | undefined> {
  if (fit === undefined) {
    const next = await collect(query, place, rows, list)
    return next && { fit, since, place: next }
  }
  let from = place
  for (let at = fit; at < fits.length; at++) {
    const next = await collect(fitting(query, at), from, rows, list)
    if (next !== undefined) return { fit: at, since, place: next }
    from = start
  }
  return undefined
}

/** The call handlers of search. */
export function searchHandlers({
  marks,
  hasOcr,
  secrets,
}: Pick<Services, 'secrets'> & { readonly marks: Marks; readonly hasOcr: boolean }) {
  const scrolls = scrollIds(secrets)
  return implement(features.search.calls, {
    getOcrStatus: async ({ db }) => ({ installed: hasOcr, waiting: await scansWaiting(db) }),

    clearScroll: () => Promise.resolve({}),

    async searchDoc(context, input) {
      const started = performance.now()
      const took = (): number => Math.round(performance.now() - started)
      const actor = actorOf(context)
      const { keyword, rows, scrollId: shown, sort = 'relevance', facets = false, fType, folderId, ...narrower } = input
      const { order = sort === 'name' ? 'asc' : 'desc', ...filters } = narrower
      const scrollId = shown === undefined ? undefined : scrolls.open(actor, shown)
      const isFull =
        scrollId === undefined
          ? facets || input.sort !== undefined || Object.keys(narrower).length > 0
          : isFullScroll(scrollId)
      const next = (id: string | null): string | null => (id === null ? null : scrolls.issue(actor, id))
      if (!isFull) {
        const names = await searchNames(context, actor, { ...input, scrollId }, marks)
        return { ...names, scrollId: next(names.scrollId), took: took() }
      }
      const { asking, hits, ...found } = await searchFully({
        db: context.db,
        actor,
        now: context.now,
        keyword,
        filters: { ...filters, fType, folderId },
        sort,
        order,
        facets,
        rows,
        scrollId,
      })
      const list = await marks.on(actor, await recordsOf(asking, hits))
      return { list, ...found, scrollId: next(found.scrollId), took: took() }
    },

    async getSearchMatches(context, { fileId, keyword, rows }) {
      const { row } = context.item({ fType: 1, fId: fileId })
      const { words } = parseQuery(keyword)
      const { rows: held } = await sql<{ kind: string; sections: TextSection[] }>`
        select c.kind, c.sections from version v join content_text c on c.blob_id = v.blob_id
        where v.item_id = ${fileId} and v.number = ${row.version}`.execute(context.db)
      const [one] = held
      if (one === undefined || words.length === 0) return { list: [], total: 0 }
      const texts = words.map(({ text }) => text)
      const found = passagesOf(one.sections, texts, { byLine: isByLine(one.kind), most: rows })
      if (found.total > 0) return found
      const looser = looserWords(parseQuery(keyword))?.words.map(({ text }) => text) ?? []
      return passagesOf(one.sections, looser, { byLine: isByLine(one.kind), most: rows })
    },

    getSavedSearches: async (context) => ({ list: await savedOf(context.db, actorOf(context).accountId) }),
    saveSearch: async (context, input) => ({
      searchId: await saveSearch(context.tx, context.now, actorOf(context).accountId, input),
    }),
    async renameSavedSearch(context, { searchId, name }) {
      await renameSearch(context.tx, actorOf(context).accountId, searchId, name)
      return {}
    },
    async deleteSavedSearch(context, { searchId }) {
      await dropSearch(context.tx, actorOf(context).accountId, searchId)
      return {}
    },
  })
}

interface Names {
  readonly keyword: string
  readonly folderId?: number | undefined
  readonly fType?: 1 | 2 | undefined
  readonly rows: number
  readonly scrollId?: string | undefined
}

/** Returns one page of a search in names. */
async function searchNames(
  { db, now }: Context,
  actor: Account,
  { keyword, folderId, fType, rows, scrollId }: Names,
  marks: Marks,
) {
  const scope = folderId === undefined ? undefined : await scopeOf(db, actor, folderId, now)
  const scroll = scrollId === undefined ? undefined : decodeScroll(scrollId)
  const { newest, isSigned } = await indexedSoFar(db)
  const query: Query = {
    db,
    actor,
    now,
    keyword,
    conditions: nameConditions(keyword, { signs: signsOfKind({ isSigned, fType }) }),
    isSigned,
    fits: Fits.of(keyword),
    fType,
    roots:
      scope === undefined || isVirtualFolder(scope.row.id) ? await rootsOf(db, actor) : await rootsBelow(db, scope),
    isInScope: (library, path) =>
      scope === undefined ||
      virtualParentOf(library, actor) === scope.row.id ||
      path.some((link) => link.id === scope.row.id),
    folders: new Map(),
    closed: new Set(),
    excludedFolders: new Set(),
  }
  const hits: Hit<Named>[] = []
  const isAsked = query.conditions.onItem.length > 0 && query.roots?.signs.length !== 0
  const next = !isAsked
    ? undefined
    : scroll === undefined
      ? await begin(query, newest, rows, hits)
      : await goOn(query, scroll, rows, hits, beginning(scroll.place.newest, scroll.since))
  const list = await marks.on(actor, await recordsOf(query, hits))
  return {
    list,
    scrollId: next === undefined ? null : encodeScroll(next),
    total: list.length,
  }
}
