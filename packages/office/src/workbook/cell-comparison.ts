// Comparing cells with changes to them.
import type { CellFormatting } from './cell-formatting.ts'
import { type CellWrite, changesFormatting } from './sheet-part.ts'

/** Whether a cell equals a change; the result of a formula is not compared. */
export function isEqual(a: CellWrite, b: CellWrite): boolean {
  return a.formula === b.formula && (a.formula !== undefined || isEqualContent(a, b)) && isEqualLook(a, b)
}

/** Whether formulas that read a cell come to the same after a change, such as one of its formatting. */
export const isEqualInput = (a: CellWrite, b: CellWrite): boolean =>
  a.formula === b.formula && (a.formula !== undefined || isEqualContent(a, b))

/** The style of a cell, and the formatting changes on top of it. */
export type Worn = Pick<CellWrite, 'base' | 'format' | 'look'>

export const isEqualWorn = (a: Worn, b: Worn): boolean =>
  a.base === b.base && a.format === b.format && isEqualLook(a, b)

export const isEqualContent = (a: CellWrite, b: CellWrite): boolean =>
  JSON.stringify(a.content) === JSON.stringify(b.content)

/** Compares formatting independent of property order. */
const isEqualLook = ({ look: a = {} }: Pick<CellWrite, 'look'>, { look: b = {} }: Pick<CellWrite, 'look'>): boolean =>
  [...new Set([...Object.keys(a), ...Object.keys(b)] as (keyof CellFormatting)[])].every((name) => a[name] === b[name])

export function isSame(a: CellWrite, b: CellWrite): boolean {
  return a.formula === b.formula && !changesFormatting(a) && isEqualContent(a, b)
}
