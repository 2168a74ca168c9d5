// Formats numbers and dates with the number formats of workbooks, as Excel does in Chinese. The library knows neither
// Chinese numerals nor eras, and writes what belongs to a currency in the language of the currency.
import { format } from 'numfmt'

/** How a format code is used; prepared once for each code. */
interface Prepared {
  readonly code: string
  /** Chinese numerals: small ones, those of amounts of money, or wide digits. */
  readonly numerals: Numerals | undefined
  readonly isDate: boolean
  readonly isGeneral: boolean
  /** Years are counted in this calendar. */
  readonly era: 'japan' | 'taiwan' | undefined
}

interface Numerals {
  readonly digits: string
  /** The zero between the digits of a number that is written with its units. */
  readonly gap: string
  readonly units: readonly [ten: string, hundred: string, thousand: string]
  readonly large: readonly [tenThousand: string, hundredMillion: string]
  /** A leading one of ten is left out in dates: 十五, not 一十五. */
  readonly isShort: boolean
}

const kinds: Readonly<Record<string, Numerals>> = {
  1: { digits: '〇一二三四五六七八九', gap: '零', units: ['十', '百', '千'], large: ['万', '亿'], isShort: true },
  2: { digits: '零壹贰叁肆伍陆柒捌玖', gap: '零', units: ['拾', '佰', '仟'], large: ['万', '亿'], isShort: false },
  3: { digits: '０１２３４５６７８９', gap: '０', units: ['十', '百', '千'], large: ['万', '亿'], isShort: true },
}

/** One piece of a format code: a text in quotes, an escaped character, brackets, or one character. */
const piece = /"[^"]*"|[\\_*!][\s\S]|\[[^\]]*\]|[\s\S]/g
const known = new Map<string, Prepared>()
const mostKnown = 5000

/**
 * Formats a number, or a date as a count of days. Throws if the code is no format; the caller then shows the number.
 */
export function formatNumber(code: string, value: number): string {
  const made = prepared(code)
  const dated = made.era === undefined ? made.code : withEra(made.code, value, made.era)
  if (made.numerals === undefined) return format(dated, value, { locale: 'zh-CN', throws: true })
  if (made.isGeneral) {
    const plain = format('General', value, { locale: 'zh-CN' })
    return format(
      dated.replace(/General/i, () => '"\uE000"'),
      value,
      { locale: 'zh-CN', throws: true },
    )
      .replace(/^-?/, '')
      .replace('\uE000', () => withUnits(plain, made.numerals as Numerals))
  }
  const plain = format(dated, value, { locale: 'zh-CN', throws: true })
  return made.isDate ? dateNumerals(plain, made.numerals) : digitNumerals(plain, made.numerals)
}

function prepared(code: string): Prepared {
  const before = known.get(code)
  if (before !== undefined) return before
  const made = prepare(code)
  if (known.size >= mostKnown) known.clear()
  known.set(code, made)
  return made
}

function prepare(code: string): Prepared {
  let numerals: Numerals | undefined
  let era: Prepared['era']
  let hasLocale = false
  const pieces = (code.replaceAll('G/通用格式', 'General').match(piece) ?? []).flatMap((one) => {
    // An exclamation mark escapes as a backslash does.
    if (one.startsWith('!')) return [`\\${one.slice(1)}`]
    const count = /^\[DBNum([1-3])\]$/i.exec(one)?.[1]
    if (count !== undefined) {
      numerals = kinds[count]
      return []
    }
    const [, symbol, locale] = /^\[\$([^-\]]*)-([\dA-F]+)\]$/i.exec(one) ?? []
    if (locale === undefined) return [one]
    hasLocale = true
    if (locale.endsWith('411')) era = 'japan'
    else if (locale.endsWith('404')) era = 'taiwan'
    // The locale of a currency does not decide how its amount is written.
    return [symbol === '' ? one : `[$${symbol}]`]
  })
  const bare = pieces.filter((one) => one.length === 1).join('')
  const isGeneral = /general/i.test(bare)
  const isDate =
    !isGeneral && /[ymdhseag]/i.test(bare.replace(/E[+-]/gi, '')) && !/[0#?]/.test(bare.replace(/[sS]\.0+/g, ''))
  let made = pieces.join('').replaceAll('上午/下午', 'AM/PM')
  if (made === '') made = 'General'
  // A number in a format of texts.
  if (/@/.test(bare) && !bare.includes(';')) made = pieces.map((one) => (one === '@' ? 'General' : one)).join('')
  // The names of months are English in the Chinese Excel, unless the format says a language.
  if (isDate && !hasLocale && /m{3}/i.test(bare) && !/a{3}/i.test(bare)) made = `[$-409]${made}`
  return {
    code: made,
    numerals,
    isDate,
    isGeneral: isGeneral || made === 'General',
    era: isDate && /[ge]/i.test(bare) ? era : undefined,
  }
}

