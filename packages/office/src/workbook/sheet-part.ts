// The part of one sheet: its cells with their source offsets, and rewriting it with changed cells.

import {
  attributeOf,
  escape,
  NotEditable,
  prefixOf,
  type Splice,
  scan,
  spliced,
  textIn,
  withAttribute,
} from '../package/index.ts'
import type { CellFormatting } from './cell-formatting.ts'
import type { StyleRequest } from './cell-styles.ts'
import {
  type Area,
  areaOf,
  type Content,
  isIn,
  maxColumns,
  maxRows,
  parseRef,
  refOf,
  relocatedFormula,
} from './cells.ts'
import { type Filter, readFilter } from './filter.ts'

/** The maximum number of cells of a sheet for editing in the web editor. */
const mostCells = 500_000

/** A cell with its source offsets in the part. */
export interface StoredCell {
  readonly from: number
  readonly to: number
  readonly style: number
  readonly type: string
  readonly value: string | undefined
  /** The formula of the cell; empty if it shares a formula that is defined in another cell. */
  readonly formula?: string
  readonly shared?: string
  /** The source range of the formula. */
  readonly formulaAt?: readonly [from: number, to: number]
}

interface StoredRow {
  readonly from: number
  /** The end of the opening tag, and the start of the closing tag. */
  readonly inner: number
  readonly outer: number
  readonly to: number
  readonly style: number
  readonly columns: number[]
}

/** A change to a cell. */
export interface CellWrite {
  readonly content: Content
  readonly formula?: string
  /** The style number that replaces the style of the cell. */
  readonly base?: number
  /** The number of the built-in number format to apply. */
  readonly format?: number
  /** The formatting changes of the cell. */
  readonly look?: CellFormatting
  /** The formula does not change, only its result. */
  readonly keeps?: true
  /** The content does not change, only the formatting. */
  readonly stays?: true
}

export const keyOf = (row: number, column: number): number => row * maxColumns + column
export const rowOf = (key: number): number => Math.floor(key / maxColumns)
export const columnOf = (key: number): number => key % maxColumns

export interface SheetPart {
  readonly cells: ReadonlyMap<number, StoredCell>
  /** Row heights and column widths in pixels, if not the default. */
  readonly heights: ReadonlyMap<number, number>
  readonly widths: ReadonlyMap<number, number>
  readonly merges: readonly Area[]
  readonly frozen: { readonly rows: number; readonly columns: number }
  /** The areas of array formulas. */
  readonly arrays: readonly Area[]
  readonly isProtected: boolean
  readonly filter: Filter | undefined
  readonly hasFormulas: boolean
  readonly rows: number
  readonly columns: number
  /** The formula of a cell, also if it is shared. */
  formulaOf(key: number): string | undefined
  /** Whether the cell that defines the shared formula of this cell is among the changes. */
  losesShared(key: number, changes: ReadonlyMap<number, CellWrite>): boolean
  /** The style of a cell; for a new cell, the style that it would get. */
  styleOf(key: number): number
  /** Returns the part with changed cells; `styleWith` returns the style number for a cell with formatting changes. */
  written(cells: ReadonlyMap<number, CellWrite>, styleWith: (style: number, takes: StyleRequest) => number): string
}

/** A sheet part as it was read, with the source offsets that writing needs. */
type ScannedSheet = ReturnType<typeof scanSheet>

