// OpenDocument slides: the content of slides and their masters, each with its position and fill.
import type { Slide, SlideShape, Slides } from '@cloudoc/contract'
import { chartIn } from './odf-charts.ts'
import { pixels, pixelsOf } from './odf-size.ts'
import { type Attributes, colourIn, propertiesOf } from './odf-styles.ts'
import { OdfText, type Under } from './odf-text.ts'
import type { OfficePackage } from './package.ts'
import { at, child, children, descendants, type Element } from './xml.ts'

const [usualWidth, usualHeight] = [1058, 595]
const mostShapes = 5000
const deepest = 20

export function slidesOf(deck: Element, office: OfficePackage): Slides {
  const common = office.xml('styles.xml')
  const masters = new Map(
    children(at(common, 'office:master-styles'), 'style:master-page').map((one) => [
      one.attributes['style:name'] ?? '',
      one,
    ]),
  )
  const pages = children(deck, 'draw:page')
  const layoutOf = masters.get(pages[0]?.attributes['draw:master-page-name'] ?? '')
  const layout = children(at(common, 'office:automatic-styles'), 'style:page-layout').find(
    (one) => one.attributes['style:name'] === layoutOf?.attributes['style:page-layout-name'],
  )
  const size = child(layout, 'style:page-layout-properties')?.attributes ?? {}
  const own = new Drawn(office, new OdfText(office, 'content.xml'))
  const theirs = new Drawn(office, new OdfText(office, 'styles.xml'))
  /** The shapes of master pages, read once for each master. */
  const behind = new Map<Element, SlideShape[]>()
  const slides = pages.map((page): Slide => {
    const master = masters.get(page.attributes['draw:master-page-name'] ?? '')
    const look = own.page(page)
    const isBare = look.said['presentation:background-objects-visible'] === 'false'
    let shapes: SlideShape[] = []
    if (master !== undefined && !isBare) {
      shapes = behind.get(master) ?? theirs.shapes(master, true)
      behind.set(master, shapes)
    }
    const back = { ...(master === undefined ? {} : theirs.page(master).back), ...look.back }
    const notes = notesOf(page)
    return {
      ...back,
      shapes: [...shapes, ...own.shapes(page, false)],
      ...(notes === '' ? {} : { notes }),
      ...(look.said['presentation:visibility'] === 'hidden' ? { hidden: true } : {}),
    }
  })
  return {
    kind: 'slides',
    width: Math.min(4000, pixelsOf(size['fo:page-width'])) || usualWidth,
    height: Math.min(4000, pixelsOf(size['fo:page-height'])) || usualHeight,
    slides,
  }
}

function notesOf(page: Element): string {
  const frames = children(child(page, 'presentation:notes'), 'draw:frame')
  return frames
    .filter(({ attributes }) => attributes['presentation:class'] === 'notes')
    .flatMap((frame) => [...descendants(frame, 'text:p')].map(textIn))
    .join('\n')
    .trim()
}

function textIn(element: Element): string {
  return element.children.map((one) => (typeof one === 'string' ? one : textIn(one))).join('')
}

const forms: Readonly<Record<string, NonNullable<SlideShape['form']>>> = {
  'round-rectangle': 'round',
  'ooxml-roundRect': 'round',
  ellipse: 'ellipse',
  'ooxml-ellipse': 'ellipse',
  'isosceles-triangle': 'triangle',
  'ooxml-triangle': 'triangle',
  diamond: 'diamond',
  'ooxml-diamond': 'diamond',
  'pentagon-right': 'arrow',
  'right-arrow': 'arrow',
  'ooxml-rightArrow': 'arrow',
  'ooxml-homePlate': 'arrow',
}

/** Reads the drawings of one file of the package. */
class Drawn {
  readonly #office: OfficePackage
  readonly #text: OdfText

  constructor(office: OfficePackage, text: OdfText) {
    this.#office = office
    this.#text = text
  }

  /** The background of a page. */
  page(page: Element): { readonly said: Attributes; readonly back: Pick<Slide, 'fill' | 'image'> } {
    const chain = this.#text.styles.chain('drawing-page', page.attributes['draw:style-name'])
    const said = propertiesOf(chain, 'style:drawing-page-properties')
    const fill = this.#fill(said)
    const image = said['draw:fill'] === 'bitmap' ? this.#bitmap(said) : undefined
    return { said, back: { ...(fill !== undefined && { fill }), ...(image !== undefined && { image }) } }
  }

