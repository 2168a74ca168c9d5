// Documents that contain a text at a place that their pages, sheets and slides do not show.
import { PDFDocument, PDFHexString, PDFName, StandardFonts } from '@cantoo/pdf-lib'
import type { HiddenContentKind } from '@cloudoc/domain'
import { utils, write } from '@e965/xlsx'
import { strToU8, zipSync } from 'fflate'

type Parts = Readonly<Record<string, string | Uint8Array>>

export const zipOf = (files: Parts): Buffer =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([path, text]) => [path, typeof text === 'string' ? strToU8(text) : text]),
      ),
    ),
  )

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const officeTypes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relations = (...all: readonly (readonly [type: string, target: string])[]): string => {
  const each = all.map(
    ([type, target], n) =>
      `<Relationship Id="r${n + 1}" Type="${type.startsWith('http') ? type : `${officeTypes}/${type}`}" Target="${target}"/>`,
  )
  return `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${each.join('')}</Relationships>`
}
const types = `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`
const core = (text: string): string =>
  `${head}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>资料</dc:title><dc:description>${escaped(text)}</dc:description></cp:coreProperties>`
const custom = (text: string): string =>
  `${head}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"><property pid="2" name="备注"><vt:lpwstr>${escaped(text)}</vt:lpwstr></property></Properties>`

const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const wordMore = `${word} xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:r="${officeTypes}"`
/** Runs of three characters each. */
const runs = (text: string, tag = 'w:t', look = ''): string =>
  (text.match(/.{1,3}/gsu) ?? [])
    .map((part) => `<w:r>${look}<${tag} xml:space="preserve">${escaped(part)}</${tag}></w:r>`)
    .join('')

const docx = (body: string, parts: Parts = {}, related: readonly (readonly [string, string])[] = []): Buffer =>
  zipOf({
    '[Content_Types].xml': types,
    '_rels/.rels': relations(['officeDocument', 'word/document.xml']),
    'word/document.xml': `${head}<w:document ${wordMore}><w:body><w:p>${runs('正文')}</w:p>${body}</w:body></w:document>`,
    ...(related.length > 0 && { 'word/_rels/document.xml.rels': relations(...related) }),
    ...parts,
  })

const sheetWords = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const cells = (text: string, cell = 'C3'): string =>
  `<sheetData><row r="${cell.slice(1)}"><c r="${cell}" t="inlineStr"><is><t>${escaped(text)}</t></is></c></row></sheetData>`
const xlsx = (
  { behind = '', secondIs = '', second = '' }: { behind?: string; secondIs?: string; second?: string },
  parts: Parts = {},
  related: readonly (readonly [string, string])[] = [],
): Buffer =>
  zipOf({
    '[Content_Types].xml': types,
    '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `${head}<workbook ${sheetWords} xmlns:r="${officeTypes}"><sheets><sheet name="表" sheetId="1" r:id="r1"/><sheet name="底" sheetId="2" state="${secondIs || 'visible'}" r:id="r2"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      ['worksheet', 'worksheets/sheet1.xml'],
      ['worksheet', 'worksheets/sheet2.xml'],
    ),
    'xl/worksheets/sheet1.xml': `${head}<worksheet ${sheetWords}>${cells('正文')}${behind}</worksheet>`,
    'xl/worksheets/sheet2.xml': `${head}<worksheet ${sheetWords}>${cells(second || '无')}</worksheet>`,
    ...(related.length > 0 && { 'xl/worksheets/_rels/sheet1.xml.rels': relations(...related) }),
    ...parts,
  })

const drawing = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
const slideWords = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
const drawn = (text: string): string =>
  `<a:p>${(text.match(/.{1,3}/gsu) ?? []).map((part) => `<a:r><a:t>${escaped(part)}</a:t></a:r>`).join('')}</a:p>`
const shape = (text: string, about = ''): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x" ${about}/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="5000000" cy="1000000"/></a:xfrm></p:spPr><p:txBody>${drawn(text)}</p:txBody></p:sp>`
const slide = (shapes: string, about = ''): string =>
  `${head}<p:sld ${slideWords} ${drawing} ${about}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`
