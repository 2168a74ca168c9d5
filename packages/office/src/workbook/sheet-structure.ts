/*
 * Structure operations of a sheet: insert, delete and resize rows and columns, merge cells, freeze panes
 * (docs/adr/0158). An operation turns one file into another and updates all references to moved cells in it. An
 * operation that would lose something is refused with the reason.
 */
import {
  child,
  children,
  dropPart,
  escape,
  openPackage,
  type Package,
  type Placed,
  prefixOf,
  relationsOf,
  type Splice,
  spliced,
  treeOf,
  unescape,
  withAttribute,
} from '../package/index.ts'
import { type Area, areaOf, intersects, isIn, refOf } from './cells.ts'
import { withChartTitle } from './drawings.ts'
import type { Filter } from './filter.ts'
import { type Shift, shiftedFormula, shiftedIndex, shiftedRefs, shiftedSpan } from './reference-shift.ts'
import { filterDefinedName, type RowOrder, withFilter, withSortedRows } from './row-order.ts'
import { columnOf, readSheet, rowOf } from './sheet-part.ts'
import { isSheetChange, type SheetChange, withSheets } from './sheets.ts'
import { StructureRefused } from './structure-refused.ts'
import {
  elementsOf,
  forceRecalculation,
  overlayParts,
  readWorkbookPart,
  rewriteDefinedNames,
  rewriteFormulas,
  type WorkbookPart,
  writeFormulas,
} from './workbook-parts.ts'

export { type StructureRefusal, StructureRefused } from './structure-refused.ts'

/** A structure operation on the sheet in `part`. */
export type StructureOperation = { readonly part: string } & (
  | { readonly kind: 'move'; readonly move: Shift }
  /** Size in pixels; undefined for the default size. */
  | {
      readonly kind: 'size'
      readonly axis: Shift['axis']
      readonly from: number
      readonly to: number
      readonly size?: number
    }
  | { readonly kind: 'merge'; readonly area: Area }
  | { readonly kind: 'split'; readonly area: Area }
  | { readonly kind: 'freeze'; readonly rows: number; readonly columns: number }
  | ({ readonly kind: 'sort' } & RowOrder)
  | { readonly kind: 'filter'; readonly filter: Filter | undefined; readonly out: readonly number[] }
  /** The title of a chart on the sheet. */
  | { readonly kind: 'title'; readonly chart: string; readonly title: string }
  | SheetChange
)

/** Applies an operation to a file; throws `StructureKept`. */
export function applyStructure(bytes: Uint8Array, change: StructureOperation): Uint8Array {
  const office = openPackage(bytes)
  if (isSheetChange(change)) return office.patched(withSheets(office, change.part, change))
  const xml = office.text(change.part)
  if (readSheet(xml).isProtected) throw new StructureRefused('protected')
  if (change.kind === 'title') {
    return office.patched(new Map([[change.chart, withChartTitle(office, change.part, change.chart, change.title)]]))
  }
  if (change.kind === 'move') return office.patched(withShift(office, change.part, change.move))
  if (change.kind === 'sort' || change.kind === 'filter') return office.patched(withRows(office, change.part, change))
  const made =
    change.kind === 'size'
      ? sized(xml, change.axis, change.from, change.to, change.size)
      : change.kind === 'freeze'
        ? frozen(xml, change.rows, change.columns)
        : change.kind === 'merge'
          ? merged(xml, change.area)
          : split(xml, change.area)
  return made === xml ? bytes : office.patched(new Map([[change.part, made]]))
}

/** The required order of the elements that follow the cells of a sheet. */
const behindCells = ['sheetData', 'sheetCalcPr', 'sheetProtection', 'protectedRanges', 'scenarios', 'autoFilter']
const beforeMerges = [...behindCells, 'sortState', 'dataConsolidate', 'customSheetViews']

