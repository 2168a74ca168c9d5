// OpenDocument workbooks: cell contents and formatting.
import type { CellStyle, SheetBody, SheetCell, Sheets } from '@cloudoc/contract'
import { chartIn } from './odf-charts.ts'
import { pixels } from './odf-size.ts'
import { alignIn, colourIn, isLine, largestSize, points, propertiesOf, Styles } from './odf-styles.ts'
import type { OfficePackage } from './package.ts'
import { child, children, descendants, type Element, numberAt } from './xml.ts'

const mostRepeated = 1000
/** Maximum number of repetitions of an empty cell that are drawn for its formatting. */
const mostEmpty = 100
const mostMerges = 20_000
const mostCharts = 200

export function sheetsOf(book: Element, office: OfficePackage, parts: Parts, mostCells: number): Sheets {
  const looks = new CellStyles(office)
  let left = mostCells
  let cut = false
  const sheets = children(book, 'table:table').map((table, n) => {
    const usual = columnsOf(table)
    const rows: [number, SheetCell[]][] = []
    const heights: Record<number, number> = {}
    const merges: [number, number, number, number][] = []
    const drawings: NonNullable<SheetBody['drawings']>[number][] = []
    let [row, columns] = [0, 0]
    for (const one of descendants(table, 'table:table-row')) {
      const cells: SheetCell[] = []
      let column = 0
      for (const cell of children(one)) {
        const repeated = numberAt(cell, 'table:number-columns-repeated') ?? 1
        const text = children(cell, 'text:p').map(textOf).join('\n')
        const name = cell.attributes['table:style-name'] ?? usual.find(({ to }) => column < to)?.cells ?? ''
        const isNumber = numbers.has(cell.attributes['office:value-type'] ?? '')
        const { style, isSeen } = looks.cell(name, isNumber)
        const drawn = text !== '' ? mostRepeated : isSeen && repeated <= mostEmpty ? mostEmpty : 0
        for (let k = 0; k < Math.min(repeated, drawn); k += 1)
          cells.push(isNumber ? [column + k, text, style, 'formatted'] : [column + k, text, style])
        const [across, down] = [spanOf(cell, 'columns'), spanOf(cell, 'rows')]
        for (const frame of children(cell, 'draw:frame')) {
          const drawing = drawings.length < mostCharts ? chartIn(frame, office) : undefined
          if (drawing !== undefined) drawings.push({ drawing, row, column })
        }
        if ((across > 1 || down > 1) && merges.length < mostMerges)
          merges.push([row, column, row + down - 1, column + across - 1])
        column += repeated
      }
      const repeated = numberAt(one, 'table:number-rows-repeated') ?? 1
      const again = Math.min(cells.some(([, text]) => text !== '') ? mostRepeated : 1, repeated)
      const height = looks.height(one.attributes['table:style-name'] ?? '')
      for (let k = 0; k < again && cells.length > 0; k += 1) {
        left -= cells.length
        if (left < 0) cut = true
        else rows.push([row + k, cells])
        if (height > 0) heights[row + k] = height
      }
      if (cells.length > 0) columns = Math.max(columns, (cells.at(-1)?.[0] ?? 0) + 1)
      row += repeated
    }
    const last = (rows.at(-1)?.[0] ?? -1) + 1
    const widths: Record<number, number> = {}
    for (const { from, to, style } of usual) {
      const width = looks.width(style)
      for (let k = from; k < Math.min(to, columns) && width > 0; k += 1) widths[k] = width
    }
    const lying = drawings.length === 0 ? {} : { drawings }
    const part = parts.json({ rows, widths, heights, merges, images: [], ...lying } satisfies SheetBody)
    return { name: table.attributes['table:name'] ?? `${n + 1}`, part, rows: last, columns, frozen: [0, 0] as const }
  })
  return { kind: 'sheets', sheets, styles: looks.styles, cut }
}

interface Parts {
  json(value: unknown): number
}

/** Value types that are right-aligned in their cells. */
const numbers: ReadonlySet<string> = new Set(['float', 'percentage', 'currency', 'date', 'time'])

