// Reads the XML of one sheet as a stream, up to a number of cells.
import type { SheetBody, SheetCell } from '@cloudoc/contract'
import { fromPoints } from '@cloudoc/office/package'
import type { Content } from '@cloudoc/office/workbook'
import { type CellFormat, cellContent, isOn } from '@cloudoc/office/workbook'
import { Refused } from '../refusal.ts'
import { EnoughSeen, scanXml, type XmlListener } from './xml.ts'

const mostColumns = 16_384
const mostRows = 1_048_576
/** Maximum number of elements that are read of a sheet; sheets of empty cells with a format have many. */
const mostElements = 2_500_000
const mostMerges = 20_000

/** Column width in digits, converted to pixels. */
const widthOf = (digits: number): number => Math.round(digits * 7 + 5)

/** What the cells of a sheet refer to. */
export interface SheetContext {
  readonly strings: readonly string[]
  readonly looks: readonly CellFormat[]
  readonly since1904: boolean
}

/** A cell that is filled in later: its formula has no stored result, or it has a picture. */
export interface OpenCell {
  readonly row: number
  readonly column: number
  /** Sets the text of the cell. */
  readonly fill: (text: string) => void
}

export interface ReadSheet {
  readonly rows: [number, SheetCell[]][]
  readonly widths: Record<number, number>
  readonly heights: Record<number, number>
  readonly merges: SheetBody['merges']
  readonly cells: number
  /** The extent that has cells. */
  readonly lastRow: number
  readonly lastColumn: number
  readonly frozen: readonly [number, number]
  readonly cut: boolean
  /** Cells whose formula nobody has computed. */
  readonly uncomputed: readonly OpenCell[]
  /** Cells that name a picture: by the name in WPS, or by the number of a rich value in Excel. */
  readonly pictured: readonly (OpenCell & { readonly name?: string; readonly richValue?: number })[]
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

const rowOf = (reference: string): number => Number(/\d+$/.exec(reference)?.[0] ?? 0) - 1

/** Reads a sheet, up to `most` cells. If `isWhole` is false, the bytes are only the start of it. */
export function readSheetXml(bytes: Buffer, isWhole: boolean, context: SheetContext, most: number): ReadSheet {
  const reading = new SheetReading(context, most)
  let isDone = false
  try {
    isDone = scanXml(bytes, reading.listener())
  } catch (error) {
    // A sheet of which only the start was unpacked ends amid its XML.
    if (isWhole || !(error instanceof Refused)) throw error
  }
  if (!isDone && isWhole) readBehindCells(bytes, reading)
  if (!isWhole) reading.cut = true
  return reading
}

/** After the cells that are shown, the sheet says what applies to them: merged cells. */
function readBehindCells(bytes: Buffer, reading: SheetReading): void {
  const end = bytes.lastIndexOf('sheetData>')
  const open = bytes.subarray(0, 4096).toString('latin1')
  const root = /<((?:\w+:)?worksheet)[\s>]/.exec(open)?.[1]
  if (end < 0 || root === undefined) return
  scanXml(Buffer.concat([Buffer.from(`<${root}>`), bytes.subarray(end + 'sheetData>'.length)]), reading.listener())
}

function textOf(content: Content, look: CellFormat | undefined): string {
  switch (content.kind) {
    case 'empty':
      return ''
    case 'boolean':
      return content.value ? 'TRUE' : 'FALSE'
    case 'number':
      return look?.format(content.value) ?? String(content.value)
    default:
      return content.value
  }
}

class SheetReading implements ReadSheet {
  readonly rows: [number, SheetCell[]][] = []
  readonly widths: Record<number, number> = {}
  readonly heights: Record<number, number> = {}
  readonly merges: [number, number, number, number][] = []
  readonly uncomputed: OpenCell[] = []
  readonly pictured: ReadSheet['pictured'][number][] = []
  frozen: [number, number] = [0, 0]
  cells = 0
  lastRow = 0
  lastColumn = 0
  cut = false
  readonly #context: SheetContext
  readonly #most: number
  readonly #shared: (index: number) => string
  #elements = 0
  #row = -1
  #column = -1
  #own: SheetCell[] = []
  #cell: Readonly<Record<string, string>> = {}
  #value: string | undefined
  #formula: string | undefined
  #reads: 'value' | 'formula' | undefined
  #phonetic = 0

  constructor(context: SheetContext, most: number) {
    this.#context = context
    this.#most = most
    this.#shared = (index) => context.strings[index] ?? ''
  }

