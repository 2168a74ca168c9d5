// Charts with text alternatives: a sentence summarises the chart, and a table with the numbers is available for screen
// readers.
import { type Chart, type ChartLook, drawChart } from '@cloudoc/office/chart'
import type { ReactNode } from 'react'
import { DrawingGraphic } from '../../kit/drawing.tsx'
import './company.css'

const [width, height] = [640, 200]
const look: ChartLook = {
  isBare: true,
  size: 11,
  inks: { title: 'var(--text)', grid: 'var(--border)', label: 'var(--text-3)' },
}
/** The colours of the kinds, as in `co-legend`. */
const kindColors = ['var(--info)', 'var(--success)', 'var(--warning)', 'var(--quota)'] as const

function Graphic({ chart, more }: { readonly chart: Chart; readonly more: ChartLook }): ReactNode {
  return (
    <DrawingGraphic drawing={drawChart(chart, width, height, { ...look, ...more })} color={(color) => color} isHidden />
  )
}

interface Point {
  readonly label: string
  readonly value: number
}

function Numbers({ caption, heads, rows }: { caption: string; heads: readonly string[]; rows: readonly string[][] }) {
  return (
    <table className="co-unseen">
      <caption>{caption}</caption>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row[0]}>
            {row.map((cell, n) => (
              // The headings are unique keys for the cells of a row.
              <td key={heads[n]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A line chart of one number over time. */
export function LineChart(props: {
  readonly caption: string
  readonly heads: readonly [string, string]
  readonly points: readonly Point[]
  readonly format: (value: number) => string
}): ReactNode {
  const { caption, heads, points, format } = props
  const values = points.map(({ value }) => value)
  const chart: Chart = {
    title: '',
    categories: points.map(({ label }) => label),
    series: [
      { kind: 'area', name: '', values, color: 'var(--sunken)' },
      { kind: 'line', name: heads[1], values, color: 'var(--quota)' },
    ],
    hasLegend: false,
  }
  return (
    <figure className="co-chart">
      <Graphic chart={chart} more={{ format, fromLeast: true }} />
      <Numbers caption={caption} heads={heads} rows={points.map(({ label, value }) => [label, format(value)])} />
    </figure>
  )
}

/** A stacked bar chart of events per day by kind. */
export function BarChart(props: {
  readonly caption: string
  readonly day: string
  readonly kinds: readonly string[]
  readonly days: readonly { readonly label: string; readonly values: readonly number[] }[]
}): ReactNode {
  const { caption, day, kinds, days } = props
  const chart: Chart = {
    title: '',
    categories: days.map(({ label }) => label),
    series: kinds.map((name, k) => ({
      kind: 'column',
      name,
      values: days.map(({ values }) => values[k]),
      color: kindColors[k % kindColors.length],
    })),
    stacked: 'sum',
    hasLegend: false,
  }
  const tell = (n: number): string =>
    `${days[n]?.label}: ${kinds.map((kind, k) => `${kind} ${days[n]?.values[k] ?? 0}`).join(', ')}`
  return (
    <figure className="co-chart">
      <Graphic chart={chart} more={{ tell, isWhole: true, format: (value) => value.toLocaleString() }} />
      <ul className="co-legend" aria-hidden="true">
        {kinds.map((kind, k) => (
          <li key={kind} className={`is-k${k}`}>
            {kind}
          </li>
        ))}
      </ul>
      <Numbers
        caption={caption}
        heads={[day, ...kinds]}
        rows={days.map(({ label, values }) => [label, ...values.map(String)])}
      />
    </figure>
  )
}

/** The month and day of a day number (days since 1970). */
export function dayLabel(day: number): string {
  const date = new Date(day * 24 * 60 * 60_000)
  return `${String(date.getUTCMonth() + 1).padStart(2, '0')}-${String(date.getUTCDate()).padStart(2, '0')}`
}
