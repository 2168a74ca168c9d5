/*
 * The drawings of a sheet: pictures and charts. They are rendered and preserved unchanged, except for chart titles. The
 * data of a chart is read from the cells that it references, so the chart follows their changes.
 */
import { parseFormula, type Reference } from './formula.ts'
import { escape, NotEditable, type Package, relationsOf } from './package.ts'
import { StructureRefused } from './structure-refused.ts'
import { type Placed, spliced, treeOf } from './xml.ts'

/** An anchor corner: a cell, and the pixel offset inside it. */
export interface Corner {
  readonly row: number
  readonly column: number
  readonly down: number
  readonly across: number
}

/** Texts or numbers from cells: the cell reference, and the values cached in the file. */
export interface Source {
  readonly of?: Reference
  readonly kept: readonly string[]
}

export interface Series {
  readonly name: Source
  readonly categories: Source
  readonly values: Source
  /** `#` and six hexadecimal digits, if it has a color of its own. */
  readonly color?: string
}

export type ChartKind = 'column' | 'bar' | 'line' | 'area' | 'pie'

export interface Plot {
  readonly kind: ChartKind
  /** Whether the values of one category are stacked. */
  readonly isStacked: boolean
  readonly series: readonly Series[]
}

export interface Chart {
  readonly kind: 'chart'
  readonly part: string
  readonly title: string
  /** Empty if the chart type is not supported. */
  readonly plots: readonly Plot[]
}

export interface Drawing {
  /** The position of the drawing among the others, as an id. */
  readonly id: string
  readonly from: Corner
  readonly to?: Corner
  /** In pixels; used if there is no second corner. */
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

/** Finds the first descendant with this name. */
function within(of: Placed | undefined, name: string): Placed | undefined {
  for (const one of (of?.children ?? []).filter(isElement)) {
    const found = nameOf(one) === name ? one : within(one, name)
    if (found !== undefined) return found
  }
  return undefined
}

/** Reads the drawings of a sheet. Drawings that cannot be read are left out, and remain in the file. */
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

/**
 * Returns a chart part of a sheet with another title. The title has the formatting of the first run of the previous
 * title.
 */
export function withChartTitle(office: Package, sheet: string, part: string, words: string): string {
  if (!drawingsOf(office, sheet).some(({ shows }) => shows.kind === 'chart' && shows.part === part))
    throw new StructureRefused('other')
  const xml = office.text(part)
  const chart = childOf(treeOf(xml), 'chart')
  if (chart === undefined) throw new StructureRefused('other')
  const text = escape(words.trim().slice(0, mostTitle))
  const title = childOf(chart, 'title')
  const pieces = allWithin(childOf(title, 'tx', 'rich'), 't')
  // A self-closing `a:t` has no content to replace.
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

/** Finds all descendants with this name. */
function allWithin(of: Placed | undefined, name: string): Placed[] {
  const below = (of?.children ?? []).filter(isElement)
  return below.flatMap((one) => [...(nameOf(one) === name ? [one] : []), ...allWithin(one, name)])
}

/** The single area that a formula references. */
function referenceOf(formula: string): Reference | undefined {
  try {
    const { references } = parseFormula(formula)
    return references.length === 1 ? references[0] : undefined
  } catch {
    return undefined
  }
}
