// A thumbnail of what a document shows first.
import type { Rendition } from '@cloudoc/contract'
import { documentKind } from '@cloudoc/domain'
import { readers } from './readers/readers.ts'
import type { Zip } from './readers/zip.ts'
import { Refused } from './refusal.ts'

const side = 480
/** Maximum number of cells read for the thumbnail. */
const mostCells = 500_000

/** A picture with a lower standard deviation counts as a single colour: 0 to 127. */
const leastContrast = 3

/** As WebP. Throws Refused if there is nothing to show. */
export async function firstPicture(bytes: Buffer, ext: string): Promise<Buffer> {
  return (await firstPictureAndPages(bytes, ext)).picture
}

/** The same, with the number of pages; 0 if it is not known. */
export async function firstPictureAndPages(bytes: Buffer, ext: string): Promise<{ picture: Buffer; pages: number }> {
  const { smallPicture } = await import('./readers/picture.ts')
  const kind = documentKind(ext)
  if (kind === undefined) throw new Refused('conversionUnsupported')
  if (kind === 'picture') return { picture: await smallPicture(bytes, ext, side), pages: 0 }
  if (kind === 'pdf') {
    const { picture, pages } = await (await import('./readers/pdf.ts')).firstPage(bytes, side)
    return { picture: await smallPicture(picture, 'png', side), pages }
  }
  if (kind === 'docx' || kind === 'xlsx' || kind === 'pptx' || kind === 'odf') {
    const zip = (await import('./readers/zip.ts')).readZip(bytes)
    const inside = ['docProps/thumbnail.jpeg', 'docProps/thumbnail.png', 'Thumbnails/thumbnail.png']
    const found = inside.map((path) => zip.bytes(path)).find((one) => one !== undefined)
    const made = found && (await smallPicture(found, 'png', side).catch(() => undefined))
    if (made !== undefined && (await shows(made))) return { picture: made, pages: slidesIn(zip) }
  }
  const values: unknown[] = [undefined]
  const parts = {
    json: (value: unknown) => values.push(value) - 1,
    text: (text: string) => values.push(text) - 1,
    bytes: (_: string, one: Uint8Array) => values.push(one) - 1,
  }
  const rendition = await (await readers[kind]())({ bytes, ext, parts, mostCells, progress: () => {} })
  const { drawFirst } = await import('./draw.ts')
  const drawn = await drawFirst(
    rendition,
    { value: (part) => values[part], bytes: (part) => values[part] as Uint8Array },
    side,
  )
  if (drawn === undefined) throw new Refused('conversionUnsupported')
  return { picture: drawn.toBuffer('image/webp', 82), pages: pagesOf(rendition) }
}

/**
 * Whether the embedded thumbnail shows something: programs leave thumbnails of the empty template a document was
 * created from.
 */
async function shows(picture: Buffer): Promise<boolean> {
  const { default: sharp } = await import('sharp')
  const { channels } = await sharp(picture).removeAlpha().stats()
  return channels.some(({ stdev }) => stdev > leastContrast)
}

/** The page count of flowing text is known only after layout. */
function pagesOf(rendition: Rendition): number {
  if (rendition.kind === 'slides') return rendition.slides.length
  return rendition.kind === 'pages' ? rendition.of : 0
}

/** Counts the slides of a presentation without reading any. */
function slidesIn(zip: Zip): number {
  const count = (path: string, slide: RegExp): number => zip.bytes(path)?.toString().match(slide)?.length ?? 0
  const isDeck = zip.bytes('mimetype')?.includes('presentation') === true
  return count('ppt/presentation.xml', /<p:sldId\s/g) || (isDeck ? count('content.xml', /<draw:page\s/g) : 0)
}
