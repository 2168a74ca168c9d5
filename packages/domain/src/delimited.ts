/*
 * A table as a text with a delimiter (CSV, TSV) that is edited: each field as it stands in the file, quotes and all, so that
 * what was not touched is written back as it was.
 */

/** A line of the table: its fields as they stand in the text, and what ends it. */
export interface DelimitedRow {
  readonly fields: readonly string[]
  readonly end: string
}

/** The largest table that is edited in a grid; larger ones are texts. */
export const maxEditedTableBytes = 5 * 1024 * 1024

const delimiters = [',', ';', '\t', '|'] as const
/** How much of a text says what delimits it. */
const looked = 20_000

/** What stands between the fields of a text: what each of its first lines has alike, else what the format is named after. */
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

/** Reads a table. */
export function readDelimited(text: string, delimiter: string): DelimitedRow[] {
  return readRows(text, delimiter, Number.POSITIVE_INFINITY)
}

/** A table as a text: what was not touched is as it was. */
export function writeDelimited(rows: readonly DelimitedRow[], delimiter: string): string {
  return rows.map(({ fields, end }) => fields.join(delimiter) + end).join('')
}

function readRows(text: string, delimiter: string, most: number): DelimitedRow[] {
  const rows: DelimitedRow[] = []
  const next = new RegExp(`[\\r\\n${delimiter.replace(/[\\\]^-]/g, '\\$&')}]`, 'g')
  // A quote that nothing closes is one like other letters.
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

/** Behind the quote that closes the one there; there, where none does. */
function behindQuotes(text: string, from: number, lastQuote: number): number {
  for (let at = from + 1; at <= lastQuote; at++) {
    at = text.indexOf('"', at)
    if (at < 0) return from
    if (text[at + 1] !== '"') return at + 1
    at++
  }
  return from
}

/** What a field says. */
export function fieldText(field: string): string {
  if (!field.startsWith('"')) return field
  const end = behindQuotes(field, 0, field.length)
  return end === 0 ? field : field.slice(1, end - 1).replaceAll('""', '"') + field.slice(end)
}

/** A field that says something: in quotes where it needs them, or where the one that it takes the place of had them. */
export function fieldOf(text: string, delimiter: string, before = ''): string {
  const isQuoted = before.startsWith('"') || text.includes(delimiter) || /["\r\n]/.test(text)
  return isQuoted ? `"${text.replaceAll('"', '""')}"` : text
}