function scanSheet(xml: string) {
  const prefix = prefixOf(xml, 'worksheet')
  const cells = new Map<number, StoredCell>()
  const rows = new Map<number, StoredRow>()
  const heights = new Map<number, number>()
  const widths = new Map<number, number>()
  const columnStyles = new Map<number, number>()
  const merges: Area[] = []
  const arrays: Area[] = []
  const masters = new Map<string, number>()
  let frozen = { rows: 0, columns: 0 }
  let isProtected = false
  let filterAt: readonly [from: number, inner: number] | undefined
  let filter: Filter | undefined
  let dimension: readonly [number, number] | undefined
  let data: { from: number; inner: number; outer: number; to: number } | undefined
  let [row, column, lastRow, lastColumn] = [-1, -1, 0, 0]
  type Open<T> = { -readonly [K in keyof T]: T[K] }
  let openRow: Open<StoredRow> | undefined
  let cell: (Open<StoredCell> & { key: number }) | undefined
  let textFrom = -1
  let phonetic = 0
  const number = (tag: string, name: string): number => Number(attributeOf(tag, name) ?? Number.NaN)
  const is = (tag: string, name: string): boolean => ['1', 'true'].includes(attributeOf(tag, name) ?? '')

  const openCell = (tag: string, from: number): void => {
    const ref = attributeOf(tag, 'r')
    column = ref === undefined ? column + 1 : (parseRef(ref)?.column ?? Number.NaN)
    if (!(column >= 0 && column < maxColumns)) throw new NotEditable('broken', 'a cell that cannot be')
    if (cells.size >= mostCells) throw new NotEditable('tooLarge', 'too many cells')
    const style = Number(attributeOf(tag, 's') ?? 0)
    cell = { key: keyOf(row, column), from, to: from, style, type: attributeOf(tag, 't') ?? 'n', value: undefined }
  }
  const closeCell = (to: number): void => {
    if (cell === undefined) return
    cell.to = to
    cells.set(cell.key, cell)
    openRow?.columns.push(column)
    if (cell.value !== undefined || cell.formula !== undefined) {
      lastRow = Math.max(lastRow, row + 1)
      lastColumn = Math.max(lastColumn, column + 1)
    }
    cell = undefined
  }
  const openFormula = (tag: string): void => {
    if (cell === undefined) return
    const kind = attributeOf(tag, 't')
    cell.formula = ''
    const ref = attributeOf(tag, 'ref')
    const area = ref === undefined ? undefined : areaOf(ref)
    if (kind === 'shared') cell.shared = attributeOf(tag, 'si') ?? ''
    if (kind === 'array' || kind === 'dataTable') {
      arrays.push(area ?? { top: row, bottom: row, left: column, right: column })
    }
  }
  const openAny = (name: string, tag: string): void => {
    if (name === 'col') {
      const [from, to] = [number(tag, 'min') - 1, Math.min(number(tag, 'max'), 1000)]
      const width = is(tag, 'hidden') ? 0 : Math.round(number(tag, 'width') * 7 + 5)
      for (let n = from; n < to; n++) {
        if (Number.isFinite(width)) widths.set(n, Math.min(width, 1000))
        columnStyles.set(n, Number(attributeOf(tag, 'style') ?? 0))
      }
    } else if (name === 'pane' && attributeOf(tag, 'state')?.startsWith('frozen') === true) {
      frozen = { rows: Math.min(50, number(tag, 'ySplit') || 0), columns: Math.min(20, number(tag, 'xSplit') || 0) }
    } else if (name === 'mergeCell') {
      const area = areaOf(attributeOf(tag, 'ref') ?? '')
      if (area !== undefined) merges.push(area)
    } else if (name === 'sheetProtection') isProtected = is(tag, 'sheet')
  }

  scan(xml, ({ name: full, kind, from, to }) => {
    if (!full.startsWith(prefix)) return
    const name = full.slice(prefix.length)
    if (kind !== 'close') {
      const tag = xml.slice(from, to)
      if (name === 'c') openCell(tag, from)
      else if (name === 'row') {
        const at = attributeOf(tag, 'r')
        row = at === undefined ? row + 1 : Number(at) - 1
        if (!(row >= 0 && row < maxRows)) throw new NotEditable('broken', 'a row that cannot be')
        column = -1
        const style = is(tag, 'customFormat') ? Number(attributeOf(tag, 's') ?? 0) : 0
        openRow = { from, inner: to, outer: to, to, style, columns: [] }
        rows.set(row, openRow)
        const height = number(tag, 'ht')
        if (is(tag, 'hidden')) heights.set(row, 0)
        else if (height > 0 && height < 500) heights.set(row, Math.round((height * 96) / 72))
      } else if (name === 'f') openFormula(tag)
      else if (name === 'sheetData') data = { from, inner: to, outer: to, to }
      else if (name === 'dimension') dimension = [from, to]
      else if (name === 'autoFilter') filterAt = [from, to]
      else if (cell === undefined) openAny(name, tag)
      if (name === 'rPh' && kind === 'open') phonetic++
      if (name === 'f' || name === 'v' || name === 't') textFrom = to
      if (name === 'f' && cell !== undefined) cell.formulaAt = [from, to]
      if (kind === 'open') return
    }
    if (name === 'c') closeCell(to)
    else if (name === 'rPh') phonetic -= kind === 'close' ? 1 : 0
    else if (name === 'row' && openRow !== undefined && kind === 'close') [openRow.outer, openRow.to] = [from, to]
    else if (name === 'autoFilter' && filterAt !== undefined) filter = readFilter(xml.slice(filterAt[0], to), prefix)
    else if (name === 'sheetData' && data !== undefined && kind === 'close') [data.outer, data.to] = [from, to]
    else if (cell !== undefined && (name === 'f' || name === 'v' || name === 't')) {
      const text = kind === 'alone' ? '' : textIn(xml.slice(textFrom, from))
      if (name === 'f') {
        cell.formula = text
        cell.formulaAt = [cell.formulaAt?.[0] ?? from, to]
        if (cell.shared !== undefined && text !== '') masters.set(cell.shared, cell.key)
      } else if (phonetic === 0) cell.value = (cell.value ?? '') + text
    }
  })
  if (data === undefined) throw new NotEditable('broken', 'no cells')
  return {
    xml,
    prefix,
    cells,
    rows,
    heights,
    widths,
    columnStyles,
    merges,
    arrays,
    masters,
    frozen,
    isProtected,
    filter,
    dimension,
    data,
    lastRow,
    lastColumn,
  }
}

