// Pictures anew, as pixels: whatever else a file holds stays behind.
import type { Picture } from '@cloudoc/contract'
import sharp, { type Sharp } from 'sharp'
import { Refused } from '../refusal.ts'
import type { Reader } from './reader.ts'

/** Pixels of a picture that is decoded. */
export const mostPixels = 120_000_000
/** The longer side of what is shown. */
const longest = 4096

export const readPicture: Reader = async ({ bytes, ext, parts }): Promise<Picture> => {
  const { data, info } = await opened(bytes, ext)
    .rotate()
    .resize({ width: longest, height: longest, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 88, effort: 2 })
    .toBuffer({ resolveWithObject: true })
    .catch((error: Error) => {
      throw new Refused('conversionFailed', error.message)
    })
  return { kind: 'picture', part: parts.bytes('image/webp', data), width: info.width, height: info.height }
}

/** The plain kinds of BMP, which the library does not read: 24 and 32 bits, and palettes of 8. */
export function bmpAsRaw(bytes: Buffer): Sharp {
  if (bytes.length < 54 || bytes.toString('latin1', 0, 2) !== 'BM') throw new Refused('conversionFailed', 'no BMP')
  const [offset, headSize] = [bytes.readUInt32LE(10), bytes.readUInt32LE(14)]
  const [width, rawHeight] = [bytes.readInt32LE(18), bytes.readInt32LE(22)]
  const [bits, packing] = [bytes.readUInt16LE(28), bytes.readUInt32LE(30)]
  const height = Math.abs(rawHeight)
  const known = (packing === 0 && [8, 24, 32].includes(bits)) || (packing === 3 && bits === 32)
  if (!known || width <= 0 || height === 0) throw new Refused('conversionUnsupported', 'a rare kind of BMP')
  const row = Math.ceil((width * bits) / 32) * 4
  if (width * height > mostPixels || offset + row * height > bytes.length)
    throw new Refused('conversionFailed', 'its size is not so')
  const pixels = Buffer.alloc(width * height * 3)
  const palette = 14 + headSize
  for (let y = 0; y < height; y += 1) {
    const from = offset + (rawHeight > 0 ? height - 1 - y : y) * row
    for (let x = 0; x < width; x += 1) {
      const at = bits === 8 ? palette + (bytes[from + x] ?? 0) * 4 : from + x * (bits / 8)
      const to = (y * width + x) * 3
      pixels[to] = bytes[at + 2] ?? 0
      pixels[to + 1] = bytes[at + 1] ?? 0
      pixels[to + 2] = bytes[at] ?? 0
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

/** A picture to be made something of; of several in a file the first. */
export function opened(bytes: Buffer, ext: string): Sharp {
  return ext === 'bmp' ? bmpAsRaw(bytes) : sharp(bytes, { limitInputPixels: mostPixels, pages: 1 })
}

/** The same small, for lists. */
export async function smallPicture(bytes: Buffer, ext: string, side: number): Promise<Buffer> {
  return opened(bytes, ext)
    .rotate()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80, effort: 2 })
    .toBuffer()
    .catch((error: Error) => {
      throw new Refused('conversionFailed', error.message)
    })
}