const eras = [
  ['令和', 'R', 2019, 5, 1],
  ['平成', 'H', 1989, 1, 8],
  ['昭和', 'S', 1926, 12, 25],
  ['大正', 'T', 1912, 7, 30],
  ['明治', 'M', 1868, 1, 25],
] as const

/** Replaces the era and its year in a format code by texts. */
function withEra(code: string, value: number, calendar: 'japan' | 'taiwan'): string {
  const date = new Date(Math.floor(value - 25_569) * 86_400_000)
  const year = date.getUTCFullYear()
  let [name, letter, first] = ['中華民國', '民國', 1912]
  if (calendar === 'japan') {
    const found = eras.find(([, , y, m, d]) => date.getTime() >= Date.UTC(y, m - 1, d)) ?? eras[4]
    ;[name, letter, first] = [found[0], found[1], found[2]]
  }
  const text = (own: string): string => `"${own}"`
  const number = String(year - first + 1)
  const eraName = (length: number): string => {
    if (length >= 3) return name
    return calendar === 'japan' && length === 2 ? name.slice(0, 1) : letter
  }
  return code.replace(/"[^"]*"|\\.|\[[^\]]*\]|g{1,3}|e{1,2}/gi, (one) => {
    if (/^g/i.test(one)) return text(eraName(one.length))
    if (/^e/i.test(one)) return text(one.length === 2 ? number.padStart(2, '0') : number)
    return one
  })
}

const digitsOf = (text: string, { digits }: Numerals): string =>
  text.replace(/\d/g, (one) => digits[Number(one)] ?? one)

const digitNumerals = digitsOf

/** Years are written digit by digit, days and months as numbers. */
function dateNumerals(text: string, numerals: Numerals): string {
  return text.replace(/\d+/g, (run) => {
    if (run.length > 2 || run.startsWith('0')) return digitsOf(run, numerals)
    const whole = integerWithUnits(run, numerals)
    return numerals.isShort && /^1\d$/.test(run) ? whole.slice(1) : whole
  })
}

/** Writes a number with its units: 一千二百三十四; decimals digit by digit. */
function withUnits(text: string, numerals: Numerals): string {
  const [, sign = '', whole, rest = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(text) ?? []
  if (whole === undefined || whole.length > 16) return digitsOf(text, numerals)
  return sign + integerWithUnits(whole, numerals) + digitsOf(rest, numerals)
}

function integerWithUnits(whole: string, numerals: Numerals): string {
  const { digits, gap, units, large } = numerals
  const digitOf = (one: string): string => digits[Number(one)] ?? one
  if (/^0+$/.test(whole)) return numerals.isShort && gap === '零' ? gap : digitOf('0')
  if (whole.length > 8) return joined(whole, 8, large[1], numerals)
  if (whole.length > 4) return joined(whole, 4, large[0], numerals)
  let text = ''
  let isGap = false
  for (const [n, one] of [...whole].entries()) {
    if (one === '0') {
      isGap = text !== ''
      continue
    }
    const place = whole.length - 1 - n
    text += (isGap ? gap : '') + digitOf(one) + (place === 0 ? '' : (units[place - 1] ?? ''))
    isGap = false
  }
  return text
}

/** Writes the digits before the last `count` with a large unit, and the last ones behind it. */
function joined(whole: string, count: number, unit: string, numerals: Numerals): string {
  const [high, low] = [whole.slice(0, -count), whole.slice(-count)]
  if (/^0+$/.test(high)) return integerWithUnits(low, numerals)
  const first = integerWithUnits(high.replace(/^0+/, ''), numerals) + unit
  if (/^0+$/.test(low)) return first
  return first + (low.startsWith('0') ? numerals.gap : '') + integerWithUnits(low.replace(/^0+/, ''), numerals)
}
