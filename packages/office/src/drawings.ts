/*
 * What lies on a sheet: pictures and charts. They are shown where they are and stay as they stand, but for the words over a chart; what a chart shows is read
 * from the cells that it names, so it changes with them.
 */
import { parseFormula, type Reference } from './formula.ts'
import { escape, NotEditable, type Package, relationsOf } from './package.ts'
import { StructureRefused } from './structure-refused.ts'
import { type Placed, spliced, treeOf } from './xml.ts'

/** A corner: a cell, and how many pixels it is inside of it. */
export interface Corner {
  readonly row: number
  readonly column: number
  readonly down: number
  readonly across: number
}

/** Words or numbers of cells: where they are, and what was there when the file was written. */
export interface Source {
  readonly of?: Reference
  readonly kept: readonly string[]
}

export interface Series {
  readonly name: Source
  readonly categories: Source
  readonly values: Source
  /** Six hexadecimal digits after `#`, where it has a colour of its own. */
  readonly color?: string
}

export type ChartKind = 'column' | 'bar' | 'line' | 'area' | 'pie'

export interface Plot {
  readonly kind: ChartKind
  /** Whether what belongs to one category lies on each other. */
  readonly isStacked: boolean
  readonly series: readonly Series[]
}

export interface Chart {
  readonly kind: 'chart'
  readonly part: string
  readonly title: string
  /** None where it is of a kind that is not drawn. */
  readonly plots: readonly Plot[]
}

export interface Drawing {
  /** Where it stands among the others. */
  readonly id: string
  readonly from: Corner
  readonly to?: Corner
  /** Pixels, where it has no second corner. */
  readonly width: number
  readonly height: number
  readonly shows:
    | { readonly kind: 'picture'; readonly part: string; readonly type: string }
    | Chart
    | { readonly kind: 'other' }
}

const perPixel = 9525
const mostDrawings = 200
const pictures: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  bmp: 'image/bmp',
  webp: 'image/webp',
}

const isElement = (one: Placed | string): one is Placed => typeof one !== 'string'
const nameOf = ({ name }: Placed): string => name.slice(name.indexOf(':') + 1)
const childrenOf = (of: Placed | undefined, name: string): Placed[] =>
  (of?.children ?? []).filter(isElement).filter((one) => nameOf(one) === name)
const childOf = (of: Placed | undefined, ...names: readonly string[]): Placed | undefined =>
  names.reduce<Placed | undefined>((at, name) => childrenOf(at, name)[0], of)
const textIn = (of: Placed | undefined): string =>
  (of?.children ?? []).map((one) => (isElement(one) ? textIn(one) : one)).join('')
const valueOf = (of: Placed | undefined): string => of?.attributes['val'] ?? ''

/** The first of that name, however deep. */
function within(of: Placed | undefined, name: string): Placed | undefined {
  for (const one of (of?.children ?? []).filter(isElement)) {
    const found = nameOf(one) === name ? one : within(one, name)
    if (found !== undefined) return found
  }
  return undefined
}

/** What lies on a sheet; what cannot be read is left out, and stays in the file. */
export function drawingsOf(office: Package, sheet: string): readonly Drawing[] {
  const own = [...relationsOf(office, sheet).values()].find(({ kind }) => kind === 'drawing')
  if (own === undefined || !office.has(own.part)) return []
  try {
    const root = treeOf(office.text(own.part))
    const relations = relationsOf(office, own.part)
    return root.children
      .filter(isElement)
      .slice(0, mostDrawings)
      .flatMap((anchor, n) => {
        const [first, last] = [childOf(anchor, 'from'), childOf(anchor, 'to')]
        if (first === undefined) return []
        const size = childOf(anchor, 'ext')
        const pixels = (name: string): number => Math.round(Number(size?.attributes[name] ?? 0) / perPixel)
        return [
          {
            id: `${own.part} ${n}`,
            from: cornerOf(first),
            ...(last !== undefined && { to: cornerOf(last) }),
            width: pixels('cx'),
            height: pixels('cy'),
            shows: shownBy(office, anchor, relations),
          },
        ]
      })
  } catch (error) {
    if (error instanceof NotEditable) return []
    throw error
  }
}

function cornerOf(of: Placed): Corner {
  const number = (name: string): number => Number(textIn(childOf(of, name))) || 0
  return {
    row: number('row'),
    column: number('col'),
    down: Math.round(number('rowOff') / perPixel),
    across: Math.round(number('colOff') / perPixel),
  }
}

function shownBy(office: Package, anchor: Placed, relations: ReturnType<typeof relationsOf>): Drawing['shows'] {
  const partOf = (of: Placed | undefined, attribute: string): string | undefined => {
    const part = relations.get(of?.attributes[attribute] ?? '')?.part
    return part !== undefined && office.has(part) ? part : undefined
  }
  const picture = partOf(within(childOf(anchor, 'pic'), 'blip'), 'r:embed')
  const type = pictures[picture?.slice(picture.lastIndexOf('.') + 1).toLowerCase() ?? '']
  if (picture !== undefined && type !== undefined) return { kind: 'picture', part: picture, type }
  const chart = partOf(within(childOf(anchor, 'graphicFrame', 'graphic', 'graphicData'), 'chart'), 'r:id')
  return (chart === undefined ? undefined : chartOf(office, chart)) ?? { kind: 'other' }
}

const kinds: Readonly<Record<string, ChartKind>> = {
  barChart: 'column',
  bar3DChart: 'column',
  lineChart: 'line',
  line3DChart: 'line',
  areaChart: 'area',
  area3DChart: 'area',
  pieChart: 'pie',
  pie3DChart: 'pie',
  doughnutChart: 'pie',
  ofPieChart: 'pie',
}

