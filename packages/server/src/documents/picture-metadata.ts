/*
 * Removes the metadata of pictures: position, camera, serial numbers, maker notes, comments, embedded previews, and what
 * follows the end of the picture. Pixels are not decoded. Only known parts are kept, so what is unknown goes: the data of
 * the pixels, the colour profile and the orientation.
 */
import { crc32 } from 'node:zlib'

/** The picture without metadata; undefined if it is none of JPEG, PNG, GIF, WebP, BMP and AVIF, or broken. */
export function withoutMetadata(bytes: Buffer): Buffer | undefined {
  for (const { head, clean } of kinds)
    if (head(bytes))
      try {
        return clean(bytes)
      } catch (error) {
        // A length that points behind the end.
        if (error instanceof RangeError) return undefined
        throw error
      }
}

const text = (bytes: Buffer, at: number, length: number): string => bytes.toString('latin1', at, at + length)

/** A part of `bytes`; fails as reading a number does where it does not end within them. */
function part(bytes: Buffer, start: number, end: number): Buffer {
  if (start > end || end > bytes.length) throw new RangeError('a part ends behind the end')
  return bytes.subarray(start, end)
}

// ---- orientation: the tag 0112 of the first directory (EXIF 3.0, 4.6.5) ----

const orientationTag = 0x0112

