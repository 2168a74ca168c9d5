// Parses the chart data that office files store beside the cells that it comes from.
import { at, child, children, descendants, drawnColor, type Element, numberAt, textOf } from '../package/index.ts'
import { type Chart, type ChartCells, type ChartSeries, defaultChartColors, type PlotKind } from './chart.ts'

const [mostSeries, mostPoints] = [100, 2000]

const plots: Readonly<Record<string, PlotKind>> = {
  barChart: 'column',
  bar3DChart: 'column',
  lineChart: 'line',
  line3DChart: 'line',
  stockChart: 'line',
  radarChart: 'line',
  areaChart: 'area',
  area3DChart: 'area',
  pieChart: 'pie',
  pie3DChart: 'pie',
  ofPieChart: 'pie',
  doughnutChart: 'ring',
  scatterChart: 'points',
  bubbleChart: 'points',
}

/** Parses a chart of the office formats (c:chartSpace); undefined if it cannot be drawn from what its file stores. */
export function readChart(root: Element | undefined, theme: ReadonlyMap<string, string>): Chart | undefined {
  const chart = parseChart(root, theme)
  return chart?.series.some(({ values }) => values.some((one) => one !== undefined)) === true ? chart : undefined
}

/** Parses a chart whose values may be missing in the file; undefined if none of its plots can be drawn. */
export function parseChart(root: Element | undefined, theme: ReadonlyMap<string, string>): Chart | undefined {
  const chart = child(root === undefined ? undefined : prefixed(root), 'c:chart')
  const area = child(chart, 'c:plotArea')
  const colorAt = (n: number): string =>
    theme.get(`accent${(n % 6) + 1}`) ?? defaultChartColors[n % defaultChartColors.length] ?? '#4472c4'
  const series: ChartSeries[] = []
  let categories: readonly string[] = []
  let stacked: Chart['stacked']
  for (const plot of children(area)) {
    const plotted = plots[plot.name.replace('c:', '')]
    if (plotted === undefined) continue
    const valueOf = (name: string): string => child(plot, name)?.attributes['val'] ?? ''
    const kind = plotted === 'column' && valueOf('c:barDir') === 'bar' ? 'bar' : plotted
    const grouping = valueOf('c:grouping')
    stacked ??= grouping === 'stacked' ? 'sum' : grouping === 'percentStacked' ? 'share' : undefined
    for (const one of children(plot, 'c:ser').slice(0, mostSeries)) {
      const values = pointsOf(child(one, 'c:val') ?? child(one, 'c:yVal')).map(toNumber)
      const names = pointsOf(child(one, 'c:cat'))
      if (names.length > categories.length) categories = names.map((name) => name ?? '')
      const look = child(one, 'c:spPr')
      const cells = cellsOf(one)
      const points = new Map(
        children(one, 'c:dPt').map((point) => [
          Number(child(point, 'c:idx')?.attributes['val']),
          inkOf(child(point, 'c:spPr'), theme),
        ]),
      )
      const isSliced = kind === 'pie' || kind === 'ring'
      series.push({
        kind,
        name: pointsOf(child(one, 'c:tx'))[0] ?? textOf(at(one, 'c:tx', 'c:v')),
        values,
        color: inkOf(look, theme) ?? colorAt(series.length),
        ...(isSliced ? { colors: values.map((_, n) => points.get(n) ?? colorAt(n)) } : {}),
        ...(kind === 'points' ? { across: pointsOf(child(one, 'c:xVal')).map(toNumber) } : {}),
        ...(cells === undefined ? {} : { cells }),
      })
    }
  }
  if (series.length === 0) return undefined
  const title = child(chart, 'c:title')
  const rich = [...descendants(title, 'a:t')].map(textOf).join('').trim()
  const said = rich === '' ? pointsOf(child(title, 'c:tx')).join(' ') : rich
  const isUntitled = child(chart, 'c:autoTitleDeleted')?.attributes['val'] === '1'
  const [only] = series
  const formats = [...descendants(child(area, 'c:valAx'), 'c:numFmt')].map((one) => one.attributes['formatCode'] ?? '')
  return {
    title: said !== '' || isUntitled || series.length > 1 ? said : (only?.name ?? ''),
    categories,
    series,
    stacked,
    hasLegend: child(chart, 'c:legend') !== undefined,
    isPercent: stacked === 'share' || formats.some((code) => code.includes('%')),
  }
}

/** The tree with the usual prefix: some programs write the elements of a chart without one. */
function prefixed(root: Element): Element {
  if (root.name !== 'chartSpace') return root
  const name = (one: Element): Element => ({
    name: one.name.includes(':') ? one.name : `c:${one.name}`,
    attributes: one.attributes,
    children: one.children.map((inner) => (typeof inner === 'string' ? inner : name(inner))),
  })
  return name(root)
}

function cellsOf(series: Element): ChartCells | undefined {
  const formulaIn = (...names: readonly string[]): string =>
    names.map((name) => textOf([...descendants(child(series, name), 'c:f')][0])).find((one) => one !== '') ?? ''
  const cells = {
    name: formulaIn('c:tx'),
    categories: formulaIn('c:cat'),
    values: formulaIn('c:val', 'c:yVal'),
    across: formulaIn('c:xVal'),
  }
  return Object.values(cells).some((one) => one !== '') ? cells : undefined
}

/** Returns the cached values of the referenced cells. */
function pointsOf(holder: Element | undefined): (string | undefined)[] {
  const [cache] = ['c:strCache', 'c:numCache', 'c:strLit', 'c:numLit', 'c:lvl'].flatMap((name) => [
    ...descendants(holder, name),
  ])
  const points = children(cache, 'c:pt')
  const found: (string | undefined)[] = []
  for (const point of points) {
    const n = numberAt(point, 'idx') ?? -1
    if (n >= 0 && n < mostPoints) found[n] = textOf(child(point, 'c:v'))
  }
  return Array.from(found)
}

const toNumber = (text: string | undefined): number | undefined => {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : undefined
}

function inkOf(look: Element | undefined, theme: ReadonlyMap<string, string>): string | undefined {
  const gradient = child(at(look, 'a:gradFill', 'a:gsLst'), 'a:gs')
  return (
    drawnColor(child(look, 'a:solidFill'), theme) ??
    drawnColor(gradient, theme) ??
    drawnColor(at(look, 'a:ln', 'a:solidFill'), theme)
  )
}
