/*
 * Adding, renaming, deleting, moving, hiding and coloring sheets of a workbook (docs/adr/0161). All references to the
 * sheet in the file are updated.
 */
import {
  attributeOf,
  child,
  escape,
  type Package,
  type Placed,
  prefixOf,
  relationsFile,
  relationsOf,
  type Splice,
  spliced,
  treeOf,
  withAttribute,
} from '../package/index.ts'
import { formulaWithoutSheet, isSameName, nameFault, refersToSheet, renamedFormula } from './sheet-names.ts'
import { type StructureRefusal, StructureRefused } from './structure-refused.ts'
import {
  elementsOf,
  forceRecalculation,
  overlayParts,
  type Parts,
  readWorkbookPart,
  rewriteDefinedNames,
  rewriteFormulas,
  type WorkbookPart,
} from './workbook-parts.ts'

/** A change to the sheets of a workbook. */
export type SheetChange =
  /** Adds a sheet after the sheet in `part`. */
  | { readonly kind: 'add'; readonly name: string }
  | { readonly kind: 'remove' }
  | { readonly kind: 'rename'; readonly name: string }
  /** Moves the sheet before the given one; undefined moves it to the end. */
  | { readonly kind: 'order'; readonly before: string | undefined }
  | { readonly kind: 'show'; readonly is: boolean }
  /** Six hexadecimal digits; empty for none. */
  | { readonly kind: 'tint'; readonly color: string }

const kinds: readonly string[] = ['add', 'remove', 'rename', 'order', 'show', 'tint'] satisfies SheetChange['kind'][]

export const isSheetChange = <T extends { readonly kind: string }>(change: T): change is T & SheetChange =>
  kinds.includes(change.kind)

/** Returns the parts that a sheet change modifies. */
export function withSheets(office: Package, part: string, change: SheetChange): Map<string, string | undefined> {
  const book = readWorkbookPart(office)
  const at = book.sheets.findIndex((one) => one.part === part)
  const sheet = book.sheets[at]
  const changes = new Map<string, string | undefined>()
  const refuse = (why: StructureRefusal): never => {
    throw new StructureRefused(why)
  }
  if (sheet === undefined) return refuse('other')
  const parts = overlayParts(office, changes)
  if (change.kind === 'tint') {
    parts.put(part, tinted(office.text(part), sheet.kind, change.color))
    return changes
  }
  const lock = child(book.root, 'workbookProtection')?.attributes['lockStructure']
  if (lock === '1' || lock === 'true') refuse('structure')
  const names = book.sheets.map(({ name }) => name)
  const all = book.sheets.map((_, n) => n)
  const isLast = book.sheets.every((one) => one === sheet || one.isHidden)
  switch (change.kind) {
    case 'add': {
      if (nameFault(change.name, names) !== undefined) refuse('name')
      const own = added(office, book, parts, change.name)
      parts.put(book.main, arranged(book, parts, [...all.slice(0, at + 1), own, ...all.slice(at + 1)]))
      break
    }
    case 'rename': {
      const others = names.filter((_, n) => n !== at)
      if (nameFault(change.name, others) !== undefined) refuse('name')
      renamed(office, book, parts, sheet, change.name)
      break
    }
    case 'order': {
      const rest = all.filter((n) => n !== at)
      const before = rest.findIndex((n) => book.sheets[n]?.part === change.before)
      const to = change.before === undefined || before < 0 ? rest.length : before
      parts.put(book.main, arranged(book, parts, [...rest.slice(0, to), at, ...rest.slice(to)]))
      break
    }
    case 'show': {
      if (!change.is && isLast) refuse('lastSheet')
      const tag = withAttribute(tagOf(book, sheet.element), 'state', change.is ? undefined : 'hidden')
      parts.put(book.main, arranged(book, parts, all, new Map([[at, tag]]), change.is ? undefined : at))
      break
    }
    case 'remove': {
      if (isLast) refuse('lastSheet')
      // A macro project contains a module per sheet.
      if (office.names.some((name) => name.endsWith('vbaProject.bin'))) refuse('macros')
      removed(office, book, parts, changes, sheet.name, at)
      break
    }
  }
  return changes
}

