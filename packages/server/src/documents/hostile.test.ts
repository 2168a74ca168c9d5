// Documents that try to make the reader do more than read: nothing is fetched or included from outside, and limits
// hold.
import { documentKind } from '@cloudoc/domain'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { zipOf } from '../../test/corpus.ts'
import { textParts } from './extracted-text.ts'
import { firstPicture } from './first-picture.ts'
import { readers } from './readers/readers.ts'
import { Refused } from './refusal.ts'

/** Returns the rendition with all its parts as JSON, or the code of the refusal. */
async function readAs(ext: string, bytes: Uint8Array): Promise<string> {
  const kind = documentKind(ext)
  if (kind === undefined) throw new Error(ext)
  const parts = textParts()
  try {
    const reading = { bytes: Buffer.from(bytes), ext, parts, mostCells: 10_000, progress: () => {} }
    return JSON.stringify([await (await readers[kind]())(reading), parts.values])
  } catch (error) {
    return error instanceof Refused ? error.code : 'conversionFailed'
  }
}

const entity = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y "grown">]>'
const relations = (body: string): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${body}</Relationships>`
const workbook = {
  'xl/workbook.xml': '<workbook><sheets><sheet name="S" r:id="s"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels': relations('<Relationship Id="s" Type="/worksheet" Target="worksheets/sheet1.xml"/>'),
}
const book = (text: string, head = ''): Uint8Array =>
  zipOf({
    ...workbook,
    'xl/worksheets/sheet1.xml': `${head}<worksheet><sheetData><row r="1"><c t="inlineStr"><is><t>${text}</t></is></c></row></sheetData></worksheet>`,
  })
const odt = (text: string, head = ''): Uint8Array =>
  zipOf({
    'content.xml': `${head}<office:document-content><office:body><office:text><text:p>${text}</text:p></office:text></office:body></office:document-content>`,
  })
const deck = (slide: string, rels = ''): Uint8Array =>
  zipOf({
    'ppt/presentation.xml': '<p:presentation><p:sldIdLst><p:sldId r:id="s"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relations('<Relationship Id="s" Type="/slide" Target="slides/slide1.xml"/>'),
    'ppt/slides/slide1.xml': slide,
    'ppt/slides/_rels/slide1.xml.rels': relations(rels),
  })
const book2 = (page: string): Uint8Array =>
  zipOf({
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>',
    'b.opf': '<package><manifest><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>',
    'a.xhtml': page,
  })

// [R168] For hostile documents nothing is expanded (entities), loaded from elsewhere, decoded beyond limits (60,000 x
// 60,000 pixels) or unpacked (archives that grow to 600 MB).
test.each([
  ['xlsx', book('&x;', entity)],
  ['xlsx', book('&y;', entity)],
  ['odt', odt('&x;', entity)],
  ['pptx', deck(`${entity}<p:sld><p:cSld><p:spTree><a:t>&x;</a:t></p:spTree></p:cSld></p:sld>`)],
  ['ofd', zipOf({ 'OFD.xml': `${entity}<ofd:OFD>&x;</ofd:OFD>` })],
  ['epub', book2(`${entity}<html><body><p>&x;</p></body></html>`)],
  ['svg', strToU8(`${entity}<svg xmlns="http://www.w3.org/2000/svg" width="90" height="9"><text>&x;</text></svg>`)],
])('[R168] an entity of its own brings nothing into a %s', async (ext, bytes) => {
  expect(await readAs(ext, bytes)).not.toMatch(/root:|grown/)
})

const outside = 'http://outside.invalid/a.png'
test.each([
  [
    'docx',
    zipOf({
      'word/document.xml':
        '<w:document><w:body><w:p><w:r><w:t>words</w:t></w:r><w:r><w:drawing><a:blip r:embed="x" r:link="x"/></w:drawing></w:r></w:p></w:body></w:document>',
      'word/_rels/document.xml.rels': relations(
        `<Relationship Id="x" Type="/image" Target="${outside}" TargetMode="External"/>`,
      ),
    }),
  ],
  [
    'pptx',
    deck(
      '<p:sld><p:cSld><p:spTree><p:pic><p:blipFill><a:blip r:embed="x"/></p:blipFill><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="9525" cy="9525"/></a:xfrm></p:spPr></p:pic></p:spTree></p:cSld></p:sld>',
      `<Relationship Id="x" Type="/image" Target="${outside}" TargetMode="External"/>`,
    ),
  ],
  ['odt', odt(`words<draw:frame><draw:image xlink:href="${outside}"/></draw:frame>`)],
  [
    'html',
    strToU8(
      `<p>words</p><img src="${outside}"><link rel="stylesheet" href="${outside}"><object data="${outside}"></object>`,
    ),
  ],
  ['epub', book2(`<html><body><p>words</p><img src="${outside}"/><script>run()</script></body></html>`)],
  ['md', strToU8(`words ![a](${outside})`)],
])('[R168] what a %s names elsewhere is no part of what is shown', async (ext, bytes) => {
  const shown = JSON.parse(await readAs(ext, bytes)) as unknown
  // A link may be listed. Nothing that is displayed automatically may be fetched, and nothing may run.
  expect(JSON.stringify(shown)).not.toMatch(/"(?:image|src|part)":"http|<script|<img/)
})

test('[R168] a picture that an SVG names is neither read nor fetched', async () => {
  const href = ['file:///etc/hostname', outside, new URL('../../test/documents/photo.heic.gz', import.meta.url).href]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60">${href.map((one) => `<image href="${one}" width="60" height="60"/>`).join('')}</svg>`
  const { default: sharp } = await import('sharp')
  const { channels } = await sharp(await firstPicture(Buffer.from(svg), 'svg')).stats()
  // It is empty.
  expect(channels.every(({ stdev }) => stdev === 0)).toBe(true)
})

