/*
 * Makes a PDF smaller without changing what it shows: images become JPEGs at screen resolution, and objects are packed
 * into streams. Anything that is not fully understood is left unchanged, a single image or the whole document:
 * rewriting would break a signature, encrypted content or a damaged file.
 *
 * A separate program that compress-pdf.ts runs for one document: it reads the PDF and writes the smaller one, or
 * nothing. It limits what is inflated and decoded; its caller limits the time and the memory of objects.
 */
import { buffer } from 'node:stream/consumers'
import { crc32, inflateSync } from 'node:zlib'
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFParser,
  PDFRawStream,
  PDFRef,
  type PDFStream,
  PDFStreamWriter,
  PDFWriter,
} from '@cantoo/pdf-lib'
import sharp, { type Raw, type SharpOptions } from 'sharp'

/** Maximum length of the longer side of an image in pixels: an A4 page at 140 dpi. */
const longestSide = 1600
const quality = 60
/**
 * A strip of an image is not made narrower than this, because its edges would become visible where it meets the next
 * strip.
 */
const narrowest = 100
/** An image is replaced only if its size shrinks to this fraction. Otherwise the loss of quality is not worthwhile. */
const worthwhile = 0.9
/**
 * Maximum number of pixels of a decoded image (an A3 page at 600 dpi), and of an image that must be held in memory as a
 * whole for decoding.
 */
const mostPixels = 80_000_000
const maxPixels = 20_000_000
/** Maximum number of bytes that the objects of a document, apart from its contents, may inflate to. */
const mostInflated = 128 * 1024 * 1024

const name = (text: string): PDFName => PDFName.of(text)

/** Returns the smaller PDF; undefined if there is none or none that is safe to use. Rejects on unreadable input. */
async function smallerPdf(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  if (!isComplete(bytes)) return undefined
  const parser = new CarefulParser(bytes)
  const context = await parser.parseDocument()
  if (context.trailerInfo.Encrypt !== undefined) return undefined
  parser.mendLengths()
  dropContainers(context)
  const survey = surveyOf(context)
  if (!survey.mayBeWritten) return undefined
  for (const [ref, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFRawStream) || survey.masks.has(ref)) continue
    // One unreadable image does not prevent the others from being compressed.
    const smaller = await smallerPicture(object).catch(() => undefined)
    if (smaller !== undefined) context.assign(ref, smaller)
  }
  const kept = context.enumerateIndirectObjects()
  // Readers before PDF 1.5, and archive formats that require 1.4, do not support object streams.
  const writer = Number(context.header.getVersionString()) >= 1.5 ? PDFStreamWriter : PDFWriter
  const smaller = await writer.forContext(context, Number.POSITIVE_INFINITY).serializeToBuffer()
  return smaller.length < bytes.length && (await containsObjects(smaller, kept)) ? smaller : undefined
}

/**
 * Whether the bytes begin and end like a complete PDF. A truncated one would otherwise be rewritten as if it were
 * complete.
 */
function isComplete(bytes: Uint8Array): boolean {
  const text = (part: Uint8Array): string => Buffer.from(part).toString('latin1')
  return text(bytes.subarray(0, 1024)).includes('%PDF-') && /startxref\s+\d+\s+%%EOF/.test(text(bytes.subarray(-2048)))
}

/** A stricter version of pdf-lib's parser: it checks the lengths of streams and limits how much they may inflate to. */
class CarefulParser extends PDFParser {
  readonly #bytes: Uint8Array
  /** Start and end offsets of streams whose length is an indirect object. The end is where `endstream` begins. */
  readonly #guessed = new Map<PDFRawStream, { start: number; end: number }>()
  #inflated = 0

  constructor(bytes: Uint8Array) {
    super(bytes, Number.POSITIVE_INFINITY, true)
    this.#bytes = bytes
  }

