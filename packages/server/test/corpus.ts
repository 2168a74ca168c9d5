// Test documents: those of the demo company, stored files of formats that no library of this repository writes, and
// generated ones.
import { readFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type DemoFile, demoFiles } from '@cloudoc/devkit/demo'
import { strToU8, zipSync } from 'fflate'
import { emptyDocument } from '../src/documents/empty-documents.ts'

let samples: Map<string, DemoFile> | undefined

/** One file of the demo company with this extension. */
export async function sample(ext: string): Promise<Uint8Array> {
  if (samples === undefined) {
    samples = new Map()
    for (const file of demoFiles(emptyDocument)) {
      const found = file.name.slice(file.name.lastIndexOf('.') + 1)
      if (!samples.has(found)) samples.set(found, file)
    }
  }
  return (await samples.get(ext)?.bytes()) ?? new Uint8Array()
}

export const zipOf = (files: Record<string, string>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])))

/*
 * A corpus of small documents, each with some of its text or with the code of the reason why it is not shown. Files of
 * formats that no library of this repository writes are stored compressed; the others are generated on reading.
 */
export const packedDocument = (name: string): Buffer =>
  gunzipSync(readFileSync(new URL(`./documents/${name}.gz`, import.meta.url)))
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
/** One pixel high, red then blue, with separate channels. */
const psd = Buffer.from(
  '3842505300010000000000000003000000010000000200080003' +
    '000000000000000000000000' +
    '0000' +
    'ff0000000 0ff'.replace(' ', ''),
  'hex',
)

export type Case = readonly [ext: string, bytes: () => Uint8Array | Promise<Uint8Array>, expected: string]
export const corpus: readonly Case[] = [
  [
    'doc',
    () => packedDocument('contract.doc'),
    '甲方：云上科技；乙方：华东设备。总价 128,000 元。\n名称\t数量\n服务器\t\n交换机\t3',
  ],
  [
    'rtf',
    () => packedDocument('contract.rtf'),
    '甲方：云上科技；乙方：华东设备。总价 128,000 元。\n名称\t数量\n服务器\t\n交换机\t3',
  ],
  ['xls', () => packedDocument('budget.xls'), '门禁控制器\t销售中心\t12,500\t82'],
  ['ppt', () => packedDocument('course.ppt'), '练习三：从回收站恢复误删的文件，核对大小是否一致。'],
  ['wps', () => packedDocument('contract.doc'), '设备采购合同'],
  ['doc', () => packedDocument('contract.rtf'), '设备采购合同'],
  ['xls', () => strToU8('<html><body><table><tr><td>工号</td><td>姓名</td></tr></table></body></html>'), '工号\t姓名'],
  ['ofd', () => ofd, '电子发票（普通发票）'],
  ['epub', () => epub, '第一章 部署\n第二章 交付'],
  ['odt', () => odt, '值班表\n周一：王敏'],
  ['psd', () => psd, ''],
  ['heic', () => packedDocument('photo.heic'), ''],
  ['doc', () => strToU8('no document at all'), 'conversionFailed'],
  ['doc', () => packedDocument('contract.doc').subarray(0, 5000), 'conversionFailed'],
  ['xls', () => ole('EncryptedPackage'), 'conversionFailed'],
  ['ppt', () => packedDocument('budget.xls'), 'conversionFailed'],
  ['docx', () => ole('EncryptedPackage'), 'sourceEncrypted'],
  ['rtf', () => strToU8('{\\rtf1' + '{'.repeat(2000)), 'conversionFailed'],
  ['ofd', () => zipOf({ 'OFD.xml': '<OFD/>' }), 'conversionFailed'],
  ['epub', () => strToU8('PK'), 'conversionFailed'],
  ['psd', () => strToU8('8BPS'.padEnd(60, '\0')), 'conversionUnsupported'],
]

const demo = (ext: string) => (): Promise<Uint8Array> => sample(ext)
const wordXml = (body: string): string => `<w:document><w:body>${body}</w:body></w:document>`
const line = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
const docx = (body: string) => (): Uint8Array => zipOf({ 'word/document.xml': wordXml(body) })
const office = (kind: string, body: string): string =>
  `<office:document-content><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`
