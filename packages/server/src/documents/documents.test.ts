import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import type { SheetBody } from '@cloudoc/contract'
import { documentKind } from '@cloudoc/domain'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, inject, test } from 'vitest'
import { corpus, encryptedZip, generated, manyRows, packedDocument, sample, tar, zipOf } from '../../test/corpus.ts'
import { unpacked } from '../../test/renditions.ts'
import { textParts, textSectionsOf } from './extracted-text.ts'
import { extractText, makeRendition, makeThumbnail, takeEntry } from './index.ts'
import { readers } from './readers/readers.ts'
import { Refused } from './refusal.ts'

const source = (bytes: Uint8Array, ext: string) => ({
  content: Readable.from([Buffer.from(bytes)], { objectMode: false }),
  size: bytes.length,
  ext,
})

const renditionOf = async (bytes: Uint8Array, ext: string) => unpacked(await makeRendition(source(bytes, ext)))

const usual = ['docx', 'xlsx', 'pptx', 'pdf']
const all = [...usual, 'eml', 'md', 'txt', 'csv', 'html', 'json', 'xml', 'zip', 'png', 'bmp', 'gif', 'jpg', 'svg']

// [R163] An OpenDocument spreadsheet is shown with its formats: right-aligned numbers, headers, fills and borders,
// merged cells, widths.
test('[R163] a workbook of OpenDocument is shown as it looks: numbers at the end, heads, merged cells, widths', async () => {
  const cell = (style: string, text: string, more = ''): string =>
    `<table:table-cell table:style-name="${style}" ${more}><text:p>${text}</text:p></table:table-cell>`
  const content = `<office:document-content><office:automatic-styles>
    <style:style style:name="co" style:family="table-column"><style:table-column-properties style:column-width="2in"/></style:style>
    <style:style style:name="ro" style:family="table-row"><style:table-row-properties style:row-height="0.5in"/></style:style>
    <style:style style:name="head" style:family="table-cell" style:parent-style-name="Base"><style:table-cell-properties fo:background-color="#dbe8ff" fo:border="none" fo:border-bottom="1pt solid #000000"/></style:style>
    </office:automatic-styles><office:body><office:spreadsheet><table:table table:name="预算">
    <table:table-column table:style-name="co" table:number-columns-repeated="2"/><table:table-column table:number-columns-repeated="16382"/>
    <table:table-row table:style-name="ro">${cell('head', '部门', 'table:number-columns-spanned="2"')}<table:covered-table-cell/></table:table-row>
    <table:table-row>${cell('', '研发', 'office:value-type="string"')}${cell('', '12,500', 'office:value-type="float"')}<table:table-cell table:number-columns-repeated="16382"/></table:table-row>
    </table:table></office:spreadsheet></office:body></office:document-content>`
  const styles =
    '<office:document-styles><office:styles><style:style style:name="Base" style:family="table-cell"><style:text-properties fo:font-weight="bold" fo:color="red"/></style:style></office:styles></office:document-styles>'
  const { body, part } = await renditionOf(zipOf({ 'content.xml': content, 'styles.xml': styles }), 'ods')
  if (body.kind !== 'sheets') throw new Error(body.kind)
  const sheet = JSON.parse(part(body.sheets[0]?.part ?? 0).toString()) as SheetBody
  expect(sheet).toEqual({
    rows: [
      [0, [[0, '部门', 1]]],
      [
        1,
        [
          [0, '研发', 0],
          [1, '12,500', 2, 'formatted'],
        ],
      ],
    ],
    widths: { 0: 192, 1: 192 },
    heights: { 0: 48 },
    merges: [[0, 0, 0, 1]],
    images: [],
  })
  expect(body.styles).toEqual([{}, { bold: true, fill: '#dbe8ff', borders: 'b' }, { align: 'end' }])
})

