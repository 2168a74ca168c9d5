/*
 * The cells of a workbook that several people write in: by part and address, each with what was written into it last. They
 * are one map, which can be written over any version of the file that has some of them already.
 */
import { isCellFormatting } from './cell-formatting.ts'
import { type Content, parseRef } from './cells.ts'
import type { CellWrite } from './sheet-part.ts'

/** What was written into a cell. */
export type CoeditCell = readonly [part: string, ref: string, written: CellWrite]

const maxTextLength = 32_767
const maxPartLength = 255
/** More cannot be in a workbook; one that is not there changes nothing. */
const maxStyles = 65_536

/** Under which name a cell stands in the map. */
export const cellKey = (part: string, ref: string): string => `${part}\n${ref}`

/** The cell of a name; undefined for what is none. */
export function parseCellKey(name: string): { readonly part: string; readonly ref: string } | undefined {
  const [part = '', ref = '', ...more] = name.split('\n')
  const isOne = part !== '' && part.length <= maxPartLength && more.length === 0 && /^[A-Z]{1,3}[1-9]\d{0,6}$/.test(ref)
  return isOne && parseRef(ref) !== undefined ? { part, ref } : undefined
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= maxTextLength

function isContent(value: unknown): value is Content {
  if (typeof value !== 'object' || value === null) return false
  const { kind, value: own, ...more } = value as Record<string, unknown>
  if (Object.keys(more).length > 0) return false
  if (kind === 'empty') return own === undefined
  if (kind === 'number') return Number.isFinite(own)
  return kind === 'boolean' ? typeof own === 'boolean' : (kind === 'text' || kind === 'error') && isText(own)
}

/** Whether that can be written into a cell. */
export function isCellWrite(value: unknown): value is CellWrite {
  if (typeof value !== 'object' || value === null) return false
  const { content, formula, base, format, look, ...more } = value as Record<string, unknown>
  return (
    Object.keys(more).length === 0 &&
    isContent(content) &&
    (formula === undefined || isText(formula)) &&
    (look === undefined || isCellFormatting(look)) &&
    (base === undefined || (Number.isInteger(base) && Number(base) >= 0 && Number(base) < maxStyles)) &&
    (format === undefined || (Number.isInteger(format) && Number(format) >= 0 && Number(format) < 164))
  )
}

/** About how many characters a cell takes. */
export const lengthOfCell = ({ content, formula = '', look }: CellWrite): number =>
  16 +
  formula.length +
  (look === undefined ? 0 : JSON.stringify(look).length) +
  ('value' in content ? String(content.value).length : 0)

/** The cells of a map; what is none is left out. */
export function coeditCells(entries: Iterable<readonly [string, unknown]>): CoeditCell[] {
  return [...entries].flatMap(([name, written]): CoeditCell[] => {
    const cell = parseCellKey(name)
    return cell === undefined || !isCellWrite(written) ? [] : [[cell.part, cell.ref, written]]
  })
}
