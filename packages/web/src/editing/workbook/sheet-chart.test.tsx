// @vitest-environment happy-dom
// Charts of a sheet are drawn of what its cells hold now.
import type { Chart } from '@cloudoc/office/drawings'
import { openWorkbook } from '@cloudoc/office/workbook'
import { firstSheetPart, workbookFixture } from '@cloudoc/office/workbook-fixture'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { SheetChart } from './sheet-chart.tsx'

const book = openWorkbook(workbookFixture())
const cells = (sheet: string, top: number, bottom: number) => ({
  of: { sheet, area: { top, bottom, left: 0, right: 0 } },
  kept: ['3', '4'],
})
const chartOf = (kind: Chart['plots'][number]['kind'], isStacked = false): Chart => ({
  ...{ kind: 'chart', part: '', title: '' },
  plots: [
    {
      kind,
      isStacked,
      series: [
        {
          name: { kept: ['甲'] },
          categories: { kept: ['一月', '二月'] },
          values: cells('汇总', 1, 2),
          color: '#c00000',
        },
        { name: { kept: ['乙'] }, categories: { kept: ['一月', '二月'] }, values: cells('不在', 1, 2) },
      ],
    },
  ],
})
function drawn(chart: Chart): HTMLElement {
  const of = document.createElement('div')
  of.innerHTML = renderToStaticMarkup(<SheetChart book={book} chart={chart} width={400} height={240} />)
  return of
}
const heights = (of: Element) => [...of.querySelectorAll('rect')].map((one) => Number(one.getAttribute('height')))

// [R171] Charts are drawn from cell values: columns, bars, lines, areas, pies; other kinds show a placeholder with
// their title.
it('[R171] columns are as high as their cells say, one by one or on each other; what is typed changes them', () => {
  // 2, 3 from the cells; 3, 4 from the values cached in the file.
  const [two = 0, three = 0, also = 0, four = 0] = heights(drawn(chartOf('column')))
  expect([three / two, also / three, four / two].map((one) => Number(one.toFixed(2)))).toEqual([1.5, 1, 2])
  book.type(firstSheetPart, [{ row: 1, column: 0, text: '8' }])
  const of = drawn(chartOf('column', true))
  const [eight = 0, , more = 0] = heights(of)
  expect(Number((eight / more).toFixed(2))).toBe(2.67)
  expect([...of.querySelectorAll('.sc-legend > span')].map((one) => one.textContent)).toEqual(['甲', '乙'])
  expect(of.textContent).toContain('一月')
})

it.each(['bar', 'line', 'area', 'pie'] as const)('[R171] a chart of the kind %s is drawn', (kind) => {
  const of = drawn(chartOf(kind))
  expect(of.querySelectorAll(kind === 'bar' ? 'rect' : 'path').length).toBe(kind === 'bar' ? 4 : 2)
  expect(of.innerHTML).not.toContain('NaN')
})
