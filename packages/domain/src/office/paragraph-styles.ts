// Formatting of paragraphs and runs in Word documents: defaults, styles, direct formatting and list numbering.
import { at, child, children, type Element, numberAt } from './elements.ts'
import { colorOf, fromPoints, fromTwips } from './measures.ts'

/** Character formatting of a run. */
export interface RunStyle {
  bold?: true
  italic?: true
  underline?: true
  strike?: true
  mono?: true
  color?: string
  back?: string
  /** Font size. */
  size?: number
  raised?: 'super' | 'sub'
}

/** Paragraph formatting. */
export interface ParagraphStyle {
  /** Heading level, 1 to 6. */
  heading?: number
  align?: 'center' | 'end' | 'justify'
  indent?: number
  firstLine?: number
  before?: number
  after?: number
  /** Line height as a factor of the font size. */
  line?: number
  fill?: string
  list?: { readonly id: string; readonly level: number }
}

export interface Styles {
  paragraph(properties: Element | undefined): { look: ParagraphStyle; run: RunStyle }
  run(properties: Element | undefined, base: RunStyle): RunStyle
  /** Returns the fonts of a run by its formatting and style, including those of the paragraph if given. */
  fonts(run: Element | undefined, paragraph?: Element): Fonts
}

export interface Fonts {
  readonly latin?: string
  readonly chinese?: string
}

const highlights: Readonly<Record<string, string>> = {
  yellow: '#ffff00',
  green: '#00ff00',
  cyan: '#00ffff',
  magenta: '#ff00ff',
  blue: '#0000ff',
  red: '#ff0000',
  darkBlue: '#000080',
  darkGreen: '#008000',
  darkRed: '#800000',
  darkYellow: '#808000',
  darkGray: '#808080',
  lightGray: '#c0c0c0',
}

const val = (element: Element | undefined): string | undefined => element?.attributes['w:val']
const isOn = (element: Element): boolean => !['0', 'false', 'off', 'none'].includes(val(element) ?? '1')

export function readStyles(styles: Element | undefined): Styles {
  const byId = new Map(children(styles, 'w:style').map((style) => [style.attributes['w:styleId'] ?? '', style]))
  const usual = children(styles, 'w:style').find(
    ({ attributes }) => attributes['w:type'] === 'paragraph' && attributes['w:default'] === '1',
  )?.attributes['w:styleId']
  const defaults = child(styles, 'w:docDefaults')

  /** Returns a style with its base styles, the root style first. */
  const chain = (id: string | undefined): Element[] => {
    const found: Element[] = []
    for (let style = byId.get(id ?? ''); style !== undefined && !found.includes(style); ) {
      found.unshift(style)
      style = byId.get(val(child(style, 'w:basedOn')) ?? '')
    }
    return found
  }

  return {
    paragraph(properties) {
      const look: ParagraphStyle = {}
      let run = readRun(at(defaults, 'w:rPrDefault', 'w:rPr'), {})
      readParagraph(at(defaults, 'w:pPrDefault', 'w:pPr'), look)
      for (const style of chain(val(child(properties, 'w:pStyle')) ?? usual)) {
        readParagraph(child(style, 'w:pPr'), look)
        run = readRun(child(style, 'w:rPr'), run)
        const name = /^heading ([1-6])$/i.exec(val(child(style, 'w:name')) ?? '')
        if (name !== null) look.heading = Number(name[1])
        else if (/^title$/i.test(val(child(style, 'w:name')) ?? '')) look.heading = 1
      }
      readParagraph(properties, look)
      return { look, run }
    },
    run(properties, base) {
      let look = base
      for (const style of chain(val(child(properties, 'w:rStyle')))) look = readRun(child(style, 'w:rPr'), look)
      return readRun(properties, look)
    },
    fonts(run, paragraph) {
      const styled = chain(val(child(run, 'w:rStyle'))).map((style) => child(style, 'w:rPr'))
      const around = chain(val(child(paragraph, 'w:pStyle')) ?? usual).map((style) => child(style, 'w:rPr'))
      const usually = paragraph === undefined ? [] : [at(defaults, 'w:rPrDefault', 'w:rPr'), ...around]
      const fonts: { latin?: string; chinese?: string } = {}
      for (const properties of [...usually, ...styled, run]) {
        const found = child(properties, 'w:rFonts')?.attributes
        const [latin, chinese] = [found?.['w:ascii'] ?? found?.['w:hAnsi'], found?.['w:eastAsia']]
        if (latin !== undefined) fonts.latin = latin
        if (chinese !== undefined) fonts.chinese = chinese
      }
      return fonts
    },
  }
}

