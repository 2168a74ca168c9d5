// Sorting rows with all their content, and hiding rows by a filter.
import {
  child,
  escape,
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
import { type Area, areaOf, columnName, intersects, isIn, refOf, relocatedFormula } from './cells.ts'
import { type Filter, filterElement } from './filter.ts'
import { quotedName } from './sheet-names.ts'
import { columnOf, readSheet, rowOf } from './sheet-part.ts'
import { StructureRefused } from './structure-refused.ts'
import { elementsOf, type WorkbookPart, writeFormulas } from './workbook-parts.ts'

/** A row permutation of an area: pairs of the new row and the original row. */
export interface RowOrder {
  readonly area: Area
  readonly rows: readonly (readonly [to: number, from: number])[]
}

/** Throws if the area contains something that sorting cannot move. */
function refuseWhatStays(office: Package, part: string, area: Area): void {
  const sheet = readSheet(office.text(part))
  if ([...sheet.merges, ...sheet.arrays].some((one) => intersects(one, area))) throw new StructureRefused('meets')
  for (const { kind, part: own } of relationsOf(office, part).values()) {
    if (!office.has(own)) continue
    if (kind === 'pivotTable') {
      const place = areaOf(/<(?:\w+:)?location\s[^>]*?\sref="([^"]*)"/.exec(office.text(own))?.[1] ?? '')
      if (place !== undefined && intersects(place, area)) throw new StructureRefused('pivot')
    } else if (kind === 'table') {
      const place = areaOf(/\sref="([^"]*)"/.exec(office.text(own))?.[1] ?? '')
      if (place !== undefined && intersects({ ...place, bottom: place.top }, area)) throw new StructureRefused('table')
    } else if (kind === 'comments' || kind === 'threadedComment') {
      for (const [, ref = ''] of office
        .text(own)
        .matchAll(/<(?:\w+:)?(?:comment|threadedComment)\s[^>]*?ref="([^"]*)"/g)) {
        const place = areaOf(ref)
        if (place !== undefined && intersects(place, area)) throw new StructureRefused('comments')
      }
    }
  }
}

/** Sorts the rows of a sheet. Relative references in the moved formulas are shifted with their row. */
export function withSortedRows(office: Package, part: string, { area, rows }: RowOrder): string {
  refuseWhatStays(office, part, area)
  const before = office.text(part)
  const from = new Map(rows.filter(([to, own]) => to !== own))
  const tearing: Splice[] = []
  writeFormulas(
    before,
    (formula) => formula,
    (key) => isIn(area, rowOf(key), columnOf(key)) && from.has(rowOf(key)),
    tearing,
  )
  const xml = spliced(before, tearing)
  const prefix = prefixOf(xml, 'worksheet')
  const root = treeOf(xml, prefix)
  const data = child(root, 'sheetData') as Placed
  const all = new Map(elementsOf(data).map((row) => [Number(row.attributes['r']) - 1, row]))
  const placed = (row: Placed | undefined): { readonly column: number; readonly cell: Placed }[] =>
    elementsOf(row).map((cell) => {
      const column = areaOf(cell.attributes['r'] ?? '')?.left
      if (column === undefined) throw new StructureRefused('other')
      return { column, cell }
    })
  const isMoved = ({ column }: { readonly column: number }): boolean => column >= area.left && column <= area.right
  const movedCell = (cell: Placed, by: number): string => {
    const place = areaOf(cell.attributes['r'] ?? '')
    const tag = withAttribute(xml.slice(cell.from, cell.inner), 'r', refOf((place?.top ?? 0) + by, place?.left ?? 0))
    const formula = child(cell, 'f') as Placed | undefined
    if (formula === undefined || formula.inner === formula.to) return tag + xml.slice(cell.inner, cell.to)
    const own = relocatedFormula(unescape(xml.slice(formula.inner, formula.outer)), by, 0)
    return tag + xml.slice(cell.inner, formula.inner) + escape(own) + xml.slice(formula.outer, cell.to)
  }
  const splices: Splice[] = []
  const numbers = [...all.keys()].sort((a, b) => a - b)
  for (const [to, own] of from) {
    const row = all.get(to)
    const stay = placed(row)
      .filter((one) => !isMoved(one))
      .map(({ column, cell }) => ({ column, text: xml.slice(cell.from, cell.to) }))
    const come = placed(all.get(own))
      .filter(isMoved)
      .map(({ column, cell }) => ({ column, text: movedCell(cell, to - own) }))
    const body = [...stay, ...come]
      .sort((a, b) => a.column - b.column)
      .map(({ text }) => text)
      .join('')
    if (row !== undefined) {
      const tag = withAttribute(xml.slice(row.from, row.inner), 'spans', undefined).replace(/\s*\/?>$/, '>')
      splices.push({ from: row.from, to: row.to, by: `${tag}${body}</${prefix}row>` })
    } else if (body !== '') {
      const next = all.get(numbers.find((one) => one > to) ?? -1)
      const at = next?.from ?? data.outer
      splices.push({ from: at, to: at, by: `<${prefix}row r="${to + 1}">${body}</${prefix}row>` })
    }
  }
  const to = new Map([...from].map(([one, own]) => [own, one]))
  for (const link of elementsOf(child(root, 'hyperlinks') as Placed | undefined)) {
    const place = areaOf(link.attributes['ref'] ?? '')
    if (
      place === undefined ||
      place.top !== place.bottom ||
      place.left !== place.right ||
      !isIn(area, place.top, place.left)
    )
      continue
    const now = to.get(place.top)
    if (now === undefined) continue
    const tag = withAttribute(xml.slice(link.from, link.inner), 'ref', refOf(now, place.left))
    splices.push({ from: link.from, to: link.inner, by: tag })
  }
  return spliced(xml, splices)
}