  shapes(holder: Element, isMaster: boolean): SlideShape[] {
    return this.#within(holder, isMaster, deepest).slice(0, mostShapes)
  }

  #within(holder: Element, isMaster: boolean, left: number): SlideShape[] {
    return children(holder).flatMap((one): SlideShape[] => {
      const { 'presentation:placeholder': placeholder, 'presentation:class': kind } = one.attributes
      // Placeholders of the master that slides fill are not drawn.
      if (placeholder === 'true' || (isMaster && kind !== undefined)) return []
      if (one.name === 'draw:g' || one.name === 'draw:a') return left === 0 ? [] : this.#within(one, isMaster, left - 1)
      if (one.name === 'draw:line' || one.name === 'draw:connector') return this.#line(one)
      return /^draw:(frame|custom-shape|rect|ellipse|circle)$/.test(one.name) ? this.#shape(one) : []
    })
  }

  #looks(shape: Element): { readonly chain: Element[]; readonly family: 'presentation' | 'graphic' } {
    const { styles } = this.#text
    const name = shape.attributes['presentation:style-name']
    const family = name === undefined ? 'graphic' : 'presentation'
    const chain = styles.chain(family, name ?? shape.attributes['draw:style-name'])
    return { family, chain: [...styles.usual('graphic'), ...chain] }
  }

  #line(shape: Element): SlideShape[] {
    const line = lineOf(propertiesOf(this.#looks(shape).chain, 'style:graphic-properties'), shape)
    if (line === undefined) return []
    const [x1, y1, x2, y2] = ['svg:x1', 'svg:y1', 'svg:x2', 'svg:y2'].map((name) => pixels(shape, name)) as [
      number,
      number,
      number,
      number,
    ]
    const [width, height] = [Math.abs(x2 - x1), Math.abs(y2 - y1)]
    return [{ x: Math.min(x1, x2), y: Math.min(y1, y2), width, height, form: 'line', line, flip: [x2 < x1, y2 < y1] }]
  }

  #shape(shape: Element): SlideShape[] {
    const { chain } = this.#looks(shape)
    const said = propertiesOf(chain, 'style:graphic-properties')
    const geometry = child(shape, 'draw:enhanced-geometry')
    const isFrame = shape.name === 'draw:frame'
    const type = geometry?.attributes['draw:type'] ?? ''
    const isRound = shape.name === 'draw:ellipse' || shape.name === 'draw:circle'
    const form = isRound
      ? ('ellipse' as const)
      : pixels(shape, 'draw:corner-radius') > 0
        ? ('round' as const)
        : forms[type]
    const drawing = isFrame ? chartIn(shape, this.#office) : undefined
    const image = isFrame ? this.#picture(shape) : said['draw:fill'] === 'bitmap' ? this.#bitmap(said) : undefined
    const fill = image === undefined && drawing === undefined ? this.#fill(said) : undefined
    const line = drawing === undefined ? lineOf(said) : undefined
    const words = this.#words(shape, chain)
    if (image === undefined && drawing === undefined && words.length === 0 && fill === undefined && line === undefined)
      return []
    const anchor = said['draw:textarea-vertical-align']
    const insets = (['top', 'right', 'bottom', 'left'] as const).map((side) => {
      const inset = said[`fo:padding-${side}`] ?? said['fo:padding']
      return inset === undefined ? (side === 'top' || side === 'bottom' ? 5 : 10) : Math.max(0, pixelsOf(inset))
    }) as [number, number, number, number]
    return [
      {
        ...placeOf(shape),
        ...(form !== undefined && { form }),
        ...(fill !== undefined && { fill }),
        ...(line !== undefined && { line }),
        ...(image !== undefined && { image }),
        ...(drawing !== undefined && { drawing }),
        ...(words.length > 0 && { blocks: words, insets }),
        ...((anchor === 'middle' || anchor === 'bottom') && { anchor }),
      },
    ]
  }

  #words(shape: Element, chain: readonly Element[]): SlideShape['blocks'] & object {
    const { styles } = this.#text
    const usual = styles.usual('paragraph')
    const all = [...usual, ...chain]
    const graphic = propertiesOf(chain, 'style:graphic-properties')
    const under: Under = {
      paragraph: propertiesOf(all, 'style:paragraph-properties'),
      words: propertiesOf(all, 'style:text-properties'),
    }
    if (under.paragraph['fo:text-align'] === undefined && graphic['draw:textarea-horizontal-align'] === 'center')
      Object.assign(under, { paragraph: { ...under.paragraph, 'fo:text-align': 'center' } })
    const outline = chain.map((one) => one.attributes['style:name'] ?? '').find((name) => name.endsWith('-outline1'))
    const atLevel = (level: number): Under => {
      if (outline === undefined || level === 0) return under
      const deeper = styles.chain('presentation', outline.replace(/1$/, String(Math.min(9, level + 1))))
      return {
        paragraph: propertiesOf(deeper, 'style:paragraph-properties', under.paragraph),
        words: propertiesOf(deeper, 'style:text-properties', under.words),
      }
    }
    const named = [...chain].reverse().find((one) => one.attributes['style:list-style-name'] !== undefined)
    const listStyle =
      styles.list(named?.attributes['style:list-style-name']) ??
      [...chain].reverse().flatMap((one) => [...descendants(one, 'text:list-style')])[0]
    const holder = shape.name === 'draw:frame' ? (child(shape, 'draw:text-box') ?? child(shape, 'table:table')) : shape
    const inTable = holder?.name === 'table:table' ? shape : holder
    const blocks = this.#text.blocksIn(inTable, under, { atLevel, listStyle })
    const isWritten = blocks.some((one) => one.is !== 'text' || one.runs.length > 0)
    return isWritten ? blocks : []
  }

  #fill(said: Attributes): string | undefined {
    if (said['draw:fill'] === 'solid') return colourIn(said['draw:fill-color'])
    if (said['draw:fill'] !== 'gradient') return undefined
    const gradient = this.#text.styles.named('draw:gradient', said['draw:fill-gradient-name'] ?? '')
    return colourIn(gradient?.attributes['draw:start-color'])
  }

  #bitmap(said: Attributes): number | undefined {
    const image = this.#text.styles.named('draw:fill-image', said['draw:fill-image-name'] ?? '')
    return this.#part(image)
  }

  #picture(frame: Element): number | undefined {
    return children(frame, 'draw:image')
      .map((one) => this.#part(one))
      .find((one) => one !== undefined)
  }

  #part(image: Element | undefined): number | undefined {
    const path = image?.attributes['xlink:href'] ?? ''
    return path === '' ? undefined : this.#office.picture(path.replace(/^\.\//, ''))
  }
}

