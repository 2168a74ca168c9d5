/** Generated images: antialiased polygons on a pixel canvas, and encoders for the image formats. */
import { crc32, deflateSync } from 'node:zlib'
import jpeg from 'jpeg-js'
import { escapeXml } from './office.ts'
import { font } from './pdf.ts'
import { random } from './random.ts'
import type { Writing } from './writing.ts'

type Colour = readonly [red: number, green: number, blue: number]
type Point = readonly [x: number, y: number]

const palette: Colour[] = [
  [68, 114, 196],
  [237, 125, 49],
  [112, 173, 71],
  [255, 192, 0],
  [91, 155, 213],
  [165, 105, 189],
]

interface Canvas {
  width: number
  height: number
  /** RGBA, row by row from the top. */
  pixels: Uint8Array
}

function canvas(width: number, height: number, colour: (y: number) => Colour): Canvas {
  const pixels = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++) {
    const [red, green, blue] = colour(y)
    for (let at = y * width * 4; at < (y + 1) * width * 4; at += 4) {
      pixels[at] = red
      pixels[at + 1] = green
      pixels[at + 2] = blue
      pixels[at + 3] = 255
    }
  }
  return { width, height, pixels }
}

/** Fills polygons by the winding rule. Each pixel row is sampled four times; along the row the coverage is exact. */
function fill({ width, height, pixels }: Canvas, outlines: Point[][], colour: Colour): void {
  const points = outlines.flat()
  const ys = points.map(([, y]) => y)
  const top = Math.max(0, Math.floor(Math.min(...ys)))
  const bottom = Math.min(height, Math.ceil(Math.max(...ys)))
  const edges = outlines.flatMap((outline) =>
    outline.map((point, index) => [point, outline[(index + 1) % outline.length] ?? point] as const),
  )
  for (let y = top; y < bottom; y++) {
    const cover = new Float32Array(width)
    for (let sample = 0; sample < 4; sample++) {
      const level = y + (sample + 0.5) / 4
      const crossings = edges
        .filter(([a, b]) => a[1] <= level !== b[1] <= level)
        .map(([a, b]) => ({ x: a[0] + ((level - a[1]) / (b[1] - a[1])) * (b[0] - a[0]), turn: a[1] < b[1] ? 1 : -1 }))
        .sort((a, b) => a.x - b.x)
      let winding = 0
      crossings.forEach(({ x, turn }, index) => {
        const before = crossings[index - 1]
        if (winding !== 0 && before) span(cover, before.x, x)
        winding += turn
      })
    }
    for (let x = 0; x < width; x++) {
      const share = Math.min(1, (cover[x] ?? 0) / 4)
      if (share === 0) continue
      const at = (y * width + x) * 4
      for (let channel = 0; channel < 3; channel++) {
        const under = pixels[at + channel] ?? 0
        pixels[at + channel] = Math.round(under + ((colour[channel] ?? 0) - under) * share)
      }
    }
  }
}

function span(cover: Float32Array, from: number, to: number): void {
  const start = Math.max(0, from)
  const end = Math.min(cover.length, to)
  for (let x = Math.floor(start); x < end; x++) {
    cover[x] = (cover[x] ?? 0) + Math.min(x + 1, end) - Math.max(x, start)
  }
}

function rectangle(target: Canvas, x: number, y: number, width: number, height: number, colour: Colour): void {
  const corners: Point[] = [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ]
  fill(target, [corners], colour)
}

function circle(target: Canvas, x: number, y: number, radius: number, colour: Colour): void {
  const outline = Array.from({ length: 48 }, (_, step): Point => {
    const angle = (step / 24) * Math.PI
    return [x + Math.cos(angle) * radius, y + Math.sin(angle) * radius]
  })
  fill(target, [outline], colour)
}

function text(target: Canvas, words: string, x: number, baseline: number, size: number, colour: Colour): void {
  const scale = size / font().unitsPerEm
  let pen = x
  for (const glyph of font().glyphsForString(words)) {
    const outlines: Point[][] = []
    for (const { command, args } of glyph.path.commands) {
      const points: Point[] = []
      for (let i = 0; i + 1 < args.length; i += 2) {
        points.push([pen + (args[i] ?? 0) * scale, baseline - (args[i + 1] ?? 0) * scale])
      }
      const [first, second] = points
      const outline = outlines.at(-1)
      if (command === 'moveTo' && first) outlines.push([first])
      if (command === 'lineTo' && first) outline?.push(first)
      if (command === 'quadraticCurveTo' && first && second && outline) {
        const from = outline.at(-1) ?? first
        for (const t of [0.25, 0.5, 0.75, 1]) {
          const blend = (axis: 0 | 1) =>
            (1 - t) ** 2 * from[axis] + 2 * t * (1 - t) * first[axis] + t ** 2 * second[axis]
          outline.push([blend(0), blend(1)])
        }
      }
    }
    if (outlines.length > 0) fill(target, outlines, colour)
    pen += glyph.advanceWidth * scale
  }
}

