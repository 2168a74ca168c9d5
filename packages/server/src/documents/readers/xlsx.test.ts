// Workbooks as other programs write them.
import type { SheetBody, Sheets } from '@cloudoc/contract'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { textParts } from '../extracted-text.ts'
import { readXlsx } from './xlsx.ts'
import { readZip } from './zip.ts'

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relationships = (inner: string): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inner}</Relationships>`
const relation = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="${type.includes(':') ? type : `${office}/${type}`}" Target="${target}"/>`

interface Given {
  readonly prefix?: string
  readonly strings?: string
  readonly styles?: string
  readonly related?: string
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  readonly mostCells?: number
}

/** Reads a workbook of one sheet with this content. */
async function sheetOf(
  inner: string,
  { prefix = '', strings, styles, related = '', files = {}, mostCells = 500_000 }: Given = {},
): Promise<{ readonly book: Sheets; readonly body: SheetBody; readonly lines: string[] }> {
  const x = prefix === '' ? '' : `${prefix}:`
  const names = `${prefix === '' ? 'xmlns' : `xmlns:${prefix}`}="${main}" xmlns:r="${office}"`
  const all: Record<string, string | Uint8Array> = {
    '_rels/.rels': relationships(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<${x}workbook ${names}><${x}sheets><${x}sheet name="S" sheetId="1" r:id="rId1"/></${x}sheets></${x}workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(
      relation('rId1', 'worksheet', 'worksheets/sheet1.xml') +
        (strings === undefined ? '' : relation('rIdT', 'sharedStrings', 'sharedStrings.xml')) +
        (styles === undefined ? '' : relation('rIdS', 'styles', 'styles.xml')) +
        related,
    ),
    'xl/worksheets/sheet1.xml': `<${x}worksheet ${names}>${inner}</${x}worksheet>`,
    ...(strings !== undefined && { 'xl/sharedStrings.xml': `<${x}sst ${names}>${strings}</${x}sst>` }),
    ...(styles !== undefined && { 'xl/styles.xml': `<${x}styleSheet ${names}>${styles}</${x}styleSheet>` }),
    ...files,
  }
  const bytes = zipSync(
    Object.fromEntries(Object.entries(all).map(([path, one]) => [path, typeof one === 'string' ? strToU8(one) : one])),
  )
  const parts = textParts()
  const read = await readXlsx({ bytes: Buffer.from(bytes), ext: 'xlsx', parts, mostCells, progress: () => {} })
  const book = read as Sheets
  const body = parts.values[book.sheets[0]?.part ?? 0] as SheetBody
  return { book, body, lines: body.rows.map(([n, cells]) => `${n + 1}: ${cells.map(([, text]) => text).join(' | ')}`) }
}
const data = (rows: string): string => `<sheetData>${rows}</sheetData>`
const styled = (...formats: number[]): string =>
  `<fonts><font/></fonts><cellXfs><xf numFmtId="0"/>${formats.map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs>`

// [R163] A workbook whose elements have a namespace prefix is read, as some libraries write it.
test('[R163] a workbook is read whatever prefix its elements have', async () => {
  const sheet = `<x:sheetData><x:row r="1"><x:c r="A1" t="s"><x:v>0</x:v></x:c><x:c r="B1" s="1"><x:v>0.5</x:v></x:c></x:row></x:sheetData><x:mergeCells><x:mergeCell ref="A2:B3"/></x:mergeCells>`
  const strings = '<x:si><x:t>客户</x:t><x:rPh><x:t>kehu</x:t></x:rPh></x:si>'
  const styles = styled(9).replaceAll(/<(\/?)(\w)/g, '<$1x:$2')
  const { lines, body } = await sheetOf(sheet, { prefix: 'x', strings, styles })
  expect(lines).toEqual(['1: 客户 | 50%'])
  expect(body.merges).toEqual([[1, 0, 2, 1]])
})

// [R163] Rows and columns are hidden and truth is read whether a program writes 1 or true; escaped characters, dates as
// in ISO 8601 and the formats that have a number only are shown as Excel shows them.
test('[R163] values count as what they say', async () => {
  const { body, lines } = await sheetOf(
    `<cols><col min="2" max="2" width="11.5" hidden="true"/></cols>${data(
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>甲_x000D_乙</t></is></c></row><row r="2" hidden="true"><c r="A2" t="b"><v>true</v></c></row><row r="3"><c r="A3" s="1" t="d"><v>2024-03-05T00:00:00</v></c><c r="B3" s="2"><v>45356.5625</v></c><c r="C3" s="3"><v>45356.5625</v></c><c r="D3" t="e"><v>#DIV/0!</v></c></row>',
    )}`,
    { strings: '<si><t>_x005F_x000D_</t></si>', styles: styled(14, 34, 43) },
  )
  expect(lines).toEqual(['1: _x000D_ | 甲\r乙', '2: TRUE', '3: 2024/3/5 | 下午1时30分 |  45,356.56  | #DIV/0!'])
  expect([body.heights[1], body.widths[1]]).toEqual([0, 0])
})

// [R163] Formulas that the program has not computed are computed for the preview and for search; one that cannot be
// computed is shown as it is.
test('[R163] formulas without a stored result are computed', async () => {
  const { lines } = await sheetOf(
    data(
      '<row r="1"><c r="A1"><v>2</v></c><c r="B1"><v>3</v></c><c r="C1"><f>A1+B1</f></c><c r="D1"><f>SUM(A1:C1)*2</f><v></v></c><c r="E1"><f>NEVERHEARD(A1)</f></c><c r="F1"><f>A1</f><v>7</v></c></row>',
    ),
  )
  expect(lines).toEqual(['1: 2 | 3 | 5 | 20 | =NEVERHEARD(A1) | 7'])
})

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAACgAAAAYCAIAAACIj8R+AAAAKklEQVR42u3OMQEAAAgDoC251a3gJQQmIFVV1Z8AAAAAAAAAAAAAAAC4FgGFAAHTfkEJAAAAAElFTkSuQmCC',
  'base64',
)

