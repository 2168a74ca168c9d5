import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import type { Rendition, RenditionHead } from '@cloudoc/contract'
import { type DemoFile, demoFiles } from '@cloudoc/devkit/demo'
import { documentKind } from '@cloudoc/domain'
import { strToU8, zipSync } from 'fflate'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { emptyDocument } from '../files/empty-documents.ts'
import { extractText, makeRendition, makeThumbnail } from './index.ts'
import { readers } from './readers/readers.ts'
import { Refused } from './refusal.ts'
import { wordParts, wordsOf } from './words.ts'

const samples = new Map<string, DemoFile>()
beforeAll(() => {
  for (const file of demoFiles(emptyDocument)) {
    const ext = file.name.slice(file.name.lastIndexOf('.') + 1)
    if (!samples.has(ext)) samples.set(ext, file)
  }
})

const source = (bytes: Uint8Array, ext: string) => ({
  content: Readable.from([Buffer.from(bytes)], { objectMode: false }),
  size: bytes.length,
  ext,
})
const sample = async (ext: string): Promise<Uint8Array> => (await samples.get(ext)?.bytes()) ?? new Uint8Array()

/** A rendition as the client reads it. */
function unpacked(packed: Buffer): { body: Rendition; part: (n: number) => Buffer } {
  const length = packed.readUInt32LE(0)
  const head = JSON.parse(packed.toString('utf8', 4, 4 + length)) as RenditionHead
  const part = (n: number): Buffer => {
    const { at = 0, size = 0, type } = head.parts[n] ?? {}
    const bytes = packed.subarray(4 + length + at, 4 + length + at + size)
    return type === 'json' || type === 'text' ? gunzipSync(bytes) : bytes
  }
  return { body: JSON.parse(part(0).toString()) as Rendition, part }
}
const renditionOf = async (bytes: Uint8Array, ext: string) => unpacked(await makeRendition(source(bytes, ext)))

const usual = ['docx', 'xlsx', 'pptx', 'pdf']
const all = [...usual, 'eml', 'md', 'txt', 'csv', 'html', 'json', 'xml', 'zip', 'png', 'bmp', 'gif', 'jpg', 'svg']

describe('[R163] what a document holds', () => {
  test.each(inject('full') ? all : usual)('%s: its words come with pages, sheets or slides', async (ext) => {
    const sections = await extractText(source(await sample(ext), ext))
    const kinds: Record<string, string> = { xlsx: 'sheet', csv: 'sheet', pptx: 'slide', pdf: 'page' }
    if (['png', 'bmp', 'gif', 'jpg', 'svg'].includes(ext)) return expect(sections).toEqual([])
    expect(new Set(sections.map(({ kind }) => kind))).toEqual(new Set([kinds[ext] ?? 'whole']))
    if (kinds[ext] === 'sheet' && ext === 'xlsx') expect(sections.map(({ name }) => name)).toEqual(['明细', '说明'])
    expect(sections.map(({ text }) => text).join('').length).toBeGreaterThan(20)
  })

  test('[R169] a picture of the first page is made of a document', async () => {
    const { default: sharp } = await import('sharp')
    for (const ext of inject('full') ? all.filter((one) => one !== 'zip') : ['pptx']) {
      const { width, height, format } = await sharp(await makeThumbnail(source(await sample(ext), ext))).metadata()
      expect([ext, format, Math.max(width, height) <= 480]).toEqual([ext, 'webp', true])
    }
  })

  test('GB18030 is read, and a table of text by its cells', async () => {
    const { body, part } = await renditionOf(Uint8Array.of(0xba, 0xcf, 0xcd, 0xac), 'txt')
    expect(body).toMatchObject({ kind: 'text', encoding: 'gb18030' })
    if (body.kind === 'text') expect(part(body.part).toString()).toBe('合同')
  })
})

const zipOf = (files: Record<string, string>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])))

const refusalOf = (bytes: Uint8Array, ext: string): Promise<string> =>
  makeRendition(source(bytes, ext)).then(
    () => 'made',
    (error: { code: string }) => error.code,
  )

