// A chart follows the cells that it references: the values in its file are those of the time when it was saved.
import type { Chart, ChartSeries } from '../chart/index.ts'

const [mostSeries, mostPoints] = [20, 200]

type Contents = (formula: string, most: number) => readonly (string | number)[] | undefined

/** Returns a chart with the values of the cells that it references; where they cannot be found, with its own. */
export function currentChart(chart: Chart, contentsOf: Contents): Chart {
  const series = chart.series.slice(0, mostSeries)
  const categories = series
    .map(({ cells }) => found(contentsOf, cells?.categories, mostPoints)?.map(String) ?? chart.categories)
    .reduce((longest, one) => (one.length > longest.length ? one : longest), [])
  return { ...chart, categories, series: series.map((one) => currentSeries(one, contentsOf)) }
}

function currentSeries(series: ChartSeries, contentsOf: Contents): ChartSeries {
  const { cells, name, values, across } = series
  const numbers = (formula: string | undefined): (number | undefined)[] | undefined =>
    found(contentsOf, formula, mostPoints)?.map((one) => (typeof one === 'number' ? one : undefined))
  const x = numbers(cells?.across) ?? across
  return {
    ...series,
    name: String(found(contentsOf, cells?.name, 1)?.[0] ?? name),
    values: numbers(cells?.values) ?? values,
    ...(x === undefined ? {} : { across: x }),
  }
}

const found = (contentsOf: Contents, formula: string | undefined, most: number): ReturnType<Contents> =>
  formula === undefined || formula === '' ? undefined : contentsOf(formula, most)
