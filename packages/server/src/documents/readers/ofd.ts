// OFD (GB/T 33190), the format of invoices: its pages with text, pictures and straight lines at their positions.

import { posix } from 'node:path'
import type { Slide, SlideShape, Slides } from '@cloudoc/contract'
import { Refused } from '../refusal.ts'
import { openPackage } from './package.ts'
import type { Reader } from './reader.ts'
import { type Element, textOf } from './xml.ts'

const mostPages = 2000
const deepest = 20
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

export const readOfd: Reader = ({ bytes, parts, progress }): Slides => {
  const office = openPackage(bytes, parts)
  const root = office.xml('OFD.xml')
  if (root === undefined) throw new Refused('conversionFailed', 'no OFD in it')
  if (office.zip.bytes('Encryptions.xml') !== undefined) throw new Refused('sourceEncrypted')
  const slides: Slide[] = []
  let [width, height] = [0, 0]
  for (const body of inside(root, 'DocBody')) {
    const path = (down(body, 'DocRoot') ? textOf(down(body, 'DocRoot')) : '').trim().replace(/^\//, '')
    const document = office.xml(path)
    if (document === undefined) continue
    const folder = posix.dirname(path)
    const within = (base: string, target: string): string =>
      target.startsWith('/') ? target.slice(1) : posix.join(base, target)
    const common = down(document, 'CommonData')
    const pictures = new Map<string, string>()
    for (const kind of ['PublicRes', 'DocumentRes']) {
      for (const one of inside(common, kind)) {
        const file = within(folder, textOf(one).trim())
        const resources = office.xml(file)
        const base = within(posix.dirname(file), resources?.attributes['BaseLoc'] ?? '')
        for (const medium of inside(down(resources, 'MultiMedias'), 'MultiMedia')) {
          const target = textOf(down(medium, 'MediaFile')).trim()
          pictures.set(medium.attributes['ID'] ?? '', within(base, target))
        }
      }
    }
    const templates = new Map(
      inside(common, 'TemplatePage').map((one) => [
        one.attributes['ID'] ?? '',
        within(folder, one.attributes['BaseLoc'] ?? ''),
      ]),
    )
    const usual = numbers(textOf(down(common, 'PageArea', 'PhysicalBox')))
    const pages = inside(down(document, 'Pages'), 'Page').slice(0, mostPages)
    for (const [n, page] of pages.entries()) {
      progress(n / pages.length)
      const content = office.xml(within(folder, page.attributes['BaseLoc'] ?? ''))
      const own = down(content, 'Area', 'PhysicalBox')
      const [, , w = 210, h = 297] = own === undefined ? usual : numbers(textOf(own))
      width ||= px(w || 210)
      height ||= px(h || 297)
      const drawn = [
        ...inside(content, 'Template').map((one) =>
          office.xml(templates.get(one.attributes['TemplateID'] ?? '') ?? ''),
        ),
        content,
      ]
      const picture = (id: string): number | undefined => {
        const file = pictures.get(id)
        return file === undefined ? undefined : office.picture(file)
      }
      slides.push({
        shapes: drawn.flatMap((one) =>
          inside(down(one, 'Content'), 'Layer').flatMap((layer) => shapesOf(layer, picture, 0)),
        ),
      })
    }
  }
  if (slides.length === 0) throw new Refused('conversionFailed', 'no page in it')
  return { kind: 'slides', paper: true, width: Math.round(width), height: Math.round(height), slides }
}

function shapesOf(element: Element, picture: (id: string) => number | undefined, depth: number): SlideShape[] {
  if (depth > deepest) return []
  return inside(element).flatMap((one): SlideShape[] => {
    const [x = 0, y = 0, width = 0, height = 0] = numbers(one.attributes['Boundary'])
    switch (nameOf(one)) {
      case 'PageBlock':
        return shapesOf(one, picture, depth + 1)
      case 'TextObject':
        return textShapes(one, x, y, width)
      case 'ImageObject': {
        const image = picture(one.attributes['ResourceID'] ?? '')
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

function textShapes(object: Element, left: number, top: number, room: number): SlideShape[] {
  const [a = 1, , , d = 1, e = 0, f = 0] =
    object.attributes['CTM'] === undefined ? [] : numbers(object.attributes['CTM'])
  const size = Number(object.attributes['Size'] ?? 4) * (Math.abs(d) || 1)
  const color = colorOf(down(object, 'FillColor'))
  let [x, y] = [0, 0]
  return inside(object, 'TextCode').flatMap((code) => {
    const text = textOf(code)
    // Without a position, the text continues at the previous one.
    x = Number(code.attributes['X'] ?? x)
    y = Number(code.attributes['Y'] ?? y)
    if (text.trim() === '') return []
    return [
      {
        x: px(left + x * a + e),
        y: px(top + y * d + f - size),
        width: px(Math.max(room, text.length * size) + size),
        height: px(size * 1.3),
        insets: [0, 0, 0, 0] as const,
        blocks: [{ is: 'text' as const, runs: [{ text, size: px(size), color }], line: 1.2 }],
      },
    ]
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
