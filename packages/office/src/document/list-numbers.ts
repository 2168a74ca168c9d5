// The numbers and bullets of lists: formats of numbers, and the counter of a Word document's lists.
import { child, children, type Element, isOn, val } from '../package/index.ts'
import { type ParagraphStyle, readParagraphStyle } from './paragraph-styles.ts'
import { symbolOf } from './symbols.ts'

/** Counts the paragraphs of lists in document order. */
export interface Numbering {
  next(list: { readonly id: string; readonly level: number }): { mark: string; look: ParagraphStyle } | undefined
}

/** A list (`w:num`): its abstract definition, and what it overrides by level. */
interface List {
  readonly abstractId: string
  readonly levels: ReadonlyMap<number, Element>
  /** The number that a level begins with anew when the list is first used. */
  readonly restarts: ReadonlyMap<number, number>
}

/** Reads the lists of a document from the root of its numbering part. */
export function readNumbering(root: Element | undefined): Numbering {
  const lists = listsOf(root)
  const counts = new Map<string, number[]>()
  const begun = new Set<string>()
  return {
    next({ id, level }) {
      const list = lists.get(id)
      const own = list?.levels.get(level)
      if (list === undefined || own === undefined) return undefined
      const counted = counts.get(list.abstractId) ?? []
      counts.set(list.abstractId, counted)
      const startOf = (n: number): number =>
        list.restarts.get(n) ?? Number(val(child(list.levels.get(n), 'w:start')) ?? 1)
      const restart = list.restarts.get(level)
      if (restart !== undefined && !begun.has(`${id} ${level}`)) counted[level] = restart
      else counted[level] = (counted[level] ?? startOf(level) - 1) + 1
      begun.add(`${id} ${level}`)
      counted.length = level + 1
      const look: ParagraphStyle = {}
      readParagraphStyle(child(own, 'w:pPr'), look)
      const format = formatOf(own)
      if (format === 'bullet') return { mark: bulletOf(own, level), look }
      const isLegal = children(own, 'w:isLgl').some(isOn)
      const mark = (val(child(own, 'w:lvlText')) ?? `%${level + 1}.`).replace(/%(\d)/g, (_, n: string) => {
        const at = Number(n) - 1
        const theirs = at === level ? format : formatOf(list.levels.get(at))
        if (theirs === 'bullet') return ''
        return numberText(counted[at] ?? startOf(at), isLegal ? 'decimal' : theirs)
      })
      return { mark, look }
    },
  }
}

const formatOf = (level: Element | undefined): string => val(child(level, 'w:numFmt')) ?? 'decimal'

function listsOf(root: Element | undefined): ReadonlyMap<string, List> {
  const abstract = new Map(children(root, 'w:abstractNum').map((one) => [one.attributes['w:abstractNumId'] ?? '', one]))
  const byStyle = new Map(
    [...abstract].flatMap(([id, one]) => {
      const style = val(child(one, 'w:styleLink'))
      return style === undefined ? [] : [[style, id] as const]
    }),
  )
  return new Map(
    children(root, 'w:num').map((num) => {
      const named = val(child(num, 'w:abstractNumId')) ?? ''
      // A definition may only refer to the one of a numbering style.
      const linked = byStyle.get(val(child(abstract.get(named), 'w:numStyleLink')) ?? '')
      const abstractId = linked ?? named
      const levels = new Map(
        children(abstract.get(abstractId), 'w:lvl').map((one) => [Number(one.attributes['w:ilvl']), one]),
      )
      const restarts = new Map<number, number>()
      for (const override of children(num, 'w:lvlOverride')) {
        const level = Number(override.attributes['w:ilvl'])
        const start = val(child(override, 'w:startOverride'))
        if (start !== undefined) restarts.set(level, Number(start))
        const instead = child(override, 'w:lvl')
        if (instead !== undefined) levels.set(level, instead)
      }
      return [num.attributes['w:numId'] ?? '', { abstractId, levels, restarts }]
    }),
  )
}

const bullets = ['•', '◦', '▪']

/** The bullet of a level; characters of symbol fonts become those of Unicode. */
function bulletOf(level: Element, n: number): string {
  const text = val(child(level, 'w:lvlText')) ?? ''
  const font = child(child(level, 'w:rPr'), 'w:rFonts')?.attributes['w:ascii'] ?? ''
  const usual = bullets[n % bullets.length] ?? '•'
  if (text === '' || (text === 'o' && /courier/i.test(font))) return usual
  const letters = [...text].map((letter) => symbolOf(font, letter.codePointAt(0) ?? 0))
  return letters.every((one) => one !== undefined) ? letters.join('') : /^[\ue000-\uf8ff]+$/.test(text) ? usual : text
}