describe('[R168] hostile and broken documents', () => {
  test('what is no such document, encrypted, or a bomb is refused by its code', async () => {
    expect(await refusalOf(strToU8('no zip at all'), 'docx')).toBe('conversionFailed')
    const ole = Buffer.alloc(2048)
    ole.writeUInt32LE(0xe011cfd0, 0)
    ole.write('EncryptedPackage', 600, 'utf16le')
    expect(await refusalOf(ole, 'xlsx')).toBe('sourceEncrypted')
    // One that says how large it gets, and one that says it is small.
    const honest = Buffer.from(zipOf({ 'word/document.xml': 'x' }))
    honest.writeUInt32LE(600 * 1024 * 1024, honest.indexOf('PK\u0001\u0002') + 24)
    expect(await refusalOf(honest, 'docx')).toBe('conversionFailed')
    const bomb = Buffer.from(zipSync({ 'word/document.xml': [new Uint8Array(8 * 1024 * 1024), { level: 1 }] }))
    bomb.writeUInt32LE(100, bomb.indexOf('PK\u0001\u0002') + 24)
    expect(await refusalOf(bomb, 'docx')).toBe('conversionFailed')
  })

  test('XML brings no entity along, and HTML nothing that runs or is fetched', async () => {
    const entity =
      '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><w:document><w:body><w:p><w:r><w:t>&x;</w:t></w:r></w:p></w:body></w:document>'
    expect(await refusalOf(zipOf({ 'word/document.xml': entity }), 'docx')).toBe('conversionFailed')
    const html =
      '<p onclick="x()">words</p><script>run()</script><img src="https://evil.example/1.png"><iframe src="//evil.example"></iframe><a href="javascript:run()">go</a>'
    const mail = `From: a@example.com\r\nTo: b@example.com\r\nSubject: =?utf-8?B?5ZCI5ZCM?=\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}`
    const { body } = await renditionOf(strToU8(mail), 'eml')
    expect(body).toMatchObject({ kind: 'mail', subject: '合同', blocked: 3 })
    expect(JSON.stringify(body)).not.toMatch(/evil|run\(|javascript|onclick/)
  })

  test('a picture of more pixels than are decoded is refused', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="60000" height="60000"><rect width="9" height="9"/></svg>'
    expect(await refusalOf(strToU8(svg), 'svg')).toBe('conversionFailed')
  })
})

/*
 * A corpus of small documents, each with some of its words or with the code of why it is not shown. Kept packed where no
 * library here writes the kind; the others are made where they are read. In the short run they are read in this process.
 */
const kept = (name: string): Buffer =>
  gunzipSync(readFileSync(new URL(`../../../test/documents/${name}.gz`, import.meta.url)))
const ole = (name: string): Buffer => {
  const bytes = Buffer.alloc(2048)
  bytes.writeUInt32LE(0xe011cfd0, 0)
  bytes.write(name, 600, 'utf16le')
  return bytes
}
const ofd = zipOf({
  'OFD.xml':
    '<ofd:OFD xmlns:ofd="http://www.ofdspec.org/2016"><ofd:DocBody><ofd:DocRoot>Doc_0/Document.xml</ofd:DocRoot></ofd:DocBody></ofd:OFD>',
  'Doc_0/Document.xml':
    '<ofd:Document xmlns:ofd="http://www.ofdspec.org/2016"><ofd:CommonData><ofd:PageArea><ofd:PhysicalBox>0 0 210 140</ofd:PhysicalBox></ofd:PageArea></ofd:CommonData><ofd:Pages><ofd:Page ID="1" BaseLoc="Pages/Page_0/Content.xml"/></ofd:Pages></ofd:Document>',
  'Doc_0/Pages/Page_0/Content.xml':
    '<ofd:Page xmlns:ofd="http://www.ofdspec.org/2016"><ofd:Content><ofd:Layer><ofd:TextObject Boundary="60 10 90 8" Size="6"><ofd:TextCode X="0" Y="6">电子发票（普通发票）</ofd:TextCode></ofd:TextObject><ofd:PathObject Boundary="10 30 190 1" LineWidth="0.3"><ofd:AbbreviatedData>M 0 0 L 190 0</ofd:AbbreviatedData></ofd:PathObject></ofd:Layer></ofd:Content></ofd:Page>',
})
const epub = zipOf({
  'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
  'OPS/book.opf':
    '<package><manifest><item id="a" href="a.xhtml"/><item id="b" href="b.xhtml"/></manifest><spine><itemref idref="b"/><itemref idref="a"/></spine></package>',
  'OPS/a.xhtml': '<html><body><p>第二章 交付</p></body></html>',
  'OPS/b.xhtml': '<html><body><h1>第一章 部署</h1></body></html>',
})
const odt = zipOf({
  'content.xml':
    '<office:document-content><office:body><office:text><text:h text:outline-level="1">值班表</text:h><text:p>周一：王敏</text:p></office:text></office:body></office:document-content>',
})
/** One pixel high, red then blue, each channel for itself. */
const psd = Buffer.from(
  '3842505300010000000000000003000000010000000200080003' +
    '000000000000000000000000' +
    '0000' +
    'ff0000000 0ff'.replace(' ', ''),
  'hex',
)

