// Recomputes the cells of a workbook that depend on changed cells, and only those.
import { type Content, isIn } from './cells.ts'
import { CellError, compute, type Formula, parseFormula, UnsupportedFormula, type Value } from './formula.ts'
import { type CellWrite, columnOf, keyOf, rowOf, type SheetPart } from './sheet-part.ts'

/**
 * The maximum number of formulas to track. A workbook with more formulas is recomputed only by the program that opens
 * it.
 */
const mostFormulas = 100_000
/** References to more cells than this are tested by area, not indexed cell by cell. */
const smallArea = 64

export interface CalculatorPorts {
  readonly sheets: readonly { readonly name: string; readonly part: string }[]
  readonly sheet: (part: string) => SheetPart
  readonly at: (part: string, key: number) => CellWrite
  /** The number of used rows of a sheet. */
  readonly rows: (part: string) => number
  readonly names: ReadonlyMap<string, string>
}

interface Cell {
  readonly part: string
  readonly key: number
  /** Undefined if the formula is not supported by this calculator. */
  readonly formula: Formula | undefined
}

interface Place {
  readonly part: string
  readonly key: number
}

export type Calculator = ReturnType<typeof openCalculator>

/** Indexes the formulas of a workbook. Returns undefined if there are more than `mostFormulas`. */
export function openCalculator({ sheets, sheet, at, rows, names }: CalculatorPorts) {
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
  const take = (part: string, key: number, text: string | undefined): void => {
    const own = cells.get(part) ?? new Map<number, Cell>()
    cells.set(part, own)
    own.delete(key)
    if (text === undefined) return
    const cell: Cell = { part, key, formula: read(text) }
    own.set(key, cell)
    if (cell.formula === undefined && !/\[\d+\]/.test(text)) unknown.add(cell)
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
    // An array formula over several cells is computed only by the program that opens the file.
    const isOfMany = (key: number): boolean =>
      stored.arrays.some(
        (area) => area.bottom - area.top + area.right - area.left > 0 && isIn(area, rowOf(key), columnOf(key)),
      )
    for (const [key, { formula }] of stored.cells) {
      if (formula === undefined || isOfMany(key)) continue
      count++
      if (count > mostFormulas) break
      take(part, key, at(part, key).formula)
    }
  }
  if (count > mostFormulas) return undefined

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

  return {
    /**
     * Returns the new contents after cells have changed. An empty content means that the program that opens the file
     * must compute it.
     */
    after(places: readonly Place[]): { readonly part: string; readonly key: number; readonly content: Content }[] {
      for (const { part, key } of places) take(part, key, at(part, key).formula)
      const own = places.flatMap(({ part, key }) => cells.get(part)?.get(key) ?? [])
      return computed(new Set([...own, ...dependents(places)])).map(({ content = { kind: 'empty' }, ...cell }) => ({
        ...cell,
        content,
      }))
    },
    /** Returns the results of all formulas, without those that only the program that opens the file can compute. */
    all(): { readonly part: string; readonly key: number; readonly content: Content }[] {
      const every = new Set([...cells.values()].flatMap((own) => [...own.values()]))
      return computed(every).flatMap(({ content, ...cell }) => (content === undefined ? [] : [{ ...cell, content }]))
    },
  }

  /** Computes formulas. `content` is undefined if a formula is not supported. */
  function computed(
    affected: ReadonlySet<Cell>,
  ): { readonly part: string; readonly key: number; readonly content: Content | undefined }[] {
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
    const evaluate = ({ part, formula }: Cell): Value => {
      if (formula === undefined) throw new UnsupportedFormula('beyond')
      const on = (name: string | undefined): string => {
        const found = name === undefined ? part : partOf.get(name.toLowerCase())
        if (found === undefined) throw new UnsupportedFormula('another workbook')
        return found
      }
      return compute(formula, {
        rows: (name) => rows(on(name)),
        name: nameOf,
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
        return { part: cell.part, key: cell.key, content: undefined }
      }
      return { part: cell.part, key: cell.key, content: contentOf(value) }
    })
  }
}

function contentOf(value: Value): Content {
  if (value === undefined) return { kind: 'number', value: 0 }
  if (value instanceof CellError) return { kind: 'error', value: value.code }
  if (typeof value === 'number') return { kind: 'number', value }
  return typeof value === 'boolean' ? { kind: 'boolean', value } : { kind: 'text', value }
}
