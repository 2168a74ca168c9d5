// Editing a workbook: typed values are in the file, and everything else stays byte-identical.
import { strFromU8, strToU8, unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { firstSheetPart, relations, sheet1, workbookFixture } from '../../test/workbook-fixture.ts'
import { NotEditable, openPackage } from '../package/package.ts'
import { readTyped, refOf, relocatedFormula, typedOf } from './cells.ts'
import { openWorkbook, type Workbook } from './workbook.ts'
import { withSheetDraft } from './workbook-history.ts'

const workbook = workbookFixture
const part = firstSheetPart

const typeAt = (book: Workbook, ref: string, text: string) => {
  const [, letters = '', digits = ''] = /^([A-Z]+)(\d+)$/.exec(ref) ?? []
  return book.type(part, [{ row: Number(digits) - 1, column: letters.charCodeAt(0) - 65, text }])
}
const shownOf = (book: Workbook, row: number, column: number) => book.shown(part, row, column).text

// [R171] Workbooks: cells are typed into and saved, with the rest of the file unchanged.
it('[R171] typed values stand in the cells of the file; every other part and every other cell is byte for byte the same', () => {
  const bytes = workbook()
  const book = openWorkbook(bytes)
  expect(book.sheets.map(({ name }) => name)).toEqual(['汇总'])
  expect([shownOf(book, 0, 0), shownOf(book, 0, 1), shownOf(book, 0, 2)]).toEqual(['区域', '25%', '2026/11/26'])
  expect(book.bytes()).toBe(bytes)
  typeAt(book, 'D3', '改过 <&>')
  typeAt(book, 'C2', '5')
  typeAt(book, 'D9', '新')
  const made = book.bytes()
  const [before, after] = [unzipSync(bytes), unzipSync(made)]
  const changed = Object.keys(before).filter(
    (name) => !Buffer.from(before[name] ?? []).equals(after[name] ?? new Uint8Array()),
  )
  expect(changed).toEqual(['xl/workbook.xml', part])
  expect(strFromU8(after[part] ?? new Uint8Array())).toBe(
    sheet1
      .replace(
        '<v>6</v></c></row>',
        '<v>6</v></c><c r="D3" t="inlineStr"><is><t xml:space="preserve">改过 &lt;&amp;&gt;</t></is></c></row>',
      )
      .replace('<v>4</v></c></row><row r="3">', '<v>4</v></c><c r="C2"><v>5</v></c></row><row r="3">')
      .replace(
        '</row></sheetData>',
        '</row><row r="9"><c r="D9" t="inlineStr"><is><t xml:space="preserve">新</t></is></c></row></sheetData>',
      )
      .replace('ref="A1:C4"', 'ref="A1:D9"'),
  )
  // The compressed bytes of unchanged parts are identical, too.
  const again = openPackage(made)
  expect(again.names).toEqual(openPackage(bytes).names)
  expect(strFromU8(after['xl/workbook.xml'] ?? new Uint8Array())).toContain(
    '</sheets><calcPr fullCalcOnLoad="1"/></workbook>',
  )
  expect(shownOf(openWorkbook(made), 2, 3)).toBe('改过 <&>')
})

it('a formula that is replaced leaves those who share it theirs, and the order of computing is made anew', () => {
  const book = openWorkbook(workbook())
  expect(book.typed(part, 3, 1)).toBe('=A4*$A$2')
  typeAt(book, 'B2', '=SUM(A2:A4)')
  const after = unzipSync(book.bytes())
  const xml = strFromU8(after[part] ?? new Uint8Array())
  expect(xml).toContain('<c r="B2"><f>SUM(A2:A4)</f><v>9</v></c>')
  expect(xml).toContain('<c r="B3"><f>A3*$A$2</f><v>6</v></c>')
  expect(xml).toContain('<c r="B4"><f>A4*$A$2</f><v>8</v></c>')
  expect(after['xl/calcChain.xml']).toBeUndefined()
  expect(strFromU8(after['[Content_Types].xml'] ?? new Uint8Array())).not.toContain('calcChain')
  expect(strFromU8(after['xl/_rels/workbook.xml.rels'] ?? new Uint8Array())).not.toContain('calcChain')
})

it('what is typed takes on a format where it needs one, and a cell that is emptied keeps its own', () => {
  const book = openWorkbook(workbook())
  typeAt(book, 'A2', '2026-11-27')
  typeAt(book, 'B1', '30')
  typeAt(book, 'C1', '')
  expect([shownOf(book, 1, 0), shownOf(book, 0, 1), shownOf(book, 0, 2)]).toEqual(['2026/11/27', '30%', ''])
  const after = unzipSync(book.bytes())
  const xml = strFromU8(after[part] ?? new Uint8Array())
  expect(xml).toContain('<c r="A2" s="3"><v>46353</v></c>')
  expect(xml).toContain('<c r="B1" s="1"><v>0.3</v></c><c r="C1" s="2"/>')
  expect(strFromU8(after['xl/styles.xml'] ?? new Uint8Array())).toContain(
    '<cellXfs count="4"><xf numFmtId="0" fontId="0"/><xf numFmtId="9" fontId="0"/><xf numFmtId="14" fontId="0"/><xf fontId="0" numFmtId="14" applyNumberFormat="1"/></cellXfs>',
  )
})

// [R185] Workbooks: content that stays unchanged has a reason shown.
it('[R185] cells of formulas over several cells, names of tables and protected sheets are left, and say why', () => {
  const book = openWorkbook(
    workbook({
      'xl/worksheets/_rels/sheet1.xml.rels': strToU8(relations(['rId1', 'table', '../tables/table1.xml'])),
      'xl/tables/table1.xml': strToU8('<table ref="A1:B4" id="1"></table>'),
    }),
  )
  expect([typeAt(book, 'A8', '1'), typeAt(book, 'B1', '1'), typeAt(book, 'B2', '1')]).toEqual([
    'array',
    'table',
    undefined,
  ])
  const locked = openWorkbook(
    workbook({ [part]: strToU8(sheet1.replace('</sheetData>', '</sheetData><sheetProtection sheet="1"/>')) }),
  )
  expect([typeAt(locked, 'A2', '1'), locked.draft()]).toEqual(['protected', ''])
})

it('undone and done again; a draft holds what was written, also on top of what was handed in before', () => {
  const bytes = workbook()
  const book = openWorkbook(bytes)
  typeAt(book, 'A2', '7')
  typeAt(book, 'A3', '8')
  const handedIn = book.bytes()
  expect(book.undo()).toEqual({ part, row: 2, column: 0 })
  expect(shownOf(book, 2, 0)).toBe('3')
  const draft = book.draft()
  expect(shownOf(openWorkbook(withSheetDraft(handedIn, draft)), 2, 0)).toBe('3')
  book.undo()
  // Byte-identical: there is no difference left.
  expect(book.bytes()).toBe(bytes)
  book.redo()
  expect([shownOf(book, 1, 0), shownOf(book, 2, 0)]).toEqual(['7', '3'])
})

it('what cannot be patched is refused before anybody types: locked, broken off, of another kind, unfolding too far', () => {
  const reason = (bytes: Uint8Array): string => {
    try {
      openWorkbook(bytes).sheet(part)
      return 'opened'
    } catch (error) {
      if (error instanceof NotEditable) return error.reason
      throw error
    }
  }
  const bytes = workbook()
  expect(reason(new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]))).toBe('encrypted')
  expect(reason(bytes.slice(0, -30))).toBe('broken')
  expect(reason(workbook({ 'xl/workbook.xml': strToU8('<document/>') }))).toBe('kind')
  expect(reason(workbook({ [part]: strToU8(sheet1.replace('</row>', '')) }))).toBe('broken')
  expect(reason(workbook({ [part]: strToU8(`<!DOCTYPE a [<!ENTITY b "c">]>${sheet1}`) }))).toBe('broken')
  const damaged = bytes.slice()
  const at = Buffer.from(damaged).indexOf('xl/styles.xml') + 20
  damaged[at] = (damaged[at] ?? 0) ^ 0xff
  expect(reason(damaged)).toBe('broken')
  const large = bytes.slice()
  const directory = Buffer.from(large).lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  new DataView(large.buffer).setUint32(directory + 24, 0x7fffffff, true)
  expect(reason(large)).toBe('tooLarge')
})

