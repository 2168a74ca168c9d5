// A small workbook with typical features, for tests.
import { strToU8, type Zippable, zipSync } from 'fflate'

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const kinds = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
/** Builds a relationships part. */
export const relations = (...all: [id: string, kind: string, target: string][]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all
    .map(([id, kind, target]) => `<Relationship Id="${id}" Type="${kinds}/${kind}" Target="${target}"/>`)
    .join('')}</Relationships>`

/** The first sheet part. */
export const sheet1 = `<?xml version="1.0" encoding="UTF-8"?>
<worksheet xmlns="${main}"><dimension ref="A1:C4"/><sheetData><row r="1" spans="1:3"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1"><v>0.25</v></c><c r="C1" s="2"><v>46352</v></c></row><row r="2"><c r="A2"><v>2</v></c><c r="B2"><f t="shared" ref="B2:B4" si="0">A2*$A$2</f><v>4</v></c></row><row r="3"><c r="A3"><v>3</v></c><c r="B3"><f t="shared" si="0"/><v>6</v></c></row><row r="4"><c r="A4"><v>4</v></c><c r="B4"><f t="shared" si="0"/><v>8</v></c></row><row r="7"><c r="A7"><f t="array" ref="A7:A8">B2:B3</f><v>4</v></c></row></sheetData><mergeCells count="1"><mergeCell ref="A5:B6"/></mergeCells><drawing r:id="rId1" xmlns:r="${kinds}"/></worksheet>`

/** The styles part. */
export const styles = `<styleSheet xmlns="${main}"><fonts><font/></fonts><cellXfs count="3"><xf numFmtId="0" fontId="0"/><xf numFmtId="9" fontId="0"/><xf numFmtId="14" fontId="0"/></cellXfs></styleSheet>`

const files: Zippable = {
  '[Content_Types].xml': strToU8(
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/calcChain.xml" ContentType="c"/><Override PartName="/xl/workbook.xml" ContentType="w"/></Types>',
  ),
  '_rels/.rels': strToU8(relations(['rId1', 'officeDocument', 'xl/workbook.xml'])),
  'xl/workbook.xml': strToU8(
    `<workbook xmlns="${main}" xmlns:r="${kinds}"><sheets><sheet name="汇总" sheetId="1" r:id="rId1"/><sheet name="藏" sheetId="2" state="hidden" r:id="rId2"/></sheets></workbook>`,
  ),
  'xl/_rels/workbook.xml.rels': strToU8(
    relations(
      ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
      ['rId2', 'worksheet', 'worksheets/sheet2.xml'],
      ['rId3', 'sharedStrings', 'sharedStrings.xml'],
      ['rId4', 'styles', 'styles.xml'],
      ['rId5', 'calcChain', '/xl/calcChain.xml'],
    ),
  ),
  'xl/sharedStrings.xml': strToU8(
    `<sst xmlns="${main}"><si><t>区域</t><rPh sb="0" eb="1"><t>quyu</t></rPh></si></sst>`,
  ),
  'xl/styles.xml': strToU8(styles),
  'xl/calcChain.xml': strToU8('<calcChain/>'),
  'xl/worksheets/sheet1.xml': strToU8(sheet1),
  'xl/worksheets/sheet2.xml': strToU8(`<worksheet xmlns="${main}"><sheetData/></worksheet>`),
  'xl/charts/chart1.xml': strToU8('<chart>whatever there is</chart>'),
  'xl/media/image1.png': [new Uint8Array([1, 2, 3, 0, 255]), { level: 0 }],
}
/** Builds the file, optionally with replaced parts. */
export const workbookFixture = (more: Zippable = {}): Uint8Array => zipSync({ ...files, ...more }, { level: 6 })
/** The name of the first sheet part. */
export const firstSheetPart = 'xl/worksheets/sheet1.xml'
