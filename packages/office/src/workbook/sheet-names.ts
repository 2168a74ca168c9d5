// Sheet names: validation, quoting in formulas, and rewriting of formulas after a sheet is renamed or deleted.

/** Why a sheet name is not valid. */
export type NameFault = 'empty' | 'long' | 'letters' | 'taken'

const longestName = 31
/** The reserved name of the change history sheet of a shared workbook. */
const reservedName = 'history'

export const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Validates a name against the names of the other sheets. */
export function nameFault(name: string, others: readonly string[]): NameFault | undefined {
  if (name.trim() === '') return 'empty'
  if (name.length > longestName) return 'long'
  if (/[\\/?*:[\]\p{Cc}]/u.test(name) || name.startsWith("'") || name.endsWith("'")) return 'letters'
  return isSameName(name, reservedName) || others.some((other) => isSameName(name, other)) ? 'taken' : undefined
}

const word = String.raw`[\p{L}_][\p{L}\p{N}_.]*`
const plain = new RegExp(`^${word}$`, 'u')
/** Names that would be parsed as something else without quotes. */
const another = /^(?:[a-z]{1,3}\d{1,7}|r\d*(?:c\d*)?|c\d*|true|false)$/i

/** Quotes a name for a formula if necessary. */
export const quotedName = (name: string): string =>
  plain.test(name) && !another.test(name) ? name : `'${name.replaceAll("'", "''")}'`

/** Matches a sheet prefix in a formula with what follows: an area, a name, or an error. */
const sheetReference = new RegExp(
  [
    '"(?:[^"]|"")*"',
    '#[A-Z/0]+[!?]?',
    // References to another file, and table columns.
    String.raw`\[[^\]]*\](?:${word}!)?`,
    String.raw`(?:'(?<quoted>(?:[^']|'')+)'|(?<bare>${word}(?::${word})?))!(?<of>\$?[A-Za-z]{1,3}\$?\d{1,7}(?::\$?[A-Za-z]{1,3}\$?\d{1,7})?(?![\p{L}\p{N}_.])|\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}(?![\p{L}\p{N}_.])|\$?\d{1,7}:\$?\d{1,7}|${word}|#[A-Z/0]+[!?]?)?`,
    word,
  ].join('|'),
  'gu',
)

/**
 * Rewrites the sheet names in a formula. `by` returns the new first and last sheet of a sheet range (usually the same
 * sheet), `gone`, or undefined for no change.
 */
function rewritten(
  formula: string,
  by: (first: string, last: string) => readonly [first: string, last: string] | 'gone' | undefined,
): string {
  if (!formula.includes('!')) return formula
  return formula.replace(sheetReference, (whole, ...rest) => {
    const { quoted, bare, of = '' } = rest.at(-1) as { quoted?: string; bare?: string; of?: string }
    const names = quoted?.replaceAll("''", "'") ?? bare
    if (names === undefined || names.includes('[')) return whole
    const [first = '', last = first] = names.split(':')
    const made = by(first, last)
    if (made === undefined) return whole
    if (made === 'gone') return '#REF!'
    const [from, to] = made
    if (from === to) return `${quotedName(from)}!${of}`
    const [a, b] = [quotedName(from), quotedName(to)]
    const both = a.startsWith("'") || b.startsWith("'") ? `'${`${from}:${to}`.replaceAll("'", "''")}'` : `${a}:${b}`
    return `${both}!${of}`
  })
}

/** Rewrites a formula after a sheet is renamed. */
export function renamedFormula(formula: string, before: string, after: string): string {
  const now = (name: string): string => (isSameName(name, before) ? after : name)
  return rewritten(formula, (first, last) => {
    const made = [now(first), now(last)] as const
    return made[0] === first && made[1] === last ? undefined : made
  })
}

/** Rewrites a formula after a sheet is deleted; `order` contains all sheet names, including the deleted one. */
export function formulaWithoutSheet(formula: string, gone: string, order: readonly string[]): string {
  const placeOf = (name: string): number => order.findIndex((one) => isSameName(one, name))
  return rewritten(formula, (first, last) => {
    if (!isSameName(first, gone) && !isSameName(last, gone)) return undefined
    if (isSameName(first, last)) return 'gone'
    // A sheet range is reduced to the remaining sheets.
    const step = placeOf(first) < placeOf(last) ? 1 : -1
    const [from, to] = [
      isSameName(first, gone) ? (order[placeOf(first) + step] ?? '') : first,
      isSameName(last, gone) ? (order[placeOf(last) - step] ?? '') : last,
    ]
    return [from, to]
  })
}

/** Whether a formula references a sheet. */
export const refersToSheet = (formula: string, name: string): boolean =>
  formulaWithoutSheet(formula, name, [name]) !== formula
