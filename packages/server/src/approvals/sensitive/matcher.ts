/*
 * Finds what rules look for in the text of one content: words, regular expressions and built-in patterns. Regular
 * expressions run in linear time (RE2), because they and the texts come from people; positions are UTF-16 offsets.
 * Everything else is compared on folded text (core/folding.ts), which has the same offsets. Runs in a worker
 * (detect-worker.ts), so it imports nothing of the server.
 */

import { createHmac } from 'node:crypto'
import { type NumberPattern } from '@cloudoc/domain'
import { RE2JS } from 're2js'
import { folded } from '../../core/folding.ts'
import { type FoundNumber, findNumbers } from './number-patterns.ts'
import { wordFinder } from './word-finder.ts'

/** What the matcher needs of a rule. */
export interface RuleToMatch {
  readonly ruleId: number
  readonly patterns: readonly NumberPattern[]
  /** The words as in the rule, each with the folded texts by which it is found. */
  readonly words: readonly { readonly label: string; readonly forms: readonly string[] }[]
  readonly wholeWords: boolean
  readonly separators: boolean
  readonly expressions: readonly string[]
}

/** A part of a content, as normalized text. */
export interface TextToMatch {
  readonly text: string
  /** The cells of a sheet in the order of the text: row, column, and where each begins. */
  readonly cells?: readonly (readonly [row: number, column: number, start: number])[]
}

/** Where something was found: the index of the section, and offsets in its text. */
export interface Place {
  readonly section: number
  readonly start: number
  readonly end: number
}

/** One value that was found, without itself: the log of findings must not become a store of secrets. */
export interface FoundValue {
  /** A keyed hash. */
  readonly hash: string
  /** The first three and the last two characters. */
  readonly masked: string
}

/** What one condition of a rule found in a content. */
export interface Finding {
  readonly ruleId: number
  /** A built-in pattern, `word` or `expression`. */
  readonly part: NumberPattern | 'word' | 'expression'
  /** The word. */
  readonly label: string
  readonly values: readonly FoundValue[]
  /** Different values, even if the list is cut. */
  readonly distinct: number
  readonly places: readonly Place[]
  /** All places, even if the list is cut. */
  readonly total: number
}

/** A longer match of an expression counts by its beginning. */
export const longestMatch = 1024
/** Places and values kept of one condition. */
const mostPlaces = 200
const mostValues = 2000

/** The first three and the last two characters of a value. */
export function masked(value: string): string {
  const letters = [...value]
  if (letters.length < 6) return (letters[0] ?? '') + '*'.repeat(Math.max(1, letters.length - 1))
  return letters.map((letter, n) => (n < 3 || n >= letters.length - 2 ? letter : '*')).join('')
}

interface Collected {
  readonly ruleId: number
  readonly part: Finding['part']
  readonly label: string
  readonly values: Map<string, string>
  readonly places: Place[]
  total: number
}

const squeezable = /[\s\-.·_*|]/
const isHan = (text: string): boolean => /\p{Script=Han}/u.test(text)
const isWordLetter = (code: number): boolean => (code >= 48 && code <= 57) || (code >= 97 && code <= 122)

/** The text without separators, and where each remaining character was. */
function squeezed(text: string): { readonly text: string; readonly at: Uint32Array } {
  const at = new Uint32Array(text.length)
  const kept: string[] = []
  for (let n = 0; n < text.length; n++) {
    const letter = text[n] as string
    if (squeezable.test(letter)) continue
    at[kept.length] = n
    kept.push(letter)
  }
  return { text: kept.join(''), at }
}

interface WordForm {
  readonly rule: number
  readonly label: string
  readonly text: string
  readonly isWhole: boolean
}

/** The text above or beside a cell: what its column or its row begins with. */
function headOf({ text, cells }: TextToMatch, low: string): ((at: number) => string) | undefined {
  if (cells === undefined) return undefined
  const textAt = (n: number): string => low.slice(cells[n]?.[2] ?? 0, (cells[n + 1]?.[2] ?? text.length + 1) - 1)
  const heads = new Map<number, string>()
  for (const [n, [, column]] of cells.entries()) if (!heads.has(column)) heads.set(column, textAt(n))
  return (at) => {
    let [from, to] = [0, cells.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if ((cells[middle]?.[2] ?? 0) <= at) from = middle + 1
      else to = middle
    }
    const cell = cells[from - 1]
    const isBeside = cells[from - 2]?.[0] === cell?.[0]
    return `${heads.get(cell?.[1] ?? -1) ?? ''}\u0000${isBeside ? textAt(from - 2) : ''}`
  }
}

