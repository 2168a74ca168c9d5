// Structure commands of the sheet editor: insert, delete, resize, merge, freeze and sort.
import type { History, StructureOperation, Workbook } from '@cloudoc/office/workbook'
import { type Area, intersects, parseFormula } from '@cloudoc/office/workbook'
import type { RefObject } from 'react'
import { t as say } from '../../core/i18n/i18n.ts'
import type { MenuEntry } from '../../core/menu/menu.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { mergeAt, type Selection, selected } from '../grid/grid-model.ts'
import type { GridHandle } from '../grid/use-grid-handle.ts'

/** The context of a command. */
interface StructureContext {
  readonly history: History
  readonly part: string
  readonly selection: Selection
  readonly handle: RefObject<GridHandle | null>
}

/** A structure operation without its sheet. */
export type SheetStructureChange = StructureOperation extends infer One
  ? One extends StructureOperation
    ? Omit<One, 'part'>
    : never
  : never

/** Applies a structure operation to a sheet; shows the reason if it is refused. */
export function changeStructure(history: History, part: string, change: SheetStructureChange): boolean {
  const why = history.change({ ...change, part })
  if (why !== undefined) notifyFailure(say(`editor.sheet.built.${why}`))
  return why === undefined
}

function applyChange({ history, part, handle }: StructureContext, change: SheetStructureChange): void {
  handle.current?.commit()
  changeStructure(history, part, change)
  handle.current?.focus()
}

/** Applies a new size of a row or column. */
export function resize(
  history: History,
  part: string,
  {
    axis,
    index,
    size,
  }: { readonly axis: 'rows' | 'columns'; readonly index: number; readonly size: number | undefined },
): void {
  changeStructure(history, part, { kind: 'size', axis, from: index, to: index, ...(size !== undefined && { size }) })
}

/** The menu entries for the selection. */
export function structureEntries(here: StructureContext): MenuEntry[] {
  const { history, part, selection } = here
  const book = history.now()
  const sheet = book.sheet(part)
  const area = selected(sheet, selection)
  const [rows, columns] = [area.bottom - area.top + 1, area.right - area.left + 1]
  const entry = (id: string, label: string, change: SheetStructureChange): MenuEntry => ({
    id,
    label,
    run: () => applyChange(here, change),
  })
  const move = (axis: 'rows' | 'columns', at: number, by: number): SheetStructureChange => ({
    kind: 'move',
    move: { axis, at, by },
  })
  const isMerged = sheet.merges.some((one) => mergeAt({ merges: [one] }, area.top, area.left) !== undefined)
  const isFrozen = sheet.frozen.rows > 0 || sheet.frozen.columns > 0
  return [
    entry('rowsAbove', say('editor.sheet.build.rowsAbove', { n: rows }), move('rows', area.top, rows)),
    entry('rowsBelow', say('editor.sheet.build.rowsBelow', { n: rows }), move('rows', area.bottom + 1, rows)),
    entry(
      'columnsBefore',
      say('editor.sheet.build.columnsBefore', { n: columns }),
      move('columns', area.left, columns),
    ),
    entry(
      'columnsAfter',
      say('editor.sheet.build.columnsAfter', { n: columns }),
      move('columns', area.right + 1, columns),
    ),
    { separator: true },
    entry('rowsOut', say('editor.sheet.build.rowsOut', { n: rows }), move('rows', area.top, -rows)),
    entry('columnsOut', say('editor.sheet.build.columnsOut', { n: columns }), move('columns', area.left, -columns)),
    { separator: true },
    isMerged
      ? entry('split', say('editor.sheet.build.split'), { kind: 'split', area })
      : entry('merge', say('editor.sheet.build.merge'), { kind: 'merge', area }),
    isFrozen
      ? entry('unfreeze', say('editor.sheet.build.unfreeze'), { kind: 'freeze', rows: 0, columns: 0 })
      : selection.row === 0 && selection.column === 0
        ? entry('freezeTop', say('editor.sheet.build.freezeTop'), { kind: 'freeze', rows: 1, columns: 0 })
        : entry('freeze', say('editor.sheet.build.freeze'), {
            kind: 'freeze',
            rows: Math.min(50, selection.row),
            columns: Math.min(20, selection.column),
          }),
    { separator: true },
    { id: 'sortUp', label: say('editor.sheet.build.sortUp'), run: () => sort(here, 1) },
    { id: 'sortDown', label: say('editor.sheet.build.sortDown'), run: () => sort(here, -1) },
  ]
}

/** The connected region around a cell, bounded by empty rows and columns, without its header rows. */
function regionAround(book: Workbook, part: string, selection: Selection): ReturnType<typeof selected> {
  const { top: first, bottom, left, right } = wholeRegion(book, part, selection)
  let top = first
  // Frozen rows, or leading rows whose formatting differs from the next row, are the header.
  const looks = (r: number): string => {
    const { bold, fill } = book.shown(part, r, left).style
    return `${bold} ${fill}`
  }
  const frozen = book.sheet(part).frozen.rows
  if (frozen > top && frozen <= bottom) top = frozen
  else while (top < bottom && top < selection.row && looks(top) !== looks(top + 1)) top++
  return { top, bottom, left, right }
}

