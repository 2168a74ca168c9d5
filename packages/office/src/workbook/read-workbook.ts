// The parts of a workbook as they are stored: its sheets, its styles, and the contents of its cells.
import {
  attributeOf,
  child,
  children,
  openPackage,
  type Package,
  prefixOf,
  relationsOf,
  scan,
  textIn,
  textOf,
  treeOf,
} from '../package/index.ts'
import { cellContent, isOn, storedText } from './cell-content.ts'
import { openStyles } from './cell-styles.ts'
import { type Area, areaOf, type Content, isIn } from './cells.ts'
import { formatNumber } from './number-format.ts'
import { readWorkbookStyles } from './read-cell-styles.ts'
import { keyOf, readSheet, type SheetPart, type StoredCell } from './sheet-part.ts'
import { readWorkbookPart } from './workbook-parts.ts'

export interface SheetInfo {
  readonly name: string
  readonly part: string
  /** A chart sheet has no cells. */
  readonly hasCells: boolean
  /** The tab color as a CSS color. */
  readonly color?: string
}

/** Why a cell is read-only. */
export type CellRefusal = 'array' | 'table' | 'protected'

export type StoredWorkbook = ReturnType<typeof readWorkbook>

/** Reads a workbook; throws `NotEditable`. Sheets and texts are read when they are needed. */
export function readWorkbook(bytes: Uint8Array) {
  const office = openPackage(bytes)
  const book = readWorkbookPart(office)
  const { root, relations } = book
  const beside = (kind: string): string | undefined => [...relations.values()].find((one) => one.kind === kind)?.part
  const since1904 = isOn(child(root, 'workbookPr')?.attributes['date1904'])
  const stylesPart = beside('styles')
  const styles = stylesPart === undefined ? undefined : openStyles(office.text(stylesPart))
  const themePart = beside('theme')
  const looks = readWorkbookStyles(styles?.tree, themePart && treeOf(office.text(themePart)), since1904, formatNumber)
  const sheets = book.sheets.flatMap(({ name, part: own, kind, isHidden }): (SheetInfo & { isHidden: boolean })[] => {
    if (own === undefined || !office.has(own)) return []
    const tab = /<(?:\w+:)?tabColor\s[^>]*>/.exec(office.head(own, 4096))?.[0]
    const color = tab === undefined ? undefined : looks.color(treeOf(tab.replace(/\/?>$/, '/>')))
    return [{ name, part: own, hasCells: kind === 'worksheet', ...(color !== undefined && { color }), isHidden }]
  })
  let strings: readonly string[] | undefined
  const sharedString = (index: number): string => {
    const part = beside('sharedStrings')
    strings ??= part === undefined ? [] : readStrings(office.text(part))
    return strings[index] ?? ''
  }
  const parts = new Map<string, { sheet: SheetPart; heads: readonly Area[] }>()
  const part = (path: string): { sheet: SheetPart; heads: readonly Area[] } => {
    let found = parts.get(path)
    if (found === undefined) {
      found = { sheet: readSheet(office.text(path)), heads: tableHeads(office, path) }
      parts.set(path, found)
    }
    return found
  }
  return {
    office,
    book,
    /** The sheets, also the hidden ones. */
    sheets,
    since1904,
    /** The part of a kind that belongs to the workbook. */
    beside,
    stylesPart,
    styles,
    looks,
    sheet: (path: string): SheetPart => part(path).sheet,
    contentOf: ({ type, value }: StoredCell): Content => cellContent(type, value, sharedString, since1904),
    /** The formulas of the defined names. */
    definedNames: (): ReadonlyMap<string, string> =>
      new Map(
        children(child(root, 'definedNames'), 'definedName').map((one) => [
          (one.attributes['name'] ?? '').toLowerCase(),
          textOf(one),
        ]),
      ),
    whyFixed: (path: string, row: number, column: number): CellRefusal | undefined => {
      const { sheet, heads } = part(path)
      if (sheet.arrays.some((area) => isIn(area, row, column))) return 'array'
      if (heads.some((area) => isIn(area, row, column))) return 'table'
      if (sheet.isProtected && styles?.unlocked.has(sheet.styleOf(keyOf(row, column))) !== true) return 'protected'
      return undefined
    },
  }
}

function readStrings(xml: string): string[] {
  const prefix = prefixOf(xml, 'sst')
  const found: string[] = []
  let text = ''
  let from = -1
  let phonetic = 0
  scan(xml, (tag) => {
    const name = tag.name.slice(prefix.length)
    if (name === 'rPh') phonetic += tag.kind === 'open' ? 1 : tag.kind === 'close' ? -1 : 0
    else if (name === 'si') {
      if (tag.kind !== 'close') text = ''
      if (tag.kind !== 'open') found.push(storedText(text))
    } else if (name === 't' && phonetic === 0) {
      if (tag.kind === 'open') from = tag.to
      else if (tag.kind === 'close') text += textIn(xml.slice(from, tag.from))
    }
  })
  return found
}

/** The header rows of the tables on a sheet. Their texts are stored in the table part, too. */
function tableHeads(office: Package, path: string): Area[] {
  return [...relationsOf(office, path).values()].flatMap(({ kind, part }) => {
    if (kind !== 'table' || !office.has(part)) return []
    const tag = /<(?:\w+:)?table\s[^>]*>/.exec(office.text(part))?.[0] ?? ''
    const area = areaOf(attributeOf(tag, 'ref') ?? '')
    if (area === undefined || attributeOf(tag, 'headerRowCount') === '0') return []
    return [{ ...area, bottom: area.top }]
  })
}
