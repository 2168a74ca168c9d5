/*
 * The signs of the index of names, for items and for queries. `signs` are hashed index terms: the terms of one and two
 * letters that a name is found by, its library, its folder, and the windows of numbers that its row belongs to. Hashes
 * may collide, so signs only preselect, and the columns of the row decide.
 */
import { searchSizes } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import { foldTyped } from '../../core/folding.ts'
import { searchWords, shortWords } from '../../core/text-keys.ts'
import { nameMatches } from '../../drive/tree/index.ts'

/** Window sizes, as the number of low bits omitted: from 8,192 rows to 4 million. */
const levels = [13, 16, 19, 22] as const
/** Maximum number of windows of one level in a query; wider ranges use the next level. */
const mostWindows = 9

function sign(kind: number, a: number, b = 0): number {
  let hash = Math.imul(kind + 1, 0x9e3779b1) ^ Math.imul(a, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35) ^ Math.imul(b + 0x165667b1, 0x27d4eb2f)
  return Math.imul(hash ^ (hash >>> 13), 0x9e3779b1) | 0
}

/** The sign of a term of one or two letters. */
export function wordSign(word: string): number {
  const [first = '', second = ''] = word
  return sign(0, first.codePointAt(0) ?? 0, second.codePointAt(0) ?? 0)
}

/** The sign of three adjacent letters. */
export function gramSign(letters: string): number {
  return textSign(32, letters)
}

/** The sign of a document type. */
export function typeSign(type: string): number {
  return textSign(30, type)
}

/** The sign of a month, by its number since the year 0. */
export function monthSign(month: number): number {
  return sign(31, month)
}

/** The sign of all items in a library. */
export function librarySign(libraryId: number): number {
  return sign(1, libraryId % 0x7fffffff)
}

/** The sign of a folder and its direct children. */
export function folderSign(folderId: number): number {
  return sign(2, folderId % 0x7fffffff)
}

const windowSign = (level: number, window: number): number => sign(3 + level, window)

function textSign(kind: number, text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return sign(kind, hash, text.length)
}

/** The sign of all folders. */
export const anyFolder = sign(4, 0)
/** Prefix lengths that have signs. A longer prefix is preselected by the longest of these. */
const beginnings = [1, 2, 4, 8] as const
const exactSign = (line: string): number => textSign(5, line)
const beginningSign = (letters: readonly string[]): number => textSign(6, letters.join(''))

/** The forms in which a name may be typed: itself, its initials, its full pinyin (core/text-keys.ts). */
function linesOf(text: string): string[] {
  const [names = '', rest] = text.split('\u0001')
  return [...names.split('\n'), ...(rest?.split('\u0002').slice(1) ?? [])]
}

/** The size bounds that have signs: those that a search offers. */
const sizeBounds = searchSizes.flatMap(({ from }) => (from === 0 ? [] : [from]))
const reaches = (bound: number): number => sign(33, bound)
const staysBelow = (bound: number): number => sign(34, bound)

/** The signs of a file's size: for each bound, whether it is reached or not. */
export function sizeSigns(size: number): number[] {
  return sizeBounds.map((bound) => (size >= bound ? reaches(bound) : staysBelow(bound)))
}

/** The signs that every file in a size range has. */
export function sizesWanted(from: number | undefined, to: number | undefined): number[] {
  const least = sizeBounds.findLast((bound) => from !== undefined && bound <= from)
  const most = sizeBounds.find((bound) => to !== undefined && bound >= to)
  return [...(least === undefined ? [] : [reaches(least)]), ...(most === undefined ? [] : [staysBelow(most)])]
}

/** The signs of a full name, with and without extension, and of its prefixes. */
export function fitSigns(text: string): Set<number> {
  const signs = new Set<number>()
  for (const line of linesOf(text)) {
    signs.add(exactSign(line)).add(exactSign(line.replace(/\.[^.]*$/, '')))
    const letters = [...line.slice(0, 2 * Math.max(...beginnings))]
    for (const length of beginnings) if (letters.length >= length) signs.add(beginningSign(letters.slice(0, length)))
  }
  return signs
}

/** The signs of the short terms by which a text is found. */
export function wordSigns(text: string): Set<number> {
  return new Set([...shortWords(text)].map(wordSign))
}

/** All signs of an indexed item, including those of its terms. */
export function signsOf(
  words: ReadonlySet<number>,
  item: { id: number; libraryId: number; parentId: number | null; isFolder: boolean; number: number },
): number[] {
  const places = [librarySign(item.libraryId), folderSign(item.parentId ?? item.id)]
  if (item.isFolder) places.push(folderSign(item.id), anyFolder)
  const windows = levels.map((level) => windowSign(level, Math.floor(item.number / 2 ** level)))
  return [...new Set([...words, ...places, ...windows])]
}