function merged(xml: string, area: Area): string {
  const sheet = readSheet(xml)
  const { top, left, bottom, right } = area
  if (sheet.merges.some((one) => intersects(one, area)) || sheet.arrays.some((one) => intersects(one, area)))
    throw new StructureRefused('meets')
  for (const [key, cell] of sheet.cells) {
    const [row, column] = [rowOf(key), columnOf(key)]
    const isFilled = cell.value !== undefined || cell.formula !== undefined
    if (isFilled && isIn(area, row, column) && (row !== top || column !== left)) throw new StructureRefused('filled')
  }
  if (top === bottom && left === right) return xml
  const prefix = prefixOf(xml, 'worksheet')
  const root = treeOf(xml, prefix)
  const own = `<${prefix}mergeCell ref="${refOf(top, left)}:${refOf(bottom, right)}"/>`
  const list = child(root, 'mergeCells') as Placed | undefined
  if (list === undefined) {
    const at = elementsOf(root).findLast(({ name }) => beforeMerges.includes(name))?.to ?? root.outer
    return spliced(xml, [{ from: at, to: at, by: `<${prefix}mergeCells count="1">${own}</${prefix}mergeCells>` }])
  }
  const tag = withAttribute(xml.slice(list.from, list.inner), 'count', String(elementsOf(list).length + 1))
  return spliced(xml, [
    { from: list.from, to: list.inner, by: tag },
    { from: list.outer, to: list.outer, by: own },
  ])
}

function split(xml: string, area: Area): string {
  const prefix = prefixOf(xml, 'worksheet')
  const list = child(treeOf(xml, prefix), 'mergeCells') as Placed | undefined
  if (list === undefined) return xml
  const isGone = ({ attributes }: Placed): boolean => {
    const own = areaOf(attributes['ref'] ?? '')
    return own !== undefined && intersects(own, area)
  }
  return spliced(xml, withoutChildren(xml, list, isGone))
}

/** Removes children from a list element, and the list if it is then empty. */
function withoutChildren(xml: string, list: Placed, isGone: (one: Placed) => boolean): Splice[] {
  const all = elementsOf(list)
  const gone = all.filter(isGone)
  if (gone.length === 0) return []
  if (gone.length === all.length) return [{ from: list.from, to: list.to, by: '' }]
  const count = String(all.length - gone.length)
  const tag = xml.slice(list.from, list.inner)
  return [
    ...(list.attributes['count'] === undefined
      ? []
      : [{ from: list.from, to: list.inner, by: withAttribute(tag, 'count', count) }]),
    ...gone.map(({ from, to }) => ({ from, to, by: '' })),
  ]
}

function frozen(xml: string, rows: number, columns: number): string {
  const prefix = prefixOf(xml, 'worksheet')
  const root = treeOf(xml, prefix)
  const isFrozen = rows > 0 || columns > 0
  const corner = rows > 0 && columns > 0 ? 'bottomRight' : rows > 0 ? 'bottomLeft' : 'topRight'
  const split = `${columns > 0 ? ` xSplit="${columns}"` : ''}${rows > 0 ? ` ySplit="${rows}"` : ''}`
  const pane = isFrozen
    ? `<${prefix}pane${split} topLeftCell="${refOf(rows, columns)}" activePane="${corner}" state="frozen"/><${prefix}selection pane="${corner}"/>`
    : ''
  const view = children(child(root, 'sheetViews'), 'sheetView')[0] as Placed | undefined
  if (view !== undefined) {
    const rest = elementsOf(view).filter(({ name }) => name !== 'pane' && name !== 'selection')
    const body = pane + rest.map(({ from, to }) => xml.slice(from, to)).join('')
    const tag = withAttribute(xml.slice(view.from, view.inner), 'topLeftCell', undefined).replace(/\s*\/?>$/, '>')
    return spliced(xml, [{ from: view.from, to: view.to, by: `${tag}${body}</${prefix}sheetView>` }])
  }
  if (!isFrozen) return xml
  const at =
    elementsOf(root).find(({ name }) => ['sheetFormatPr', 'cols', 'sheetData'].includes(name))?.from ?? root.inner
  const by = `<${prefix}sheetViews><${prefix}sheetView workbookViewId="0">${pane}</${prefix}sheetView></${prefix}sheetViews>`
  return spliced(xml, [{ from: at, to: at, by }])
}