const pptx = (second: string, parts: Parts = {}, related: readonly (readonly [string, string])[] = []): Buffer =>
  zipOf({
    '[Content_Types].xml': types,
    '_rels/.rels': relations(['officeDocument', 'ppt/presentation.xml']),
    'ppt/presentation.xml': `${head}<p:presentation ${slideWords} xmlns:r="${officeTypes}"><p:sldIdLst><p:sldId id="256" r:id="r1"/><p:sldId id="257" r:id="r2"/></p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(['slide', 'slides/slide1.xml'], ['slide', 'slides/slide2.xml']),
    'ppt/slides/slide1.xml': slide(shape('正文')),
    'ppt/slides/slide2.xml': second,
    ...(related.length > 0 && { 'ppt/slides/_rels/slide2.xml.rels': relations(...related) }),
    ...parts,
  })

async function pdf(build: (document: PDFDocument) => Promise<void> | void): Promise<Buffer> {
  const document = await PDFDocument.create()
  document.addPage([200, 200]).drawText('text', { font: await document.embedFont(StandardFonts.Helvetica), size: 12 })
  await build(document)
  return Buffer.from(await document.save())
}

/** An object that holds a file, as Word stores what is not an Office document ([MS-OLEDS] 2.3.6). */
function oleObject(name: string, content: string): Buffer {
  const ansi = (text: string): Buffer => Buffer.from(`${text}\0`, 'latin1')
  const length = (size: number): Buffer => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(size)
    return bytes
  }
  const [path, body] = [ansi(`C:\\${name}`), Buffer.from(content)]
  const inner = Buffer.concat([
    ...[Buffer.of(2, 0), ansi(name), path, Buffer.of(0, 0, 3, 0), length(path.length), path],
    ...[length(body.length), body],
  ])
  return compoundFile('\u0001Ole10Native', Buffer.concat([length(inner.length), inner]))
}

/** A compound file with one stream of at least 4,096 bytes. */
function compoundFile(name: string, content: Buffer): Buffer {
  const sectors = Math.max(8, Math.ceil(content.length / 512))
  const header = Buffer.alloc(512)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header)
  header.writeUInt16LE(0x3e, 24)
  header.writeUInt16LE(3, 26)
  header.writeUInt16LE(0xfffe, 28)
  header.writeUInt16LE(9, 30)
  header.writeUInt16LE(6, 32)
  header.writeUInt32LE(1, 44)
  header.writeUInt32LE(1, 48)
  header.writeUInt32LE(4096, 56)
  header.writeUInt32LE(0xfffffffe, 60)
  header.writeUInt32LE(0xfffffffe, 68)
  header.fill(0xff, 76)
  header.writeUInt32LE(0, 76)
  const table = Buffer.alloc(512, 0xff)
  table.writeUInt32LE(0xfffffffd, 0)
  table.writeUInt32LE(0xfffffffe, 4)
  for (let n = 0; n < sectors; n += 1) table.writeUInt32LE(n === sectors - 1 ? 0xfffffffe : n + 3, (n + 2) * 4)
  const directory = Buffer.alloc(512)
  const entry = (at: number, label: string, type: number, child: number, start: number, size: number): void => {
    Buffer.from(label, 'utf16le').copy(directory, at)
    directory.writeUInt16LE((label.length + 1) * 2, at + 64)
    directory[at + 66] = type
    directory[at + 67] = 1
    directory.writeUInt32LE(0xffffffff, at + 68)
    directory.writeUInt32LE(0xffffffff, at + 72)
    directory.writeUInt32LE(child, at + 76)
    directory.writeUInt32LE(start, at + 116)
    directory.writeUInt32LE(size, at + 120)
  }
  entry(0, 'Root Entry', 5, 1, 0xfffffffe, 0)
  entry(128, name, 2, 0xffffffff, 2, Math.max(content.length, 4096))
  return Buffer.concat([header, table, directory, content], 512 * (3 + sectors))
}

const mail = (headers: readonly string[], attached: { name: string; bytes: Uint8Array } | undefined): Buffer =>
  Buffer.from(
    [
      ...['From: a@example.com', 'To: b@example.com', 'Subject: x', ...headers, 'MIME-Version: 1.0'],
      ...[
        'Content-Type: multipart/mixed; boundary=b1',
        '',
        '--b1',
        'Content-Type: text/plain; charset=utf-8',
        '',
        '见附件',
      ],
      ...(attached === undefined
        ? []
        : [
            ...['--b1', 'Content-Type: application/octet-stream', 'Content-Transfer-Encoding: base64'],
            ...[`Content-Disposition: attachment; filename="${attached.name}"`, ''],
            Buffer.from(attached.bytes).toString('base64'),
          ]),
      ...['--b1--', ''],
    ].join('\r\n'),
  )

/** A document with a text at a place that it does not show. */
export interface HiddenDocument {
  readonly ext: string
  readonly place: HiddenContentKind
  /** The sheet, page or slide; the cell; the file inside. */
  readonly name?: string
  readonly cell?: string
  readonly path?: string
  readonly make: (text: string) => Buffer | Promise<Buffer>
}

const wordComment = (text: string): Buffer =>
  docx(
    '',
    {
      'word/comments.xml': `${head}<w:comments ${word}><w:comment w:id="1"><w:p>${runs(text)}</w:p></w:comment></w:comments>`,
    },
    [['comments', 'comments.xml']],
  )

export const hiddenDocuments: Readonly<Record<string, HiddenDocument>> = {
  'a comment in docx': { ext: 'docx', place: 'comment', make: wordComment },
  'deleted text in docx': {
    ext: 'docx',
    place: 'revision',
    make: (text) => docx(`<w:p>${runs('甲')}<w:del w:id="1">${runs(text, 'w:delText')}</w:del></w:p>`),
  },
  'a value broken by an insertion in docx': {
    ext: 'docx',
    place: 'revision',
    make: (text) =>
      docx(`<w:p>${runs(text.slice(0, 8))}<w:ins w:id="1">${runs('某')}</w:ins>${runs(text.slice(8))}</w:p>`),
  },
  'moved text in docx': {
    ext: 'docx',
    place: 'revision',
    make: (text) => docx(`<w:p><w:moveFrom w:id="1">${runs(text)}</w:moveFrom></w:p>`),
  },
  'hidden text in docx': {
    ext: 'docx',
    place: 'hidden',
    make: (text) => docx(`<w:p>${runs('甲')}${runs(text, 'w:t', '<w:rPr><w:vanish/></w:rPr>')}</w:p>`),
  },
  'text of a hidden style in docx': {
    ext: 'docx',
    place: 'hidden',
    make: (text) =>
      docx(
        `<w:p><w:pPr><w:pStyle w:val="B"/></w:pPr>${runs(text)}</w:p>`,
        {
          'word/styles.xml': `${head}<w:styles ${word}><w:style w:styleId="B" w:type="paragraph"><w:basedOn w:val="A"/></w:style><w:style w:styleId="A" w:type="paragraph"><w:rPr><w:vanish/></w:rPr></w:style></w:styles>`,
        },
        [['styles', 'styles.xml']],
      ),
  },
  'a header that no section uses in docx': {
    ext: 'docx',
    place: 'hidden',
    make: (text) => docx('', { 'word/header9.xml': `${head}<w:hdr ${word}><w:p>${runs(text)}</w:p></w:hdr>` }),
  },
  'alternative text in docx': {
    ext: 'docx',
    place: 'alternative',
    make: (text) =>
      docx(
        `<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="x" descr="${escaped(text)}"/></wp:inline></w:drawing></w:r></w:p>`,
      ),
  },
  'core properties in docx': {
    ext: 'docx',
    place: 'property',
    make: (text) => docx('', { 'docProps/core.xml': core(text) }),
  },
  'own properties in xlsx': {
    ext: 'xlsx',
    place: 'property',
    make: (text) => xlsx({}, { 'docProps/custom.xml': custom(text) }),
  },
  'a workbook embedded in docx': {
    ext: 'docx',
    place: 'embedded',
    name: '表',
    cell: 'C3',
    path: 'Sheet1.xlsx',
    make: (text) =>
      docx('', {
        'word/embeddings/Sheet1.xlsx': zipOf({
          '[Content_Types].xml': types,
          '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']),
          'xl/workbook.xml': `${head}<workbook ${sheetWords} xmlns:r="${officeTypes}"><sheets><sheet name="表" sheetId="1" r:id="r1"/></sheets></workbook>`,
          'xl/_rels/workbook.xml.rels': relations(['worksheet', 'worksheets/sheet1.xml']),
          'xl/worksheets/sheet1.xml': `${head}<worksheet ${sheetWords}>${cells(text)}</worksheet>`,
        }),
      }),
  },
  'a comment in a document embedded in pptx': {
    ext: 'pptx',
    place: 'comment',
    path: 'Doc1.docx',
    make: (text) => pptx(slide(shape('二')), { 'ppt/embeddings/Doc1.docx': wordComment(text) }),
  },
  'a file packaged in an OLE object in docx': {
    ext: 'docx',
    place: 'embedded',
    path: 'list.txt',
    make: (text) => docx('', { 'word/embeddings/oleObject1.bin': oleObject('list.txt', text) }),
  },
  'a comment on a cell in xlsx': {
    ext: 'xlsx',
    place: 'comment',
    name: '表',
    cell: 'B2',
    make: (text) =>
      xlsx(
        {},
        {
          'xl/comments1.xml': `${head}<comments ${sheetWords}><commentList><comment ref="B2" authorId="0"><text><r><t>${escaped(text.slice(0, 9))}</t></r><r><t>${escaped(text.slice(9))}</t></r></text></comment></commentList></comments>`,
        },
        [['comments', '../comments1.xml']],
      ),
  },
  'a threaded comment in xlsx': {
    ext: 'xlsx',
    place: 'comment',
    name: '表',
    cell: 'D4',
    make: (text) =>
      xlsx(
        {},
        {
          'xl/comments1.xml': `${head}<comments ${sheetWords}><commentList><comment ref="D4" authorId="0"><text><t>[Threaded comment] ${escaped(text)}</t></text></comment></commentList></comments>`,
          'xl/threadedComments/threadedComment1.xml': `${head}<ThreadedComments xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"><threadedComment ref="D4" id="{1}"><text>${escaped(text)}</text></threadedComment></ThreadedComments>`,
        },
        [
          ['comments', '../comments1.xml'],
          [
            'http://schemas.microsoft.com/office/2017/10/relationships/threadedComment',
            '../threadedComments/threadedComment1.xml',
          ],
        ],
      ),
  },
  'a hidden sheet in xlsx': {
    ext: 'xlsx',
    place: 'hidden',
    name: '底',
    cell: 'C3',
    make: (text) => xlsx({ second: text, secondIs: 'veryHidden' }),
  },
  'a footer in xlsx': {
    ext: 'xlsx',
    place: 'headerFooter',
    name: '表',
    make: (text) =>
      xlsx({ behind: `<headerFooter><oddFooter>&amp;C&amp;"宋体,常规"${escaped(text)}</oddFooter></headerFooter>` }),
  },
  'a text box in xlsx': {
    ext: 'xlsx',
    place: 'hidden',
    name: '表',
    make: (text) =>
      xlsx(
        {},
        {
          'xl/drawings/drawing1.xml': `${head}<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" ${drawing}><xdr:twoCellAnchor><xdr:sp><xdr:txBody>${drawn(text)}</xdr:txBody></xdr:sp></xdr:twoCellAnchor></xdr:wsDr>`,
        },
        [['drawing', '../drawings/drawing1.xml']],
      ),
  },
  'the data of a pivot table in xlsx': {
    ext: 'xlsx',
    place: 'hidden',
    make: (text) =>
      xlsx(
        {},
        {
          'xl/pivotCache/pivotCacheRecords1.xml': `${head}<pivotCacheRecords ${sheetWords}><r><s v="${escaped(text)}"/></r></pivotCacheRecords>`,
        },
      ),
  },
  'a comment in pptx': {
    ext: 'pptx',
    place: 'comment',
    name: '2',
    make: (text) =>
      pptx(
        slide(shape('二')),
        {
          'ppt/comments/modernComment_101_0.xml': `${head}<p188:cmLst xmlns:p188="http://schemas.microsoft.com/office/powerpoint/2018/8/main" ${drawing}><p188:cm id="{1}"><p188:txBody>${drawn(text)}</p188:txBody></p188:cm></p188:cmLst>`,
        },
        [['http://schemas.microsoft.com/office/2018/10/relationships/comments', '../comments/modernComment_101_0.xml']],
      ),
  },
  'an older comment in pptx': {
    ext: 'pptx',
    place: 'comment',
    name: '2',
    make: (text) =>
      pptx(
        slide(shape('二')),
        {
          'ppt/comments/comment1.xml': `${head}<p:cmLst ${slideWords}><p:cm authorId="1" idx="1"><p:text>${escaped(text)}</p:text></p:cm></p:cmLst>`,
        },
        [['comments', '../comments/comment1.xml']],
      ),
  },
  'alternative text in pptx': {
    ext: 'pptx',
    place: 'alternative',
    name: '2',
    make: (text) => pptx(slide(shape('二', `descr="${escaped(text)}"`))),
  },
  'an annotation in pdf': {
    ext: 'pdf',
    place: 'comment',
    name: '1',
    make: (text) =>
      pdf((document) => {
        const note = document.context.obj({
          ...{ Type: 'Annot', Subtype: 'Text', Rect: [10, 10, 30, 30] },
          Contents: PDFHexString.fromText(text),
        })
        document.getPage(0).node.set(PDFName.of('Annots'), document.context.obj([document.context.register(note)]))
      }),
  },
  'a file attached to pdf': {
    ext: 'pdf',
    place: 'embedded',
    path: 'list.txt',
    make: (text) => pdf((document) => document.attach(Buffer.from(text), 'list.txt', { mimeType: 'text/plain' })),
  },
  'properties of pdf': { ext: 'pdf', place: 'property', make: (text) => pdf((document) => document.setSubject(text)) },
  'a header in eml': {
    ext: 'eml',
    place: 'mailHeader',
    make: (text) => mail([`X-Note: =?utf-8?B?${Buffer.from(text).toString('base64')}?=`], undefined),
  },
  'a comment in a document attached to eml': {
    ext: 'eml',
    place: 'comment',
    path: 'a.docx',
    make: (text) => mail([], { name: 'a.docx', bytes: wordComment(text) }),
  },
  'a comment in a document in zip': {
    ext: 'zip',
    place: 'comment',
    path: '内/a.docx',
    make: (text) => zipOf({ '内/a.docx': wordComment(text) }),
  },
  'a comment in odt': {
    ext: 'odt',
    place: 'comment',
    make: (text) =>
      zipOf({
        'content.xml': `${head}<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text><text:p>正文<office:annotation><text:p>${escaped(text)}</text:p></office:annotation></text:p></office:text></office:body></office:document-content>`,
      }),
  },
  'a hidden sheet in xls': {
    ext: 'xls',
    place: 'hidden',
    name: '底',
    cell: 'A1',
    make: (text) => {
      const book = utils.book_new()
      utils.book_append_sheet(book, utils.aoa_to_sheet([['正文']]), '表')
      utils.book_append_sheet(book, utils.aoa_to_sheet([[text]]), '底')
      return write({ ...book, Workbook: { Sheets: [{}, { Hidden: 1 }] } }, { type: 'buffer', bookType: 'biff8' })
    },
  },
}

