/*
 * Searches in names and contents, with filters, orders and counts ([R240], [R241]).
 *
 * The newest thousand hits are put in order and counted, so that what a search costs does not grow with how many there are.
 * They are found as in the index of names: what waits for the index is read as it is, everything else in windows of
 * numbers from the newest down, as wide as the hits so far make worth while. Signs narrow, the name and the content as they
 * are now decide, and the exact evaluator says whether the caller may know of the item. Words of a content count only for
 * whoever may read it, in both directions: neither is it found by them, nor is it left out by a minus.
 *
 * Nothing is kept between pages: a page further on is found by the same search, behind the last one told.
 */
import type { SearchFacets, SearchHighlight } from '@cloudoc/contract'
import {
  type DocType,
  denial,
  docTypeExts,
  docTypeOf,
  docTypes,
  fail,
  gates,
  isVirtualFolder,
  searchDays,
  searchSizes,
} from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Account } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import { endOfPart, likeAnywhere } from '../../core/text-keys.ts'
import { commentedItems } from '../comments/index.ts'
import type { TextSection } from '../documents/index.ts'
import { itemsWithTag, taggedItems } from '../tags/index.ts'
import { itemColumns, ownEntries, virtualParentOf } from '../tree/index.ts'
import { monthOf } from './documents.ts'
import {
  type Asking,
  type Candidate,
  fewPlaces,
  type Hit,
  hitOf,
  inPlaces,
  loadFolders,
  mostInWindow,
  mostWider,
  type Places,
  placesBelow,
  placesOf,
  scopeOf,
} from './hits.ts'
import { bestPassage, passagesOf } from './passages.ts'
import { looserWords, oneLetterOff, readTyped, signsOfWords, type Typed, type Word } from './typed.ts'
import { anyFolder, Fits, monthSign, typeSign, windowsBelow } from './words.ts'

/** So many hits are put in order and counted. */
export const mostHits = 1000
const batchSize = 500
const firstSpan = 8192
/** Where fewer are found, words that differ by a letter are offered. */
const fewHits = 3
const dayMs = 24 * 60 * 60_000

export type Scope = 'all' | 'name' | 'content' | 'tag' | 'comment'
export type Sort = 'relevance' | 'time' | 'name' | 'size'

/** What narrows a search, as it was asked for. */
export interface Filters {
  readonly folderId?: number | undefined
  readonly scope?: Scope | undefined
  readonly docType?: DocType | undefined
  readonly tagId?: number | undefined
  readonly days?: number | undefined
  readonly timeFrom?: number | undefined
  readonly timeTo?: number | undefined
  readonly sizeFrom?: number | undefined
  readonly sizeTo?: number | undefined
  readonly fType?: 1 | 2 | undefined
}

/** A candidate, with what of it holds which word. */
type Found = Candidate & {
  readonly number: number
  readonly in_name: readonly boolean[]
  /** In the name as it is written, not only in how it is read. */
  readonly in_line: readonly boolean[]
  readonly in_text: readonly boolean[]
  readonly not_name: boolean
  readonly not_text: boolean
  readonly times: readonly number[]
  readonly places: readonly number[]
  readonly blob_id: number | null
  /** How well the name fits: it is what was typed, begins with it, or holds it. */
  readonly rank: number
  readonly said_name: readonly string[] | null
  readonly said_text: readonly string[] | null
}

/** A hit, and whether the caller may read its content. */
type Met = Hit<Found> & { readonly mayRead: boolean; readonly mayReadComments: boolean }

/** Items by their ids, with which of the words what stands beside them has. */
type Beside = ReadonlyMap<number, readonly boolean[]>

interface Query extends Asking {
  readonly typed: Typed
  readonly filters: Filters
  /** By the names of their tags, and, where those are asked for, by what was said of them. */
  readonly tagged: Beside
  readonly commented: Beside
  /** What bears the tag that is chosen. */
  readonly bearing: ReadonlySet<number> | undefined
  /** Words that differ by a letter, and a half of the word that they have. */
  readonly near?: { readonly pattern: string; readonly half: string }
}

