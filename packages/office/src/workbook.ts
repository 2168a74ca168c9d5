/*
 * A workbook in the editor: the cells in the file, the changes to them, and the file with only these changes
 * (docs/adr/0129).
 */
import { builtInFormats, child, children, readWorkbookStyles, textOf } from '@cloudoc/domain/office'
import { format } from 'numfmt'
import { type Calculator, openCalculator } from './calculator.ts'
import { type CellFormatting, type DrawnStyle, inverseFormatting, withFormatting } from './cell-formatting.ts'
import { openStyles } from './cell-styles.ts'
import { type Area, areaOf, type Content, type Entry, isIn, parseRef, readTyped, refOf, typedOf } from './cells.ts'
import type { CoeditCell } from './coedit-cells.ts'
import { type Drawing, drawingsOf, type Source } from './drawings.ts'
import { attributeOf, dropPart, isSigned, openPackage, type Package, relationsOf } from './package.ts'
import {
  type CellWrite,
  changesFormatting,
  columnOf,
  keyOf,
  readSheet,
  rowOf,
  type SheetPart,
  type StoredCell,
} from './sheet-part.ts'
import { cellContent, isOn, storedText } from './workbook/cell-content.ts'
import { formatNumber } from './workbook/number-format.ts'
import { forceRecalculation, readWorkbookPart } from './workbook-parts.ts'
import { prefixOf, scan, spliced, textIn, treeOf } from './xml.ts'

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

/** Why a formatting change is refused. */
export type FormattingRefusal = 'noStyles' | 'protected' | 'tooMany'

/**
 * A formatting change of cells; properties that are not named do not change. `format` is the number of a built-in
 * number format.
 */
export interface FormattingChange {
  readonly look?: CellFormatting
  readonly format?: number
  /** Border lines around the area, or along one edge; existing lines are preserved. */
  readonly edges?: 'tblr' | 't' | 'b' | 'l' | 'r'
}

/** The maximum number of cells per formatting change. */
const maxFormattings = 20_000

export type { CellFormatting } from './cell-formatting.ts'
export type Workbook = ReturnType<typeof openWorkbook>

export type Step = readonly {
  readonly part: string
  readonly key: number
  readonly before: CellWrite
  readonly after: CellWrite
}[]

