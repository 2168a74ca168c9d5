// OFD (GB/T 33190), the format of invoices: its pages with text, pictures and lines at their positions, the resources
// and annotations of each page included.

import { posix } from 'node:path'
import type { Slide, SlideShape, Slides } from '@cloudoc/contract'
import { Refused } from '../refusal.ts'
import { type OfficePackage, openPackage } from './package.ts'
import type { Reader } from './reader.ts'
import { type Element, textOf } from './xml.ts'

const mostPages = 2000
const deepest = 20
/** Maximum number of letters of one text that have places of their own. */
const mostLetters = 10_000
const perMm = 96 / 25.4

/** Element prefixes depend on the writer. */
const nameOf = ({ name }: Element): string => name.slice(name.indexOf(':') + 1)
const inside = (element: Element | undefined, name?: string): Element[] =>
  (element?.children ?? []).filter(
    (one): one is Element => typeof one !== 'string' && (name === undefined || nameOf(one) === name),
  )
const down = (element: Element | undefined, ...path: readonly string[]): Element | undefined =>
  path.reduce<Element | undefined>((at, name) => inside(at, name)[0], element)
const numbers = (text: string | undefined): number[] => (text ?? '').trim().split(/\s+/).map(Number)
const px = (mm: number): number => Math.round(mm * perMm * 100) / 100

/** Where a path in a file leads, from the folder of that file. */
const within = (base: string, target: string): string =>
  target.startsWith('/') ? target.slice(1) : posix.join(base, target)
const pathIn = (element: Element | undefined): string => (element === undefined ? '' : textOf(element).trim())

export const readOfd: Reader = ({ bytes, parts, progress }): Slides => {
  const office = openPackage(bytes, parts)
  const root = office.xml('OFD.xml')
  if (root === undefined) throw new Refused('conversionFailed', 'no OFD in it')
  if (office.zip.bytes('Encryptions.xml') !== undefined) throw new Refused('sourceEncrypted')
  const slides: Slide[] = []
  let size: readonly [number, number] | undefined
  for (const body of inside(root, 'DocBody')) {
    const path = pathIn(down(body, 'DocRoot')).replace(/^\//, '')
    const document = office.xml(path)
    if (document === undefined) continue
    const folder = posix.dirname(path)
    const common = down(document, 'CommonData')
    const shared = resourcesOf(office, folder, ['PublicRes', 'DocumentRes'], common, {
      pictures: new Map(),
      groups: new Map(),
    })
    const templates = new Map(
      inside(common, 'TemplatePage').map((one) => [
        one.attributes['ID'] ?? '',
        within(folder, one.attributes['BaseLoc'] ?? ''),
      ]),
    )
    const notes = annotationsOf(office, folder, document)
    const usual = numbers(textOf(down(common, 'PageArea', 'PhysicalBox')))
    const pages = inside(down(document, 'Pages'), 'Page').slice(0, mostPages)
    for (const [n, page] of pages.entries()) {
      progress(n / pages.length)
      const file = within(folder, page.attributes['BaseLoc'] ?? '')
      const content = office.xml(file)
      const own = down(content, 'Area', 'PhysicalBox')
      const [, , w = 210, h = 297] = own === undefined ? usual : numbers(textOf(own))
      size ??= [px(w || 210), px(h || 297)]
      const drawn = [
        ...inside(content, 'Template').map((one) => templates.get(one.attributes['TemplateID'] ?? '') ?? ''),
        file,
      ]
      slides.push({
        shapes: [
          ...drawn.flatMap((path) => pageShapes(office, path, folder, shared)),
          ...(notes.get(page.attributes['ID'] ?? '') ?? []).flatMap((one) =>
            annotationShapes(office, one, folder, shared),
          ),
        ],
      })
    }
  }
  if (slides.length === 0) throw new Refused('conversionFailed', 'no page in it')
  const [width = 0, height = 0] = size ?? []
  return { kind: 'slides', paper: true, width: Math.round(width), height: Math.round(height), slides }
}

/** What the objects of a page name by an ID. */
interface Resources {
  /** Paths of pictures. */
  readonly pictures: ReadonlyMap<string, string>
  /** Objects that are drawn as one, at each place that names them. */
  readonly groups: ReadonlyMap<string, Element>
}

/**
 * Reads resource files and adds their content to `base`. Their paths lead from the folder of the file that names them;
 * some writers mean the folder of the document.
 */
function resourcesOf(
  office: OfficePackage,
  folder: string,
  kinds: readonly string[],
  element: Element | undefined,
  base: Resources,
  documentFolder = folder,
): Resources {
  const files = kinds.flatMap((kind) => inside(element, kind).map(pathIn))
  if (files.length === 0) return base
  const pictures = new Map(base.pictures)
  const groups = new Map(base.groups)
  for (const target of files) {
    const file = [within(folder, target), within(documentFolder, target)].find((one) => office.zip.bytes(one))
    const found = file === undefined ? undefined : office.xml(file)
    if (file === undefined || found === undefined) continue
    const at = within(posix.dirname(file), found.attributes['BaseLoc'] ?? '')
    for (const medium of inside(down(found, 'MultiMedias'), 'MultiMedia')) {
      pictures.set(medium.attributes['ID'] ?? '', within(at, pathIn(down(medium, 'MediaFile'))))
    }
    for (const unit of inside(down(found, 'CompositeGraphicUnits'), 'CompositeGraphicUnit')) {
      const content = down(unit, 'Content')
      if (content !== undefined) groups.set(unit.attributes['ID'] ?? '', content)
    }
  }
  return { pictures, groups }
}

/** Returns the paths of the annotation files, by the ID of their page. */
function annotationsOf(office: OfficePackage, folder: string, document: Element): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>()
  for (const list of inside(document, 'Annotations')) {
    const path = within(folder, pathIn(list))
    for (const page of inside(office.xml(path), 'Page')) {
      const id = page.attributes['PageID'] ?? ''
      found.set(id, [...(found.get(id) ?? []), within(posix.dirname(path), pathIn(down(page, 'FileLoc')))])
    }
  }
  return found
}

