// Formatting of paragraphs and runs in Word documents: defaults, styles and direct formatting.
import {
  at,
  child,
  children,
  colorOf,
  type Element,
  fromPoints,
  fromTwips,
  isOn,
  numberAt,
  val,
} from '../package/index.ts'
import type { TabStop } from '../rendition/index.ts'

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
  smallCaps?: true
  /** Emphasis marks at the letters. */
  stressed?: true
  /** All capitals, only for the reader of text. */
  caps?: true
  /** Hidden text, only for the reader of text. */
  hidden?: true
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
  /** The paragraph reads from right to left. */
  rtl?: true
  /** Tab stops, from the left. */
  stops?: readonly TabStop[]
  /** The paragraph begins a page. */
  beginsPage?: true
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
      readParagraphStyle(at(defaults, 'w:pPrDefault', 'w:pPr'), look)
      for (const style of chain(val(child(properties, 'w:pStyle')) ?? usual)) {
        readParagraphStyle(child(style, 'w:pPr'), look)
        run = readRun(child(style, 'w:rPr'), run)
        const name = /^heading ([1-6])$/i.exec(val(child(style, 'w:name')) ?? '')
        if (name !== null) look.heading = Number(name[1])
        else if (/^title$/i.test(val(child(style, 'w:name')) ?? '')) look.heading = 1
      }
      readParagraphStyle(properties, look)
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

/** Adds the formatting of a `w:pPr` element to a paragraph. */
export function readParagraphStyle(properties: Element | undefined, look: ParagraphStyle): void {
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
      case 'w:bidi':
        if (isOn(one)) look.rtl = true
        else delete look.rtl
        break
      case 'w:pageBreakBefore':
        if (isOn(one)) look.beginsPage = true
        else delete look.beginsPage
        break
      case 'w:tabs': {
        const stops = stopsOf(one, look.stops)
        if (stops.length === 0) delete look.stops
        else look.stops = stops
        break
      }
      default:
    }
  }
}

const leaders: Readonly<Record<string, TabStop['leader']>> = {
  dot: 'dots',
  middleDot: 'dots',
  hyphen: 'dashes',
  underscore: 'line',
  heavy: 'line',
}

/** Returns the tab stops of a paragraph: those of its style, with the own ones added and removed. */
function stopsOf(tabs: Element, inherited: readonly TabStop[] = []): TabStop[] {
  const stops = new Map(inherited.map((one) => [one.at, one]))
  for (const tab of children(tabs, 'w:tab')) {
    const at = fromTwips(numberAt(tab, 'w:pos') ?? 0)
    const kind = val(tab) ?? 'left'
    const leader = leaders[tab.attributes['w:leader'] ?? '']
    stops.delete(at)
    if (kind === 'clear' || kind === 'bar' || at <= 0) continue
    const align = kind === 'center' ? 'center' : kind === 'right' || kind === 'end' ? 'end' : 'start'
    stops.set(at, { at, align, ...(leader === undefined ? {} : { leader }) })
  }
  return [...stops.values()].sort((a, b) => a.at - b.at)
}

type Toggle = 'bold' | 'italic' | 'strike' | 'underline' | 'hidden' | 'caps' | 'smallCaps' | 'stressed'

function readRun(properties: Element | undefined, base: RunStyle): RunStyle {
  const look = { ...base }
  const turn = (key: Toggle, on: boolean): void => {
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
      case 'w:vanish':
        turn('hidden', isOn(one))
        break
      case 'w:caps':
        turn('caps', isOn(one))
        break
      case 'w:smallCaps':
        turn('smallCaps', isOn(one))
        break
      case 'w:em':
        turn('stressed', isOn(one))
        break
      case 'w:strike':
        turn('strike', isOn(one))
        break
      case 'w:dstrike':
        if (isOn(one)) turn('strike', true)
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