/** Prepares rules; the same function is called for many contents. Throws if an expression does not compile. */
export function createMatcher(rules: readonly RuleToMatch[], key: Uint8Array) {
  const forms = rules.flatMap(({ words, wholeWords }, rule): WordForm[] =>
    words.flatMap(({ label, forms: texts }) => texts.map((text) => ({ rule, label, text, isWhole: wholeWords }))),
  )
  const findWords = wordFinder(forms.map(({ text }) => text))
  const apart = forms.filter(({ rule, text }) => rules[rule]?.separators === true && isHan(text))
  const findApart = apart.length === 0 ? undefined : wordFinder(apart.map(({ text }) => text))
  const expressions = rules.flatMap(({ expressions: all }, rule) =>
    all.map((expression) => ({ rule, compiled: RE2JS.compile(expression) })),
  )
  const joining = (joins: boolean) =>
    rules.some(({ patterns, separators }) => patterns.length > 0 && separators === joins)
  const joinsUsed = [true, false].filter(joining)

  return (sections: readonly TextToMatch[], today: Date): Finding[] => {
    const found = new Map<string, Collected>()
    const collect = (rule: number, part: Finding['part'], label: string, value: string, place: Place): void => {
      const { ruleId = 0 } = rules[rule] ?? {}
      const id = `${ruleId} ${part} ${label}`
      let one = found.get(id)
      if (one === undefined) found.set(id, (one = { ruleId, part, label, values: new Map(), places: [], total: 0 }))
      one.total += 1
      if (one.places.length < mostPlaces) one.places.push(place)
      if (!one.values.has(value)) one.values.set(value, part === 'word' ? label : masked(value))
    }

    const low = sections.map(({ text }) => folded(text))
    for (const [section, text] of low.entries()) {
      const seen = new Set<string>()
      const take = ({ rule, label, text: word, isWhole }: WordForm, start: number, end: number): void => {
        const left = isWordLetter(word.charCodeAt(0)) && isWordLetter(text.charCodeAt(start - 1))
        const right = isWordLetter(word.charCodeAt(word.length - 1)) && isWordLetter(text.charCodeAt(end))
        if (isWhole && (left || right)) return
        const id = `${rule} ${label} ${start}`
        if (seen.has(id)) return
        seen.add(id)
        collect(rule, 'word', label, label, { section, start, end })
      }
      for (const { word, start, end } of findWords(text)) take(forms[word] as WordForm, start, end)
      if (findApart !== undefined && text.length > 0) {
        const { text: tight, at } = squeezed(text)
        for (const { word, start, end } of findApart(tight))
          take(apart[word] as WordForm, at[start] ?? 0, (at[end - 1] ?? 0) + 1)
      }
      for (const { rule, compiled } of expressions) {
        const source = sections[section]?.text ?? ''
        const matching = compiled.matcher(source)
        while (matching.find()) {
          const [start, end] = [matching.start(), matching.end()]
          if (end === start) continue
          const value = source.slice(start, Math.min(end, start + longestMatch)).replace(/[\ud800-\udbff]$/, '')
          collect(rule, 'expression', '', value, { section, start, end: start + value.length })
        }
      }
    }

    const texts = low.map((text, n) => {
      const head = headOf(sections[n] as TextToMatch, text)
      return head === undefined ? { text } : { text, headOf: head }
    })
    for (const joins of joinsUsed) {
      const numbers = findNumbers(texts, { joins, today })
      for (const [rule, { patterns, separators }] of rules.entries()) {
        if (separators !== joins || patterns.length === 0) continue
        for (const [section, all] of numbers.entries())
          for (const { pattern, start, end, value } of all as readonly FoundNumber[])
            if (patterns.includes(pattern)) collect(rule, pattern, '', value, { section, start, end })
      }
    }
    return [...found.values()].map(({ values, ...one }) => ({
      ...one,
      distinct: values.size,
      values: [...values]
        .slice(0, mostValues)
        .map(([value, shown]) => ({ hash: hashOf(key, one.part, value), masked: shown })),
    }))
  }
}

/** The keyed hash of a value: decisions are bound to it. */
export function hashOf(key: Uint8Array, part: string, value: string): string {
  return createHmac('sha256', key).update(`${part} ${value}`).digest('base64url').slice(0, 22)
}