function readParagraph(properties: Element | undefined, look: ParagraphStyle): void {
  for (const one of children(properties)) {
    switch (one.name) {
      case 'w:jc': {
        const align = { center: 'center', right: 'end', end: 'end', both: 'justify', distribute: 'justify' } as const
        const found = align[(val(one) ?? '') as keyof typeof align]
        if (found === undefined) delete look.align
        else look.align = found
        break
      }
      case 'w:ind': {
        const left = numberAt(one, 'w:left') ?? numberAt(one, 'w:start')
        const first = numberAt(one, 'w:firstLine')
        const hanging = numberAt(one, 'w:hanging')
        if (left !== undefined) look.indent = fromTwips(left)
        if (first !== undefined) look.firstLine = fromTwips(first)
        if (hanging !== undefined) look.firstLine = -fromTwips(hanging)
        break
      }
      case 'w:spacing': {
        const before = numberAt(one, 'w:before')
        const after = numberAt(one, 'w:after')
        const line = numberAt(one, 'w:line')
        if (before !== undefined) look.before = fromTwips(before)
        if (after !== undefined) look.after = fromTwips(after)
        if (line !== undefined && (one.attributes['w:lineRule'] ?? 'auto') === 'auto') look.line = line / 240
        break
      }
      case 'w:numPr': {
        const id = val(child(one, 'w:numId'))
        if (id === '0') delete look.list
        else if (id !== undefined) look.list = { id, level: Number(val(child(one, 'w:ilvl')) ?? 0) }
        break
      }
      case 'w:shd': {
        const fill = colorOf(one.attributes['w:fill'])
        if (fill !== undefined) look.fill = fill
        break
      }
      default:
    }
  }
}

function readRun(properties: Element | undefined, base: RunStyle): RunStyle {
  const look = { ...base }
  const turn = (key: 'bold' | 'italic' | 'strike' | 'underline', on: boolean): void => {
    if (on) look[key] = true
    else delete look[key]
  }
  for (const one of children(properties)) {
    switch (one.name) {
      case 'w:b':
        turn('bold', isOn(one))
        break
      case 'w:i':
        turn('italic', isOn(one))
        break
      case 'w:strike':
        turn('strike', isOn(one))
        break
      case 'w:u':
        turn('underline', isOn(one))
        break
      case 'w:sz':
        look.size = fromPoints(Number(val(one) ?? 21) / 2)
        break
      case 'w:color': {
        const color = colorOf(val(one))
        if (color === undefined) delete look.color
        else look.color = color
        break
      }
      case 'w:highlight': {
        const back = highlights[val(one) ?? '']
        if (back !== undefined) look.back = back
        break
      }
      case 'w:shd': {
        const back = colorOf(one.attributes['w:fill'])
        if (back !== undefined) look.back = back
        break
      }
      case 'w:vertAlign':
        if (val(one) === 'superscript') look.raised = 'super'
        else if (val(one) === 'subscript') look.raised = 'sub'
        break
      case 'w:rFonts':
        if (/consol|courier|mono/i.test(one.attributes['w:ascii'] ?? '')) look.mono = true
        break
      default:
    }
  }
  return look
}

/** Counts the paragraphs of lists in document order. */
export interface Numbering {
  next(list: { readonly id: string; readonly level: number }): { mark: string; look: ParagraphStyle } | undefined
}

export function readNumbering(root: Element | undefined): Numbering {
  const abstract = new Map(children(root, 'w:abstractNum').map((one) => [one.attributes['w:abstractNumId'] ?? '', one]))
  const lists = new Map(
    children(root, 'w:num').map((one) => [
      one.attributes['w:numId'] ?? '',
      { id: val(child(one, 'w:abstractNumId')) ?? '', from: abstract.get(val(child(one, 'w:abstractNumId')) ?? '') },
    ]),
  )
  const counts = new Map<string, number[]>()
  return {
    next({ id, level }) {
      const list = lists.get(id)
      const levels = children(list?.from, 'w:lvl')
      const own = levels.find((one) => one.attributes['w:ilvl'] === String(level))
      if (list === undefined || own === undefined) return undefined
      const counted = counts.get(list.id) ?? []
      counts.set(list.id, counted)
      const startOf = (n: number): number => Number(val(child(levels[n], 'w:start')) ?? 1)
      counted[level] = (counted[level] ?? startOf(level) - 1) + 1
      counted.length = level + 1
      const look: ParagraphStyle = {}
      readParagraph(child(own, 'w:pPr'), look)
      const format = val(child(own, 'w:numFmt')) ?? 'decimal'
      if (format === 'bullet') return { mark: bullets[level % bullets.length] ?? '•', look }
      const mark = (val(child(own, 'w:lvlText')) ?? `%${level + 1}.`).replace(/%(\d)/g, (_, n: string) => {
        const at = Number(n) - 1
        const theirs = at === level ? format : (val(child(levels[at], 'w:numFmt')) ?? 'decimal')
        return numberText(counted[at] ?? startOf(at), theirs)
      })
      return { mark, look }
    },
  }
}

const bullets = ['•', '◦', '▪']
const digits = '零一二三四五六七八九'

/** Formats a list number. */
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
    case 'decimalEnclosedCircle':
      return n >= 1 && n <= 20 ? String.fromCharCode(0x245f + n) : String(n)
    case 'chineseCounting':
    case 'chineseCountingThousand':
    case 'japaneseCounting':
    case 'ideographDigital':
      return chinese(n)
    default:
      return String(n)
  }
}

function chinese(n: number): string {
  if (n >= 100 || n < 0) return String(n)
  const [tens, ones] = [Math.floor(n / 10), n % 10]
  if (tens === 0) return digits[ones] ?? ''
  return `${tens === 1 ? '' : digits[tens]}十${ones === 0 ? '' : digits[ones]}`
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
