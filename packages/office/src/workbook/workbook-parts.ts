// The workbook part, which lists the sheets, and all parts of a workbook that contain formulas.
import {
  child,
  children,
  escape,
  mainPart,
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
import { readSheet } from './sheet-part.ts'

const isElement = (one: Placed | string): one is Placed => typeof one !== 'string'
export const elementsOf = (one: Placed | undefined): Placed[] => one?.children.filter(isElement) ?? []

/** A sheet as listed in the workbook part. */
export interface ListedSheet {
  readonly name: string
  readonly element: Placed
  /** The relationship id of the sheet; empty if there is none. */
  readonly relation: string
  readonly part: string | undefined
  readonly kind: string
  readonly isHidden: boolean
}

/** The parsed workbook part. */
export interface WorkbookPart {
  readonly main: string
  readonly xml: string
  readonly prefix: string
  readonly root: Placed
  readonly relations: ReturnType<typeof relationsOf>
  readonly sheets: readonly ListedSheet[]
}

/** Reads the workbook part. */
export function readWorkbookPart(office: Package): WorkbookPart {
  const main = mainPart(office, 'xl/workbook.xml')
  const xml = office.text(main)
  const prefix = prefixOf(xml, 'workbook')
  const root = treeOf(xml, prefix)
  const relations = relationsOf(office, main)
  const sheets = elementsOf(child(root, 'sheets') as Placed | undefined).map((element): ListedSheet => {
    const { attributes } = element
    const relation = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''
    const target = relations.get(relation)
    return {
      name: attributes['name'] ?? '',
      element,
      relation,
      part: target?.part,
      kind: target?.kind ?? '',
      isHidden: (attributes['state'] ?? 'visible') !== 'visible',
    }
  })
  return { main, xml, prefix, root, relations, sheets }
}

/** Rewrites a formula. `home` is the name of the sheet that contains the formula; empty if it is on no sheet. */
export type Rewrite = (formula: string, home: string) => string

/** Access to the parts of a package, with rewritten parts in place of the originals. */
export interface Parts {
  text(name: string): string
  put(name: string, text: string): void
}

/** Returns the parts of a package with `changes` applied on top. */
export function overlayParts(office: Package, changes: Map<string, string | undefined>): Parts {
  return {
    text: (name) => changes.get(name) ?? office.text(name),
    put(name, text) {
      const before = changes.get(name) ?? (office.has(name) ? office.text(name) : undefined)
      if (text !== before) changes.set(name, text)
    },
  }
}

const elsewhere = /^xl\/(?:charts|chartsheets|diagrams|tables|ctrlProps)\/[^/]+\.xml$/

/** Returns the name of the sheet that each table and form control is on, by its part. */
function homesOf(office: Package, { sheets }: WorkbookPart): ReadonlyMap<string, string> {
  const homes = new Map<string, string>()
  for (const { name, part } of sheets) {
    if (part === undefined) continue
    for (const { kind, part: own } of relationsOf(office, part).values()) {
      if (kind === 'table' || kind === 'ctrlProp') homes.set(own, name)
    }
  }
  return homes
}

/**
 * Rewrites the formulas of all sheets except `except`, and of charts, tables and form controls. A reference without a
 * sheet name in a table or a form control means the sheet that it is on. Formulas of defined names are in the workbook
 * part: see `rewriteDefinedNames`.
 */
export function rewriteFormulas(office: Package, book: WorkbookPart, parts: Parts, of: Rewrite, except?: string): void {
  for (const { name, part, kind } of book.sheets) {
    if (part === undefined || kind !== 'worksheet' || part === except || !office.has(part)) continue
    parts.put(
      part,
      rewriteSheetFormulas(parts.text(part), (formula) => of(formula, name)),
    )
  }
  const homes = homesOf(office, book)
  for (const name of office.names) {
    if (!elsewhere.test(name)) continue
    const home = homes.get(name) ?? ''
    const texts = parts
      .text(name)
      .replaceAll(
        /(<(?:\w+:)?(?:f|calculatedColumnFormula|totalsRowFormula)(?:\s[^>]*)?>)([^<]*)(<\/)/g,
        (_, open: string, text: string, close: string) =>
          open + rewriteXmlText(text, (formula) => of(formula, home)) + close,
      )
    parts.put(
      name,
      texts.replaceAll(
        /(\sfmla(?:Link|Range|Txbx)=")([^"]*)"/g,
        (_, open: string, text: string) => `${open}${rewriteXmlText(text, (formula) => of(formula, home))}"`,
      ),
    )
  }
}

