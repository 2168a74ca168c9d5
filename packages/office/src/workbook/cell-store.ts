// The cells of an edited workbook: the stored ones, the changes to them, and the computed results of formulas.
import { type Calculator, openCalculator } from './calculator.ts'
import type { Worn } from './cell-comparison.ts'
import type { Content } from './cells.ts'
import { builtInFormats } from './read-cell-styles.ts'
import type { StoredWorkbook } from './read-workbook.ts'
import { type CellWrite, columnOf, rowOf } from './sheet-part.ts'

export type CellStore = ReturnType<typeof openCellStore>

export function openCellStore({ sheets, sheet, contentOf, looks, since1904, definedNames }: StoredWorkbook) {
  /** The changes to cells by part, also if they equal the stored value. */
  const over = new Map<string, Map<number, CellWrite>>()
  const computed = new Map<string, Map<number, Content>>()
  let calculator: Calculator | undefined

  const storedAt = (path: string, key: number): CellWrite => {
    const stored = sheet(path)
    const cell = stored.cells.get(key)
    const formula = stored.formulaOf(key)
    return {
      content: cell === undefined ? { kind: 'empty' } : contentOf(cell),
      ...(formula === undefined ? {} : { formula }),
    }
  }
  const at = (path: string, key: number): CellWrite => {
    const own = over.get(path)?.get(key)
    const found = own ?? storedAt(path, key)
    // Cells of an array formula have results without a formula of their own; they cannot be written.
    if (found.formula === undefined && own !== undefined) return found
    const content = computed.get(path)?.get(key)
    return content === undefined ? found : { ...found, content }
  }
  const extentOf = (path: string): { readonly rows: number; readonly columns: number } => {
    const { rows, columns } = sheet(path)
    const keys = [...(over.get(path)?.keys() ?? [])]
    return {
      rows: keys.reduce((most, key) => Math.max(most, rowOf(key) + 1), rows),
      columns: keys.reduce((most, key) => Math.max(most, columnOf(key) + 1), columns),
    }
  }
  const follow = (): Calculator => {
    calculator ??= openCalculator({
      sheets: sheets.filter(({ hasCells }) => hasCells),
      sheet,
      at,
      rows: (path) => extentOf(path).rows,
      since1904,
      names: definedNames(),
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
  const styleAt = (path: string, key: number): number => {
    const base = over.get(path)?.get(key)?.base
    return base !== undefined && looks.cells[base] !== undefined ? base : sheet(path).styleOf(key)
  }
  const lookAt = (path: string, key: number) => looks.cells[styleAt(path, key)]

  return {
    over: over as ReadonlyMap<string, ReadonlyMap<number, CellWrite>>,
    /** The change to a cell. */
    overAt: (path: string, key: number): CellWrite | undefined => over.get(path)?.get(key),
    storedAt,
    at,
    put: (path: string, key: number, written: CellWrite): void => {
      const cells = over.get(path)
      if (cells === undefined) over.set(path, new Map([[key, written]]))
      else cells.set(key, written)
    },
    /** The used extent of a sheet, including changes. */
    extentOf,
    lookAt,
    /** The number format code of a cell. */
    codeAt(path: string, key: number): string {
      const own = over.get(path)?.get(key)?.format
      return own === undefined ? (lookAt(path, key)?.code ?? 'General') : (builtInFormats[own] ?? 'General')
    },
    wornAt(path: string, key: number): Worn {
      const { format, look } = over.get(path)?.get(key) ?? {}
      return { base: styleAt(path, key), ...(format !== undefined && { format }), ...(look !== undefined && { look }) }
    },
    /** Recomputes the formulas that depend on changed cells. */
    computeAfter(places: readonly { readonly part: string; readonly key: number }[]): void {
      if (places.length > 0) takeComputed(follow().after(places))
    },
    computeAll: (): void => takeComputed(follow().all()),
    /** The parts with changes or computed results, and the keys of these cells. */
    touchedParts: (): ReadonlySet<string> => new Set([...over.keys(), ...computed.keys()]),
    touchedKeys: (path: string): ReadonlySet<number> =>
      new Set([...(over.get(path)?.keys() ?? []), ...(computed.get(path)?.keys() ?? [])]),
  }
}
