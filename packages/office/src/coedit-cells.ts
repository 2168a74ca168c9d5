/*
 * The cells of a workbook that several people write in: by part and address, each with what was written into it last. They
 * are one map, which can be written over any version of the file that has some of them already.
 */
import { isLook } from './cell-formatting.ts'
import { type Content, placeOf } from './cells.ts'
import type { Written } from './sheet-part.ts'

/** What was written into a cell. */
export type SharedCell = readonly [part: string, ref: string, written: Written]

const longestText = 32_767
const longestPart = 255
/** More cannot be in a workbook; one that is not there changes nothing. */
const mostStyles = 65_536

/** Under which name a cell stands in the map. */
export const cellName = (part: string, ref: string): string => `${part}\n${ref}`

/** The cell of a name; undefined for what is none. */
export function cellNamed(name: string): { readonly part: string; readonly ref: string } | undefined {
  const [part = '', ref = '', ...more] = name.split('\n')
  const isOne = part !== '' && part.length <= longestPart && more.length === 0 && /^[A-Z]{1,3}[1-9]\d{0,6}$/.test(ref)
  return isOne && placeOf(ref) !== undefined ? { part, ref } : undefined
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= longestText

function isContent(value: unknown): value is Content {
  if (typeof value !== 'object' || value === null) return false
  const { kind, value: own, ...more } = value as Record<string, unknown>
  if (Object.keys(more).length > 0) return false
  if (kind === 'empty') return own === undefined
  if (kind === 'number') return Number.isFinite(own)
  return kind === 'boolean' ? typeof own === 'boolean' : (kind === 'text' || kind === 'error') && isText(own)
}

/** Whether that can be written into a cell. */
export function isWritten(value: unknown): value is Written {
  if (typeof value !== 'object' || value === null) return false
  const { content, formula, base, format, look, ...more } = value as Record<string, unknown>
  return (
    Object.keys(more).length === 0 &&
    isContent(content) &&
    (formula === undefined || isText(formula)) &&
    (look === undefined || isLook(look)) &&
    (base === undefined || (Number.isInteger(base) && Number(base) >= 0 && Number(base) < mostStyles)) &&
    (format === undefined || (Number.isInteger(format) && Number(format) >= 0 && Number(format) < 164))
  )
}

/** About how many characters a cell takes. */
export const lengthOfCell = ({ content, formula = '', look }: Written): number =>
  16 +
  formula.length +
  (look === undefined ? 0 : JSON.stringify(look).length) +
  ('value' in content ? String(content.value).length : 0)

/** The cells of a map; what is none is left out. */
export function sharedCells(entries: Iterable<readonly [string, unknown]>): SharedCell[] {
  return [...entries].flatMap(([name, written]): SharedCell[] => {
    const cell = cellNamed(name)
    return cell === undefined || !isWritten(written) ? [] : [[cell.part, cell.ref, written]]
  })
}
