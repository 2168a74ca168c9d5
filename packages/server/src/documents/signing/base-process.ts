// Writes the base revision of one PDF, in a process of its own (base.ts).
import { buffer } from 'node:stream/consumers'
import {
  EncryptedPDFError,
  PDFArray,
  PDFBool,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNull,
  type PDFPage,
  PDFRef,
  PDFStream,
  PDFString,
} from '@cantoo/pdf-lib'
import type { Additions, BaseField, BaseLayout, FieldPlace, NotSignable } from './base.ts'

class Unsuitable extends Error {
  readonly why: NotSignable
  constructor(why: NotSignable) {
    super(why)
    this.why = why
  }
}

/** Where fields without a place stand: in rows of three at the bottom of the last page. */
const free = { width: 150, height: 56, margin: 40, gap: 14, perRow: 3 }

function freePlace(page: PDFPage, pages: number, index: number): FieldPlace {
  const { x, y } = page.getCropBox()
  return {
    page: pages,
    x: x + free.margin + (index % free.perRow) * (free.width + free.gap),
    y: y + free.margin + Math.floor(index / free.perRow) * (free.height + free.gap),
    width: free.width,
    height: free.height,
  }
}

const name = (text: string): PDFName => PDFName.of(text)

/** Whether a form holds a signature already. */
function isSigned(document: PDFDocument): boolean {
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    if (object instanceof PDFDict && object.has(name('ByteRange')) && object.has(name('Contents'))) return true
  }
  return false
}

/**
 * Makes references to objects that are not there null, which is what they mean: an object that is added after a signature
 * would be shown in their place.
 */
function dropMissing({ context }: PDFDocument): void {
  const isMissing = (value: unknown): boolean => value instanceof PDFRef && context.lookup(value) === undefined
  const visit = (value: unknown): void => {
    if (value instanceof PDFStream) visit(value.dict)
    else if (value instanceof PDFDict) {
      for (const [key, one] of value.entries())
        if (isMissing(one)) value.set(key, PDFNull)
        else visit(one)
    } else if (value instanceof PDFArray) {
      for (const [n, one] of value.asArray().entries())
        if (isMissing(one)) value.set(n, PDFNull)
        else visit(one)
    }
  }
  for (const [, object] of context.enumerateIndirectObjects()) visit(object)
  if (isMissing(context.trailerInfo.Info)) delete context.trailerInfo.Info
}

function formOf(document: PDFDocument): { form: PDFDict; fields: PDFArray } {
  const { context, catalog } = document
  let form = catalog.lookup(name('AcroForm'))
  if (!(form instanceof PDFDict)) {
    form = context.obj({ Fields: [] })
    catalog.set(name('AcroForm'), context.register(form))
  }
  const dict = form as PDFDict
  // The pages of such a form are made by a script of Adobe; what is signed are the ordinary pages.
  dict.delete(name('XFA'))
  dict.set(name('SigFlags'), context.obj(3))
  dict.set(name('NeedAppearances'), PDFBool.False)
  dict.set(name('DA'), PDFString.of('/Helv 0 Tf 0 g'))
  let fields = dict.lookup(name('Fields'))
  if (!(fields instanceof PDFArray)) {
    fields = context.obj([])
    dict.set(name('Fields'), fields)
  }
  return { form: dict, fields: fields as PDFArray }
}

const turnOf = (page: PDFPage): number => ((page.getRotation().angle % 360) + 360) % 360

interface Shown {
  readonly left: number
  readonly bottom: number
  readonly width: number
  readonly height: number
}

/** The size of a page as it is shown. */
function shownSize(page: PDFPage): { width: number; height: number } {
  const { width, height } = page.getCropBox()
  return turnOf(page) % 180 === 0 ? { width, height } : { width: height, height: width }
}

/** A place as it is shown, from the bottom left of the page as it is shown. */
function toShown(page: PDFPage, { x, y, width, height }: FieldPlace): Shown {
  const box = page.getCropBox()
  const [left, bottom] = [x - box.x, y - box.y]
  const turn = turnOf(page)
  if (turn === 90) return { left: bottom, bottom: box.width - left - width, width: height, height: width }
  if (turn === 180) return { left: box.width - left - width, bottom: box.height - bottom - height, width, height }
  if (turn === 270) return { left: box.height - bottom - height, bottom: left, width: height, height: width }
  return { left, bottom, width, height }
}

/** The place of what is shown there. */
function fromShown(page: PDFPage, number: number, { left, bottom, width, height }: Shown): FieldPlace {
  const box = page.getCropBox()
  const turn = turnOf(page)
  if (turn === 90)
    return { page: number, x: box.x + box.width - bottom - height, y: box.y + left, width: height, height: width }
  if (turn === 180)
    return { page: number, x: box.x + box.width - left - width, y: box.y + box.height - bottom - height, width, height }
  if (turn === 270)
    return { page: number, x: box.x + bottom, y: box.y + box.height - left - width, width: height, height: width }
  return { page: number, x: box.x + left, y: box.y + bottom, width, height }
}

/** As many pages share one picture across their edges. */
const mostSlices = 20

const within = (value: number, most: number): number => Math.max(0, Math.min(value, most))

