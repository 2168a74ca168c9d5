// The supported formulas: their results, and what is left to other programs.
import { expect, it } from 'vitest'
import { compute, parseFormula } from './formula.ts'
import { CellError, UnsupportedFormula, type Value } from './formula-values.ts'

const table: Value[][] = [
  ['张三', 10, 46_352, true],
  ['李四', 20, 46_383, false],
  ['张五', 30, undefined, undefined],
  ['王六', new CellError('#DIV/0!'), '12', ''],
]
const come = (text: string): Value => {
  try {
    return compute(parseFormula(text), {
      cell: (sheet, row, column) => (sheet === undefined || sheet === '别的 表' ? table[row]?.[column] : undefined),
      name: (name) => (name === '额' ? parseFormula('B1:B3') : undefined),
      rows: () => 4,
    })
  } catch (error) {
    if (error instanceof UnsupportedFormula) return 'beyond'
    throw error
  }
}

it.each<[string, Value]>([
  ['1+2*3^2', 19],
  ['-2^2', 4],
  ['(1+2)*3%', 0.09],
  ['0.1+0.2-0.3', 0],
  ['"a"&1&TRUE', 'a1TRUE'],
  ['"a"="A"', true],
  ['"10"+5', 15],
  ['"x"+5', new CellError('#VALUE!')],
  ['1/0', new CellError('#DIV/0!')],
  ['SUM(B1:B3,5)', 65],
  ['SUM(额)', 60],
  ["SUM('别的 表'!B1:B2)", 30],
  ['SUM(C:C)', 92_735],
  ['VLOOKUP("李四",A:B,2,FALSE)', 20],
  ['SUM(B1:B4)', new CellError('#DIV/0!')],
  ['IFERROR(SUM(B1:B4),0)', 0],
  ['AVERAGE(B1:B3)', 20],
  ['COUNT(A1:D4)', 5],
  ['COUNTA(A1:A4)', 4],
  ['SUMIF(A1:A3,"张*",B1:B3)', 40],
  ['SUMIFS(B1:B3,A1:A3,"张*",B1:B3,">10")', 30],
  ['COUNTIF(B1:B3,">=20")', 2],
  ['COUNTIF(A1:A3,"<>李四")', 2],
  ['ROUND(2.5,0)+ROUND(-2.5,0)', 0],
  ['ROUND(1.005,2)', 1.01],
  ['ROUNDUP(1.21,1)', 1.3],
  ['MOD(-3,2)', 1],
  ['IF(B1>5,"多","少")', '多'],
  ['IF(D2,1)', false],
  ['IF(1,1/0,2)', new CellError('#DIV/0!')],
  ['IF(0,1/0,2)', 2],
  ['AND(D1,B1=10)', true],
  ['INDEX(A1:B3,2,1)', '李四'],
  ['MATCH(20,B1:B3,0)', 2],
  ['VLOOKUP("李四",A1:B3,2,FALSE)', 20],
  ['VLOOKUP("没有",A1:B3,2,FALSE)', new CellError('#N/A')],
  ['VLOOKUP(25,B1:C3,1)', 20],
  ['LEFT("合同编号",2)&MID("abc",2,1)&RIGHT("xyz")', '合同bz'],
  ['TEXT(C1,"yyyy-mm-dd")', '2026-11-26'],
  ['YEAR(C1)*100+MONTH(C1)', 202_611],
  ['DATE(2026,12,27)=C2', true],
  ['EDATE(DATE(2026,1,31),1)=DATE(2026,2,28)', true],
  ['WEEKDAY(C1,2)', 4],
  ['RANK(20,B1:B3)', 2],
  ['MEDIAN(B1:B3)', 20],
  ['SUMPRODUCT(B1:B2,B1:B2)', 500],
  ['C3', 0],
  ['A1:A3', 'beyond'],
  ['A1:A3&"x"', 'beyond'],
  ['NOW()', 'beyond'],
  ['没有的名字', 'beyond'],
  ['Table1[金额]', 'beyond'],
  ['[1]Sheet1!A1', 'beyond'],
  ['SUM(', 'beyond'],
])('%s comes to %s', (text, value) => {
  expect(come(text)).toEqual(value)
})
