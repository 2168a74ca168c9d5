/*
 * Edge cases of all functions of the formula evaluator, for tests: a sheet of unusual values and the formulas over it.
 * `test/formula-answers.txt` has the answers of LibreOffice.
 */
import { strToU8, zipSync } from 'fflate'
import { refOf } from '../src/workbook/cells.ts'
import { CellError, type Value } from '../src/workbook/formula-values.ts'

const [divided, missing] = [new CellError('#DIV/0!'), new CellError('#N/A')]

/** The cells by column: numbers, texts, days, booleans, errors, sorted numbers, sorted texts, and nothing. */
const columns: readonly (readonly Value[])[] = [
  [-2, -3, -9, 0, 2.5, 1e10, 0.1, 7, undefined, 5, 5, 3],
  ['x', 'x', 'y', '', '张三', '张五', '5', '1,234', 'abc', '2024/3/5', '50%', ' a  b '],
  [44_927, 45_292, 45_356, 45_351, 61, 45_657, undefined, 73_000, 45_356.75],
  [true, false, '备注', true, undefined, 'TRUE'],
  [divided, missing, 1, 2],
  [1, 3, 3, 5, 7, 9],
  ['apple', 'banana', 'cherry'],
]

/** The value of a cell of the sheet, counted from 0. */
export const caseCell = (row: number, column: number): Value => columns[column]?.[row]
/** The number of used rows of the sheet. */
export const caseRows = 12

const scalars = [
  ...['0', '1', '-1', '2.5', '-2.5', '0.1', '1E+10', '1234567.891', '1/3', '45356', '45291.75', '61', 'TRUE', 'FALSE'],
  ...['"5"', '"1,234"', '"abc"', '""', '"50%"', '"2024/3/5"', '" 7 "', '"-3"', '"1e3"', '"合同编号"', '" a  b "'],
  ...['A1', 'A9', 'B1', 'B4', 'B7', 'B8', 'B10', 'C3', 'D1', 'D3', 'E1', 'E2'],
]
const seconds = ['0', '1', '-1', '2', '3', '0.5', '-2.5', '"2"', '"abc"', 'A9', 'TRUE', 'E1']
const firsts = [
  '0',
  '1',
  '-1',
  '2.5',
  '-2.675',
  '1.005',
  '1234.5678',
  '5E-10',
  '45351',
  '"5"',
  '"abc"',
  'A9',
  'A8',
  'E2',
]
const ranges = [
  ...['A1:A12', 'B1:B12', 'C1:C9', 'D1:D6', 'D3', 'E3:E4', 'E1:E4', 'F1:F6', 'G1:G3', 'H1:H9', 'H1', 'A1', 'A1:D12'],
  ...['A1:A500', 'A:A', 'D3:D3', 'A1:A3,F1:F3', 'A1:A3,"5"', 'A1:A3,TRUE', 'A1:A3,"abc"', '1,2,4', '"5",TRUE', 'H1,H2'],
]
const criteria = [
  ...[
    '5',
    '"5"',
    '">=5"',
    '"<0"',
    '"<>5"',
    '"x"',
    '"X"',
    '"<>x"',
    '"张*"',
    '"?"',
    '"*"',
    '""',
    '"="',
    '"<>"',
    '0',
    '"0"',
  ],
  ...[
    '">=2024/1/1"',
    '"<2024-01-01"',
    '"2024/3/5"',
    '">a"',
    '"<=banana"',
    '"TRUE"',
    'TRUE',
    'FALSE',
    'A9',
    'B1',
    'A10',
  ],
  ...['"50%"', '"1,234"', '"=x"', '"a*c"', '"~*"', '">0.05"', '"*三"', '" a*"'],
]
const tested = ['A1:A12', 'B1:B12', 'C1:C9', 'D1:D6', 'F1:F6', 'G1:G3', 'A1:A200', 'H1:H5']
const texts = ['"abc"', '"合同编号"', '" a  b "', '""', '12.5', 'TRUE', 'B5', 'A9', 'E1', '"a-b-a"', '1/3', '1E+21']
const sought = ['5', '3', '4', '0', '10', '"x"', '"张*"', '"banana"', '"blue"', '"zz"', 'TRUE', 'A9', '"5"', '"?"']