/** Reads a sheet part. */
export function readSheet(xml: string): SheetPart {
  const scanned = scanSheet(xml)
  const { cells, rows, columnStyles, masters, heights, widths, merges, frozen, arrays, isProtected, filter } = scanned
  const formulaOf = (key: number): string | undefined => {
    const found = cells.get(key)
    if (found?.shared === undefined || found.formula !== '') return found?.formula
    const master = masters.get(found.shared)
    const formula = master === undefined ? undefined : cells.get(master)?.formula
    if (master === undefined || formula === undefined) return undefined
    return relocatedFormula(formula, rowOf(key) - rowOf(master), columnOf(key) - columnOf(master))
  }
  const styleOf = (key: number): number =>
    cells.get(key)?.style ?? (rows.get(rowOf(key))?.style || columnStyles.get(columnOf(key)) || 0)

  return {
    cells,
    heights,
    widths,
    merges,
    frozen,
    arrays,
    isProtected,
    filter,
    hasFormulas: [...cells.values()].some(({ formula }) => formula !== undefined),
    rows: scanned.lastRow,
    columns: scanned.lastColumn,
    formulaOf,
    styleOf,
    losesShared(key, changes) {
      const shared = cells.get(key)?.shared
      const master = shared === undefined ? undefined : masters.get(shared)
      return master !== undefined && master !== key && changes.has(master) && changes.get(master)?.keeps !== true
    },
    written(changes, styleWith) {
      const splices: Splice[] = []
      writeCells(scanned, splices, changes, (key, made) =>
        changesFormatting(made) ? styleWith(styleOf(key), made) : styleOf(key),
      )
      expandShared(scanned, splices, changes, formulaOf)
      widenDimension(scanned, splices, [...changes.keys()])
      return spliced(xml, splices)
    },
  }
}

