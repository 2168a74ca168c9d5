// Text, code and tables as text.
import type { PlainText, SheetBody, SheetCell, Sheets } from '@cloudoc/contract'
import { decodeText, maxPreviewTextBytes, tableValues, textEncodings } from '@cloudoc/domain'
import type { Reader } from './reader.ts'

/** Maximum bytes of a text that is shown. */
const mostText = 4 * 1024 * 1024
const mostTable = 64 * 1024 * 1024
const mostRows = 1_048_576
/** Maximum width of a column, in characters. */
const widest = 40

const isWide = (char: string): boolean => char > '⺀'

export const readText: Reader = ({ bytes, ext, parts }): PlainText => {
  const cut = bytes.length > mostText
  const start = bytes.subarray(0, mostText)
  const { text, encoding, hasErrors, isGuess } = decodeText(start, cut)
  const part = parts.text(text)
  // Whoever has the preview only has no bytes to decode in another encoding.
  const others = textEncodings.flatMap((other) => {
    if (!isGuess || other === encoding) return []
    const decoded = decodeText(start.subarray(0, maxPreviewTextBytes), start.length > maxPreviewTextBytes, other)
    return [{ encoding: other, part: parts.text(decoded.text), hasErrors: decoded.hasErrors }]
  })
  return { kind: 'text', part, encoding, hasErrors, ...(isGuess && { others }), language: ext, cut }
}

export const readTable: Reader = ({ bytes, ext, parts, mostCells }): Sheets => {
  const { text } = decodeText(bytes.subarray(0, mostTable), bytes.length > mostTable)
  const table = tableValues(text, ext, mostRows + 1)
  let left = mostCells
  const shown = table.findIndex((row) => {
    left -= row.length
    return left < 0
  })
  const kept = table.slice(0, shown < 0 ? mostRows : Math.min(shown, mostRows))
  const widths: Record<number, number> = {}
  for (const row of kept.slice(0, 500)) {
    for (const [n, cell] of row.entries()) {
      let length = 0
      for (const char of cell.slice(0, widest)) length += isWide(char) ? 2 : 1
      widths[n] = Math.max(widths[n] ?? 64, Math.min(widest, length) * 7 + 14)
    }
  }
  const rows = kept.flatMap((row, n) =>
    row.length === 0 ? [] : [[n, row.map((cell, column): SheetCell => [column, cell, 0])] as const],
  )
  const columns = kept.reduce((most, row) => Math.max(most, row.length), 0)
  const part = parts.json({ rows, widths, heights: {}, merges: [], images: [] } satisfies SheetBody)
  const cut = kept.length < table.length || bytes.length > mostTable
  return {
    kind: 'sheets',
    sheets: [{ name: ext.toUpperCase(), part, rows: kept.length, columns, frozen: [1, 0] }],
    styles: [{}],
    cut,
  }
}
