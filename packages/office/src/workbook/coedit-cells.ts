/*
 * The cells of a co-edited workbook: by part and address, each with its last written value. They form one map, which
 * can be applied to any version of the file, also to one that already contains some of the values.
 */
import { isCellFormatting } from './cell-formatting.ts'
import { type Content, parseRef } from './cells.ts'
import type { CellWrite } from './sheet-part.ts'

/** A value written to a cell. */
export type CoeditCell = readonly [part: string, ref: string, written: CellWrite]

const maxTextLength = 32_767
const maxPartLength = 255
/** The format allows no more styles. A style that does not exist changes nothing. */
const maxStyles = 65_536

/** The map key of a cell. */
export const cellKey = (part: string, ref: string): string => `${part}\n${ref}`

/** Parses a map key; undefined if it is not valid. */
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

/** Type guard for a value that can be written to a cell. */
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

/** The approximate size of a cell in characters. */
export const lengthOfCell = ({ content, formula = '', look }: CellWrite): number =>
  16 +
  formula.length +
  (look === undefined ? 0 : JSON.stringify(look).length) +
  ('value' in content ? String(content.value).length : 0)

/** The valid cells of a map; invalid entries are left out. */
export function coeditCells(entries: Iterable<readonly [string, unknown]>): CoeditCell[] {
  return [...entries].flatMap(([name, written]): CoeditCell[] => {
    const cell = parseCellKey(name)
    return cell === undefined || !isCellWrite(written) ? [] : [[cell.part, cell.ref, written]]
  })
}
