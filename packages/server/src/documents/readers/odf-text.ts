// The text of OpenDocument with its formatting: paragraphs, lists, tables, pictures and notes.
import type { Block, Flow, Paragraph, Run, Table, TableCell } from '@cloudoc/contract'
import { numberText } from '@cloudoc/office/document'
import { chartIn } from './odf-charts.ts'
import { pixels, pixelsOf } from './odf-size.ts'
import { type Attributes, colourIn, isLine, propertiesOf, runFormat, type Scope, Styles, sides } from './odf-styles.ts'
import type { OfficePackage } from './package.ts'
import { at, child, children, descendants, type Element, numberAt } from './xml.ts'

const mostLevels = 10
const mostSpaces = 200
const largestMargin = 2000

/** Inherited formatting, for text without a style of its own. */
export interface Under {
  readonly paragraph: Attributes
  readonly words: Attributes
}

/** The list that a paragraph belongs to. */
interface InList {
  readonly style: Element | undefined
  readonly level: number
  readonly counts: number[]
}

interface Where {
  readonly under: Under
  readonly list?: InList | undefined
  /** The inherited formatting of each list level. */
  readonly atLevel?: ((level: number) => Under) | undefined
  readonly listStyle?: Element | undefined
  readonly deep: number
}

const deepest = 40

/** Reads the text of one file of the package. */
export class OdfText {
  readonly styles: Styles
  readonly #office: OfficePackage
  /** Footnotes collected so far. */
  readonly #notes: Block[] = []
  /** The counters of lists that can be continued, by the names of lists and of their styles. */
  readonly #counts = new Map<string, number[]>()

  constructor(office: OfficePackage, scope: Scope) {
    this.#office = office
    this.styles = new Styles(office, scope)
  }

