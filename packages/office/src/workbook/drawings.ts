/*
 * The drawings of a sheet: pictures and charts. They are rendered and preserved unchanged, except for chart titles. The
 * data of a chart is read from the cells that it references, so the chart follows their changes.
 */
import { type Chart as ChartModel, parseChart } from '../chart/index.ts'
import {
  escape,
  mainPart,
  NotEditable,
  type Package,
  type Placed,
  relationsOf,
  spliced,
  themeColors,
  treeOf,
} from '../package/index.ts'
import { StructureRefused } from './structure-refused.ts'

/** An anchor corner: a cell, and the pixel offset inside it. */
export interface Corner {
  readonly row: number
  readonly column: number
  readonly down: number
  readonly across: number
}

export interface Chart {
  readonly kind: 'chart'
  readonly part: string
  readonly title: string
  /** What the file stores of it; undefined if none of its plots can be drawn. */
  readonly model: ChartModel | undefined
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

function chartOf(office: Package, part: string): Chart | undefined {
  const root = treeOf(office.text(part))
  if (childOf(root, 'chart') === undefined) return undefined
  const model = parseChart(root, themeOf(office))
  return { kind: 'chart', part, title: model?.title ?? '', model }
}

function themeOf(office: Package): ReadonlyMap<string, string> {
  const theme = [...relationsOf(office, mainPart(office, 'xl/workbook.xml')).values()].find(
    ({ kind }) => kind === 'theme',
  )?.part
  return themeColors(theme !== undefined && office.has(theme) ? treeOf(office.text(theme)) : undefined)
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