it.each([
  ['12', 'General', { kind: 'number', value: 12 }, undefined],
  ['1,234.5', 'General', { kind: 'number', value: 1234.5 }, 4],
  ['7', '0%', { kind: 'number', value: 0.07 }, undefined],
  ['7%', '0.00%', { kind: 'number', value: 0.07 }, undefined],
  ['2026年11月26日', 'General', { kind: 'number', value: 46352 }, 14],
  ['2026-11-26', 'yyyy"年"m"月"', { kind: 'number', value: 46352 }, undefined],
  ['true', 'General', { kind: 'boolean', value: true }, undefined],
  ['007', 'General', { kind: 'text', value: '007' }, undefined],
  ['110101199003074514', 'General', { kind: 'text', value: '110101199003074514' }, undefined],
  ['12', '@', { kind: 'text', value: '12' }, undefined],
  ["'=1", 'General', { kind: 'text', value: '=1' }, undefined],
  ['合同', 'General', { kind: 'text', value: '合同' }, undefined],
])('%s typed into a cell of %s', (text, code, content, format) => {
  const read = readTyped(text, code)
  expect([read.content, read.format]).toEqual([content, format])
  // The text in the edit field parses to the same value.
  expect(readTyped(typedOf(read.content, code), code).content).toEqual(content)
})

