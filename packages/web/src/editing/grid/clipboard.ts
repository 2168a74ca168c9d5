// Copying, cutting, pasting and clearing cells of a grid.
import type { Area, Entry } from '@cloudoc/office/workbook'
import { fromTsv, type GridModel, isFilteredOut, type Selection, toTsv } from './grid-model.ts'

/** The last copied cells of this page: the displayed texts and the typed texts. */
export interface Copied {
  readonly text: string
  readonly typed: readonly (readonly string[])[]
  /** The rows and columns of the copied cells. */
  readonly rows: readonly number[]
  readonly area: Area
  /** Whether it was cut: the references of its formulas do not shift. */
  readonly isCut: boolean
}

/** The cells of an area, limited to the used extent. */
function tableOf(model: GridModel, area: Area, of: (row: number, column: number) => string): string[][] {
  const { rows, columns } = model.extent()
  const made: string[][] = []
  for (let row = area.top; row <= Math.min(area.bottom, Math.max(area.top, rows)); row++) {
    if (isFilteredOut(model, row)) continue
    const line: string[] = []
    for (let column = area.left; column <= Math.min(area.right, Math.max(area.left, columns)); column++) {
      line.push(of(row, column))
    }
    made.push(line)
  }
  return made
}

/** Returns the clipboard content of an area. */
export const copiedFrom = (model: GridModel, area: Area, isCut: boolean): Copied => ({
  text: toTsv(tableOf(model, area, (row, column) => model.displayed(row, column).text)),
  typed: tableOf(model, area, model.typed),
  rows: Array.from({ length: area.bottom - area.top + 1 }, (_, n) => area.top + n).filter(
    (row) => !isFilteredOut(model, row),
  ),
  area,
  isCut,
})

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('\n', '<br>')

/** An area as an HTML table, so that other programs paste it with its formatting. */
export function toHtml(model: GridModel, area: Area): string {
  const cell = (row: number, column: number): string => {
    const { text, style } = model.displayed(row, column)
    const look = [
      style.bold === true && 'font-weight:bold',
      style.italic === true && 'font-style:italic',
      style.color !== undefined && `color:${style.color}`,
      style.fill !== undefined && `background:${style.fill}`,
      style.align !== undefined && `text-align:${style.align}`,
      style.borders !== undefined && 'border:1px solid #333',
    ].filter((one) => one !== false)
    return `<td style="${escaped(look.join(';'))}">${escaped(text)}</td>`
  }
  return `<table>${tableOf(model, area, cell)
    .map((row) => `<tr>${row.join('')}</tr>`)
    .join('')}</table>`
}

/** The cells of an HTML table in the clipboard; undefined if there is none. */
export function fromHtml(html: string): string[][] | undefined {
  const table = new DOMParser().parseFromString(html, 'text/html').querySelector('table')
  if (table === null) return undefined
  const made: string[][] = []
  const taken = new Set<string>()
  for (const [row, { cells }] of [...table.rows].entries()) {
    const line: string[] = []
    made.push(line)
    let column = 0
    for (const cell of cells) {
      while (taken.has(`${row} ${column}`)) line[column++] = ''
      for (const br of cell.querySelectorAll('br')) br.replaceWith('\n')
      line[column] = (cell.textContent ?? '').replace(/[^\S\n]+/g, ' ').trim()
      for (let down = 0; down < Math.max(1, cell.rowSpan); down++) {
        for (let across = 0; across < cell.colSpan; across++) taken.add(`${row + down} ${column + across}`)
      }
      for (let across = 1; across < cell.colSpan; across++) line[column + across] = ''
      column += cell.colSpan
    }
  }
  return made.length === 0 ? undefined : made
}

/** The entries that clear an area. */
export function cleared(model: GridModel, area: Area): Entry[] {
  const { rows, columns } = model.extent()
  const entries: Entry[] = []
  for (let row = area.top; row <= Math.min(area.bottom, rows); row++) {
    if (isFilteredOut(model, row)) continue
    for (let column = area.left; column <= Math.min(area.right, columns); column++) {
      if (model.typed(row, column) !== '') entries.push({ row, column, text: '' })
    }
  }
  return entries
}

/** The clipboard content: the text, and its HTML form from another program. */
interface Clip {
  readonly text: string
  readonly html: string
  /** Paste values only, without formatting and formulas. */
  readonly isPlain: boolean
}

/** Pastes into an area. Cells copied from this page are pasted with formulas and formatting, and shifted references. */
export function pasted(
  model: GridModel,
  area: Area,
  { text, html, isPlain }: Clip,
  last: Copied | undefined,
): { readonly entries: Entry[]; readonly selection: Selection } {
  const own = last?.text === text && !isPlain ? last : undefined
  // Tab-separated text is a table already. Other text may come with an HTML table.
  const table = isPlain || text.includes('\t') ? undefined : fromHtml(html)
  const cells = own?.typed ?? table ?? fromTsv(text)
  const [height, width] = [cells.length, Math.max(...cells.map((row) => row.length))]
  // A source that fits several times into the target is repeated.
  const times = (size: number, room: number): number => (room % size === 0 ? room / size : 1)
  const [down, across] = [times(height, area.bottom - area.top + 1), times(width, area.right - area.left + 1)]
  const entries: Entry[] = []
  for (let row = 0; row < height * down; row++) {
    for (let column = 0; column < width * across; column++) {
      const typed = cells[row % height]?.[column % width] ?? ''
      const [toRow, toColumn] = [area.top + row, area.left + column]
      if (toRow >= model.maxRows || toColumn >= model.maxColumns) continue
      if (own === undefined) {
        entries.push({ row: toRow, column: toColumn, text: typed })
        continue
      }
      const like = { row: own.rows[row % height] ?? own.area.top, column: own.area.left + (column % width) }
      const moved = own.isCut ? typed : model.relocated(typed, toRow - like.row, toColumn - like.column)
      entries.push({ row: toRow, column: toColumn, text: moved, like })
    }
  }
  const { top, left } = area
  return {
    entries,
    selection: { row: top, column: left, toRow: top + height * down - 1, toColumn: left + width * across - 1 },
  }
}
