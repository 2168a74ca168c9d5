/*
 * Incremental updates of a PDF whose base revision we wrote (base.ts): a signature with its stamp, and the texts of its
 * signer. The earlier bytes are never changed, so the signatures in them stay valid. Nothing of the file is parsed: the
 * numbers of the objects are known from the base revision.
 */
import { deflateSync } from 'node:zlib'
import type { BaseField, BaseLayout } from './base.ts'
import type { Stamp } from './stamp.ts'

/** A text that the signer writes into a field of theirs. */
export interface FilledText {
  readonly field: BaseField
  /** Undefined for a mark, which has a picture only. */
  readonly text: string | undefined
  readonly stamp: Stamp
}

/** A signature to add. */
export interface NewSignature {
  readonly field: BaseField
  readonly stamp: Stamp
  readonly texts: readonly FilledText[]
  /** When it is signed, in milliseconds since 1970. */
  readonly at: number
  readonly signer: string
  readonly reason: string
  /** Bytes reserved for the signature. */
  readonly reserved: number
}

/** Where an update begins: the position of the previous cross-reference table, and the number of objects. */
export interface Before {
  readonly xref: number
  readonly size: number
}

/** Reads where the last revision ends. The files are ours, so the end has the form that we write. */
export function endOf(pdf: Buffer, size: number): Before {
  const tail = pdf.toString('latin1', Math.max(0, pdf.length - 64))
  const xref = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(tail)?.[1] ?? Number.NaN)
  if (!Number.isSafeInteger(xref)) throw new Error('the end of the revision is not as written')
  return { xref, size }
}

/** A text as a PDF string in UTF-16. */
function pdfText(text: string): string {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
  return `<${bytes.toString('hex')}>`
}

const two = (n: number): string => String(n).padStart(2, '0')

/** A time as a PDF date, in UTC. */
export function pdfDate(at: number): string {
  const day = new Date(at)
  const date = `${day.getUTCFullYear()}${two(day.getUTCMonth() + 1)}${two(day.getUTCDate())}`
  return `(D:${date}${two(day.getUTCHours())}${two(day.getUTCMinutes())}${two(day.getUTCSeconds())}+00'00')`
}

/** What turns a stamp so that it stands upright on a page that is shown turned. */
const matrices: Readonly<Record<number, string>> = {
  0: '1 0 0 1 0 0',
  90: '0 1 -1 0 0 0',
  180: '-1 0 0 -1 0 0',
  270: '0 -1 1 0 0 0',
}

const stream = (dict: string, bytes: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<< ${dict} /Length ${bytes.length} >>\nstream\n`, 'latin1'),
    bytes,
    Buffer.from('\nendstream', 'latin1'),
  ])

/** The objects of a stamp: its picture, the transparency of the picture, and the form that shows it in the field. */
function stampObjects(first: number, { field, stamp }: Pick<FilledText, 'field' | 'stamp'>): [number, Buffer][] {
  const { width, height, rgba } = stamp
  const pixels = width * height
  const [colours, alpha] = [Buffer.alloc(3 * pixels), Buffer.alloc(pixels)]
  for (let n = 0; n < pixels; n += 1) {
    colours[3 * n] = rgba[4 * n] ?? 0
    colours[3 * n + 1] = rgba[4 * n + 1] ?? 0
    colours[3 * n + 2] = rgba[4 * n + 2] ?? 0
    alpha[n] = rgba[4 * n + 3] ?? 0
  }
  const picture = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 /Filter /FlateDecode`
  const [w, h] =
    field.turn % 180 === 0 ? [field.place.width, field.place.height] : [field.place.height, field.place.width]
  return [
    [first, stream(`${picture} /ColorSpace /DeviceGray`, deflateSync(alpha))],
    [first + 1, stream(`${picture} /ColorSpace /DeviceRGB /SMask ${first} 0 R`, deflateSync(colours))],
    [
      first + 2,
      stream(
        `/Type /XObject /Subtype /Form /BBox [0 0 ${w} ${h}] /Matrix [${matrices[field.turn] ?? matrices[0]}] /Resources << /XObject << /Im0 ${first + 1} 0 R >> >>`,
        Buffer.from(`q ${w} 0 0 ${h} 0 0 cm /Im0 Do Q`, 'latin1'),
      ),
    ],
  ]
}

/** The field of the base revision again, with its value and its stamp. */
function widget(
  { name, kind, pageObject, place, turn }: BaseField,
  value: string | undefined,
  appearance: number,
): Buffer {
  const rect = [place.x, place.y, place.x + place.width, place.y + place.height].join(' ')
  const type = {
    signature: '/FT /Sig',
    text: '/FT /Tx /Ff 1 /DA (/Helv 0 Tf 0 g)',
    // A button: readers show its picture as it is.
    mark: '/FT /Btn /Ff 65537',
  }[kind]
  const valued = value === undefined ? '' : ` /V ${value}`
  const turned = turn === 0 ? '' : ` /MK << /R ${turn} >>`
  return Buffer.from(
    `<< /Type /Annot /Subtype /Widget ${type} /F 132 /T ${pdfText(name)} /Rect [${rect}] /P ${pageObject} 0 R${valued} /AP << /N ${appearance} 0 R >>${turned} >>`,
    'latin1',
  )
}

/** The size of a digest of the place of the signature, as `@signpdf/signpdf` looks for it. */
const range = '/ByteRange [0 /********** /********** /**********]'

/**
 * Appends a signature whose bytes are still missing; `@signpdf/signpdf` puts them in. Returns the file and its number
 * of objects.
 */
