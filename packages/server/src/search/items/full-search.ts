/*
 * Search in names and contents, with filters, sort orders and facet counts ([R240], [R241]).
 *
 * Only the newest thousand hits are sorted and counted, so the cost of a search does not grow with the number of hits.
 * They are collected as in the index of names: items waiting to be indexed are read directly, the others in windows of
 * numbers from the newest down, whose width follows from the hits so far. Signs preselect, the current name and content
 * decide, and the exact evaluator checks the caller's access. Matches in a content count only for callers who may read
 * it, in both directions: they neither include nor, with a minus, exclude an item.
 *
 * No state is stored between pages. A later page repeats the search and continues after the last hit returned.
 */
import type { SearchFacets, SearchHighlight } from '@cloudoc/contract'
import { fail, isVirtualFolder } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import type { TextSection } from '../../documents/index.ts'
import { commentedItems } from '../../drive/comments/index.ts'
import { itemsWithTag, taggedItems } from '../../drive/tags/index.ts'
import { virtualParentOf } from '../../drive/tree/index.ts'
import { collect } from './collect-hits.ts'
import { ownWaits } from './content-text.ts'
import { areSized } from './documents.ts'
import { facetsOf, passes } from './facets.ts'
import { type Hit, rootsBelow, rootsOf, type SearchContext, type SearchRoots, scopeOf } from './hits.ts'
import { inOrder } from './order.ts'
import { bestPassage, isByLine, passagesOf } from './passages.ts'
import { type AttachedMatches, type Filters, mostHits, type Query, type Sort, type VisibleHit } from './query.ts'
import { looserWords, parseQuery, type QueryTerms, type Word } from './query-terms.ts'
import { suggest } from './suggestions.ts'

/** With fewer hits, terms that differ by a letter are suggested. */
const fewHits = 3

/** The request for one page of hits. */
export interface Wanted {
  readonly db: Db
  readonly actor: Account
  readonly now: number
  readonly keyword: string
  readonly filters: Filters
  readonly sort: Sort
  readonly order: 'asc' | 'desc'
  readonly facets: boolean
  readonly rows: number
  readonly scrollId: string | undefined
}

export interface FullAnswer {
  readonly asking: SearchContext
  readonly hits: readonly Hit[]
  readonly scrollId: string | null
  readonly total: number
  readonly isMore: boolean
  readonly highlights: SearchHighlight[]
  readonly facets?: SearchFacets
  readonly suggestions?: { keyword: string; total: number }[]
  readonly looser?: string[]
  readonly isReading?: boolean
}

/** The position of a later page: after the last hit returned, among the items that existed when the search began. */
interface Scroll {
  readonly since: number
  readonly told: number
  readonly last: number
  readonly isLooser: boolean
}

/** Scroll ids of searches in names start with other letters (index.ts). */
export const isFullScroll = (scrollId: string): boolean => scrollId.startsWith('f.')

function readScroll(scrollId: string): Scroll {
  const found = /^f\.(\d{1,15})\.(\d{1,6})\.(\d{1,15})\.([01])$/.exec(scrollId)
  if (found === null) return fail('badRequest', 'scrollId')
  const [since = 0, told = 0, last = 0, looser = 0] = found.slice(1).map(Number)
  return { since, told, last, isLooser: looser === 1 }
}

/** Maximum number of items found by tags or comments per term; the latest. */
const maxAttached = 1000

/** The items that match each term. */
async function byWord(
  words: readonly Word[],
  isOn: boolean,
  itemsWith: (word: string) => Promise<readonly number[]>,
): Promise<AttachedMatches> {
  const found = new Map<number, boolean[]>()
  if (!isOn) return found
  for (const [n, { raw }] of words.entries()) {
    for (const id of await itemsWith(raw)) {
      const has = found.get(id) ?? words.map(() => false)
      has[n] = true
      found.set(id, has)
    }
  }
  return found
}

