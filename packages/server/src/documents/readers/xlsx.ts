// Reader of workbooks: the values of cells as formatted, sheet by sheet, up to a number of cells.
import type { SheetBody, SheetCell, Sheets } from '@cloudoc/contract'
import { type CellFormat, drawChart, readChart, readWorkbookStyles, themeColors } from '@cloudoc/domain/office'
import { format } from 'numfmt'
import { Refused } from '../refusal.ts'
import { fromEmu, fromPoints, mainFile, type OfficePackage, openPackage } from './package.ts'
import type { Reader } from './reader.ts'
import { at, child, children, descendants, numberAt, scanXml, textOf } from './xml.ts'

/** Column width in digits, converted to pixels. */
const widthOf = (digits: number): number => Math.round(digits * 7 + 5)
const mostColumns = 16_384
const mostRows = 1_048_576
const [usualColumn, usualRow] = [72, 20]
const [largestChart, mostCharts] = [2000, 200]

const writeNumber = (code: string, value: number): string => format(code, value, { locale: 'zh-CN', throws: true })

export const readXlsx: Reader = ({ bytes, parts, mostCells, progress }): Sheets => {
  const office = openPackage(bytes, parts)
  const { path, root } = mainFile(office, 'xl/workbook.xml')
  const relations = office.relations(path)
  const beside = (type: string): string | undefined => [...relations.values()].find((one) => one.type === type)?.target
  const strings = sharedStrings(office, beside('sharedStrings'))
  const stylesFile = beside('styles')
  const themeFile = beside('theme')
  const since1904 = ['1', 'true'].includes(child(root, 'workbookPr')?.attributes['date1904'] ?? '')
  const themeRoot = themeFile === undefined ? undefined : office.xml(themeFile)
  const theme = themeColors(themeRoot)
  const looks = readWorkbookStyles(stylesFile && office.xml(stylesFile), themeRoot, since1904, writeNumber)
  let left = mostCells
  let cut = false
  const named = children(child(root, 'sheets'), 'sheet').filter(
    ({ attributes }) => (attributes['state'] ?? 'visible') === 'visible',
  )
  const sheets = named.flatMap(({ attributes }, n): Sheets['sheets'][number][] => {
    const file = relations.get(attributes['r:id'] ?? '')
    const found = file === undefined || file.type !== 'worksheet' ? undefined : office.zip.bytes(file.target)
    if (file === undefined || found === undefined) return []
    const sheet = readSheet(found, strings, looks.cells, left)
    left -= sheet.cells
    cut ||= sheet.cut
    progress((n + 1) / named.length)
    const lying = lyingOn(office, file.target, theme)
    const body: SheetBody = { ...sheet.body, ...lying }
    return [
      {
        name: attributes['name'] ?? `Sheet${n + 1}`,
        part: parts.json(body),
        rows: sheet.rows,
        columns: sheet.columns,
        frozen: sheet.frozen,
      },
    ]
  })
  if (sheets.length === 0) throw new Refused('conversionFailed', 'no sheet in it')
  return { kind: 'sheets', sheets, styles: looks.styles, cut }
}

function sharedStrings(office: OfficePackage, file: string | undefined): string[] {
  const found = file === undefined ? undefined : office.zip.bytes(file)
  if (found === undefined) return []
  const strings: string[] = []
  let text = ''
  let inText = false
  let phonetic = 0
  scanXml(found, {
    open(name) {
      if (name === 'si') text = ''
      else if (name === 'rPh') phonetic += 1
      else if (name === 't') inText = phonetic === 0
    },
    text(more) {
      if (inText) text += more
    },
    close(name) {
      if (name === 'si') strings.push(text)
      else if (name === 'rPh') phonetic -= 1
      else if (name === 't') inText = false
    },
  })
  return strings
}

interface ReadSheet {
  readonly body: Omit<SheetBody, 'images'>
  readonly cells: number
  readonly rows: number
  readonly columns: number
  readonly frozen: readonly [number, number]
  readonly cut: boolean
}

/** The column of a reference such as `B7`, from 0. */
export function columnOf(reference: string): number {
  let column = 0
  for (const char of reference) {
    const letter = char.charCodeAt(0) - 64
    if (letter < 1 || letter > 26) break
    column = column * 26 + letter
  }
  return column - 1
}

