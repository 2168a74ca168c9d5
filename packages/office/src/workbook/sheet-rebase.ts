/*
 * Rebase for co-edited workbooks: each structure operation produces a new workbook, and cells written by users who did
 * not know of it yet are moved to their new positions (docs/adr/0176).
 */

import { openPackage } from '../package/index.ts'
import { isIn, maxRows, parseRef, refOf, relocatedFormula } from './cells.ts'
import type { CoeditCell } from './coedit-cells.ts'
import { shiftedFormula, shiftedIndex } from './reference-shift.ts'
import { formulaWithoutSheet, renamedFormula } from './sheet-names.ts'
import { applyStructure, type StructureOperation } from './sheet-structure.ts'
import { openWorkbook, type Workbook } from './workbook.ts'
import { readWorkbookPart } from './workbook-parts.ts'

/** A completed structure operation, and the sheet names before it, by part. */
export interface SheetRebase {
  readonly change: StructureOperation
  readonly names: readonly (readonly [part: string, name: string])[]
}

/**
 * Applies a structure operation to a file and opens the result; throws `StructureKept`. `tell` receives the cells
 * written into the new workbook.
 */
export function workbookAfter(
  bytes: Uint8Array,
  change: StructureOperation,
  tell?: (cells: readonly CoeditCell[]) => void,
): Workbook {
  const after = openWorkbook(applyStructure(bytes, change), tell)
  if (['move', 'sort', 'remove'].includes(change.kind)) after.computeAnew()
  return after
}

/** The sheet names of a file, by part. */
export function sheetNames(bytes: Uint8Array): SheetRebase['names'] {
  return readWorkbookPart(openPackage(bytes)).sheets.flatMap(({ part, name }) =>
    part === undefined ? [] : [[part, name] as const],
  )
}

/** Whether raw XML in an operation also occurs in the file. Otherwise a client could inject arbitrary XML. */
export function matchesFile(book: Workbook, change: StructureOperation): boolean {
  if (change.kind !== 'filter') return true
  const there = book.sheet(change.part).filter?.columns.map(({ by }) => (by.kind === 'other' ? by.xml : '')) ?? []
  return change.filter?.columns.every(({ by }) => by.kind !== 'other' || there.includes(by.xml)) !== false
}

/** Whether an operation deletes content. */
export const removesCells = (change: StructureOperation): boolean =>
  change.kind === 'remove' || (change.kind === 'move' && change.move.by < 0)

/** Rebases a cell over a structure operation; undefined if the operation deleted the cell. */
export function rebasedCell({ change, names }: SheetRebase, cell: CoeditCell): CoeditCell | undefined {
  const [part, ref, written] = cell
  const nameOf = (of: string): string => names.find(([one]) => one === of)?.[1] ?? ''
  const withFormula = (of: (formula: string) => string, to = ref): CoeditCell => [
    part,
    to,
    written.formula === undefined ? written : { ...written, formula: of(written.formula) },
  ]
  const on = nameOf(change.part)
  const place = parseRef(ref)
  if (place === undefined) return undefined
  const isThere = part === change.part
  switch (change.kind) {
    case 'move': {
      const { move } = change
      const row = isThere && move.axis === 'rows' ? shiftedIndex(move, place.row) : place.row
      const column = isThere && move.axis === 'columns' ? shiftedIndex(move, place.column) : place.column
      if (row === undefined || column === undefined) return undefined
      const to = refOf(row, column)
      // A position beyond the last row or column does not exist.
      if (parseRef(to) === undefined) return undefined
      return withFormula((formula) => shiftedFormula(move, formula, nameOf(part), on), to)
    }
    case 'sort': {
      const to = change.rows.find(([, from]) => from === place.row)?.[0]
      if (!isThere || to === undefined || !isIn(change.area, place.row, place.column)) return cell
      return withFormula((formula) => relocatedFormula(formula, to - place.row, 0), refOf(to, place.column))
    }
    case 'rename':
      return withFormula((formula) => renamedFormula(formula, on, change.name))
    case 'remove': {
      if (isThere) return undefined
      const order = names.map(([, name]) => name)
      return withFormula((formula) => formulaWithoutSheet(formula, on, order))
    }
    default:
      return cell
  }
}

/** Rebases a formula that the user is typing on a sheet. */
export function rebasedFormula(turn: SheetRebase, part: string, formula: string): string {
  const { change } = turn
  if (change.kind === 'sort' || (change.kind === 'remove' && change.part === part)) return formula
  const place = change.kind === 'move' ? refOf(change.move.by > 0 ? 0 : maxRows - 1, 0) : 'A1'
  return rebasedCell(turn, [part, place, { content: { kind: 'empty' }, formula }])?.[2].formula ?? formula
}

/** Rebases cells over operations. `gone` contains the cells that an operation deleted, in their original form. */
export function rebasedCells(
  turns: readonly SheetRebase[],
  cells: readonly CoeditCell[],
): { readonly cells: readonly CoeditCell[]; readonly gone: readonly CoeditCell[] } {
  const gone: CoeditCell[] = []
  const stay = cells.flatMap((cell) => {
    const made = turns.reduce<CoeditCell | undefined>((now, turn) => now && rebasedCell(turn, now), cell)
    if (made === undefined) gone.push(cell)
    return made === undefined ? [] : [made]
  })
  return { cells: stay, gone }
}