function pageShapes(office: OfficePackage, path: string, folder: string, shared: Resources): SlideShape[] {
  const page = office.xml(path)
  const own = resourcesOf(office, posix.dirname(path), ['PageRes'], page, shared, folder)
  const to = drawingTo(office, own)
  return inside(down(page, 'Content'), 'Layer').flatMap((layer) => shapesOf(layer, to, [0, 0], 0))
}

function annotationShapes(office: OfficePackage, path: string, folder: string, shared: Resources): SlideShape[] {
  const page = office.xml(path)
  const own = resourcesOf(office, posix.dirname(path), ['PageRes'], page, shared, folder)
  return inside(page, 'Annot').flatMap((annotation) => {
    if (annotation.attributes['Visible'] === 'false') return []
    return inside(annotation, 'Appearance').flatMap((one) => {
      const [x = 0, y = 0] = numbers(one.attributes['Boundary'])
      return shapesOf(one, drawingTo(office, own), [x || 0, y || 0], 0)
    })
  })
}

interface Drawing {
  picture(id: string): number | undefined
  group(id: string): Element | undefined
}

const drawingTo = (office: OfficePackage, { pictures, groups }: Resources): Drawing => ({
  picture(id) {
    const file = pictures.get(id)
    return file === undefined ? undefined : office.picture(file)
  },
  group: (id) => groups.get(id),
})

type Point = readonly [x: number, y: number]

/** The shapes of the objects in an element, whose coordinates begin at `origin`. */
function shapesOf(element: Element, to: Drawing, origin: Point, depth: number): SlideShape[] {
  if (depth > deepest) return []
  return inside(element).flatMap((one): SlideShape[] => {
    if (one.attributes['Visible'] === 'false') return []
    const [left = 0, top = 0, width = 0, height = 0] = numbers(one.attributes['Boundary'])
    const [x, y] = [origin[0] + left, origin[1] + top]
    switch (nameOf(one)) {
      case 'PageBlock':
        return shapesOf(one, to, origin, depth + 1)
      case 'CompositeObject': {
        const group = to.group(one.attributes['ResourceID'] ?? '')
        return group === undefined ? [] : shapesOf(group, to, [x, y], depth + 1)
      }
      case 'TextObject':
        return textShapes(one, [x, y], width)
      case 'ImageObject': {
        const image = to.picture(one.attributes['ResourceID'] ?? '')
        return image === undefined ? [] : [{ x: px(x), y: px(y), width: px(width), height: px(height), image }]
      }
      case 'PathObject':
        return linesOf(one, x, y)
      default:
        return []
    }
  })
}

const colorOf = (element: Element | undefined): string => {
  const [r = 0, g = 0, b = 0] = numbers(element?.attributes['Value']).map((one) => (one >= 0 && one <= 255 ? one : 0))
  return `#${[r, g, b].map((one) => Math.round(one).toString(16).padStart(2, '0')).join('')}`
}

/** Expands `DeltaX` and `DeltaY`: the distances between letters; `g 3 8` is three times 8. */
function distances(text: string | undefined): number[] {
  const tokens = (text ?? '').trim().split(/\s+/)
  const found: number[] = []
  for (let at = 0; at < tokens.length && found.length < mostLetters; at += 1) {
    if (tokens[at] !== 'g') found.push(Number(tokens[at]) || 0)
    else {
      const times = Math.min(mostLetters, Math.max(0, Number(tokens[at + 1]) || 0))
      found.push(...Array.from({ length: times }, () => Number(tokens[at + 2]) || 0))
      at += 2
    }
  }
  return found
}

/** The width of a letter in parts of its size, where nothing says it. */
const naturalWidth = (letter: string): number => (letter > '\u2e80' ? 1 : 0.5)

interface Piece {
  readonly text: string
  readonly at: Point
}

/**
 * Splits a text where a letter is not about where it would follow by itself, so that the other letters stay words that
 * can be selected.
 */