function chartOf(office: Package, part: string): Chart | undefined {
  const root = treeOf(office.text(part))
  const chart = childOf(root, 'chart')
  if (chart === undefined) return undefined
  const area = childOf(chart, 'plotArea')
  const all = (area?.children ?? []).filter(isElement).filter((one) => nameOf(one).endsWith('Chart'))
  const plots = all.flatMap((one): Plot[] => {
    const kind = kinds[nameOf(one)]
    if (kind === undefined) return []
    const isAcross = kind === 'column' && valueOf(childOf(one, 'barDir')) === 'bar'
    const series = childrenOf(one, 'ser').map(seriesOf)
    return [{ kind: isAcross ? 'bar' : kind, isStacked: /tacked/.test(valueOf(childOf(one, 'grouping'))), series }]
  })
  const title =
    titleOf(chart) ||
    (plots.length === 1 && plots[0]?.series.length === 1 ? (plots[0].series[0]?.name.kept[0] ?? '') : '')
  return { kind: 'chart', part, title, plots: plots.length === all.length ? plots : [] }
}

const titleOf = (chart: Placed): string => {
  const title = childOf(chart, 'title')
  return textIn(childOf(title, 'tx', 'rich')).trim() || sourceOf(childOf(title, 'tx')).kept.join(' ')
}

function seriesOf(of: Placed): Series {
  const rgb =
    valueOf(childOf(of, 'spPr', 'solidFill', 'srgbClr')) || valueOf(childOf(of, 'spPr', 'ln', 'solidFill', 'srgbClr'))
  return {
    name: sourceOf(childOf(of, 'tx')),
    categories: sourceOf(childOf(of, 'cat')),
    values: sourceOf(childOf(of, 'val')),
    ...(/^[0-9A-Fa-f]{6}$/.test(rgb) && { color: `#${rgb}` }),
  }
}

function sourceOf(of: Placed | undefined): Source {
  const data = (of?.children ?? []).filter(isElement)[0]
  if (data === undefined) return { kept: [] }
  if (nameOf(data) === 'v') return { kept: [textIn(data)] }
  const cache = (data.children ?? []).filter(isElement).find((one) => /Cache$|Lit$/.test(nameOf(one))) ?? data
  const points = childrenOf(within(cache, 'lvl') ?? cache, 'pt')
  const kept: string[] = []
  for (const point of points) {
    const at = Number(point.attributes['idx'])
    if (Number.isInteger(at) && at >= 0 && at < 10_000) kept[at] = textIn(childOf(point, 'v'))
  }
  const formula = textIn(childOf(data, 'f'))
  const named = formula === '' ? undefined : referenceOf(formula)
  return { kept: Array.from(kept, (one) => one ?? ''), ...(named !== undefined && { of: named }) }
}

const mostTitle = 255
const letters = 'http://schemas.openxmlformats.org/drawingml/2006/main'

/** The part of a chart that lies on a sheet, with other words over it: in the looks of the first that stood there. */
export function withChartTitle(office: Package, sheet: string, part: string, words: string): string {
  if (!drawingsOf(office, sheet).some(({ shows }) => shows.kind === 'chart' && shows.part === part))
    throw new StructureRefused('other')
  const xml = office.text(part)
  const chart = childOf(treeOf(xml), 'chart')
  if (chart === undefined) throw new StructureRefused('other')
  const text = escape(words.trim().slice(0, mostTitle))
  const title = childOf(chart, 'title')
  const pieces = allWithin(childOf(title, 'tx', 'rich'), 't')
  // One that is drawn without a word of its own is an empty element.
  if (pieces.length > 0 && pieces.every(({ inner, to }) => inner < to)) {
    return spliced(
      xml,
      pieces.map(({ inner, outer }, n) => ({ from: inner, to: outer, by: n === 0 ? text : '' })),
    )
  }
  const prefix = chart.name.slice(0, chart.name.indexOf(':') + 1)
  const rich = `<${prefix}tx><${prefix}rich><a:bodyPr xmlns:a="${letters}"/><a:p xmlns:a="${letters}"><a:r><a:t>${text}</a:t></a:r></a:p></${prefix}rich></${prefix}tx>`
  const shown = childrenOf(chart, 'autoTitleDeleted').map(({ from, to }) => ({ from, to, by: '' }))
  if (title === undefined) {
    const whole = `<${prefix}title>${rich}<${prefix}overlay val="0"/></${prefix}title><${prefix}autoTitleDeleted val="0"/>`
    return spliced(xml, [{ from: chart.inner, to: chart.inner, by: whole }, ...shown])
  }
  const before = childOf(title, 'tx')
  if (title.inner === title.to) {
    return spliced(xml, [{ from: title.from, to: title.to, by: `<${prefix}title>${rich}</${prefix}title>` }])
  }
  return spliced(xml, [{ from: before?.from ?? title.inner, to: before?.to ?? title.inner, by: rich }])
}

/** All of that name, however deep. */
function allWithin(of: Placed | undefined, name: string): Placed[] {
  const below = (of?.children ?? []).filter(isElement)
  return below.flatMap((one) => [...(nameOf(one) === name ? [one] : []), ...allWithin(one, name)])
}

/** The one area that a formula names. */
function referenceOf(formula: string): Reference | undefined {
  try {
    const { references } = parseFormula(formula)
    return references.length === 1 ? references[0] : undefined
  } catch {
    return undefined
  }
}