/** The connected region around a cell, including its header rows. */
export function wholeRegion(book: Workbook, part: string, { row, column }: Selection): ReturnType<typeof selected> {
  const { rows, columns } = book.extent(part)
  const isFilled = (r: number, c: number): boolean => book.content(part, r, c).kind !== 'empty'
  let [top, bottom, left, right] = [row, row, column, column]
  const anyInRow = (r: number): boolean => {
    for (let c = Math.max(0, left - 1); c <= Math.min(columns - 1, right + 1); c++) if (isFilled(r, c)) return true
    return false
  }
  const anyInColumn = (c: number): boolean => {
    for (let r = top; r <= bottom; r++) if (isFilled(r, c)) return true
    return false
  }
  for (let grows = true; grows; ) {
    grows = false
    if (top > 0 && anyInRow(top - 1)) [top, grows] = [top - 1, true]
    if (bottom < rows - 1 && anyInRow(bottom + 1)) [bottom, grows] = [bottom + 1, true]
    if (left > 0 && anyInColumn(left - 1)) [left, grows] = [left - 1, true]
    if (right < columns - 1 && anyInColumn(right + 1)) [right, grows] = [right + 1, true]
  }
  return { top, bottom, left, right }
}

/** Sorts the selected rows, or the region around the cell, by the column of the cell. */
function sort({ history, part, selection, handle }: StructureContext, direction: 1 | -1): void {
  handle.current?.commit()
  const book = history.now()
  const chosen = selected(book.sheet(part), selection)
  const isOne = chosen.top === chosen.bottom
  const area = isOne ? withoutSums(book, part, regionAround(book, part, selection)) : chosen
  sortArea(history, part, area, selection.column, direction)
  handle.current?.focus()
}

/**
 * Sorts the visible rows of an area with their formatting; relative references in formulas are shifted with their row.
 */
export function sortArea(history: History, part: string, chosen: Area, column: number, direction: 1 | -1): void {
  const book = history.now()
  const sheet = book.sheet(part)
  const { rows, columns } = book.extent(part)
  const area = { ...chosen, bottom: Math.min(chosen.bottom, rows - 1), right: Math.min(chosen.right, columns - 1) }
  if (sheet.merges.some((one) => intersects(one, area))) return notifyFailure(say('editor.sheet.sort.merged'))
  for (let row = area.top; row <= area.bottom; row++) {
    if (namesOthers(book, part, area, row)) return notifyFailure(say('editor.sheet.sort.formulas'))
  }
  const all = Array.from({ length: Math.max(0, area.bottom - area.top + 1) }, (_, n) => area.top + n).filter(
    (row) => sheet.heights.get(row) !== 0,
  )
  const sorted = [...all].sort((a, b) => compared(book, part, column, a, b, direction))
  const places = sorted.flatMap((from, n) => {
    const to = all[n] ?? from
    return from === to ? [] : [[to, from] as const]
  })
  if (places.length === 0) return
  changeStructure(history, part, { kind: 'sort', area, rows: places })
}

/** Excludes the total rows at the bottom of an area, which stay in place. */
export function withoutSums(book: Workbook, part: string, area: Area): Area {
  let { bottom } = area
  while (bottom > area.top && namesOthers(book, part, { ...area, bottom }, bottom)) bottom--
  return { ...area, bottom }
}

/** Whether a formula in a row references other rows of the area. Sorting would then break it. */
function namesOthers(book: Workbook, part: string, area: ReturnType<typeof selected>, row: number): boolean {
  for (let column = area.left; column <= area.right; column++) {
    const typed = book.typed(part, row, column)
    if (!typed.startsWith('=')) continue
    try {
      const { references } = parseFormula(typed.slice(1))
      const isOther = references.some(
        ({ sheet, area: of }) =>
          sheet === undefined &&
          of.top <= area.bottom &&
          of.bottom >= area.top &&
          (of.top !== row || of.bottom !== row),
      )
      if (isOther) return true
    } catch {
      // A formula that cannot be parsed may reference any row.
      return true
    }
  }
  return false
}

const collator = new Intl.Collator('zh-CN', { numeric: true })
export const compareTexts = (a: string, b: string): number => collator.compare(a, b)

/** Numbers sort before texts; empty cells are always last. */
function compared(book: Workbook, part: string, column: number, a: number, b: number, direction: 1 | -1): number {
  const [one, other] = [book.content(part, a, column), book.content(part, b, column)]
  if (one.kind === 'empty' || other.kind === 'empty') {
    return Number(one.kind === 'empty') - Number(other.kind === 'empty') || a - b
  }
  if (one.kind === 'number' && other.kind === 'number') return direction * (one.value - other.value) || a - b
  if (one.kind === 'number' || other.kind === 'number') return direction * (one.kind === 'number' ? -1 : 1)
  return direction * collator.compare(String(one.value), String(other.value)) || a - b
}