// [R163] A picture that is the content of a cell is shown within it, as WPS and as Excel 365 write it.
test('[R163] pictures within cells are shown', async () => {
  const wps = await sheetOf(
    data(
      '<row r="1" ht="60"><c r="A1" t="inlineStr"><is><t>照片</t></is></c><c r="B1" t="str"><f>_xlfn.DISPIMG("ID_1",1)</f><v>=DISPIMG("ID_1",1)</v></c><c r="C1" t="str"><v>=DISPIMG("ID_2",1)</v></c></row>',
    ),
    {
      related: relation('rIdC', 'http://www.wps.cn/officeDocument/2020/cellImage', 'cellimages.xml'),
      files: {
        'xl/cellimages.xml':
          '<etc:cellImages><etc:cellImage><xdr:pic><xdr:nvPicPr><xdr:cNvPr name="ID_1"/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rId1"/></xdr:blipFill><xdr:spPr><a:xfrm><a:ext cx="500000" cy="250000"/></a:xfrm></xdr:spPr></xdr:pic></etc:cellImage></etc:cellImages>',
        'xl/_rels/cellimages.xml.rels': relationships(relation('rId1', 'image', 'media/image1.png')),
        'xl/media/image1.png': png,
      },
    },
  )
  expect(wps.body.images).toMatchObject([{ row: 0, column: 1, width: 70, height: 35 }])
  // What names no picture of the workbook stays to be seen.
  expect(wps.lines).toEqual(['1: 照片 |  | =DISPIMG("ID_2",1)'])

  const rich = 'http://schemas.microsoft.com/office/spreadsheetml/2017/richdata'
  const microsoft = 'http://schemas.microsoft.com/office'
  const excel = await sheetOf(data('<row r="1"><c r="A1" t="e" vm="1"><v>#VALUE!</v></c></row>'), {
    related:
      relation('rM', 'sheetMetadata', 'metadata.xml') +
      relation('rV', `${microsoft}/2017/06/relationships/rdRichValue`, 'richData/rdrichvalue.xml') +
      relation('rS', `${microsoft}/2017/06/relationships/rdRichValueStructure`, 'richData/structure.xml') +
      relation('rR', `${microsoft}/2022/10/relationships/richValueRel`, 'richData/richValueRel.xml'),
    files: {
      'xl/metadata.xml': `<metadata xmlns="${main}" xmlns:xlrd="${rich}"><futureMetadata name="XLRICHVALUE"><bk><extLst><ext><xlrd:rvb i="0"/></ext></extLst></bk></futureMetadata><valueMetadata><bk><rc t="1" v="0"/></bk></valueMetadata></metadata>`,
      'xl/richData/rdrichvalue.xml': `<rvData xmlns="${rich}"><rv s="0"><v>5</v><v>0</v></rv></rvData>`,
      'xl/richData/structure.xml': `<rvStructures xmlns="${rich}"><s t="_localImage"><k n="CalcOrigin" t="i"/><k n="_rvRel:LocalImageIdentifier" t="i"/></s></rvStructures>`,
      'xl/richData/richValueRel.xml': `<richValueRels xmlns:r="${office}"><rel r:id="rId1"/></richValueRels>`,
      'xl/richData/_rels/richValueRel.xml.rels': relationships(relation('rId1', 'image', '../media/image1.png')),
      'xl/media/image1.png': png,
    },
  })
  expect(excel.body.images).toMatchObject([{ row: 0, column: 0 }])
  expect(excel.lines).toEqual(['1: '])
})

// [R163] Of a sheet with more cells than are shown the first ones are shown, with the merged cells that are named behind
// them, and that there are more.
test('[R163] [R168] a sheet of very many rows is shown up to the cells that are allowed', async () => {
  const rows = Array.from({ length: 3000 }, (_, n) => `<row r="${n + 1}"><c r="A${n + 1}"><v>${n}</v></c></row>`)
  const sheet = `${data(rows.join(''))}<mergeCells><mergeCell ref="A2:B2"/></mergeCells>`
  const { book, body } = await sheetOf(sheet, { mostCells: 1000 })
  expect(book).toMatchObject({ cut: true, sheets: [{ rows: 1000 }] })
  expect(body.merges).toEqual([[1, 0, 1, 1]])
  expect(await sheetOf(sheet).then(({ book }) => book)).toMatchObject({ cut: false, sheets: [{ rows: 3000 }] })
})

// [R168] Of a part that would unpack to very much only its start is unpacked.
test('[R168] a large part is unpacked as far as it is needed', () => {
  const lines = Array.from({ length: 200_000 }, (_, n) => `<row r="${n}"/>`).join('')
  const zip = readZip(Buffer.from(zipSync({ a: strToU8(lines), b: [strToU8(lines), { level: 0 }] })))
  for (const path of ['a', 'b']) {
    const found = zip.start(path, 500_000)
    expect(found?.isWhole).toBe(false)
    expect(found?.bytes.length).toBeGreaterThan(250_000)
    expect(found?.bytes.length).toBeLessThanOrEqual(1_000_000)
    expect(lines.startsWith(found?.bytes.toString() ?? 'nothing')).toBe(true)
    expect(zip.start(path, 10_000_000)?.isWhole).toBe(true)
  }
  expect(zip.start('c', 1)).toBeUndefined()
})
