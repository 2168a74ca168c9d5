// A table that is edited cell by cell, as the grid needs it; a sheet of a workbook and a CSV file are two.
import type { DrawnStyle } from '@cloudoc/office/cell-formatting'
import type { Area, Entry } from '@cloudoc/office/cells'

export interface GridModel {
  /** Changes with each change. */
  readonly revision: () => number
  readonly subscribe: (listener: () => void) => () => void
  /** Where what is in it ends. */
  readonly extent: () => { readonly rows: number; readonly columns: number }
  readonly maxRows: number
  readonly maxColumns: number
  /** Pixels of rows and columns that are not as usual. */
  readonly heights: ReadonlyMap<number, number>
  readonly widths: ReadonlyMap<number, number>
  readonly merges: readonly Area[]
  readonly frozen: { readonly rows: number; readonly columns: number }
  /** What is filtered, with its head, and by which columns. */
  readonly filter?: { readonly area: Area; readonly columns: ReadonlySet<number> } | undefined
  readonly displayed: (
    row: number,
    column: number,
  ) => { readonly text: string; readonly style: DrawnStyle; readonly isNumber: boolean }
  /** What stands in the field when a cell is edited. */
  readonly typed: (row: number, column: number) => string
  /** The number in a cell. */
  readonly number: (row: number, column: number) => number | undefined
  /** Writes into cells in one step; answers why some were left, in words. */
  readonly type: (entries: readonly Entry[]) => string | undefined
  readonly whyFixed: (row: number, column: number) => string | undefined
  /** What was typed, moved as its cell is. */
  readonly relocated: (typed: string, rows: number, columns: number) => string
}

/** Where somebody is: the cell that is typed into, and what is selected from it on. */
export interface Selection {
  readonly row: number
  readonly column: number
  /** The corner that lies across. */
  readonly toRow: number
  readonly toColumn: number
}

export const cellSelection = (row: number, column: number): Selection => ({ row, column, toRow: row, toColumn: column })

/** What is selected, with all of what is merged in it. */
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

/** A step from a cell in a direction; `far` goes to where what is filled begins or ends. */
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

/** The next cell of an area: Enter goes down its columns, Tab along its rows, and from the last one to the first. */
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

/** More cells out of sight than that are not looked past. */
const mostSteps = 100_000

/** The next place in a direction that is not out of sight. */
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
  // Nothing is in sight on that side.
  return [down < 0 ? row - rows : down, across < 0 ? column - columns : across]
}

/** Whether a filter holds a row back. */
export const isFilteredOut = ({ filter, heights }: Pick<GridModel, 'filter' | 'heights'>, row: number): boolean =>
  filter !== undefined && row > filter.area.top && row <= filter.area.bottom && heights.get(row) === 0

export function mergeAt({ merges }: Pick<GridModel, 'merges'>, row: number, column: number): Area | undefined {
  return merges.find((one) => row >= one.top && row <= one.bottom && column >= one.left && column <= one.right)
}

/** Cells as text between tabs, as spreadsheets copy them. */
export function toTsv(table: readonly (readonly string[])[]): string {
  const cell = (text: string): string => (/["\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  return table.map((row) => row.map(cell).join('\t')).join('\n')
}

/** The cells of text between tabs. */
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

/** The cells that hold a text, row by row, whatever its case. */
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

/** Replaces a text in what is typed into cells, in one step; answers in how many. */
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