const digits = '零一二三四五六七八九'

/** Formats a list number. `format` is a number format of WordprocessingML (ECMA-376 17.18.59). */
export function numberText(n: number, format: string): string {
  switch (format) {
    case 'none':
      return ''
    case 'lowerLetter':
      return String.fromCharCode(97 + ((n - 1) % 26)).repeat(Math.floor((n - 1) / 26) + 1)
    case 'upperLetter':
      return numberText(n, 'lowerLetter').toUpperCase()
    case 'lowerRoman':
      return roman(n)
    case 'upperRoman':
      return roman(n).toUpperCase()
    case 'decimalZero':
      return String(n).padStart(2, '0')
    case 'decimalFullWidth':
    case 'decimalFullWidth2':
      return [...String(n)]
        .map((digit) => (digit === '-' ? '－' : String.fromCharCode(0xff10 + Number(digit))))
        .join('')
    case 'decimalEnclosedCircle':
    case 'decimalEnclosedCircleChinese':
      return letterAt(n, 0x2460, 20)
    case 'decimalEnclosedParen':
      return letterAt(n, 0x2474, 20)
    case 'decimalEnclosedFullstop':
      return letterAt(n, 0x2488, 20)
    case 'ideographEnclosedCircle':
      return letterAt(n, 0x3280, 10)
    case 'numberInDash':
      return `- ${n} -`
    case 'ideographTraditional':
      return '甲乙丙丁戊己庚辛壬癸'[n - 1] ?? String(n)
    case 'ideographZodiac':
      return '子丑寅卯辰巳午未申酉戌亥'[n - 1] ?? String(n)
    case 'ideographDigital':
    case 'japaneseDigitalTenThousand':
    case 'taiwaneseDigital':
      return [...String(n)].map((digit) => '〇一二三四五六七八九'[Number(digit)] ?? digit).join('')
    case 'chineseLegalSimplified':
      return positional(n, '零壹贰叁肆伍陆柒捌玖', '拾佰仟', '万')
    case 'ideographLegalTraditional':
      return positional(n, '零壹貳參肆伍陸柒捌玖', '拾佰仟', '萬')
    case 'chineseCounting':
    case 'chineseCountingThousand':
    case 'japaneseCounting':
    case 'taiwaneseCounting':
    case 'taiwaneseCountingThousand':
      return positional(n, digits, '十百千', '万').replace(/^一十/, '十')
    default:
      return String(n)
  }
}

const letterAt = (n: number, first: number, count: number): string =>
  n >= 1 && n <= count ? String.fromCharCode(first + n - 1) : String(n)

/** Writes a number with the units of ten, hundred and thousand, up to 99,999,999. */
function positional(n: number, numerals: string, units: string, tenThousand: string): string {
  if (n < 0 || n >= 1e8 || !Number.isInteger(n)) return String(n)
  const zero = numerals[0] ?? ''
  if (n === 0) return zero
  if (n >= 10_000) {
    const [high, low] = [Math.floor(n / 10_000), n % 10_000]
    const between = low > 0 && low < 1000 ? zero : ''
    const rest = low === 0 ? '' : positional(low, numerals, units, tenThousand)
    return `${positional(high, numerals, units, tenThousand)}${tenThousand}${between}${rest}`
  }
  let [text, hasGap] = ['', false]
  const places = [...String(n)].map(Number)
  for (const [at, digit] of places.entries()) {
    if (digit === 0) {
      hasGap = true
      continue
    }
    const unit = units[places.length - 2 - at] ?? ''
    text += `${hasGap ? zero : ''}${numerals[digit] ?? ''}${unit}`
    hasGap = false
  }
  return text
}

function roman(n: number): string {
  if (n < 1 || n > 3999) return String(n)
  const values = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1]
  const names = ['m', 'cm', 'd', 'cd', 'c', 'xc', 'l', 'xl', 'x', 'ix', 'v', 'iv', 'i']
  let left = n
  return values
    .map((value, at) => {
      const times = Math.floor(left / value)
      left -= times * value
      return (names[at] ?? '').repeat(times)
    })
    .join('')
}