/** Applies `of` to an XML-escaped text. Returns the raw text unchanged if the result is the same. */
function rewriteXmlText(raw: string, of: (text: string) => string): string {
  const before = unescape(raw)
  const after = of(before)
  return after === before ? raw : escape(after)
}

/** Rewrites the formulas of the defined names of a workbook. */
export function rewriteDefinedNames({ xml, root, sheets }: WorkbookPart, of: Rewrite): Splice[] {
  return (children(child(root, 'definedNames'), 'definedName') as Placed[]).flatMap((one) => {
    const home = sheets[Number(one.attributes['localSheetId'] ?? -1)]?.name ?? ''
    const before = xml.slice(one.inner, one.outer)
    const after = rewriteXmlText(before, (formula) => of(formula, home))
    return after === before ? [] : [{ from: one.inner, to: one.outer, by: after }]
  })
}

/** Rewrites the formulas of a sheet: of its cells, conditional formats, data validations and extensions. */
export function rewriteSheetFormulas(xml: string, of: (formula: string) => string): string {
  const splices: Splice[] = []
  writeFormulas(xml, of, () => false, splices)
  const root = treeOf(xml, prefixOf(xml, 'worksheet'))
  for (const one of elementsOf(root)) {
    if (!['conditionalFormatting', 'dataValidations', 'extLst'].includes(one.name)) continue
    for (const { from, to, text } of formulaTexts(xml, one)) {
      const after = of(text)
      if (after !== text) splices.push({ from, to, by: escape(after) })
    }
  }
  return spliced(xml, splices)
}

/**
 * Rewrites the formulas of cells. If the rewrite changes a shared formula for any of its cells, each of these cells
 * gets its own formula.
 */
export function writeFormulas(
  xml: string,
  of: (formula: string) => string,
  isMoved: (key: number) => boolean,
  splices: Splice[],
): void {
  const prefix = prefixOf(xml, 'worksheet')
  const sheet = readSheet(xml)
  const { cells } = sheet
  const torn = new Set<string>()
  for (const [key, { formula, shared }] of cells) {
    if (formula === undefined || shared === undefined) continue
    const own = sheet.formulaOf(key)
    if (isMoved(key) || (own !== undefined && of(own) !== own)) torn.add(shared)
  }
  for (const [key, { formula, shared, formulaAt }] of cells) {
    if (formula === undefined || formulaAt === undefined) continue
    const own = sheet.formulaOf(key) ?? ''
    const made = of(own)
    const [from, to] = formulaAt
    if (shared !== undefined && torn.has(shared)) {
      splices.push({ from, to, by: `<${prefix}f>${escape(made)}</${prefix}f>` })
    } else if (shared === undefined && made !== own) {
      const raw = xml.slice(from, to)
      splices.push({ from, to, by: raw.replace(/>[^<]*</, () => `>${escape(made)}<`) })
    }
  }
}

/** Collects the formula texts of a worksheet element other than the cells. */
function formulaTexts(xml: string, within: Placed): { from: number; to: number; text: string }[] {
  return elementsOf(within).flatMap((one) => {
    const name = one.name.slice(one.name.indexOf(':') + 1)
    if (!['formula', 'formula1', 'formula2', 'f'].includes(name) || elementsOf(one).length > 0) {
      return formulaTexts(xml, one)
    }
    return [{ from: one.inner, to: one.outer, text: unescape(xml.slice(one.inner, one.outer)) }]
  })
}

/** Marks the workbook for full recalculation when a program opens it. */
export function forceRecalculation({ xml, prefix, root }: Pick<WorkbookPart, 'xml' | 'prefix' | 'root'>): Splice {
  const calc = child(root, 'calcPr') as Placed | undefined
  if (calc !== undefined) {
    return {
      from: calc.from,
      to: calc.inner,
      by: withAttribute(xml.slice(calc.from, calc.inner), 'fullCalcOnLoad', '1'),
    }
  }
  const behind = elementsOf(root).findLast(({ name }) =>
    ['sheets', 'functionGroups', 'externalReferences', 'definedNames'].includes(name),
  )
  const at = behind?.to ?? root.outer
  return { from: at, to: at, by: `<${prefix}calcPr fullCalcOnLoad="1"/>` }
}