function piecesOf(code: Element, start: Point, size: number, isDownward: boolean): Piece[] {
  const letters = [...textOf(code)]
  const [across, below] = [code.attributes['DeltaX'], code.attributes['DeltaY']]
  if (across === undefined && below === undefined && !isDownward) return [{ text: letters.join(''), at: start }]
  const [deltaX, deltaY] = [distances(across), distances(below)]
  const pieces: Piece[] = []
  let [x, y] = start
  let open: { text: string; at: Point; next: number } | undefined
  for (const [n, letter] of letters.entries()) {
    if (open === undefined || Math.abs(open.at[1] - y) > size * 0.1 || Math.abs(open.next - x) > size * 0.4) {
      if (open !== undefined) pieces.push(open)
      open = { text: '', at: [x, y], next: x }
    }
    open.text += letter
    open.next += naturalWidth(letter) * size
    x += deltaX[n] ?? (isDownward || across !== undefined || below !== undefined ? (deltaX.at(-1) ?? 0) : 0)
    y += deltaY[n] ?? (isDownward && below === undefined ? size : (deltaY.at(-1) ?? 0))
  }
  if (open !== undefined) pieces.push(open)
  return pieces
}

function textShapes(object: Element, [left, top]: Point, room: number): SlideShape[] {
  const {
    CTM: matrix,
    Weight: weight,
    Italic: slant,
    ReadDirection: reading,
    CharDirection: turned,
  } = object.attributes
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix === undefined ? [] : numbers(matrix)
  const own = Number(object.attributes['Size'] ?? 4)
  const size = own * (Math.hypot(c, d) || 1)
  const letterTurn = Number(turned ?? 0) || 0
  const turn = Math.round((Math.atan2(b, a) * 180) / Math.PI) + letterTurn
  const stretch = Math.hypot(a, b) || 1
  const look = {
    size: px(size),
    color: colorOf(down(object, 'FillColor')),
    ...(Number(weight) >= 600 && { bold: true as const }),
    ...(slant === 'true' && { italic: true as const }),
  }
  let [x, y] = [0, 0]
  let isFirst = true
  return inside(object, 'TextCode').flatMap((code) => {
    // Without a position, the text continues at the previous one.
    x = Number(code.attributes['X'] ?? x)
    y = Number(code.attributes['Y'] ?? y)
    const pieces = piecesOf(code, [x, y], own, reading === '90').filter(({ text }) => text.trim() !== '')
    return pieces.map(({ text, at }, n): SlideShape => {
      const natural = [...text].reduce((sum, letter) => sum + naturalWidth(letter), 0) * own * stretch
      const width = px((isFirst && pieces.length === 1 ? Math.max(room, natural) : natural) + size)
      isFirst = false
      const height = px(size * 1.3)
      const baseline = [px(left + at[0] * a + at[1] * c + e), px(top + at[0] * b + at[1] * d + f)] as const
      // A shape is turned around its middle; the start of its baseline has to be where the matrix puts it.
      const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)]
      const [fromX, fromY] = [-width / 2, px(size) - height / 2]
      return {
        x: baseline[0] - (fromX * cos - fromY * sin) - width / 2,
        y: baseline[1] - (fromX * sin + fromY * cos) - height / 2,
        width,
        height,
        ...(turn % 360 !== 0 && { turn: turn % 360 }),
        ...(n > 0 && { joined: true as const }),
        insets: [0, 0, 0, 0] as const,
        blocks: [{ is: 'text' as const, runs: [{ text, ...look }], line: 1.2 }],
      }
    })
  })
}

function linesOf(object: Element, left: number, top: number): SlideShape[] {
  if (object.attributes['Stroke'] === 'false') return []
  const width = Math.max(1, px(Number(object.attributes['LineWidth'] ?? 0.353)))
  const color = colorOf(down(object, 'StrokeColor'))
  const tokens = textOf(down(object, 'AbbreviatedData')).trim().split(/\s+/)
  const shapes: SlideShape[] = []
  let [x, y, startX, startY] = [0, 0, 0, 0]
  const line = (toX: number, toY: number): void => {
    shapes.push({
      x: px(left + Math.min(x, toX)),
      y: px(top + Math.min(y, toY)),
      width: px(Math.abs(toX - x)),
      height: px(Math.abs(toY - y)),
      form: 'line',
      flip: [toX < x, toY < y],
      line: { color, width },
    })
    x = toX
    y = toY
  }
  for (let at = 0; at < tokens.length && shapes.length < 5000; ) {
    const command = tokens[at] ?? ''
    const [toX, toY] = [Number(tokens[at + 1]), Number(tokens[at + 2])]
    if (command === 'M' || command === 'S') {
      x = startX = toX
      y = startY = toY
      at += 3
    } else if (command === 'L') {
      line(toX, toY)
      at += 3
    } else if (command === 'C') {
      line(startX, startY)
      at += 1
    } else at += 1
  }
  return shapes.every((one) => Number.isFinite(one.x + one.y + one.width + one.height)) ? shapes : []
}