function sized(xml: string, axis: Shift['axis'], from: number, to: number, size?: number): string {
  const prefix = prefixOf(xml, 'worksheet')
  const root = treeOf(xml, prefix)
  const data = child(root, 'sheetData') as Placed
  if (axis === 'rows') {
    const points = size === undefined ? undefined : String(Math.round(size * 0.75 * 100) / 100)
    const rows = new Map(elementsOf(data).map((one) => [Number(one.attributes['r']) - 1, one]))
    const splices: Splice[] = []
    const all = [...rows.keys()].sort((a, b) => a - b)
    for (let row = from; row <= to; row++) {
      const one = rows.get(row)
      if (one !== undefined) {
        let tag = withAttribute(xml.slice(one.from, one.inner), 'ht', points)
        tag = withAttribute(withAttribute(tag, 'hidden', undefined), 'customHeight', points && '1')
        splices.push({ from: one.from, to: one.inner, by: tag })
      } else if (points !== undefined) {
        const next = rows.get(all.find((other) => other > row) ?? -1)
        const at = next?.from ?? data.outer
        const by = `<${prefix}row r="${row + 1}" ht="${points}" customHeight="1"/>`
        if (data.inner === data.to) throw new StructureRefused('other')
        splices.push({ from: at, to: at, by })
      }
    }
    return spliced(xml, splices)
  }
  const width = size === undefined ? undefined : String(Math.max(0, Math.round(((size - 5) / 7) * 100) / 100))
  const list = child(root, 'cols') as Placed | undefined
  const fresh: { min: number; max: number; tag: string }[] = []
  let next = from + 1
  const put = (min: number, max: number, tag?: string): void => {
    if (min > max || (tag === undefined && width === undefined)) return
    const bare = withAttribute(tag ?? `<${prefix}col min="" max=""/>`, 'hidden', undefined)
    const set = withAttribute(withAttribute(bare, 'width', width ?? '9.14'), 'customWidth', width && '1')
    fresh.push({ min, max, tag: set })
  }
  for (const one of elementsOf(list)) {
    const [min, max] = [Number(one.attributes['min']), Number(one.attributes['max'])]
    const tag = xml.slice(one.from, one.to)
    if (max < from + 1 || min > to + 1) {
      if (min > to + 1) {
        put(next, to + 1)
        next = to + 2
      }
      fresh.push({ min, max, tag })
      continue
    }
    put(next, min - 1)
    if (min < from + 1) fresh.push({ min, max: from, tag })
    put(Math.max(min, from + 1), Math.min(max, to + 1), tag)
    next = Math.max(next, Math.min(max, to + 1) + 1)
    if (max > to + 1) fresh.push({ min: to + 2, max, tag })
  }
  put(next, to + 1)
  return withColumns(xml, prefix, root, fresh)
}

function withColumns(
  xml: string,
  prefix: string,
  root: Placed,
  columns: readonly { readonly min: number; readonly max: number; readonly tag: string }[],
): string {
  const list = child(root, 'cols') as Placed | undefined
  const body = columns
    .filter(({ min, max }) => min <= max)
    .map(({ min, max, tag }) => withAttribute(withAttribute(tag, 'max', String(max)), 'min', String(min)))
    .join('')
  const by = body === '' ? '' : `<${prefix}cols>${body}</${prefix}cols>`
  const at = list ?? (child(root, 'sheetData') as Placed)
  return spliced(xml, [{ from: at.from, to: list?.to ?? at.from, by }])
}

