import { type NumberPattern } from '@cloudoc/domain'
/*
 * The built-in patterns: numbers with check digits, issuer ranges and dates. They are found by their own scanner, not
 * by regular expressions: a candidate is a group of ASCII digits and letters with neither on its other sides, so that a
 * Chinese character next to a number never hides it, and a part of a longer number is none. Texts are folded
 * (core/folding.ts).
 */

/** One number in a text. */
export interface FoundNumber {
  readonly pattern: NumberPattern
  readonly start: number
  readonly end: number
  /** Without separators. */
  readonly value: string
}

/** A text to search, and what stands above or beside a place in it, such as the head of its column. */
export interface NumberText {
  readonly text: string
  readonly headOf?: (at: number) => string
}

/** A group of digits and letters. */
interface Group {
  readonly start: number
  readonly end: number
  readonly isNumber: boolean
}

/** Several groups that may be one number. */
interface Candidate {
  readonly start: number
  readonly end: number
  readonly value: string
  readonly lengths: readonly number[]
  readonly separator: string
}

/** A found number, and whether something near it or its check proves what it is. */
interface Judged extends FoundNumber {
  readonly isProven: boolean
}

const separators = new Set([' ', '-', '.', '\n'])
const mostGroups = 7
const longestNumber = 22
/** Number of characters before and after a number in which a context word counts. */
const contextReach = 30
/**
 * Without a context word this many different numbers are needed, and they must be this share of the numbers of their
 * length: one in ten numbers passes the check of cards by chance, one in two that begin with 1 looks like a mobile.
 */
const unprovenDistinct = 3
const unprovenShare: Readonly<Record<NumberPattern, number>> = {
  ...{ idCard: 0.95, bankCard: 0.5, mobile: 0.95, creditCode: 0.95, passport: 0.95 },
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isLetter = (code: number): boolean => code >= 97 && code <= 122

/** The groups of a text, in order. Diacritics and other alphabets end a group. */
export function groupsOf(text: string): Group[] {
  const groups: Group[] = []
  let start = -1
  let isNumber = true
  let hasDigit = false
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0
    const digit = isDigit(code)
    if (digit || isLetter(code)) {
      if (start < 0) [start, isNumber, hasDigit] = [at, true, false]
      isNumber &&= digit
      hasDigit ||= digit
    } else if (start >= 0) {
      if (hasDigit) groups.push({ start, end: at, isNumber })
      start = -1
    }
  }
  return groups
}

const provinces = new Set(
  '11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82 83 91'.split(
    ' ',
  ),
)

function isDate(year: number, month: number, day: number, today: Date): boolean {
  if (year < 1900 || month < 1 || month > 12 || day < 1) return false
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && date <= today
}

const idWeights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]

/** The check digit of a resident identity card by GB 11643 (ISO 7064 MOD 11-2). */
export function idCheckDigit(first17: string): string {
  const sum = idWeights.reduce((total, weight, n) => total + weight * Number(first17[n]), 0)
  return '10x98765432'[sum % 11] ?? ''
}

function isIdCard(value: string, today: Date): boolean {
  if (!/^\d{17}[\dx]$/.test(value) || !provinces.has(value.slice(0, 2)) || value.slice(2, 4) === '00') return false
  const [year, month, day] = [value.slice(6, 10), value.slice(10, 12), value.slice(12, 14)].map(Number)
  return isDate(year ?? 0, month ?? 0, day ?? 0, today) && idCheckDigit(value.slice(0, 17)) === value[17]
}

/** A card of the first generation, which has no check digit. */
function isOldIdCard(value: string, today: Date): boolean {
  if (!/^\d{15}$/.test(value) || !provinces.has(value.slice(0, 2)) || value.slice(2, 4) === '00') return false
  const [year, month, day] = [value.slice(6, 8), value.slice(8, 10), value.slice(10, 12)].map(Number)
  return isDate(1900 + (year ?? 0), month ?? 0, day ?? 0, today)
}

/** Whether the last digit is right by Luhn. */
export function passesLuhn(value: string): boolean {
  let sum = 0
  for (let n = 0; n < value.length; n++) {
    const digit = Number(value[value.length - 1 - n])
    sum += n % 2 === 0 ? digit : digit < 5 ? digit * 2 : digit * 2 - 9
  }
  return sum % 10 === 0
}

function isBankCard(value: string): boolean {
  if (!/^\d{16,19}$/.test(value) || /^(\d)\1+$/.test(value)) return false
  const issuer = Number(value.slice(0, 4))
  const isIssued =
    value.startsWith('62') ||
    (value.length === 19 && issuer === 9558) ||
    (value.length === 16 &&
      (value.startsWith('4') || (issuer >= 5100 && issuer <= 5599) || (issuer >= 2221 && issuer <= 2720))) ||
    (value.length === 16 && issuer >= 3528 && issuer <= 3589)
  return isIssued && passesLuhn(value)
}

