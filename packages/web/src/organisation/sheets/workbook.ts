// Excel workbooks. Loaded only in the worker: the library is large, and the input is untrusted.
import { maxImportRows } from '@cloudoc/contract'
import type ExcelJS from 'exceljs'
import { mostUnfolded, SheetError } from './sheet.ts'

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

function textOf(value: ExcelJS.CellValue): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString().slice(0, 10)
  if (typeof value !== 'object') return String(value)
  if ('richText' in value) return value.richText.map(({ text }) => text).join('')
  // The result of a formula when the file was saved; formulas are not evaluated.
  if ('result' in value) return textOf(value.result)
  if ('text' in value) return textOf(value.text)
  return ''
}

type Library = typeof ExcelJS
const load = async (): Promise<Library> => {
  const module = (await import('exceljs')) as unknown as { default?: Library } & Library
  return module.default ?? module
}

export async function readWorkbook(bytes: Uint8Array<ArrayBuffer>): Promise<string[][]> {
  if (unfoldedOf(bytes) > mostUnfolded) throw new SheetError('tooLarge')
  const { Workbook } = await load()
  const book = new Workbook()
  try {
    await book.xlsx.load(bytes.buffer)
  } catch {
    throw new SheetError('noSheet')
  }
  const sheet = book.worksheets.find(({ state, rowCount }) => state === 'visible' && rowCount > 0)
  if (sheet === undefined) throw new SheetError('empty')
  if (sheet.actualRowCount > maxImportRows + 20) throw new SheetError('tooMany')
  const table: string[][] = []
  sheet.eachRow({ includeEmpty: true }, (row, number) => {
    const line: string[] = []
    row.eachCell({ includeEmpty: true }, (cell, column) => {
      line[column - 1] = textOf(cell.value)
    })
    table[number - 1] = Array.from(line, (cell) => cell ?? '')
  })
  return Array.from(table, (line) => line ?? [])
}

export async function writeWorkbook(
  table: readonly (readonly string[])[],
  more: { readonly sheet: string; readonly notes?: { readonly sheet: string; readonly lines: readonly string[] } },
): Promise<Uint8Array<ArrayBuffer>> {
  const { Workbook } = await load()
  const book = new Workbook()
  const sheet = book.addWorksheet(more.sheet, { views: [{ state: 'frozen', ySplit: 1 }] })
  for (const line of table) sheet.addRow([...line])
  sheet.getRow(1).font = { bold: true }
  for (const [n] of (table[0] ?? []).entries()) {
    const column = sheet.getColumn(n + 1)
    column.width = 18
    // Cells are text, so that an account 0012 does not become the number 12.
    column.numFmt = '@'
  }
  if (more.notes !== undefined) {
    const notes = book.addWorksheet(more.notes.sheet)
    for (const line of more.notes.lines) notes.addRow([line])
    notes.getColumn(1).width = 90
  }
  return new Uint8Array(await book.xlsx.writeBuffer())
}