/** Opens a workbook; throws `NotEditable`. In co-editing, `tell` receives the cells that the user writes. */
export function openWorkbook(bytes: Uint8Array, tell?: (cells: readonly CoeditCell[]) => void) {
  const office = openPackage(bytes)
  const book = readWorkbookPart(office)
  const { main, root, relations } = book
  const beside = (kind: string): string | undefined => [...relations.values()].find((one) => one.kind === kind)?.part
  const since1904 = isOn(child(root, 'workbookPr')?.attributes['date1904'])
  const stylesPart = beside('styles')
  const styles = stylesPart === undefined ? undefined : openStyles(office.text(stylesPart))
  const themePart = beside('theme')
  const looks = readWorkbookStyles(styles?.tree, themePart && treeOf(office.text(themePart)), since1904, formatNumber)
  const all = book.sheets.flatMap(({ name, part: own, kind, isHidden }): (SheetInfo & { isHidden: boolean })[] => {
    if (own === undefined || !office.has(own)) return []
    const tab = /<(?:\w+:)?tabColor\s[^>]*>/.exec(office.head(own, 4096))?.[0]
    const color = tab === undefined ? undefined : looks.color(treeOf(tab.replace(/\/?>$/, '/>')))
    return [{ name, part: own, hasCells: kind === 'worksheet', ...(color !== undefined && { color }), isHidden }]
  })
  const sheets: readonly SheetInfo[] = all.filter(({ isHidden }) => !isHidden)
  const hidden: readonly SheetInfo[] = all.filter(({ isHidden }) => isHidden)
  const lying = new Map<string, readonly Drawing[]>()
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

  /** The changes to cells by part, also if they equal the stored value. */
  const over = new Map<string, Map<number, CellWrite>>()
  const [undone, done]: [Step[], Step[]] = [[], []]
  const listeners = new Set<() => void>()
  let revision = 0

  const contentOf = ({ type, value }: StoredCell): Content => cellContent(type, value, sharedString, since1904)
  const storedAt = (path: string, key: number): CellWrite => {
    const { sheet } = part(path)
    const cell = sheet.cells.get(key)
    const formula = sheet.formulaOf(key)
    return {
      content: cell === undefined ? { kind: 'empty' } : contentOf(cell),
      ...(formula === undefined ? {} : { formula }),
    }
  }
  const computed = new Map<string, Map<number, Content>>()
  const at = (path: string, key: number): CellWrite => {
    const own = over.get(path)?.get(key)
    const found = own ?? storedAt(path, key)
    // Cells of an array formula have results without a formula of their own; they cannot be written.
    if (found.formula === undefined && own !== undefined) return found
    const content = computed.get(path)?.get(key)
    return content === undefined ? found : { ...found, content }
  }
  let calculator: Calculator | undefined
  let isAnew = false
  const follow = (): Calculator => {
    calculator ??= openCalculator({
      sheets: all.filter(({ hasCells }) => hasCells),
      sheet: (path) => part(path).sheet,
      at,
      rows: (path) => extentOf(path).rows,
      since1904,
      names: new Map(
        children(child(root, 'definedNames'), 'definedName').map((one) => [
          (one.attributes['name'] ?? '').toLowerCase(),
          textOf(one),
        ]),
      ),
    })
    return calculator
  }
  const takeComputed = (found: ReturnType<Calculator['all']>): void => {
    for (const { part: path, key, content } of found) {
      const own = computed.get(path) ?? new Map<number, Content>()
      computed.set(path, own)
      own.set(key, content)
    }
  }
  /** Recomputes the formulas that depend on changed cells. */
  const computeAfter = (places: readonly { readonly part: string; readonly key: number }[]): void => {
    if (places.length > 0) takeComputed(follow().after(places))
  }
  const extentOf = (path: string): { readonly rows: number; readonly columns: number } => {
    const { rows, columns } = part(path).sheet
    const keys = [...(over.get(path)?.keys() ?? [])]
    return {
      rows: keys.reduce((most, key) => Math.max(most, rowOf(key) + 1), rows),
      columns: keys.reduce((most, key) => Math.max(most, columnOf(key) + 1), columns),
    }
  }
  const styleAt = (path: string, key: number): number => {
    const base = over.get(path)?.get(key)?.base
    return base !== undefined && looks.cells[base] !== undefined ? base : part(path).sheet.styleOf(key)
  }
  const lookAt = (path: string, key: number) => looks.cells[styleAt(path, key)]
  const codeAt = (path: string, key: number): string => {
    const own = over.get(path)?.get(key)?.format
    return own === undefined ? (lookAt(path, key)?.code ?? 'General') : (builtInFormats[own] ?? 'General')
  }
  const put = (path: string, key: number, written: CellWrite): void => {
    const cells = over.get(path)
    if (cells === undefined) over.set(path, new Map([[key, written]]))
    else cells.set(key, written)
  }
  const changed = (): void => {
    revision++
    for (const listener of listeners) listener()
  }
  const take = (step: Step, to: 'before' | 'after', isNew = false): void => {
    const from = to === 'after' ? 'before' : 'after'
    // Cells that other users have changed in the meantime are not undone.
    const own = tell === undefined || isNew ? step : step.filter((one) => isEqual(at(one.part, one.key), one[from]))
    for (const one of own) put(one.part, one.key, one[to])
    computeAfter(own.filter(({ before, after }) => !isEqualInput(before, after)))
    changed()
    if (own.length > 0) tell?.(own.map((one) => [one.part, refOf(rowOf(one.key), columnOf(one.key)), one[to]]))
  }
  /** The style of a cell, and the formatting changes on top of it. */
  const wornAt = (path: string, key: number): Worn => {
    const { format, look } = over.get(path)?.get(key) ?? {}
    return { base: styleAt(path, key), ...(format !== undefined && { format }), ...(look !== undefined && { look }) }
  }
  const whyFixed = (path: string, row: number, column: number): CellRefusal | undefined => {
    const { sheet, heads } = part(path)
    if (sheet.arrays.some((area) => isIn(area, row, column))) return 'array'
    if (heads.some((area) => isIn(area, row, column))) return 'table'
    if (sheet.isProtected && styles?.unlocked.has(sheet.styleOf(keyOf(row, column))) !== true) return 'protected'
    return undefined
  }

  return {
    sheets,
    hidden,
    isSigned: isSigned(office),
    hasMacros: office.names.some((name) => name.endsWith('vbaProject.bin')),
    sheet: (path: string): SheetPart => part(path).sheet,
    /** Increases with each change, for views. */
    revision: (): number => revision,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    whyFixed,
    /** The displayed text and style of a cell. */
    shown(
      path: string,
      row: number,
      column: number,
    ): { readonly text: string; readonly style: DrawnStyle; readonly isNumber: boolean } {
      const key = keyOf(row, column)
      const { content, formula } = at(path, key)
      const look = lookAt(path, key)
      const isNumber = content.kind === 'number'
      const stored = looks.styles[(isNumber ? look?.numberStyle : look?.style) ?? 0] ?? {}
      const own = look === undefined || look.font === '' ? stored : { ...stored, font: look.font }
      const style = withFormatting(own, over.get(path)?.get(key)?.look, isNumber)
      if (content.kind === 'empty') return { text: formula === undefined ? '' : `=${formula}`, style, isNumber }
      if (content.kind === 'boolean') return { text: content.value ? 'TRUE' : 'FALSE', style, isNumber }
      if (content.kind !== 'number') return { text: content.value, style, isNumber }
      return { text: written(content.value, codeAt(path, key), look?.format, since1904), style, isNumber }
    },
    /** The text in the edit field of a cell. */
    typed(path: string, row: number, column: number): string {
      const key = keyOf(row, column)
      const { content, formula } = at(path, key)
      return formula === undefined ? typedOf(content, codeAt(path, key), since1904) : `=${plainNames(formula)}`
    },
    /** The pictures and charts of a sheet. */
    drawings(path: string): readonly Drawing[] {
      const found = lying.get(path) ?? drawingsOf(office, path)
      lying.set(path, found)
      return found
    },
    /** The bytes of a part. */
    bytesOf: (path: string): Uint8Array => office.bytes(path),
    /**
     * The current values of the cells that a chart references; the values cached in the file if they cannot be found.
     */
    contentsOf({ of, kept }: Source, most: number): readonly (string | number)[] {
      const sheet = of && all.find(({ name }) => name.toLowerCase() === of.sheet?.toLowerCase())
      if (of === undefined || sheet?.hasCells !== true) return kept.slice(0, most)
      const { top, left, bottom, right } = of.area
      const found: (string | number)[] = []
      const { rows } = extentOf(sheet.part)
      for (let row = top; row <= Math.min(bottom, Math.max(top, rows)) && found.length < most; row++) {
        for (let column = left; column <= right && found.length < most; column++) {
          const { content } = at(sheet.part, keyOf(row, column))
          found.push(content.kind === 'number' ? content.value : this.shown(sheet.part, row, column).text)
        }
      }
      return found
    },
    content: (path: string, row: number, column: number): Content => at(path, keyOf(row, column)).content,
    /** The used extent of a sheet, including changes. */
    extent: extentOf,
    /** Writes cells as one undo step. Returns the reason if cells were skipped. */
    type(path: string, entries: readonly Entry[]): CellRefusal | undefined {
      let fixed: CellRefusal | undefined
      const mayLook = styles !== undefined && !part(path).sheet.isProtected
      const step = entries.flatMap(({ row, column, text, like }) => {
        const key = keyOf(row, column)
        const why = whyFixed(path, row, column)
        fixed ??= why
        if (why !== undefined) return []
        const before = at(path, key)
        const own = wornAt(path, key)
        const from = like === undefined || !mayLook ? undefined : keyOf(like.row, like.column)
        const worn = from === undefined ? over.get(path)?.get(key) : wornAt(path, from)
        const isDressed = from !== undefined && !isEqualWorn(wornAt(path, from), own)
        if (text === this.typed(path, row, column) && !isDressed) return []
        const { content, formula, format: code } = readTyped(text, codeAt(path, from ?? key), since1904)
        const format = code ?? worn?.format
        const after: CellWrite = {
          content,
          ...(formula === undefined ? {} : { formula: fullNames(formula) }),
          ...(worn?.base !== undefined && { base: worn.base }),
          ...(format !== undefined && { format }),
          ...(worn?.look !== undefined && { look: worn.look }),
        }
        // Other users may have this change in a version by then, so the undo contains the full formatting.
        return [{ part: path, key, before: isDressed && tell !== undefined ? { ...before, ...own } : before, after }]
      })
      if (step.length > 0) {
        done.push(step)
        undone.length = 0
        take(step, 'after')
      }
      return fixed
    },
    /**
     * Changes the formatting of cells as one undo step; contents do not change. Returns the reason if it is refused.
     */
    look(path: string, { top, left, bottom, right }: Area, change: FormattingChange): FormattingRefusal | undefined {
      if (styles === undefined) return 'noStyles'
      if (part(path).sheet.isProtected) return 'protected'
      if ((bottom - top + 1) * (right - left + 1) > maxFormattings) return 'tooMany'
      const step: Step[number][] = []
      for (let row = top; row <= bottom; row++) {
        for (let column = left; column <= right; column++) {
          const key = keyOf(row, column)
          const before = at(path, key)
          const { format: code, edges } = change
          const along = edges && edgesOf({ top, left, bottom, right }, row, column, edges)
          if (along === '') continue
          const { style } = this.shown(path, row, column)
          const look = along === undefined ? (change.look ?? {}) : { borders: withSides(style.borders, along) }
          const isLook = change.look !== undefined || along !== undefined
          const after = {
            ...before,
            ...(isLook ? { look: { ...before.look, ...look } } : {}),
            ...(code === undefined ? {} : { format: code }),
          }
          // Other users may have this change in a version by then, so the undo contains the full formatting.
          const back =
            tell === undefined || !isLook
              ? before
              : { ...before, look: { ...before.look, ...inverseFormatting(style, look) } }
          step.push({ part: path, key, before: back, after })
        }
      }
      done.push(step)
      undone.length = 0
      take(step, 'after', true)
      return undefined
    },
    /** The number format code of a cell. */
    format: (path: string, row: number, column: number): string => codeAt(path, keyOf(row, column)),
    /** Reverts the last step; returns its position. */
    undo(): { readonly part: string; readonly row: number; readonly column: number } | undefined {
      const step = done.pop()
      if (step === undefined) return undefined
      undone.push(step)
      take(step, 'before')
      return placeIn(step)
    },
    redo(): { readonly part: string; readonly row: number; readonly column: number } | undefined {
      const step = undone.pop()
      if (step === undefined) return undefined
      done.push(step)
      take(step, 'after')
      return placeIn(step)
    },
    /** The undo and redo steps. */
    steps: (): { readonly done: readonly Step[]; readonly undone: readonly Step[] } => ({ done, undone }),
    /** Imports the undo and redo steps of the workbook that this one was made from; `turn` rebases their cells. */
    takeSteps(of: { readonly done: readonly Step[]; readonly undone: readonly Step[] }, turn: RebasedStepCell): void {
      done.push(...rebasedSteps(of.done, turn))
      undone.push(...rebasedSteps(of.undone, turn))
    },
    /**
     * The changes as a draft; empty if there are none. It can be applied to any version, also to one that contains the
     * changes already.
     */
    draft(): string {
      const cells = [...over].flatMap(([path, all]) =>
        [...all].map(([key, one]) => [path, refOf(rowOf(key), columnOf(key)), one]),
      )
      return cells.length === 0 ? '' : JSON.stringify(cells)
    },
    /** Applies a draft as one undo step. */
    restore(draft: string): void {
      const step = readDraft(draft).flatMap(([path, ref, after]) => {
        const place = parseRef(ref)
        if (place === undefined || !office.has(path)) return []
        const key = keyOf(place.row, place.column)
        return [{ part: path, key, before: at(path, key), after }]
      })
      done.push(step)
      take(step, 'after')
    },
    /** Applies the changes of other users. Changes to missing or read-only cells are ignored. */
    takeIn(cells: readonly CoeditCell[]): void {
      const step = cells.flatMap(([path, ref, written]) => {
        const place = parseRef(ref)
        if (place === undefined || !all.some((one) => one.part === path && one.hasCells)) return []
        if (whyFixed(path, place.row, place.column) !== undefined) return []
        return [{ part: path, key: keyOf(place.row, place.column), written }]
      })
      const differing = step.filter((one) => !isEqualInput(at(one.part, one.key), one.written))
      for (const one of step) put(one.part, one.key, one.written)
      computeAfter(differing)
      changed()
    },
    /** Recomputes all formulas, for a file whose cells have changed since its results were computed. */
    computeAnew(): void {
      isAnew = true
      takeComputed(follow().all())
      changed()
    },
    /** Returns the file with all changes. */
    bytes(): Uint8Array {
      const changes = new Map<string, string | undefined>()
      let formulasMoved = false
      const isWritten = [...over].some(([path, cells]) =>
        [...cells].some(([key, one]) => {
          const stored = storedAt(path, key)
          return one.formula === undefined || changesFormatting(one)
            ? !isSame(one, stored)
            : one.formula !== stored.formula
        }),
      )
      // Without changes the results in the file are valid.
      if (!isWritten && !isAnew) return bytes
      for (const path of new Set([...over.keys(), ...computed.keys()])) {
        const { sheet } = part(path)
        const differing = new Map<number, CellWrite>()
        for (const key of new Set([...(over.get(path)?.keys() ?? []), ...(computed.get(path)?.keys() ?? [])])) {
          const [one, stored] = [at(path, key), storedAt(path, key)]
          if (isSame(one, stored)) continue
          const keeps = one.formula !== undefined && one.formula === stored.formula
          const stays = one.formula === stored.formula && isEqualContent(one, stored)
          differing.set(key, { ...one, ...(keeps && { keeps }), ...(stays && { stays }) })
          formulasMoved ||= !keeps && (one.formula !== undefined || stored.formula !== undefined)
        }
        if (differing.size === 0) continue
        // A shared formula is expanded if the cell that defines it gets another one.
        for (const [key, one] of differing) {
          if (one.keeps !== true || !sheet.losesShared(key, differing)) continue
          const { keeps: _, stays: __, ...whole } = one
          differing.set(key, whole)
        }
        changes.set(
          path,
          sheet.written(differing, (style, takes) => styles?.with(style, takes) ?? style),
        )
      }
      if (changes.size === 0) return bytes
      if (stylesPart !== undefined && styles !== undefined) {
        const made = styles.made()
        if (made !== undefined) changes.set(stylesPart, made)
      }
      const chain = beside('calcChain')
      if (formulasMoved && chain !== undefined) dropPart(office, main, chain, changes)
      // Programs recalculate the file when they open it.
      changes.set(main, spliced(book.xml, [forceRecalculation(book)]))
      return office.patched(changes)
    },
  }
}