const each = (all: readonly string[], of: (one: string) => string): string[] => all.map(of)
const pairs = (one: readonly string[], other: readonly string[], of: (a: string, b: string) => string): string[] =>
  one.flatMap((a) => other.map((b) => of(a, b)))

const unary = (name: string): string[] => each(scalars, (one) => `${name.trim()}(${one})`)
const binary = (name: string): string[] => pairs(firsts, seconds, (a, b) => `${name}(${a},${b})`)
const overRanges = (name: string): string[] => each(ranges, (one) => `${name.trim()}(${one})`)
const conditional = (name: string): string[] => [
  ...pairs(tested, criteria, (of, wanted) => `${name}(${of},${wanted})`),
  ...(name === 'COUNTIF' ? [] : each(criteria, (wanted) => `${name}(B1:B12,${wanted},A1)`)),
  ...(name === 'COUNTIF' ? [] : each(criteria, (wanted) => `${name}(A1:A12,${wanted},C1:C12)`)),
]
const conditionals = (name: string): string[] => [
  ...pairs(['B1:B12', 'A1:A12', 'C1:C12', 'D1:D12'], criteria, (of, wanted) => `${name}(A1:A12,${of},${wanted})`),
  ...each(criteria, (wanted) => `${name}(A1:A12,B1:B12,${wanted},A1:A12,"<0")`),
  `${name}(A1:A12,B1:B11,"x")`,
]

const of = (names: readonly string[], cases: (name: string) => string[]): [string, string[]][] =>
  names.map((name) => [name, cases(name)])