function readSheet(bytes: Buffer, strings: readonly string[], looks: readonly CellFormat[], most: number): ReadSheet {
  const rows: [number, SheetCell[]][] = []
  const widths: Record<number, number> = {}
  const heights: Record<number, number> = {}
  const merges: [number, number, number, number][] = []
  let frozen: [number, number] = [0, 0]
  let [row, column, lastRow, lastColumn, count] = [-1, -1, 0, 0, 0]
  let cells: SheetCell[] = []
  let cell: Readonly<Record<string, string>> = {}
  let value: string | undefined
  let inValue = false
  let cut = false
  scanXml(bytes, {
    open(name, attributes) {
      switch (name) {
        case 'row': {
          row = attributes['r'] === undefined ? row + 1 : Number(attributes['r']) - 1
          if (!(row >= 0 && row < mostRows)) throw new Refused('conversionFailed', 'a row that cannot be')
          column = -1
          cells = []
          const height = Number(attributes['ht'])
          if (attributes['hidden'] === '1') heights[row] = 0
          else if (height > 0 && height < 500) heights[row] = fromPoints(height)
          break
        }
        case 'c':
          cell = attributes
          column = attributes['r'] === undefined ? column + 1 : columnOf(attributes['r'])
          if (!(column >= 0 && column < mostColumns)) throw new Refused('conversionFailed', 'a column that cannot be')
          value = undefined
          break
        case 'v':
        case 't':
          inValue = true
          value ??= ''
          break
        case 'col': {
          const [from, to] = [Number(attributes['min']) - 1, Math.min(Number(attributes['max']), 1000)]
          const width = attributes['hidden'] === '1' ? 0 : widthOf(Number(attributes['width']))
          if (Number.isFinite(width)) for (let n = from; n < to; n += 1) widths[n] = Math.min(width, 1000)
          break
        }
        case 'pane':
          if (attributes['state']?.startsWith('frozen') === true) {
            frozen = [Math.min(50, Number(attributes['ySplit'] ?? 0)), Math.min(20, Number(attributes['xSplit'] ?? 0))]
          }
          break
        case 'mergeCell': {
          const [from = '', to = from] = (attributes['ref'] ?? '').split(':')
          const rowOf = (reference: string): number => Number(/\d+$/.exec(reference)?.[0] ?? 0) - 1
          if (rowOf(from) >= 0 && merges.length < 20_000)
            merges.push([rowOf(from), columnOf(from), rowOf(to), columnOf(to)])
          break
        }
        default:
      }
    },
    text(text) {
      if (inValue) value = (value ?? '') + text
    },
    close(name) {
      if (name === 'v' || name === 't') inValue = false
      else if (name === 'c') {
        const look = looks[Number(cell['s'] ?? 0)]
        const text = value === undefined ? '' : displayText(value, cell['t'] ?? 'n', strings, look)
        if (text === '' && look?.filled !== true) return
        if (count >= most) {
          cut = true
          return
        }
        count += 1
        cells.push([column, text, styleOf(look, cell['t'] ?? 'n'), ...numberIn(value, cell['t'] ?? 'n', look)])
        lastRow = Math.max(lastRow, row + 1)
        lastColumn = Math.max(lastColumn, column + 1)
      } else if (name === 'row' && cells.length > 0) rows.push([row, cells])
    },
  })
  return { body: { rows, widths, heights, merges }, cells: count, rows: lastRow, columns: lastColumn, frozen, cut }
}

/** What a cell says of its number, if it is one. */
function numberIn(
  value: string | undefined,
  type: string,
  look: CellFormat | undefined,
): readonly [] | readonly ['general' | 'formatted'] {
  if (type !== 'n' || value === undefined || value.trim() === '' || !Number.isFinite(Number(value))) return []
  return [(look?.code ?? 'General') === 'General' ? 'general' : 'formatted']
}

/** Numbers are right-aligned by default. */
const styleOf = (look: CellFormat | undefined, type: string): number =>
  (type === 'n' ? look?.numberStyle : look?.style) ?? 0

function displayText(value: string, type: string, strings: readonly string[], look: CellFormat | undefined): string {
  switch (type) {
    case 's':
      return strings[Number(value)] ?? ''
    case 'b':
      return value === '1' ? 'TRUE' : 'FALSE'
    case 'n': {
      const number = Number(value)
      return value.trim() === '' || !Number.isFinite(number) ? value : (look?.format(number) ?? String(number))
    }
    default:
      return value
  }
}

/** Pictures and charts on a sheet, by the cell of their top left corner. */
function lyingOn(
  office: OfficePackage,
  sheet: string,
  theme: ReadonlyMap<string, string>,
): Pick<SheetBody, 'images' | 'drawings'> {
  const file = [...office.relations(sheet).values()].find(({ type }) => type === 'drawing')?.target
  const drawing = file === undefined ? undefined : office.xml(file)
  if (file === undefined || drawing === undefined) return { images: [] }
  const relations = office.relations(file)
  const images: SheetBody['images'][number][] = []
  const drawings: NonNullable<SheetBody['drawings']>[number][] = []
  for (const anchor of children(drawing)) {
    const cornerAt = (corner: string, name: string): number => Number(textOf(at(anchor, corner, name)) || 0)
    const [row, column] = [cornerAt('xdr:from', 'xdr:row'), cornerAt('xdr:from', 'xdr:col')]
    const extent = child(anchor, 'xdr:ext') ?? [...descendants(anchor, 'a:ext')].find((one) => numberAt(one, 'cx'))
    // If only the cells of the corners are given, the size is computed from default cell sizes.
    const across = (cornerAt('xdr:to', 'xdr:col') - column) * usualColumn
    const down = (cornerAt('xdr:to', 'xdr:row') - row) * usualRow
    const width = fromEmu(numberAt(extent, 'cx')) || Math.min(largestChart, across) || 320
    const height = fromEmu(numberAt(extent, 'cy')) || Math.min(largestChart, down) || 240
    for (const one of descendants(anchor, 'c:chart')) {
      const target = relations.get(one.attributes['r:id'] ?? '')?.target
      const chart = target ? readChart(office.xml(target), theme) : undefined
      if (chart !== undefined && drawings.length < mostCharts)
        drawings.push({ drawing: drawChart(chart, width, height), row, column })
    }
    const blip = [...descendants(anchor, 'a:blip')][0]
    const target = relations.get(blip?.attributes['r:embed'] ?? '')?.target
    const part = target ? office.picture(target) : undefined
    if (part !== undefined) images.push({ part, row, column, width, height })
  }
  return { images, ...(drawings.length === 0 ? {} : { drawings }) }
}
