// The interface of a grid to its table; a workbook sheet and a CSV file implement it.
import type { Area, DrawnStyle, Entry } from '@cloudoc/office/workbook'

export interface GridModel {
  /** Increases with each change. */
  readonly revision: () => number
  readonly subscribe: (listener: () => void) => () => void
  /** The used extent. */
  readonly extent: () => { readonly rows: number; readonly columns: number }
  readonly maxRows: number
  readonly maxColumns: number
  /** Row heights and column widths in pixels, if not the default. */
  readonly heights: ReadonlyMap<number, number>
  readonly widths: ReadonlyMap<number, number>
  readonly merges: readonly Area[]
  readonly frozen: { readonly rows: number; readonly columns: number }
  /** The filtered area including its header row, and the columns with a condition. */
  readonly filter?: { readonly area: Area; readonly columns: ReadonlySet<number> } | undefined
  readonly displayed: (
    row: number,
    column: number,
  ) => { readonly text: string; readonly style: DrawnStyle; readonly isNumber: boolean }
  /** The text in the edit field of a cell. */
  readonly typed: (row: number, column: number) => string
  /** The numeric value of a cell. */
  readonly number: (row: number, column: number) => number | undefined
  /** Writes cells as one step; returns a message if cells were skipped. */
  readonly type: (entries: readonly Entry[]) => string | undefined
  readonly whyFixed: (row: number, column: number) => string | undefined
  /** A typed text with its references shifted like the cell. */
  readonly relocated: (typed: string, rows: number, columns: number) => string
}

/** The selection: the active cell, and the opposite corner. */
export interface Selection {
  readonly row: number
  readonly column: number
  /** The opposite corner. */
  readonly toRow: number
  readonly toColumn: number
}

export const cellSelection = (row: number, column: number): Selection => ({ row, column, toRow: row, toColumn: column })

/** The selected area, extended to all merged cells in it. */
export function selected({ merges }: Pick<GridModel, 'merges'>, { row, column, toRow, toColumn }: Selection): Area {
  let area: Area = {
    top: Math.min(row, toRow),
    left: Math.min(column, toColumn),
    bottom: Math.max(row, toRow),
    right: Math.max(column, toColumn),
  }
  for (let again = true; again; ) {
    again = false
    for (const one of merges) {
      const meets = one.top <= area.bottom && one.bottom >= area.top && one.left <= area.right && one.right >= area.left
      const wider: Area = {
        top: Math.min(area.top, one.top),
        left: Math.min(area.left, one.left),
        bottom: Math.max(area.bottom, one.bottom),
        right: Math.max(area.right, one.right),
      }
      if (!meets || JSON.stringify(wider) === JSON.stringify(area)) continue
      area = wider
      again = true
    }
  }
  return area
}

/** The cell one step away in a direction; `far` jumps to the edge of the filled range. */
export function stepped(
  model: GridModel,
  from: { readonly row: number; readonly column: number },
  rows: number,
  columns: number,
  far: boolean,
): { readonly row: number; readonly column: number } {
  const { rows: lastRow, columns: lastColumn } = model.extent()
  const [mostRow, mostColumn] = [model.maxRows - 1, model.maxColumns - 1]
  const kept = (row: number, column: number) => ({
    row: Math.max(0, Math.min(mostRow, row)),
    column: Math.max(0, Math.min(mostColumn, column)),
  })
  if (!far) {
    const around = mergeAt(model, from.row, from.column)
    const row = rows > 0 ? (around?.bottom ?? from.row) + rows : from.row + rows
    const column = columns > 0 ? (around?.right ?? from.column) + columns : from.column + columns
    const to = kept(...inSight(model, row, column, rows, columns))
    const there = mergeAt(model, to.row, to.column)
    return there === undefined ? to : { row: there.top, column: there.left }
  }
  const isFilled = (row: number, column: number): boolean => model.typed(row, column) !== ''
  let { row, column } = from
  const inside = (): boolean =>
    row + rows >= 0 &&
    column + columns >= 0 &&
    row + rows < Math.max(1, lastRow) &&
    column + columns < Math.max(1, lastColumn)
  if (!inside()) return kept(rows < 0 ? 0 : row, columns < 0 ? 0 : column)
  const wasFilled = isFilled(row, column) && isFilled(row + rows, column + columns)
  do {
    row += rows
    column += columns
  } while (inside() && (wasFilled ? isFilled(row + rows, column + columns) : !isFilled(row, column)))
  return { row, column }
}

