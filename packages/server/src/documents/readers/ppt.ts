/*
 * Reader of PowerPoint 97 to 2003 presentations ([MS-PPT]): the text and pictures of each slide at their positions.
 * Masters and shape fills are left to an office program.
 */
import type { Paragraph, Slide, SlideShape, Slides } from '@cloudoc/contract'
import type { Parts } from '../container.ts'
import { Refused } from '../refusal.ts'
import { findPicture } from './doc.ts'
import { openOle, readerOfOther } from './ole.ts'
import { pictureType } from './package.ts'
import type { Reader } from './reader.ts'

const mostSlides = 5000
const deepest = 40

interface Atom {
  readonly type: number
  readonly instance: number
  readonly data: Buffer
  readonly isContainer: boolean
}

function* atoms(bytes: Buffer): Generator<Atom> {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const head = bytes.readUInt16LE(at)
    const size = bytes.readUInt32LE(at + 4)
    const data = bytes.subarray(at + 8, at + 8 + size)
    yield { type: bytes.readUInt16LE(at + 2), instance: head >> 4, data, isContainer: (head & 15) === 15 }
    at += 8 + size
  }
}

function find(bytes: Buffer, ...path: readonly number[]): Buffer | undefined {
  const [type, ...rest] = path
  for (const one of atoms(bytes)) {
    if (one.type !== type) continue
    return rest.length === 0 ? one.data : find(one.data, ...rest)
  }
  return undefined
}

const kind = { document: 1000, slideList: 4080, persist: 1011, drawing: 1036, text: 4000, bytes: 4008, header: 3999 }

export const readPpt: Reader = async (reading) => {
  const { bytes, parts, progress } = reading
  const other = await readerOfOther(bytes, async () => (await import('./pptx.ts')).readPptx)
  if (other !== undefined) return other(reading)
  const file = openOle(bytes)
  const main = file.stream('PowerPoint Document')
  const user = file.stream('Current User')
  if (main === undefined || user === undefined || user.length < 20)
    throw new Refused('conversionFailed', 'no presentation in it')
  if (user.readUInt32LE(12) === 0xf3d1c4df) throw new Refused('sourceEncrypted')
  const { places, documentId } = directory(main, user.readUInt32LE(16))
  const at = (id: number): Buffer | undefined => {
    const place = places.get(id)
    return place === undefined || place + 8 > main.length
      ? undefined
      : main.subarray(place + 8, place + 8 + main.readUInt32LE(place + 4))
  }
  const document = at(documentId)
  if (document === undefined) throw new Refused('conversionFailed', 'no presentation in it')
  const size = find(document, 1001)
  const pictures = picturesOf(document, file.stream('Pictures'), parts)
  const listed = slidesOf(document)
  const slides = listed.slice(0, mostSlides).map(({ id, texts }, n): Slide => {
    progress(n / listed.length)
    const drawing = find(at(id) ?? Buffer.alloc(0), kind.drawing)
    const shapes = drawing === undefined ? [] : shapesOf(drawing, { texts, pictures, transform: (box) => box }, 0)
    return { shapes: shapes.length > 0 ? shapes : texts.map((text, line) => alone(text, line)) }
  })
  if (slides.length === 0) throw new Refused('conversionFailed', 'no slide in it')
  const [width, height] = size === undefined ? [960, 720] : [size.readInt32LE(0) / 6, size.readInt32LE(4) / 6]
  return { kind: 'slides', width: Math.round(width), height: Math.round(height), slides } satisfies Slides
}

