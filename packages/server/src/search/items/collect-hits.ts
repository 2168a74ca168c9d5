/*
 * Collects the newest hits of a search. Items waiting to be indexed are read directly. The index is read in windows of
 * numbers from the newest down; the width of each window follows from the hits so far. Signs (hashed index terms, see
 * words.ts) preselect rows, a limited number at a time. The current name and content decide whether an item matches,
 * and the exact evaluator decides whether the caller may know of it.
 */
import { denial, docTypeExts, docTypes, gates } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import { endOfPart, likeAnywhere } from '../../core/text-keys.ts'
import { itemColumns, ownEntries } from '../../drive/tree/index.ts'
import { monthOf } from './documents.ts'
import { fewRoots, hitOf, inRoots, loadFolders, mostInWindow, mostWider } from './hits.ts'
import { anyFolder, Fits, monthSign, sizesWanted, typeSign, windowsBelow } from './index-signs.ts'
import { type Found, type Query, timesOf, type VisibleHit } from './query.ts'
import { signsOfWords, type Word } from './query-terms.ts'

/** Rows per query; later queries read as many as the missing hits probably need. */
const batchSize = 500
const smallestBatch = 100
/** Assumed minimum fraction of matching rows among those with the signs, when a query is enlarged. */
const fewestMatching = 0.02
const firstSpan = 8192

const nameHas = (column: RawBuilder<unknown>, word: string): RawBuilder<unknown> => {
  const end = endOfPart(word)
  const where = end === undefined ? column : sql`split_part(${column}, ${end}, 1)`
  return sql`${where} like ${likeAnywhere(word)}`
}
const bools = (all: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql`array[${sql.join(all)}]::boolean[]`
const anyOf = (all: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  all.length === 0 ? sql`false` : sql`(${sql.join(all, sql` or `)})`

/**
 * SQL columns that state where a row matches the terms. `name` is the folded name or, for a row not yet indexed, the
 * item's search text.
 */
function flags({ typed, near }: Query, name: RawBuilder<unknown>): RawBuilder<unknown> {
  const { words, without, plain } = typed
  const inText = ({ text }: Word): RawBuilder<unknown> => sql`coalesce(c.text like ${likeAnywhere(text)}, false)`
  const line = sql`split_part(split_part(${name}, chr(1), 1), chr(10), 1)`
  const fits = plain === undefined ? undefined : Fits.of(plain)
  const said = (text: RawBuilder<unknown>): RawBuilder<unknown> =>
    near === undefined
      ? sql`null::text[]`
      : sql`array(select distinct m[1] from regexp_matches(${text}, ${near.pattern}, 'g') m limit 5)`
  return sql`
    ${bools(words.map((one) => nameHas(name, one.text)))} as in_name,
    ${bools(words.map((one) => sql`${line} like ${likeAnywhere(one.text)}`))} as in_line,
    ${bools(words.map(inText))} as in_text,
    ${anyOf(without.map((one) => nameHas(name, one.text)))} as not_name,
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

/** SQL conditions that preselect items for the exact evaluation. */
function worthALook({ actor, bearing, closed, excludedFolders, filters, now }: Query): RawBuilder<unknown>[] {
  const { docType, fType, sizeFrom, sizeTo } = filters
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
    sql`(i.parent_id is null or i.parent_id <> all(${[...excludedFolders]}::bigint[]))`,
    sql`(i.own_rules or i.created_by = ${actor.accountId} or i.parent_id is null
      or i.parent_id <> all(${[...closed]}::bigint[]))`,
    ...ofType,
    // By the items of a tag of the caller: a tag of another user must not differ from one that does not exist.
    ...(bearing === undefined ? [] : [sql`i.id = any(${[...bearing]}::bigint[])`]),
    ...(fType === undefined ? [] : [sql`i.f_type = ${fType} and i.link_to is null`]),
    ...(from === undefined ? [] : [sql`i.modified_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`i.modified_at < ${to}`]),
    ...(sizeFrom === undefined ? [] : [sql`i.f_type = 1 and i.size >= ${sizeFrom}`]),
    ...(sizeTo === undefined ? [] : [sql`i.f_type = 1 and i.size < ${sizeTo}`]),
  ]
}

