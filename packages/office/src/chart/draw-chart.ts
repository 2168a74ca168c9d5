// Draws a chart, as shapes and texts at positions.
import type { Drawing, DrawnMark } from '../rendition/index.ts'
import { type Chart, type ChartSeries, defaultChartColors } from './chart.ts'

/** How a chart is shown where it does not stand in a document. */
export interface ChartLook {
  /** Without a ground and a frame of its own. */
  readonly isBare?: boolean
  /** The axis of values begins near the least value instead of zero. */
  readonly fromLeast?: boolean
  /** The values are counts: the axis has no lines between whole numbers. */
  readonly isWhole?: boolean
  /** Font size. */
  readonly size?: number
  readonly inks?: { readonly title: string; readonly grid: string; readonly label: string }
  /** Writes the value at a line of the axis. */
  readonly format?: (value: number) => string
  /** What is told of a column when it is pointed at. */
  readonly tell?: (category: number, series: number) => string
}

const usualInks = { title: '#404040', grid: '#d9d9d9', label: '#595959' } as const
const usualColor = '#404040'

/** Estimates the width of a text. */
const widthOf = (text: string, size: number): number =>
  [...text].reduce((sum, letter) => sum + ((letter.codePointAt(0) ?? 0) > 0x2e7f ? size : size * 0.56), 0)

const short = (text: string, size: number, room: number): string => {
  if (widthOf(text, size) <= room) return text
  let kept = text
  while (kept.length > 1 && widthOf(`${kept}…`, size) > room) kept = kept.slice(0, -1)
  return `${kept}…`
}

interface PlotArea {
  left: number
  top: number
  right: number
  bottom: number
}

/** Draws a chart into an area of the given size in pixels. */
export function drawChart(chart: Chart, roomWidth: number, roomHeight: number, look: ChartLook = {}): Drawing {
  const [width, height] = [roomWidth, roomHeight].map((one) => Math.max(40, Math.min(4000, Math.round(one)))) as [
    number,
    number,
  ]
  const size = look.size ?? Math.max(9, Math.min(14, Math.min(width, height) / 22))
  const { inks = usualInks } = look
  const ground: DrawnMark = { path: box(0, 0, width, height), fill: '#ffffff', line: inks.grid }
  const marks: DrawnMark[] = look.isBare === true ? [] : [ground]
  const room: PlotArea = { left: size, top: size * 0.8, right: width - size, bottom: height - size * 0.8 }
  if (chart.title !== '') {
    const large = size * 1.35
    const text = short(chart.title, large, width - 2 * size)
    marks.push({ text, x: width / 2, y: room.top + large, size: large, color: inks.title, anchor: 'middle' })
    room.top += large * 1.8
  }
  const isSliced = chart.series[0]?.kind === 'pie' || chart.series[0]?.kind === 'ring'
  if (chart.hasLegend) marks.push(...drawLegend(chart, isSliced, room, size, inks.label))
  marks.push(...(isSliced ? drawSlices(chart, room) : drawPlot(chart, room, size, look)))
  return { width, height, marks }
}