// [R163] An OpenDocument text is shown with its layout without LibreOffice: fonts, lists, tables, page breaks, page
// size, headers, footnotes.
test('[R163] a text of OpenDocument is shown as it looks: words, lists, tables, breaks, its page and what stands beside the text', async () => {
  const style = (name: string, family: string, inner: string, more = ''): string =>
    `<style:style style:name="${name}" style:family="${family}" ${more}>${inner}</style:style>`
  const content = `<office:document-content><office:automatic-styles>
    ${style('P1', 'paragraph', '<style:paragraph-properties fo:text-align="center" fo:margin-left="1in"/>', 'style:parent-style-name="Base"')}
    ${style('P2', 'paragraph', '<style:paragraph-properties fo:break-before="page"/>')}
    ${style('T1', 'text', '<style:text-properties fo:font-weight="bold" fo:color="#C0392B" fo:font-size="150%" style:font-size-asian="18pt"/>')}
    ${style('c', 'table-cell', '<style:table-cell-properties fo:background-color="#d3dfee" fo:border="none" fo:border-bottom="1pt solid #4f81bd"/>')}
    <text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>
    <text:list-level-style-number text:level="2" style:num-format="a" text:display-levels="2" style:num-suffix=")"/></text:list-style>
    </office:automatic-styles><office:body><office:text>
    <text:p text:style-name="P1">甲方　
 <text:span text:style-name="T1">云 A</text:span><text:span text:style-name="T1">B</text:span><text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>注释</text:p></text:note-body></text:note></text:p>
    <text:list text:style-name="L"><text:list-item><text:p>一</text:p><text:list><text:list-item><text:p>二</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>三</text:p></text:list-item></text:list>
    <table:table><table:table-header-rows><table:table-row><table:table-cell table:style-name="c"><text:p>头</text:p></table:table-cell></table:table-row></table:table-header-rows></table:table>
    <text:p text:style-name="P2"><draw:frame><draw:text-box><text:p>框</text:p></draw:text-box></draw:frame></text:p>
    </office:text></office:body></office:document-content>`
  const styles = `<office:document-styles><office:styles>
    <style:default-style style:family="paragraph"><style:text-properties style:use-window-font-color="true" fo:font-size="12pt"/></style:default-style>
    ${style('Base', 'paragraph', '<style:text-properties fo:font-style="italic"/>')}
    </office:styles><office:automatic-styles><style:page-layout style:name="pm"><style:page-layout-properties fo:page-width="8in" fo:page-height="10in" fo:margin-top="1in" fo:margin-bottom="1in" fo:margin-left="1in" fo:margin-right="1in"/><style:header-style><style:header-footer-properties fo:min-height="0.5in"/></style:header-style></style:page-layout>
    ${style('P1', 'paragraph', '<style:paragraph-properties fo:text-align="end"/>')}</office:automatic-styles>
    <office:master-styles><style:master-page style:name="Standard" style:page-layout-name="pm"><style:header><text:p text:style-name="P1">内部</text:p></style:header></style:master-page></office:master-styles></office:document-styles>`
  const { body } = await renditionOf(zipOf({ 'content.xml': content, 'styles.xml': styles }), 'odt')
  if (body.kind !== 'flow') throw new Error(body.kind)
  const plain = { size: 16 }
  const space = { before: 0, after: 0 }
  const marked = { bold: true, italic: true, color: '#c0392b', size: 24 }
  const raised = { ...plain, italic: true, raised: 'super' }
  expect(body).toEqual({
    kind: 'flow',
    page: { width: 768, height: 960, margins: [144, 96, 96, 96] },
    header: [{ is: 'text', align: 'end', ...space, runs: [{ ...plain, text: '内部' }] }],
    footer: [],
    blocks: [
      {
        is: 'text',
        align: 'center',
        indent: 96,
        ...space,
        runs: [
          { ...plain, italic: true, text: '甲方　 ' },
          { ...marked, text: '云 A' },
          { ...marked, text: 'B' },
          { ...raised, text: '1' },
        ],
      },
      { is: 'text', indent: 24, firstLine: -24, mark: '1.', ...space, runs: [{ ...plain, text: '一' }] },
      { is: 'text', indent: 48, firstLine: -24, mark: '1.a)', ...space, runs: [{ ...plain, text: '二' }] },
      { is: 'text', indent: 24, firstLine: -24, mark: '2.', ...space, runs: [{ ...plain, text: '三' }] },
      {
        is: 'table',
        widths: [],
        rows: [
          [
            {
              fill: '#d3dfee',
              edges: ['', '', '#4f81bd', ''],
              blocks: [{ is: 'text', ...space, runs: [{ ...plain, text: '头' }] }],
            },
          ],
        ],
      },
      { is: 'pageBreak' },
      { is: 'text', ...space, runs: [{ ...plain, text: '框' }] },
      { is: 'rule' },
      {
        is: 'text',
        ...space,
        runs: [
          { text: '1 ', raised: 'super' },
          { ...plain, text: '注释' },
        ],
      },
    ],
  })
})

