// The picture of a signature in the file: what its signer drew, and below it who signed and when, or a line of text.
import { createCanvas, GlobalFonts, loadImage, type SKRSContext2D } from '@napi-rs/canvas'
import { fontFamily, fontPath } from '../marks/font.ts'
import { printable } from '../marks/printable.ts'

/** A picture as pixels: red, green, blue and opacity. */
export interface Stamp {
  readonly width: number
  readonly height: number
  readonly rgba: Uint8ClampedArray
}

/** What a stamp shows. */
export interface StampWords {
  /** A picture as PNG: a signature or a seal. */
  readonly picture: Buffer | undefined
  readonly lines: readonly string[]
}

/** Pixels of one point. */
const dense = 3
const mostPixels = 1600
const lineShare = 0.16

let hasFont = false

function fit(pen: SKRSContext2D, text: string, width: number, size: number): number {
  let at = size
  pen.font = `${at}px "${fontFamily}", sans-serif`
  const measured = pen.measureText(text).width
  if (measured > width) at = Math.max(6, (at * width) / measured)
  return at
}

/** Draws a stamp for a place of this size in points. */
export async function drawStamp(
  place: { readonly width: number; readonly height: number },
  { picture, lines }: StampWords,
): Promise<Stamp> {
  if (!hasFont) GlobalFonts.registerFromPath(fontPath(), fontFamily)
  hasFont = true
  const scale = Math.min(dense, mostPixels / Math.max(place.width, place.height))
  const width = Math.max(1, Math.round(place.width * scale))
  const height = Math.max(1, Math.round(place.height * scale))
  const canvas = createCanvas(width, height)
  const pen = canvas.getContext('2d')
  const lineHeight = lines.length === 0 ? 0 : picture === undefined ? height / lines.length : height * lineShare
  const room = height - lineHeight * lines.length
  if (picture !== undefined && room > 2) {
    const image = await loadImage(picture)
    const by = Math.min(width / image.width, room / image.height)
    const [w, h] = [image.width * by, image.height * by]
    pen.drawImage(image, (width - w) / 2, (room - h) / 2, w, h)
  }
  pen.fillStyle = '#222222'
  pen.textBaseline = 'middle'
  lines.map(printable).forEach((line, n) => {
    const size = fit(pen, line, width, Math.min(lineHeight * 0.82, 14 * scale))
    pen.font = `${size}px "${fontFamily}", sans-serif`
    pen.fillText(line, 0, room + lineHeight * (n + 0.5))
  })
  return { width, height, rgba: pen.getImageData(0, 0, width, height).data }
}

/** A vertical slice of a stamp. */
export function sliceOf(
  { width, height, rgba }: Stamp,
  { index, count }: { readonly index: number; readonly count: number },
): Stamp {
  const [from, to] = [Math.floor((index * width) / count), Math.floor(((index + 1) * width) / count)]
  const wide = Math.max(1, to - from)
  const sliced = new Uint8ClampedArray(wide * height * 4)
  for (let row = 0; row < height; row += 1) {
    const start = (row * width + from) * 4
    sliced.set(rgba.subarray(start, start + wide * 4), row * wide * 4)
  }
  return { width: wide, height, rgba: sliced }
}