const utf16 = (text: string): Uint8Array => Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(text, 'utf16le')])
export const tar = (path: string, text: string): Uint8Array => {
  const head = Buffer.alloc(512)
  head.write(path, 0)
  head.write(Buffer.byteLength(text).toString(8).padStart(11, '0'), 124)
  head.write('0ustar', 156)
  head.write('ustar', 257)
  head.write('        ', 148)
  head.write(
    `${head
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  const body = Buffer.alloc(512)
  body.write(text)
  return Buffer.concat([head, body, Buffer.alloc(1024)])
}
export const encryptedZip = (): Uint8Array => {
  const bytes = Buffer.from(zipOf({ 'word/document.xml': wordXml(line('x')) }))
  const at = bytes.indexOf('PK\u0001\u0002') + 8
  bytes.writeUInt16LE(bytes.readUInt16LE(at) | 1, at)
  return bytes
}

/** Further cases, generated so that they take no space in the repository. */
export const generated: readonly Case[] = [
  ['docx', demo('docx'), ''],
  ['docx', docx(line('第一条 采购') + line('第二条 付款')), '第一条 采购\n第二条 付款'],
  ['docx', docx(`<w:tbl><w:tr><w:tc>${line('名称')}</w:tc><w:tc>${line('数量')}</w:tc></w:tr></w:tbl>`), '名称\t数量'],
  [
    'docx',
    docx(`<w:tbl><w:sdt><w:sdtContent><w:tr><w:tc>${line('螺丝')}</w:tc></w:tr></w:sdtContent></w:sdt></w:tbl>`),
    '螺丝',
  ],
  ['docx', docx(Array.from({ length: 4000 }, (_, n) => line(`第 ${n} 段`)).join('')), '第 3999 段'],
  ['docx', docx('<w:p><w:r><w:t>未完'), 'conversionFailed'],
  ['docx', encryptedZip, 'sourceEncrypted'],
  ['docm', docx(line('带宏的文档')), '带宏的文档'],
  ['xlsx', demo('xlsx'), '\t'],
  ['xlsx', () => strToU8('no workbook'), 'conversionFailed'],
  ['xls', () => strToU8('<table><tr><td>部门</td><td>预算</td></tr></table>'), '部门\t预算'],
  ['pptx', demo('pptx'), ''],
  ['pptx', () => zipOf({ 'ppt/presentation.xml': '<p:presentation/>' }), ''],
  ['pptx', () => strToU8('PK'), 'conversionFailed'],
  ['pdf', demo('pdf'), ''],
  ['pdf', () => strToU8('%PDF-1.7 broken'), 'conversionFailed'],
  [
    'ods',
    () =>
      zipOf({
        'content.xml': office(
          'spreadsheet',
          '<table:table table:name="表"><table:table-row><table:table-cell><text:p>合计</text:p></table:table-cell><table:table-cell><text:p>128</text:p></table:table-cell></table:table-row></table:table>',
        ),
      }),
    '合计\t128',
  ],
  [
    'odp',
    () =>
      zipOf({
        'content.xml': office(
          'presentation',
          '<draw:page><draw:frame><draw:text-box><text:p>年度总结</text:p></draw:text-box></draw:frame></draw:page>',
        ),
      }),
    '年度总结',
  ],
  ['odt', () => zipOf({ 'other.xml': '<a/>' }), 'conversionFailed'],
  ['md', () => strToU8('# 标题\n\n| 甲 | 乙 |\n|---|---|\n| 1 | 2 |\n'), '标题\n甲\t乙\n1\t2'],
  ['md', demo('md'), ''],
  ['html', () => strToU8('<h1>通知</h1><script>alert(1)</script><p>放假</p>'), '通知\n放假'],
  ['html', demo('html'), ''],
  ['txt', () => strToU8('统一码'), '统一码'],
  ['txt', () => Uint8Array.of(0xba, 0xcf, 0xcd, 0xac), '合同'],
  ['txt', () => utf16('双字节'), '双字节'],
  ['csv', () => strToU8('名称,单价\n"螺栓, 长",3\n'), '名称\t单价\n螺栓, 长\t3'],
  ['csv', () => strToU8(Array.from({ length: 4000 }, (_, n) => `行 ${n},${n}`).join('\n')), '行 3999\t3999'],
  ['tsv', () => strToU8('甲\t乙\n1\t2\n'), '甲\t乙\n1\t2'],
  ['json', demo('json'), '{'],
  ['xml', () => strToU8('<项 名="甲"/>'), '<项 名="甲"/>'],
  ['sql', () => strToU8('select * from 合同;'), 'select * from 合同;'],
  ['eml', demo('eml'), ''],
  ['zip', () => zipOf({ '资料/清单.txt': 'a' }), '资料/清单.txt'],
  ['zip', () => Buffer.from('PK\u0003\u0004 and no more'), 'conversionFailed'],
  ['tar', () => tar('docs/list.txt', 'a'), 'docs/list.txt'],
  ['tgz', () => gzipSync(tar('docs/packed.txt', 'a')), 'docs/packed.txt'],
  ['rar', () => packedDocument('archive.rar'), '资料/清单.txt\nreadme.md'],
  ['7z', () => packedDocument('archive.7z'), '资料/清单.txt\nreadme.md'],
  ['rar', () => strToU8('no archive at all'), 'conversionFailed'],
  ['7z', () => packedDocument('archive.7z').subarray(0, 60), 'conversionFailed'],
  ['png', demo('png'), ''],
  ['svg', () => strToU8('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>x()</script></svg>'), ''],
  ['jpg', () => strToU8('no picture'), 'conversionFailed'],
  ['heic', () => strToU8('no picture'), 'conversionFailed'],
  ['heic', () => packedDocument('photo.heic').subarray(0, 2000), 'conversionFailed'],
  // A report in the form that Word writes (header and footer, merged cells, a picture), and LibreOffice's conversions
  // of it.
  ['docx', () => packedDocument('report.docx'), '2026 年第三季度经营分析报告'],
  ['odt', () => packedDocument('report.odt'), '含两个大型政企项目'],
  ['doc', () => packedDocument('report.doc'), '图 1　各大区收入'],
  // A workbook and slides with charts.
  ['xlsx', () => packedDocument('charts.xlsx'), '华东\t4,100\t4,880\t5,260\t41.1%'],
  ['ods', () => packedDocument('charts.ods'), '华东\t4,100'],
  ['xls', () => packedDocument('charts.xls'), '华东\t4,100'],
  ['pptx', () => packedDocument('deck.pptx'), ''],
  ['odp', () => packedDocument('deck.odp'), ''],
  ['pptx', () => manySlides(60), '第 60 页'],
]

/** A presentation with `count` slides. */
export function manySlides(count: number): Uint8Array {
  const numbers = Array.from({ length: count }, (_, n) => n + 1)
  const relations = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
  const slide = (n: number): string =>
    `<p:sld><p:cSld><p:spTree><p:sp><p:spPr><a:xfrm><a:off x="900000" y="900000"/><a:ext cx="6000000" cy="900000"/></a:xfrm></p:spPr><p:txBody><a:bodyPr/><a:p><a:r><a:t>第 ${n} 页</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`
  return zipOf({
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${numbers.map((n) => `<p:sldId r:id="s${n}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': `<Relationships ${relations}>${numbers.map((n) => `<Relationship Id="s${n}" Type="/slide" Target="slides/slide${n}.xml"/>`).join('')}</Relationships>`,
    ...Object.fromEntries(numbers.map((n) => [`ppt/slides/slide${n}.xml`, slide(n)])),
  })
}