type RebasedStepCell = (cell: CoeditCell) => CoeditCell | undefined

/** Rebases undo steps to another workbook; cells that no longer exist are left out. */
function rebasedSteps(steps: readonly Step[], turn: RebasedStepCell): Step[] {
  return steps
    .map((step) =>
      step.flatMap(({ part, key, ...written }) => {
        const ref = refOf(rowOf(key), columnOf(key))
        const [before, after] = [turn([part, ref, written.before]), turn([part, ref, written.after])]
        const place = after && parseRef(after[1])
        if (before === undefined || place === undefined || after === undefined) return []
        return [{ part: after[0], key: keyOf(place.row, place.column), before: before[2], after: after[2] }]
      }),
    )
    .filter((step) => step.length > 0)
}

/** The edges of an area that a cell touches. */
function edgesOf({ top, left, bottom, right }: Area, row: number, column: number, edges: string): string {
  const along = { t: row === top, b: row === bottom, l: column === left, r: column === right }
  return (['t', 'b', 'l', 'r'] as const).filter((side) => along[side] && edges.includes(side)).join('')
}

const withSides = (before: string | undefined, more: string): string =>
  [...'tblr'].filter((side) => more.includes(side) || before?.includes(side) === true).join('')

const placeIn = (step: Step): { readonly part: string; readonly row: number; readonly column: number } | undefined => {
  const [first] = step
  return first && { part: first.part, row: rowOf(first.key), column: columnOf(first.key) }
}