/** The same places, with a text that is shown and found by search. */
export const shownDocuments: Readonly<Record<string, Pick<HiddenDocument, 'ext' | 'make'>>> = {
  'inserted text in docx': {
    ext: 'docx',
    make: (text) => docx(`<w:p><w:ins w:id="1">${runs(text)}</w:ins></w:p>`),
  },
  'speaker notes in pptx': {
    ext: 'pptx',
    make: (text) =>
      pptx(
        slide(shape('二')),
        {
          'ppt/notesSlides/notesSlide1.xml': `${head}<p:notes ${slideWords} ${drawing}><p:cSld><p:spTree><p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:cNvSpPr/><p:nvPr><p:ph type="body"/></p:nvPr></p:nvSpPr><p:txBody>${drawn(text)}</p:txBody></p:sp></p:spTree></p:cSld></p:notes>`,
        },
        [['notesSlide', '../notesSlides/notesSlide1.xml']],
      ),
  },
  'a hidden slide in pptx': { ext: 'pptx', make: (text) => pptx(slide(shape(text), 'show="0"')) },
  'a hidden row in xlsx': {
    ext: 'xlsx',
    make: (text) =>
      xlsx(
        {},
        {
          'xl/worksheets/sheet1.xml': `${head}<worksheet ${sheetWords}><sheetData><row r="3" hidden="1"><c r="C3" t="inlineStr"><is><t>${escaped(text)}</t></is></c></row></sheetData></worksheet>`,
        },
      ),
  },
  'a footer in docx': {
    ext: 'docx',
    make: (text) =>
      docx(
        `<w:sectPr><w:footerReference w:type="default" r:id="r1"/></w:sectPr>`,
        { 'word/footer1.xml': `${head}<w:ftr ${word}><w:p>${runs(text)}</w:p></w:ftr>` },
        [['footer', 'footer1.xml']],
      ),
  },
  'a text box in docx': {
    ext: 'docx',
    make: (text) =>
      docx(
        `<w:p><w:r><w:pict xmlns:v="urn:schemas-microsoft-com:vml"><v:shape><v:textbox><w:txbxContent><w:p>${runs(text)}</w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>`,
      ),
  },
}

/** A document with an embedded object of a program that is not known. */
export const withUnknownObject = (): Buffer =>
  docx('', { 'word/embeddings/oleObject1.bin': compoundFile('Drawing', Buffer.alloc(5000, 1)) })
/** A document with a formula, which is an object without text. */
export const withFormula = (): Buffer =>
  docx('', { 'word/embeddings/oleObject1.bin': compoundFile('Equation Native', Buffer.alloc(5000, 1)) })
/** A document that contains itself at so many levels. */
export function nested(levels: number, text: string): Buffer {
  let inner = docx(`<w:p>${runs(text)}</w:p>`)
  for (let n = 0; n < levels; n += 1) inner = docx('', { 'word/embeddings/inner.docx': inner })
  return inner
}
export const formDocument = (text: string): Promise<Buffer> =>
  pdf((document) => {
    const field = document.getForm().createTextField('note')
    field.setText(text)
    field.addToPage(document.getPage(0))
  })
