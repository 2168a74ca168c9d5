// @vitest-environment happy-dom
// What hands do in a grid: fill, point at cells in a formula, copy and paste.
import { relocatedFormula } from '@cloudoc/office/workbook'
import { expect, it } from 'vitest'
import { openTable } from '../table/table-model.ts'
import { copiedFrom, fromHtml, pasted, toHtml } from './clipboard.ts'
import { doubleClickFillArea, dragFillArea, filled, filledFromEdge } from './fill.ts'
import { cycleAbsolute, mayPoint, namedIn, pointedAt } from './formula-pointing.ts'
import { type GridModel, nextWithin } from './grid-model.ts'

const area = (top: number, left: number, bottom = top, right = left) => ({ top, left, bottom, right })
const gridOf = (text: string): GridModel => ({
  ...openTable(text, ','),
  relocated: (typed, rows, columns) =>
    typed.startsWith('=') ? `=${relocatedFormula(typed.slice(1), rows, columns)}` : typed,
})
const textsOf = (entries: readonly { readonly text: string }[]) => entries.map(({ text }) => text)

it.each([
  ['7', '7 7 7'],
  ['1,2', '3 4 5'],
  ['10,7.5', '5 2.5 0'],
  ['2026/2/27', '2026/2/28 2026/3/1 2026/3/2'],
  ['2026-11-02,2026-11-09', '2026/11/16 2026/11/23 2026/11/30'],
  ['周六', '周日 周一 周二'],
  ['十一月,十二月', '一月 二月 三月'],
  ['第 9 周', '第 10 周|第 11 周|第 12 周'],
  ['A-008', 'A-009 A-010 A-011'],
  ['好,坏', '好 坏 好'],
  ['=A1+$B$1', '=A2+$B$1 =A3+$B$1 =A4+$B$1'],
])('[R171] cells that are filled go on: %s', (begun, goesOn) => {
  const texts = begun.split(',')
  const model = gridOf(`${texts.join('\n')}\n`)
  const from = area(0, 0, texts.length - 1)
  const made = textsOf(filled(model, from, { ...from, bottom: from.bottom + 3 }))
  expect(made).toEqual(goesOn.split(goesOn.includes('|') ? '|' : ' '))
})

// [R171] Grid cells are filled by the handle, Ctrl+D and Ctrl+R: numbers, dates, months and text with a number
// continue, formulas shift, formats are copied.
it('[R171] cells are filled in each direction, as far as the handle is drawn or the column beside them goes', () => {
  const model = gridOf('1,a\n2,b\n3,c\n,\n')
  expect(dragFillArea(area(1, 1, 2, 1), 5, 2)).toEqual(area(1, 1, 5, 1))
  expect(dragFillArea(area(1, 1, 2, 1), 2, 0)).toEqual(area(1, 0, 2, 1))
  expect(dragFillArea(area(1, 1, 2, 1), 1, 1)).toEqual(area(1, 1, 2, 1))
  expect(textsOf(filled(model, area(1, 0, 2, 0), area(0, 0, 2, 0)))).toEqual(['1'])
  expect(doubleClickFillArea(model, area(0, 2))).toEqual(area(0, 2, 2))
  expect(doubleClickFillArea(model, area(0, 5))).toEqual(area(0, 5))
  // Ctrl+D and Ctrl+R repeat the first row or column; a single cell is filled from the cell above or to the left.
  expect(textsOf(filledFromEdge(model, area(1, 0, 3, 0), 'down'))).toEqual(['2', '2'])
  expect(filledFromEdge(model, area(1, 1), 'right')).toEqual([
    { row: 1, column: 1, text: '2', like: { row: 1, column: 0 } },
  ])
  expect(filledFromEdge(model, area(0, 0), 'down')).toEqual([])
})

// [R171] Within a selection Enter moves down and Tab moves along, wrapping at its end.
it('[R171] within what is selected Enter goes down, Tab along, and on from the end; what is out of sight is left out', () => {
  const model: GridModel = { ...gridOf('1\n'), heights: new Map([[2, 0]]), merges: [area(3, 0, 3, 1)] }
  const walked = (key: 'Enter' | 'Tab', isBack = false) => {
    const seen = []
    let here = { row: 1, column: 0 }
    for (let n = 0; n < 4; n++) {
      here = nextWithin(model, area(1, 0, 3, 1), here, key, isBack)
      seen.push(`${here.row} ${here.column}`)
    }
    return seen
  }
  expect(walked('Enter')).toEqual(['3 0', '1 1', '1 0', '3 0'])
  expect(walked('Tab')).toEqual(['1 1', '3 0', '1 0', '1 1'])
  expect(walked('Tab', true)).toEqual(['3 0', '1 1', '1 0', '3 0'])
})

it('[R171] cells are pointed at where a formula lacks one; F4 fixes rows and columns', () => {
  expect([mayPoint('=SUM(', 5), mayPoint('=A1+', 4), mayPoint('=SUM()', 5)]).toEqual([true, true, true])
  expect([mayPoint('=A1', 3), mayPoint('SUM(', 4), mayPoint('="("', 4)]).toEqual([false, false, false])
  const first = pointedAt('=SUM()', { from: 5, to: 5 }, { row: 1, column: 2, toRow: 1, toColumn: 2 })
  expect(first.text).toBe('=SUM(C2)')
  const more = pointedAt(first.text, first.pointed, { row: 4, column: 3, toRow: 1, toColumn: 2 })
  expect([more.text, more.pointed.to]).toEqual(['=SUM(C2:D5)', 10])
  expect(namedIn('=SUM(C2:D5)+$A$1*LOG10(A1)+"B9"+二月!C7').map(({ name }) => name)).toEqual(['C2:D5', 'A1'])
  expect(cycleAbsolute('=SUM(G3:G6)', 10)).toEqual({ text: '=SUM($G$3:$G$6)', caret: 14 })
  let now: { text: string; caret: number } | undefined = { text: '=B2*2', caret: 3 }
  const seen = []
  for (let n = 0; n < 4; n++) seen.push((now = now && cycleAbsolute(now.text, now.caret))?.text)
  expect(seen).toEqual(['=$B$2*2', '=B$2*2', '=$B2*2', '=B2*2'])
})

it('[R171] what is copied comes as it was typed and looks; cut, formulas stay; values alone; tables of other programs', () => {
  const model = gridOf('1,=A1*2\n2,=A2*2\n')
  const text = '1\t=A1*2'
  const paste = (isCut: boolean, isPlain: boolean) =>
    pasted(model, area(3, 1), { text, html: '', isPlain }, copiedFrom(model, area(0, 0, 0, 1), isCut)).entries
  expect(paste(false, false)).toEqual([
    { row: 3, column: 1, text: '1', like: { row: 0, column: 0 } },
    { row: 3, column: 2, text: '=B4*2', like: { row: 0, column: 1 } },
  ])
  expect(textsOf(paste(true, false))).toEqual(['1', '=A1*2'])
  expect(paste(false, true)[1]).toEqual({ row: 3, column: 2, text: '=A1*2' })
  const html = toHtml(gridOf('"a<b","c\nd"\n'), area(0, 0, 0, 1))
  expect(fromHtml(html)).toEqual([['a<b', 'c\nd']])
  const merged =
    '<p>x</p><table><tr><td rowspan=2>甲</td><td colspan=2>乙</td></tr><tr><td>丙</td><td> 丁 </td></tr></table>'
  expect(fromHtml(merged)).toEqual([
    ['甲', '乙', ''],
    ['', '丙', '丁'],
  ])
  expect(fromHtml('<p>no table</p>')).toBeUndefined()
})