// [R163] OpenDocument slides are shown without LibreOffice with their masters, fills, lines, rotations and fonts.
test('[R163] slides of OpenDocument stand on what they are made from, with fills, lines, turns and what words look like', async () => {
  const graphic = (name: string, said: string, more = ''): string =>
    `<style:style style:name="${name}" style:family="graphic"><style:graphic-properties ${said}/>${more}</style:style>`
  const content = `<office:document-content><office:automatic-styles>
    ${graphic('gr1', 'draw:fill="solid" draw:fill-color="#2f6fed" draw:stroke="none" draw:textarea-vertical-align="middle" fo:padding="0in"', '<style:text-properties fo:color="#ffffff" fo:font-size="24pt"/>')}
    ${graphic('gr2', 'draw:stroke="solid" svg:stroke-color="#ff0000" svg:stroke-width="2pt"')}
    <style:style style:name="dp" style:family="drawing-page"><style:drawing-page-properties draw:fill="solid" draw:fill-color="#eef3ff"/></style:style>
    </office:automatic-styles><office:body><office:presentation>
    <draw:page draw:master-page-name="M" draw:style-name="dp">
      <draw:g><draw:custom-shape draw:style-name="gr1" svg:width="2in" svg:height="1in" draw:transform="rotate (1.5707963) translate (1in 3in)"><text:p>流程</text:p><draw:enhanced-geometry draw:type="round-rectangle"/></draw:custom-shape></draw:g>
      <draw:line draw:style-name="gr2" svg:x1="3in" svg:y1="1in" svg:x2="1in" svg:y2="2in"/>
      <presentation:notes><draw:frame presentation:class="notes"><draw:text-box><text:p>说明</text:p></draw:text-box></draw:frame></presentation:notes>
    </draw:page></office:presentation></office:body></office:document-content>`
  const styles = `<office:document-styles><office:automatic-styles>${graphic('gr1', 'draw:fill="solid" draw:fill-color="#1bbc9b"')}
    <style:page-layout style:name="pm"><style:page-layout-properties fo:page-width="10in" fo:page-height="5in"/></style:page-layout></office:automatic-styles>
    <office:master-styles><style:master-page style:name="M" style:page-layout-name="pm"><draw:rect draw:style-name="gr1" svg:x="0in" svg:y="4in" svg:width="10in" svg:height="1in"/>
    <draw:frame presentation:class="title" presentation:placeholder="true" svg:width="9in" svg:height="1in"><draw:text-box><text:p>点击此处</text:p></draw:text-box></draw:frame></style:master-page></office:master-styles></office:document-styles>`
  const { body } = await renditionOf(zipOf({ 'content.xml': content, 'styles.xml': styles }), 'odp')
  expect(body).toEqual({
    kind: 'slides',
    width: 960,
    height: 480,
    slides: [
      {
        fill: '#eef3ff',
        notes: '说明',
        shapes: [
          { x: 0, y: 384, width: 960, height: 96, fill: '#1bbc9b' },
          {
            x: 48,
            y: 144,
            width: 192,
            height: 96,
            turn: -90,
            form: 'round',
            fill: '#2f6fed',
            anchor: 'middle',
            insets: [0, 0, 0, 0],
            blocks: [{ is: 'text', before: 0, after: 0, runs: [{ color: '#ffffff', size: 32, text: '流程' }] }],
          },
          {
            x: 96,
            y: 96,
            width: 192,
            height: 96,
            form: 'line',
            line: { color: '#ff0000', width: 3 },
            flip: [true, false],
          },
        ],
      },
    ],
  })
})

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

  test('[R163] the words of a page stand where they are on its picture', async () => {
    const parts = textParts()
    const bytes = Buffer.from(await sample('pdf'))
    const pages = await (await readers.pdf())({ bytes, ext: 'pdf', parts, mostCells: 1, progress: () => {} })
    if (pages.kind !== 'pages') throw new Error(pages.kind)
    const [page] = pages.pages
    expect(
      page?.words
        ?.map(([text, , , , , ends]) => text + (ends ? '\n' : ''))
        .join('')
        .normalize('NFKC'),
    ).toBe(page?.text)
    for (const [, x, y, width, height] of page?.words ?? []) {
      expect(x >= 0 && y >= -1 && x + width <= (page?.width ?? 0) + 1 && y + height <= (page?.height ?? 0) + 1).toBe(
        true,
      )
    }
  })

  test('GB18030 is read, and a table of text by its cells', async () => {
    const { body, part } = await renditionOf(Uint8Array.of(0xba, 0xcf, 0xcd, 0xac), 'txt')
    expect(body).toMatchObject({ kind: 'text', encoding: 'gb18030' })
    if (body.kind === 'text') expect(part(body.part).toString()).toBe('合同')
  })
})

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
    // One archive that declares its large unpacked size, and one that declares a small one.
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

  // [R163] Pictures of phones are rotated by their orientation tag.
  test('[R163] a picture of a phone that was held otherwise is turned as it says', async () => {
    const { default: sharp } = await import('sharp')
    const upright = packedDocument('photo.heic')
    // For each quarter turn to the left: the position of the sky in a picture of 12 x 12.
    const skies = [
      [6, 1],
      [1, 6],
      [6, 10],
      [10, 6],
    ] as const
    for (const [quarters, [x, y]] of skies.entries()) {
      const bytes = turnedHeic(upright, quarters)
      const { body, part } = await renditionOf(bytes, 'heic')
      const [width, height] = quarters % 2 === 0 ? [480, 640] : [640, 480]
      expect(body).toMatchObject({ kind: 'picture', width, height })
      const small = await makeThumbnail(source(bytes, 'heic'))
      for (const one of [body.kind === 'picture' ? part(body.part) : Buffer.of(), small]) {
        const pixels = await sharp(one).resize(12, 12, { fit: 'fill' }).removeAlpha().raw().toBuffer()
        const [r = 0, , b = 0] = pixels.subarray((y * 12 + x) * 3)
        expect(b, `${quarters} quarters`).toBeGreaterThan(r)
        const [, green = 0, blue = 0] = pixels.subarray(((11 - y) * 12 + (11 - x)) * 3)
        expect(green, `${quarters} quarters`).toBeGreaterThan(blue)
      }
    }
  })

  // [R163] Pictures of phones (HEIC) are shown and have a thumbnail, without installing anything.
  test('[R163] a picture of a phone is shown and made small', async () => {
    const { default: sharp } = await import('sharp')
    const bytes = packedDocument('photo.heic')
    const { body, part } = await renditionOf(bytes, 'heic')
    const photo = { camera: 'Cloudoc Sample 1', taken: '2026-11-20 09:30', exposure: 0.008, aperture: 2.8, focal: 26 }
    expect(body).toMatchObject({ kind: 'picture', width: 480, height: 640, photo: { ...photo, iso: 200 } })
    const small = await makeThumbnail(source(bytes, 'heic'))
    for (const one of [body.kind === 'picture' ? part(body.part) : Buffer.of(), small]) {
      // The sky is at the top, the hills at the bottom.
      const { data, info } = await sharp(one).resize(12, 16).removeAlpha().raw().toBuffer({ resolveWithObject: true })
      const at = (x: number, y: number): number[] => [...data.subarray((y * 12 + x) * 3, (y * 12 + x) * 3 + 3)]
      expect([info.width, info.height]).toEqual([12, 16])
      const [r = 0, , b = 0] = at(1, 1)
      expect(b, 'sky').toBeGreaterThan(r)
      const [, green = 0, blue = 0] = at(6, 14)
      expect(green, 'hills').toBeGreaterThan(blue)
    }
  })

  test('a picture of more pixels than are decoded is refused', async () => {
    // The head of a GIF, with one picture of 65,535 by 65,535 pixels.
    const side = [0xff, 0xff, 0xff, 0xff]
    const gif = [...strToU8('GIF89a'), ...side, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x2c, 0, 0, 0, 0, ...side, 0, 2, 2]
    expect(await refusalOf(Uint8Array.of(...gif, 0x44, 1, 0, 0x3b), 'gif')).toBe('conversionFailed')
  })
})