/** The parts that change when rows or columns of a sheet move. */
function withShift(office: Package, part: string, move: Shift): Map<string, string | undefined> {
  const book = readWorkbookPart(office)
  const on = book.sheets.find((one) => one.part === part)?.name ?? ''
  refuseWhatIsBound(office, part, move)
  const changes = new Map<string, string | undefined>()
  const parts = overlayParts(office, changes)
  const of = (formula: string, home: string): string => shiftedFormula(move, formula, home, on)
  parts.put(part, shiftedSheet(office.text(part), move, on))
  rewriteFormulas(office, book, parts, of, part)
  for (const { kind, part: own } of relationsOf(office, part).values()) {
    if (!office.has(own)) continue
    const xml = parts.text(own)
    if (kind === 'drawing') parts.put(own, shiftedDrawing(xml, move))
    else if (kind === 'table') {
      const ref = (_: string, name: string, refs: string): string => `${name}${shiftedRefs(move, refs)}"`
      parts.put(own, xml.replaceAll(/(\sref=")([^"]*)"/g, ref))
    }
  }
  parts.put(book.main, spliced(book.xml, [...rewriteDefinedNames(book, of), forceRecalculation(book)]))
  withoutChain(office, book, changes)
  return changes
}

/** The parts that change when rows are sorted or filtered. */
function withRows(
  office: Package,
  part: string,
  change: Extract<StructureOperation, { readonly kind: 'sort' | 'filter' }>,
): Map<string, string | undefined> {
  const book = readWorkbookPart(office)
  const changes = new Map<string, string | undefined>()
  const parts = overlayParts(office, changes)
  if (change.kind === 'filter') {
    parts.put(part, withFilter(office, part, change.filter, change.out))
    parts.put(book.main, spliced(book.xml, filterDefinedName(book, part, change.filter)))
    return changes
  }
  parts.put(part, withSortedRows(office, part, change))
  parts.put(book.main, spliced(book.xml, [forceRecalculation(book)]))
  withoutChain(office, book, changes)
  return changes
}

/** Deletes the calculation chain. The program that opens the file rebuilds it. */
function withoutChain(
  office: Package,
  { main, relations }: WorkbookPart,
  changes: Map<string, string | undefined>,
): void {
  const chain = [...relations.values()].find(({ kind }) => kind === 'calcChain')?.part
  if (chain !== undefined) dropPart(office, main, chain, changes)
}

/** Throws if the sheet contains objects that cannot move with its cells without loss. */
function refuseWhatIsBound(office: Package, part: string, move: Shift): void {
  const sheet = readSheet(office.text(part))
  const isBehind = ({ bottom, right }: Area): boolean => (move.axis === 'rows' ? bottom : right) >= move.at
  if (sheet.arrays.some(isBehind)) throw new StructureRefused('array')
  for (const { kind, part: own } of relationsOf(office, part).values()) {
    if (['comments', 'threadedComment'].includes(kind)) throw new StructureRefused('comments')
    if (kind === 'pivotTable') throw new StructureRefused('pivot')
    if (kind !== 'table' || !office.has(own)) continue
    const area = areaOf(/\sref="([^"]*)"/.exec(office.text(own))?.[1] ?? '')
    if (area === undefined) continue
    const [first, last] = move.axis === 'rows' ? [area.top, area.bottom] : [area.left, area.right]
    const isWhole = move.at > last || (move.by > 0 ? move.at <= first : move.at - move.by <= first)
    if (!isWhole) throw new StructureRefused('table')
  }
}

const lists = ['mergeCells', 'hyperlinks', 'dataValidations', 'protectedRanges', 'ignoredErrors']

