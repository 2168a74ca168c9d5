// Excel workbooks. Loaded only in the worker: the readers are large, and the input is untrusted.
import { maxImportRows } from '@cloudoc/contract'
import { escape } from '@cloudoc/office/package'
import { openWorkbook, refOf, type Workbook } from '@cloudoc/office/workbook'
import { strToU8, zipSync } from 'fflate'
import { mostUnfolded, SheetError } from './sheet.ts'

/** Columns beyond this are not read: a table of people has nine. */
const mostColumns = 200

/** The total uncompressed size of an archive, as declared in its central directory. */
function unfoldedOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let sum = 0
  for (let at = 0; at + 46 < bytes.length; at += 1) {
    // A record of the central directory: signature PK\1\2, uncompressed size at offset 24.
    if (view.getUint32(at, true) !== 0x02014b50) continue
    sum += view.getUint32(at + 24, true)
    at += 45
  }
  return sum
}

/** The text of a cell: dates by year, month and day, formulas by the result that the file has. */
function textOf(book: Workbook, part: string, row: number, column: number): string {
  const content = book.content(part, row, column)
  if (content.kind === 'empty') return ''
  if (content.kind !== 'number') return String(content.value)
  const typed = book.typed(part, row, column)
  const written = typed.startsWith('=') ? book.shown(part, row, column).text : typed
  const date = /^(\d{4})\/(\d{1,2})\/(\d{1,2})\b/.exec(written)
  if (date === null) return written
  const [, year = '', month = '', day = ''] = date
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

export function readWorkbook(bytes: Uint8Array<ArrayBuffer>): string[][] {
  if (unfoldedOf(bytes) > mostUnfolded) throw new SheetError('tooLarge')
  const book = opened(bytes)
  const used = ({ part }: { readonly part: string }) => book.extent(part)
  const sheet = book.sheets.find((one) => one.hasCells && used(one).rows > 0)
  if (sheet === undefined) throw new SheetError('empty')
  const { rows, columns } = used(sheet)
  if (rows > maxImportRows + 20) throw new SheetError('tooMany')
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: Math.min(columns, mostColumns) }, (__, column) => textOf(book, sheet.part, row, column)),
  )
}

function opened(bytes: Uint8Array): Workbook {
  try {
    return openWorkbook(bytes)
  } catch {
    throw new SheetError('noSheet')
  }
}

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const spreadsheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const mime = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

// Cells are text (format 49), so that an account 0012 does not become the number 12. The heading is bold.
const styles = `${head}<styleSheet xmlns="${spreadsheet}"><fonts count="2"><font><sz val="11"/></font><font><b/><sz val="11"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>`

function sheetXml(table: readonly (readonly string[])[], width: number, hasHeading: boolean): string {
  const columns = Math.max(1, ...table.map((line) => line.length))
  const frozen =
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
  const rows = table.map((line, row) => {
    const style = hasHeading && row === 0 ? 2 : 1
    const cells = line.map(
      (text, column) =>
        `<c r="${refOf(row, column)}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escape(text)}</t></is></c>`,
    )
    return `<row r="${row + 1}">${cells.join('')}</row>`
  })
  const cols = `<cols><col min="1" max="${columns}" width="${width}" style="1" customWidth="1"/></cols>`
  return `${head}<worksheet xmlns="${spreadsheet}">${hasHeading ? frozen : ''}${cols}<sheetData>${rows.join('')}</sheetData></worksheet>`
}

/** Writes a table with a heading, and a second sheet with notes if there are any. */
export function writeWorkbook(
  table: readonly (readonly string[])[],
  more: { readonly sheet: string; readonly notes?: { readonly sheet: string; readonly lines: readonly string[] } },
): Uint8Array<ArrayBuffer> {
  const sheets = [{ name: more.sheet, xml: sheetXml(table, 18, true) }]
  if (more.notes !== undefined) {
    const lines = more.notes.lines.map((line) => [line])
    sheets.push({ name: more.notes.sheet, xml: sheetXml(lines, 90, false) })
  }
  const of = (each: (name: string, n: number) => string): string =>
    sheets.map(({ name }, n) => each(name, n + 1)).join('')
  const files = {
    '[Content_Types].xml': `${head}<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${mime}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${mime}.styles+xml"/>${of((_, n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${mime}.worksheet+xml"/>`)}</Types>`,
    '_rels/.rels': `${head}<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${head}<workbook xmlns="${spreadsheet}" xmlns:r="${relations}"><sheets>${of((name, n) => `<sheet name="${escape(name)}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${packaged}/relationships">${of((_, n) => `<Relationship Id="rId${n}" Type="${relations}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}<Relationship Id="rId${sheets.length + 1}" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': styles,
    ...Object.fromEntries(sheets.map(({ xml }, n) => [`xl/worksheets/sheet${n + 1}.xml`, xml])),
  }
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(xml)])))
}
