// Draft cells, after other users have applied structure operations to the workbook.
import type { CoeditCell, SheetRebase, StructureOperation } from '@cloudoc/office/workbook'
import { expect, test } from 'vitest'
import { rebasedDraftCells } from './draft-cells.ts'

const part = 'xl/worksheets/sheet1.xml'
const cell = (ref: string, value: number): CoeditCell => [part, ref, { content: { kind: 'number', value } }]
const turn = (from: number, change: StructureOperation) => ({
  from,
  client: 7,
  turn: JSON.stringify({ change, names: [[part, 'Sheet1']] } satisfies SheetRebase),
})
const rows = (from: number, at: number, by: number) =>
  turn(from, { part, kind: 'move', move: { axis: 'rows', at, by } })
const kept = { generation: 11, version: 3, text: JSON.stringify([cell('A1', 1), cell('B4', 2)]) }

// [R148] Unsent cells stored by a closed browser are written at their new position after rows were inserted or deleted;
// when the position is unknown they are saved as another file.
test('[R148] what a browser has kept stands where its cells are after the changes of the build since', () => {
  const now = { generation: 14, version: 6, turns: [rows(10, 0, 5), rows(11, 2, 2), rows(12, 0, 1)] }
  expect(rebasedDraftCells(kept, now)).toEqual({ cells: [cell('A2', 1), cell('B7', 2)], gone: [] })
})

test('[R148] what was kept of the same document, or of the same version, stays where it is', () => {
  const whole = { cells: [cell('A1', 1), cell('B4', 2)], gone: [] }
  expect(rebasedDraftCells(kept, { generation: 11, version: 5, turns: [rows(10, 0, 5)] })).toEqual(whole)
  const alone = { version: 3, text: kept.text }
  expect(rebasedDraftCells(alone, { generation: 12, version: 3, turns: [rows(10, 0, 5)] })).toEqual(whole)
})

test('[R148] what was deleted meanwhile is told of, and where nothing is left it is saved apart', () => {
  const now = { generation: 12, version: 4, turns: [rows(11, 0, -1)] }
  expect(rebasedDraftCells(kept, now)).toEqual({ cells: [cell('B3', 2)], gone: [cell('A1', 1)] })
  const without = { generation: 12, version: 4, turns: [turn(11, { part, kind: 'remove' })] }
  expect(rebasedDraftCells(kept, without)).toBeUndefined()
})

test('[R148] where the changes since are not known any more, or rows were moved alone, nothing is written', () => {
  const now = { generation: 90, version: 80, turns: [rows(40, 0, 1)] }
  expect(rebasedDraftCells(kept, now)).toBeUndefined()
  expect(rebasedDraftCells({ version: 3, text: kept.text }, now)).toBeUndefined()
  expect(
    rebasedDraftCells({ version: 3, text: '{"changes":[]}' }, { generation: 9, version: 3, turns: [] }),
  ).toBeUndefined()
})