/** Returns the sheet with moved rows or columns. */
function shiftedSheet(xml: string, move: Shift, name: string): string {
  const prefix = prefixOf(xml, 'worksheet')
  const root = treeOf(xml, prefix)
  const isRows = move.axis === 'rows'
  // Formulas first, at their original offsets; then the rows and cells that contain them.
  const inPlace: Splice[] = []
  const place = (key: number): number | undefined => shiftedIndex(move, isRows ? rowOf(key) : columnOf(key))
  const isMoved = (key: number): boolean => place(key) !== (isRows ? rowOf(key) : columnOf(key))
  writeFormulas(xml, (formula) => shiftedFormula(move, formula, name, name), isMoved, inPlace)
  const splices: Splice[] = []
  const taken: (readonly [from: number, to: number])[] = []
  const take = (from: number, to: number): void => {
    splices.push({ from, to, by: '' })
    taken.push([from, to])
  }
  const data = child(root, 'sheetData') as Placed
  const rows = elementsOf(data)
  const styled = (row: Placed, column: number): string | undefined =>
    elementsOf(row).find((one) => one.attributes['r'] === refOf(Number(row.attributes['r']) - 1, column))?.attributes[
      's'
    ]
  for (const row of rows) {
    const r = Number(row.attributes['r']) - 1
    if (!Number.isInteger(r)) throw new StructureRefused('other')
    const to = isRows ? shiftedIndex(move, r) : r
    if (to === undefined) {
      take(row.from, row.to)
      continue
    }
    let tag = xml.slice(row.from, row.inner)
    if (isRows && to !== r) tag = withAttribute(tag, 'r', String(to + 1))
    if (!isRows) tag = withAttribute(tag, 'spans', undefined)
    if (tag !== xml.slice(row.from, row.inner)) splices.push({ from: row.from, to: row.inner, by: tag })
    for (const cell of elementsOf(row)) {
      const column = areaOf(cell.attributes['r'] ?? '')?.left
      if (column === undefined) throw new StructureRefused('other')
      const across = isRows ? column : shiftedIndex(move, column)
      if (across === undefined) take(cell.from, cell.to)
      else if (to !== r || across !== column) {
        const own = withAttribute(xml.slice(cell.from, cell.inner), 'r', refOf(to, across))
        splices.push({ from: cell.from, to: cell.inner, by: own })
      }
    }
    // New columns get the style of the preceding column.
    const look = !isRows && move.by > 0 && move.at > 0 ? styled(row, move.at - 1) : undefined
    if (look !== undefined && look !== '0') {
      const next = elementsOf(row).find((one) => (areaOf(one.attributes['r'] ?? '')?.left ?? 0) >= move.at)
      const at = next?.from ?? row.outer
      const by = Array.from({ length: move.by }, (_, n) => `<${prefix}c r="${refOf(r, move.at + n)}" s="${look}"/>`)
      splices.push({ from: at, to: at, by: by.join('') })
    }
  }
  // New rows get the style of the row above.
  const above = rows.find((one) => Number(one.attributes['r']) === move.at)
  if (isRows && move.by > 0 && above !== undefined) {
    const cells = elementsOf(above).flatMap((one) => {
      const [column, style] = [areaOf(one.attributes['r'] ?? '')?.left, one.attributes['s']]
      return column === undefined || style === undefined || style === '0' ? [] : [{ column, style }]
    })
    const tag = ['hidden', 'collapsed', 'outlineLevel'].reduce(
      (made, name) => withAttribute(made, name, undefined),
      xml.slice(above.from, above.inner).replace(/\s*\/?>$/, '>'),
    )
    const made = Array.from({ length: move.by }, (_, n) => {
      const r = move.at + n
      const body = cells.map(({ column, style }) => `<${prefix}c r="${refOf(r, column)}" s="${style}"/>`).join('')
      return `${withAttribute(tag, 'r', String(r + 1))}${body}</${prefix}row>`
    })
    splices.push({ from: above.to, to: above.to, by: made.join('') })
  }
  for (const one of elementsOf(root)) {
    if (one.name === 'sheetData') continue
    if (one.name === 'cols' && !isRows) {
      const columns = elementsOf(one).flatMap((col) => {
        const span = shiftedSpan(move, Number(col.attributes['min']) - 1, Number(col.attributes['max']) - 1)
        return span === undefined ? [] : [{ min: span[0] + 1, max: span[1] + 1, tag: xml.slice(col.from, col.to) }]
      })
      const body = columns
        .map(({ min, max, tag }) =>
          withAttribute(withAttribute(tag, 'max', String(Math.min(max, 16_384))), 'min', String(min)),
        )
        .join('')
      splices.push({ from: one.from, to: one.to, by: body === '' ? '' : `<${prefix}cols>${body}</${prefix}cols>` })
      continue
    }
    if (one.name === 'autoFilter' && !isRows && elementsOf(one).length > 0) throw new StructureRefused('filter')
    if (one.name === 'rowBreaks' || one.name === 'colBreaks') {
      if ((one.name === 'rowBreaks') !== isRows) continue
      for (const brk of elementsOf(one)) {
        const id = Number(brk.attributes['id'])
        const to = shiftedIndex(move, id) ?? move.at
        if (to !== id) {
          splices.push({
            from: brk.from,
            to: brk.inner,
            by: withAttribute(xml.slice(brk.from, brk.inner), 'id', String(to)),
          })
        }
      }
      continue
    }
    spliceShifted(xml, one, move, name, splices)
  }
  const kept = inPlace.filter(({ from }) => !taken.some(([a, b]) => from >= a && from < b))
  return spliced(xml, [...splices, ...kept])
}

