// OpenDocument charts: nested documents that store their data as a table.
import type { Drawing } from '@cloudoc/contract'
import { type Chart, defaultChartColors, drawChart, type PlotKind } from '@cloudoc/office/chart'
import { pixels } from './odf-size.ts'
import type { OfficePackage } from './package.ts'
import { at, child, children, descendants, type Element, numberAt, textOf } from './xml.ts'

const kinds: Readonly<Record<string, PlotKind>> = {
  'chart:bar': 'column',
  'chart:line': 'line',
  'chart:stock': 'line',
  'chart:radar': 'line',
  'chart:area': 'area',
  'chart:circle': 'pie',
  'chart:ring': 'ring',
  'chart:scatter': 'points',
  'chart:bubble': 'points',
}
const [mostSeries, mostRows] = [100, 2000]

/** The text of a cell, without the reference to its source. */
const cellText = (cell: Element | undefined): string => children(cell, 'text:p').map(textOf).join(' ')

/** Returns the chart of a frame, if it contains one. */
export function chartIn(frame: Element, office: OfficePackage): Drawing | undefined {
  const path = (child(frame, 'draw:object')?.attributes['xlink:href'] ?? '').replace(/^\.\//, '')
  const chart = path === '' ? undefined : readChart(office.xml(`${path}/content.xml`))
  return chart && drawChart(chart, pixels(frame, 'svg:width') || 480, pixels(frame, 'svg:height') || 288)
}

function readChart(root: Element | undefined): Chart | undefined {
  const chart = at(root, 'office:body', 'office:chart', 'chart:chart')
  const kind = kinds[chart?.attributes['chart:class'] ?? '']
  const area = child(chart, 'chart:plot-area')
  if (kind === undefined || area === undefined) return undefined
  const styles = new Map(
    children(child(root, 'office:automatic-styles'), 'style:style').map((one) => [one.attributes['style:name'], one]),
  )
  const styleOf = (one: Element | undefined, properties: string) =>
    child(styles.get(one?.attributes['chart:style-name']), properties)?.attributes ?? {}
  const inkOf = (one: Element | undefined): string | undefined => {
    const look = styleOf(one, 'style:graphic-properties')
    const found = kind === 'line' ? look['svg:stroke-color'] : look['draw:fill-color']
    return /^#[\da-f]{6}$/i.test(found ?? '') ? found : undefined
  }
  const table = child(chart, 'table:table')
  const heads = [...descendants(child(table, 'table:table-header-rows'), 'table:table-cell')].map(cellText)
  const rows = [...descendants(child(table, 'table:table-rows'), 'table:table-row')]
    .slice(0, mostRows)
    .map((row) => children(row, 'table:table-cell'))
  const looks = styleOf(area, 'style:chart-properties')
  const isCloud = kind === 'points'
  const colorAt = (n: number): string => defaultChartColors[n % defaultChartColors.length] ?? '#4472c4'
  const said = children(area, 'chart:series').slice(0, mostSeries)
  // The first data column follows the categories; in a scatter chart it follows the x values.
  const first = isCloud ? 2 : 1
  const series = said.map((one, n) => {
    const values = rows.map((row) => numberAt(row[first + n], 'office:value'))
    const own = kinds[one.attributes['chart:class'] ?? ''] ?? kind
    const isLying = own === 'column' && looks['chart:vertical'] === 'true'
    const points = children(one, 'chart:data-point').flatMap((point) =>
      Array.from({ length: Math.min(mostRows, numberAt(point, 'chart:repeated') ?? 1) }, () => inkOf(point)),
    )
    const isSliced = own === 'pie' || own === 'ring'
    return {
      kind: isLying ? ('bar' as const) : own,
      name: heads[first + n] ?? '',
      values,
      color: inkOf(one) ?? colorAt(n),
      ...(isSliced ? { colors: values.map((_, at) => points[at] ?? colorAt(at)) } : {}),
      ...(isCloud ? { across: rows.map((row) => numberAt(row[1], 'office:value')) } : {}),
    }
  })
  if (!series.some(({ values }) => values.some((one) => one !== undefined))) return undefined
  return {
    title: textOf(child(chart, 'chart:title')),
    categories: rows.map((row) => cellText(row[0])),
    series,
    stacked: looks['chart:percentage'] === 'true' ? 'share' : looks['chart:stacked'] === 'true' ? 'sum' : undefined,
    hasLegend: child(chart, 'chart:legend') !== undefined,
    isPercent: looks['chart:percentage'] === 'true',
  }
}
