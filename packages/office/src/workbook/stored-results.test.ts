// The results that a save stores beside formulas: those of Excel, or none.
import { strFromU8, strToU8, unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { firstSheetPart as part, workbookFixture } from '../../test/workbook-fixture.ts'
import { workbookAfter } from './sheet-rebase.ts'
import { openWorkbook } from './workbook.ts'

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const words = (ref: string, text: string): string => `<c r="${ref}" t="inlineStr"><is><t>${text}</t></is></c>`
const number = (ref: string, value: number): string => `<c r="${ref}"><v>${value}</v></c>`

/** A column of amounts, texts, days and marks, as rows of cells from column D on. */
const cells = [
  `${number('D1', -2)}${words('E1', 'x')}${number('F1', 5)}${number('G1', 44_927)}${words('H1', '1,234')}${words('I1', 'k')}<c r="K1" t="b"><v>1</v></c>`,
  `${number('D2', -3)}${words('E2', 'x')}${words('F2', '5')}${number('G2', 45_292)}${words('H2', '2024/3/5')}${words('K2', '备注')}`,
  `${number('D3', -9)}${words('E3', 'y')}${words('F3', 'a')}${number('G3', 45_356)}<c r="K3" t="b"><v>1</v></c>`,
]

/** The results stored for formulas in column B after A1 was typed; undefined where none is stored. */
function storedAfterTyping(formulas: readonly string[], properties = ''): (string | undefined)[] {
  const rows = formulas.map(
    (formula, row) =>
      `<row r="${row + 1}">${row === 0 ? number('A1', 1) : ''}<c r="B${row + 1}"><f>${escaped(formula)}</f><v>99</v></c>${cells[row] ?? ''}</row>`,
  )
  const files = unzipSync(workbookFixture())
  const book = openWorkbook(
    workbookFixture({
      [part]: strToU8(`<worksheet xmlns="${main}"><sheetData>${rows.join('')}</sheetData></worksheet>`),
      'xl/workbook.xml': strToU8(
        strFromU8(files['xl/workbook.xml'] ?? new Uint8Array()).replace('<sheets>', `${properties}<sheets>`),
      ),
    }),
  )
  book.type(part, [{ row: 0, column: 0, text: '10' }])
  const saved = unzipSync(book.bytes())
  expect(strFromU8(saved['xl/workbook.xml'] ?? new Uint8Array())).toContain('fullCalcOnLoad="1"')
  const xml = strFromU8(saved[part] ?? new Uint8Array())
  return formulas.map((_, row) => {
    const cell = new RegExp(`<c r="B${row + 1}"[^>]*>(.*?)</c>`).exec(xml)?.[1] ?? ''
    expect(cell).toContain('<f>')
    return /<v>(.*?)<\/v>/.exec(cell)?.[1]
  })
}

// [R171] A save stores the results that Excel computes, also for empty ranges, negative maxima, texts of numbers and days,
// and criteria.
it('[R171] what a save stores for a formula is what Excel computes', () => {
  const expected: readonly (readonly [formula: string, result: string])[] = [
    ['_xlfn.MAXIFS(D1:D3,E1:E3,"x")+0*A1', '-2'],
    ['_xlfn.MINIFS(D1:D3,E1:E3,"zz")+0*A1', '0'],
    ['MIN(Z1:Z9)+0*A1', '0'],
    ['MAX(Z1:Z9)+0*A1', '0'],
    ['PRODUCT(Z1:Z9)+0*A1', '0'],
    ['COUNTIF(F1:F3,5)+0*A1', '2'],
    ['COUNTIF(G1:G3,">=2024/1/1")+0*A1', '2'],
    ['SUMIFS(G1:G3,G1:G3,"<2024-01-01")+0*A1', '44927'],
    ['SUMIF(E1:E3,"x",D1)+0*A1', '-5'],
    ['COUNTBLANK(D1:D200)+0*A1', '197'],
    ['COUNTIF(D1:D200,"")+0*A1', '197'],
    ['H1+1+0*A1', '1235'],
    ['H2+1+0*A1', '45357'],
    ['VALUE("50%")+0*A1', '0.5'],
    ['TEXT("abc","0")&LEFT("",A1*0)', 'abc'],
    ['HLOOKUP("k",I1:J2,2,FALSE)+0*A1', '0'],
    ['IF(AND(K1:K3),1,2)+0*A1', '1'],
    ['LEN(TRIM("　a"))+0*A1', '2'],
    ['(1E21+0*A1)&""', '1E+21'],
    ['(0.0000001+0*A1)&""', '0.0000001'],
    ['DATE(1900,1,1)+0*A1', '1'],
    ['IF(0.1+0.2=0.3,A1,0)', '10'],
  ]
  const stored = storedAfterTyping(expected.map(([formula]) => formula))
  expect(expected.map(([formula], n) => [formula, stored[n]])).toEqual(expected)
})

// [R171] No result is stored for a formula that the page cannot compute exactly, or whose result may have changed.
it('[R171] what the page cannot compute exactly has no result in the file', () => {
  const formulas = [
    'TEXT(1234+0*A1,"[DBNum2][$-804]General")',
    'INDIRECT("A"&1)',
    'OFFSET(D1,0,-3)',
    'IF(E1<"张",A1,0)',
    'MATCH(A1,D1:D3)',
    'YEAR(A1)',
    'VALUE("3月5日")+A1',
    '[1]Sheet1!A1+A1',
    'FILTER(D1:D3,D1:D3<A1)',
  ]
  expect(storedAfterTyping(formulas)).toEqual(formulas.map(() => undefined))
  // A reference to another workbook alone cannot have changed.
  expect(storedAfterTyping(['[1]Sheet1!$A$1', "'[2]表 1'!A1:B2", 'A1'])).toEqual(['99', '99', '10'])
  // Days are counted from 1904 in some workbooks.
  expect(storedAfterTyping(['YEAR(G1+A1)', 'A1+1'], '<workbookPr date1904="1"/>')).toEqual([undefined, '11'])
})

it('the results of a formula over several cells are removed from all of them when a cell changes that it reads', () => {
  const xml = `<worksheet xmlns="${main}"><sheetData><row r="1"><c r="A1"><v>1</v></c><c r="B1"><f t="array" ref="B1:B2">A1:A2*2</f><v>2</v></c><c r="C1"><f>B2+1</f><v>5</v></c><c r="D1"><v>1</v></c></row><row r="2"><c r="A2"><v>2</v></c><c r="B2"><v>4</v></c></row></sheetData></worksheet>`
  const book = openWorkbook(workbookFixture({ [part]: strToU8(xml) }))
  book.type(part, [{ row: 0, column: 3, text: '7' }])
  const unaffected = strFromU8(unzipSync(book.bytes())[part] ?? new Uint8Array())
  expect(unaffected).toContain('<v>2</v></c><c r="C1"><f>B2+1</f><v>5</v></c>')
  book.type(part, [{ row: 0, column: 0, text: '8' }])
  const saved = strFromU8(unzipSync(book.bytes())[part] ?? new Uint8Array())
  expect(saved).toContain('<f t="array" ref="B1:B2">A1:A2*2</f></c><c r="C1"><f>B2+1</f></c>')
  expect(saved).not.toContain('<v>4</v>')
})

it('rows that are removed remove the results that the page does not compute, and compute the others anew', () => {
  const xml = `<worksheet xmlns="${main}"><sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c r="A2"><v>2</v></c></row><row r="3"><c r="A3"><f>SUBTOTAL(9,A1:A2)</f><v>3</v></c><c r="B3"><f>SUM(A1:A2)</f><v>3</v></c></row></sheetData></worksheet>`
  const book = workbookAfter(workbookFixture({ [part]: strToU8(xml) }), {
    kind: 'move',
    part,
    move: { axis: 'rows', at: 1, by: -1 },
  })
  const saved = strFromU8(unzipSync(book.bytes())[part] ?? new Uint8Array())
  expect(saved).toContain('<f>SUBTOTAL(9,A1:A1)</f></c><c r="B2"><f>SUM(A1:A1)</f><v>1</v>')
})

it('formatting a cell of a workbook leaves the results that read it', () => {
  const xml = `<worksheet xmlns="${main}"><sheetData><row r="1"><c r="A1"><v>1</v></c><c r="B1"><f>INDIRECT("A1")</f><v>1</v></c></row></sheetData></worksheet>`
  const book = openWorkbook(workbookFixture({ [part]: strToU8(xml) }))
  book.look(part, { top: 0, left: 0, bottom: 0, right: 0 }, { look: { bold: true } })
  expect(strFromU8(unzipSync(book.bytes())[part] ?? new Uint8Array())).toContain('<f>INDIRECT("A1")</f><v>1</v>')
})

it('a workbook of more formulas than are followed keeps no result that may have changed', () => {
  const rows = Array.from(
    { length: 100_001 },
    (_, row) => `<row r="${row + 1}"><c r="A${row + 1}"><v>1</v></c><c r="B${row + 1}"><f>A1</f><v>1</v></c></row>`,
  )
  const book = openWorkbook(
    workbookFixture({
      [part]: strToU8(`<worksheet xmlns="${main}"><sheetData>${rows.join('')}</sheetData></worksheet>`),
    }),
  )
  book.type(part, [{ row: 0, column: 0, text: '7' }])
  const saved = strFromU8(unzipSync(book.bytes())[part] ?? new Uint8Array())
  expect(saved).not.toMatch(/<\/f><v>/)
})
