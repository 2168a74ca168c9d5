// Re-encodes pictures from their pixels: all other content of the file is dropped.
import type { Picture } from '@cloudoc/contract'
import { type PhotoFacts, photoFacts, photoTags } from '@cloudoc/domain'
import sharp, { type Sharp } from 'sharp'
import { Refused } from '../refusal.ts'
import type { Reader } from './reader.ts'

/** Maximum number of pixels of a picture that is decoded. */
export const mostPixels = 120_000_000
/** The longer side of the displayed picture. */
const longest = 4096

export const readPicture: Reader = async ({ bytes, ext, parts }): Promise<Picture> => {
  const picture = await opened(bytes, ext)
  const { data, info } = await picture
    .rotate()
    .resize({ width: longest, height: longest, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 88, effort: 2 })
    .toBuffer({ resolveWithObject: true })
    .catch((error: Error) => {
      throw new Refused('conversionFailed', error.message)
    })
  const photo = await photoOf(isHeif(ext) ? tiffIn(bytes) : bytes)
  const part = parts.bytes('image/webp', data)
  return { kind: 'picture', part, width: info.width, height: info.height, ...(photo && { photo }) }
}

const isHeif = (ext: string): boolean => ext === 'heic' || ext === 'heif'

const tiffHeads = [Buffer.from('49492a0008000000', 'hex'), Buffer.from('4d4d002a00000008', 'hex')]

/** The EXIF data of a HEIC, which is an embedded TIFF. The EXIF reader does not find its start in all files. */
function tiffIn(bytes: Buffer): Buffer | undefined {
  const found = tiffHeads.map((head) => bytes.indexOf(head)).filter((at) => at >= 0)
  return found.length === 0 ? undefined : bytes.subarray(Math.min(...found))
}

/** Camera data of a file of any type. */
async function photoOf(bytes: Buffer | undefined): Promise<PhotoFacts | undefined> {
  if (bytes === undefined) return undefined
  const { default: exifr } = await import('exifr')
  const tags: unknown = await exifr.parse(bytes, { pick: [...photoTags], reviveValues: false }).catch(() => undefined)
  return photoFacts(tags as Readonly<Record<string, unknown>> | undefined)
}

/** Decodes simple kinds of BMP, which the library does not read: 24 and 32 bits, and 8-bit palettes. */
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

/** Decodes a Photoshop file: its stored composite of all layers. */
export function psdAsRaw(bytes: Buffer): Sharp {
  if (bytes.length < 40 || bytes.toString('latin1', 0, 4) !== '8BPS') throw new Refused('conversionFailed', 'no PSD')
  const [channels, height, width] = [bytes.readUInt16BE(12), bytes.readUInt32BE(14), bytes.readUInt32BE(18)]
  const [depth, mode] = [bytes.readUInt16BE(22), bytes.readUInt16BE(24)]
  const isKnown = bytes.readUInt16BE(4) === 1 && depth === 8 && ((mode === 3 && channels >= 3) || mode === 1)
  if (!isKnown) throw new Refused('conversionUnsupported', 'a rare kind of PSD')
  if (width === 0 || height === 0 || width * height > mostPixels) throw new Refused('conversionFailed', 'its size')
  let at = 26
  // Skips colours, resources and layers; each has a length prefix.
  for (let n = 0; n < 3; n += 1) at += 4 + bytes.readUInt32BE(at)
  const packing = bytes.readUInt16BE(at)
  at += 2
  const used = mode === 1 ? 1 : 3
  const pixels = Buffer.alloc(width * height * used)
  if (packing > 1) throw new Refused('conversionUnsupported', 'a rare kind of PSD')
  let row = at + (packing === 1 ? channels * height * 2 : 0)
  for (let channel = 0; channel < used; channel += 1) {
    for (let y = 0; y < height; y += 1) {
      let to = y * width * used + channel
      const size = packing === 1 ? bytes.readUInt16BE(at + (channel * height + y) * 2) : width
      const end = to + width * used
      for (let from = row; from < row + size; ) {
        const head = packing === 1 ? bytes.readInt8(from) : width - 1
        if (packing === 1) from += 1
        const count = Math.abs(head) + 1
        for (let n = 0; n < count && head !== -128 && to < end; n += 1, to += used) {
          pixels[to] = bytes[head >= 0 ? from + n : from] ?? 0
        }
        if (head !== -128) from += head >= 0 ? count : 1
      }
      row += size
    }
  }
  return sharp(pixels, { raw: { width, height, channels: used } })
}

/** Opens a picture for processing; of several in a file, the first. */
export async function opened(bytes: Buffer, ext: string): Promise<Sharp> {
  if (ext === 'psd') return psdAsRaw(bytes)
  if (isHeif(ext)) {
    const { data, width, height } = await (await import('./heif.ts')).readHeif(bytes, mostPixels)
    return sharp(data, { raw: { width, height, channels: 4 } })
  }
  if (ext === 'bmp') return bmpAsRaw(bytes)
  const density = ext === 'svg' ? await densityOf(bytes) : undefined
  return sharp(bytes, { limitInputPixels: mostPixels, pages: 1, ...(density !== undefined && { density }) })
}

/** The usual density of a drawing, in which its pixels are as it says. */
const usualDensity = 72

/** The density in which a drawing that says that it is very large is drawn no larger than pictures are shown. */
async function densityOf(bytes: Buffer): Promise<number | undefined> {
  const { width, height } = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => ({ width: 0, height: 0 }))
  const side = Math.max(width, height)
  return side <= longest ? undefined : Math.max(1, Math.floor((usualDensity * longest) / side))
}

/** A thumbnail of a picture, for lists. */
export async function smallPicture(bytes: Buffer, ext: string, side: number): Promise<Buffer> {
  const picture = await opened(bytes, ext)
  return picture
    .rotate()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80, effort: 2 })
    .toBuffer()
    .catch((error: Error) => {
      throw new Refused('conversionFailed', error.message)
    })
}

/** The longer side of a picture for text recognition. */
const longestScan = 3500

/** The picture in greyscale and upright, for text recognition. */
export async function greyPicture(bytes: Buffer, ext: string): Promise<Buffer> {
  const picture = await opened(bytes, ext)
  return picture
    .rotate()
    .resize({ width: longestScan, height: longestScan, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .greyscale()
    .png({ compressionLevel: 2 })
    .toBuffer()
    .catch((error: Error) => {
      throw new Refused('conversionFailed', error.message)
    })
}
