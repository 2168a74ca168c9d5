// Charts with text alternatives: a sentence summarises the chart, and a table with the numbers is available for screen
// readers.
import type { ReactNode } from 'react'
import './company.css'

const width = 640
const height = 200
const left = 64
const bottom = 24

/** Round tick values for three lines between zero (or the minimum) and the maximum. */
function ticksOf(least: number, most: number): readonly number[] {
  const span = Math.max(1, most - least)
  const rough = span / 3
  const unit = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((n) => n * unit >= rough) ?? 10) * unit
  const first = Math.floor(least / step) * step
  const ticks: number[] = []
  for (let at = first; ticks.length === 0 || (ticks.at(-1) ?? 0) < most; at += step) ticks.push(at)
  return ticks
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
  const ticks = ticksOf(Math.min(...values), Math.max(...values))
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)]
  const x = (n: number): number => left + (n * (width - left - 8)) / Math.max(1, points.length - 1)
  const y = (value: number): number => 8 + (1 - (value - low) / Math.max(1, high - low)) * (height - bottom - 8)
  const line = points.map(({ value }, n) => `${x(n)},${y(value)}`).join(' ')
  const named = [0, Math.floor((points.length - 1) / 2), points.length - 1]
  return (
    <figure className="co-chart">
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={left} x2={width} y1={y(tick)} y2={y(tick)} />
            <text x={left - 8} y={y(tick) + 4} textAnchor="end">
              {format(tick)}
            </text>
          </g>
        ))}
        <polygon points={`${left},${y(low)} ${line} ${x(points.length - 1)},${y(low)}`} />
        <polyline points={line} />
        <circle cx={x(points.length - 1)} cy={y(points.at(-1)?.value ?? 0)} r={4} />
        {named.map((n) => (
          <text
            key={n}
            x={x(n)}
            y={height - 4}
            textAnchor={n === 0 ? 'start' : n === points.length - 1 ? 'end' : 'middle'}
          >
            {points[n]?.label}
          </text>
        ))}
      </svg>
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
  const sums = days.map(({ values }) => values.reduce((sum, value) => sum + value, 0))
  const ticks = ticksOf(0, Math.max(4, ...sums))
  const high = ticks.at(-1) ?? 1
  const wide = (width - left) / Math.max(1, days.length)
  const tall = (value: number): number => (value / high) * (height - bottom - 8)
  return (
    <figure className="co-chart">
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={left} x2={width} y1={height - bottom - tall(tick)} y2={height - bottom - tall(tick)} />
            <text x={left - 8} y={height - bottom - tall(tick) + 4} textAnchor="end">
              {tick.toLocaleString()}
            </text>
          </g>
        ))}
        {days.map(({ label, values }, n) => {
          let under = 0
          return (
            <g key={label}>
              <title>{`${label}: ${kinds.map((kind, k) => `${kind} ${values[k] ?? 0}`).join(', ')}`}</title>
              {values.map((value, k) => {
                const top = height - bottom - tall(under + value)
                under += value
                return (
                  <rect
                    key={kinds[k]}
                    className={`is-k${k}`}
                    x={left + n * wide + wide * 0.2}
                    y={top}
                    width={wide * 0.6}
                    height={tall(value)}
                  />
                )
              })}
              {(n === 0 || n === days.length - 1 || n % 4 === 0) && (
                <text x={left + (n + 0.5) * wide} y={height - 4} textAnchor="middle">
                  {label}
                </text>
              )}
            </g>
          )
        })}
      </svg>
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