function readDraft(draft: string): [part: string, ref: string, written: CellWrite][] {
  return draft === '' ? [] : (JSON.parse(draft) as [string, string, CellWrite][])
}

function written(
  value: number,
  code: string,
  own: ((value: number) => string) | undefined,
  since1904: boolean,
): string {
  if (own !== undefined && code !== 'General') {
    try {
      const days = since1904 ? 1462 : 0
      return formatNumber(code, value + (/[ymdhs]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]/g, '')) ? days : 0))
    } catch {
      return own(value)
    }
  }
  return format('General', value, { locale: 'zh-CN' })
}

/** Whether a cell equals a change; the result of a formula is not compared. */
function isEqual(a: CellWrite, b: CellWrite): boolean {
  return a.formula === b.formula && (a.formula !== undefined || isEqualContent(a, b)) && isEqualLook(a, b)
}

/** Whether formulas that read a cell come to the same after a change, such as one of its formatting. */
const isEqualInput = (a: CellWrite, b: CellWrite): boolean =>
  a.formula === b.formula && (a.formula !== undefined || isEqualContent(a, b))

type Worn = Pick<CellWrite, 'base' | 'format' | 'look'>

const isEqualWorn = (a: Worn, b: Worn): boolean => a.base === b.base && a.format === b.format && isEqualLook(a, b)