/** Replaces and inserts changed cells. */
function writeCells(
  scanned: ScannedSheet,
  splices: Splice[],
  changes: ReadonlyMap<number, CellWrite>,
  styleFor: (key: number, made: CellWrite) => number,
): void {
  const { xml, prefix, cells, rows } = scanned
  const inserted = new Map<number, string[]>()
  for (const key of [...changes.keys()].sort((a, b) => a - b)) {
    const made = changes.get(key)
    if (made === undefined) continue
    const style = styleFor(key, made)
    const before = cells.get(key)
    const element =
      before !== undefined && (made.stays === true || (made.keeps === true && before.formulaAt !== undefined))
        ? restyled(
            made.stays === true || before.formulaAt === undefined
              ? xml.slice(before.from, before.to)
              : recomputed(prefix, xml.slice(before.from, before.to), xml.slice(...before.formulaAt), made.content),
            style,
          )
        : cellElement(prefix, refOf(rowOf(key), columnOf(key)), style, made)
    if (before !== undefined) splices.push({ from: before.from, to: before.to, by: element })
    else if (element !== '') {
      const beside = rows.get(rowOf(key))
      const next = beside?.columns.find((one) => one > columnOf(key))
      const nextCell = next === undefined ? undefined : cells.get(keyOf(rowOf(key), next))
      if (nextCell !== undefined) splices.push({ from: nextCell.from, to: nextCell.from, by: element })
      else {
        const list = inserted.get(rowOf(key))
        if (list === undefined) inserted.set(rowOf(key), [element])
        else list.push(element)
      }
    }
  }
  appendCells(scanned, splices, inserted)
}

/** Appends cells to their rows, and inserts missing rows in order. */
function appendCells(
  { xml, prefix, rows, data: place }: ScannedSheet,
  splices: Splice[],
  inserted: ReadonlyMap<number, string[]>,
): void {
  const known = [...rows.keys()].sort((a, b) => a - b)
  let fresh = ''
  for (const [at, elements] of inserted) {
    const beside = rows.get(at)
    const body = elements.join('')
    if (beside === undefined) {
      const made = `<${prefix}row r="${at + 1}">${body}</${prefix}row>`
      const next = known.find((one) => one > at)
      const before = next === undefined ? undefined : rows.get(next)
      if (before === undefined) fresh += made
      else splices.push({ from: before.from, to: before.from, by: made })
      continue
    }
    const tag = withAttribute(xml.slice(beside.from, beside.inner), 'spans', undefined)
    if (beside.inner === beside.to) {
      const by = `${tag.replace(/\s*\/>$/, '>')}${body}</${prefix}row>`
      splices.push({ from: beside.from, to: beside.to, by })
    } else {
      splices.push({ from: beside.from, to: beside.inner, by: tag })
      splices.push({ from: beside.outer, to: beside.outer, by: body })
    }
  }
  if (fresh === '') return
  if (place.inner === place.to) {
    const tag = xml.slice(place.from, place.to).replace(/\s*\/>$/, '>')
    splices.push({ from: place.from, to: place.to, by: `${tag}${fresh}</${prefix}sheetData>` })
  } else splices.push({ from: place.outer, to: place.outer, by: fresh })
}

/** If the cell that defines a shared formula loses it, the other cells of the group get their own formula. */
function expandShared(
  { prefix, cells, masters }: ScannedSheet,
  splices: Splice[],
  changes: ReadonlyMap<number, CellWrite>,
  formulaOf: (key: number) => string | undefined,
): void {
  for (const [shared, master] of masters) {
    if (!changes.has(master) || changes.get(master)?.keeps === true) continue
    for (const [key, { shared: of, formulaAt }] of cells) {
      if (of !== shared || changes.has(key) || formulaAt === undefined) continue
      const [from, to] = formulaAt
      splices.push({ from, to, by: `<${prefix}f>${escape(formulaOf(key) ?? '')}</${prefix}f>` })
    }
  }
}