it('formulas move with their cells', () => {
  expect(relocatedFormula('A1+$B$2+C$3+SUM(Z9:AA10)&"A1"', 1, 1)).toBe('B2+$B$2+D$3+SUM(AA10:AB11)&"A1"')
  expect(relocatedFormula("'Q1'!A1*LOG10(B2)+Sheet2!C3", 2, 0)).toBe("'Q1'!A3*LOG10(B4)+Sheet2!C5")
  expect(relocatedFormula('SUM(A:$B)', 3, 1)).toBe('SUM(B:$B)')
  expect(relocatedFormula('A1', -1, 0)).toBe('#REF!')
  expect(refOf(1_048_575, 16_383)).toBe('XFD1048576')
})

// [R171] Workbooks: formulas depending on a typed cell are computed in the page.
it('[R171] what depends on a cell is computed at once, stands in the file, and is left to others where it is beyond the page', () => {
  const formulas = sheet1.replace(
    '</row></sheetData>',
    `</row><row r="10">${[
      'SUM(A2:A4)',
      'A10*2',
      'IF(B10&gt;20,"多","少")',
      'VLOOKUP(3,A2:B4,2,FALSE)',
      'CELL("address",A2)',
      'E10&amp;"!"',
      'SUMIF(A2:A4,"&gt;2",B2:B4)',
    ]
      .map((formula, n) => `<c r="${refOf(9, n)}"><f>${formula}</f><v>0</v></c>`)
      .join('')}</row></sheetData>`,
  )
  const book = openWorkbook(workbook({ [part]: strToU8(formulas) }))
  typeAt(book, 'A2', '10')
  expect([0, 1, 2, 3, 6].map((column) => shownOf(book, 9, column))).toEqual(['17', '34', '多', '30', '170'])
  const xml = (bytes: Uint8Array): string => strFromU8(unzipSync(bytes)[part] ?? new Uint8Array())
  const made = xml(book.bytes())
  expect(made).toContain('<c r="A10"><f>SUM(A2:A4)</f><v>17</v></c><c r="B10"><f>A10*2</f><v>34</v></c>')
  expect(made).toContain('<c r="C10" t="str"><f>IF(B10&gt;20,"多","少")</f><v>多</v></c>')
  // Cached values that are no longer valid are removed.
  expect(made).toContain('<c r="E10"><f>CELL("address",A2)</f></c><c r="F10"><f>E10&amp;"!"</f></c>')
  // The shared formula stays in its cell.
  expect(made).toContain('<f t="shared" ref="B2:B4" si="0">A2*$A$2</f><v>100</v>')
  expect(made).toContain('<f t="shared" si="0"/><v>40</v>')
  // A circular reference has no value; after undo everything is as before.
  typeAt(book, 'A2', '=B10')
  expect(shownOf(book, 9, 1)).toBe('=A10*2')
  book.undo()
  book.undo()
  expect(xml(book.bytes())).toBe(formulas)
})