/** Where a picture stands on each page: at the same place, or a slice of it at the right edge. */
function spotsOf(
  pages: readonly PDFPage[],
  place: FieldPlace,
  spread: 'every' | 'edge',
): { readonly place: FieldPlace; readonly slice: BaseField['slice'] }[] {
  const main = pages[place.page - 1]
  if (main === undefined) return []
  const shown = toShown(main, place)
  const groups = Math.ceil(pages.length / mostSlices)
  return pages.map((page, n) => {
    const size = shownSize(page)
    const bottom = within(shown.bottom, size.height - shown.height)
    if (spread === 'every') {
      const left = within(shown.left, size.width - shown.width)
      return { place: fromShown(page, n + 1, { ...shown, left, bottom }), slice: undefined }
    }
    const group = Math.floor((n * groups) / pages.length)
    const first = Math.ceil((group * pages.length) / groups)
    const count = Math.ceil(((group + 1) * pages.length) / groups) - first
    const width = shown.width / count
    const spot = { left: size.width - width, bottom, width, height: shown.height }
    return { place: fromShown(page, n + 1, spot), slice: { index: n - first, count } }
  })
}

const longestCatalog = 64 * 1024

/** The text of an object as it is written: a dictionary without a stream. */
function textOf(bytes: Buffer, object: number): string | null {
  const head = `\n${object} 0 obj\n`
  const start = bytes.indexOf(head, 0, 'latin1')
  const end = bytes.indexOf('\nendobj', start, 'latin1')
  if (start < 0 || end < 0 || end - start > longestCatalog) return null
  const text = bytes.toString('latin1', start + head.length, end)
  return text.startsWith('<<') && text.endsWith('>>') ? text : null
}

async function baseOf(
  pdf: Buffer,
  { fields: wanted, watermark }: Additions,
): Promise<{ bytes: Uint8Array; layout: BaseLayout }> {
  const document = await PDFDocument.load(pdf, { updateMetadata: false, throwOnInvalidObject: false })
  const pages = document.getPages()
  const last = pages.at(-1)
  if (last === undefined) throw new Unsuitable('empty')
  if (isSigned(document)) throw new Unsuitable('signed')
  dropMissing(document)
  // Below the fields, whose stamps stay readable.
  if (watermark !== undefined) await (await import('../marks/pdf.ts')).drawMarks(document, watermark)
  const { context } = document
  document.catalog.delete(name('Perms'))
  const { fields } = formOf(document)
  const addField = (
    { name: title, kind, of, slice }: Pick<BaseField, 'name' | 'kind' | 'of' | 'slice'>,
    at: FieldPlace,
  ): BaseField => {
    const page = pages[at.page - 1]
    if (page === undefined) throw new Unsuitable('place')
    const right = at.x + at.width
    const top = at.y + at.height
    const widget = context.obj({
      ...{ Type: 'Annot', Subtype: 'Widget', FT: { signature: 'Sig', text: 'Tx', mark: 'Btn' }[kind], F: 132 },
      ...(kind === 'mark' && { Ff: 65_537 }),
      ...(kind === 'text' && { Ff: 1, DA: PDFString.of('/Helv 0 Tf 0 g') }),
      ...{ T: PDFHexString.fromText(title), Rect: [at.x, at.y, right, top], P: page.ref },
    })
    const ref = context.register(widget)
    fields.push(ref)
    page.node.addAnnot(ref)
    return {
      ...{
        name: title,
        kind,
        object: ref.objectNumber,
        pageObject: page.ref.objectNumber,
        turn: turnOf(page),
        place: at,
      },
      ...(of !== undefined && { of }),
      ...(slice !== undefined && { slice }),
    }
  }
  let freeOnes = 0
  const marks: (() => BaseField)[] = []
  const made: BaseField[] = wanted.map(({ name: title, kind, place, spread = 'one' }, of): BaseField => {
    const at = place ?? freePlace(last, pages.length, freeOnes++)
    if (pages[at.page - 1] === undefined) throw new Unsuitable('place')
    const spots = spread === 'one' ? [] : spotsOf(pages, at, spread)
    for (const { place: spot, slice } of spots)
      if (spot.page !== at.page)
        marks.push(() => addField({ name: `${title}-p${spot.page}`, kind: 'mark', of, ...(slice && { slice }) }, spot))
    const own = spots.find(({ place: spot }) => spot.page === at.page)
    return addField({ name: title, kind, ...(own?.slice && { slice: own.slice }) }, own?.place ?? at)
  })
  // After all fields of signers, whose numbers are their positions.
  for (const add of marks) made.push(add())
  const bytes = await document.save({ useObjectStreams: false, addDefaultPage: false, updateFieldAppearances: false })
  // Another reader of signatures would take these words for the place of a signature.
  if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('/ByteRange')) throw new Unsuitable('signed')
  const { trailerInfo } = context
  const root = trailerInfo.Root instanceof PDFRef ? trailerInfo.Root.objectNumber : null
  if (root === null) throw new Unsuitable('broken')
  const catalog = textOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), root)
  const info = trailerInfo.Info instanceof PDFRef ? trailerInfo.Info.objectNumber : null
  return {
    bytes,
    layout: { pages: pages.length, size: context.largestObjectNumber + 1, root, info, fields: made, catalog },
  }
}

async function answer(): Promise<Buffer> {
  const framed = (code: number, head: unknown, bytes: Uint8Array): Buffer => {
    const said = Buffer.from(JSON.stringify(head))
    const length = Buffer.alloc(4)
    length.writeUInt32LE(said.length)
    return Buffer.concat([Buffer.of(code), length, said, bytes])
  }
  const whole = await buffer(process.stdin)
  const end = 4 + whole.readUInt32LE(0)
  try {
    const { bytes, layout } = await baseOf(
      whole.subarray(end),
      JSON.parse(whole.subarray(4, end).toString()) as Additions,
    )
    return framed(0, layout, bytes)
  } catch (error) {
    const why: NotSignable =
      error instanceof Unsuitable ? error.why : error instanceof EncryptedPDFError ? 'encrypted' : 'broken'
    return framed(1, { why }, Buffer.alloc(0))
  }
}

const bytes = await answer()
process.stdout.write(bytes, () => process.exit(0))