/** Returns one page of hits. */
export async function searchFully(wanted: Wanted): Promise<FullAnswer> {
  const { db, actor, now, keyword, filters, rows } = wanted
  const scroll = wanted.scrollId === undefined ? undefined : readScroll(wanted.scrollId)
  const scope = filters.folderId === undefined ? undefined : await scopeOf(db, actor, filters.folderId, now)
  const isInScope: SearchContext['isInScope'] = (library, path) =>
    scope === undefined ||
    virtualParentOf(library, actor) === scope.row.id ||
    path.some(({ id }) => id === scope.row.id)
  const everywhere: SearchRoots | undefined = await rootsOf(db, actor)
  const here = scope === undefined || isVirtualFolder(scope.row.id) ? everywhere : await rootsBelow(db, scope)
  const first = parseQuery(keyword)
  const bearing = filters.tagId === undefined ? undefined : await itemsWithTag(db, actor.accountId, filters.tagId)
  const sides = new Map<QueryTerms, Pick<Query, 'tagged' | 'commented'>>()
  const sidesOf = async (typed: QueryTerms): Promise<Pick<Query, 'tagged' | 'commented'>> => {
    const known = sides.get(typed)
    if (known !== undefined) return known
    const { tag, file_folder_comment } = actor.settings.setting
    const hasComments = filters.scope === 'comment' && file_folder_comment
    const made = {
      tagged: await byWord(typed.words, tag, (word) => taggedItems(db, actor.accountId, word, maxAttached)),
      commented: await byWord(typed.words, hasComments, (word) => commentedItems(db, word, maxAttached)),
    }
    sides.set(typed, made)
    return made
  }
  const isSized = (filters.sizeFrom ?? filters.sizeTo) !== undefined && (await areSized(db))
  const query = async (typed: QueryTerms): Promise<Query> => ({
    ...asking(here, isInScope),
    ...(await sidesOf(typed)),
    typed,
    filters,
    bearing,
    isSized,
  })
  const wide = async (typed: QueryTerms): Promise<Query> => ({
    ...asking(everywhere, () => true),
    ...(await sidesOf(typed)),
    typed,
    filters: { fType: filters.fType },
    bearing: undefined,
    isSized,
  })
  function asking(places: SearchRoots | undefined, inScope: SearchContext['isInScope']): SearchContext {
    return {
      db,
      actor,
      now,
      roots: places,
      isInScope: inScope,
      folders: new Map(),
      closed: new Set(),
      excludedFolders: new Set(),
    }
  }

  const find = async (typed: QueryTerms) => {
    const narrow = await query(typed)
    const around = wanted.facets && scroll === undefined ? await collect(await wide(typed), mostHits) : undefined
    const facets = around && facetsOf(around.hits, around.isAll, narrow)
    // If the collection without filters is complete, it includes all filtered hits.
    const found = around?.isAll === true ? around : await collect(narrow, mostHits)
    const hits = found.hits.filter((hit) => passes(hit, narrow) && hit.row.modified_at <= (scroll?.since ?? now))
    return { typed, narrow, facets, hits, isMore: !found.isAll, isAny: (around ?? found).hits.length > 0 }
  }
  let found = scroll?.isLooser === true ? undefined : await find(first)
  let isLooser = false
  if (found === undefined || !found.isAny) {
    const looser = looserWords(first)
    const again = looser && (await find(looser))
    if (again?.isAny === true) {
      found = again
      isLooser = true
    }
    found ??= await find(first)
  }
  const { typed, narrow, facets, isMore } = found
  const hits = inOrder(found.hits, typed, wanted)
  const behind = scroll === undefined ? 0 : hits.findIndex(({ row }) => row.id === scroll.last) + 1
  const from = scroll !== undefined && behind === 0 ? Math.min(scroll.told, hits.length) : behind
  const page = hits.slice(from, from + rows)
  const last = page.at(-1)
  const since = scroll?.since ?? now
  const scrollId =
    last === undefined || from + rows >= hits.length
      ? null
      : `f.${since}.${from + page.length}.${last.row.id}.${isLooser ? 1 : 0}`
  const isFew = wanted.facets && scroll === undefined && (isLooser || hits.length < fewHits)
  const suggestions = isFew ? await suggest(await wide(first), keyword) : undefined
  const isReading =
    isFew && filters.scope !== 'name' && filters.scope !== 'tag' && (await ownWaits(db, actor.accountId))
  return {
    asking: narrow,
    hits: page,
    scrollId,
    total: hits.length,
    isMore,
    highlights: await highlightsOf(db, page, narrow),
    ...(facets === undefined ? {} : { facets }),
    ...(suggestions === undefined ? {} : { suggestions }),
    ...(isReading ? { isReading } : {}),
    ...(isLooser ? { looser: typed.words.map(({ text }) => text) } : {}),
  }
}

/** The highlights: why each hit was found. */
async function highlightsOf(
  db: Db,
  page: readonly VisibleHit[],
  { typed: { words }, tagged, commented }: Query,
): Promise<SearchHighlight[]> {
  const read = page.filter(({ row, mayRead }) => mayRead && row.in_text.includes(true))
  const { rows } = await sql<{ blob_id: number; kind: string; sections: TextSection[] }>`
    select blob_id, kind, sections from content_text
    where blob_id = any(${read.map(({ row }) => row.blob_id)}::bigint[])`.execute(db)
  const texts = new Map(rows.map((row) => [row.blob_id, row]))
  return page.map(({ row, mayRead, mayReadComments }) => {
    const held = mayRead ? texts.get(row.blob_id ?? 0) : undefined
    const { list, total } =
      held === undefined
        ? { list: [], total: 0 }
        : passagesOf(
            held.sections,
            words.map(({ text }) => text),
            { byLine: isByLine(held.kind), most: 40 },
          )
    const inName = row.in_line.includes(true)
    return {
      itemIdStr: `s0f${row.f_type === 2 ? '-' : ''}${row.id}`,
      in: [
        ...(inName ? (['name'] as const) : []),
        ...(!inName && row.in_name.includes(true) ? (['pinyin'] as const) : []),
        ...(total > 0 ? (['content'] as const) : []),
        ...(tagged.get(row.id)?.includes(true) === true ? (['tag'] as const) : []),
        ...(mayReadComments && commented.get(row.id)?.includes(true) === true ? (['comment'] as const) : []),
      ],
      times: total,
      passage: bestPassage(list),
    }
  })
}