/** The orientation in a TIFF structure: 1 to 8; 1 if there is none. */
function orientationIn(tiff: Buffer): number {
  const little = text(tiff, 0, 2) === 'II'
  if (tiff.length < 8 || !(little || text(tiff, 0, 2) === 'MM')) return 1
  const u16 = (at: number): number => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const start = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (start + 2 > tiff.length) return 1
  for (let n = 0, at = start + 2; n < u16(start) && at + 12 <= tiff.length; n += 1, at += 12) {
    if (u16(at) !== orientationTag) continue
    const value = u16(at + 8)
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

/** A TIFF structure with the orientation alone. */
function tiffOf(orientation: number): Buffer {
  const tiff = Buffer.alloc(26)
  tiff.write('II*\0', 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(1, 8)
  tiff.writeUInt16LE(orientationTag, 10)
  tiff.writeUInt16LE(3, 12)
  tiff.writeUInt32LE(1, 14)
  tiff.writeUInt16LE(orientation, 18)
  return tiff
}

const exifHead = Buffer.from('Exif\0\0', 'latin1')

/** EXIF data as JPEG has it, and as some programs write it elsewhere: a TIFF structure after a head. */
const tiffIn = (exif: Buffer): Buffer =>
  exif.subarray(0, exifHead.length).equals(exifHead) ? exif.subarray(exifHead.length) : exif

// ---- JPEG (ITU T.81, B.1) ----

const [startOfImage, endOfImage, startOfScan] = [0xd8, 0xd9, 0xda] as const

/** Frames, tables and scans. */
const isCoding = (marker: number): boolean =>
  (marker >= 0xc0 && marker <= 0xcf) || (marker >= startOfScan && marker <= 0xdf)

function cleanJpeg(bytes: Buffer): Buffer | undefined {
  const kept: Buffer[] = []
  let jfif: Buffer | undefined
  let orientation = 1
  let hasScan = false
  let at = 2
  for (;;) {
    // A picture that was cut off inside a scan is shown as far as it goes.
    if (at >= bytes.length && hasScan) break
    if (bytes.readUInt8(at) !== 0xff) return undefined
    const marker = bytes.readUInt8(at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === endOfImage) break
    if (marker === startOfImage || marker === 0) return undefined
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    const segment = part(bytes, at, end)
    const content = part(segment, 4, segment.length)
    if (marker === 0xe0 && text(content, 0, 5) === 'JFIF\0' && content.length >= 14) jfif ??= withoutPreview(content)
    else if (marker === 0xe1 && text(content, 0, 5) === 'Exif\0') {
      const found = orientationIn(tiffIn(content))
      if (orientation === 1) orientation = found
    } else if (isCoding(marker) || isProfile(marker, content)) kept.push(segment)
    at = end
    if (marker !== startOfScan) continue
    hasScan = true
    const next = endOfScan(bytes, at)
    kept.push(bytes.subarray(at, next))
    at = next
  }
  if (!hasScan) return undefined
  const exif = orientation === 1 ? [] : [segmentOf(0xe1, Buffer.concat([exifHead, tiffOf(orientation)]))]
  return Buffer.concat([
    Buffer.from([0xff, startOfImage]),
    ...(jfif === undefined ? [] : [segmentOf(0xe0, jfif)]),
    ...exif,
    ...kept,
    Buffer.from([0xff, endOfImage]),
  ])
}

/** The colour profile, and Adobe's segment that says how the colours are stored. */
const isProfile = (marker: number, content: Buffer): boolean =>
  (marker === 0xe2 && text(content, 0, 12) === 'ICC_PROFILE\0') ||
  (marker === 0xee && text(content, 0, 5) === 'Adobe' && content.length === 12)

/** A JFIF head without its preview. */
function withoutPreview(content: Buffer): Buffer {
  const head = Buffer.from(content.subarray(0, 14))
  head.writeUInt16BE(0, 12)
  return head
}

function segmentOf(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

/** Where the entropy-coded data of a scan ends: at the next marker that is neither stuffing nor a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1]
    if (next === undefined) break
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return bytes.length
}

// ---- PNG (W3C, third edition) ----

const pngHead = Buffer.from('89504e470d0a1a0a', 'hex')
const pngChunks: ReadonlySet<string> = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT acTL fcTL fdAT'.split(' '),
)

function cleanPng(bytes: Buffer): Buffer | undefined {
  const kept: Buffer[] = []
  let orientation = 1
  for (let at = pngHead.length; ; ) {
    const end = at + 12 + bytes.readUInt32BE(at)
    const chunk = part(bytes, at, end)
    const type = text(chunk, 4, 4)
    if (kept.length === 0 && type !== 'IHDR') return undefined
    if (type === 'eXIf') orientation = orientationIn(chunk.subarray(8, -4))
    if (pngChunks.has(type)) kept.push(chunk)
    if (type === 'IEND') break
    at = end
  }
  const [head = Buffer.alloc(0), ...rest] = kept
  return Buffer.concat([pngHead, head, ...(orientation === 1 ? [] : [pngChunk('eXIf', tiffOf(orientation))]), ...rest])
}

function pngChunk(type: string, content: Buffer): Buffer {
  const chunk = Buffer.alloc(content.length + 12)
  chunk.writeUInt32BE(content.length)
  chunk.write(type, 4, 'latin1')
  content.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4)
  return chunk
}

// ---- WebP (RFC 9649) ----

const webpChunks: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
const frameChunks: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'ALPH'])
/** Bits of the flags of VP8X. */
const [hasExif, hasXmp] = [0x08, 0x04] as const

interface Chunk {
  readonly type: string
  readonly content: Buffer
}

function* chunksIn(bytes: Buffer, from: number, to: number): Generator<Chunk> {
  for (let at = from; at + 8 <= to; ) {
    const size = bytes.readUInt32LE(at + 4)
    yield { type: text(bytes, at, 4), content: part(bytes, at + 8, at + 8 + size) }
    at += 8 + size + (size % 2)
  }
}

function riffChunk(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}

function cleanWebp(bytes: Buffer): Buffer | undefined {
  const all = [...chunksIn(bytes, 12, Math.min(bytes.length, 8 + bytes.readUInt32LE(4)))]
  const exif = all.find(({ type }) => type === 'EXIF')
  const orientation = exif === undefined ? 1 : orientationIn(tiffIn(exif.content))
  const kept = all
    .filter(({ type }) => webpChunks.has(type))
    .map(({ type, content }) => {
      if (type === 'ANMF') return riffChunk(type, cleanFrame(content))
      if (type !== 'VP8X') return riffChunk(type, content)
      const flags = Buffer.from(content)
      flags.writeUInt8((flags.readUInt8(0) & ~(hasExif | hasXmp)) | (orientation === 1 ? 0 : hasExif))
      return riffChunk(type, flags)
    })
  if (kept.length === 0) return undefined
  const body = [Buffer.from('WEBP'), ...kept, ...(orientation === 1 ? [] : [riffChunk('EXIF', tiffOf(orientation))])]
  return riffChunk('RIFF', Buffer.concat(body))
}

/** A frame of an animation: 16 bytes, then chunks. */
function cleanFrame(content: Buffer): Buffer {
  const inside = [...chunksIn(content, 16, content.length)].filter(({ type }) => frameChunks.has(type))
  return Buffer.concat([part(content, 0, 16), ...inside.map((chunk) => riffChunk(chunk.type, chunk.content))])
}

// ---- GIF89a ----

/** Application blocks that say how the animation runs, and that hold the colour profile. */
const gifApplications: ReadonlySet<string> = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012'])
const [gifExtension, gifImage, gifEnd] = [0x21, 0x2c, 0x3b] as const

function cleanGif(bytes: Buffer): Buffer | undefined {
  const tableOf = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))
  let at = 13 + tableOf(bytes.readUInt8(10))
  const kept: Buffer[] = [part(bytes, 0, at)]
  for (;;) {
    const kind = bytes.readUInt8(at)
    if (kind === gifEnd) break
    if (kind === gifImage) {
      const end = endOfBlocks(bytes, at + 10 + tableOf(bytes.readUInt8(at + 9)) + 1)
      kept.push(bytes.subarray(at, end))
      at = end
    } else if (kind === gifExtension) {
      const label = bytes.readUInt8(at + 1)
      const end = endOfBlocks(bytes, at + 2)
      // Control of the next image, or an application that is known.
      if (label === 0xf9 || (label === 0xff && gifApplications.has(text(bytes, at + 3, 11))))
        kept.push(bytes.subarray(at, end))
      at = end
    } else return undefined
  }
  return Buffer.concat([...kept, Buffer.from([gifEnd])])
}

/** Where a list of sub-blocks ends. */
function endOfBlocks(bytes: Buffer, from: number): number {
  let at = from
  for (let size = bytes.readUInt8(at); size !== 0; size = bytes.readUInt8(at)) at += size + 1
  return at + 1
}

// ---- BMP: no metadata, but maybe something behind its end ----

function cleanBmp(bytes: Buffer): Buffer | undefined {
  const size = bytes.readUInt32LE(2)
  return size < 26 || size > bytes.length ? undefined : bytes.subarray(0, size)
}

// ---- AVIF (ISO/IEC 14496-12, 23008-12): offsets are absolute, so what is removed is overwritten in its place ----

interface Box {
  readonly type: string
  readonly start: number
  /** Where its content begins. */
  readonly inside: number
  readonly end: number
}

const avifBoxes: ReadonlySet<string> = new Set(['ftyp', 'meta', 'mdat', 'moov'])
const metaBoxes: ReadonlySet<string> = new Set(['hdlr', 'pitm', 'iinf', 'iloc', 'iprp', 'iref', 'idat', 'dinf', 'grpl'])
const movieBoxes: ReadonlySet<string> = new Set(['mvhd', 'trak', 'mvex', 'tkhd', 'tref', 'edts', 'mdia'])
/** Kinds of items that are pictures, or say how pictures are put together. */
const pictureItems: ReadonlySet<string> = new Set(['av01', 'grid', 'iovl', 'iden', 'tmap'])

function* boxesIn(bytes: Buffer, from: number, to: number): Generator<Box> {
  for (let at = from; at < to; ) {
    const short = bytes.readUInt32BE(at)
    const size = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? to - at : short
    const inside = at + (short === 1 ? 16 : 8)
    if (at + size > to || at + size < inside) throw new RangeError('a box ends behind the end')
    yield { type: text(bytes, at + 4, 4), start: at, inside, end: at + size }
    at += size
  }
}

/** Turns a box into free space. */
function clear(bytes: Buffer, { start, inside, end }: Box): void {
  bytes.write('free', start + 4, 'latin1')
  bytes.fill(0, inside, end)
}

function cleanAvif(bytes: Buffer): Buffer {
  const clean = Buffer.from(bytes)
  for (const box of boxesIn(clean, 0, clean.length)) {
    if (!avifBoxes.has(box.type)) clear(clean, box)
    else if (box.type === 'meta') cleanMeta(clean, box)
    else if (box.type === 'moov') cleanMovie(clean, box)
  }
  return clean
}

function cleanMovie(bytes: Buffer, movie: Box): void {
  for (const box of boxesIn(bytes, movie.inside, movie.end)) {
    if (!movieBoxes.has(box.type)) clear(bytes, box)
    else if (box.type === 'trak') cleanMovie(bytes, box)
  }
}

function cleanMeta(bytes: Buffer, meta: Box): void {
  const boxes = [...boxesIn(bytes, meta.inside + 4, meta.end)]
  for (const box of boxes) if (!metaBoxes.has(box.type)) clear(bytes, box)
  const [items, places, data] = ['iinf', 'iloc', 'idat'].map((name) => boxes.find(({ type }) => type === name))
  if (items === undefined || places === undefined) return
  const pictures = picturesIn(bytes, items)
  for (const { id, start, end } of extentsIn(bytes, places, data)) if (!pictures.has(id)) blank(bytes, start, end)
}

/** The smallest EXIF data that readers accept: the offset of a TIFF structure, and one without tags. */
const noExif = Buffer.concat([Buffer.alloc(4), Buffer.from('49492a0008000000000000000000', 'hex')])

function blank(bytes: Buffer, start: number, end: number): void {
  part(bytes, start, end).fill(0)
  if (end - start >= noExif.length) noExif.copy(bytes, start)
}

function picturesIn(bytes: Buffer, { inside, end }: Box): ReadonlySet<number> {
  const first = inside + (bytes.readUInt8(inside) === 0 ? 6 : 8)
  const ids = new Set<number>()
  for (const entry of boxesIn(bytes, first, end)) {
    const isShort = bytes.readUInt8(entry.inside) < 3
    const id = isShort ? bytes.readUInt16BE(entry.inside + 4) : bytes.readUInt32BE(entry.inside + 4)
    if (pictureItems.has(text(bytes, entry.inside + (isShort ? 8 : 10), 4))) ids.add(id)
  }
  return ids
}

/** Where the data of items are (iloc). */
function* extentsIn(
  bytes: Buffer,
  { inside }: Box,
  data: Box | undefined,
): Generator<{ id: number; start: number; end: number }> {
  let at = inside
  const next = (length: number): number => {
    at += length
    if (length === 0) return 0
    return length === 8 ? Number(bytes.readBigUInt64BE(at - 8)) : bytes.readUIntBE(at - length, length)
  }
  const version = next(1)
  next(3)
  const [sizes, more] = [next(1), next(1)]
  const [offsetSize, lengthSize, baseSize] = [sizes >> 4, sizes & 15, more >> 4]
  const indexSize = version === 0 ? 0 : more & 15
  const wide = version < 2 ? 2 : 4
  for (let left = next(wide); left > 0; left -= 1) {
    const id = next(wide)
    const isInData = version > 0 && (next(2) & 15) === 1
    next(2)
    const base = next(baseSize) + (isInData ? (data?.inside ?? 0) : 0)
    for (let count = next(2); count > 0; count -= 1) {
      next(indexSize)
      const start = base + next(offsetSize)
      const length = next(lengthSize)
      yield { id, start, end: length === 0 ? bytes.length : start + length }
    }
  }
}

const kinds: readonly { head: (bytes: Buffer) => boolean; clean: (bytes: Buffer) => Buffer | undefined }[] = [
  { head: (bytes) => bytes[0] === 0xff && bytes[1] === startOfImage, clean: cleanJpeg },
  { head: (bytes) => bytes.subarray(0, 8).equals(pngHead), clean: cleanPng },
  { head: (bytes) => text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 4) === 'WEBP', clean: cleanWebp },
  { head: (bytes) => /^GIF8[79]a/.test(text(bytes, 0, 6)), clean: cleanGif },
  { head: (bytes) => text(bytes, 0, 2) === 'BM', clean: cleanBmp },
  { head: (bytes) => /^ftypavi[fs]/.test(text(bytes, 4, 8)), clean: cleanAvif },
]
