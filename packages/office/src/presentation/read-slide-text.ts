// Text of slides: paragraphs with the formatting inherited from their placeholder.
import { numberText } from '../document/index.ts'
import {
  child,
  children,
  descendants,
  drawnColor,
  type Element,
  fromEmu,
  fromPoints,
  numberAt,
  textOf,
} from '../package/index.ts'
import type { Block, Paragraph, Run } from '../rendition/index.ts'

export interface TextFrame {
  readonly body: Element
  readonly theme: ReadonlyMap<string, string>
  readonly isTitle: boolean
  /** The list styles that apply, the most general first. */
  readonly styles: readonly (Element | undefined)[]
  readonly ink: string | undefined
  /** Autofit: the factor by which the text was scaled down. */
  readonly shrink: number
  /** Default font size in points, if no style sets one. */
  readonly size?: number
  /** The number of the slide, for the field that says it. */
  readonly number?: number
  /** The text belongs to the speaker notes. */
  readonly isNotes?: true
}

type RunDraft = { -readonly [K in keyof Run]: Run[K] }
type ParagraphDraft = { -readonly [K in keyof Paragraph]: Paragraph[K] }

export function blocksOfText(frame: TextFrame): Block[] {
  let counted = 0
  return children(frame.body, 'a:p').map((element): Paragraph => {
    const own = child(element, 'a:pPr')
    const level = Math.min(8, numberAt(own, 'lvl') ?? 0)
    const styles = [...frame.styles.map((one) => child(one, `a:lvl${level + 1}pPr`)), own].filter(
      (one) => one !== undefined,
    )
    const paragraph: ParagraphDraft = { is: 'text', runs: [] }
    const look: RunDraft = { size: fromPoints((frame.size ?? 18) * frame.shrink) }
    if (frame.ink !== undefined) look.color = frame.ink
    for (const style of styles) {
      readParagraph(style, paragraph)
      readRun(child(style, 'a:defRPr'), look, frame)
    }
    paragraph.runs = children(element).flatMap((one): Run[] => {
      if (one.name === 'a:br') return [{ ...look, text: '\n' }]
      if (one.name !== 'a:r' && one.name !== 'a:fld') {
        const formula = [...descendants(one, 'm:t')].map(textOf).join('')
        return formula === '' ? [] : [{ ...look, italic: true, text: formula }]
      }
      const isNumber = one.name === 'a:fld' && one.attributes['type'] === 'slidenum' && frame.number !== undefined
      const run = { ...look, text: isNumber ? String(frame.number) : textOf(child(one, 'a:t')) }
      readRun(child(one, 'a:rPr'), run, frame)
      return [run]
    })
    const mark = paragraph.runs.length === 0 ? undefined : markOf(styles, counted + 1)
    counted = mark?.isNumber === true ? counted + 1 : 0
    if (mark !== undefined) paragraph.mark = mark.text
    if (frame.isTitle) paragraph.heading = 1
    return paragraph
  })
}

function markOf(styles: readonly Element[], next: number): { text: string; isNumber: boolean } | undefined {
  for (const style of [...styles].reverse()) {
    if (child(style, 'a:buNone') !== undefined) return undefined
    if (child(style, 'a:buChar') !== undefined) return { text: '•', isNumber: false }
    const counting = child(style, 'a:buAutoNum')
    if (counting === undefined) continue
    const type = counting.attributes['type'] ?? 'arabicPeriod'
    const format = /^(alphaLc|alphaUc|romanLc|romanUc|ea)/.exec(type)?.[1] ?? ''
    const formats: Readonly<Record<string, string>> = {
      alphaLc: 'lowerLetter',
      alphaUc: 'upperLetter',
      romanLc: 'lowerRoman',
      romanUc: 'upperRoman',
      ea: 'chineseCounting',
    }
    const text = numberText(next + (numberAt(counting, 'startAt') ?? 1) - 1, formats[format] ?? 'decimal')
    return { text: `${text}${/ParenR/.test(type) ? ')' : '.'}`, isNumber: true }
  }
  return undefined
}

function readParagraph(style: Element, paragraph: ParagraphDraft): void {
  const { algn } = style.attributes
  if (algn === 'ctr') paragraph.align = 'center'
  else if (algn === 'r') paragraph.align = 'end'
  else if (algn === 'l') delete paragraph.align
  const left = numberAt(style, 'marL')
  const first = numberAt(style, 'indent')
  if (left !== undefined) paragraph.indent = fromEmu(left)
  if (first !== undefined) paragraph.firstLine = fromEmu(first)
  const before = numberAt(child(child(style, 'a:spcBef'), 'a:spcPts'), 'val')
  if (before !== undefined) paragraph.before = fromPoints(before / 100)
  const after = numberAt(child(child(style, 'a:spcAft'), 'a:spcPts'), 'val')
  if (after !== undefined) paragraph.after = fromPoints(after / 100)
  const line = numberAt(child(child(style, 'a:lnSpc'), 'a:spcPct'), 'val')
  if (line !== undefined) paragraph.line = (line / 100_000) * 1.2
}

function readRun(properties: Element | undefined, look: RunDraft, { theme, shrink }: TextFrame): void {
  if (properties === undefined) return
  const { b, i, u, strike } = properties.attributes
  const turn = (key: 'bold' | 'italic' | 'underline' | 'strike', value: string | undefined): void => {
    if (value === undefined) return
    if (['0', 'false', 'none', 'noStrike'].includes(value)) delete look[key]
    else look[key] = true
  }
  turn('bold', b)
  turn('italic', i)
  turn('underline', u)
  turn('strike', strike)
  const size = numberAt(properties, 'sz')
  if (size !== undefined) look.size = fromPoints((size / 100) * shrink)
  const color = drawnColor(child(properties, 'a:solidFill'), theme)
  if (color !== undefined) look.color = color
}
