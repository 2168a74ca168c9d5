// Sorting moves rows with their formatting and content. A filter hides rows and is written to the file.
import { strFromU8, strToU8, unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { firstSheetPart, relations, workbookFixture } from '../../test/workbook-fixture.ts'
import { type ColumnFilter, hiddenRows, passes } from './filter.ts'
import { applyStructure, type StructureOperation, StructureRefused } from './sheet-structure.ts'
import { openWorkbook } from './workbook.ts'
import { openHistory, withSheetDraft } from './workbook-history.ts'

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const sheet = (more = ''): Uint8Array =>
  strToU8(
    `<worksheet xmlns="${main}"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>名称</t></is></c><c r="B1"/><c r="C1"/></row><row r="2" ht="30" customHeight="1"><c r="A2"><v>2</v></c><c r="B2"><f t="shared" ref="B2:B4" si="0">A2*$E$1</f><v>4</v></c><c r="D2"><v>7</v></c></row><row r="3"><c r="A3" s="1"><v>0.5</v></c><c r="B3"><f t="shared" si="0"/><v>6</v></c></row><row r="4"><c r="A4" t="inlineStr"><is><r><rPr><b/></rPr><t>粗</t></r></is></c><c r="B4"><f t="shared" si="0"/><v>8</v></c></row></sheetData>${more}</worksheet>`,
  )
const bytes = workbookFixture({
  [firstSheetPart]: sheet('<hyperlinks><hyperlink ref="A3" location="x"/></hyperlinks>'),
})
const area = { top: 1, left: 0, bottom: 3, right: 1 }
const partOf = (made: Uint8Array, name = firstSheetPart): string => strFromU8(unzipSync(made)[name] ?? new Uint8Array())
const sort: StructureOperation = {
  part: firstSheetPart,
  kind: 'sort',
  area,
  rows: [
    [1, 3],
    [2, 1],
    [3, 2],
  ],
}

// [R171] Rows of a workbook are sorted with their formats, formulas and links.
it('[R171] rows that are sorted take along how they look, words with looks, formulas and links; heights and all else stay', () => {
  const made = partOf(applyStructure(bytes, sort))
  expect(made).toContain(
    '<row r="2" ht="30" customHeight="1"><c t="inlineStr" r="A2"><is><r><rPr><b/></rPr><t>粗</t></r></is></c><c r="B2"><f>A2*$E$1</f><v>8</v></c><c r="D2"><v>7</v></c></row>',
  )
  expect(made).toContain('<row r="3"><c r="A3"><v>2</v></c><c r="B3"><f>A3*$E$1</f><v>4</v></c></row>')
  expect(made).toContain('<c s="1" r="A4"><v>0.5</v></c>')
  expect(made).toContain('<hyperlink location="x" ref="A4"/>')
  const history = openHistory(bytes)
  history.change(sort)
  expect(partOf(withSheetDraft(bytes, history.draft()))).toBe(partOf(history.bytes()))
  history.undo()
  expect(history.bytes()).toBe(bytes)
})

// [R171] A workbook is filtered by values, text and numbers; the filter is stored in the standard form.
it('[R171] a filter is in the file, with its rows out of sight, is read again, and leaves no trace when it is taken off', () => {
  const values: ColumnFilter = { kind: 'values', values: ['甲 & 乙'], blank: true }
  const tests: ColumnFilter = { kind: 'tests', tests: [{ operator: 'greaterThan', value: '3' }], all: false }
  const filter = {
    area: { ...area, top: 0 },
    columns: [
      { column: 1, by: values },
      { column: 0, by: tests },
    ],
  }
  const made = applyStructure(bytes, { part: firstSheetPart, kind: 'filter', filter, out: [2, 3] })
  expect(partOf(made)).toContain(
    '</sheetData><autoFilter ref="A1:B4"><filterColumn colId="0"><customFilters><customFilter operator="greaterThan" val="3"/></customFilters></filterColumn><filterColumn colId="1"><filters blank="1"><filter val="甲 &amp; 乙"/></filters></filterColumn></autoFilter>',
  )
  expect(partOf(made, 'xl/workbook.xml')).toContain(
    '<definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">汇总!$A$1:$B$4</definedName>',
  )
  const read = openWorkbook(made).sheet(firstSheetPart)
  expect([...read.heights].filter(([, height]) => height === 0).map(([row]) => row)).toEqual([2, 3])
  expect(read.filter).toEqual({ ...filter, columns: [filter.columns[1], filter.columns[0]] })
  const off = applyStructure(made, { part: firstSheetPart, kind: 'filter', filter: undefined, out: [] })
  expect(partOf(off)).toBe(partOf(bytes))
  expect(partOf(off, 'xl/workbook.xml')).toBe(partOf(bytes, 'xl/workbook.xml'))
})

it.each([
  [{ kind: 'values', values: ['Abc'], blank: false }, ['abc', ''], [true, false]],
  [{ kind: 'values', values: [], blank: true }, ['abc', ''], [false, true]],
  [{ kind: 'tests', tests: [{ operator: 'equal', value: '*合同*' }], all: false }, ['新合同A', '合约'], [true, false]],
  [{ kind: 'tests', tests: [{ operator: 'notEqual', value: '新?' }], all: false }, ['新的', '新的一'], [false, true]],
  [{ kind: 'tests', tests: [{ operator: 'equal', value: 'a.b~*' }], all: false }, ['A.B*', 'axb*'], [true, false]],
] as const)('[R171] a filter by %o sees of %o what it should', (by, texts, seen) => {
  expect(texts.map((text) => passes(by, { text, content: { kind: 'text', value: text } }))).toEqual(seen)
})

it('[R171] numbers are compared as numbers; what is not looked through here stays out of sight where it was', () => {
  const number = (value: number) => ({ text: `${value} 元`, content: { kind: 'number', value } as const })
  const between: ColumnFilter = {
    kind: 'tests',
    tests: [
      { operator: 'greaterThanOrEqual', value: '10' },
      { operator: 'lessThan', value: '20' },
    ],
    all: true,
  }
  expect([9, 10, 19.5, 20].map((value) => passes(between, number(value)))).toEqual([false, true, true, false])
  const other: ColumnFilter = { kind: 'other', xml: '<top10 val="3"/>' }
  const cell = (row: number) => number(row * 10)
  const filter = { area: { top: 0, left: 0, bottom: 3, right: 0 }, columns: [{ column: 0, by: other }] }
  expect(hiddenRows(filter, cell, (row) => row === 2)).toEqual([2])
})

it('[R185] what would not go along is left and said: cells that are one, comments, tables', () => {
  const kept = (change: StructureOperation, more: Parameters<typeof workbookFixture>[0]): string => {
    try {
      applyStructure(workbookFixture(more), change)
    } catch (error) {
      if (error instanceof StructureRefused) return error.why
    }
    return ''
  }
  const related = (kind: string, xml: string) => ({
    [firstSheetPart]: sheet(),
    'xl/worksheets/_rels/sheet1.xml.rels': strToU8(relations(['rId1', kind, '../x.xml'])),
    'xl/x.xml': strToU8(xml),
  })
  expect(kept(sort, { [firstSheetPart]: sheet('<mergeCells><mergeCell ref="A3:B3"/></mergeCells>') })).toBe('meets')
  expect(kept(sort, related('comments', '<comments><comment ref="B3"/></comments>'))).toBe('comments')
  expect(kept(sort, related('comments', '<comments><comment ref="D3"/></comments>'))).toBe('')
  expect(kept(sort, related('table', '<table ref="A2:B4"/>'))).toBe('table')
  const filter = { area: { ...area, top: 0 }, columns: [] }
  expect(
    kept({ part: firstSheetPart, kind: 'filter', filter, out: [] }, related('table', '<table ref="A1:B4"/>')),
  ).toBe('tableFilter')
})