  protected override parseDictOrStream(ref?: PDFRef): PDFDict | PDFStream {
    const object = super.parseDictOrStream(ref)
    if (!(object instanceof PDFRawStream)) return object
    const length = object.dict.get(name('Length'))
    if (length instanceof PDFRef) {
      // The parser has searched for `endstream` and removed the end-of-line before it.
      const end = this.bytes.offset() - 'endstream'.length
      const [last, beforeLast] = [this.bytes.peekAt(end - 1), this.bytes.peekAt(end - 2)]
      const ending = last === 10 ? (beforeLast === 13 ? 2 : 1) : last === 13 ? 1 : 0
      this.#guessed.set(object, { start: end - ending - object.contents.length, end })
    } else if (!(length instanceof PDFNumber) || length.asNumber() !== object.contents.length) {
      throw new Error('a stream of another length than it says')
    }
    const type = object.dict.lookup(name('Type'))
    if (type === name('ObjStm')) return this.#inflate(object)
    // The cross-reference table is regenerated; only the other keys of its dictionary are needed.
    if (type === name('XRef')) object.dict.set(name('Index'), object.dict.context.obj([]))
    return object
  }

  /** Sets the exact bytes of streams whose length is an indirect object, once that object has been parsed. */
  mendLengths(): void {
    for (const [stream, { start, end }] of this.#guessed) {
      const length = this.context.lookup(stream.dict.get(name('Length')), PDFNumber).asNumber()
      if (start + length > end || start + length < end - 2) throw new Error('a stream of another length than it says')
      stream.contents = this.#bytes.subarray(start, start + length)
    }
  }

