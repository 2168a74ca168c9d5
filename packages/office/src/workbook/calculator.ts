// Recomputes the cells of a workbook that depend on changed cells, and only those.
import type { Content } from './cells.ts'
import { compute, type Formula, parseFormula } from './formula.ts'
import { CellError, UnsupportedFormula, type Value } from './formula-values.ts'
import { type CellWrite, columnOf, keyOf, rowOf, type SheetPart } from './sheet-part.ts'

/**
 * The maximum number of formulas to track. A workbook with more formulas is recomputed only by the program that opens
 * it; after a change none of its results is kept.
 */
const mostFormulas = 100_000
/** Functions that can read cells which the formula does not name. */
const readsAnyCell = /(?<![\w.])(?:INDIRECT|OFFSET|CELL)\s*\(/i

/** References to more cells than this are tested by area, not indexed cell by cell. */
const smallArea = 64

export interface CalculatorPorts {
  readonly sheets: readonly { readonly name: string; readonly part: string }[]
  readonly sheet: (part: string) => SheetPart
  readonly at: (part: string, key: number) => CellWrite
  /** The number of used rows of a sheet. */
  readonly rows: (part: string) => number
  readonly names: ReadonlyMap<string, string>
  /** Whether the workbook counts days from 1904. */
  readonly since1904: boolean
}

interface Cell {
  readonly part: string
  readonly key: number
  /** Undefined if the formula is not supported by this calculator. */
  readonly formula: Formula | undefined
  /** Whether the cell belongs to an array formula over several cells, whose results are not computed here. */
  readonly isOfArray: boolean
}

interface Place {
  readonly part: string
  readonly key: number
}

/** A new content of a cell. */
interface Computed extends Place {
  readonly content: Content
}

export type Calculator = ReturnType<typeof openCalculator>

/** Indexes the formulas of a workbook. */
export function openCalculator({ sheets, sheet, at, rows, names, since1904 }: CalculatorPorts) {
  const partOf = new Map(sheets.map(({ name, part }) => [name.toLowerCase(), part]))
  const cells = new Map<string, Map<number, Cell>>()
  /** The cells whose formulas reference a cell (`small`) or a large area (`large`), by part. */
  const small = new Map<string, Map<number, Set<Cell>>>()
  const large = new Map<
    string,
    {
      readonly top: number
      readonly left: number
      readonly bottom: number
      readonly right: number
      readonly by: Cell
    }[]
  >()
  const nameOf = (name: string): Formula | undefined => {
    const text = names.get(name.toLowerCase())
    return text === undefined ? undefined : parseFormula(text)
  }
  /** Cells with formulas that cannot be parsed. They may depend on any cell. */
  const unknown = new Set<Cell>()
  let count = 0

  const isCurrent = (cell: Cell): boolean => cells.get(cell.part)?.get(cell.key) === cell
  const follow = (cell: Cell): void => {
    if (cell.formula === undefined) return
    const named = cell.formula.names.flatMap((name) => nameOf(name)?.references ?? [])
    for (const { sheet: name, area } of [...cell.formula.references, ...named]) {
      const part = name === undefined ? cell.part : partOf.get(name.toLowerCase())
      if (part === undefined) continue
      if ((area.bottom - area.top + 1) * (area.right - area.left + 1) > smallArea) {
        const all = large.get(part)
        if (all === undefined) large.set(part, [{ ...area, by: cell }])
        else all.push({ ...area, by: cell })
        continue
      }
      const own = small.get(part) ?? new Map<number, Set<Cell>>()
      small.set(part, own)
      for (let row = area.top; row <= area.bottom; row++) {
        for (let column = area.left; column <= area.right; column++) {
          const key = keyOf(row, column)
          const all = own.get(key)
          if (all === undefined) own.set(key, new Set([cell]))
          else all.add(cell)
        }
      }
    }
  }
  const take = (part: string, key: number, text: string | undefined, isOfArray = false): void => {
    const own = cells.get(part) ?? new Map<number, Cell>()
    cells.set(part, own)
    own.delete(key)
    if (text === undefined) return
    const cell: Cell = { part, key, formula: read(text), isOfArray }
    own.set(key, cell)
    if (cell.formula === undefined ? namesCells(text) : readsAnyCell.test(text)) unknown.add(cell)
    follow(cell)
  }
  const read = (text: string): Formula | undefined => {
    try {
      const formula = parseFormula(text)
      for (const name of formula.names) if (nameOf(name) === undefined) return undefined
      return formula
    } catch (error) {
      if (error instanceof UnsupportedFormula) return undefined
      throw error
    }
  }
  for (const { part } of sheets) {
    const stored = sheet(part)
    if (!stored.hasFormulas) continue
    const ofArrays = new Set<number>()
    // An array formula over several cells is computed only by the program that opens the file.
    for (const { top, left, bottom, right } of stored.arrays) {
      const text = at(part, keyOf(top, left)).formula
      const size = (bottom - top + 1) * (right - left + 1)
      if (size === 1 || text === undefined) continue
      count += size
      if (count > mostFormulas) break
      for (let row = top; row <= bottom; row++) {
        for (let column = left; column <= right; column++) {
          ofArrays.add(keyOf(row, column))
          take(part, keyOf(row, column), text, true)
        }
      }
    }
    for (const [key, { formula }] of stored.cells) {
      if (formula === undefined || ofArrays.has(key)) continue
      count++
      if (count > mostFormulas) break
      take(part, key, at(part, key).formula)
    }
  }
  if (count > mostFormulas) return withoutResults(sheets, sheet)

  const dependents = (places: readonly Place[]): Cell[] => {
    const found = new Set<Cell>()
    const rest = [...places]
    for (const cell of unknown) {
      if (!isCurrent(cell)) continue
      found.add(cell)
      rest.push(cell)
    }
    for (const { part, key } of rest) {
      const [row, column] = [rowOf(key), columnOf(key)]
      const next: Cell[] = [...(small.get(part)?.get(key) ?? [])]
      for (const area of large.get(part) ?? []) {
        if (row >= area.top && row <= area.bottom && column >= area.left && column <= area.right) next.push(area.by)
      }
      for (const cell of next) {
        if (found.has(cell) || !isCurrent(cell)) continue
        found.add(cell)
        rest.push(cell)
      }
    }
    return [...found]
  }

  const indexed: Indexed = { cells, partOf, at, rows, nameOf, since1904 }
  return {
    /**
     * Returns the new contents after cells have changed. An empty content means that the program that opens the file
     * must compute it.
     */
    after(places: readonly Place[]): Computed[] {
      for (const { part, key } of places) {
        if (cells.get(part)?.get(key)?.isOfArray !== true) take(part, key, at(part, key).formula)
      }
      const own = places.flatMap(({ part, key }) => cells.get(part)?.get(key) ?? [])
      return computed(new Set([...own, ...dependents(places)]), indexed)
    },
    /** Returns the new contents of all formulas; an empty content as in `after`. */
    all(): Computed[] {
      return computed(new Set([...cells.values()].flatMap((own) => [...own.values()])), indexed)
    },
  }
}

/** The formulas of a workbook, and the cells that they read. */
interface Indexed extends Pick<CalculatorPorts, 'at' | 'rows' | 'since1904'> {
  readonly cells: ReadonlyMap<string, ReadonlyMap<number, Cell>>
  readonly partOf: ReadonlyMap<string, string>
  readonly nameOf: (name: string) => Formula | undefined
}

/** Computes formulas. The content is empty if a formula is not supported. */
function computed(affected: ReadonlySet<Cell>, { cells, partOf, at, rows, nameOf, since1904 }: Indexed): Computed[] {
  const known = new Map<Cell, Value | UnsupportedFormula>()
  const open = new Set<Cell>()
  const valueOf = (cell: Cell): Value => {
    let value = known.get(cell)
    if (value === undefined && !known.has(cell)) {
      if (open.has(cell)) throw new UnsupportedFormula('a circle')
      open.add(cell)
      try {
        value = evaluate(cell)
      } catch (error) {
        // A formula that is nested too deeply counts as unsupported, too.
        if (!(error instanceof UnsupportedFormula) && !(error instanceof RangeError)) throw error
        value = error instanceof UnsupportedFormula ? error : new UnsupportedFormula('too deep')
      }
      open.delete(cell)
      known.set(cell, value)
    }
    if (value instanceof UnsupportedFormula) throw value
    return value
  }
  const evaluate = ({ part, formula, isOfArray }: Cell): Value => {
    if (formula === undefined || isOfArray) throw new UnsupportedFormula('beyond')
    const on = (name: string | undefined): string => {
      const found = name === undefined ? part : partOf.get(name.toLowerCase())
      if (found === undefined) throw new UnsupportedFormula('another workbook')
      return found
    }
    return compute(formula, {
      rows: (name) => rows(on(name)),
      name: nameOf,
      since1904,
      cell(name, row, column) {
        const [of, key] = [on(name), keyOf(row, column)]
        const cell = cells.get(of)?.get(key)
        const { content } = at(of, key)
        if (cell !== undefined && (affected.has(cell) || content.kind === 'empty')) return valueOf(cell)
        if (content.kind === 'empty') return undefined
        return content.kind === 'error' ? new CellError(content.value) : content.value
      },
    })
  }
  return [...affected].map((cell) => {
    let value: Value
    try {
      value = valueOf(cell)
    } catch (error) {
      if (!(error instanceof UnsupportedFormula)) throw error
      return { part: cell.part, key: cell.key, content: { kind: 'empty' } }
    }
    return { part: cell.part, key: cell.key, content: contentOf(value) }
  })
}

/** A calculator for more formulas than are tracked: after a change it removes all results, which may depend on it. */
function withoutResults(sheets: CalculatorPorts['sheets'], sheet: CalculatorPorts['sheet']) {
  let isDone = false
  const all = (): Computed[] => {
    if (isDone) return []
    isDone = true
    return sheets.flatMap(({ part }) => {
      const { cells, arrays } = sheet(part)
      const ofArrays = arrays.flatMap(({ top, left, bottom, right }) =>
        Array.from({ length: (bottom - top + 1) * (right - left + 1) }, (_, n) =>
          keyOf(top + Math.floor(n / (right - left + 1)), left + (n % (right - left + 1))),
        ),
      )
      const keys = [...cells].flatMap(([key, { formula }]) => (formula === undefined ? [] : [key]))
      return [...keys, ...ofArrays].map((key) => ({ part, key, content: { kind: 'empty' } as const }))
    })
  }
  return { after: all, all }
}

/** Whether a formula that cannot be parsed can depend on cells of the workbook, not only on another workbook. */
function namesCells(text: string): boolean {
  const rest = text.replace(/'[^']*\[\d+\](?:[^']|'')*'![$\w:]+|\[\d+\][\p{L}\p{N}_.]*![$\w:]+/gu, '')
  return /[\p{L}[]/u.test(rest.replace(/"(?:[^"]|"")*"/g, ''))
}

function contentOf(value: Value): Content {
  if (value === undefined) return { kind: 'number', value: 0 }
  if (value instanceof CellError) return { kind: 'error', value: value.code }
  if (typeof value === 'number') return { kind: 'number', value }
  return typeof value === 'boolean' ? { kind: 'boolean', value } : { kind: 'text', value }
}
