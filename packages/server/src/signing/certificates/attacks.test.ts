/*
 * Public attacks on signatures in PDF: universal signature forgery, signature wrapping and incremental saving ("1 Trillion
 * Dollar Refund", 2019), shadow attacks (2021), evil annotation and sneaky signature (attacks on certified documents,
 * 2021). Each file is made here from one that is signed properly, and shows readers another text than the signed one.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PDFDocument, PDFRef, StandardFonts } from '@cantoo/pdf-lib'
import { SignPdf } from '@signpdf/signpdf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  appendEvidence,
  type BaseField,
  type BaseLayout,
  drawStamp,
  endOf,
  makeBase,
} from '../../documents/signing/index.ts'
import { CadesSigner, type SigningKey } from './cades-signer.ts'
import { checkSignatures } from './check.ts'
import { type Issued, issueCertificate, makeAuthority } from './issue.ts'
import { signPdf } from './sign-pdf.ts'

const run = promisify(execFile)
const now = Date.now()
const today = new Date(now).toISOString().replace(/\D/g, '').slice(0, 14)
const evil = 'Pay one million'
let folder = ''
let authority: Issued
let own: SigningKey
let stranger: SigningKey

async function keyOf(issuer: Issued, name: string): Promise<SigningKey> {
  const { key, certificate } = await issueCertificate(issuer, { name, mail: 'someone@example.com' }, now)
  return { key, chain: [certificate, issuer.certificate] }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloudoc-attacks-'))
  authority = await makeAuthority('青云科技有限公司', 10, now)
  own = await keyOf(authority, '王小明')
  stranger = await keyOf(await makeAuthority('Mallory Ltd', 10, now), '王小明')
})
afterAll(() => rm(folder, { recursive: true }))

/** A file, what its increments need, and the objects that its page does not show. */
interface Made {
  readonly bytes: Buffer
  readonly size: number
  readonly layout: BaseLayout
  readonly hidden: { readonly contents: number; readonly pages: number }
}

const words = (text: string): string => `BT /F1 16 Tf 60 700 Td (${text}) Tj ET`
const page = { width: 595, height: 842 }
const helvetica = '<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>'

/**
 * The base revision of a process of two signers. Its author has hidden another page in it, and a text in a stream.
 * `missing`: the page names an object of that number among its contents, which is not there.
 */