const beforeFilter = ['sheetData', 'sheetCalcPr', 'sheetProtection', 'protectedRanges', 'scenarios']

/** Sets or removes the filter of a sheet, and hides the given rows. */
export function withFilter(office: Package, part: string, filter: Filter | undefined, out: readonly number[]): string {
  const xml = office.text(part)
  const sheet = readSheet(xml)
  if (filter !== undefined) {
    for (const { kind, part: own } of relationsOf(office, part).values()) {
      if (kind !== 'table' || !office.has(own)) continue
      const area = areaOf(/\sref="([^"]*)"/.exec(office.text(own))?.[1] ?? '')
      if (area !== undefined && intersects(area, filter.area)) throw new StructureRefused('tableFilter')
    }
  }
  const prefix = prefixOf(xml, 'worksheet')
  const root = treeOf(xml, prefix)
  const splices: Splice[] = []
  const own = child(root, 'autoFilter') as Placed | undefined
  const by = filter === undefined ? '' : filterElement(filter, prefix)
  const at = own?.from ?? elementsOf(root).findLast(({ name }) => beforeFilter.includes(name))?.to ?? root.outer
  splices.push({ from: at, to: own?.to ?? at, by })
  const areas = [filter?.area, sheet.filter?.area].filter((one) => one !== undefined)
  const isOf = (row: number): boolean => areas.some(({ top, bottom }) => row > top && row <= bottom)
  const data = child(root, 'sheetData') as Placed
  const gone = new Set(out)
  const known = elementsOf(data)
  for (const row of known) {
    const n = Number(row.attributes['r']) - 1
    if (!isOf(n)) continue
    const tag = xml.slice(row.from, row.inner)
    const made = withAttribute(tag, 'hidden', gone.has(n) ? '1' : undefined)
    gone.delete(n)
    if (made !== tag) splices.push({ from: row.from, to: row.inner, by: made })
  }
  for (const n of [...gone].sort((a, b) => a - b)) {
    const next = known.find((row) => Number(row.attributes['r']) - 1 > n)
    const place = next?.from ?? data.outer
    splices.push({ from: place, to: place, by: `<${prefix}row r="${n + 1}" hidden="1"/>` })
  }
  return spliced(xml, splices)
}

const filterName = '_xlnm._FilterDatabase'

/** The hidden defined name by which programs find the area of a filter. */
export function filterDefinedName(
  { root, prefix, sheets }: WorkbookPart,
  part: string,
  filter: Filter | undefined,
): Splice[] {
  const at = sheets.findIndex((one) => one.part === part)
  const list = child(root, 'definedNames') as Placed | undefined
  const all = elementsOf(list)
  const own = all.find(
    ({ attributes }) => attributes['name'] === filterName && attributes['localSheetId'] === String(at),
  )
  if (filter === undefined) {
    if (own === undefined || list === undefined) return []
    return [all.length === 1 ? { from: list.from, to: list.to, by: '' } : { from: own.from, to: own.to, by: '' }]
  }
  const { top, left, bottom, right } = filter.area
  const corner = (row: number, column: number): string => `$${columnName(column)}$${row + 1}`
  const ref = escape(`${quotedName(sheets[at]?.name ?? '')}!${corner(top, left)}:${corner(bottom, right)}`)
  if (own !== undefined) return [{ from: own.inner, to: own.outer, by: ref }]
  const made = `<${prefix}definedName name="${filterName}" localSheetId="${at}" hidden="1">${ref}</${prefix}definedName>`
  if (list !== undefined) return [{ from: list.inner, to: list.inner, by: made }]
  const behind = elementsOf(root).findLast(({ name }) =>
    ['sheets', 'functionGroups', 'externalReferences'].includes(name),
  )
  const place = behind?.to ?? root.outer
  return [{ from: place, to: place, by: `<${prefix}definedNames>${made}</${prefix}definedNames>` }]
}