  document(text: Element): Flow {
    const blocks = this.blocks(text, this.#usual())
    const first = this.#masterOf(text)
    const page = this.#office.xml('styles.xml')
    const masters = children(at(page, 'office:master-styles'), 'style:master-page')
    const master = masters.find((one) => one.attributes['style:name'] === first) ?? masters[0]
    const layout = children(at(page, 'office:automatic-styles'), 'style:page-layout').find(
      (one) => one.attributes['style:name'] === master?.attributes['style:page-layout-name'],
    )
    const beside = new OdfText(this.#office, 'styles.xml')
    const edge = (name: string): Block[] => {
      const found = child(master, name)
      return found === undefined || found.attributes['style:display'] === 'false'
        ? []
        : beside.blocks(found, beside.#usual())
    }
    const [header, footer] = [edge('style:header'), edge('style:footer')]
    const size = layout === undefined ? undefined : pageOf(layout, header.length > 0, footer.length > 0)
    const notes = this.#notes.length === 0 ? [] : [{ is: 'rule' as const }, ...this.#notes]
    return { kind: 'flow', ...(size && { page: size }), header, footer, blocks: [...blocks, ...notes] }
  }

  #usual(): Where {
    const usual = this.styles.usual('paragraph')
    const under = {
      paragraph: propertiesOf(usual, 'style:paragraph-properties'),
      words: propertiesOf(usual, 'style:text-properties'),
    }
    return { under, deep: 0 }
  }

  /** The master page that a text begins on. */
  #masterOf(text: Element): string | undefined {
    const first = children(text).find((one) => /^(text:(p|h|list)|table:table)$/.test(one.name))
    const held = first?.name === 'text:list' ? [...descendants(first, 'text:p')][0] : first
    const [family, name] =
      held?.name === 'table:table'
        ? (['table', held.attributes['table:style-name']] as const)
        : (['paragraph', held?.attributes['text:style-name']] as const)
    return this.styles.chain(family, name).at(-1)?.attributes['style:master-page-name'] || 'Standard'
  }

  /** The text inside another object, such as a slide shape or a cell. */
  blocksIn(element: Element | undefined, under: Under, more: Pick<Where, 'atLevel' | 'listStyle'> = {}): Block[] {
    return this.blocks(element, { under, deep: 0, ...more })
  }

  private blocks(element: Element | undefined, where: Where): Block[] {
    if (where.deep > deepest) return []
    const deep = { ...where, deep: where.deep + 1 }
    return children(element).flatMap((one): Block[] => {
      switch (one.name) {
        case 'text:h':
        case 'text:p':
          return this.#paragraph(one, where)
        case 'text:list':
          return this.#list(one, deep)
        case 'table:table':
          return this.#table(one, deep)
        case 'text:section':
        case 'text:index-body':
        case 'text:index-title':
        case 'text:table-of-content':
        case 'text:alphabetical-index':
        case 'text:illustration-index':
        case 'text:table-index':
        case 'text:bibliography':
          return this.blocks(one, deep)
        case 'draw:frame':
          return this.#standing(one, where)
        default:
          return []
      }
    })
  }

  #list(list: Element, where: Where): Block[] {
    const level = (where.list?.level ?? -1) + 1
    if (level >= mostLevels) return []
    const named = list.attributes['text:style-name']
    const style = this.styles.list(named) ?? where.list?.style ?? where.listStyle
    const other = list.attributes['text:continue-list']
    const goesOn = list.attributes['text:continue-numbering'] === 'true'
    const before = other !== undefined ? `list ${other}` : goesOn ? `style ${named}` : undefined
    const counts = where.list?.counts ?? (before === undefined ? undefined : this.#counts.get(before)) ?? []
    this.#counts.set(`list ${list.attributes['xml:id']}`, counts)
    this.#counts.set(`style ${named}`, counts)
    return children(list).flatMap((item) => {
      const isHead = item.name === 'text:list-header'
      const startsAt = numberAt(item, 'text:start-value')
      const inList = { style, level, counts }
      let isFirst = !isHead
      if (!isHead) count(inList, startsAt)
      return children(item).flatMap((one): Block[] => {
        if (one.name !== 'text:p' && one.name !== 'text:h')
          return this.blocks({ ...item, children: [one] }, { ...where, list: inList })
        const blocks = this.#paragraph(one, { ...where, list: inList }, isFirst)
        isFirst = false
        return blocks
      })
    })
  }

  #paragraph(element: Element, where: Where, isCounted = false): Block[] {
    const own = this.styles.chain('paragraph', element.attributes['text:style-name'])
    const under = where.list === undefined ? where.under : (where.atLevel?.(where.list.level) ?? where.under)
    const said = propertiesOf(own, 'style:paragraph-properties', under.paragraph)
    const words = propertiesOf(own, 'style:text-properties', under.words)
    const heading = element.name === 'text:h' ? Math.min(6, numberAt(element, 'text:outline-level') ?? 1) : undefined
    const level = where.list && levelOf(where.list)
    const beside: Block[] = []
    const runs = this.#runs(element, words, beside)
    const mark = isCounted && where.list !== undefined ? markOf(where.list, level) : ''
    const place = level && where.list ? placeIn(level, where.list.level) : undefined
    const isPlacedItself = child(own.at(-1), 'style:paragraph-properties')?.attributes['fo:margin-left'] !== undefined
    const margin = (name: string): number => Math.min(largestMargin, Math.max(0, pixelsOf(said[`fo:margin-${name}`])))
    const [indent, firstLine] =
      place === undefined || isPlacedItself ? [margin('left'), pixelsOf(said['fo:text-indent'])] : place
    const align = alignOf(said['fo:text-align'])
    const line = /^([\d.]+)%$/.exec(said['fo:line-height'] ?? '')
    const fill = colourIn(said['fo:background-color'])
    const paragraph: Paragraph = {
      is: 'text',
      runs,
      ...(heading !== undefined && { heading }),
      ...(align !== undefined && { align }),
      ...(indent > 0 && { indent }),
      ...(firstLine !== 0 && { firstLine }),
      before: margin('top'),
      after: margin('bottom'),
      ...(line !== null && { line: Math.min(5, Math.max(0.5, Number(line[1]) / 100)) }),
      ...(mark !== '' && { mark }),
      ...(fill !== undefined && { fill }),
    }
    const pageOf = own.at(-1)?.attributes['style:master-page-name'] ?? ''
    const isBroken = said['fo:break-before'] === 'page' || pageOf !== ''
    const isShown = runs.length > 0 || beside.length === 0
    return [
      ...(isBroken ? [{ is: 'pageBreak' as const }] : []),
      ...(isShown ? [paragraph] : []),
      ...beside,
      ...(said['fo:break-after'] === 'page' ? [{ is: 'pageBreak' as const }] : []),
    ]
  }

