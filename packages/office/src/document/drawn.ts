// Drawings within the text of a Word document: pictures, charts, diagrams and text boxes, at their anchors.
import { drawChart, readChart } from '../chart/index.ts'
import { children, descendants, type Element, fromEmu, numberAt, textOf } from '../package/index.ts'
import type { Block } from '../rendition/index.ts'
import { alternative, type Piece, type Story } from './story.ts'

/** The pieces of a drawing; `read` reads the content of a text box. */
export function* drawnRuns(element: Element, story: Story, read: (box: Element) => Block[]): Generator<Piece> {
  const chosen = element.name === 'mc:AlternateContent' ? (alternative(element) ?? element) : element
  const size = sizeOf(chosen)
  const about = [...descendants(chosen, 'wp:docPr')][0]?.attributes
  const alt = about?.['descr'] ?? about?.['title'] ?? ''
  let isShown = false
  for (const id of picturesIn(chosen)) {
    const target = story.relations.get(id)?.target
    const part = target ? story.office.picture(target) : undefined
    isShown = true
    yield part === undefined ? { missing: { what: 'image', name: alt, ...size } } : { image: { part, ...size, alt } }
  }
  for (const one of descendants(chosen, 'c:chart')) {
    const target = story.relations.get(one.attributes['r:id'] ?? '')?.target
    const chart = target ? readChart(story.office.xml(target), story.theme) : undefined
    const [width, height] = [size.width || 480, size.height || 288]
    isShown = true
    yield chart === undefined
      ? { missing: { what: 'object', name: alt, width, height } }
      : { drawing: drawChart(chart, width, height) }
  }
  for (const one of descendants(chosen, 'dgm:relIds')) {
    isShown = true
    yield { blocks: boxed(diagramOf(one, story), size.width) }
  }
  for (const box of outermost(chosen, 'w:txbxContent')) {
    isShown = true
    const blocks = read(box)
    if (blocks.some((one) => one.is !== 'text' || one.runs.length > 0)) yield { blocks: boxed(blocks, size.width) }
  }
  // A shape without text is decoration; an object that is not known leaves its place.
  const name = [...descendants(chosen, 'o:OLEObject')][0]?.attributes['ProgID']
  if (!isShown && (name !== undefined || isUnknown(chosen)))
    yield { missing: { what: 'object', name: alt || (name ?? ''), ...size } }
}

const known = /\/(picture|chart|diagram|wordprocessingShape|wordprocessingGroup|wordprocessingCanvas)$/

const isUnknown = (drawing: Element): boolean =>
  [...descendants(drawing, 'a:graphicData')].some(({ attributes }) => !known.test(attributes['uri'] ?? ''))

/** A text box: a frame of one cell around its content. */
const boxed = (blocks: readonly Block[], width: number): Block[] => [
  { is: 'table', widths: width > 0 ? [width] : [], rows: [[{ blocks }]] },
]

function picturesIn(chosen: Element): string[] {
  const blips = [...descendants(chosen, 'a:blip')].map((one) => one.attributes['r:embed'] ?? one.attributes['r:link'])
  const old = [...descendants(chosen, 'v:imagedata')].map((one) => one.attributes['r:id'])
  return [...blips, ...old].filter((id): id is string => id !== undefined)
}

function sizeOf(chosen: Element): { width: number; height: number } {
  const extent = [...descendants(chosen, 'wp:extent')][0]
  const style = [...descendants(chosen, 'v:shape')][0]?.attributes['style'] ?? ''
  const points = (name: string): number => Number(new RegExp(`(?:^|;)${name}:([\\d.]+)pt`).exec(style)?.[1] ?? 0)
  return {
    width: fromEmu(numberAt(extent, 'cx')) || (points('width') * 4) / 3,
    height: fromEmu(numberAt(extent, 'cy')) || (points('height') * 4) / 3,
  }
}

/** The texts of a diagram (SmartArt), one below the other. */
function diagramOf(ids: Element, story: Story): Block[] {
  const target = story.relations.get(ids.attributes['r:dm'] ?? '')?.target
  const root = target ? story.office.xml(target) : undefined
  return [...descendants(root, 'dgm:t')].flatMap((words) =>
    children(words, 'a:p').flatMap((paragraph): Block[] => {
      const text = [...descendants(paragraph, 'a:t')].map(textOf).join('')
      return text === '' ? [] : [{ is: 'text', align: 'center', runs: [{ text }] }]
    }),
  )
}

/** The elements of a name that stand in no other one of it. */
function outermost(element: Element, name: string): Element[] {
  return children(element).flatMap((one): Element[] => {
    if (one.name === name) return [one]
    if (one.name !== 'mc:AlternateContent') return outermost(one, name)
    return outermost(alternative(one) ?? one, name)
  })
}
