/*
 * An editable delimited table (CSV, TSV). Each field is stored as raw text including its quotes, so that unedited
 * fields are written back unchanged.
 */

/** A row: its raw fields and its line ending. */
export interface DelimitedRow {
  readonly fields: readonly string[]
  readonly end: string
}

/** Maximum size of a table for grid editing; larger ones are edited as text. */
export const maxEditedTableBytes = 5 * 1024 * 1024

const delimiters = [',', ';', '\t', '|'] as const
/** Number of characters examined to detect the delimiter. */
const looked = 20_000

/**
 * Detects the delimiter: one that gives all of the first lines the same number of fields, otherwise the default of the
 * extension.
 */
export function delimiterOf(text: string, ext: string): string {
  const usual = ext === 'tsv' ? '\t' : ','
  const said = /^sep=(.)(?:\r|\n|$)/i.exec(text)?.[1]
  if (said !== undefined) return said
  const head = text.slice(0, looked)
  const most = (delimiter: string): number => {
    const rows = readRows(head, delimiter, 30).filter(({ fields }) => fields.join('') !== '')
    if (head.length < text.length) rows.pop()
    const counts = rows.map(({ fields }) => fields.length)
    return counts.length > 0 && counts.every((count) => count === counts[0]) ? (counts[0] ?? 1) : 1
  }
  if (most(usual) > 1) return usual
  const found = delimiters.map((delimiter) => ({ delimiter, fields: most(delimiter) }))
  const best = found.reduce((a, b) => (b.fields > a.fields ? b : a))
  return best.fields > 1 ? best.delimiter : usual
}

export function readDelimited(text: string, delimiter: string): DelimitedRow[] {
  return readRows(text, delimiter, Number.POSITIVE_INFINITY)
}

/**
 * Returns the values of a table for display, up to `mostRows` rows. A first line `sep=;` only names the delimiter and is
 * no row, as in spreadsheet programs; an empty line is a row without values, so that the numbers of the rows are right.
 */
export function tableValues(text: string, ext: string, mostRows: number): string[][] {
  const rows = readRows(text.replace(/^sep=.(?:\r\n?|\n|$)/i, ''), delimiterOf(text, ext), mostRows)
  return rows.map(({ fields }) => (fields.length === 1 && fields[0] === '' ? [] : fields.map(fieldText)))
}

/** Serializes a table; unedited fields are unchanged. */
export function writeDelimited(rows: readonly DelimitedRow[], delimiter: string): string {
  return rows.map(({ fields, end }) => fields.join(delimiter) + end).join('')
}

function readRows(text: string, delimiter: string, most: number): DelimitedRow[] {
  const rows: DelimitedRow[] = []
  const next = new RegExp(`[\\r\\n${delimiter.replace(/[\\\]^-]/g, '\\$&')}]`, 'g')
  // A quote that is never closed is an ordinary character.
  const lastQuote = text.lastIndexOf('"')
  let at = 0
  while (at < text.length && rows.length < most) {
    const fields: string[] = []
    for (let end = ''; end === ''; ) {
      const from = at
      if (text[at] === '"') at = behindQuotes(text, at, lastQuote)
      next.lastIndex = at
      const stop = next.exec(text)?.index ?? text.length
      fields.push(text.slice(from, stop))
      at = stop + 1
      if (text[stop] === delimiter) continue
      end = stop === text.length ? 'none' : text.startsWith('\r\n', stop) ? '\r\n' : (text[stop] ?? '')
      at = stop + (end === 'none' ? 0 : end.length)
      rows.push({ fields, end: end === 'none' ? '' : end })
    }
  }
  return rows
}

/** Returns the position after the closing quote; `from` if the quote is never closed. */
function behindQuotes(text: string, from: number, lastQuote: number): number {
  for (let at = from + 1; at <= lastQuote; at++) {
    at = text.indexOf('"', at)
    if (at < 0) return from
    if (text[at + 1] !== '"') return at + 1
    at++
  }
  return from
}

/** Returns the value of a raw field. */
export function fieldText(field: string): string {
  if (!field.startsWith('"')) return field
  const end = behindQuotes(field, 0, field.length)
  return end === 0 ? field : field.slice(1, end - 1).replaceAll('""', '"') + field.slice(end)
}

/** Encodes a value as a raw field. It is quoted if necessary, or if the field that it replaces was quoted. */
export function fieldOf(text: string, delimiter: string, before = ''): string {
  const isQuoted = before.startsWith('"') || text.includes(delimiter) || /["\r\n]/.test(text)
  return isQuoted ? `"${text.replaceAll('"', '""')}"` : text
}