  #runs(element: Element, words: Attributes, beside: Block[], href?: string): Run[] {
    const link = href === undefined ? {} : { href }
    const said = (text: string): Run => ({ ...runFormat(words, text), ...link, text })
    return element.children.flatMap((one): Run[] => {
      if (typeof one === 'string') return one === '' ? [] : [said(one.replace(/[ \t\r\n]+/g, ' '))]
      switch (one.name) {
        case 'text:s':
          return [said(' '.repeat(Math.min(mostSpaces, numberAt(one, 'text:c') ?? 1)))]
        case 'text:tab':
          return [said('\t')]
        case 'text:line-break':
          return [said('\n')]
        case 'text:span': {
          const own = this.styles.chain('text', one.attributes['text:style-name'])
          const look = propertiesOf(own, 'style:text-properties', words)
          return look['text:display'] === 'none' ? [] : this.#runs(one, look, beside, href)
        }
        case 'text:a':
          return this.#runs(one, words, beside, one.attributes['xlink:href'] ?? href)
        case 'draw:frame': {
          const shown = this.#shown(one)
          if (shown !== undefined) return [shown]
          beside.push(...this.#boxed(one))
          return []
        }
        case 'draw:custom-shape':
        case 'draw:rect':
        case 'draw:ellipse':
          beside.push(...this.blocks(one, this.#usual()))
          return []
        case 'text:note': {
          const cited = children(child(one, 'text:note-citation')).length
          const mark = textIn(child(one, 'text:note-citation')) || (cited > 0 ? '*' : '')
          const [first, ...rest] = this.blocks(child(one, 'text:note-body'), this.#usual())
          if (first?.is === 'text')
            this.#notes.push({ ...first, runs: [{ text: `${mark} `, raised: 'super' }, ...first.runs] })
          this.#notes.push(...rest)
          return [{ ...said(mark), raised: 'super' }]
        }
        case 'office:annotation':
        case 'office:annotation-end':
        case 'text:tracked-changes':
        case 'text:ruby-text':
        case 'svg:title':
        case 'svg:desc':
          return []
        default:
          return this.#runs(one, words, beside, href)
      }
    })
  }

  /** A frame outside a paragraph. */
  #standing(frame: Element, { under }: Where): Block[] {
    const shown = this.#shown(frame)
    if (shown === undefined) return this.#boxed(frame)
    return [{ is: 'text', runs: [{ ...runFormat(under.words, ''), ...shown }], after: 6 }]
  }

  /** The content of a frame: a chart or a picture. */
  #shown(frame: Element): Run | undefined {
    const drawing = chartIn(frame, this.#office)
    if (drawing !== undefined) return { drawing }
    for (const picture of children(frame, 'draw:image')) {
      const path = picture.attributes['xlink:href'] ?? ''
      const part = path === '' ? undefined : this.#office.picture(path.replace(/^\.\//, ''))
      const alt = textIn(child(frame, 'svg:desc')) || textIn(child(frame, 'svg:title'))
      if (part !== undefined)
        return { image: { part, width: pixels(frame, 'svg:width'), height: pixels(frame, 'svg:height'), alt } }
    }
    return undefined
  }

  #boxed(frame: Element): Block[] {
    return this.blocks(child(frame, 'draw:text-box'), { ...this.#usual(), deep: 10 })
  }

  #table(table: Element, where: Where): Block[] {
    const looks = this.styles.chain('table', table.attributes['table:style-name'])
    const isBroken = where.deep <= 1 && propertiesOf(looks, 'style:table-properties')['fo:break-before'] === 'page'
    const widths: number[] = []
    for (const column of descendants(table, 'table:table-column')) {
      const own = this.styles.chain('table-column', column.attributes['table:style-name'])
      const width = pixelsOf(propertiesOf(own, 'style:table-column-properties')['style:column-width'])
      const repeated = Math.min(200, numberAt(column, 'table:number-columns-repeated') ?? 1)
      for (let k = 0; k < repeated && widths.length < 200; k += 1) widths.push(width)
    }
    const rows = rowsOf(table).map((row) =>
      children(row, 'table:table-cell').map((cell) => this.#cell(cell, row, table, where)),
    )
    const made: Table = { is: 'table', widths, rows }
    return [...(isBroken ? [{ is: 'pageBreak' as const }] : []), made]
  }

  #cell(cell: Element, row: Element, table: Element, where: Where): TableCell {
    const across = numberAt(cell, 'table:number-columns-spanned') ?? 1
    const down = numberAt(cell, 'table:number-rows-spanned') ?? 1
    const name =
      cell.attributes['table:style-name'] ??
      row.attributes['table:default-cell-style-name'] ??
      table.attributes['table:default-cell-style-name']
    const own = this.styles.chain('table-cell', name)
    const said = propertiesOf(own, 'style:table-cell-properties')
    const drawn = propertiesOf(own, 'style:graphic-properties')
    const isFilled = drawn['draw:fill'] === 'solid' || drawn['draw:fill'] === undefined
    const fill = colourIn(said['fo:background-color']) ?? (isFilled ? colourIn(drawn['draw:fill-color']) : undefined)
    const lines = propertiesOf(own, 'style:paragraph-properties', said)
    const isKnown =
      own.length > 0 && [lines['fo:border'], ...sides.map((side) => lines[`fo:border-${side}`])].some(Boolean)
    const edges = sides.map((side) => lineColour(lines[`fo:border-${side}`] ?? lines['fo:border']))
    const under = {
      paragraph: propertiesOf(own, 'style:paragraph-properties', where.under.paragraph),
      words: propertiesOf(own, 'style:text-properties', where.under.words),
    }
    return {
      blocks: this.blocks(cell, { under, deep: where.deep }),
      ...(across > 1 ? { across } : {}),
      ...(down > 1 ? { down } : {}),
      ...(fill === undefined ? {} : { fill }),
      ...(isKnown ? { edges: edges as [string, string, string, string] } : {}),
    }
  }
}

/** The rows of a table, including header rows and groups, without those of nested tables. */
function rowsOf(table: Element): Element[] {
  return children(table).flatMap((one) => {
    if (one.name === 'table:table-row') return [one]
    return /^table:table-(header-rows|rows|row-group)$/.test(one.name) ? rowsOf(one) : []
  })
}

const lineColour = (line: string | undefined): string =>
  isLine(line) ? (colourIn(/#[\da-f]{6}/i.exec(line ?? '')?.[0]) ?? '#000000') : ''

function alignOf(value: string | undefined): Paragraph['align'] {
  if (value === 'center' || value === 'justify') return value
  return value === 'end' || value === 'right' ? 'end' : undefined
}

function textIn(element: Element | undefined): string {
  return (element?.children ?? []).map((one) => (typeof one === 'string' ? one : textIn(one))).join('')
}

function levelOf({ style, level }: Pick<InList, 'style' | 'level'>): Element | undefined {
  return children(style).find((one) => one.attributes['text:level'] === String(level + 1))
}

function count(list: InList, startsAt: number | undefined): void {
  const first = numberAt(levelOf(list), 'text:start-value') ?? 1
  list.counts.length = Math.min(list.counts.length, list.level + 1)
  list.counts[list.level] = startsAt ?? (list.counts[list.level] ?? first - 1) + 1
}

const formats: Readonly<Record<string, string>> = {
  '': 'none',
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
  '①, ②, ③, ...': 'decimalEnclosedCircle',
}

/** The label of a list item. */
function markOf(list: InList, level: Element | undefined): string {
  if (level === undefined) return list.style === undefined ? '•' : ''
  if (level.name === 'text:list-level-style-bullet') {
    const sign = level.attributes['text:bullet-char'] ?? ''
    // Private use characters exist only in the document's font.
    return /[\ue000-\uf8ff]/.test(sign) ? '•' : sign
  }
  if (level.name !== 'text:list-level-style-number') return '•'
  const shown = Math.max(1, Math.min(list.level + 1, numberAt(level, 'text:display-levels') ?? 1))
  const numbers = Array.from({ length: shown }, (_, n) => {
    const at = list.level - shown + 1 + n
    const format = levelOf({ style: list.style, level: at })?.attributes['style:num-format'] ?? ''
    const named = /一/.test(format) ? 'chineseCounting' : (formats[format] ?? 'decimal')
    return numberText(list.counts[at] ?? 1, named)
  }).filter((one) => one !== '')
  if (numbers.length === 0) return ''
  return `${level.attributes['style:num-prefix'] ?? ''}${numbers.join('.')}${level.attributes['style:num-suffix'] ?? ''}`
}

/** The indent of a list item and the offset of its label. */
function placeIn(level: Element, n: number): [indent: number, firstLine: number] {
  const said = child(level, 'style:list-level-properties')
  const label = child(said, 'style:list-level-label-alignment')?.attributes
  if (label !== undefined)
    return [Math.min(largestMargin, Math.max(0, pixelsOf(label['fo:margin-left']))), pixelsOf(label['fo:text-indent'])]
  const before = said === undefined ? 0 : pixels(said, 'text:space-before')
  const wide = (said === undefined ? 0 : pixels(said, 'text:min-label-width')) || 24
  return before === 0 && n > 0 && said?.attributes['text:space-before'] === undefined
    ? [(n + 1) * wide, -wide]
    : [Math.min(largestMargin, before + wide), -wide]
}

function pageOf(layout: Element, hasHeader: boolean, hasFooter: boolean): Flow['page'] {
  const said = child(layout, 'style:page-layout-properties')?.attributes ?? {}
  const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value))
  const [width, height] = [pixelsOf(said['fo:page-width']), pixelsOf(said['fo:page-height'])]
  if (width === 0 || height === 0) return undefined
  const margin = (side: string): number =>
    within(pixelsOf(said[`fo:margin-${side}`] ?? said['fo:margin']), 0, width / 3)
  const edge = (name: string): number => {
    const found = at(layout, name, 'style:header-footer-properties')?.attributes ?? {}
    return within(Math.max(pixelsOf(found['fo:min-height']), pixelsOf(found['svg:height'])), 24, height / 4)
  }
  return {
    width: within(width, 130, 2200),
    height: within(height, 130, 3200),
    margins: [
      margin('top') + (hasHeader ? edge('style:header-style') : 0),
      margin('right'),
      margin('bottom') + (hasFooter ? edge('style:footer-style') : 0),
      margin('left'),
    ],
  }
}