/** The next cell inside an area: Enter moves down, Tab moves right, and the last cell wraps to the first. */
export function nextWithin(
  model: GridModel,
  { top, left, bottom, right }: Area,
  { row, column }: { readonly row: number; readonly column: number },
  key: 'Enter' | 'Tab',
  isBack: boolean,
): { readonly row: number; readonly column: number } {
  const [down, across] = [bottom - top + 1, right - left + 1]
  const count = down * across
  const cellAt = (n: number): { row: number; column: number } =>
    key === 'Enter'
      ? { row: top + (n % down), column: left + Math.floor(n / down) }
      : { row: top + Math.floor(n / across), column: left + (n % across) }
  const isThere = (one: { row: number; column: number }): boolean => {
    const around = mergeAt(model, one.row, one.column)
    const isHead = around === undefined || (around.top === one.row && around.left === one.column)
    return isHead && model.heights.get(one.row) !== 0 && model.widths.get(one.column) !== 0
  }
  let n = key === 'Enter' ? (column - left) * down + row - top : (row - top) * across + column - left
  for (let steps = 0; steps < Math.min(count, mostSteps); steps++) {
    n = (n + (isBack ? count - 1 : 1)) % count
    if (isThere(cellAt(n))) return cellAt(n)
  }
  return { row, column }
}

/** The maximum number of hidden rows or columns to skip. */
const mostSteps = 100_000

/** The next visible position in a direction. */
function inSight(
  { heights, widths, maxRows, maxColumns }: GridModel,
  row: number,
  column: number,
  rows: number,
  columns: number,
): [row: number, column: number] {
  let [down, across] = [row, column]
  while (rows !== 0 && heights.get(down) === 0 && down >= 0 && down < maxRows) down += Math.sign(rows)
  while (columns !== 0 && widths.get(across) === 0 && across >= 0 && across < maxColumns) across += Math.sign(columns)
  // There is no visible cell on that side.
  return [down < 0 ? row - rows : down, across < 0 ? column - columns : across]
}

/** Whether a filter hides a row. */
export const isFilteredOut = ({ filter, heights }: Pick<GridModel, 'filter' | 'heights'>, row: number): boolean =>
  filter !== undefined && row > filter.area.top && row <= filter.area.bottom && heights.get(row) === 0

export function mergeAt({ merges }: Pick<GridModel, 'merges'>, row: number, column: number): Area | undefined {
  return merges.find((one) => row >= one.top && row <= one.bottom && column >= one.left && column <= one.right)
}

/** Serializes cells as tab-separated text, as spreadsheets copy them. */
export function toTsv(table: readonly (readonly string[])[]): string {
  const cell = (text: string): string => (/["\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  return table.map((row) => row.map(cell).join('\t')).join('\n')
}

/** Parses tab-separated text. */
export function fromTsv(text: string): string[][] {
  const rows: string[][] = [[]]
  const pattern = /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/y
  pattern.lastIndex = 0
  const body = text.replace(/(?:\r\n|\r|\n)$/, '')
  while (pattern.lastIndex <= body.length) {
    const found = pattern.exec(body) ?? undefined
    if (found === undefined) break
    const [, quoted, plain = '', end = ''] = found
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === '') break
    if (end !== '\t') rows.push([])
  }
  return rows
}

/** The cells that contain a text, row by row, ignoring case. */
export function cellsWith(model: GridModel, text: string): { readonly row: number; readonly column: number }[] {
  const wanted = text.toLowerCase()
  const { rows, columns } = model.extent()
  const found = []
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const typed = model.typed(row, column)
      if (typed === '') continue
      if (typed.toLowerCase().includes(wanted) || model.displayed(row, column).text.toLowerCase().includes(wanted)) {
        found.push({ row, column })
      }
    }
  }
  return found
}

/** Replaces a text in the typed text of cells, as one step; returns the number of cells. */
export function replaceIn(
  model: GridModel,
  cells: readonly { readonly row: number; readonly column: number }[],
  text: string,
  by: string,
): number {
  const pattern = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi')
  const entries = cells.flatMap(({ row, column }) => {
    if (model.whyFixed(row, column) !== undefined) return []
    const typed = model.typed(row, column)
    const made = typed.replace(pattern, () => by)
    return made === typed ? [] : [{ row, column, text: made }]
  })
  model.type(entries)
  return entries.length
}