/** Finds the latest state of all objects: each save appended a part that refers to the previous one. */
function directory(main: Buffer, newest: number): { places: Map<number, number>; documentId: number } {
  const places = new Map<number, number>()
  let documentId = 1
  const seen = new Set<number>()
  for (let edit = newest; edit !== 0 && !seen.has(edit) && edit + 28 <= main.length; ) {
    seen.add(edit)
    if (main.readUInt16LE(edit + 2) !== 4085) throw new Refused('conversionFailed', 'no such edit')
    // An additional field: the encryption key.
    if (main.readUInt32LE(edit + 4) > 28) throw new Refused('sourceEncrypted')
    if (seen.size === 1) documentId = main.readUInt32LE(edit + 24)
    const table = main.readUInt32LE(edit + 20)
    if (table + 8 > main.length) break
    const end = Math.min(main.length, table + 8 + main.readUInt32LE(table + 4))
    for (let at = table + 8; at + 4 <= end; ) {
      const head = main.readUInt32LE(at)
      const [first, count] = [head & 0xfffff, head >>> 20]
      for (let n = 0; n < count && at + 8 + n * 4 <= end; n += 1) {
        if (!places.has(first + n)) places.set(first + n, main.readUInt32LE(at + 4 + n * 4))
      }
      at += 4 + count * 4
    }
    edit = main.readUInt32LE(edit + 16)
  }
  return { places, documentId }
}

interface TextOf {
  readonly type: number
  readonly text: string
}

const narrow = new TextDecoder('windows-1252')

/** The texts in a list of atoms; each begins with its type. */
function textsOf(list: Iterable<Atom>): TextOf[] {
  const texts: TextOf[] = []
  let type = 4
  for (const { type: atom, data } of list) {
    if (atom === kind.header && data.length >= 4) type = data.readUInt32LE(0)
    else if (atom === kind.text) texts.push({ type, text: data.toString('utf16le') })
    else if (atom === kind.bytes) texts.push({ type, text: narrow.decode(data) })
  }
  return texts
}

function slidesOf(document: Buffer): { id: number; texts: TextOf[] }[] {
  const list = [...atoms(document)].find(({ type, instance }) => type === kind.slideList && instance === 0)
  if (list === undefined) return []
  const found: { id: number; held: Atom[] }[] = []
  for (const atom of atoms(list.data)) {
    if (atom.type === kind.persist) found.push({ id: atom.data.readUInt32LE(0), held: [] })
    else found.at(-1)?.held.push(atom)
  }
  return found.map(({ id, held }) => ({ id, texts: textsOf(held) }))
}

