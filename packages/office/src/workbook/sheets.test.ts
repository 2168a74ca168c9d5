// Adding, renaming, deleting, moving and hiding sheets: references to them follow.
import { strFromU8, strToU8, unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { firstSheetPart, relations, workbookFixture } from '../../test/workbook-fixture.ts'
import { formulaWithoutSheet, nameFault, quotedName, renamedFormula } from './sheet-names.ts'
import { applyStructure, type StructureOperation, StructureRefused } from './sheet-structure.ts'
import { openWorkbook } from './workbook.ts'
import { openHistory, withSheetDraft } from './workbook-history.ts'

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const kinds = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const second = 'xl/worksheets/sheet2.xml'
const third = 'xl/worksheets/sheet3.xml'
const sheetOf = (body: string, more = ''): Uint8Array =>
  strToU8(
    `<worksheet xmlns="${main}"><sheetViews><sheetView${more} workbookViewId="0"/></sheetViews><sheetData>${body}</sheetData></worksheet>`,
  )
const bytes = workbookFixture({
  'xl/workbook.xml': strToU8(
    `<workbook xmlns="${main}" xmlns:r="${kinds}"><bookViews><workbookView activeTab="1"/></bookViews><sheets><sheet name="汇总" sheetId="1" r:id="rId1"/><sheet name="一月 收入" sheetId="2" r:id="rId2"/><sheet name="三月" sheetId="7" r:id="rId6"/></sheets><definedNames><definedName name="税率">'一月 收入'!$B$1</definedName><definedName name="_xlnm.Print_Area" localSheetId="1">'一月 收入'!$A$1:$B$2</definedName><definedName name="_xlnm.Print_Area" localSheetId="2">三月!$A$1:$B$2</definedName></definedNames></workbook>`,
  ),
  'xl/_rels/workbook.xml.rels': strToU8(
    relations(
      ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
      ['rId2', 'worksheet', 'worksheets/sheet2.xml'],
      ['rId3', 'sharedStrings', 'sharedStrings.xml'],
      ['rId4', 'styles', 'styles.xml'],
      ['rId5', 'calcChain', '/xl/calcChain.xml'],
      ['rId6', 'worksheet', 'worksheets/sheet3.xml'],
    ),
  ),
  [firstSheetPart]: sheetOf(
    '<row r="1"><c r="A1"><f>SUM(\'一月 收入\'!A1:A2)+1</f><v>4</v></c><c r="B1"><f>三月!A1*2</f><v>10</v></c><c r="C1"><f>B1+A1</f><v>14</v></c></row>',
  ),
  [second]: sheetOf(
    '<row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c r="A2"><v>2</v></c></row>',
    ' tabSelected="1"',
  ),
  [third]: sheetOf('<row r="1"><c r="A1"><v>5</v></c></row>'),
  'xl/worksheets/_rels/sheet2.xml.rels': strToU8(relations(['rId1', 'drawing', '../drawings/drawing1.xml'])),
  'xl/drawings/drawing1.xml': strToU8('<d/>'),
  'xl/charts/chart1.xml': strToU8('<c:chart xmlns:c="c"><c:f>\'一月 收入\'!$A$1:$A$2</c:f></c:chart>'),
})
const partsOf = (made: Uint8Array): Record<string, string> =>
  Object.fromEntries(Object.entries(unzipSync(made)).map(([name, part]) => [name, strFromU8(part)]))
const differing = (made: Uint8Array): string[] => {
  const [before, after] = [partsOf(bytes), partsOf(made)]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((one) => before[one] !== after[one])
    .sort()
}
const changed = (change: StructureOperation): Uint8Array => applyStructure(bytes, change)
const names = (made: Uint8Array): string[] => openWorkbook(made).sheets.map(({ name }) => name)

it('[R171] a sheet that is added is empty, listed where it was put, and leaves all others as they were', () => {
  const made = changed({ part: firstSheetPart, kind: 'add', name: '二月 & 更多' })
  expect(names(made)).toEqual(['汇总', '二月 & 更多', '一月 收入', '三月'])
  expect(differing(made)).toEqual([
    '[Content_Types].xml',
    'xl/_rels/workbook.xml.rels',
    'xl/workbook.xml',
    'xl/worksheets/sheet4.xml',
  ])
  const { 'xl/workbook.xml': book } = partsOf(made)
  expect(book).toContain('<sheet name="二月 &amp; 更多" sheetId="8" r:id="rId7"/>')
  expect(book).toContain('activeTab="2"')
  expect(book).toMatch(/localSheetId="2">'一月 收入'.*localSheetId="3">三月/)
  const history = openHistory(made)
  history.now().type('xl/worksheets/sheet4.xml', [{ row: 0, column: 0, text: '=三月!A1' }])
  history.change({ part: 'xl/worksheets/sheet4.xml', kind: 'size', axis: 'rows', from: 4, to: 4, size: 40 })
  expect(openWorkbook(history.bytes()).shown('xl/worksheets/sheet4.xml', 0, 0).text).toBe('5')
})

it('[R171] a sheet that is called otherwise is called so by formulas, names and charts', () => {
  const made = changed({ part: second, kind: 'rename', name: "R1'5" })
  expect(differing(made)).toEqual(['xl/charts/chart1.xml', 'xl/workbook.xml', firstSheetPart])
  const parts = partsOf(made)
  expect(parts[firstSheetPart]).toContain("<f>SUM('R1''5'!A1:A2)+1</f><v>4</v>")
  expect(parts['xl/charts/chart1.xml']).toContain("<c:f>'R1''5'!$A$1:$A$2</c:f>")
  expect(parts['xl/workbook.xml']).toMatch(/税率">'R1''5'!\$B\$1.*localSheetId="1">'R1''5'!\$A\$1:\$B\$2/)
})

// [R171] Sheets are added, renamed, deleted (with a question that counts the references), moved, hidden, shown and
// coloured; formulas, names and charts follow; undo and drafts include it.
it('[R171] what says a sheet that is taken out comes to #REF!, is counted before, and all that was its own is gone', () => {
  const history = openHistory(bytes)
  expect([history.saying(second), history.saying(firstSheetPart)]).toEqual([3, 0])
  history.change({ part: second, kind: 'remove' })
  const made = history.bytes()
  expect(names(made)).toEqual(['汇总', '三月'])
  expect(['A1', 'B1', 'C1'].map((_, column) => openWorkbook(made).shown(firstSheetPart, 0, column).text)).toEqual([
    '#REF!',
    '10',
    '#REF!',
  ])
  const parts = partsOf(made)
  expect(parts[firstSheetPart]).toContain('<f>SUM(#REF!)+1</f><v>#REF!</v>')
  expect(Object.keys(parts).filter((name) => /sheet2|drawing|calcChain/.test(name))).toEqual([])
  expect(parts['[Content_Types].xml']).not.toContain('calcChain')
  expect(parts['xl/workbook.xml']).toContain('<definedName name="税率">#REF!</definedName>')
  expect(parts['xl/workbook.xml']).toMatch(/<definedName name="_xlnm.Print_Area" localSheetId="1">三月/)
  // The deleted sheet was the active one. Now exactly one other sheet is active.
  expect(parts['xl/workbook.xml']).toContain('activeTab="1"')
  expect([parts[firstSheetPart], parts[third]].map((xml) => xml?.includes('tabSelected="1"'))).toEqual([false, true])
  expect(partsOf(withSheetDraft(bytes, history.draft()))).toEqual(parts)
  history.undo()
  expect(history.bytes()).toBe(bytes)
})

it('[R171] sheets change places, go out of sight, come back and have a colour', () => {
  const ordered = changed({ part: third, kind: 'order', before: firstSheetPart })
  expect(names(ordered)).toEqual(['三月', '汇总', '一月 收入'])
  expect(partsOf(ordered)['xl/workbook.xml']).toMatch(
    /activeTab="2".*localSheetId="2">'一月 收入'.*localSheetId="0">三月/,
  )
  expect(names(changed({ part: firstSheetPart, kind: 'order', before: undefined }))).toEqual([
    '一月 收入',
    '三月',
    '汇总',
  ])
  const unseen = changed({ part: second, kind: 'show', is: false })
  expect(names(unseen)).toEqual(['汇总', '三月'])
  expect(openWorkbook(unseen).hidden.map(({ name }) => name)).toEqual(['一月 收入'])
  expect(partsOf(unseen)[second]).not.toContain('tabSelected')
  expect(names(applyStructure(unseen, { part: second, kind: 'show', is: true }))).toEqual(['汇总', '一月 收入', '三月'])
  const tinted = changed({ part: third, kind: 'tint', color: '2F7D32' })
  expect(openWorkbook(tinted).sheets.map(({ color }) => color)).toEqual([undefined, undefined, '#2f7d32'])
  expect(partsOf(applyStructure(tinted, { part: third, kind: 'tint', color: '' }))[third]).not.toContain('tabColor')
})

it.each([
  [
    'SUM(一月:三月!A1)+\'一月\'!B2+一月!税率+"一月!A1"',
    'SUM(甲:三月!A1)+甲!B2+甲!税率+"一月!A1"',
    'SUM(二月:三月!A1)+#REF!+#REF!+"一月!A1"',
  ],
  ["[1]一月!A1+'[2]一月'!A1+表[一月]+#REF!+一月*2", "[1]一月!A1+'[2]一月'!A1+表[一月]+#REF!+一月*2", undefined],
  [
    'SUM(三月:一月!A1:B2,一月!A:B,一月!$1:$2)',
    'SUM(三月:甲!A1:B2,甲!A:B,甲!$1:$2)',
    'SUM(三月:二月!A1:B2,#REF!,#REF!)',
  ],
] as const)('[R171] %s says a sheet that is called otherwise, or gone', (formula, renamed, gone) => {
  expect(renamedFormula(formula, '一月', '甲')).toBe(renamed)
  expect(formulaWithoutSheet(formula, '一月', ['一月', '二月', '三月'])).toBe(gone ?? formula)
})

it('[R171] names that sheets cannot have are known, and those that would be read as something else are quoted', () => {
  expect(['', 'a'.repeat(32), 'a/b', "'a", 'HISTORY', '汇总', '好'].map((name) => nameFault(name, ['汇总']))).toEqual([
    'empty',
    'long',
    'letters',
    'letters',
    'taken',
    'taken',
    undefined,
  ])
  expect(['汇总', 'A1', 'R1C1', 'TRUE', '2024', 'a b', 'Sheet1'].map(quotedName)).toEqual([
    '汇总',
    "'A1'",
    "'R1C1'",
    "'TRUE'",
    "'2024'",
    "'a b'",
    'Sheet1',
  ])
})

// [R185] The last visible sheet cannot be removed, nor sheets of a protected workbook, one with macros or one that is
// being co-edited; the reason is shown.
it('[R185] the last sheet in sight stays, and sheets of a workbook that is locked, has macros or other writers', () => {
  const kept = (change: StructureOperation, more: Parameters<typeof workbookFixture>[0] = {}): string => {
    try {
      applyStructure(workbookFixture(more), change)
    } catch (error) {
      if (error instanceof StructureRefused) return error.why
    }
    return ''
  }
  const add: StructureOperation = { part: firstSheetPart, kind: 'add', name: 'x' }
  expect(kept({ part: firstSheetPart, kind: 'remove' })).toBe('lastSheet')
  expect(kept({ part: firstSheetPart, kind: 'show', is: false })).toBe('lastSheet')
  expect(kept({ part: second, kind: 'remove' }, { 'xl/vbaProject.bin': new Uint8Array(1) })).toBe('macros')
  expect(kept({ ...add, name: '藏' })).toBe('name')
  const locked = partsOf(workbookFixture())['xl/workbook.xml']?.replace(
    '<sheets>',
    '<workbookProtection lockStructure="1"/><sheets>',
  )
  expect(kept(add, { 'xl/workbook.xml': strToU8(locked ?? '') })).toBe('structure')
})