/** Signs that every hit has. */
function signsWanted({ typed, filters, near, isSized }: Query): number[] {
  const { docType, fType, sizeFrom, sizeTo } = filters
  const words = near === undefined ? typed.words : [{ text: near.half }]
  return [
    ...signsOfWords(words),
    ...(docType === undefined ? [] : [typeSign(docType)]),
    ...(fType === 2 ? [anyFolder] : []),
    ...(isSized ? sizesWanted(sizeFrom, sizeTo) : []),
  ]
}

/** The months of the searched time range, if they are few. */
function monthsWanted({ filters, now }: Query): number[] {
  const { from, to } = timesOf(filters, now)
  if (from === undefined) return []
  const [first, last] = [monthOf(from), monthOf(Math.min(to ?? now, now))]
  return last - first > 2 || last < first
    ? []
    : Array.from({ length: last - first + 1 }, (_, n) => monthSign(first + n))
}

const wordConditions = (words: readonly Word[], near: Query['near']): RawBuilder<unknown>[] =>
  near === undefined
    ? words.map((_, n) => sql`(m.in_name[${sql.lit(n + 1)}] or m.in_text[${sql.lit(n + 1)}])`)
    : [sql`(cardinality(m.said_name) > 0 or cardinality(m.said_text) > 0)`]

/** Joins the content. `text || ''` builds the text once instead of once for each condition. */
const content = sql`
  left join lateral (select blob_id from version where item_id = i.id and number = i.version and i.f_type = 1 offset 0) v
    on true
  left join lateral (select text || '' as text from content_text where blob_id = v.blob_id offset 0) c on true`

/** Items that are not indexed yet, newest first. */
async function waiting(query: Query, at: number, id: number): Promise<Found[]> {
  const { db, actor, typed, near } = query
  const conditions = [...worthALook(query), inRoots(query, sql`i`, sql`i.id`), ...wordConditions(typed.words, near)]
  const { rows } = await sql<Found>`
    select ${itemColumns}, ${ownEntries(actor)} as entries, 0 as number, v.blob_id, m.*
    from (select distinct item_id from search_queue) q
    cross join lateral (select * from item where id = q.item_id offset 0) i
    ${content}
    cross join lateral (select ${flags(query, sql`i.search_text`)} offset 0) m
    where ${sql.join(conditions, sql` and `)} and (i.modified_at, i.id) < (${at}, ${id})
    order by i.modified_at desc, i.id desc limit ${batchSize}`.execute(db)
  return rows
}

/** Items whose tags or comments match terms of the search. They are few and looked up by id. */
async function attachedMatches(query: Query): Promise<Found[]> {
  const { db, actor, tagged, commented } = query
  const ids = [...new Set([...tagged.keys(), ...commented.keys()])]
  if (ids.length === 0 || query.near !== undefined) return []
  const conditions = [...worthALook(query), inRoots(query, sql`i`, sql`i.id`)]
  const { rows } = await sql<Found>`
    select ${itemColumns}, ${ownEntries(actor)} as entries, 0 as number, v.blob_id, m.*
    from unnest(${ids}::bigint[]) q (item_id)
    cross join lateral (select * from item where id = q.item_id offset 0) i
    ${content}
    cross join lateral (select ${flags(query, sql`i.search_text`)} offset 0) m
    where ${sql.join(conditions, sql` and `)}
    order by i.modified_at desc, i.id desc`.execute(db)
  return rows
}

interface IndexWindow {
  /** The window of numbers, and its signs. */
  readonly below: number
  readonly from: number
  readonly signs: readonly number[]
  readonly byPlace: boolean
  /** Maximum number of rows with the signs, from the newest down. */
  readonly most: number
}

interface Looked {
  readonly rows: Found[]
  /** Number of rows with the signs, and the number of the last one. */
  readonly looked: number
  readonly last: number
}