function lineOf(said: Attributes, shape?: Element): SlideShape['line'] {
  const stroke = said['draw:stroke'] ?? (shape === undefined ? 'none' : 'solid')
  const color = colourIn(said['svg:stroke-color']) ?? (shape === undefined ? undefined : '#000000')
  if (stroke === 'none' || color === undefined) return undefined
  return { color, width: Math.max(1, pixelsOf(said['svg:stroke-width'])) }
}

/** The position of a shape; a rotated shape has a list of transformations. */
function placeOf(shape: Element): Pick<SlideShape, 'x' | 'y' | 'width' | 'height' | 'turn'> {
  const [width, height] = [pixels(shape, 'svg:width'), pixels(shape, 'svg:height')]
  const place = { x: pixels(shape, 'svg:x'), y: pixels(shape, 'svg:y'), width, height }
  const done = shape.attributes['draw:transform'] ?? ''
  const moved = /translate\s*\(\s*(\S+?)[\s,]+(\S+?)\s*\)/.exec(done)
  if (moved === null) return place
  const angle = Number(/rotate\s*\(\s*(-?[\d.]+)/.exec(done)?.[1] ?? 0)
  const [across, down] = [pixelsOf(moved[1]), pixelsOf(moved[2])]
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
  // OpenDocument rotates around the corner; the rendition rotates around the centre.
  const x = Math.round(across + (width * cos + height * sin) / 2 - width / 2)
  const y = Math.round(down + (height * cos - width * sin) / 2 - height / 2)
  const turn = Math.round((-angle * 1800) / Math.PI) / 10
  return { x, y, width, height, ...(turn === 0 ? {} : { turn }) }
}
