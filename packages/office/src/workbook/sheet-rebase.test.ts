// Rebase: cells written without knowledge of a structure operation end up where they would be if they had been written
// before it.
import { strToU8 } from 'fflate'
import { expect, test } from 'vitest'
import { firstSheetPart, sheet1, workbookFixture } from '../../test/workbook-fixture.ts'
import { refOf } from './cells.ts'
import type { CoeditCell } from './coedit-cells.ts'
import { inverseOperation } from './inverse-structure.ts'
import { parseStructureOperation } from './parse-structure-operation.ts'
import { rebasedCells, rebasedFormula, type SheetRebase, sheetNames, workbookAfter } from './sheet-rebase.ts'
import type { StructureOperation } from './sheet-structure.ts'
import { openWorkbook, type Workbook } from './workbook.ts'
import { openHistory } from './workbook-history.ts'

const second = 'xl/worksheets/sheet2.xml'
/** Without an array formula, which would block moving rows. */
const plain = workbookFixture({ [firstSheetPart]: strToU8(sheet1.replace(/<row r="7">.*?<\/row>/, '')) })
const bytes = workbookAfter(plain, { part: second, kind: 'show', is: true }).bytes()
const nameOf = (part: string): string => openWorkbook(bytes).sheets.find((one) => one.part === part)?.name ?? ''

/** The contents of all cells of a workbook, by sheet. */
const said = (book: Workbook): string[] =>
  book.sheets.flatMap(({ name, part }) => {
    const { rows, columns } = book.extent(part)
    return Array.from({ length: rows * columns }, (_, n) => [Math.floor(n / columns), n % columns] as const).flatMap(
      ([row, column]) => {
        const typed = book.typed(part, row, column)
        return typed === '' ? [] : [`${name} ${refOf(row, column)} ${typed}`]
      },
    )
  })

const rows = (at: number, by: number, part = firstSheetPart): StructureOperation => ({
  part,
  kind: 'move',
  move: { axis: 'rows', at, by },
})
const area = { top: 8, left: 0, bottom: 10, right: 3 }
const changes: readonly StructureOperation[] = [
  rows(1, 2),
  rows(9, -1),
  { part: firstSheetPart, kind: 'move', move: { axis: 'columns', at: 1, by: 1 } },
  { part: second, kind: 'move', move: { axis: 'columns', at: 0, by: -1 } },
  {
    part: firstSheetPart,
    kind: 'sort',
    area,
    rows: [
      [8, 10],
      [10, 8],
    ],
  },
  { part: second, kind: 'rename', name: '另 一张' },
  { part: second, kind: 'remove' },
  { part: firstSheetPart, kind: 'add', name: '新' },
  { part: firstSheetPart, kind: 'freeze', rows: 1, columns: 0 },
]
const cells: readonly CoeditCell[] = [
  [firstSheetPart, 'A9', { content: { kind: 'number', value: 9 } }],
  [firstSheetPart, 'A11', { content: { kind: 'text', value: '十一' } }],
  [firstSheetPart, 'B10', { content: { kind: 'empty' }, formula: `SUM(A9:A11)+${nameOf(second)}!B2` }],
  [second, 'B2', { content: { kind: 'empty' }, formula: `${nameOf(firstSheetPart)}!A9*2` }],
]

test.each(changes.map((change) => [`${change.kind} of ${change.part.slice(-10)}`, change] as const))(
  '[R148] what was written before a %s and comes after it is where it would be',
  (_, change) => {
    const before = openWorkbook(bytes)
    before.takeIn(cells)
    const one = workbookAfter(before.bytes(), change)
    const other = workbookAfter(bytes, change)
    other.takeIn(rebasedCells([{ change, names: sheetNames(bytes) }], cells).cells)
    expect(said(openWorkbook(other.bytes()))).toEqual(said(openWorkbook(one.bytes())))
  },
)

test('[R148] what is written into what is taken out is told apart; a formula that is being typed names what it named', () => {
  const turn: SheetRebase = { change: rows(8, -1), names: sheetNames(bytes) }
  expect(rebasedCells([turn], cells).gone.map(([, ref]) => ref)).toEqual(['A9'])
  const more: SheetRebase = { change: rows(1, 2), names: sheetNames(bytes) }
  expect(rebasedFormula(more, firstSheetPart, 'A9+')).toBe('A11+')
  expect(rebasedFormula(more, second, 'A9+')).toBe('A9+')
})

test('[R148] a change is taken back by another, as long as nobody else has made one; the steps before it come after it', () => {
  const asked: StructureOperation[] = []
  let noBack = 0
  const history = openHistory(bytes, {
    publish: () => undefined,
    requestStructure: (change) => void asked.push(change),
    onCannotUndo: () => void (noBack += 1),
  })
  const turn = (change: StructureOperation, isOwn: boolean): void => {
    const file = history.now().bytes()
    history.turn(workbookAfter(file, change).bytes(), [{ change, names: sheetNames(file) }], isOwn)
  }
  const begins = said(history.now())
  history.now().type(firstSheetPart, [{ row: 8, column: 0, text: '九' }])
  const typed = said(history.now())
  for (const change of changes.filter(({ kind }) => !['add', 'remove'].includes(kind))) {
    if (change.kind === 'move' && change.move.by < 0) continue
    history.change(change)
    turn(change, true)
    expect(said(history.now())).not.toBe('')
    history.undo()
    expect(asked).toHaveLength(2)
    const [, back] = asked.splice(0)
    if (back !== undefined) turn(back, true)
    expect(said(history.now())).toEqual(typed)
  }
  turn(rows(9, -1), true)
  history.undo()
  expect([noBack, asked]).toEqual([1, []])
  // An operation of another user is not undoable; own undo steps move with their cells.
  turn(rows(1, 1), false)
  history.undo()
  expect(said(history.now())).toEqual(said(workbookAfter(workbookAfter(bytes, rows(9, -1)).bytes(), rows(1, 1))))
  expect(begins).not.toEqual(typed)
})

test('[R148] what is no change of the build is none', () => {
  for (const change of changes) expect(parseStructureOperation(JSON.stringify(change))).toEqual(change)
  const book = openWorkbook(bytes)
  for (const wrong of ['', '1', '{}', '{"part":"a","kind":"constructor"}', '{"part":"a","kind":"add","name":1}'])
    expect(parseStructureOperation(wrong)).toBeUndefined()
  expect(inverseOperation(book, { part: firstSheetPart, kind: 'remove' })).toBeUndefined()
})