/** Updates a sheet element other than the cells that references cells. */
function spliceShifted(xml: string, one: Placed, move: Shift, name: string, splices: Splice[]): void {
  const isGone = (own: Placed): boolean => {
    const refs = own.attributes['ref'] ?? own.attributes['sqref']
    return refs !== undefined && shiftedRefs(move, refs) === ''
  }
  if (lists.includes(one.name)) {
    const without = withoutChildren(xml, one, isGone)
    splices.push(...without)
    if (without.length === 1 && without[0]?.from === one.from && without[0].to === one.to) return
    for (const own of elementsOf(one)) if (!isGone(own)) spliceShifted(xml, own, move, name, splices)
    return
  }
  if (isGone(one)) {
    splices.push({ from: one.from, to: one.to, by: '' })
    return
  }
  let tag = xml.slice(one.from, one.inner)
  for (const attribute of ['ref', 'sqref', 'activeCell', 'topLeftCell']) {
    const refs = one.attributes[attribute]
    if (refs === undefined) continue
    const made = shiftedRefs(move, refs)
    if (made !== refs) tag = withAttribute(tag, attribute, made === '' ? undefined : made)
  }
  if (tag !== xml.slice(one.from, one.inner)) splices.push({ from: one.from, to: one.inner, by: tag })
  const own = one.name.slice(one.name.indexOf(':') + 1)
  if (['formula', 'formula1', 'formula2', 'f', 'sqref'].includes(own) && elementsOf(one).length === 0) {
    const text = unescape(xml.slice(one.inner, one.outer))
    const made = own === 'sqref' ? shiftedRefs(move, text) : shiftedFormula(move, text, name, name)
    if (made === '' && text !== '') throw new StructureRefused('other')
    if (made !== text) splices.push({ from: one.inner, to: one.outer, by: escape(made) })
    return
  }
  for (const below of elementsOf(one)) spliceShifted(xml, below, move, name, splices)
}

/** Pictures and charts move with their anchor cells. */
function shiftedDrawing(xml: string, move: Shift): string {
  const element = move.axis === 'rows' ? 'row' : 'col'
  return xml.replaceAll(
    new RegExp(`(<((?:\\w+:)?${element})>)(\\d+)(</)`, 'g'),
    (_, open: string, __, n: string, close: string) => {
      return `${open}${shiftedIndex(move, Number(n)) ?? move.at}${close}`
    },
  )
}