async function base(text = '', missing?: number): Promise<Made> {
  const document = await PDFDocument.create()
  const { context } = document
  const font = await document.embedFont(StandardFonts.Helvetica)
  document.addPage([page.width, page.height]).drawText('Pay one hundred', { x: 60, y: 700, size: 16, font })
  if (missing !== undefined) document.getPage(0).node.addContentStream(PDFRef.of(missing))
  const contents = context.register(context.stream(words(evil)))
  const pages = context.nextRef()
  const other = context.register(
    context.obj({
      ...{ Type: 'Page', Parent: pages, MediaBox: [0, 0, page.width, page.height], Contents: contents },
      Resources: { Font: { F1: { Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' } } },
    }),
  )
  context.assign(pages, context.obj({ Type: 'Pages', Count: 1, Kids: [other] }))
  context.register(context.stream(text))
  const { bytes, layout } = await makeBase(Buffer.from(await document.save({ useObjectStreams: false })), {
    fields: [
      { name: 'a', kind: 'signature', place: undefined },
      { name: 'text', kind: 'text', place: { page: 1, x: 60, y: 300, width: 200, height: 30 } },
      { name: 'b', kind: 'signature', place: undefined },
    ],
  })
  const hidden = { contents: contents.objectNumber, pages: pages.objectNumber }
  return { bytes, size: layout.size, layout, hidden }
}

/** A file in which the author has hidden a text that knows the numbers of its objects. */
const baseWith = async (text: (file: Made) => string): Promise<Made> => base(text(await base()))

const fieldOf = ({ layout }: Made, n: number): BaseField => {
  const field = layout.fields[n]
  if (field === undefined) throw new Error('no field')
  return field
}

/** Signs a field in the form of the product. */
async function signs(file: Made, n: number, { key = own, field = fieldOf(file, n) } = {}): Promise<Made> {
  const { bytes, size, layout } = file
  const stamp = await drawStamp(field.place, { picture: undefined, lines: ['王小明'] })
  const texts = n === 0 ? [{ field: fieldOf(file, 1), text: '一百元', stamp }] : []
  const asked = { layout, size, field, stamp, texts, at: now, signer: '王小明', reason: '同意', key }
  return { ...file, ...(await signPdf(bytes, asked)) }
}

const signed = async (): Promise<Made> => signs(await base(), 0)

type Changed = readonly [number: number, text: string]

/** Appends objects as an update of any kind. `elsewhere`: objects that its table finds at other offsets. */
function update(file: Made, objects: readonly Changed[], elsewhere: readonly (readonly [number, number])[] = []): Made {
  const { bytes, size, layout } = file
  const { xref } = endOf(bytes, size)
  let whole = `${bytes.toString('latin1')}\n`
  const offsets: (readonly [number, number])[] = [...elsewhere]
  for (const [number, text] of objects) {
    offsets.push([number, whole.length])
    whole += `${number} 0 obj\n${text}\nendobj\n`
  }
  const count = Math.max(size, ...objects.map(([number]) => number + 1))
  const lines = offsets
    .toSorted(([a], [b]) => a - b)
    .map(([number, at]) => `${number} 1\n${String(at).padStart(10, '0')} 00000 n \n`)
  const info = layout.info === null ? '' : ` /Info ${layout.info} 0 R`
  const end = whole.length
  whole += `xref\n${lines.join('')}trailer\n<< /Size ${count} /Root ${layout.root} 0 R${info} /Prev ${xref} >>\nstartxref\n${end}\n%%EOF`
  return { ...file, bytes: Buffer.from(whole, 'latin1'), size: count }
}

/** The newest text of an object. */
function textOf({ bytes }: Made, number: number): string {
  const found = [...bytes.toString('latin1').matchAll(new RegExp(`\\n${number} 0 obj\\n(<<[^]*?)\\nendobj`, 'g'))].at(
    -1,
  )
  if (found?.[1] === undefined) throw new Error('no such object')
  return found[1]
}

const stream = (text: string, more = ''): string => `<< ${more} /Length ${text.length} >>\nstream\n${text}\nendstream`
const pageObject = (file: Made): number => fieldOf(file, 0).pageObject
/** A number that a dictionary names. */
const named = (text: string, name: string): number => Number(new RegExp(`/${name} \\[?\\s*(\\d+) 0 R`).exec(text)?.[1])

/** The page with other contents and annotations. */
function pageWith(file: Made, { contents, annotation }: { contents?: number; annotation?: number }): Changed {
  const text = textOf(file, pageObject(file))
  const annotations = /\/Annots \[([^\]]*)\]/.exec(text)?.[1] ?? ''
  return [
    pageObject(file),
    [
      `<< /Type /Page /Parent ${named(text, 'Parent')} 0 R /MediaBox [0 0 ${page.width} ${page.height}]`,
      `/Resources ${helvetica} /Contents ${contents ?? named(text, 'Contents')} 0 R`,
      `/Annots [${annotations} ${annotation === undefined ? '' : `${annotation} 0 R`}] >>`,
    ].join(' '),
  ]
}

/** An update after which the page shows another text. */
const otherText = (file: Made): Made =>
  update(file, [[file.size, stream(words(evil))], pageWith(file, { contents: file.size })])

/**
 * A signature that is valid, in a field of its own that lies over the whole page and shows another text. `certifies`: what
 * the signature says of later changes.
 */
async function signsOver(file: Made, key: SigningKey, certifies = ''): Promise<Made> {
  const [value, look, field] = [file.size, file.size + 1, file.size + 2]
  const range = '/ByteRange [0 /********** /********** /**********]'
  const box = `[0 0 ${page.width} ${page.height}]`
  const made = update(file, [
    [
      value,
      `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached ${range} /Contents <${'00'.repeat(12_000)}> /M (D:${today}+00'00') /Name <feff>${certifies} >>`,
    ],
    [look, stream(words(evil), `/Type /XObject /Subtype /Form /BBox ${box} /Resources ${helvetica}`)],
    [
      field,
      `<< /Type /Annot /Subtype /Widget /FT /Sig /F 132 /T <feff007a> /Rect ${box} /P ${pageObject(file)} 0 R /V ${value} 0 R /AP << /N ${look} 0 R >> >>`,
    ],
    pageWith(file, { annotation: field }),
  ])
  return { ...made, bytes: await new SignPdf().sign(made.bytes, new CadesSigner(key)) }
}

const check = (pdf: Buffer) => checkSignatures(pdf, [authority.certificate])

/** What a reader shows. */
async function shown(pdf: Buffer): Promise<string> {
  const path = join(folder, `${Math.random()}.pdf`)
  await writeFile(path, pdf)
  return (await run('pdftotext', [path, '-'])).stdout
}

/** No signature is said to be of what the file shows. */
async function expectRefused(pdf: Buffer, problems?: readonly string[]): Promise<void> {
  const { list, isChangedSince } = await check(pdf)
  expect(list.length).toBeGreaterThan(0)
  expect([isChangedSince, list.filter(({ isComplete }) => isComplete)]).toEqual([true, []])
  if (problems !== undefined) expect(list.map(({ problem }) => problem)).toEqual(problems)
}

/** A file that shows another text, and of which the check says so: the first signature is right, and of an earlier text. */
async function expectEarlier({ bytes }: Made): Promise<void> {
  expect(await shown(bytes)).toContain(evil)
  expect(await check(bytes)).toMatchObject({
    list: [{ isIntact: true, isTrusted: true, isComplete: false }],
    isChangedSince: true,
  })
}

describe('what is not an attack', () => {
  test('signers one after the other, with texts and evidence: each signature is valid and complete', async () => {
    const proven = (file: Made): Made => {
      const evidence = { certificates: own.chain, ocsps: [], crls: [] }
      const added = appendEvidence(file.bytes, file.layout, endOf(file.bytes, file.size), evidence)
      if (added === undefined) throw new Error('no catalog')
      return { ...file, ...added }
    }
    const first = await signed()
    const second = await signs(proven(first), 2)
    for (const [n, file] of [first, proven(first), second, proven(second)].entries()) {
      const { list, isChangedSince } = await check(file.bytes)
      expect(list).toHaveLength(n < 2 ? 1 : 2)
      expect(list.every(({ isComplete, isTrusted, isIntact }) => isComplete && isTrusted && isIntact)).toBe(true)
      expect(isChangedSince).toBe(false)
    }
  })

  test('a stranger who signs a field leaves the earlier signature complete, and is not trusted', async () => {
    const { bytes } = await signs(await signed(), 2, { key: stranger })
    expect((await check(bytes)).list).toMatchObject([
      { isComplete: true, isTrusted: true },
      { isComplete: true, isTrusted: false },
    ])
  })
})

describe('universal signature forgery', () => {
  const contents = /\/Contents <[0-9a-f]+>/i
  const range = /\/ByteRange \[[^\]]*\]/
  test.each([
    ['no contents', contents, ''],
    ['contents of null', contents, '/Contents null'],
    ['empty contents', contents, '/Contents <>'],
    ['contents of a zero', contents, '/Contents <00>'],
    ['contents of zeros', contents, `/Contents <${'0'.repeat(2000)}>`],
    ['no byte range', range, ''],
    ['a byte range of null', range, '/ByteRange null'],
    ['an empty byte range', range, '/ByteRange []'],
    ['a byte range of zeros', range, '/ByteRange [0 0 0 0]'],
    ['a negative byte range', range, '/ByteRange [0 -1 0 -1]'],
    ['a byte range of one pair', range, '/ByteRange [0 100]'],
    ['a byte range beyond the end', range, '/ByteRange [0 9 10 99999999]'],
  ])('%s is not valid', async (_, pattern, by) => {
    const text = (await signed()).bytes.toString('latin1')
    const found = pattern.exec(text)?.[0] ?? ''
    const pdf = Buffer.from(text.replace(found, by.padEnd(found.length)), 'latin1')
    await expectRefused(pdf)
    expect((await check(pdf)).list).toMatchObject([{ isIntact: false, isTrusted: false }])
  })
})

describe('signature wrapping', () => {
  /** The parts that are signed, and the signature without the zeros after it. */
  const partsOf = ({ bytes }: Made) => {
    const found = /\/ByteRange \[0 (\d+) (\d+) (\d+)\]/.exec(bytes.toString('latin1'))
    const [length, second] = [Number(found?.[1]), Number(found?.[2])]
    const value = bytes.toString('latin1', length, second).replace(/(?:00)+>$/, '>')
    return {
      length,
      second,
      rest: Number(found?.[3]),
      first: bytes.subarray(0, length),
      value,
      last: bytes.subarray(second),
    }
  }

  test('objects in the gap, after the signature', async () => {
    const { first, value, last, second, length } = partsOf(await signed())
    const more = `\n900 0 obj\n${stream(words(evil))}\nendobj\n`
    const gap = `${value}${more}`.padEnd(second - length - 1)
    await expectRefused(Buffer.concat([first, Buffer.from(`${gap}\n`, 'latin1'), last]), ['gap'])
  })

  test('a second dictionary of the signature, for which the last part was moved', async () => {
    const { first, value, last, length, rest } = partsOf(await signed())
    const more = `${value} >>\nendobj\n900 0 obj\n${stream(words(evil))}\nendobj\n901 0 obj\n`
    const dictionary = (second: number) =>
      `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /ByteRange [0 ${length} ${second} ${rest}] /Contents ${value}`
    const second = length + more.length + dictionary(1_000_000).length
    const gap = `${more}${dictionary(second)}`.padEnd(second - length)
    const pdf = Buffer.concat([first, Buffer.from(gap, 'latin1'), last])
    expect(pdf.subarray(second).equals(last)).toBe(true)
    const { list, isChangedSince } = await check(pdf)
    expect([list.map(({ isIntact }) => isIntact), isChangedSince]).toEqual([[false, false], true])
  })
})

describe('incremental saving', () => {
  test('an update shows another page', async () => {
    await expectEarlier(otherText(await signed()))
  })

  test.each([
    ['a table', (text: string) => text.slice(0, text.lastIndexOf('\nxref\n') + 1)],
    ['a trailer', (text: string) => text.slice(0, text.lastIndexOf('trailer'))],
    ['an end', (text: string) => text.slice(0, text.lastIndexOf('%%EOF'))],
  ])('an update without %s', async (_, cut) => {
    const { bytes } = otherText(await signed())
    await expectRefused(Buffer.from(cut(bytes.toString('latin1')), 'latin1'), [''])
  })

  test('anything after the end', async () => {
    const { bytes } = await signed()
    for (const more of ['\n%', '\n0', '\0', '\n%%EOF'])
      await expectRefused(Buffer.concat([bytes, Buffer.from(more)]), [''])
  })

  test('an update that repeats the signature', async () => {
    const file = otherText(await signed())
    const copy = /\d+ 0 obj\n(<< \/Type \/Sig [^\n]*)\nendobj/.exec(file.bytes.toString('latin1'))?.[1] ?? ''
    await expectRefused(update(file, [[file.size, copy]]).bytes, ['', 'gap'])
  })
})

describe('shadow attacks', () => {
  test('hide: what lay over the hidden text is taken away', async () => {
    const file = await signed()
    await expectEarlier(update(file, [pageWith(file, { contents: file.hidden.contents })]))
  })

  test('replace: a field is given another value, a font another look', async () => {
    const file = await signed()
    const { object } = fieldOf(file, 1)
    const value = textOf(file, object).replace(/\/V <[^>]*>/, '/V (1000000)')
    await expectRefused(update(file, [[object, value]]).bytes, [''])
    const font = Number(/\n(\d+) 0 obj\n<<\s*\/Type \/Font\b/.exec(file.bytes.toString('latin1'))?.[1])
    const other = '<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>'
    await expectRefused(update(file, [[font, other]]).bytes, [''])
  })

  /** The hidden page under the number of the page, in a text. */
  const hiddenPage = (file: Made): string => {
    const [number, text] = pageWith(file, { contents: file.hidden.contents })
    return `\n${number} 0 obj\n${text}\nendobj\n`
  }
  const whereHidden = (file: Made): [number, number] => [
    pageObject(file),
    file.bytes.indexOf(hiddenPage(file).slice(1, 40), 0, 'latin1'),
  ]

  test('hide and replace: a table alone finds the hidden page', async () => {
    const file = await signs(await baseWith(hiddenPage), 0)
    await expectEarlier(update(file, [], [whereHidden(file)]))
  })

  test('hide and replace in the form of evidence: its table finds the hidden page too', async () => {
    const file = await signs(await baseWith(hiddenPage), 0)
    const catalog = `${textOf(file, file.layout.root).slice(0, -2)} /DSS ${file.size} 0 R >>`
    const list: Changed = [file.size, `<< /Type /DSS /Certs [${file.layout.root} 0 R] >>`]
    // The form itself is accepted, so that it is the table that is not.
    const plain = update(file, [list, [file.layout.root, catalog]])
    expect((await check(plain.bytes)).isChangedSince).toBe(false)
    await expectEarlier(update(file, [list, [file.layout.root, catalog]], [whereHidden(file)]))
  })

  test('hide and replace in the form of evidence: its catalog is one that stands in a text', async () => {
    const catalogOf = ({ hidden }: Made): string => `<< /Type /Catalog /Pages ${hidden.pages} 0 R >>`
    const file = await signs(await baseWith((made) => `\n${made.layout.root} 0 obj\n${catalogOf(made)}\nendobj\n`), 0)
    const catalog = `${catalogOf(file).slice(0, -2)} /DSS ${file.size} 0 R >>`
    const list: Changed = [file.size, `<< /Type /DSS /Certs [${file.layout.root} 0 R] >>`]
    await expectEarlier(update(file, [list, [file.layout.root, catalog]]))
  })
})

describe('objects that are not there', () => {
  test('an object that is added in the form of evidence takes no place that the page names', async () => {
    const { size: number } = await signed()
    const file = await signs(await base('', number), 0)
    expect(file.size).toBe(number)
    const font = /\/(Helvetica[-\w]*) \d+ 0 R/.exec(file.bytes.toString('latin1'))?.[1] ?? ''
    const text = words(evil).replace('F1', font)
    const added = update(file, [
      [number, `<<  /Length ${text.length} >>\nstream\n${text}\nendstream`],
      [number + 1, `<< /Type /DSS /Certs [${number} 0 R] >>`],
      [file.layout.root, `${textOf(file, file.layout.root).slice(0, -2)} /DSS ${number + 1} 0 R >>`],
    ])
    expect((await check(added.bytes)).isChangedSince).toBe(false)
    expect(await shown(added.bytes)).not.toContain(evil)
    expect(await shown(added.bytes)).toBe(await shown(file.bytes))
  })
})

describe('attacks on certified documents and on those with several signers', () => {
  const certifies =
    ' /Reference [<< /Type /SigRef /TransformMethod /DocMDP /TransformParams << /Type /TransformParams /P 3 /V /1.2 >> >>]'

  test('evil annotation: an annotation over a certified document, which allows annotations', async () => {
    const file = await signsOver(await base(), own, certifies)
    const box = `[0 0 ${page.width} ${page.height}]`
    const [look, annotation] = [file.size, file.size + 1]
    const covered = update(file, [
      [look, stream(words(evil), `/Type /XObject /Subtype /Form /BBox ${box} /Resources ${helvetica}`)],
      [annotation, `<< /Type /Annot /Subtype /Stamp /F 132 /Rect ${box} /AP << /N ${look} 0 R >> >>`],
      pageWith(file, { annotation }),
    ])
    expect((await check(file.bytes)).list).toMatchObject([{ isComplete: true, isTrusted: true }])
    expect((await check(covered.bytes)).list).toMatchObject([{ isIntact: true, isComplete: false }])
  })

  test('sneaky signature: another signature whose field covers the page, of a colleague or of a stranger', async () => {
    for (const key of [own, stranger]) {
      const { bytes } = await signsOver(await signed(), key)
      expect(await shown(bytes)).toContain(evil)
      expect(await check(bytes)).toMatchObject({
        list: [
          { isIntact: true, isTrusted: true, isComplete: false },
          { isIntact: true, isTrusted: key === own, isComplete: true },
        ],
        isChangedSince: true,
      })
    }
  })

  test('a signature over a change does not make the earlier one whole', async () => {
    const { bytes } = await signs(otherText(await signed()), 2)
    expect((await check(bytes)).list).toMatchObject([{ isComplete: false }, { isIntact: true, isComplete: true }])
  })

  test('a signature in the form of the product, in a field that is moved, filled already, or no field', async () => {
    const unsigned = await base()
    const contents = named(textOf(unsigned, pageObject(unsigned)), 'Contents')
    const { name, place } = fieldOf(unsigned, 2)
    const fake = `\n${contents} 0 obj\n<< /Type /Annot /Subtype /Widget /FT /Sig /F 132 /T <feff0062> /Rect [${place.x} ${place.y} ${place.x + place.width} ${place.y + place.height}] /P ${pageObject(unsigned)} 0 R >>\nendobj\n`
    const file = await signs(await base(fake), 0)
    const field = fieldOf(file, 2)
    for (const other of [
      { ...field, place: { page: 1, x: 0, y: 0, ...page } },
      { ...field, object: fieldOf(file, 0).object, name: 'a' },
      { ...field, object: contents, name },
    ]) {
      const { bytes } = await signs(file, 2, { field: other })
      expect((await check(bytes)).list).toMatchObject([{ isComplete: false }, { isIntact: true, isComplete: true }])
    }
    expect((await check((await signs(file, 2)).bytes)).list).toMatchObject([{ isComplete: true }, { isComplete: true }])
  })
})
