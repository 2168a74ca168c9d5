// Adds a watermark to pictures; format and size are preserved.
import type { Watermark } from '@cloudoc/contract'
import { traceBits, traceFields, traceSquare, traceStrength } from '@cloudoc/domain'
import sharp, { type OverlayOptions } from 'sharp'
import { Refused } from '../refusal.ts'
import { drawCell, drawSheet } from './draw.ts'

/** The invisible mark (domain/watermarks.ts): one layer makes fields less blue, the other makes them bluer. */
async function traceOver(
  { trace = '' }: Watermark,
  scale: number,
  width: number,
  height: number,
): Promise<OverlayOptions[]> {
  if (trace === '') return []
  const fields = traceBits(trace)
  const side = Math.max(traceFields, Math.round(traceSquare * scale))
  const layers = [false, true].map(async (isBluer) => {
    const pixels = Uint8Array.from({ length: fields.length * 3 }, (_, n) => {
      const blue = n % 3 === 2 && fields[Math.floor(n / 3)] === isBluer ? traceStrength : 0
      return blue
    })
    const square = sharp(pixels, { raw: { width: traceFields, height: traceFields, channels: 3 } }).resize(side, side, {
      kernel: 'nearest',
    })
    const made = sharp(await square.png().toBuffer())
    // A picture smaller than one square gets the part that fits.
    const input = await (side > width || side > height
      ? made.extract({ left: 0, top: 0, width: Math.min(side, width), height: Math.min(side, height) })
      : made
    )
      .png()
      .toBuffer()
    return { input, tile: true, left: 0, top: 0, blend: isBluer ? ('add' as const) : ('difference' as const) }
  })
  return Promise.all(layers)
}

const mostPixels = 120_000_000
/** The width at which a watermark has its normal size. */
const usualWidth = 900
const formats: ReadonlySet<string | undefined> = new Set(['png', 'jpeg', 'webp'])

/** Returns the marked picture; `dense` is the number of its pixels per pixel of the watermark. */
export async function markPicture(bytes: Uint8Array, mark: Watermark, dense?: number): Promise<Buffer> {
  const picture = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error' })
  const { format, autoOrient } = await picture.metadata()
  if (!formats.has(format)) throw new Refused('conversionUnsupported')
  const { width, height } = autoOrient
  const scale = dense ?? Math.max(0.5, Math.max(width, height) / usualWidth)
  const isTiled = mark.layout === 'tile'
  const area = { width: width / scale, height: height / scale }
  const drawn = isTiled ? await drawCell(mark, scale) : await drawSheet(mark, area, scale)
  let over = sharp(drawn.toBuffer('image/png'))
  // A picture smaller than one mark gets the part that fits.
  if (drawn.width > width || drawn.height > height)
    over = over.extract({
      left: 0,
      top: 0,
      width: Math.min(width, drawn.width),
      height: Math.min(height, drawn.height),
    })
  const marked = picture
    .autoOrient()
    .composite([
      { input: await over.png().toBuffer(), tile: isTiled, left: 0, top: 0 },
      ...(await traceOver(mark, scale, width, height)),
    ])
    .keepIccProfile()
  if (format === 'png') return marked.png().toBuffer()
  return format === 'webp' ? marked.webp({ quality: 88 }).toBuffer() : marked.jpeg({ quality: 92 }).toBuffer()
}