function textOf(element: Element): string {
  return element.children.map((one) => (typeof one === 'string' ? one : textOf(one))).join('')
}

const spanOf = (cell: Element, what: 'columns' | 'rows'): number =>
  Math.min(mostRepeated, numberAt(cell, `table:number-${what}-spanned`) ?? 1)

interface Columns {
  readonly from: number
  readonly to: number
  readonly style: string
  /** The default style of cells without one of their own. */
  readonly cells: string
}

function columnsOf(table: Element): Columns[] {
  let from = 0
  return [...descendants(table, 'table:table-column')].map(({ attributes, ...one }) => {
    const to = from + (numberAt({ attributes, ...one }, 'table:number-columns-repeated') ?? 1)
    const found = {
      from,
      to,
      style: attributes['table:style-name'] ?? '',
      cells: attributes['table:default-cell-style-name'] ?? '',
    }
    from = to
    return found
  })
}

/** The formatting of cells, columns and rows by style name. */
class CellStyles {
  /** The first is the style of a cell without formatting. */
  readonly styles: CellStyle[] = [{}]
  readonly #named: Styles
  readonly #numbers = new Map<string, number>()

  constructor(office: OfficePackage) {
    this.#named = new Styles(office, 'content.xml')
  }

  cell(name: string, isNumber: boolean): { readonly style: number; readonly isSeen: boolean } {
    const key = `${name} ${isNumber}`
    let style = this.#numbers.get(key)
    if (style === undefined) {
      const look = cellStyleOf(this.#named.chain('table-cell', name))
      const whole = isNumber && look.align === undefined ? { ...look, align: 'end' as const } : look
      style = Object.keys(whole).length === 0 ? 0 : this.styles.push(whole) - 1
      this.#numbers.set(key, style)
    }
    const { fill, borders } = this.styles[style] ?? {}
    return { style, isSeen: fill !== undefined || borders !== undefined }
  }

  width(name: string): number {
    return this.#size('table-column', name, 'column-width')
  }

  /** 0 if the row height fits the content. */
  height(name: string): number {
    const style = this.#named.named('table-row', name)
    const isFitting = child(style, 'style:table-row-properties')?.attributes['style:use-optimal-row-height'] === 'true'
    return isFitting ? 0 : this.#size('table-row', name, 'row-height')
  }

  #size(family: 'table-column' | 'table-row', name: string, attribute: string): number {
    const found = child(this.#named.named(family, name), `style:${family}-properties`)
    return found === undefined ? 0 : Math.min(largestSize, pixels(found, `style:${attribute}`))
  }
}

function cellStyleOf(chain: readonly Element[]): CellStyle {
  const words = propertiesOf(chain, 'style:text-properties')
  const cell = propertiesOf(chain, 'style:table-cell-properties')
  const align = alignIn(propertiesOf(chain, 'style:paragraph-properties')['fo:text-align'])
  const [color, fill] = [colourIn(words['fo:color']), colourIn(cell['fo:background-color'])]
  const borders = (['top', 'bottom', 'left', 'right'] as const)
    .filter((side) => isLine(cell[`fo:border-${side}`] ?? cell['fo:border']))
    .map(([letter]) => letter)
    .join('')
  const size = points(words['fo:font-size']) ?? 0
  return {
    ...(words['fo:font-weight'] === 'bold' && { bold: true }),
    ...(words['fo:font-style'] === 'italic' && { italic: true }),
    ...(isLine(words['style:text-underline-style']) && { underline: true }),
    ...(isLine(words['style:text-line-through-style']) && { strike: true }),
    ...(color !== undefined && { color }),
    ...(fill !== undefined && { fill }),
    // The default size is not written. The size is converted from points to pixels.
    ...(size > usualPoints && { size: Math.min(96, Math.round((size * 4) / 3)) }),
    ...(align !== undefined && { align }),
    ...(cell['fo:wrap-option'] === 'wrap' && { wrap: true }),
    ...(borders !== '' && { borders }),
  }
}

const usualPoints = 11