/**
 * The signs of the windows that contain the `span` numbers below `upper`, and the lowest number in them; empty if that
 * is everything.
 */
export function windowsBelow(upper: number, span: number): { signs: number[]; from: number } {
  for (const level of levels) {
    const size = 2 ** level
    const last = Math.floor((upper - 1) / size)
    const first = Math.floor(Math.max(upper - span, 0) / size)
    if (first === 0) return { signs: [], from: 0 }
    if (last - first >= mostWindows) continue
    const windows = Array.from({ length: last - first + 1 }, (_, n) => first + n)
    return { signs: windows.map((window) => windowSign(level, window)), from: first * size }
  }
  return { signs: [], from: 0 }
}

const hasTrigram = /[\p{L}\p{N}]{3}/u
const letter = /[a-z]/

/**
 * Signs that every hit has: those of short terms and, for long terms without a trigram, those of the characters that no
 * pinyin form can replace.
 */
function signsWanted(keyword: string): number[] {
  const parts = searchWords(keyword).flatMap((word) =>
    [...word].length < 3 ? [word] : hasTrigram.test(word) ? [] : [...word].filter((each) => !letter.test(each)),
  )
  return [...new Set(parts.map(wordSign))]
}

/** A query as SQL conditions on the item and on its index row. */
export interface NameConditions {
  readonly onItem: readonly RawBuilder<unknown>[]
  readonly onRow: readonly RawBuilder<unknown>[]
}

/** Conditions of a query besides its terms. */
export interface Narrowed {
  readonly onItem?: RawBuilder<unknown>
  readonly onRow?: RawBuilder<unknown>
  readonly signs: readonly number[]
  /**
   * Rows with these signs contain the terms anyway, so the signs of the terms, which half the rows may have, are not
   * queried.
   */
  readonly implied?: boolean
}

/** Parses the typed keyword. */
export function nameConditions(keyword: string, narrowed: Narrowed = { signs: [] }): NameConditions {
  // In one condition, so that PostgreSQL starts with the rarest sign.
  const signs = [...new Set([...(narrowed.implied === true ? [] : signsWanted(keyword)), ...narrowed.signs])]
  const { onItem, onRow } = narrowed
  return {
    onItem: [...nameMatches(keyword), ...(onItem === undefined ? [] : [onItem])],
    onRow: [
      ...nameMatches(keyword, sql`d.text`),
      ...(signs.length > 0 ? [sql`d.signs @> ${signs}::int[]`] : []),
      ...(onRow === undefined ? [] : [onRow]),
    ],
  }
}

/** Match quality of a name: equal to the keyword, begins with it, or contains it. Hits are returned in this order. */
export const fits = ['exact', 'prefix', 'inside'] as const
export type Fit = (typeof fits)[number]

/** Longer keywords are found but not ranked, because hardly two names contain them. */
const longestRanked = 60
/**
 * Regular expressions for what precedes and what follows a name, its initials and its full pinyin in a search text
 * (core/text-keys.ts).
 */
const begins = '(?:^|\n|\u0002)'
const ends = '(?:\\.[^.\n\u0001\u0002]*)?(?:$|[\n\u0001\u0002])'

/** Match quality for a keyword, as SQL conditions on a text column, and the signs by which the index preselects. */
export class Fits {
  readonly #exact: string
  readonly #prefix: string
  readonly #typed: string

  constructor(typed: string) {
    const literal = typed.replace(/[^\p{L}\p{N}\s]/gu, '\\$&')
    this.#exact = `${begins}${literal}${ends}`
    this.#prefix = `${begins}${literal}`
    this.#typed = typed
  }

  /** The match conditions of a keyword; undefined if it cannot be ranked. */
  static of(keyword: string): Fits | undefined {
    const typed = foldTyped(keyword)
    return typed === '' || typed.length > longestRanked ? undefined : new Fits(typed)
  }

  /** Matches with this quality and no better one. */
  is(fit: Fit, column: RawBuilder<unknown>): RawBuilder<unknown> {
    if (fit === 'exact') return sql`${column} ~ ${this.#exact}`
    if (fit === 'prefix') return sql`${column} ~ ${this.#prefix} and ${column} !~ ${this.#exact}`
    return sql`${column} !~ ${this.#prefix}`
  }

  /** Signs that every text with this match quality has. */
  signs(fit: Fit): number[] {
    if (fit === 'exact') return [exactSign(this.#typed)]
    const letters = [...this.#typed]
    const length = beginnings.findLast((one) => one <= letters.length)
    return fit === 'inside' || length === undefined ? [] : [beginningSign(letters.slice(0, length))]
  }

  /** The index of a text's match quality in `fits`. */
  rank(column: RawBuilder<unknown>): RawBuilder<number> {
    return sql`case when ${column} ~ ${this.#exact} then 0 when ${column} ~ ${this.#prefix} then 1 else 2 end`
  }
}