/** Files whose header declares 60,000 x 60,000 pixels. */
const huge: Readonly<Record<string, () => Buffer>> = {
  png: () => {
    const bytes = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    bytes.writeUInt32BE(60_000, 16)
    bytes.writeUInt32BE(60_000, 20)
    return bytes
  },
  gif: () => {
    const bytes = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
    bytes.writeUInt16LE(60_000, 6)
    bytes.writeUInt16LE(60_000, 8)
    const frame = bytes.indexOf(0x2c, 13)
    bytes.writeUInt16LE(60_000, frame + 5)
    bytes.writeUInt16LE(60_000, frame + 7)
    return bytes
  },
  bmp: () => {
    const bytes = Buffer.alloc(60)
    bytes.write('BM')
    bytes.writeUInt32LE(54, 10)
    bytes.writeUInt32LE(40, 14)
    bytes.writeInt32LE(60_000, 18)
    bytes.writeInt32LE(60_000, 22)
    bytes.writeUInt16LE(24, 28)
    return bytes
  },
  psd: () => {
    const bytes = Buffer.alloc(64)
    bytes.write('8BPS')
    bytes.writeUInt16BE(1, 4)
    bytes.writeUInt16BE(3, 12)
    bytes.writeUInt32BE(60_000, 14)
    bytes.writeUInt32BE(60_000, 18)
    bytes.writeUInt16BE(8, 22)
    bytes.writeUInt16BE(3, 24)
    return bytes
  },
}
test.each(Object.entries(huge))('[R168] a %s of 60,000 x 60,000 pixels is not decoded', async (ext, bytes) => {
  expect(await readAs(ext, bytes())).toBe('conversionFailed')
  await expect(firstPicture(bytes(), ext)).rejects.toBeInstanceOf(Refused)
})

test('[R168] nor is one that a document brings along, for its small picture', async () => {
  const bytes = zipSync({
    'docProps/thumbnail.jpeg': huge['png']?.() ?? new Uint8Array(),
    'word/document.xml': strToU8('<w:document><w:body><w:p><w:r><w:t>words</w:t></w:r></w:p></w:body></w:document>'),
  })
  expect((await firstPicture(Buffer.from(bytes), 'docx')).length).toBeGreaterThan(100)
})

/** An archive that declares that its only file unpacks to 600 MB. */
function saying(path: string, more: Readonly<Record<string, string>> = {}): Uint8Array {
  const bytes = Buffer.from(zipOf({ ...more, [path]: 'x' }))
  const at = bytes.lastIndexOf('PK\u0001\u0002')
  bytes.writeUInt32LE(600 * 1024 * 1024, at + 24)
  return bytes
}
test.each([
  ['xlsx', saying('xl/worksheets/sheet1.xml', workbook)],
  ['pptx', saying('ppt/presentation.xml')],
  ['ods', saying('content.xml')],
  ['epub', saying('META-INF/container.xml')],
  ['ofd', saying('OFD.xml')],
])('[R168] a %s that unpacks to 600 MB is refused before it does', async (ext, bytes) => {
  expect(await readAs(ext, bytes)).toBe('conversionFailed')
})

test('[R168] an archive in an archive is listed and not unpacked', async () => {
  const inner = zipSync({ 'a.bin': [new Uint8Array(2 * 1024 * 1024), { level: 9 }] })
  const listed = await readAs('zip', zipSync({ 'inner.zip': inner }))
  expect(listed).toContain('inner.zip')
  expect(listed).not.toContain('a.bin')
})