/** The number of formulas, defined names and charts elsewhere that reference a sheet. */
export function countReferences(office: Package, part: string): number {
  const book = readWorkbookPart(office)
  const name = book.sheets.find((one) => one.part === part)?.name ?? ''
  let count = 0
  const look = (formula: string): string => {
    if (refersToSheet(formula, name)) count++
    return formula
  }
  rewriteFormulas(office, book, overlayParts(office, new Map()), look, part)
  rewriteDefinedNames(book, (formula, home) => (isSameName(home, name) ? formula : look(formula)))
  return count
}

const tagOf = ({ xml }: WorkbookPart, { from, to }: Placed): string => xml.slice(from, to)

/** Adds an empty sheet: its part, relationship and content type. Returns its entry in the workbook. */
function added(office: Package, book: WorkbookPart, parts: Parts, name: string): string {
  const sample = book.sheets.find((one) => one.kind === 'worksheet')
  const namespace = book.root.attributes[book.prefix === '' ? 'xmlns' : `xmlns:${book.prefix.slice(0, -1)}`] ?? ''
  const folder = `${book.main.slice(0, book.main.lastIndexOf('/') + 1)}worksheets/`
  let n = 1
  while (office.has(`${folder}sheet${n}.xml`)) n++
  const part = `${folder}sheet${n}.xml`
  parts.put(
    part,
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="${namespace}"><sheetData></sheetData></worksheet>`,
  )
  const file = relationsFile(book.main)
  const relations = office.text(file)
  const known = new Set([...relations.matchAll(/\sId\s*=\s*["']([^"']*)["']/g)].map(([, id]) => id))
  let id = 1
  while (known.has(`rId${id}`)) id++
  const like = [...relations.matchAll(/<(\w+:)?Relationship\s[^>]*>/g)].find(
    ([tag]) => attributeOf(tag, 'Id') === sample?.relation,
  )
  const type =
    (like && attributeOf(like[0], 'Type')) ??
    'http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet'
  const own = `<${like?.[1] ?? ''}Relationship Id="rId${id}" Type="${type}" Target="worksheets/sheet${n}.xml"/>`
  parts.put(
    file,
    relations.replace(/<\/(?:\w+:)?Relationships\s*>/, (end) => own + end),
  )
  const types = '[Content_Types].xml'
  parts.put(
    types,
    office
      .text(types)
      .replace(
        /<\/(\w+:)?Types\s*>/,
        (end, prefix = '') =>
          `<${prefix}Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>${end}`,
      ),
  )
  const ids = book.sheets.map(({ element }) => Number(element.attributes['sheetId'] ?? 0))
  const idName = Object.keys(sample?.element.attributes ?? {}).find((one) => one.endsWith(':id')) ?? 'r:id'
  return `<${book.prefix}sheet name="${escape(name)}" sheetId="${Math.max(0, ...ids) + 1}" ${idName}="rId${id}"/>`
}

/** Reorders the sheets of the workbook; new sheets are passed as XML tags. */
function arranged(
  book: WorkbookPart,
  parts: Parts,
  order: readonly (number | string)[],
  tags: ReadonlyMap<number, string> = new Map(),
  unseen?: number,
  more: readonly Splice[] = [],
): string {
  const { xml, root } = book
  const list = child(root, 'sheets') as Placed
  const placeOf = (before: number): number => order.indexOf(before)
  const body = order.map((one) =>
    typeof one === 'string' ? one : (tags.get(one) ?? tagOf(book, book.sheets[one]?.element ?? list)),
  )
  const splices: Splice[] = [{ from: list.inner, to: list.outer, by: body.join('') }, ...more]
  for (const one of elementsOf(child(root, 'definedNames') as Placed | undefined)) {
    const home = one.attributes['localSheetId']
    if (home === undefined || placeOf(Number(home)) < 0) continue
    const tag = withAttribute(xml.slice(one.from, one.inner), 'localSheetId', String(placeOf(Number(home))))
    if (placeOf(Number(home)) !== Number(home)) splices.push({ from: one.from, to: one.inner, by: tag })
  }
  const isSeen = (one: number | string): boolean =>
    typeof one === 'string' || (one !== unseen && (tags.has(one) || book.sheets[one]?.isHidden === false))
  for (const view of elementsOf(child(root, 'bookViews') as Placed | undefined)) {
    const active = Number(view.attributes['activeTab'] ?? 0)
    const stays = order.includes(active) && isSeen(active)
    const near = order.findIndex((one, n) => isSeen(one) && n >= Math.min(active, order.length - 1))
    const to = stays ? placeOf(active) : near >= 0 ? near : order.findLastIndex(isSeen)
    let tag = withAttribute(xml.slice(view.from, view.inner), 'firstSheet', undefined)
    tag = withAttribute(tag, 'activeTab', to === 0 ? undefined : String(to))
    if (to !== active || view.attributes['firstSheet'] !== undefined) {
      splices.push({ from: view.from, to: view.inner, by: tag })
    }
    if (!stays) activate(book, parts, active, order[to])
  }
  return spliced(xml, splices)
}

/** Sets the active sheet of the workbook. With two active sheets, programs would group them and write to both. */
function activate({ sheets }: WorkbookPart, parts: Parts, before: number, after: number | string | undefined): void {
  const put = (n: number, is: boolean): void => {
    const { part, kind } = sheets[n] ?? {}
    if (part === undefined || kind !== 'worksheet') return
    const xml = parts.text(part)
    const root = treeOf(xml, prefixOf(xml, 'worksheet'))
    const view = elementsOf(child(root, 'sheetViews') as Placed | undefined)[0]
    if (view === undefined) return
    const tag = withAttribute(xml.slice(view.from, view.inner), 'tabSelected', is ? '1' : undefined)
    parts.put(part, spliced(xml, [{ from: view.from, to: view.inner, by: tag }]))
  }
  put(before, false)
  if (typeof after === 'number') put(after, true)
}

function renamed(
  office: Package,
  book: WorkbookPart,
  parts: Parts,
  sheet: WorkbookPart['sheets'][number],
  name: string,
): void {
  const of = (formula: string): string => renamedFormula(formula, sheet.name, name)
  rewriteFormulas(office, book, parts, of)
  for (const { part, kind } of book.sheets) {
    if (part === undefined || kind !== 'worksheet') continue
    const xml = parts.text(part)
    const root = treeOf(xml, prefixOf(xml, 'worksheet'))
    const splices = elementsOf(child(root, 'hyperlinks') as Placed | undefined).flatMap((link) => {
      const location = link.attributes['location'] ?? ''
      const made = of(location)
      if (made === location) return []
      return [
        {
          from: link.from,
          to: link.inner,
          by: withAttribute(xml.slice(link.from, link.inner), 'location', escape(made)),
        },
      ]
    })
    parts.put(part, spliced(xml, splices))
  }
  for (const cache of office.names.filter((one) => /^xl\/pivotCache\/pivotCacheDefinition\d*\.xml$/.test(one))) {
    const xml = parts.text(cache)
    parts.put(
      cache,
      xml.replace(/<(?:\w+:)?worksheetSource\s[^>]*>/, (tag) =>
        isSameName(attributeOf(tag, 'sheet') ?? '', sheet.name) ? withAttribute(tag, 'sheet', escape(name)) : tag,
      ),
    )
  }
  const tag = withAttribute(tagOf(book, sheet.element), 'name', escape(name))
  const own = { from: sheet.element.from, to: sheet.element.to, by: tag }
  parts.put(book.main, spliced(book.xml, [own, ...rewriteDefinedNames(book, of)]))
}

function removed(
  office: Package,
  book: WorkbookPart,
  parts: Parts,
  changes: Map<string, string | undefined>,
  name: string,
  at: number,
): void {
  const order = book.sheets.map((one) => one.name)
  const of = (formula: string): string => formulaWithoutSheet(formula, name, order)
  const gone = book.sheets[at]
  rewriteFormulas(office, book, parts, of, gone?.part)
  const own: Splice[] = []
  const list = child(book.root, 'definedNames') as Placed | undefined
  const ownNames = elementsOf(list).filter((one) => one.attributes['localSheetId'] === String(at))
  if (list !== undefined && ownNames.length === elementsOf(list).length)
    own.push({ from: list.from, to: list.to, by: '' })
  else {
    own.push(...ownNames.map(({ from, to }) => ({ from, to, by: '' })))
    own.push(
      ...rewriteDefinedNames(book, of).filter(({ from }) => !ownNames.some((one) => from >= one.from && from < one.to)),
    )
  }
  const rest = book.sheets.map((_, n) => n).filter((n) => n !== at)
  parts.put(book.main, arranged(book, parts, rest, new Map(), undefined, [...own, forceRecalculation(book)]))
  dropOnly(office, book, changes, parts, gone?.relation ?? '')
}

/** Deletes a part that only the workbook references, and the calculation chain. */
function dropOnly(
  office: Package,
  book: WorkbookPart,
  changes: Map<string, string | undefined>,
  parts: Parts,
  relation: string,
): void {
  const chain = [...book.relations].filter(([, { kind }]) => kind === 'calcChain').map(([id]) => id)
  const cut = new Set([relation, ...chain])
  const reached = (without: ReadonlySet<string>): Set<string> => {
    const found = new Set<string>()
    const rest = ['']
    for (const part of rest) {
      for (const [id, target] of relationsOf(office, part)) {
        if ((part === book.main && without.has(id)) || found.has(target.part)) continue
        found.add(target.part)
        rest.push(target.part)
      }
    }
    return found
  }
  const kept = reached(cut)
  const lost = new Set([...reached(new Set())].filter((part) => !kept.has(part) && office.has(part)))
  for (const part of lost) {
    changes.set(part, undefined)
    if (office.has(relationsFile(part))) changes.set(relationsFile(part), undefined)
  }
  const file = relationsFile(book.main)
  parts.put(
    file,
    parts
      .text(file)
      .replaceAll(/<(?:\w+:)?Relationship\s[^>]*>/g, (tag) => (cut.has(attributeOf(tag, 'Id') ?? '') ? '' : tag)),
  )
  const types = '[Content_Types].xml'
  parts.put(
    types,
    parts
      .text(types)
      .replaceAll(/<(?:\w+:)?Override\s[^>]*>/g, (tag) =>
        lost.has((attributeOf(tag, 'PartName') ?? '').slice(1)) ? '' : tag,
      ),
  )
}

/** Sets the tab color of a sheet. */
function tinted(xml: string, kind: string, color: string): string {
  const name = kind === 'chartsheet' ? 'chartsheet' : 'worksheet'
  const prefix = prefixOf(xml, name)
  const root = treeOf(xml, prefix)
  const made = color === '' ? '' : `<${prefix}tabColor rgb="FF${color}"/>`
  const own = child(root, 'sheetPr') as Placed | undefined
  if (own === undefined) {
    if (made === '') return xml
    return spliced(xml, [{ from: root.inner, to: root.inner, by: `<${prefix}sheetPr>${made}</${prefix}sheetPr>` }])
  }
  const before = child(own, 'tabColor') as Placed | undefined
  if (before !== undefined) return spliced(xml, [{ from: before.from, to: before.to, by: made }])
  if (made === '') return xml
  const tag = xml.slice(own.from, own.inner).replace(/\s*\/?>$/, '>')
  const by = `${tag}${made}${xml.slice(own.inner, own.outer)}</${prefix}sheetPr>`
  return spliced(xml, [{ from: own.from, to: own.to, by }])
}
