// Renders a chart of a sheet from the current cell values: columns, bars, lines, areas and pies. Detailed formatting is
// not rendered, and remains in the file.
import type { Chart, Plot } from '@cloudoc/office/drawings'
import type { Workbook } from '@cloudoc/office/workbook'
import type { ReactNode } from 'react'

const palette = ['#4472C4', '#ED7D31', '#A5A5A5', '#FFC000', '#5B9BD5', '#70AD47', '#264478', '#9E480E'] as const
const mostPoints = 200
const mostSeries = 20

interface Line {
  readonly name: string
  readonly color: string
  readonly values: readonly number[]
}

interface Drawn {
  readonly kind: Plot['kind']
  readonly isStacked: boolean
  readonly lines: readonly Line[]
}

const inkOf = (n: number, own?: string): string => own ?? palette[n % palette.length] ?? palette[0]

/** Reads the current data of a chart. */
function readChart(
  book: Workbook,
  { plots }: Chart,
): { readonly drawn: readonly Drawn[]; readonly labels: readonly string[] } {
  let n = 0
  let labels: readonly string[] = []
  const drawn = plots.map(({ kind, isStacked, series }) => ({
    kind,
    isStacked,
    lines: series.slice(0, mostSeries).map(({ name, categories, values, color }) => {
      const own = book.contentsOf(categories, mostPoints).map(String)
      if (own.length > labels.length) labels = own
      const numbers = book.contentsOf(values, mostPoints).map((one) => Number(one) || 0)
      return { name: String(book.contentsOf(name, 1)[0] ?? ''), color: inkOf(n++, color), values: numbers }
    }),
  }))
  return { drawn, labels }
}

/** Round axis values from zero, or the minimum, to the maximum. */
function ticksOf(least: number, most: number): number[] {
  const rough = Math.max(most - least, Number.MIN_VALUE) / 4
  const unit = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((one) => one * unit >= rough * 0.999) ?? 10) * unit
  const first = Math.floor(least / step)
  const last = Math.max(first + 1, Math.ceil(most / step - 1e-9))
  return Array.from({ length: Math.min(12, last - first + 1) }, (_, i) => Number(((first + i) * step).toPrecision(12)))
}

interface Size {
  readonly width: number
  readonly height: number
}

/** The chart component. */
export function SheetChart({
  book,
  chart,
  width,
  height,
}: Size & { readonly book: Workbook; readonly chart: Chart }): ReactNode {
  const { drawn, labels } = readChart(book, chart)
  const names = drawn.some(({ kind }) => kind === 'pie')
    ? labels
    : drawn.flatMap(({ lines }) => lines.map(({ name }) => name))
  const inks = drawn.some(({ kind }) => kind === 'pie')
    ? labels.map((_, n) => inkOf(n))
    : drawn.flatMap(({ lines }) => lines.map(({ color }) => color))
  const hasLegend = names.length > 1 && height > 120
  const inner = { width, height: height - (hasLegend ? 22 : 0) }
  const [first] = drawn
  return (
    <>
      <svg width={inner.width} height={Math.max(0, inner.height)} aria-hidden="true">
        {first?.kind === 'pie' ? (
          <Pie line={first.lines[0]} {...inner} />
        ) : (
          <Axes drawn={drawn} labels={labels} {...inner} />
        )}
      </svg>
      {hasLegend && (
        <span className="sc-legend">
          {names.map((name, n) => (
            // Two of them may be called the same.
            // biome-ignore lint/suspicious/noArrayIndexKey: they stay in their order
            <span key={n}>
              <i style={{ background: inks[n] }} />
              {name}
            </span>
          ))}
        </span>
      )}
    </>
  )
}

function Pie({ line, width, height }: Size & { readonly line: Line | undefined }): ReactNode {
  const values = (line?.values ?? []).map((value) => Math.max(0, value))
  const all = values.reduce((sum, one) => sum + one, 0)
  const radius = Math.max(0, Math.min(width, height) / 2 - 8)
  const [x, y] = [width / 2, height / 2]
  let from = 0
  return values.map((value, n) => {
    const to = from + (all === 0 ? 0 : value / all)
    const point = (at: number): string =>
      `${x + radius * Math.sin(at * 2 * Math.PI)} ${y - radius * Math.cos(at * 2 * Math.PI)}`
    // A full circle ends where it starts, and would not be drawn.
    const end = Math.min(to, from + 0.9999)
    const path = `M${x} ${y}L${point(from)}A${radius} ${radius} 0 ${end - from > 0.5 ? 1 : 0} 1 ${point(end)}Z`
    from = to
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces stay in their order
    return <path key={n} d={path} fill={inkOf(n)} stroke="#fff" />
  })
}

const shortNumber = (value: number): string =>
  Math.abs(value) >= 1e8
    ? `${Number((value / 1e8).toPrecision(4))}亿`
    : value.toLocaleString('en-US', { maximumFractionDigits: 4 })