type Case = readonly [ext: string, bytes: () => Uint8Array | Promise<Uint8Array>, expected: string]
const corpus: readonly Case[] = [
  [
    'doc',
    () => kept('contract.doc'),
    '甲方：云上科技；乙方：华东设备。总价 128,000 元。\n名称\t数量\n服务器\t\n交换机\t3',
  ],
  [
    'rtf',
    () => kept('contract.rtf'),
    '甲方：云上科技；乙方：华东设备。总价 128,000 元。\n名称\t数量\n服务器\t\n交换机\t3',
  ],
  ['xls', () => kept('budget.xls'), '门禁控制器\t销售中心\t12,500\t82'],
  ['ppt', () => kept('course.ppt'), '练习三：从回收站恢复误删的文件，核对大小是否一致。'],
  ['wps', () => kept('contract.doc'), '设备采购合同'],
  ['doc', () => kept('contract.rtf'), '设备采购合同'],
  ['xls', () => strToU8('<html><body><table><tr><td>工号</td><td>姓名</td></tr></table></body></html>'), '工号\t姓名'],
  ['ofd', () => ofd, '电子发票（普通发票）'],
  ['epub', () => epub, '第一章 部署\n第二章 交付'],
  ['odt', () => odt, '值班表\n周一：王敏'],
  ['psd', () => psd, ''],
  ['doc', () => strToU8('no document at all'), 'conversionFailed'],
  ['doc', () => kept('contract.doc').subarray(0, 5000), 'conversionFailed'],
  ['xls', () => ole('EncryptedPackage'), 'conversionFailed'],
  ['ppt', () => kept('budget.xls'), 'conversionFailed'],
  ['docx', () => ole('EncryptedPackage'), 'sourceEncrypted'],
  ['rtf', () => strToU8('{\\rtf1' + '{'.repeat(2000)), 'conversionFailed'],
  ['ofd', () => zipOf({ 'OFD.xml': '<OFD/>' }), 'conversionFailed'],
  ['epub', () => strToU8('PK'), 'conversionFailed'],
  ['psd', () => strToU8('8BPS'.padEnd(60, '\0')), 'conversionUnsupported'],
]

describe('[R163] [R168] a corpus of documents', () => {
  test.each(corpus.map(([ext, bytes, expected], n) => [`${n + 1} ${ext}`, ext, bytes, expected] as const))(
    '%s: each opens or says its code',
    async (_, ext, bytes, expected) => {
      const kind = documentKind(ext)
      if (kind === undefined) throw new Error(ext)
      const parts = wordParts()
      const read = async (): Promise<string> => {
        const reading = { bytes: Buffer.from(await bytes()), ext, parts, mostCells: 10_000, progress: () => {} }
        const rendition = await (await readers[kind]())(reading)
        return wordsOf(rendition, parts.values)
          .map(({ text }) => text)
          .join('\n')
      }
      const answer = await read().catch((error: unknown) =>
        error instanceof Refused ? error.code : 'conversionFailed',
      )
      expect(answer).toContain(expected)
      // The confined process answers the same.
      if (inject('full')) {
        const whole = extractText(source(await bytes(), ext))
        const said = await whole
          .then((sections) => sections.map(({ text }) => text).join('\n'))
          .catch((error: { code: string }) => error.code)
        expect(said).toContain(expected)
      }
    },
  )

  test('words, tables and pictures of the old forms stand as they did', async () => {
    const parts = wordParts()
    const doc = await (await readers.doc())({
      bytes: kept('contract.doc'),
      ext: 'doc',
      parts,
      mostCells: 10,
      progress: () => {},
    })
    expect(doc).toMatchObject({
      kind: 'flow',
      blocks: [
        { heading: 1 },
        { runs: [{}, { bold: true, text: '云上科技' }, {}, { italic: true }, {}, { color: '#ff0000' }, {}] },
        { is: 'table', rows: [{}, {}, {}] },
        { align: 'center' },
        { runs: [{ text: '链接文字' }] },
      ],
    })
    const xls = await (await readers.xls())({
      bytes: kept('budget.xls'),
      ext: 'xls',
      parts,
      mostCells: 7,
      progress: () => {},
    })
    expect(xls).toMatchObject({
      kind: 'sheets',
      cut: true,
      sheets: [
        { name: '明细', columns: 4 },
        { name: '说明', rows: 0 },
      ],
    })
    const ppt = await (await readers.ppt())({
      bytes: kept('course.ppt'),
      ext: 'ppt',
      parts,
      mostCells: 7,
      progress: () => {},
    })
    expect(ppt).toMatchObject({
      kind: 'slides',
      width: 1280,
      height: 720,
      slides: [{ shapes: [{ x: 160, width: 960 }, {}] }, {}, {}, {}, {}],
    })
  })
})