export function appendSignature(
  pdf: Buffer,
  layout: Pick<BaseLayout, 'root' | 'info'>,
  before: Before,
  made: NewSignature,
): { readonly bytes: Buffer; readonly size: number } {
  const { field, stamp, texts, at, signer, reason, reserved } = made
  let next = before.size
  const objects: [number, Buffer][] = []
  const take = (list: [number, Buffer][]): number => {
    objects.push(...list)
    next += list.length
    return next - 1
  }
  const said = reason === '' ? '' : ` /Reason ${pdfText(reason)}`
  const value = take([
    [
      next,
      Buffer.from(
        `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached ${range} /Contents <${'00'.repeat(reserved)}> /M ${pdfDate(at)} /Name ${pdfText(signer)}${said} >>`,
        'latin1',
      ),
    ],
  ])
  objects.push([field.object, widget(field, `${value} 0 R`, take(stampObjects(next, { field, stamp })))])
  for (const one of texts)
    objects.push([
      one.field.object,
      widget(one.field, one.text === undefined ? undefined : pdfText(one.text), take(stampObjects(next, one))),
    ])
  return { bytes: append(pdf, layout, before, objects, next), size: next }
}

/** What readers need to check signatures later, in DER. */
export interface Evidence {
  readonly certificates: readonly Buffer[]
  readonly ocsps: readonly Buffer[]
  readonly crls: readonly Buffer[]
}

const lists = { Certs: 'certificates', OCSPs: 'ocsps', CRLs: 'crls' } as const

/** The references of an earlier dictionary of evidence, which we wrote after a signature. */
function earlierEvidence(pdf: Buffer): Record<keyof typeof lists, string[]> {
  const at = pdf.lastIndexOf('<< /Type /DSS ', pdf.length, 'latin1')
  const signed = pdf.indexOf('/ByteRange', 0, 'latin1')
  const text = at > signed && signed >= 0 ? pdf.toString('latin1', at, pdf.indexOf('>>', at)) : ''
  const of = (name: string): string[] =>
    new RegExp(`/${name} \\[([^\\]]*)\\]`)
      .exec(text)?.[1]
      ?.match(/\d+ 0 R/g)
      ?.map(String) ?? []
  return { Certs: of('Certs'), OCSPs: of('OCSPs'), CRLs: of('CRLs') }
}

/**
 * Appends what readers need to check the signatures later (the DSS dictionary of PAdES), as an update of the catalog.
 * Returns undefined where the catalog is not known.
 */
export function appendEvidence(
  pdf: Buffer,
  layout: Pick<BaseLayout, 'root' | 'info' | 'catalog'>,
  before: Before,
  evidence: Evidence,
): { readonly bytes: Buffer; readonly size: number } | undefined {
  const { catalog } = layout
  if (catalog === null || catalog === undefined) return undefined
  let next = before.size
  const objects: [number, Buffer][] = []
  const refs = earlierEvidence(pdf)
  for (const [name, key] of Object.entries(lists) as [keyof typeof lists, (typeof lists)[keyof typeof lists]][]) {
    for (const der of evidence[key]) {
      objects.push([next, stream('', der)])
      refs[name].push(`${next} 0 R`)
      next += 1
    }
  }
  const parts = Object.entries(refs)
    .filter(([, list]) => list.length > 0)
    .map(([name, list]) => `/${name} [${list.join(' ')}]`)
  const dictionary = next++
  objects.push([dictionary, Buffer.from(`<< /Type /DSS ${parts.join(' ')} >>`, 'latin1')])
  const whole = `${catalog.slice(0, -2)}${evidenceMark(dictionary)}>>`
  objects.push([layout.root, Buffer.from(whole, 'latin1')])
  return { bytes: append(pdf, layout, before, objects, next), size: next }
}

/** What the catalog says of the evidence. */
export const evidenceMark = (object: number): string => ` /DSS ${object} 0 R `

/** What a trailer names beside its size and the table before it. */
export type Trailer = Pick<BaseLayout, 'root' | 'info'>

/** The cross-reference table and the trailer of an update: where its objects begin, and where they end. */
export function endingOf(
  offsets: readonly (readonly [number, number])[],
  { at, size, xref, root, info }: Trailer & Before & { readonly at: number },
): string {
  const lines = offsets
    .toSorted(([a], [b]) => a - b)
    .map(([number, offset]) => `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`)
  const names = info === null ? '' : ` /Info ${info} 0 R`
  return `xref\n${lines.join('')}trailer\n<< /Size ${size} /Root ${root} 0 R${names} /Prev ${xref} >>\nstartxref\n${at}\n%%EOF`
}

/** Appends objects, their cross-reference table and a trailer. */
function append(
  pdf: Buffer,
  { root, info }: Trailer,
  { xref }: Before,
  objects: readonly (readonly [number, Buffer])[],
  size: number,
): Buffer {
  const parts: Buffer[] = [pdf, Buffer.from('\n', 'latin1')]
  let at = pdf.length + 1
  const offsets: [number, number][] = []
  for (const [number, bytes] of objects) {
    const whole = Buffer.concat([
      Buffer.from(`${number} 0 obj\n`, 'latin1'),
      bytes,
      Buffer.from('\nendobj\n', 'latin1'),
    ])
    offsets.push([number, at])
    parts.push(whole)
    at += whole.length
  }
  parts.push(Buffer.from(endingOf(offsets, { root, info, xref, size, at }), 'latin1'))
  return Buffer.concat(parts)
}