/** The formulas by function or group of operators. */
export const formulaCases: ReadonlyMap<string, readonly string[]> = new Map<string, string[]>([
  ['+', pairs(scalars, ['1', '"2"', 'A9', '-0.1'], (a, b) => `${a}+${b}`)],
  ['-', [...each(scalars, (one) => `-${one}`), '0.1+0.2-0.3', '1.1-1', '-2^2', '2^-1', '2^3^2', '1-0.9-0.1']],
  ['*', pairs(scalars, ['10', '"12"', '50%'], (a, b) => `${a}*${b}`)],
  ['/', pairs(scalars, ['3', '0', 'A9'], (a, b) => `${a}/${b}`)],
  ['^', pairs(['0', '2', '-8', '0.5', '"2"', 'A9'], ['0', '2', '-1', '0.5', '1/3', 'A9'], (a, b) => `(${a})^(${b})`)],
  ['&', each(scalars, (one) => `(${one})&"|"`)],
  ['=', pairs(scalars, ['5', '"ABC"', 'A9', 'TRUE', '""'], (a, b) => `(${a})=(${b})`)],
  ['<', pairs(scalars, ['5', '"b"', 'A9', 'TRUE', '""'], (a, b) => `(${a})<(${b})`)],
  ...of(['ABS', 'SIGN', 'SQRT', 'INT', 'EXP', 'LN', 'LOG10', 'TRUNC', 'NOT', 'VALUE', 'YEAR', 'MONTH', 'DAY'], unary),
  ...of(['WEEKDAY', 'LEN', 'TRIM', 'UPPER', 'LOWER', 'LEFT', 'RIGHT'], unary),
  ...of(['ISBLANK', 'ISNUMBER', 'ISTEXT', 'ISERROR', 'CONCATENATE', 'AND', 'OR', 'COUNT', 'COUNTA', 'SUM'], unary),
  ...of(['ROUND', 'ROUNDUP', 'ROUNDDOWN', 'MOD', 'POWER', 'DAYS', 'EDATE', 'EOMONTH'], binary),
  ...of(
    ['SUM ', 'PRODUCT', 'AVERAGE', 'MIN', 'MAX', 'COUNT ', 'COUNTA ', 'COUNTBLANK', 'MEDIAN', 'SUMPRODUCT'],
    overRanges,
  ),
  ...of(['AND ', 'OR ', 'CONCAT'], overRanges),
  ...of(['COUNTIF', 'SUMIF', 'AVERAGEIF'], conditional),
  ...of(['SUMIFS', 'AVERAGEIFS', 'MAXIFS', 'MINIFS'], conditionals),
  ['COUNTIFS', pairs(tested.slice(0, 2), criteria, (a, wanted) => `COUNTIFS(${a},${wanted},C1:C12,">0")`)],
  ['RANK', pairs(['5', '3', '-9', '0', '"5"', '4', 'A9'], ['A1:A12', 'F1:F6,1', 'F1:F6'], (a, b) => `RANK(${a},${b})`)],
  ['RANK.EQ', each(['5', '3', '4'], (one) => `RANK.EQ(${one},F1:F6)`)],
  ['LARGE', pairs(['A1:A12', 'F1:F6', 'B1:B12', 'H1:H3'], seconds, (a, b) => `LARGE(${a},${b})`)],
  ['SMALL', pairs(['A1:A12', 'F1:F6', 'B1:B12', 'H1:H3'], seconds, (a, b) => `SMALL(${a},${b})`)],
  ['PI', ['PI()']],
  [
    'IF',
    [...each(scalars, (one) => `IF(${one},"y","n")`), 'IF(1,A9)', 'IF(0,1)', 'IF(0,1,)', 'IF(1,,2)', 'IF(1,1/0,2)'],
  ],
  ['IFS', ['IFS(FALSE,1,TRUE,2)', 'IFS(FALSE,1)', 'IFS(A1<0,"neg",TRUE,"pos")', 'IFS(E1,1,TRUE,2)']],
  ['IFERROR', each(scalars, (one) => `IFERROR(${one},"e")`)],
  ['IFNA', each(scalars, (one) => `IFNA(${one},"e")`)],
  ['TEXTJOIN', each(['B1:B12', 'A1:A12', 'D1:D6', 'E1:E4', 'H1:H3'], (one) => `TEXTJOIN("-",TRUE,${one})`)],
  ['TEXTJOIN ', each(['B1:B12', 'A1:A12', 'H1:H3'], (one) => `TEXTJOIN("-",FALSE,${one})`)],
  ['LEFT ', pairs(texts, seconds, (a, b) => `LEFT(${a},${b})`)],
  ['RIGHT ', pairs(texts, seconds, (a, b) => `RIGHT(${a},${b})`)],
  ['MID', pairs(texts, seconds, (a, b) => `MID(${a},${b},2)`)],
  ['MID ', pairs(texts.slice(0, 4), seconds, (a, b) => `MID(${a},2,${b})`)],
  ['REPT', pairs(texts, seconds, (a, b) => `REPT(${a},${b})`)],
  ['SUBSTITUTE', pairs(texts, ['"a"', '""', '1', 'A9'], (a, b) => `SUBSTITUTE(${a},${b},"-")`)],
  ['FIND', pairs(['"a"', '""', '"b"', '2', 'A9', '"编"'], texts, (a, b) => `FIND(${a},${b})`)],
  ['FIND ', pairs(['"a"', '""'], seconds, (a, b) => `FIND(${a},"a-b-a",${b})`)],
  ['EXACT', pairs(['"5"', '"ABC"', '""', '1'], scalars, (a, b) => `EXACT(${a},${b})`)],
  [
    'TEXT',
    pairs(
      ['0', '1234.5678', '-1234.5', '0.125', '2.675', '45356.75', '"abc"', '"5"', 'TRUE', 'A9', 'E1', '-0.4', '1E+10'],
      [
        '0',
        '0.00',
        '#,##0',
        '#,##0.00',
        '0%',
        '0.0%',
        'yyyy-mm-dd',
        'yyyy/m/d',
        'yyyy年m月d日',
        'mm/dd',
        '000',
        '¥#,##0.00',
      ],
      (a, code) => `TEXT(${a},"${code}")`,
    ),
  ],
  [
    'DATE',
    pairs(
      ['2024', '1999', '99', '1900', '-1', '10000', '"2024"'],
      ['1', '2', '13', '0', '-5', '2.9'],
      (y, m) => `DATE(${y},${m},29)`,
    ),
  ],
  ['DATE ', pairs(['1', '12', '14'], ['0', '1', '31', '-40', '400', 'A9'], (m, d) => `DATE(2023,${m},${d})`)],
  ['WEEKDAY ', pairs(['45356', 'C4', '"2024/3/5"'], seconds, (a, b) => `WEEKDAY(${a},${b})`)],
  [
    'MATCH',
    pairs(sought, ['A1:A12', 'B1:B12', 'D1:D6', 'F1:F6', 'G1:G3', 'H1:H3', 'A1:G1'], (a, b) => `MATCH(${a},${b},0)`),
  ],
  ['MATCH ', pairs(sought, ['F1:F6', 'G1:G3'], (a, b) => `MATCH(${a},${b})`)],
  [
    'INDEX',
    pairs(
      ['A1:C3', 'A1:A12', 'A1:C1'],
      ['1,1', '2', '3,2', '2,3', '13', '1,4', '-1,1', '"2",1'],
      (a, b) => `INDEX(${a},${b})`,
    ),
  ],
  [
    'VLOOKUP',
    pairs(
      sought,
      ['B1:D12,1', 'A1:C12,3', 'F1:H6,3', 'G1:I3,2', 'A1:C12,4', 'A1:C12,0'],
      (a, b) => `VLOOKUP(${a},${b},FALSE)`,
    ),
  ],
  ['VLOOKUP ', pairs(sought, ['F1:G6,2', 'G1:H3,1'], (a, b) => `VLOOKUP(${a},${b})`)],
  [
    'HLOOKUP',
    pairs(
      [...sought, '-2', '44927'],
      ['A1:H3,2', 'A1:H3,1', 'A1:G9,9', 'A1:H3,4', 'A1:H3,0'],
      (a, b) => `HLOOKUP(${a},${b},FALSE)`,
    ),
  ],
])

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign)

