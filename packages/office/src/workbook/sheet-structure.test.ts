// Inserting, deleting and resizing rows and columns, merging cells, and frozen panes: references follow.
import { strFromU8, strToU8, unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { firstSheetPart, relations, sheet1, workbookFixture } from '../../test/workbook-fixture.ts'
import { type Shift, shiftedFormula, shiftedRefs } from './reference-shift.ts'
import { applyStructure, StructureRefused } from './sheet-structure.ts'
import { openWorkbook } from './workbook.ts'
import { openHistory, withSheetDraft } from './workbook-history.ts'

const partsOf = (made: Uint8Array): Record<string, string> =>
  Object.fromEntries(Object.entries(unzipSync(made)).map(([name, part]) => [name, strFromU8(part)]))
const without = (xml: string, ...cut: RegExp[]): string => cut.reduce((made, one) => made.replace(one, ''), xml)
// An array formula would block moving rows.
const plain = without(sheet1, /<row r="7">.*?<\/row>/)
const bytes = workbookFixture({
  [firstSheetPart]: strToU8(
    plain.replace(
      '<drawing',
      '<conditionalFormatting sqref="B2:B4"><cfRule type="expression" priority="1"><formula>B2&gt;$A$4</formula></cfRule></conditionalFormatting><hyperlinks><hyperlink ref="A4" location="x"/></hyperlinks><drawing',
    ),
  ),
  'xl/worksheets/sheet2.xml': strToU8(
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1"><f>SUM(汇总!A2:A4)+B3</f><v>9</v></c></row></sheetData></worksheet>',
  ),
  'xl/worksheets/_rels/sheet1.xml.rels': strToU8(relations(['rId1', 'drawing', '../drawings/drawing1.xml'])),
  'xl/drawings/drawing1.xml': strToU8('<d><from><col>1</col><row>3</row></from><to><col>4</col><row>9</row></to></d>'),
  'xl/charts/chart1.xml': strToU8('<c:chart xmlns:c="c"><c:f>汇总!$A$2:$A$4</c:f></c:chart>'),
})
const rows = (at: number, by: number): Shift => ({ axis: 'rows', at, by })
const columns = (at: number, by: number): Shift => ({ axis: 'columns', at, by })

it.each([
  [rows(2, 1), 'SUM(A1:A9)+A2+$A$3+B:B+3:4', 'SUM(A1:A10)+A2+$A$4+B:B+4:5'],
  [rows(2, -1), 'SUM(A1:A9)+A3+LOG10(A4)+"A5"', 'SUM(A1:A8)+#REF!+LOG10(A3)+"A5"'],
  [columns(1, 2), "A1+B1+'汇总'!$B$2+别处!B1+[1]汇总!B1+B:C+2:3", "A1+D1+'汇总'!$D$2+别处!B1+[1]汇总!B1+D:E+2:3"],
  [columns(1, -2), 'SUM(A1:D1)+C1+Table1[B1]+D1:E1', 'SUM(A1:B1)+#REF!+Table1[B1]+B1:C1'],
] as const)('[R171] with %o %s is %s', (move, formula, expected) => {
  expect(shiftedFormula(move, formula, '汇总', '汇总')).toBe(expected)
})

it('[R171] areas grow, shrink, move and end with their rows', () => {
  expect(shiftedRefs(rows(1, 2), 'A1 A2:B3 C:D')).toBe('A1 A4:B5 C:D')
  expect(shiftedRefs(rows(1, -2), 'A1 A2:B3 A2:A9')).toBe('A1 A2:A7')
})

// [R171] Rows and columns of a workbook are inserted and deleted; all references follow.
it('[R171] rows are put in: cells, formulas of all sheets, rules, links, pictures and charts go with them, all else stays', () => {
  const [before, after] = [
    partsOf(bytes),
    partsOf(applyStructure(bytes, { part: firstSheetPart, kind: 'move', move: rows(2, 2) })),
  ]
  expect(
    Object.keys(before)
      .filter((name) => before[name] !== after[name])
      .sort(),
  ).toEqual(
    [
      '[Content_Types].xml',
      'xl/_rels/workbook.xml.rels',
      'xl/calcChain.xml',
      'xl/charts/chart1.xml',
      'xl/drawings/drawing1.xml',
      'xl/workbook.xml',
      firstSheetPart,
      'xl/worksheets/sheet2.xml',
    ].sort(),
  )
  const sheet = after[firstSheetPart] ?? ''
  expect(sheet).toContain(
    '<row r="2"><c r="A2"><v>2</v></c><c r="B2"><f>A2*$A$2</f><v>4</v></c></row><row r="3"></row><row r="4"></row><row r="5"><c r="A5"><v>3</v></c><c r="B5"><f>A5*$A$2</f><v>6</v></c></row>',
  )
  expect(sheet).toContain('sqref="B2:B6"><cfRule type="expression" priority="1"><formula>B2&gt;$A$6</formula>')
  expect(sheet).toContain('<mergeCell ref="A7:B8"/>')
  expect(sheet).toContain('<hyperlink location="x" ref="A6"/>')
  expect(after['xl/worksheets/sheet2.xml']).toContain('<f>SUM(汇总!A2:A6)+B3</f>')
  expect(after['xl/charts/chart1.xml']).toContain('汇总!$A$2:$A$6')
  expect(after['xl/drawings/drawing1.xml']).toBe(
    '<d><from><col>1</col><row>5</row></from><to><col>4</col><row>11</row></to></d>',
  )
})

it('[R171] rows and columns are taken out, and put in and taken out leave the cells as they were', () => {
  const out =
    partsOf(applyStructure(bytes, { part: firstSheetPart, kind: 'move', move: rows(3, -3) }))[firstSheetPart] ?? ''
  expect(out).not.toContain('hyperlink')
  expect(out).not.toContain('mergeCell')
  expect(out).toContain('sqref="B2:B3"')
  for (const move of [rows(2, 3), columns(1, 2), columns(0, 1)]) {
    const once = applyStructure(bytes, { part: firstSheetPart, kind: 'move', move })
    const twice = applyStructure(once, { part: firstSheetPart, kind: 'move', move: { ...move, by: -move.by } })
    const [book, was] = [openWorkbook(twice), openWorkbook(bytes)]
    for (let row = 0; row < 6; row++) {
      for (let column = 0; column < 4; column++) {
        expect(book.typed(firstSheetPart, row, column)).toBe(was.typed(firstSheetPart, row, column))
        expect(book.shown(firstSheetPart, row, column)).toEqual(was.shown(firstSheetPart, row, column))
      }
    }
    expect(book.sheet(firstSheetPart).merges).toEqual(was.sheet(firstSheetPart).merges)
  }
})

// [R171] Widths, heights, merged cells and frozen panes of a workbook.
it('[R171] sizes, cells that are one and what stays in sight are in the file, and taken back', () => {
  const history = openHistory(bytes)
  const sheet = () => openWorkbook(history.bytes()).sheet(firstSheetPart)
  history.change({ part: firstSheetPart, kind: 'size', axis: 'columns', from: 1, to: 2, size: 145 })
  history.change({ part: firstSheetPart, kind: 'size', axis: 'columns', from: 2, to: 3, size: 75 })
  history.change({ part: firstSheetPart, kind: 'size', axis: 'rows', from: 1, to: 2, size: 40 })
  expect([...sheet().widths]).toEqual([
    [1, 145],
    [2, 75],
    [3, 75],
  ])
  expect([...sheet().heights]).toEqual([
    [1, 40],
    [2, 40],
  ])
  history.change({ part: firstSheetPart, kind: 'merge', area: { top: 0, left: 3, bottom: 1, right: 4 } })
  expect(sheet().merges).toHaveLength(2)
  expect(history.change({ part: firstSheetPart, kind: 'merge', area: { top: 0, left: 0, bottom: 1, right: 1 } })).toBe(
    'filled',
  )
  expect(history.change({ part: firstSheetPart, kind: 'merge', area: { top: 4, left: 0, bottom: 6, right: 0 } })).toBe(
    'meets',
  )
  history.change({ part: firstSheetPart, kind: 'split', area: { top: 0, left: 3, bottom: 0, right: 3 } })
  expect(sheet().merges).toHaveLength(1)
  history.change({ part: firstSheetPart, kind: 'freeze', rows: 1, columns: 2 })
  expect(sheet().frozen).toEqual({ rows: 1, columns: 2 })
  history.change({ part: firstSheetPart, kind: 'freeze', rows: 0, columns: 0 })
  expect(sheet().frozen).toEqual({ rows: 0, columns: 0 })
  while (history.undo() !== undefined);
  expect(history.bytes()).toBe(bytes)
})

// [R171] Structural changes of a workbook are undone, redone and stored in drafts together with typing.
it('[R171] the build is undone and done again among what is typed, and a draft has both', () => {
  const history = openHistory(bytes)
  history.now().type(firstSheetPart, [{ row: 2, column: 0, text: '30' }])
  history.change({ part: firstSheetPart, kind: 'move', move: rows(0, 1) })
  history.now().type(firstSheetPart, [{ row: 0, column: 0, text: '标题' }])
  const made = history.bytes()
  expect(openWorkbook(made).shown(firstSheetPart, 3, 0).text).toBe('30')
  expect(partsOf(withSheetDraft(bytes, history.draft()))).toEqual(partsOf(made))
  history.undo()
  history.undo()
  expect(history.now().shown(firstSheetPart, 2, 0).text).toBe('30')
  history.redo()
  history.redo()
  expect(partsOf(history.bytes())).toEqual(partsOf(made))
  history.undo()
  history.undo()
  history.now().type(firstSheetPart, [{ row: 0, column: 5, text: 'x' }])
  expect(history.redo()).toBeUndefined()
})

// [R185] A structural change that would lose content is refused with the reason; so is one while several people edit.
it('[R185] what would be lost is said, and nothing is done; while others write the build stays', () => {
  const kept = (more: Parameters<typeof workbookFixture>[0], move: Shift): string => {
    try {
      applyStructure(workbookFixture(more), { part: firstSheetPart, kind: 'move', move })
    } catch (error) {
      if (error instanceof StructureRefused) return error.why
    }
    return ''
  }
  expect(kept({}, rows(3, 1))).toBe('array')
  expect(kept({}, rows(9, 1))).toBe('')
  const related = (kind: string, xml: string) => ({
    [firstSheetPart]: strToU8(plain),
    'xl/worksheets/_rels/sheet1.xml.rels': strToU8(relations(['rId1', kind, '../x.xml'])),
    'xl/x.xml': strToU8(xml),
  })
  expect(kept(related('comments', '<comments/>'), rows(0, 1))).toBe('comments')
  expect(kept(related('table', '<table ref="A2:B4"/>'), rows(2, 1))).toBe('table')
  expect(kept(related('table', '<table ref="A2:B4"/>'), rows(1, 1))).toBe('')
  expect(
    kept(
      { [firstSheetPart]: strToU8(plain.replace('<mergeCells', '<sheetProtection sheet="1"/><mergeCells')) },
      rows(0, 1),
    ),
  ).toBe('protected')
  const asked: unknown[] = []
  const ports = {
    publish: () => undefined,
    requestStructure: (change: unknown) => asked.push(change),
    onCannotUndo: () => undefined,
  }
  const shared = openHistory(bytes, ports)
  const frozen = { part: firstSheetPart, kind: 'freeze', rows: 1, columns: 0 } as const
  expect([shared.change(frozen), asked]).toEqual([undefined, [frozen]])
})

// [R171] A calculated column, a total and a form control that name a cell without its sheet follow it when rows move.
it('[R171] formulas of tables and controls without a sheet name mean the sheet that these are on', () => {
  const table = `<table ref="A6:B8"><tableColumn id="2"><calculatedColumnFormula>表1[[#This Row],[品]]*$A$3</calculatedColumnFormula><totalsRowFormula>SUM(汇总!$A$3,A4)</totalsRowFormula></tableColumn></table>`
  const control = '<formControlPr fmlaLink="$B$5" fmlaRange="$A$1:$A$4"/>'
  const moved = (sheet: string, move: Shift) => {
    const file = workbookFixture({
      [firstSheetPart]: strToU8(plain),
      [`xl/worksheets/_rels/${sheet}.xml.rels`]: strToU8(
        relations(['rId1', 'table', '../tables/table1.xml'], ['rId2', 'ctrlProp', '../ctrlProps/ctrlProp1.xml']),
      ),
      'xl/tables/table1.xml': strToU8(table),
      'xl/ctrlProps/ctrlProp1.xml': strToU8(control),
    })
    const parts = unzipSync(applyStructure(file, { part: firstSheetPart, kind: 'move', move }))
    const text = (name: string): string => strFromU8(parts[name] ?? new Uint8Array())
    return [text('xl/tables/table1.xml'), text('xl/ctrlProps/ctrlProp1.xml')] as const
  }
  const [own, ownControl] = moved('sheet1', rows(1, 1))
  expect(own).toContain('ref="A7:B9"')
  expect(own).toContain('表1[[#This Row],[品]]*$A$4<')
  expect(own).toContain('SUM(汇总!$A$4,A5)')
  expect(ownControl).toContain('fmlaLink="$B$6" fmlaRange="$A$1:$A$5"')
  expect(moved('sheet1', rows(2, -1))[0]).toContain('表1[[#This Row],[品]]*#REF!<')
  // A table on another sheet means cells of that sheet.
  const [other, otherControl] = moved('sheet2', rows(1, 1))
  expect(other).toContain('ref="A6:B8"')
  expect(other).toContain('*$A$3<')
  expect(other).toContain('SUM(汇总!$A$4,A4)')
  expect(otherControl).toBe(control)
})