  /** Inflated here with a limit, because pdf-lib could otherwise exhaust all memory outside the heap. */
  #inflate(stream: PDFRawStream): PDFRawStream {
    const filter = single(stream.dict.lookup(name('Filter')))
    if (filter === undefined) return stream
    if (filter !== name('FlateDecode')) throw new Error('objects behind an unusual filter')
    const plain = inflateSync(stream.contents, { maxOutputLength: mostInflated - this.#inflated })
    this.#inflated += plain.length
    stream.dict.delete(name('Filter'))
    return PDFRawStream.of(stream.dict, plain)
  }
}

/** Removes object streams and cross-reference streams, because the writer regenerates them. */
function dropContainers(context: PDFContext): void {
  for (const [ref, object] of context.enumerateIndirectObjects()) {
    const dict = object instanceof PDFRawStream ? object.dict : object
    if (!(dict instanceof PDFDict)) continue
    const type = dict.lookup(name('Type'))
    const isContainer = object instanceof PDFRawStream && (type === name('ObjStm') || type === name('XRef'))
    if (isContainer || dict.has(name('Linearized'))) context.delete(ref)
  }
}

/** Decides whether the document may be rewritten, and finds the images that serve as masks of others. */
function surveyOf(context: PDFContext): { mayBeWritten: boolean; masks: ReadonlySet<PDFObject> } {
  const objects = context.enumerateIndirectObjects()
  const masks = new Set<PDFObject>()
  let mayBeWritten = new Set(objects.map(([ref]) => ref.objectNumber)).size === objects.length
  const { Root, Info, ID } = context.trailerInfo
  const open = [...objects.map(([, object]) => object), ...[Root, Info, ID].filter((one) => one !== undefined)]
  for (let object = open.pop(); object !== undefined; object = open.pop()) {
    // A reference to a missing object means that the object was lost or not understood.
    if (object instanceof PDFRef && context.lookup(object) === undefined) mayBeWritten = false
    if (object instanceof PDFArray) open.push(...object.asArray())
    const dict = object instanceof PDFRawStream ? object.dict : object
    if (!(dict instanceof PDFDict)) continue
    if (dict.has(name('ByteRange')) || dict.lookup(name('FT')) === name('Sig')) mayBeWritten = false
    for (const [key, value] of dict.entries()) {
      if (key === name('SMask') || key === name('Mask')) masks.add(value)
      open.push(value)
    }
  }
  return { mayBeWritten, masks }
}

/** The keys of an image that stay valid when its pixels change. */
const knownKeys: ReadonlySet<PDFName> = new Set(
  [
    ...['Type', 'Subtype', 'Name', 'Width', 'Height', 'ColorSpace', 'BitsPerComponent', 'Decode', 'Intent'],
    ...['Filter', 'DecodeParms', 'Length', 'Interpolate', 'SMask', 'Mask', 'OC', 'StructParent', 'Metadata'],
  ].map(name),
)

interface Shape {
  readonly width: number
  readonly height: number
  readonly channels: 1 | 3
}

/** The same image in fewer bytes; undefined if it is no image, is not fully understood or does not become smaller. */
async function smallerPicture({ dict, contents }: PDFRawStream): Promise<PDFRawStream | undefined> {
  const shape = shapeOf(dict)
  const source = shape && sourceOf(dict, contents, shape)
  if (shape === undefined || source === undefined) return undefined
  const options: SharpOptions = { failOn: 'warning', limitInputPixels: mostPixels, ignoreIcc: true }
  const picture = sharp(source.bytes, source.raw === undefined ? options : { ...options, raw: source.raw })
  const found = await picture.metadata()
  if (found.width !== shape.width || found.height !== shape.height) return undefined
  if (found.channels !== shape.channels || found.depth !== 'uchar') return undefined
  if (found.isProgressive && shape.width * shape.height > maxPixels) return undefined
  const longer = Math.max(shape.width, shape.height)
  const shorter = Math.min(shape.width, shape.height)
  if (longer > longestSide && (shorter * longestSide) / longer >= narrowest)
    picture.resize({ width: longestSide, height: longestSide, fit: 'inside' })
  const { data, info } = await picture
    .toColourspace(shape.channels === 1 ? 'b-w' : 'srgb')
    .jpeg({ quality })
    .toBuffer({ resolveWithObject: true })
  if (info.channels !== shape.channels || data.length >= contents.length * worthwhile) return undefined
  const changed = dict.clone()
  changed.set(name('Width'), PDFNumber.of(info.width))
  changed.set(name('Height'), PDFNumber.of(info.height))
  changed.set(name('Filter'), name('DCTDecode'))
  changed.set(name('BitsPerComponent'), PDFNumber.of(8))
  changed.delete(name('DecodeParms'))
  return PDFRawStream.of(changed, data)
}

/** The dimensions of a plain grey or RGB image; undefined for everything else. */
function shapeOf(dict: PDFDict): Shape | undefined {
  if (dict.lookup(name('Subtype')) !== name('Image') || !dict.keys().every((key) => knownKeys.has(key)))
    return undefined
  const width = numberIn(dict, 'Width') ?? 0
  const height = numberIn(dict, 'Height') ?? 0
  const channels = channelsOf(dict.lookup(name('ColorSpace')))
  if (channels === undefined || !isSize(width) || !isSize(height) || width * height > mostPixels) return undefined
  if ((numberIn(dict, 'BitsPerComponent') ?? 8) !== 8 || !isUsualDecode(dict.lookup(name('Decode')))) return undefined
  // A colour-key mask requires exact colours, and a soft mask with a matte requires the original pixels.
  if (dict.lookup(name('Mask')) instanceof PDFArray) return undefined
  const softMask = dict.lookup(name('SMask'))
  if (softMask instanceof PDFRawStream && softMask.dict.has(name('Matte'))) return undefined
  return { width, height, channels }
}

const isSize = (pixels: number): boolean => Number.isInteger(pixels) && pixels > 0

function isUsualDecode(decode: PDFObject | undefined): boolean {
  if (decode === undefined) return true
  return decode instanceof PDFArray && decode.asArray().every((end, i) => end.toString() === String(i % 2))
}

function channelsOf(space: PDFObject | undefined): 1 | 3 | undefined {
  if (space instanceof PDFArray && space.lookup(0) === name('ICCBased')) {
    const profile = space.lookup(1)
    if (!(profile instanceof PDFRawStream)) return undefined
    const channels = numberIn(profile.dict, 'N')
    const alternate = profile.dict.lookup(name('Alternate'))
    if (alternate !== undefined && channelsOf(alternate) !== channels) return undefined
    return channels === 1 || channels === 3 ? channels : undefined
  }
  const kind = single(space) ?? (space instanceof PDFArray ? space.lookup(0) : undefined)
  if (kind === name('DeviceGray') || kind === name('CalGray')) return 1
  return kind === name('DeviceRGB') || kind === name('CalRGB') ? 3 : undefined
}

/** The image in a form that sharp reads: a JPEG, raw pixels, or a PNG, whose pixels are stored as in the PDF. */
function sourceOf(dict: PDFDict, bytes: Uint8Array, shape: Shape): { bytes: Uint8Array; raw?: Raw } | undefined {
  const filter = single(dict.lookup(name('Filter')))
  const found = dict.lookup(name('DecodeParms'))
  const parms = found instanceof PDFArray && found.size() === 1 ? found.lookup(0) : found
  if (filter === name('DCTDecode')) {
    // sharp might decode anything else as one of the many other formats that it reads.
    const isJpeg = bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff
    return isJpeg && parms === undefined ? { bytes } : undefined
  }
  if (filter !== name('FlateDecode') || (parms !== undefined && !(parms instanceof PDFDict))) return undefined
  const { width, height, channels } = shape
  const predictor = (parms && numberIn(parms, 'Predictor')) ?? 1
  if (predictor === 1) {
    const size = width * height * channels
    const raw = inflateSync(bytes, { maxOutputLength: size + 16 })
    return raw.length < size ? undefined : { bytes: raw.subarray(0, size), raw: { width, height, channels } }
  }
  const fits = numberIn(parms, 'Columns') === width && (numberIn(parms, 'Colors') ?? 1) === channels
  if (predictor < 10 || !fits || (numberIn(parms, 'BitsPerComponent') ?? 8) !== 8) return undefined
  return { bytes: pngOf(bytes, shape) }
}

/** Wraps a stream with PNG predictors in a PNG file. */
function pngOf(rows: Uint8Array, { width, height, channels }: Shape): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  header[9] = channels === 1 ? 0 : 2
  const chunk = (type: string, data: Uint8Array): Buffer[] => {
    const size = Buffer.alloc(4)
    size.writeUInt32BE(data.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(data, crc32(type)))
    return [size, Buffer.from(type), Buffer.from(data.buffer, data.byteOffset, data.length), sum]
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, ...chunk('IHDR', header), ...chunk('IDAT', rows), ...chunk('IEND', Buffer.alloc(0))])
}

/** Whether a PDF, parsed again, contains each of these objects. */
async function containsObjects(bytes: Uint8Array, objects: readonly [PDFRef, PDFObject][]): Promise<boolean> {
  const context = await new CarefulParser(bytes).parseDocument()
  return objects.every(([ref, object]) => {
    const found = context.lookup(ref)
    if (object instanceof PDFRawStream)
      return found instanceof PDFRawStream && Buffer.compare(found.contents, object.contents) === 0
    return found?.constructor === object.constructor
  })
}

/** The name if the object is a single name or an array with exactly one name. */
function single(object: PDFObject | undefined): PDFName | undefined {
  const one = object instanceof PDFArray && object.size() === 1 ? object.lookup(0) : object
  return one instanceof PDFName ? one : undefined
}

function numberIn(dict: PDFDict | undefined, key: string): number | undefined {
  const value = dict?.lookup(name(key))
  return value instanceof PDFNumber ? value.asNumber() : undefined
}

sharp.concurrency(1)
process.stdout.end((await smallerPdf(await buffer(process.stdin)).catch(() => undefined)) ?? '')