function cellXml(ref: string, value: Value): string {
  if (value === undefined) return ''
  if (value instanceof CellError)
    return `<c r="${ref}" t="e"><f>${value === missing ? 'NA()' : '1/0'}</f><v>${value.code}</v></c>`
  if (typeof value === 'boolean') return `<c r="${ref}" t="b"><v>${value ? 1 : 0}</v></c>`
  // An empty text is the result of a formula; in a cell of its own it would be left out.
  if (value === '') return `<c r="${ref}" t="str"><f>""</f><v></v></c>`
  return typeof value === 'number'
    ? `<c r="${ref}"><v>${value}</v></c>`
    : `<c r="${ref}" t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const kinds = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
/** The column of the formulas: K. */
const formulaColumn = 10

/** A workbook with the cells and one formula a row in column K. */
export function caseWorkbook(formulas: readonly string[]): Uint8Array {
  const rows = Array.from({ length: Math.max(caseRows, formulas.length) }, (_, row) => {
    const cells = columns.map((_, column) => cellXml(refOf(row, column), caseCell(row, column))).join('')
    const formula = formulas[row]?.replace(/^(MAXIFS|MINIFS|IFS|IFNA|CONCAT|TEXTJOIN|DAYS|RANK\.EQ)(?=\()/, '_xlfn.$1')
    const own = formula === undefined ? '' : `<c r="${refOf(row, formulaColumn)}"><f>${escaped(formula)}</f></c>`
    return `<row r="${row + 1}">${cells}${own}</row>`
  })
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  return zipSync({
    '[Content_Types].xml': strToU8(
      `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/></Types>`,
    ),
    '_rels/.rels': strToU8(
      `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${kinds}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    'xl/workbook.xml': strToU8(
      `<workbook xmlns="${main}" xmlns:r="${kinds}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${kinds}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    ),
    'xl/worksheets/sheet1.xml': strToU8(
      `<worksheet xmlns="${main}"><sheetData>${rows.join('')}</sheetData></worksheet>`,
    ),
  })
}

/** An answer in the table: a number, a boolean, an error code, or a text behind an apostrophe. */
export type Answer = number | boolean | string

/** The answer for a value, with numbers in 14 digits. */
export function answerOf(value: Value): Answer {
  if (value instanceof CellError) return value.code
  if (typeof value === 'string') return `'${value}`
  return typeof value === 'number' ? Number(value.toPrecision(14)) : (value ?? 0)
}

/** The table as text: one line for each function, with the answers in the order of its formulas. */
export function answersText(answers: ReadonlyMap<string, Answer>): string {
  const lines = [...formulaCases].map(
    ([name, formulas]) => `${JSON.stringify(name)}: ${JSON.stringify(formulas.map((one) => answers.get(one) ?? null))}`,
  )
  return `{\n${lines.join(',\n')}\n}\n`
}
