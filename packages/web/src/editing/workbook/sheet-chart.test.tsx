// @vitest-environment happy-dom
// Charts of a sheet are drawn of what its cells hold now.
import type { Chart, ChartSeries, PlotKind } from '@cloudoc/office/chart'
import { firstSheetPart, workbookFixture } from '@cloudoc/office/test/workbook-fixture'
import { openWorkbook } from '@cloudoc/office/workbook'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { SheetChart } from './sheet-chart.tsx'

const book = openWorkbook(workbookFixture())
const seriesOf = (kind: PlotKind, name: string, formula: string, color: string): ChartSeries => ({
  kind,
  name,
  color,
  values: [3, 4],
  cells: { name: '', categories: '', values: formula, across: '' },
})
const chartOf = (kind: PlotKind, stacked?: Chart['stacked']): Chart => ({
  title: '',
  categories: ['一月', '二月'],
  series: [
    seriesOf(kind, '甲', '汇总!$A$2:$A$3', '#c00000'),
    // A sheet that the workbook does not have.
    seriesOf(kind, '乙', '不在!$A$2:$A$3', '#0000c0'),
  ],
  stacked,
  hasLegend: true,
})
function drawn(chart: Chart): HTMLElement {
  const of = document.createElement('div')
  of.innerHTML = renderToStaticMarkup(<SheetChart book={book} chart={chart} width={400} height={240} />)
  return of
}
/** The heights of the columns of a series. */
const heightsOf = (of: Element, color: string): number[] =>
  [...of.querySelectorAll(`path[fill="${color}"]`)]
    .flatMap((one) => (one.getAttribute('d') ?? '').split('M').slice(1))
    .map((column) => Number(/v([\d.]+)/.exec(column)?.[1]))
const ratio = (a = 0, b = 1): number => Number((a / b).toFixed(1))

// [R171] Charts are drawn from cell values: columns, bars, lines, areas, pies; other kinds show a placeholder with
// their title.
it('[R171] columns are as high as their cells say, one by one or on each other; what is typed changes them', () => {
  // 2, 3 from the cells; 3, 4 from the values cached in the file. The last square of each is the one of the legend.
  const columns = drawn(chartOf('column'))
  const [two, three] = heightsOf(columns, '#c00000').slice(-2)
  const [also, four] = heightsOf(columns, '#0000c0').slice(-2)
  expect([ratio(three, two), ratio(also, three), ratio(four, two)]).toEqual([1.5, 1, 2])
  book.type(firstSheetPart, [{ row: 1, column: 0, text: '8' }])
  const of = drawn(chartOf('column', 'sum'))
  expect(ratio(heightsOf(of, '#c00000').at(-2), heightsOf(of, '#0000c0').at(-2))).toBe(2.7)
  expect([...of.querySelectorAll('text')].map((one) => one.textContent)).toEqual(
    expect.arrayContaining(['甲', '乙', '一月', '二月']),
  )
})

it.each(['bar', 'line', 'area', 'pie'] as const)('[R171] a chart of the kind %s is drawn', (kind) => {
  const of = drawn(chartOf(kind))
  expect(
    of.querySelectorAll('path[fill="#c00000"], path[stroke="#c00000"], path[stroke="#ffffff"]').length,
  ).toBeGreaterThan(1)
  expect(of.innerHTML).not.toContain('NaN')
})