  /** Elements of other namespaces, as in extensions, are passed over. */
  listener(): XmlListener {
    let prefix: string | undefined
    return {
      open: (name, attributes) => {
        prefix ??= name.slice(0, name.indexOf(':') + 1)
        if (name.startsWith(prefix)) this.#open(name.slice(prefix.length), attributes)
      },
      text: (text) => {
        if (this.#reads === 'value') this.#value = (this.#value ?? '') + text
        else if (this.#reads === 'formula') this.#formula = (this.#formula ?? '') + text
      },
      close: (name) => {
        if (name.startsWith(prefix ?? '')) this.#close(name.slice(prefix?.length ?? 0))
      },
    }
  }

  #open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#elements += 1
    switch (name) {
      case 'row':
        this.#openRow(attributes)
        break
      case 'c':
        this.#cell = attributes
        this.#column = attributes['r'] === undefined ? this.#column + 1 : columnOf(attributes['r'])
        if (!(this.#column >= 0 && this.#column < mostColumns))
          throw new Refused('conversionFailed', 'a column that cannot be')
        this.#value = this.#formula = undefined
        break
      case 'f':
        this.#reads = 'formula'
        this.#formula ??= ''
        break
      case 'rPh':
        this.#phonetic += 1
        break
      case 'v':
      case 't':
        if (this.#phonetic > 0) break
        this.#reads = 'value'
        this.#value ??= ''
        break
      case 'col': {
        const [from, to] = [Number(attributes['min']) - 1, Math.min(Number(attributes['max']), 1000)]
        const width = isOn(attributes['hidden']) ? 0 : widthOf(Number(attributes['width']))
        if (Number.isFinite(width)) for (let n = from; n < to; n += 1) this.widths[n] = Math.min(width, 1000)
        break
      }
      case 'pane':
        if (attributes['state']?.startsWith('frozen') === true) {
          this.frozen = [
            Math.min(50, Number(attributes['ySplit'] ?? 0)),
            Math.min(20, Number(attributes['xSplit'] ?? 0)),
          ]
        }
        break
      case 'mergeCell': {
        const [from = '', to = from] = (attributes['ref'] ?? '').split(':')
        if (rowOf(from) >= 0 && this.merges.length < mostMerges)
          this.merges.push([rowOf(from), columnOf(from), rowOf(to), columnOf(to)])
        break
      }
      default:
    }
  }

  #openRow(attributes: Readonly<Record<string, string>>): void {
    this.#row = attributes['r'] === undefined ? this.#row + 1 : Number(attributes['r']) - 1
    if (!(this.#row >= 0 && this.#row < mostRows)) throw new Refused('conversionFailed', 'a row that cannot be')
    if (this.cells >= this.#most || this.#elements > mostElements) {
      this.cut = true
      throw new EnoughSeen()
    }
    this.#column = -1
    this.#own = []
    const height = Number(attributes['ht'])
    if (isOn(attributes['hidden'])) this.heights[this.#row] = 0
    else if (height > 0 && height < 500) this.heights[this.#row] = fromPoints(height)
  }

  #close(name: string): void {
    if (name === 'v' || name === 't' || name === 'f') this.#reads = undefined
    else if (name === 'rPh') this.#phonetic -= 1
    else if (name === 'c') this.#closeCell()
    else if (name === 'row' && this.#own.length > 0) this.rows.push([this.#row, this.#own])
  }

  #closeCell(): void {
    const look = this.#context.looks[Number(this.#cell['s'] ?? 0)]
    const type = this.#cell['t'] ?? 'n'
    const content = cellContent(type, this.#value, this.#shared, this.#context.since1904)
    const isUncomputed = this.#formula !== undefined && (this.#value === undefined || this.#value === '')
    if (content.kind === 'empty' && !isUncomputed && look?.filled !== true) return
    if (this.cells >= this.#most) {
      this.cut = true
      return
    }
    const isNumber = content.kind === 'number'
    const text = textOf(content, look)
    if (text === '' && !isUncomputed && look?.filled !== true) return
    this.cells += 1
    // Numbers are right-aligned by default.
    const style = (type === 'n' || isNumber ? look?.numberStyle : look?.style) ?? 0
    const kind = (look?.code ?? 'General') === 'General' ? 'general' : 'formatted'
    const own = this.#own
    const at = own.push(isNumber ? [this.#column, text, style, kind] : [this.#column, text, style]) - 1
    this.lastRow = Math.max(this.lastRow, this.#row + 1)
    this.lastColumn = Math.max(this.lastColumn, this.#column + 1)
    const [row, column] = [this.#row, this.#column]
    const open: OpenCell = { row, column, fill: (filled) => void (own[at] = [column, filled, style]) }
    const name = /DISPIMG\(\s*"([^"]+)"/.exec(this.#formula ?? text)?.[1]
    const richValue = Number(this.#cell['vm'])
    if (name !== undefined) this.pictured.push({ ...open, name })
    else if (richValue > 0) this.pictured.push({ ...open, richValue })
    else if (isUncomputed) this.uncomputed.push(open)
  }
}