/** A workbook with `count` rows of four cells. */
export function manyRows(count: number): Uint8Array {
  const rows = Array.from({ length: count }, (_, n) => {
    const texts = [`NO-${n + 1}`, '门禁控制器', '销售中心']
    const cells = texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')
    return `<row r="${n + 1}">${cells}<c><v>${n * 3}</v></c></row>`
  })
  const relations = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
  return zipOf({
    'xl/workbook.xml': '<workbook><sheets><sheet name="明细" r:id="s"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships ${relations}><Relationship Id="s" Type="/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`,
  })
}

/** Documents by kind whose first page is stored as a reference picture. */
export const ofEveryKind: Readonly<Record<string, readonly [ext: string, bytes: Case[1]]>> = {
  ...Object.fromEntries(
    'docx xlsx pptx pdf eml md txt csv html json xml png bmp gif jpg svg'
      .split(' ')
      .map((ext) => [`demo-${ext}`, [ext, demo(ext)]]),
  ),
  ...Object.fromEntries(
    [
      'report.docx report.odt report.doc contract.doc contract.rtf charts.xlsx charts.ods charts.xls budget.xls',
      'deck.pptx deck.odp course.ppt photo.heic',
    ]
      .join(' ')
      .split(' ')
      .map((name) => [name.replace('.', '-'), [name.slice(name.indexOf('.') + 1), () => packedDocument(name)]]),
  ),
  ofd: ['ofd', () => ofd],
  epub: ['epub', () => epub],
  'text-gb18030': ['txt', () => Buffer.from('bacfcdac20'.repeat(30), 'hex')],
  'slides-60': ['pptx', () => manySlides(60)],
  'rows-50000': ['xlsx', () => manyRows(50_000)],
  'pages-100': ['docx', docx(Array.from({ length: 4000 }, (_, n) => line(`第 ${n} 段`)).join(''))],
}
