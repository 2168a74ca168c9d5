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
  type PDFPage,
  PDFRef,
  PDFString,
} from '@cantoo/pdf-lib'
import type { BaseField, BaseLayout, FieldPlace, NewField, NotSignable } from './base.ts'

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

async function baseOf(pdf: Buffer, wanted: readonly NewField[]): Promise<{ bytes: Uint8Array; layout: BaseLayout }> {
  const document = await PDFDocument.load(pdf, { updateMetadata: false, throwOnInvalidObject: false })
  const pages = document.getPages()
  const last = pages.at(-1)
  if (last === undefined) throw new Unsuitable('empty')
  if (isSigned(document)) throw new Unsuitable('signed')
  const { context } = document
  document.catalog.delete(name('Perms'))
  const { fields } = formOf(document)
  let freeOnes = 0
  const made = wanted.map(({ name: title, kind, place }): BaseField => {
    const at = place ?? freePlace(last, pages.length, freeOnes++)
    const page = pages[at.page - 1]
    if (page === undefined) throw new Unsuitable('place')
    const right = at.x + at.width
    const top = at.y + at.height
    const widget = context.obj({
      ...{ Type: 'Annot', Subtype: 'Widget', FT: kind === 'signature' ? 'Sig' : 'Tx', F: 132 },
      ...(kind === 'text' && { Ff: 1, DA: PDFString.of('/Helv 0 Tf 0 g') }),
      ...{ T: PDFHexString.fromText(title), Rect: [at.x, at.y, right, top], P: page.ref },
    })
    const ref = context.register(widget)
    fields.push(ref)
    page.node.addAnnot(ref)
    const turn = ((page.getRotation().angle % 360) + 360) % 360
    return { name: title, kind, object: ref.objectNumber, pageObject: page.ref.objectNumber, turn, place: at }
  })
  const bytes = await document.save({ useObjectStreams: false, addDefaultPage: false, updateFieldAppearances: false })
  // Another reader of signatures would take these words for the place of a signature.
  if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('/ByteRange')) throw new Unsuitable('signed')
  const { trailerInfo } = context
  const root = trailerInfo.Root instanceof PDFRef ? trailerInfo.Root.objectNumber : null
  if (root === null) throw new Unsuitable('broken')
  const info = trailerInfo.Info instanceof PDFRef ? trailerInfo.Info.objectNumber : null
  return { bytes, layout: { pages: pages.length, size: context.largestObjectNumber + 1, root, info, fields: made } }
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
      JSON.parse(whole.subarray(4, end).toString()) as NewField[],
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