/** A bar chart of the first figures in the document's table, with a Chinese title. */
export function chart({ title, table }: Writing, width = 800, height = 480): Canvas {
  const target = canvas(width, height, () => [255, 255, 255])
  const column = Math.max(
    0,
    (table.rows[0] ?? []).findIndex((value) => typeof value === 'number'),
  )
  const values = table.rows.map((row) => Number(row[column]) || 0)
  const most = Math.max(...values, 1)
  const step = (width - 120) / values.length
  text(target, title, 40, 46, Math.min(26, (width - 80) / title.length), [40, 40, 48])
  for (let line = 0; line <= 4; line++)
    rectangle(target, 60, 90 + ((height - 150) * line) / 4, width - 100, 1, [220, 222, 228])
  values.forEach((value, index) => {
    const bar = ((height - 175) * value) / most
    rectangle(
      target,
      72 + index * step,
      height - 60 - bar,
      step * 0.6,
      bar,
      palette[index % palette.length] ?? [0, 0, 0],
    )
    text(target, String(value), 72 + index * step, height - 66 - bar, 13, [90, 90, 100])
    text(target, `第${index + 1}项`, 72 + index * step, height - 36, 14, [90, 90, 100])
  })
  text(target, table.columns[column] ?? '', 60, 80, 14, [120, 120, 130])
  return target
}

/** Layered hills under a low sun, with a caption; different for each seed. */
export function landscape(seed: string, caption: string, width = 800, height = 500): Canvas {
  const r = random(seed)
  const mood = r.pick<{ sky: Colour; low: Colour; hill: Colour }>([
    { sky: [92, 148, 214], low: [222, 236, 250], hill: [58, 110, 86] },
    { sky: [236, 146, 92], low: [252, 226, 178], hill: [98, 62, 84] },
    { sky: [126, 170, 196], low: [236, 240, 236], hill: [70, 96, 120] },
    { sky: [52, 62, 110], low: [196, 150, 170], hill: [34, 44, 66] },
  ])
  const mix = (a: Colour, b: Colour, share: number): Colour => [
    a[0] + (b[0] - a[0]) * share,
    a[1] + (b[1] - a[1]) * share,
    a[2] + (b[2] - a[2]) * share,
  ]
  const target = canvas(width, height, (y) => mix(mood.sky, mood.low, Math.min(1, y / (height * 0.7))))
  circle(
    target,
    r.whole(width * 0.15, width * 0.85),
    r.whole(height * 0.15, height * 0.4),
    r.whole(26, 54),
    [255, 244, 214],
  )
  for (let layer = 0; layer < 5; layer++) {
    const base = height * (0.45 + layer * 0.11)
    const waves = [1, 2, 3].map((octave) => ({
      length: width / (octave * r.whole(10, 22) * 0.1),
      height: r.whole(14, 60) / octave,
      start: r.whole(0, 628) / 100,
    }))
    const ridge: Point[] = []
    for (let x = 0; x <= width; x += 10) {
      ridge.push([
        x,
        waves.reduce((y, wave) => y + Math.sin((x / wave.length) * 6.28 + wave.start) * wave.height, base),
      ])
    }
    fill(target, [[...ridge, [width, height], [0, height]]], mix(mood.low, mood.hill, (layer + 2) / 6))
  }
  text(target, caption, 28, height - 28, 24, [255, 255, 255])
  return target
}

export function png({ width, height, pixels }: Canvas): Uint8Array {
  const rows = new Uint8Array(height * (width * 3 + 1))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      rows.set(pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 3), y * (width * 3 + 1) + 1 + x * 3)
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const chunk = (type: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

export function jpg({ width, height, pixels }: Canvas): Uint8Array {
  return jpeg.encode({ width, height, data: pixels }, 82).data
}

export function bmp({ width, height, pixels }: Canvas): Uint8Array {
  const stride = Math.ceil((width * 3) / 4) * 4
  const bytes = Buffer.alloc(54 + stride * height)
  bytes.write('BM', 0, 'latin1')
  bytes.writeUInt32LE(bytes.length, 2)
  bytes.writeUInt32LE(54, 10)
  bytes.writeUInt32LE(40, 14)
  bytes.writeInt32LE(width, 18)
  bytes.writeInt32LE(height, 22)
  bytes.writeUInt16LE(1, 26)
  bytes.writeUInt16LE(24, 28)
  bytes.writeUInt32LE(stride * height, 34)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4
      const blueFirst = [pixels[at + 2] ?? 0, pixels[at + 1] ?? 0, pixels[at] ?? 0]
      bytes.set(blueFirst, 54 + (height - 1 - y) * stride + x * 3)
    }
  }
  return bytes
}