const nameHas = (column: RawBuilder<unknown>, word: string): RawBuilder<unknown> => {
  const end = endOfPart(word)
  const where = end === undefined ? column : sql`split_part(${column}, ${end}, 1)`
  return sql`${where} like ${likeAnywhere(word)}`
}
const bools = (all: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql`array[${sql.join(all)}]::boolean[]`
const anyOf = (all: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  all.length === 0 ? sql`false` : sql`(${sql.join(all, sql` or `)})`

/** What a row says of the words: `name` is the folded name, or, where there is none yet, the search text of the item. */
function flags({ typed, near }: Query, name: RawBuilder<unknown>, word: (one: Word) => string): RawBuilder<unknown> {
  const { words, without, plain } = typed
  const inText = ({ text }: Word): RawBuilder<unknown> => sql`coalesce(c.text like ${likeAnywhere(text)}, false)`
  const line = sql`split_part(split_part(${name}, chr(1), 1), chr(10), 1)`
  const fits = plain === undefined ? undefined : Fits.of(plain)
  const said = (text: RawBuilder<unknown>): RawBuilder<unknown> =>
    near === undefined
      ? sql`null::text[]`
      : sql`array(select distinct m[1] from regexp_matches(${text}, ${near.pattern}, 'g') m limit 5)`
  return sql`
    ${bools(words.map((one) => nameHas(name, word(one))))} as in_name,
    ${bools(words.map((one) => sql`${line} like ${likeAnywhere(word(one))}`))} as in_line,
    ${bools(words.map(inText))} as in_text,
    ${anyOf(without.map((one) => nameHas(name, word(one))))} as not_name,
    ${anyOf(without.map(inText))} as not_text,
    array[${sql.join(
      words.map(
        ({ text }) =>
          sql`coalesce((length(c.text) - length(replace(c.text, ${text}, ''))) / greatest(length(${text}), 1), 0)`,
      ),
    )}]::int[] as times,
    array[${sql.join(words.map(({ text }) => sql`coalesce(strpos(c.text, ${text}), 0)`))}]::int[] as places,
    ${fits === undefined ? sql`2` : fits.rank(name)} as rank,
    ${said(line)} as said_name, ${said(sql`coalesce(c.text, '')`)} as said_text`
}

/** What of the items is worth the exact evaluation. */
function worthALook({ actor, closed, outside, filters, now }: Query): RawBuilder<unknown>[] {
  const { docType, fType, sizeFrom, sizeTo, tagId } = filters
  const { from, to } = timesOf(filters, now)
  const known = docTypes.flatMap((type) => docTypeExts[type])
  const ofType =
    docType === undefined
      ? []
      : docType === 'folder'
        ? [sql`i.f_type = 2 and i.link_to is null`]
        : docType === 'other'
          ? [sql`i.f_type = 1 and i.link_to is null and i.ext <> all(${known}::text[])`]
          : [sql`i.f_type = 1 and i.link_to is null and i.ext = any(${[...docTypeExts[docType]]}::text[])`]
  return [
    sql`i.deleted_at is null`,
    sql`(i.parent_id is null or i.parent_id <> all(${[...outside]}::bigint[]))`,
    sql`(i.own_rules or i.created_by = ${actor.accountId} or i.parent_id is null
      or i.parent_id <> all(${[...closed]}::bigint[]))`,
    ...ofType,
    ...(tagId === undefined ? [] : [sql`exists (select 1 from item_tag where item_id = i.id and tag_id = ${tagId})`]),
    ...(fType === undefined ? [] : [sql`i.f_type = ${fType} and i.link_to is null`]),
    ...(from === undefined ? [] : [sql`i.modified_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`i.modified_at < ${to}`]),
    ...(sizeFrom === undefined ? [] : [sql`i.f_type = 1 and i.size >= ${sizeFrom}`]),
    ...(sizeTo === undefined ? [] : [sql`i.f_type = 1 and i.size < ${sizeTo}`]),
  ]
}

function timesOf(
  { days, timeFrom, timeTo }: Filters,
  now: number,
): { from: number | undefined; to: number | undefined } {
  const since = days === undefined ? undefined : now - days * dayMs
  const from = since === undefined ? timeFrom : Math.max(since, timeFrom ?? 0)
  return { from, to: timeTo }
}

/** Signs that every hit has. */
function signsWanted({ typed, filters, near }: Query): number[] {
  const { docType, fType } = filters
  const words = near === undefined ? typed.words : [{ text: near.half }]
  return [
    ...signsOfWords(words),
    ...(docType === undefined ? [] : [typeSign(docType)]),
    ...(fType === 2 ? [anyFolder] : []),
  ]
}

/** The months that a search is about, where they are few. */
function monthsWanted({ filters, now }: Query): number[] {
  const { from, to } = timesOf(filters, now)
  if (from === undefined) return []
  const [first, last] = [monthOf(from), monthOf(Math.min(to ?? now, now))]
  return last - first > 2 || last < first
    ? []
    : Array.from({ length: last - first + 1 }, (_, n) => monthSign(first + n))
}

const holds = (words: readonly Word[], near: Query['near']): RawBuilder<unknown>[] =>
  near === undefined
    ? words.map((_, n) => sql`(m.in_name[${sql.lit(n + 1)}] or m.in_text[${sql.lit(n + 1)}])`)
    : [sql`(cardinality(m.said_name) > 0 or cardinality(m.said_text) > 0)`]

const content = sql`
  left join lateral (select blob_id from version where item_id = i.id and number = i.version and i.f_type = 1 offset 0) v
    on true
  left join lateral (select text from content_text where blob_id = v.blob_id offset 0) c on true`

/** Items that the index has not taken in yet, newest first. */
async function waiting(query: Query, at: number, id: number): Promise<Found[]> {
  const { db, actor, typed, near } = query
  const conditions = [...worthALook(query), inPlaces(query, sql`i`, sql`i.id`), ...holds(typed.words, near)]
  const { rows } = await sql<Found>`
    select ${itemColumns}, ${ownEntries(actor)} as entries, 0 as number, v.blob_id, m.*
    from (select distinct item_id from search_queue) q
    cross join lateral (select * from item where id = q.item_id offset 0) i
    ${content}
    cross join lateral (select ${flags(query, sql`i.search_text`, ({ raw }) => raw)} offset 0) m
    where ${sql.join(conditions, sql` and `)} and (i.modified_at, i.id) < (${at}, ${id})
    order by i.modified_at desc, i.id desc limit ${batchSize}`.execute(db)
  return rows
}

/** Items whose tags or comments have words of the search; they are few, and found by those. */
async function beside(query: Query): Promise<Found[]> {
  const { db, actor, tagged, commented } = query
  const ids = [...new Set([...tagged.keys(), ...commented.keys()])]
  if (ids.length === 0 || query.near !== undefined) return []
  const conditions = [...worthALook(query), inPlaces(query, sql`i`, sql`i.id`)]
  const { rows } = await sql<Found>`
    select ${itemColumns}, ${ownEntries(actor)} as entries, 0 as number, v.blob_id, m.*
    from unnest(${ids}::bigint[]) q (item_id)
    cross join lateral (select * from item where id = q.item_id offset 0) i
    ${content}
    cross join lateral (select ${flags(query, sql`i.search_text`, ({ raw }) => raw)} offset 0) m
    where ${sql.join(conditions, sql` and `)}
    order by i.modified_at desc, i.id desc`.execute(db)
  return rows
}

/** Items of the index in a range of numbers, the newest first. */
async function indexed(
  query: Query,
  { below, from, signs, byPlace }: { below: number; from: number; signs: readonly number[]; byPlace: boolean },
): Promise<Found[]> {
  const { db, actor, typed, places, near } = query
  const months = monthsWanted(query)
  const narrow = [
    sql`d.signs @> ${signsWanted(query)}::int[]`,
    ...(signs.length === 0 ? [] : [sql`d.signs && ${[...signs]}::int[]`]),
    ...(months.length === 0 ? [] : [sql`d.signs && ${months}::int[]`]),
    ...(byPlace && places !== undefined ? [sql`d.signs && ${[...places.signs]}::int[]`] : []),
    // By their signs, to which '+ 0' leaves no choice.
    sql`d.number + 0 < ${below}`,
    sql`d.number + 0 >= ${from}`,
  ]
  const conditions = [
    sql`coalesce(d.raw, d.name) = i.search_text`,
    ...worthALook(query),
    inPlaces(query, sql`i`, sql`i.id`),
    ...holds(typed.words, near),
  ]
  const { rows } = await sql<Found>`
    select ${itemColumns}, ${ownEntries(actor)} as entries, d.number, v.blob_id, m.*
    from (select item_id, number, name, raw from search_document d where ${sql.join(narrow, sql` and `)} offset 0) d
    cross join lateral (select * from item where id = d.item_id offset 0) i
    ${content}
    cross join lateral (select ${flags(query, sql`d.name`, ({ text }) => text)} offset 0) m
    where ${sql.join(conditions, sql` and `)}
    order by d.number desc limit ${batchSize}`.execute(db)
  return rows
}

/** Whether the words that a hit was found by count for the caller. */
function isFound(
  { typed: { words }, near, tagged, commented }: Query,
  { row, mayRead, mayReadComments }: Met,
): boolean {
  if (near !== undefined) return row.said_name?.length !== 0 || (mayRead && row.said_text?.length !== 0)
  if (row.not_name || (mayRead && row.not_text)) return false
  return words.every(
    (_, n) =>
      row.in_name[n] === true ||
      (mayRead && row.in_text[n] === true) ||
      tagged.get(row.id)?.[n] === true ||
      (mayReadComments && commented.get(row.id)?.[n] === true),
  )
}

/** The newest hits, at most so many, and whether these are all. */
async function collect(query: Query, most: number): Promise<{ hits: Met[]; isAll: boolean }> {
  const hits: Met[] = []
  if (query.typed.words.length === 0 || query.places?.signs.length === 0) return { hits, isAll: true }
  const looked = new Set<number>()
  let seen = 0
  const add = async (rows: readonly Found[]): Promise<void> => {
    const fresh = rows.filter(({ id }) => !looked.has(id))
    for (const { id } of fresh) looked.add(id)
    await loadFolders(query, fresh)
    for (const row of fresh) {
      const hit = hitOf(query, row)
      if (hit === undefined) continue
      seen += 1
      const met = {
        ...hit,
        mayRead: row.f_type === 1 && denial(gates.preview, hit.facts) === undefined,
        mayReadComments: denial(gates.comment, hit.facts) === undefined,
      }
      if (isFound(query, met)) hits.push(met)
    }
  }

  await add(await beside(query))
  let [at, id] = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
  for (let rows: Found[]; hits.length <= most; ) {
    rows = await waiting(query, at, id)
    await add(rows)
    const last = rows.at(-1)
    if (last === undefined || rows.length < batchSize) break
    ;[at, id] = [last.modified_at, last.id]
  }
  const { rows: newest } = await sql<{ number: number }>`
    select number from search_document order by number desc limit 1`.execute(query.db)
  let below = (newest[0]?.number ?? 0) + 1
  let span = firstSpan
  let [numbers, matching] = [0, 0]
  while (below > 1 && hits.length <= most) {
    const signs = query.places?.signs.length
    // Few places are worth asking for, and many where most of what was looked at lay elsewhere.
    const byPlace = signs !== undefined && (signs <= fewPlaces || seen * 2 < looked.size)
    const window = windowsBelow(below, span)
    const rows = await indexed(query, { ...window, below, byPlace })
    await add(rows)
    matching += rows.length
    const last = rows.at(-1)
    if (last !== undefined && rows.length === batchSize) {
      numbers += below - last.number
      below = last.number
    } else {
      numbers += below - window.from
      below = window.from
    }
    const rate = Math.max(matching, 0.5) / numbers
    span = Math.max(firstSpan, Math.min(mostInWindow / rate, mostWider * span))
  }
  const isAll = hits.length <= most
  return { hits: hits.slice(0, most), isAll }
}

/** What a hit must be, by what is chosen: each part of it can be left out to count what else there is. */
const parts = {
  scope: (
    { row, mayRead, mayReadComments }: Met,
    { filters: { scope = 'all' }, typed: { words }, tagged, commented }: Query,
  ): boolean =>
    scope === 'all' ||
    words.every((_, n) => {
      switch (scope) {
        case 'name':
          return row.in_name[n] === true
        case 'content':
          return mayRead && row.in_text[n] === true
        case 'tag':
          return tagged.get(row.id)?.[n] === true
        case 'comment':
          return mayReadComments && commented.get(row.id)?.[n] === true
      }
    }),
  tag: ({ row }: Met, { bearing }: Query): boolean => bearing === undefined || bearing.has(row.id),
  docType: ({ row }: Met, { filters: { docType } }: Query): boolean => docType === undefined || typeOf(row) === docType,
  time: ({ row }: Met, { filters, now }: Query): boolean => {
    const { from = 0, to = Number.MAX_SAFE_INTEGER } = timesOf(filters, now)
    return row.modified_at >= from && row.modified_at < to
  },
  size: ({ row }: Met, { filters: { sizeFrom, sizeTo } }: Query): boolean =>
    (sizeFrom === undefined && sizeTo === undefined) ||
    (row.f_type === 1 && row.size >= (sizeFrom ?? 0) && row.size < (sizeTo ?? Number.MAX_SAFE_INTEGER)),
  place: ({ library, path, row }: Met, { isInScope }: Query): boolean =>
    isInScope(library, row.parent_id === null ? [] : path),
} as const
type Part = keyof typeof parts

const typeOf = ({ f_type: fType, ext, link_to: link }: Found): DocType | undefined =>
  link === null ? docTypeOf({ fType, ext }) : undefined

const passes = (hit: Met, query: Query, except?: Part): boolean =>
  (Object.keys(parts) as Part[]).every((part) => part === except || parts[part](hit, query))

/** How many there would be of each kind, were it chosen. */
function facetsOf(hits: readonly Met[], isAll: boolean, query: Query): SearchFacets {
  const among = (part: Part): readonly Met[] => hits.filter((hit) => passes(hit, query, part))
  const count = (part: Part, is: Readonly<Record<string, (hit: Met) => boolean>>): SearchFacets['scopes'] => {
    const left = among(part)
    return Object.entries(is).map(([value, test]) => ({ value, total: left.filter(test).length }))
  }
  const chosen = (filters: Filters): Query => ({ ...query, filters })
  const times = Object.fromEntries(
    searchDays.map((days) => [String(days), (hit: Met) => hit.row.modified_at >= query.now - days * dayMs]),
  )
  const sizes = Object.fromEntries(
    searchSizes.map(({ from, to }, n) => [
      String(n),
      (hit: Met) => parts.size(hit, chosen({ sizeFrom: from, sizeTo: to })),
    ]),
  )
  const any = (): boolean => true
  return {
    isMore: !isAll,
    scopes: count('scope', {
      all: any,
      name: (hit) => parts.scope(hit, chosen({ scope: 'name' })),
      content: (hit) => parts.scope(hit, chosen({ scope: 'content' })),
      tag: (hit) => parts.scope(hit, chosen({ scope: 'tag' })),
      ...(query.filters.scope === 'comment'
        ? { comment: (hit) => parts.scope(hit, chosen({ scope: 'comment' })) }
        : {}),
    }),
    docTypes: count('docType', {
      all: any,
      ...Object.fromEntries(docTypes.map((type) => [type, ({ row }: Met) => typeOf(row) === type])),
    }),
    days: count('time', { all: any, ...times }),
    sizes: count('size', { all: any, ...sizes }),
    tags: count('tag', {
      all: any,
      ...(query.filters.tagId === undefined ? {} : { here: (hit) => parts.tag(hit, query) }),
    }),
    places: count('place', {
      all: any,
      ...(query.filters.folderId === undefined ? {} : { here: (hit) => parts.place(hit, query) }),
    }),
  }
}

/** How well a hit fits. */
function scoreOf({ row, mayRead }: Met, { words }: Typed): number {
  const length = Math.max(1, row.name.length)
  let score = row.rank === 0 ? 400 : row.rank === 1 ? 60 : 0
  for (const [n, { text }] of words.entries()) {
    if (row.in_line[n]) score += 40 + (40 * text.length) / length
    else if (row.in_name[n]) score += 25
    if (!mayRead || !row.in_text[n]) continue
    const [times = 0, place = 0] = [row.times[n], row.places[n]]
    score += 6 + 3 * Math.log2(1 + Math.min(times, 32)) + 6 / (1 + place / 400)
  }
  // What holds all words as they were typed is told before what has them here and there.
  if (words.every((_, n) => row.in_line[n])) score += 60
  return score
}

function inOrder(hits: readonly Met[], typed: Typed, { sort, order }: { sort: Sort; order: 'asc' | 'desc' }): Met[] {
  const newest = (a: Met, b: Met): number => b.row.modified_at - a.row.modified_at || b.row.id - a.row.id
  const way = order === 'asc' ? 1 : -1
  if (sort === 'relevance') {
    const scores = new Map(hits.map((hit) => [hit, scoreOf(hit, typed)]))
    const score = (hit: Met): number => scores.get(hit) ?? 0
    return hits.toSorted((a, b) => score(b) - score(a) || newest(a, b))
  }
  const by = {
    time: (a: Met, b: Met) => a.row.modified_at - b.row.modified_at || a.row.id - b.row.id,
    size: (a: Met, b: Met) => a.row.size - b.row.size || newest(a, b),
    name: (a: Met, b: Met) =>
      a.row.name_sort < b.row.name_sort ? -1 : a.row.name_sort > b.row.name_sort ? 1 : newest(a, b),
  }[sort]
  return hits.toSorted((a, b) => way * by(a, b))
}

/** What is asked of one page of hits. */
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
  readonly asking: Asking
  readonly hits: readonly Hit[]
  readonly scrollId: string | null
  readonly total: number
  readonly isMore: boolean
  readonly highlights: SearchHighlight[]
  readonly facets?: SearchFacets
  readonly suggestions?: { keyword: string; total: number }[]
  readonly looser?: string[]
}

/** Where a further page begins: behind the last hit that was told, among what was there when the search began. */
interface Scroll {
  readonly since: number
  readonly told: number
  readonly last: number
  readonly isLooser: boolean
}

/** A scroll among names has other first letters (index.ts). */
export const isFullScroll = (scrollId: string): boolean => scrollId.startsWith('f.')

function readScroll(scrollId: string): Scroll {
  const found = /^f\.(\d{1,15})\.(\d{1,6})\.(\d{1,15})\.([01])$/.exec(scrollId)
  if (found === null) return fail('badRequest', 'scrollId')
  const [since = 0, told = 0, last = 0, looser = 0] = found.slice(1).map(Number)
  return { since, told, last, isLooser: looser === 1 }
}

/** Items that one word finds beside what they are; the latest. */
const mostBeside = 1000

/** Which items have which of the words. */
async function byWord(
  words: readonly Word[],
  isOn: boolean,
  itemsWith: (word: string) => Promise<readonly number[]>,
): Promise<Beside> {
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

/** One page of hits. */
export async function searchFully(wanted: Wanted): Promise<FullAnswer> {
  const { db, actor, now, keyword, filters, rows } = wanted
  const scroll = wanted.scrollId === undefined ? undefined : readScroll(wanted.scrollId)
  const scope = filters.folderId === undefined ? undefined : await scopeOf(db, actor, filters.folderId, now)
  const isInScope: Asking['isInScope'] = (library, path) =>
    scope === undefined ||
    virtualParentOf(library, actor) === scope.row.id ||
    path.some(({ id }) => id === scope.row.id)
  const everywhere: Places | undefined = await placesOf(db, actor)
  const here = scope === undefined || isVirtualFolder(scope.row.id) ? everywhere : await placesBelow(db, scope)
  const first = readTyped(keyword)
  const bearing = filters.tagId === undefined ? undefined : await itemsWithTag(db, actor.accountId, filters.tagId)
  const sides = new Map<Typed, Pick<Query, 'tagged' | 'commented'>>()
  const sidesOf = async (typed: Typed): Promise<Pick<Query, 'tagged' | 'commented'>> => {
    const known = sides.get(typed)
    if (known !== undefined) return known
    const { tag, file_folder_comment } = actor.settings.setting
    const hasComments = filters.scope === 'comment' && file_folder_comment
    const made = {
      tagged: await byWord(typed.words, tag, (word) => taggedItems(db, actor.accountId, word, mostBeside)),
      commented: await byWord(typed.words, hasComments, (word) => commentedItems(db, word, mostBeside)),
    }
    sides.set(typed, made)
    return made
  }
  const query = async (typed: Typed): Promise<Query> => ({
    ...asking(here, isInScope),
    ...(await sidesOf(typed)),
    typed,
    filters,
    bearing,
  })
  const wide = async (typed: Typed): Promise<Query> => ({
    ...asking(everywhere, () => true),
    ...(await sidesOf(typed)),
    typed,
    filters: { fType: filters.fType },
    bearing: undefined,
  })
  function asking(places: Places | undefined, inScope: Asking['isInScope']): Asking {
    return { db, actor, now, places, isInScope: inScope, folders: new Map(), closed: new Set(), outside: new Set() }
  }

  const find = async (typed: Typed) => {
    const narrow = await query(typed)
    const around = wanted.facets && scroll === undefined ? await collect(await wide(typed), mostHits) : undefined
    const facets = around && facetsOf(around.hits, around.isAll, narrow)
    // Of all that there is, what passes is known.
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
  return {
    asking: narrow,
    hits: page,
    scrollId,
    total: hits.length,
    isMore,
    highlights: await highlightsOf(db, page, narrow),
    ...(facets === undefined ? {} : { facets }),
    ...(suggestions === undefined ? {} : { suggestions }),
    ...(isLooser ? { looser: typed.words.map(({ text }) => text) } : {}),
  }
}

/** Why the hits were found. */
async function highlightsOf(
  db: Db,
  page: readonly Met[],
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

/** Whether places in a document of a kind are told by their lines. */
export const isByLine = (kind: string): boolean => kind === 'text' || kind === 'table' || kind === 'markdown'

const mostSuggestions = 2
const lookedAtForOne = 60

/** What was typed with another letter in its longest word, as what the caller may read has it; the most frequent first. */
async function suggest(query: Query, keyword: string): Promise<{ keyword: string; total: number }[]> {
  const [longest] = query.typed.words.toSorted((a, b) => b.text.length - a.text.length)
  const near = longest && oneLetterOff(longest.text)
  if (longest === undefined || near === undefined) return []
  const times = new Map<string, number>()
  for (const half of near.halves) {
    const { hits } = await collect({ ...query, near: { pattern: near.pattern, half } }, lookedAtForOne)
    for (const { row, mayRead } of hits) {
      const said = new Set([...(row.said_name ?? []), ...(mayRead ? (row.said_text ?? []) : [])])
      for (const word of said) times.set(word, (times.get(word) ?? 0) + 1)
    }
  }
  const words = [...times]
    .filter(([word]) => word !== longest.text && /^[\p{L}\p{N}]+$/u.test(word))
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, mostSuggestions)
  const suggestions: { keyword: string; total: number }[] = []
  for (const [word] of words) {
    const typed = query.typed.words.map(({ text }) => (text === longest.text ? word : text)).join(' ')
    const { hits } = await collect({ ...query, typed: readTyped(typed) }, mostHits)
    if (hits.length > 0) suggestions.push({ keyword: replaced(keyword, longest, word), total: hits.length })
  }
  return suggestions
}

/** What was typed with another word in the place of one, as it was written where that is possible. */
function replaced(keyword: string, { text, raw }: Word, word: string): string {
  const at = keyword.toLowerCase().indexOf(raw)
  if (at >= 0) return keyword.slice(0, at) + word + keyword.slice(at + raw.length)
  return keyword.includes(text) ? keyword.replace(text, word) : word
}