function drawLegend(chart: Chart, isSliced: boolean, room: PlotArea, size: number, ink: string): DrawnMark[] {
  const first = chart.series[0]
  const entries = isSliced
    ? (first?.values ?? []).map((_, n) => [chart.categories[n] ?? String(n + 1), sliceColor(first, n)] as const)
    : chart.series.map(({ name, color }) => [name, color] as const)
  const shown = entries.filter(([name]) => name !== '').slice(0, 12)
  if (shown.length === 0) return []
  const most = (room.right - room.left) / (shown.length > 4 ? 4 : shown.length + 1)
  const texts = shown.map(([name]) => short(name, size, most))
  const wide = texts.map((text) => widthOf(text, size) + size * 2.2)
  const marks: DrawnMark[] = []
  let x = room.left
  const rows: { n: number; x: number; row: number }[] = []
  let row = 0
  for (const [n, one] of wide.entries()) {
    if (x + one > room.right && x > room.left) {
      row += 1
      x = room.left
    }
    rows.push({ n, x, row })
    x += one
  }
  const ends = rows.reduce<number[]>((found, one) => {
    found[one.row] = one.x + (wide[one.n] ?? 0)
    return found
  }, [])
  const top = room.bottom - (row + 1) * size * 1.6
  for (const one of rows) {
    const left = one.x + (room.right - (ends[one.row] ?? room.right)) / 2
    const y = top + one.row * size * 1.6 + size * 0.5
    marks.push({ path: box(left, y, size * 0.7, size * 0.7), fill: shown[one.n]?.[1] ?? usualColor })
    marks.push({ text: texts[one.n] ?? '', x: left + size, y: y + size * 0.75, size, color: ink })
  }
  room.bottom = top - size * 0.3
  return marks
}

const box = (x: number, y: number, width: number, height: number): string =>
  `M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}Z`
const round = (value: number): number => Math.round(value * 10) / 10

const sliceColor = (series: ChartSeries | undefined, n: number): string =>
  series?.colors?.[n] ?? defaultChartColors[n % defaultChartColors.length] ?? usualColor

function drawSlices({ series }: Chart, room: PlotArea): DrawnMark[] {
  const [first] = series
  const values = (first?.values ?? []).map((value) => Math.max(0, value ?? 0))
  const whole = values.reduce((sum, value) => sum + value, 0)
  if (first === undefined || whole === 0) return []
  const [x, y] = [(room.left + room.right) / 2, (room.top + room.bottom) / 2]
  const radius = Math.max(4, Math.min(room.right - room.left, room.bottom - room.top) / 2)
  const inner = first.kind === 'ring' ? radius * 0.55 : 0
  const on = (angle: number, far: number): string =>
    `${round(x + Math.sin(angle) * far)} ${round(y - Math.cos(angle) * far)}`
  const size = Math.max(9, radius / 9)
  let turned = 0
  return values.flatMap((value, n): DrawnMark[] => {
    if (value === 0) return []
    const from = turned
    // A full circle would start and end at the same point and not be drawn.
    const to = from + Math.min((value / whole) * 2 * Math.PI, 2 * Math.PI - 0.0001)
    turned = to
    const large = to - from > Math.PI ? 1 : 0
    const back = inner === 0 ? `L${x} ${y}` : `L${on(to, inner)}A${inner} ${inner} 0 ${large} 0 ${on(from, inner)}`
    const path = `M${on(from, radius)}A${round(radius)} ${round(radius)} 0 ${large} 1 ${on(to, radius)}${back}Z`
    const share = `${Math.round((value / whole) * 100)}%`
    const [at, far] = [(from + to) / 2, inner === 0 ? radius * 0.68 : (radius + inner) / 2]
    const label: DrawnMark = {
      text: share,
      x: x + Math.sin(at) * far,
      y: y - Math.cos(at) * far + size * 0.35,
      size,
      color: '#ffffff',
      anchor: 'middle',
    }
    const slice: DrawnMark = { path, fill: sliceColor(first, n), line: '#ffffff' }
    return value / whole < 0.05 ? [slice] : [slice, label]
  })
}

/** Returns a round axis step that gives about five steps. */
function stepOf(span: number): number {
  const rough = span / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const times = rough / power
  return (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10) * power
}

interface Scale {
  readonly from: number
  readonly to: number
  readonly step: number
}

function scaleOf(values: readonly number[], withZero: boolean, leastStep = 0): Scale {
  const least = Math.min(...values, ...(withZero ? [0] : []))
  const most = Math.max(...values, ...(withZero ? [0] : []))
  const step = Math.max(leastStep, stepOf(most - least || Math.abs(most) || 1))
  return { from: Math.floor(least / step) * step, to: Math.ceil(most / step) * step || step, step }
}