function Axes({
  drawn,
  labels,
  width,
  height,
}: Size & { readonly drawn: readonly Drawn[]; readonly labels: readonly string[] }): ReactNode {
  const count = Math.max(1, labels.length, ...drawn.flatMap(({ lines }) => lines.map(({ values }) => values.length)))
  const isAcross = drawn.length > 0 && drawn.every(({ kind }) => kind === 'bar')
  /** The start and end of each value. */
  const spans = drawn.map(({ lines, isStacked }) => {
    const sums = { up: Array.from({ length: count }, () => 0), down: Array.from({ length: count }, () => 0) }
    return lines.map(({ values }) =>
      Array.from({ length: count }, (_, n): readonly [number, number] => {
        const value = values[n] ?? 0
        if (!isStacked) return [0, value]
        const side = value < 0 ? sums.down : sums.up
        const from = side[n] ?? 0
        side[n] = from + value
        return [from, from + value]
      }),
    )
  })
  const ends = spans.flat(2).map(([, to]) => to)
  const ticks = ticksOf(Math.min(0, ...ends), Math.max(0, ...ends))
  const [least, most] = [ticks[0] ?? 0, ticks.at(-1) ?? 1]
  const texts = ticks.map(shortNumber)
  const widest = Math.max(...texts.map((text) => text.length)) * 6.2 + 10
  const longest = Math.min(120, Math.max(...labels.map((label) => label.length), 1) * 11 + 10)
  const room = { left: isAcross ? longest : widest, right: 12, top: 8, bottom: 22 }
  const [inX, inY] = [Math.max(1, width - room.left - room.right), Math.max(1, height - room.top - room.bottom)]
  const along = (value: number): number =>
    isAcross
      ? room.left + ((value - least) / (most - least)) * inX
      : room.top + inY - ((value - least) / (most - least)) * inY
  const band = (isAcross ? inY : inX) / count
  const start = (n: number): number => (isAcross ? room.top + (count - 1 - n) * band : room.left + n * band)
  const every = Math.max(
    1,
    Math.ceil(isAcross ? 14 / band : (Math.min(8, Math.max(...labels.map((one) => one.length), 1)) * 11 + 6) / band),
  )
  const bars = drawn.flatMap(({ kind, isStacked, lines }) =>
    kind === 'column' || kind === 'bar' ? (isStacked ? 1 : lines.length) : 0,
  )
  const wide = Math.max(...bars, 1)
  return (
    <>
      {ticks.map((tick, n) => (
        <g key={tick}>
          {isAcross ? (
            <line x1={along(tick)} x2={along(tick)} y1={room.top} y2={room.top + inY} stroke="#e3e6eb" />
          ) : (
            <line x1={room.left} x2={room.left + inX} y1={along(tick)} y2={along(tick)} stroke="#e3e6eb" />
          )}
          <text
            x={isAcross ? along(tick) : room.left - 6}
            y={isAcross ? height - 6 : along(tick) + 4}
            textAnchor={isAcross ? 'middle' : 'end'}
          >
            {texts[n]}
          </text>
        </g>
      ))}
      {labels.map((label, n) =>
        n % every === 0 ? (
          <text
            // biome-ignore lint/suspicious/noArrayIndexKey: categories stay in their order
            key={n}
            x={isAcross ? room.left - 6 : start(n) + band / 2}
            y={isAcross ? start(n) + band / 2 + 4 : height - 6}
            textAnchor={isAcross ? 'end' : 'middle'}
          >
            {label.length > 10 ? `${label.slice(0, 9)}…` : label}
          </text>
        ) : null,
      )}
      {drawn.map(({ kind, isStacked, lines }, at) =>
        lines.map(({ color, values }, own) => {
          const key = `${at} ${own}`
          const spansOf = spans[at]?.[own] ?? []
          if (kind === 'column' || kind === 'bar') {
            const thick = (band * 0.7) / wide
            return spansOf.map(([from, to], n) => {
              const place = start(n) + band * 0.15 + (isStacked ? 0 : own * thick)
              const [a, b] = [along(from), along(to)]
              const [low, size] = [Math.min(a, b), Math.abs(a - b)]
              return isAcross ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: categories stay in their order
                <rect key={`${key} ${n}`} x={low} y={place} width={size} height={Math.max(1, thick - 1)} fill={color} />
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: categories stay in their order
                <rect key={`${key} ${n}`} x={place} y={low} width={Math.max(1, thick - 1)} height={size} fill={color} />
              )
            })
          }
          const points = values.map((_, n) => `${start(n) + band / 2} ${along(spansOf[n]?.[1] ?? 0)}`)
          if (points.length === 0) return null
          if (kind === 'line')
            return <path key={key} d={`M${points.join('L')}`} fill="none" stroke={color} strokeWidth={2} />
          const back = values.map((_, n) => `${start(n) + band / 2} ${along(spansOf[n]?.[0] ?? 0)}`).toReversed()
          return <path key={key} d={`M${points.join('L')}L${back.join('L')}Z`} fill={color} fillOpacity={0.75} />
        }),
      )}
    </>
  )
}