/** Extends the stored dimension of the sheet to changed cells. */
function widenDimension({ xml, dimension }: ScannedSheet, splices: Splice[], keys: readonly number[]): void {
  if (dimension === undefined || keys.length === 0) return
  const tag = xml.slice(...dimension)
  const area = areaOf(attributeOf(tag, 'ref') ?? '')
  const wider = area && keys.filter((key) => !isIn(area, rowOf(key), columnOf(key)))
  if (area === undefined || wider === undefined || wider.length === 0) return
  const all = wider.reduce(
    ({ top, left, bottom, right }, key) => ({
      top: Math.min(top, rowOf(key)),
      left: Math.min(left, columnOf(key)),
      bottom: Math.max(bottom, rowOf(key)),
      right: Math.max(right, columnOf(key)),
    }),
    area,
  )
  const ref = `${refOf(all.top, all.left)}:${refOf(all.bottom, all.right)}`
  splices.push({ from: dimension[0], to: dimension[1], by: withAttribute(tag, 'ref', ref) })
}

/**
 * Escapes text for a cell. A literal `_xHHHH_` is escaped, because spreadsheets use this form for characters that XML
 * does not allow.
 */
const stored = (text: string): string => escape(text.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_'))

function cellElement(prefix: string, ref: string, style: number, { content, formula }: CellWrite): string {
  const look = style === 0 ? '' : ` s="${style}"`
  const open = `<${prefix}c r="${ref}"${look}`
  const close = `</${prefix}c>`
  const value = (text: string): string => `<${prefix}v>${text}</${prefix}v>`
  if (formula !== undefined) {
    const own = `<${prefix}f>${escape(formula)}</${prefix}f>`
    if (content.kind === 'empty') return `${open}>${own}${close}`
    const [type, text] = valueOf(content)
    return `${open}${type === '' ? '' : ` t="${type}"`}>${own}${value(text)}${close}`
  }
  if (content.kind === 'empty') return style === 0 ? '' : `${open}/>`
  if (content.kind === 'text') {
    const inline = `<${prefix}is><${prefix}t xml:space="preserve">${stored(content.value)}</${prefix}t></${prefix}is>`
    return `${open} t="inlineStr">${inline}${close}`
  }
  const [type, text] = valueOf(content)
  return `${open}${type === '' ? '' : ` t="${type}"`}>${value(text)}${close}`
}

/** Returns a cell with the same formula and a new result. */
function recomputed(prefix: string, cell: string, formula: string, content: Content): string {
  const tag = /^<[^>]*>/.exec(cell)?.[0] ?? ''
  const [type, text] = content.kind === 'empty' ? ['', ''] : valueOf(content)
  const open = withAttribute(tag, 't', type === '' ? undefined : type)
  const value = content.kind === 'empty' ? '' : `<${prefix}v>${text}</${prefix}v>`
  return `${open}${formula}${value}</${prefix}c>`
}

/** Returns a cell with another style number and the same content. */
function restyled(cell: string, style: number): string {
  const tag = /^<[^>]*>/.exec(cell)?.[0] ?? ''
  if (Number(attributeOf(tag, 's') ?? 0) === style) return cell
  return withAttribute(tag, 's', String(style)) + cell.slice(tag.length)
}

/** Whether the formatting of a cell differs from the file. */
export const changesFormatting = ({ base, format, look }: CellWrite): boolean =>
  base !== undefined || format !== undefined || look !== undefined

function valueOf(content: Exclude<Content, { kind: 'empty' }>): [type: string, text: string] {
  if (content.kind === 'number') return ['', String(content.value)]
  if (content.kind === 'boolean') return ['b', content.value ? '1' : '0']
  return content.kind === 'error' ? ['e', content.value] : ['str', stored(content.value)]
}