/** The parts of pictures by number, from 1. */
function picturesOf(document: Buffer, stream: Buffer | undefined, parts: Parts): Map<number, number> {
  const found = new Map<number, number>()
  const store = find(document, 1035, 0xf000, 0xf001)
  if (store === undefined || stream === undefined) return found
  let number = 0
  for (const { type, data } of atoms(store)) {
    number += 1
    if (type !== 0xf007 || data.length < 32) continue
    const at = data.readUInt32LE(28)
    if (at + 8 > stream.length) continue
    const held = stream.subarray(at + 8, at + 8 + stream.readUInt32LE(at + 4))
    const picture = findPicture(held.subarray(0, 64)) === undefined ? undefined : findPicture(held)
    const kind = picture && pictureType(picture)
    if (picture !== undefined && kind !== undefined) found.set(number, parts.bytes(kind, picture))
  }
  return found
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface Around {
  readonly texts: readonly TextOf[]
  readonly pictures: ReadonlyMap<number, number>
  /** Transforms group coordinates into slide coordinates. */
  readonly transform: (box: Box) => Box
}

function shapesOf(bytes: Buffer, around: Around, depth: number): SlideShape[] {
  if (depth > deepest) return []
  const shapes: SlideShape[] = []
  let { transform } = around
  let isFirst = true
  for (const { type, data, isContainer } of atoms(bytes)) {
    if (type === 0xf004) {
      // The first shape of a group is the group itself and defines its coordinates.
      const group = isFirst ? find(data, 0xf009) : undefined
      isFirst = false
      if (group !== undefined) transform = transformOf(group, data, around.transform)
      else shapes.push(...shapeOf(data, { ...around, transform }))
    } else if (isContainer && (type === 0xf002 || type === 0xf003))
      shapes.push(...shapesOf(data, { ...around, transform }, depth + 1))
  }
  return shapes
}

function boxOf(shape: Buffer, turn: Around['transform']): Box | undefined {
  const own = find(shape, 0xf010)
  if (own !== undefined && own.length >= 8) {
    const [top = 0, left = 0, right = 0, bottom = 0] =
      own.length >= 16 ? [0, 4, 8, 12].map((at) => own.readInt32LE(at)) : [0, 2, 4, 6].map((at) => own.readInt16LE(at))
    return { x: left / 6, y: top / 6, width: (right - left) / 6, height: (bottom - top) / 6 }
  }
  const inGroup = find(shape, 0xf00f)
  if (inGroup === undefined || inGroup.length < 16) return undefined
  const [left = 0, top = 0, right = 0, bottom = 0] = [0, 4, 8, 12].map((at) => inGroup.readInt32LE(at))
  return turn({ x: left, y: top, width: right - left, height: bottom - top })
}

function transformOf(group: Buffer, shape: Buffer, outer: Around['transform']): Around['transform'] {
  const box = boxOf(shape, outer)
  if (box === undefined || group.length < 16) return outer
  const [left = 0, top = 0, right = 0, bottom = 0] = [0, 4, 8, 12].map((at) => group.readInt32LE(at))
  const [across, down] = [box.width / (right - left || 1), box.height / (bottom - top || 1)]
  return ({ x, y, width, height }) => ({
    x: box.x + (x - left) * across,
    y: box.y + (y - top) * down,
    width: width * across,
    height: height * down,
  })
}

function shapeOf(shape: Buffer, { texts, pictures, transform }: Around): SlideShape[] {
  const box = boxOf(shape, transform)
  const inside = find(shape, 0xf00d)
  if (box === undefined) return []
  const place = {
    x: Math.round(box.x),
    y: Math.round(box.y),
    width: Math.round(box.width),
    height: Math.round(box.height),
  }
  const options = [...atoms(shape)].find(({ type }) => type === 0xf00b)
  const image = options && pictures.get(option(options, 0x0104))
  const text = inside === undefined ? undefined : textIn(inside, texts)
  if (text === undefined || text.text.trim() === '') return image === undefined ? [] : [{ ...place, image }]
  return [{ ...place, ...(image === undefined ? {} : { image }), ...textBlocks(text, place) }]
}

function option({ instance, data }: Atom, wanted: number): number {
  for (let n = 0; n < instance && n * 6 + 6 <= data.length; n += 1) {
    if ((data.readUInt16LE(n * 6) & 0x3fff) === wanted) return data.readUInt32LE(n * 6 + 2)
  }
  return 0
}

/** The text of a box: its own, or a reference into the list of slide texts. */
function textIn(box: Buffer, texts: readonly TextOf[]): TextOf | undefined {
  const reference = find(box, 3998)
  return reference === undefined ? textsOf(atoms(box))[0] : texts[reference.readInt32LE(0)]
}

const titles = new Set([0, 6])

function textBlocks({ type, text }: TextOf, box: Box): Pick<SlideShape, 'blocks' | 'anchor'> {
  const isTitle = titles.has(type)
  const lines = text.replaceAll('\u000b', '\n').split('\r')
  if (lines.length > 1 && lines.at(-1) === '') lines.pop()
  const size = fitting(lines, box, isTitle ? 44 : 32)
  const blocks = lines.map(
    (line): Paragraph => ({
      is: 'text',
      runs: [{ text: line, size, ...(isTitle ? { bold: true as const } : {}) }],
      ...(isTitle ? { align: 'center' as const } : {}),
      ...(type === 1 && line.trim() !== '' ? { mark: '•', indent: size } : {}),
    }),
  )
  return { blocks, ...(isTitle ? { anchor: 'middle' as const } : {}) }
}

/** The font size at which the lines fit their box: the original size is part of the master. */
function fitting(lines: readonly string[], { width, height }: Box, most: number): number {
  for (let size = most; size > 12; size -= 2) {
    const perLine = Math.max(1, (width - 20) / size)
    const rows = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(wideOf(line) / perLine)), 0)
    if (rows * size * 1.3 <= height) return size
  }
  return 12
}

/** The width of a line in full-width characters. */
const wideOf = (line: string): number => [...line].reduce((sum, char) => sum + (char > '\u2e80' ? 1 : 0.55), 0)

const alone = (text: TextOf, n: number): SlideShape => {
  const box = { x: 48, y: 40 + n * 160, width: 864, height: 150 }
  return { ...box, ...textBlocks(text, box) }
}