/** The short run uses a representative subset. */
const tried = inject('full')
  ? [...corpus, ...generated]
  : [
      ...corpus.filter((_, n) => [0, 2, 3, 7, 10, 15].includes(n)),
      ...generated.filter(([ext]) => /^(rar|7z)$/.test(ext)),
    ]

// [R163] A corpus of 74 documents: office formats new and old, Chinese equivalents, texts in several encodings, mail,
// archives, pictures, damaged and encrypted files; each opens with its text or returns its code.
describe('[R163] [R168] a corpus of documents', () => {
  test.each(tried.map(([ext, bytes, expected], n) => [`${n + 1} ${ext}`, ext, bytes, expected] as const))(
    '%s: each opens or says its code',
    async (_, ext, bytes, expected) => {
      const kind = documentKind(ext)
      if (kind === undefined) throw new Error(ext)
      const parts = textParts()
      const read = async (): Promise<string> => {
        const reading = { bytes: Buffer.from(await bytes()), ext, parts, mostCells: 10_000, progress: () => {} }
        const rendition = await (await readers[kind]())(reading)
        return textSectionsOf(rendition, parts.values)
          .map(({ text }) => text)
          .join('\n')
      }
      const answer = await read().catch((error: unknown) =>
        error instanceof Refused ? error.code : 'conversionFailed',
      )
      expect(answer).toContain(expected)
      // The confined process gives the same answer.
      if (inject('full') && corpus.some(([, one]) => one === bytes)) {
        const whole = extractText(source(await bytes(), ext))
        const said = await whole
          .then((sections) => sections.map(({ text }) => text).join('\n'))
          .catch((error: { code: string }) => error.code)
        expect(said).toContain(expected)
      }
    },
  )

  // [R163] Whoever has the preview only chooses the encoding of a text too, and search finds the words beside a bad byte.
  test('[R163] a text with a bad byte keeps its words, and is there in the encodings that may be chosen', async () => {
    const bytes = Buffer.concat([Buffer.from('启动成功\n错误：'), Buffer.of(0xff), Buffer.from(' 连接失败\n')])
    const { body, part } = await renditionOf(bytes, 'log')
    if (body.kind !== 'text') throw new Error(body.kind)
    expect(body).toMatchObject({ encoding: 'utf-8', hasErrors: true })
    expect(part(body.part).toString()).toBe('启动成功\n错误：\ufffd 连接失败\n')
    const other = body.others?.find(({ encoding }) => encoding === 'gb18030')
    expect(part(other?.part ?? 0).toString()).toBe(new TextDecoder('gb18030').decode(bytes))
    const [section] = await extractText(source(bytes, 'log'))
    expect(section?.text).toContain('连接失败')
    const plain = await renditionOf(Buffer.from('启动成功'), 'log')
    expect(plain.body).not.toHaveProperty('others')
  })

  test('[R163] [R168] a workbook of 50,000 rows is read whole, and up to the cells that are allowed', async () => {
    const parts = textParts()
    const read = async (mostCells: number) =>
      (await readers.xlsx())({
        bytes: Buffer.from(manyRows(50_000)),
        ext: 'xlsx',
        parts,
        mostCells,
        progress: () => {},
      })
    expect(await read(500_000)).toMatchObject({ cut: false, sheets: [{ name: '明细', rows: 50_000, columns: 4 }] })
    expect(await read(40_000)).toMatchObject({ cut: true, sheets: [{ rows: 10_000 }] })
  })

  test('[R163] one file is taken out of an archive, and nothing that is not in it', async () => {
    const taken = async (ext: string, bytes: Uint8Array, path: string): Promise<string> => {
      const found = await takeEntry(source(bytes, ext), { path }).catch((error: { code: string }) => error.code)
      return found?.toString() ?? 'none'
    }
    const [rar, zip] = [packedDocument('archive.rar'), Buffer.from(zipOf({ '资料/清单.txt': '甲方' }))]
    expect(await taken('rar', rar, '资料/清单.txt')).toContain('云上科技')
    if (!inject('full')) return
    expect(await taken('rar', rar, '../etc/passwd')).toBe('none')
    expect(await taken('zip', zip, '资料/清单.txt')).toBe('甲方')
    expect(await taken('7z', packedDocument('archive.7z'), 'readme.md')).toBe('# read me\n')
    expect(await taken('tgz', gzipSync(tar('a.txt', 'inside')), 'a.txt')).toBe('inside')
    expect(await taken('tar', tar('a.txt', 'inside'), 'a.txt')).toBe('inside')
    expect(await taken('docx', encryptedZip(), 'word/document.xml')).toBe('conversionUnsupported')
    expect(await taken('zip', encryptedZip(), 'word/document.xml')).toBe('sourceEncrypted')
  })

  // [R163] A drawing that says that it is very large has a small picture.
  test('[R163] an SVG of 200,000 pixels is drawn small', async () => {
    const svg = (size: string): Buffer =>
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect width="200" height="100" fill="#00f"/></svg>`)
    const { default: sharp } = await import('sharp')
    const drawing = source(svg('width="200000" height="100000" viewBox="0 0 200 100"'), 'svg')
    const { width, height } = await sharp(await makeThumbnail(drawing)).metadata()
    expect(width / height).toBeCloseTo(2, 1)
  })

  // [R169] Values that are filled into the form of a PDF are among its words.
  test('[R163] [R169] what is filled into the form of a PDF is found', async () => {
    const objects = [
      '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[6 0 R]/NeedAppearances true/DA(/Helv 12 Tf 0 g)/DR<</Font<</Helv 5 0 R>>>>>>>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 200]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R/Annots[6 0 R]>>',
      '<</Length 38>>\nstream\nBT /F1 18 Tf 20 150 Td (Name:) Tj ET   \nendstream',
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(ZHANG SAN)/Rect[100 140 300 165]/DA(/Helv 14 Tf 0 g)/F 4>>',
    ]
    // Without a table of its objects, which the reader then finds itself.
    const body = objects.map((one, n) => `${n + 1} 0 obj\n${one}\nendobj\n`).join('')
    const pdf = Buffer.from(`%PDF-1.5\n${body}trailer\n<</Root 1 0 R>>\n%%EOF\n`)
    const [page] = (await extractText(source(pdf, 'pdf'))) ?? []
    expect(page?.text).toBe('Name:\nZHANG SAN')
  })

  // [R163] Charts in Word documents, workbooks and slides, also OpenDocument, are drawn from the values stored in their
  // files, with searchable text.
  test('[R163] charts of workbooks and slides are shown, and their words found', async () => {
    const { body, part } = await renditionOf(packedDocument('charts.xlsx'), 'xlsx')
    if (body.kind !== 'sheets') throw new Error(body.kind)
    const { drawings = [] } = JSON.parse(part(body.sheets[0]?.part ?? 0).toString()) as SheetBody
    expect(drawings.map(({ row, column }) => [row, column])).toEqual([
      [8, 0],
      [1, 6],
    ])
    for (const ext of ['pptx', 'odp', 'ods']) {
      const name = ext === 'ods' ? 'charts.ods' : `deck.${ext}`
      const [first] = await extractText(source(packedDocument(name), ext))
      expect(first?.text).toContain('收入对比')
      expect(first?.text).not.toContain('收入.')
    }
  })

  test('words, tables and pictures of the old forms stand as they did', async () => {
    const parts = textParts()
    const doc = await (await readers.doc())({
      bytes: packedDocument('contract.doc'),
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
      bytes: packedDocument('budget.xls'),
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
      bytes: packedDocument('course.ppt'),
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

/** Adds a file property that rotates the picture by quarter turns to the left, as phones do. */
function turnedHeic(upright: Buffer, quarters: number): Buffer {
  const turn = Buffer.from([0, 0, 0, 9, ...Buffer.from('irot'), quarters])
  const startOf = (type: string): number => upright.indexOf(type) - 4
  const [list, ends, iref] = [startOf('ipco'), startOf('ipma'), startOf('iref')]
  const head = Buffer.from(upright.subarray(0, ends))
  const uses = Buffer.from(upright.subarray(ends, iref))
  const added = turn.length + 1
  const grow = (bytes: Buffer, at: number, by: number): number => bytes.writeUInt32BE(bytes.readUInt32BE(at) + by, at)
  grow(head, startOf('meta'), added)
  grow(head, startOf('iprp'), added)
  grow(head, list, turn.length)
  // The offsets of the contents of its two parts.
  for (const at of [20, 38]) grow(head, startOf('iloc') + at, added)
  grow(uses, 0, 1)
  const count = 8 + 4 + 4 + 2
  uses[count] = (uses[count] ?? 0) + 1
  // The fourth property in the list; it is marked essential.
  return Buffer.concat([head, turn, uses, Buffer.of(0x84), upright.subarray(iref)])
}