/** Indexed items in a window of numbers, newest first. */
async function indexed(query: Query, { below, from, signs, byPlace, most }: IndexWindow): Promise<Looked> {
  const { db, actor, typed, roots, near } = query
  const months = monthsWanted(query)
  const narrow = [
    sql`d.signs @> ${signsWanted(query)}::int[]`,
    ...(signs.length === 0 ? [] : [sql`d.signs && ${[...signs]}::int[]`]),
    ...(months.length === 0 ? [] : [sql`d.signs && ${months}::int[]`]),
    ...(byPlace && roots !== undefined ? [sql`d.signs && ${[...roots.signs]}::int[]`] : []),
    // `+ 0` prevents use of the index on numbers, so PostgreSQL must use the signs.
    sql`d.number + 0 < ${below}`,
    sql`d.number + 0 >= ${from}`,
  ]
  const conditions = [
    sql`coalesce(d.raw, d.name) = i.search_text`,
    ...worthALook(query),
    inRoots(query, sql`i`, sql`i.id`),
    ...wordConditions(typed.words, near),
  ]
  // Contents are checked only for these rows, because a common term occurs in every second row of a window.
  const { rows } = await sql<Omit<Looked, 'rows'> & (Found | { readonly id: null })>`
    with d as materialized (
      select item_id, number, name, raw from search_document d where ${sql.join(narrow, sql` and `)}
      order by d.number + 0 desc limit ${most})
    select s.looked, s.last, r.* from (select count(*)::int as looked, coalesce(min(number), 0) as last from d) s
    left join lateral (
      select ${itemColumns}, ${ownEntries(actor)} as entries, d.number, v.blob_id, m.*
      from d cross join lateral (select * from item where id = d.item_id offset 0) i
      ${content}
      cross join lateral (select ${flags(query, sql`d.name`)} offset 0) m
      where ${sql.join(conditions, sql` and `)}) r on true
    order by r.number desc`.execute(db)
  const [{ looked, last } = { looked: 0, last: 0 }] = rows
  return { looked, last, rows: rows.filter((row): row is typeof row & Found => row.id !== null) }
}

/** Whether the caller may know the matches by which a hit was found. */
function isFound(
  { typed: { words }, near, tagged, commented }: Query,
  { row, mayRead, mayReadComments }: VisibleHit,
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

/** The newest hits up to a maximum, and whether these are all. */
export async function collect(query: Query, most: number): Promise<{ hits: VisibleHit[]; isAll: boolean }> {
  const hits: VisibleHit[] = []
  if (query.typed.words.length === 0 || query.roots?.signs.length === 0) return { hits, isAll: true }
  const met = new Set<number>()
  const add = async (rows: readonly Found[]): Promise<void> => {
    const fresh = rows.filter(({ id }) => !met.has(id))
    for (const { id } of fresh) met.add(id)
    await loadFolders(query, fresh)
    for (const row of fresh) {
      const hit = hitOf(query, row)
      if (hit === undefined) continue
      const known = {
        ...hit,
        mayRead: row.f_type === 1 && denial(gates.preview, hit.facts) === undefined,
        mayReadComments: denial(gates.comment, hit.facts) === undefined,
      }
      if (isFound(query, known)) hits.push(known)
    }
  }

  await add(await attachedMatches(query))
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
  let batch = batchSize
  let [numbers, looked, matching, found] = [0, 0, 0, 0]
  while (below > 1 && hits.length <= most) {
    const signs = query.roots?.signs.length
    // The index is also queried by location if there are few, or if more rows than locations were read without a hit.
    const byPlace = signs !== undefined && (signs <= fewRoots || looked - found > signs)
    const window = windowsBelow(below, span)
    const before = hits.length
    const look = await indexed(query, { ...window, below, byPlace, most: batch })
    await add(look.rows)
    const end = look.looked === batch ? look.last : window.from
    numbers += below - end
    below = end
    looked += look.looked
    matching += look.rows.length
    found += hits.length - before
    const wanted = ((most + 1 - hits.length) * 1.1 * looked) / Math.max(found, 1)
    const affordable = mostInWindow / Math.max(matching / Math.max(looked, 1), fewestMatching)
    batch = Math.round(Math.max(smallestBatch, Math.min(wanted, affordable)))
    span = Math.max(firstSpan, Math.min((numbers * affordable) / Math.max(looked, 0.5), mostWider * span))
  }
  return { hits: hits.slice(0, most), isAll: hits.length <= most }
}
