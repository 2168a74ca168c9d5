// Selecting cells while typing a formula: the reference is inserted where the next operand is expected.
import { type Area, areaOf, refOf } from '@cloudoc/office/workbook'
import type { Selection } from './grid-model.ts'

/** The last inserted reference, and its position in the formula. */
export interface Pointed {
  readonly from: number
  readonly to: number
  readonly selection: Selection
}

/** Whether a reference is valid at the caret: in a formula, where an operand is missing. */
export const mayPoint = (text: string, caret: number): boolean =>
  text.startsWith('=') &&
  /[=(,;+\-*/^&<>:]\s*$/.test(text.slice(0, caret)) &&
  /^\s*(?:[),;+\-*/^&<>:]|$)/.test(text.slice(caret))

const nameOf = ({ row, column, toRow, toColumn }: Selection): string => {
  const [first, last] = [
    refOf(Math.min(row, toRow), Math.min(column, toColumn)),
    refOf(Math.max(row, toRow), Math.max(column, toColumn)),
  ]
  return first === last ? first : `${first}:${last}`
}

/** Replaces the previously inserted reference with the current one. */
export function pointedAt(
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
  selection: Selection,
): { readonly text: string; readonly pointed: Pointed } {
  const name = nameOf(selection)
  return {
    text: text.slice(0, from) + name + text.slice(to),
    pointed: { from, to: from + name.length, selection },
  }
}

const names =
  /"(?:[^"]|"")*"|'(?:[^']|'')*'![$\w:]*|[\p{L}\w.]+![$\w:]*|(?<![\p{L}\w.$])(\$?[A-Za-z]{1,3}\$?\d{1,7}(?::\$?[A-Za-z]{1,3}\$?\d{1,7})?)(?![\p{L}\w(.!])/gu

/** The ranges on this sheet that a formula references, each once, to highlight while the user types. */
export function namedIn(text: string): { readonly name: string; readonly area: Area }[] {
  if (!text.startsWith('=')) return []
  const found = new Map<string, Area>()
  for (const [, ref] of text.matchAll(names)) {
    const name = ref?.replaceAll('$', '').toUpperCase()
    const area = name === undefined ? undefined : areaOf(name)
    if (name !== undefined && area !== undefined) found.set(name, area)
  }
  return [...found].map(([name, area]) => ({ name, area }))
}

/** Cycles the $ forms of the reference at the caret: A1, $A$1, A$1, $A1. */
export function cycleAbsolute(
  text: string,
  caret: number,
): { readonly text: string; readonly caret: number } | undefined {
  if (!text.startsWith('=')) return undefined
  const one = /\$?[A-Za-z]{1,3}\$?\d{1,7}/.source
  for (const found of text.matchAll(new RegExp(`(?<![\\p{L}\\w.$])${one}(?::${one})?(?![\\p{L}\\w(])`, 'gu'))) {
    const [whole] = found
    if (found.index > caret || found.index + whole.length < caret) continue
    const kind = kinds.findIndex((fixed) => fixed(whole) === whole)
    const next = kinds[(kind + 1) % kinds.length]?.(whole) ?? whole
    return {
      text: text.slice(0, found.index) + next + text.slice(found.index + whole.length),
      caret: found.index + next.length,
    }
  }
  return undefined
}

const fixing = (column: string, row: string) => (name: string) =>
  name.replace(
    /\$?([A-Za-z]{1,3})\$?(\d{1,7})/g,
    (_, letters: string, digits: string) => column + letters + row + digits,
  )
const kinds = [fixing('', ''), fixing('$', '$'), fixing('', '$'), fixing('$', '')] as const