const mobileSegment = /^1(?:3\d|4[5-9]|5[0-35-9]|6[2567]|7[0-8]|8\d|9[0-35-9])/

const creditLetters = '0123456789abcdefghjklmnpqrtuwxy'
const creditWeights = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28]

/** The registering department and kind of organisation, the region, the organisation and the check character. */
const creditForm =
  /^(?:1[1239]|2[19]|3[1-59]|4[19]|5[1239]|6[129]|7[129]|8[19]|9[123]|a[19]|n[1239]|y1|g[19])\d{6}[0-9a-hj-npqrtuwxy]{10}$/

/** The check character of a unified social credit code by GB 32100. */
export function creditCheckCharacter(first17: string): string {
  const sum = creditWeights.reduce((total, weight, n) => total + weight * creditLetters.indexOf(first17[n] ?? ''), 0)
  return creditLetters[(31 - (sum % 31)) % 31] ?? ''
}

function isCreditCode(value: string): boolean {
  return (
    creditForm.test(value) && provinces.has(value.slice(2, 4)) && creditCheckCharacter(value.slice(0, 17)) === value[17]
  )
}

const passport = /^(?:e[a-hj-np-z]\d{7}|[eg]\d{8}|[dsp]\d{7,8}|[hmc]\d{8}|[hm]\d{10})$/

const contextWords: Readonly<Record<NumberPattern, RegExp>> = {
  idCard: /身份|证件|公民|\bid\b|identity|id card/,
  bankCard: /卡号|银行|账号|帐号|账户|帐户|开户|收款|付款|信用卡|借记|储蓄|card|account|bank/,
  mobile: /手机|电话|联系|号码|微信|致电|来电|拨打|mobile|phone|\btel|cell|\+86|whatsapp/,
  creditCode: /信用代码|税号|纳税/,
  passport: /护照|通行证|旅行证|passport|travel document/,
}

function hasContext(pattern: NumberPattern, { text, headOf }: NumberText, start: number, end: number): boolean {
  const around = `${text.slice(Math.max(0, start - contextReach), start)}\u0000${text.slice(end, end + contextReach)}`
  const words = contextWords[pattern]
  return words.test(around) || (headOf !== undefined && words.test(headOf(start)))
}

/** The candidates that begin at a group: itself, and with what follows it after the same separator. */
function* candidatesAt(text: string, groups: readonly Group[], first: number, joins: boolean): Generator<Candidate> {
  const one = groups[first]
  if (one === undefined) return
  let value = text.slice(one.start, one.end)
  if (value.length > longestNumber) return
  const lengths = [value.length]
  yield { start: one.start, end: one.end, value, lengths: [...lengths], separator: '' }
  let [end, separator] = [one.end, '']
  for (let n = first + 1; joins && n < groups.length && n < first + mostGroups; n++) {
    const next = groups[n]
    const between = text[end] ?? ''
    if (next === undefined || next.start !== end + 1 || !separators.has(between)) return
    if (separator !== '' && between !== separator) return
    separator = between
    value += text.slice(next.start, next.end)
    if (value.length > longestNumber) return
    lengths.push(next.end - next.start)
    end = next.end
    yield { start: one.start, end, value, lengths: [...lengths], separator }
  }
}

/** Groups as cards and telephone numbers are written: nobody writes single digits apart. */
const isSpaced = ({ separator, lengths }: Candidate, ways: readonly string[]): boolean =>
  separator === '' || (separator === '\n' ? lengths.length === 2 : ways.includes(lengths.join(' ')))
const cardWays = ['4 4 4 4', '4 4 4 4 1', '4 4 4 4 2', '4 4 4 4 3', '6 10', '6 13', '6 11', '6 12']
const mobileWays = ['3 4 4', '3 8', '4 4 3']
const abroadWays = ['2 3 4 4', '2 11', '2 3 8']

/** What a candidate is, if the text around it does not matter or agrees. The strongest pattern comes first. */
function judge(source: NumberText, one: Candidate, today: Date): Judged | undefined {
  const { start, end, value } = one
  const near = (pattern: NumberPattern): boolean => hasContext(pattern, source, start, end)
  const found = (pattern: NumberPattern, isProven: boolean): Judged => ({ pattern, start, end, value, isProven })
  if (value.length === 18 && isIdCard(value, today)) return found('idCard', true)
  if (value.length === 18 && isCreditCode(value))
    return found('creditCode', !/^\d+$/.test(value) || /^9[123]/.test(value) || near('creditCode'))
  if (value.length === 15 && one.separator === '' && isOldIdCard(value, today)) return found('idCard', near('idCard'))
  if (value.length >= 16 && isSpaced(one, cardWays) && isBankCard(value)) return found('bankCard', near('bankCard'))
  if (value.length === 11 && isSpaced(one, mobileWays) && mobileSegment.test(value))
    return found('mobile', near('mobile') || source.text.slice(Math.max(0, start - 4), start).endsWith('86'))
  if (
    value.length === 13 &&
    value.startsWith('86') &&
    isSpaced(one, abroadWays) &&
    mobileSegment.test(value.slice(2))
  ) {
    const offset = one.separator !== '' && one.lengths[0] === 2 ? 3 : 2
    const isProven = source.text[start - 1] === '+' || near('mobile')
    return { pattern: 'mobile', start: start + offset, end, value: value.slice(2), isProven }
  }
  if (one.separator === '' && passport.test(value) && near('passport')) return found('passport', true)
  return undefined
}

