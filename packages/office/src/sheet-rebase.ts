/*
 * Changes of the build of a workbook that several people write in: each makes another workbook of it, and what was written
 * into cells by somebody who did not know of it yet is written where those cells are then (docs/adr/0176).
 */

import { isIn, maxRows, parseRef, refOf, relocatedFormula } from './cells.ts'
import type { CoeditCell } from './coedit-cells.ts'
import { openPackage } from './package.ts'
import { shiftedFormula, shiftedIndex } from './reference-shift.ts'
import { formulaWithoutSheet, renamedFormula } from './sheet-names.ts'
import { applyStructure, type StructureOperation } from './sheet-structure.ts'
import { openWorkbook, type Workbook } from './workbook.ts'
import { readWorkbookPart } from './workbook-parts.ts'

/** A change that was made, and what the sheets were called before it, by their parts. */
export interface SheetRebase {
  readonly change: StructureOperation
  readonly names: readonly (readonly [part: string, name: string])[]
}

/** The workbook of a file with a change; throws `StructureKept`. `tell` hears what is written into it. */
export function workbookAfter(
  bytes: Uint8Array,
  change: StructureOperation,
  tell?: (cells: readonly CoeditCell[]) => void,
): Workbook {
  const after = openWorkbook(applyStructure(bytes, change), tell)
  if (['move', 'sort', 'remove'].includes(change.kind)) after.computeAnew()
  return after
}

/** What the sheets of a file are called, by their parts. */
export function sheetNames(bytes: Uint8Array): SheetRebase['names'] {
  return readWorkbookPart(openPackage(bytes)).sheets.flatMap(({ part, name }) =>
    part === undefined ? [] : [[part, name] as const],
  )
}

/** Whether what a change has of XML is what stands in the file; who sends another would write what they like into it. */
export function matchesFile(book: Workbook, change: StructureOperation): boolean {
  if (change.kind !== 'filter') return true
  const there = book.sheet(change.part).filter?.columns.map(({ by }) => (by.kind === 'other' ? by.xml : '')) ?? []
  return change.filter?.columns.every(({ by }) => by.kind !== 'other' || there.includes(by.xml)) !== false
}

/** Whether something can be lost by a change: what is taken out. */
export const removesCells = (change: StructureOperation): boolean =>
  change.kind === 'remove' || (change.kind === 'move' && change.move.by < 0)

/** A cell that was written without knowing of a change, as it is after it; undefined where it was taken out. */
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
      // Beyond the last row or column there is nothing.
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

/** A formula that is being typed on a sheet, after a change. */
export function rebasedFormula(turn: SheetRebase, part: string, formula: string): string {
  const { change } = turn
  if (change.kind === 'sort' || (change.kind === 'remove' && change.part === part)) return formula
  const place = change.kind === 'move' ? refOf(change.move.by > 0 ? 0 : maxRows - 1, 0) : 'A1'
  return rebasedCell(turn, [part, place, { content: { kind: 'empty' }, formula }])?.[2].formula ?? formula
}

/** Cells after changes, and those that were taken out by one, as they were. */
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