const ticksOf = ({ from, to, step }: Scale): number[] =>
  Array.from({ length: Math.min(30, Math.round((to - from) / step) + 1) }, (_, n) =>
    Number((from + n * step).toPrecision(12)),
  )

const grouped = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 6 })

function drawPlot(chart: Chart, room: PlotArea, size: number, look: ChartLook): DrawnMark[] {
  const { series, stacked, isPercent = false } = chart
  const { inks = usualInks, tell } = look
  const isCloud = series.every(({ kind }) => kind === 'points')
  const isLying = series.some(({ kind }) => kind === 'bar')
  const count = Math.max(1, chart.categories.length, ...series.map(({ values }) => values.length))
  /** Start and end of each value. Only series of the same kind are stacked: a line over stacked columns is not. */
  const spans = series.map(({ kind, values }, index) =>
    Array.from({ length: count }, (_, n): readonly [number, number] | undefined => {
      const value = values[n]
      if (value === undefined) return undefined
      if (stacked === undefined) return [0, value]
      const valuesOf = (all: readonly ChartSeries[]): number[] =>
        all.filter((one) => one.kind === kind).map((one) => one.values[n] ?? 0)
      const below = valuesOf(series.slice(0, index))
        .filter((other) => Math.sign(other) === Math.sign(value))
        .reduce((sum, other) => sum + other, 0)
      const whole = valuesOf(series).reduce((sum, other) => sum + Math.abs(other), 0)
      const by = stacked === 'share' ? whole || 1 : 1
      return [below / by, (below + value) / by]
    }),
  )
  const ends = spans.flatMap((one) => one.flatMap((span) => (span === undefined ? [] : [span[1]])))
  const scale = scaleOf(
    ends.length === 0 ? [1] : ends,
    !isCloud && look.fromLeast !== true,
    look.isWhole === true ? 1 : 0,
  )
  const usual = (value: number): string => (isPercent ? `${grouped(Math.round(value * 1000) / 10)}%` : grouped(value))
  const saying = look.format ?? usual
  const ticks = ticksOf(scale)
  const names = Array.from({ length: count }, (_, n) => chart.categories[n] ?? String(n + 1))
  const tickWidth = Math.max(...ticks.map((one) => widthOf(saying(one), size)))
  const nameWidth = Math.min((room.right - room.left) / 3, Math.max(...names.map((one) => widthOf(one, size))))
  const plot: PlotArea = {
    left: room.left + (isLying ? nameWidth : tickWidth) + size * 0.6,
    top: room.top + size * 0.5,
    right: room.right - (isLying ? tickWidth / 2 : 0),
    bottom: room.bottom - size * 1.8,
  }
  const [wide, high] = [Math.max(1, plot.right - plot.left), Math.max(1, plot.bottom - plot.top)]
  const along = (value: number): number => (value - scale.from) / (scale.to - scale.from || 1)
  const marks: DrawnMark[] = []
  for (const tick of ticks) {
    const far = along(tick)
    const [x, y] = [plot.left + far * wide, plot.bottom - far * high]
    const path = isLying
      ? `M${round(x)} ${round(plot.top)}V${round(plot.bottom)}`
      : `M${round(plot.left)} ${round(y)}H${round(plot.right)}`
    marks.push({ path, line: inks.grid })
    const where = isLying
      ? { x, y: plot.bottom + size * 1.4, anchor: 'middle' as const }
      : { x: plot.left - size * 0.5, y: y + size * 0.35, anchor: 'end' as const }
    marks.push({ text: saying(tick), ...where, size, color: inks.label })
  }
  if (isCloud) {
    const xs = scaleOf(
      series.flatMap(({ across = [], values }) => values.map((_, n) => across[n] ?? n + 1)),
      false,
    )
    for (const tick of ticksOf(xs)) {
      const x = plot.left + ((tick - xs.from) / (xs.to - xs.from || 1)) * wide
      marks.push({ text: grouped(tick), x, y: plot.bottom + size * 1.4, size, color: inks.label, anchor: 'middle' })
    }
    for (const { values, across = [], color = usualColor } of series) {
      for (const [n, value] of values.entries()) {
        if (value === undefined) continue
        const x = plot.left + (((across[n] ?? n + 1) - xs.from) / (xs.to - xs.from || 1)) * wide
        marks.push({ path: dot(x, plot.bottom - along(value) * high, size * 0.32), fill: color })
      }
    }
    return marks
  }
  const each = (isLying ? high : wide) / count
  // Limits the number of labels so that they do not overlap.
  const longest = Math.max(...names.map((one) => widthOf(one, size)))
  const every = isLying
    ? Math.ceil((size * 1.3) / each)
    : Math.ceil(Math.min(longest, size * 6) / Math.max(1, each * 0.95))
  for (const [n, name] of names.entries()) {
    if (n % Math.max(1, every) !== 0) continue
    const middle = (n + 0.5) * each
    const where = isLying
      ? { x: plot.left - size * 0.5, y: plot.bottom - middle + size * 0.35, anchor: 'end' as const }
      : { x: plot.left + middle, y: plot.bottom + size * 1.4, anchor: 'middle' as const }
    const space = isLying ? nameWidth : Math.max(size * 3, each * Math.max(1, every))
    marks.push({ text: short(name, size, space), ...where, size, color: inks.label })
  }
  const beams = series.flatMap(({ kind }, n) => (kind === 'column' || kind === 'bar' ? [n] : []))
  const beside = stacked === undefined ? Math.max(1, beams.length) : 1
  for (const [index, { kind, color = usualColor }] of series.entries()) {
    const found = spans[index] ?? []
    if (kind === 'column' || kind === 'bar') {
      const thick = (each * 0.66) / beside
      const place = stacked === undefined ? beams.indexOf(index) : 0
      const columns = found.flatMap((span, n) => {
        if (span === undefined) return []
        const [low, top] = [along(Math.min(...span)), along(Math.max(...span))]
        const start = n * each + each * 0.17 + place * thick
        const path = isLying
          ? box(plot.left + low * wide, plot.bottom - start - thick, (top - low) * wide, thick)
          : box(plot.left + start, plot.bottom - top * high, thick, (top - low) * high)
        return [{ path, n }]
      })
      if (tell === undefined) marks.push({ path: columns.map(({ path }) => path).join(''), fill: color })
      else marks.push(...columns.map(({ path, n }) => ({ path, fill: color, title: tell(n, index) })))
      continue
    }
    const at = (n: number, value: number): string =>
      `${round(plot.left + (n + 0.5) * each)} ${round(plot.bottom - along(value) * high)}`
    const line = found.map((span, n) =>
      span === undefined ? '' : `${found[n - 1] === undefined ? 'M' : 'L'}${at(n, span[1])}`,
    )
    if (kind === 'area') {
      const back = found
        .flatMap((span, n) => (span === undefined ? [] : [`L${at(n, Math.max(scale.from, span[0]))}`]))
        .reverse()
      marks.push({
        path: `${line
          .filter(Boolean)
          .join('')
          .replace(/(?!^)M/g, 'L')}${back.join('')}Z`,
        fill: color,
      })
    } else {
      marks.push({ path: line.join(''), line: color, thick: Math.max(1.5, size / 6) })
      const dots = found.map((span, n) =>
        span === undefined ? '' : dot(plot.left + (n + 0.5) * each, plot.bottom - along(span[1]) * high, size * 0.24),
      )
      if (count <= 40) marks.push({ path: dots.join(''), fill: color })
    }
  }
  return marks
}

const dot = (x: number, y: number, radius: number): string =>
  `M${round(x - radius)} ${round(y)}a${round(radius)} ${round(radius)} 0 1 0 ${round(2 * radius)} 0a${round(radius)} ${round(radius)} 0 1 0 ${round(-2 * radius)} 0Z`