const isEqualContent = (a: CellWrite, b: CellWrite): boolean => JSON.stringify(a.content) === JSON.stringify(b.content)

/** Compares formatting independent of property order. */
const isEqualLook = ({ look: a = {} }: Pick<CellWrite, 'look'>, { look: b = {} }: Pick<CellWrite, 'look'>): boolean =>
  [...new Set([...Object.keys(a), ...Object.keys(b)] as (keyof CellFormatting)[])].every((name) => a[name] === b[name])

function isSame(a: CellWrite, b: CellWrite): boolean {
  return a.formula === b.formula && !changesFormatting(a) && isEqualContent(a, b)
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

/** Functions newer than 2007 have a prefix in files. */
const plainNames = (formula: string): string => formula.replaceAll(/_xlfn\.(?:_xlws\.)?/g, '')
const later =
  /(?<![\w.])(XLOOKUP|XMATCH|IFS|SWITCH|CONCAT|TEXTJOIN|MAXIFS|MINIFS|DAYS|NUMBERVALUE|IFNA|XOR|ISFORMULA|FORMULATEXT|UNICODE|UNICHAR|ISOWEEKNUM|STDEV\.S|STDEV\.P|VAR\.S|VAR\.P|RANK\.EQ|RANK\.AVG|PERCENTILE\.INC|QUARTILE\.INC|MODE\.SNGL|CEILING\.MATH|FLOOR\.MATH)(?=\()/gi
const fullNames = (formula: string): string =>
  formula
    .split(/("(?:[^"]|"")*")/)
    .map((piece) =>
      piece.startsWith('"') ? piece : piece.replace(later, (name: string) => `_xlfn.${name.toUpperCase()}`),
    )
    .join('')
