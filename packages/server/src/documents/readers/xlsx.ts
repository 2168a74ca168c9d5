// Reader of workbooks: the values of cells as formatted, sheet by sheet, up to a number of cells.
import type { SheetBody, Sheets } from '@cloudoc/contract'
import { maxEditedOfficeBytes } from '@cloudoc/domain'
import { NotEditable, themeColors } from '@cloudoc/office/package'
import { formatNumber, isOn, openWorkbook, readWorkbookStyles, storedText } from '@cloudoc/office/workbook'
import { Refused } from '../refusal.ts'
import { reportHiddenOfBook } from './hidden-sheets.ts'
import { mainFile, type OfficePackage, openPackage } from './package.ts'
import type { Reader } from './reader.ts'
import { cellPicturesOf, lyingOn, picturesInCells } from './xlsx-pictures.ts'
import { type ReadSheet, readSheetXml } from './xlsx-sheet.ts'
import { child, children, scanXml, withoutPrefix } from './xml.ts'

/** Maximum bytes of one sheet that are unpacked; of a larger one the first cells are shown. */
const mostSheetBytes = 96 * 1024 * 1024

export const readXlsx: Reader = ({ bytes, parts, mostCells, progress, hidden }): Sheets => {
  const office = openPackage(bytes, parts)
  const { path, root: written } = mainFile(office, 'xl/workbook.xml')
  const root = withoutPrefix(written)
  const relations = office.relations(path)
  const beside = (type: string): string | undefined => [...relations.values()].find((one) => one.type === type)?.target
  const stylesFile = beside('styles')
  const stylesRoot = stylesFile === undefined ? undefined : office.xml(stylesFile)
  const themeFile = beside('theme')
  const since1904 = isOn(child(root, 'workbookPr')?.attributes['date1904'])
  const themeRoot = themeFile === undefined ? undefined : office.xml(themeFile)
  const theme = themeColors(themeRoot)
  const looks = readWorkbookStyles(stylesRoot && withoutPrefix(stylesRoot), themeRoot, since1904, formatNumber)
  const context = { strings: sharedStrings(office, beside('sharedStrings')), looks: looks.cells, since1904 }
  const pictures = cellPicturesOf(office, beside)
  const named = children(child(root, 'sheets'), 'sheet').filter(
    (sheet) => hidden !== undefined || isVisible(sheet.attributes),
  )
  let left = mostCells
  const read = named.flatMap(({ attributes }, n) => {
    const id = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''
    const file = relations.get(id)
    const found = file?.type === 'worksheet' ? office.zip.start(file.target, mostSheetBytes) : undefined
    if (file === undefined || found === undefined) return []
    const sheet = readSheetXml(found.bytes, found.isWhole, context, left)
    if (!found.isWhole && sheet.cells === 0) throw new Refused('conversionFailed', 'a very large sheet without cells')
    left -= sheet.cells
    progress((n + 1) / named.length)
    const name = attributes['name'] ?? `Sheet${n + 1}`
    return [{ name, file: file.target, sheet, isShown: isVisible(attributes) }]
  })
  if (read.length === 0) throw new Refused('conversionFailed', 'no sheet in it')
  computeResults(bytes, read)
  if (hidden !== undefined) reportHiddenOfBook(office, hidden, read)
  const shown = read.filter(({ isShown }) => isShown)
  const sheets = shown.map(({ name, file, sheet }): Sheets['sheets'][number] => {
    const { rows, widths, heights, merges } = sheet
    const lying = lyingOn(office, file, theme)
    const images = [...lying.images, ...picturesInCells(office, sheet, pictures)]
    const body: SheetBody = { rows, widths, heights, merges, ...lying, images }
    const { lastRow, lastColumn, frozen } = sheet
    return { name, part: parts.json(body), rows: lastRow, columns: lastColumn, frozen }
  })
  return { kind: 'sheets', sheets, styles: looks.styles, cut: read.some(({ sheet }) => sheet.cut) }
}

const isVisible = ({ state = 'visible' }: Readonly<Record<string, string>>): boolean => state === 'visible'

/**
 * Computes the formulas that nobody has computed, as programs write them that only write files. What cannot be computed
 * is shown as its formula.
 */
function computeResults(bytes: Buffer, sheets: readonly { readonly file: string; readonly sheet: ReadSheet }[]): void {
  if (sheets.every(({ sheet }) => sheet.uncomputed.length === 0) || bytes.length > maxEditedOfficeBytes) return
  try {
    const book = openWorkbook(bytes)
    book.computeAnew()
    for (const { file, sheet } of sheets) {
      for (const { row, column, fill } of sheet.uncomputed) fill(book.shown(file, row, column).text)
    }
  } catch (error) {
    // A workbook that the editor refuses is shown as it is.
    if (!(error instanceof NotEditable)) throw error
  }
}

function sharedStrings(office: OfficePackage, file: string | undefined): string[] {
  const found = file === undefined ? undefined : office.zip.bytes(file)
  if (found === undefined) return []
  const strings: string[] = []
  let text = ''
  let inText = false
  let phonetic = 0
  const plain = (name: string): string => name.slice(name.indexOf(':') + 1)
  scanXml(found, {
    open(full) {
      const name = plain(full)
      if (name === 'si') text = ''
      else if (name === 'rPh') phonetic += 1
      else if (name === 't') inText = phonetic === 0
    },
    text(more) {
      if (inText) text += more
    },
    close(full) {
      const name = plain(full)
      if (name === 'si') strings.push(storedText(text))
      else if (name === 'rPh') phonetic -= 1
      else if (name === 't') inText = false
    },
  })
  return strings
}