interface Found extends Judged {
  readonly section: number
}

/**
 * Finds the numbers of all patterns in the sections of one content. One place is one number, of the strongest pattern. A number without a context word counts only
 * if several different ones make up most of the numbers of its length.
 */
export function findNumbers(
  sections: readonly NumberText[],
  { joins, today }: { readonly joins: boolean; readonly today: Date },
): FoundNumber[][] {
  const all: Found[] = []
  const valuesByLength = new Map<number, Set<string>>()
  for (const [section, source] of sections.entries()) {
    const groups = groupsOf(source.text)
    for (let n = 0; n < groups.length; ) {
      const group = groups[n] as Group
      let [best, used]: [Judged | undefined, number] = [undefined, 1]
      let count = 0
      for (const candidate of candidatesAt(source.text, groups, n, joins)) {
        count += 1
        const judged = judge(source, candidate, today)
        if (judged === undefined) continue
        if (best === undefined || strength(judged) > strength(best)) [best, used] = [judged, count]
      }
      if (group.isNumber || best !== undefined) {
        const value = best?.value ?? source.text.slice(group.start, group.end)
        const known = valuesByLength.get(value.length)
        if (known === undefined) valuesByLength.set(value.length, new Set([value]))
        else known.add(value)
      }
      if (best !== undefined) all.push({ ...best, section })
      n += used
    }
  }
  const isPlenty = plenty(all, valuesByLength)
  const bySection: FoundNumber[][] = sections.map(() => [])
  for (const { section, isProven, ...one } of all) if (isProven || isPlenty(one)) bySection[section]?.push(one)
  return bySection
}

const order: readonly NumberPattern[] = ['idCard', 'creditCode', 'bankCard', 'mobile', 'passport']
const strength = ({ pattern, isProven }: Judged): number =>
  (isProven ? 10 : 0) + (order.length - order.indexOf(pattern))

/** Whether so many different numbers of a pattern and length are there that they are no coincidence. */
function plenty(all: readonly Found[], valuesByLength: ReadonlyMap<number, ReadonlySet<string>>) {
  const distinct = new Map<string, Set<string>>()
  const keyOf = ({ pattern, value }: FoundNumber): string => `${pattern} ${value.length}`
  for (const one of all) distinct.set(keyOf(one), (distinct.get(keyOf(one)) ?? new Set()).add(one.value))
  return (one: FoundNumber): boolean => {
    const n = distinct.get(keyOf(one))?.size ?? 0
    return n >= unprovenDistinct && n >= unprovenShare[one.pattern] * (valuesByLength.get(one.value.length)?.size ?? 0)
  }
}

/** A number that looks like one of a pattern and does not count. */
export interface MissedNumber {
  readonly pattern: NumberPattern
  readonly start: number
  readonly end: number
  readonly value: string
  readonly why: 'check' | 'date' | 'context'
  /** The check digit that would be right; empty if that is not the reason. */
  readonly expected: string
}

/** What did not count in a text, and why, for whoever tries a rule. */
export function missedNumbers(source: NumberText, found: readonly FoundNumber[], today: Date): MissedNumber[] {
  const { text } = source
  const isFound = ({ start, end }: Group): boolean => found.some((one) => one.start < end && start < one.end)
  return groupsOf(text).flatMap((group): MissedNumber[] => {
    if (isFound(group)) return []
    const value = text.slice(group.start, group.end)
    const missed = (pattern: NumberPattern, why: MissedNumber['why'], expected = ''): MissedNumber[] => [
      { pattern, start: group.start, end: group.end, value, why, expected },
    ]
    const alone = judge(source, { ...group, value, lengths: [value.length], separator: '' }, today)
    if (alone !== undefined) return missed(alone.pattern, 'context')
    if (/^\d{17}[\dx]$/.test(value) && provinces.has(value.slice(0, 2))) {
      const right = idCheckDigit(value.slice(0, 17))
      return right === value[17] ? missed('idCard', 'date') : missed('idCard', 'check', right.toUpperCase())
    }
    if (creditForm.test(value) && provinces.has(value.slice(2, 4)))
      return missed('creditCode', 'check', creditCheckCharacter(value.slice(0, 17)).toUpperCase())
    if (/^\d{16,19}$/.test(value)) {
      const right = [...'0123456789'].find((digit) => isBankCard(value.slice(0, -1) + digit))
      return right === undefined ? [] : missed('bankCard', 'check', right)
    }
    if (passport.test(value)) return missed('passport', 'context')
    return []
  })
}