/** Encodes a GIF with a 6 × 6 × 6 colour cube. */
export function gif({ width, height, pixels }: Canvas): Uint8Array {
  const level = (value: number | undefined) => Math.round((value ?? 0) / 51)
  const colours = Array.from({ length: 256 }, (_, i) =>
    i < 216 ? [Math.floor(i / 36), Math.floor(i / 6) % 6, i % 6] : [0, 0, 0],
  )
  const header = Buffer.alloc(13)
  header.write('GIF89a', 0, 'latin1')
  header.writeUInt16LE(width, 6)
  header.writeUInt16LE(height, 8)
  header[10] = 0xf7
  const place = Buffer.alloc(10)
  place[0] = 0x2c
  place.writeUInt16LE(width, 5)
  place.writeUInt16LE(height, 7)
  const indexes = Array.from(
    { length: width * height },
    (_, i) => level(pixels[i * 4]) * 36 + level(pixels[i * 4 + 1]) * 6 + level(pixels[i * 4 + 2]),
  )
  const data = lzw(indexes)
  const blocks: Uint8Array[] = []
  for (let at = 0; at < data.length; at += 255) {
    const block = data.subarray(at, at + 255)
    blocks.push(Uint8Array.of(block.length), block)
  }
  const cube = Uint8Array.from(colours.flat().map((value) => value * 51))
  return Buffer.concat([header, cube, place, Uint8Array.of(8), ...blocks, Uint8Array.of(0, 0x3b)])
}

/** GIF LZW compression: codes grow from 9 to 12 bits, least significant bit first, and the table is reset when full. */
function lzw(indexes: number[]): Uint8Array {
  const [clear, end] = [256, 257]
  const bytes: number[] = []
  let held = 0
  let bits = 0
  let size = 9
  const put = (code: number) => {
    held |= code << bits
    bits += size
    for (; bits >= 8; bits -= 8) {
      bytes.push(held & 255)
      held >>>= 8
    }
  }
  let known = new Map<number, number>()
  let next = 258
  put(clear)
  let prefix = indexes[0] ?? 0
  for (const index of indexes.slice(1)) {
    const key = prefix * 256 + index
    const code = known.get(key)
    if (code !== undefined) {
      prefix = code
      continue
    }
    put(prefix)
    prefix = index
    if (next === 4096) {
      put(clear)
      known = new Map()
      next = 258
      size = 9
      continue
    }
    if (next === 1 << size) size++
    known.set(key, next++)
  }
  put(prefix)
  put(end)
  if (bits > 0) bytes.push(held & 255)
  return Uint8Array.from(bytes)
}

/** The steps of the document's table as a flow chart. */
export function svg({ title, table }: Writing): Uint8Array {
  const steps = table.rows.slice(0, 5).map((row) => String(row[0]))
  const boxes = steps.map((step, index) => {
    const y = 90 + index * 90
    const arrow =
      index === 0 ? '' : `<path d="M320 ${y - 38}v30" stroke="#8890a0" stroke-width="2" marker-end="url(#tip)"/>`
    return `${arrow}<rect x="140" y="${y}" width="360" height="52" rx="8" fill="rgb(${palette[index % palette.length]?.join(',')})"/><text x="320" y="${y + 32}" text-anchor="middle" fill="#fff" font-size="18">${escapeXml(step)}</text>`
  })
  return new TextEncoder().encode(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 560" font-family="'Microsoft YaHei','Noto Sans CJK SC',sans-serif"><defs><marker id="tip" markerWidth="8" markerHeight="8" refX="6" refY="4" orient="auto"><path d="M0 0l8 4-8 4z" fill="#8890a0"/></marker></defs><rect width="640" height="560" fill="#fff"/><text x="320" y="50" text-anchor="middle" font-size="22">${escapeXml(title)}</text>${boxes.join('')}</svg>\n`,
  )
}

/** A round red seal with the name of a company and what the seal is for, on a transparent ground. PNG in base64. */
export function sealPicture(company: string, purpose: string): string {
  const size = 240
  const middle = size / 2
  const red: Colour = [200, 30, 30]
  const target = canvas(size, size, () => [255, 255, 255])
  circle(target, middle, middle, middle - 4, red)
  circle(target, middle, middle, middle - 12, [255, 255, 255])
  const star = Array.from({ length: 10 }, (_, step): Point => {
    const angle = (step / 5) * Math.PI - Math.PI / 2
    const radius = step % 2 === 0 ? 34 : 13
    return [middle + Math.cos(angle) * radius, middle + Math.sin(angle) * radius]
  })
  fill(target, [star], red)
  const centred = (words: string, baseline: number, height: number): void =>
    text(target, words, middle - (words.length * height) / 2, baseline, height, red)
  centred(company, 66, 32)
  centred(purpose, 190, 24)
  for (let at = 0; at < target.pixels.length; at += 4) {
    // The less white, the more opaque.
    target.pixels[at + 3] = 255 - (target.pixels[at + 1] ?? 0)
    for (const [channel, value] of red.entries()) target.pixels[at + channel] = value
  }
  return Buffer.from(png(target)).toString('base64')
}
