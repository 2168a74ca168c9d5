// Decodes text of unknown encoding. A byte order mark decides first, valid UTF-8 is UTF-8, and everything else is
// GB18030, which contains GBK and GB2312, the long-time encodings of Chinese Windows.

/** Available in Node and in browsers. */
declare class TextDecoder {
  constructor(encoding: string, options?: { readonly fatal?: boolean })
  decode(bytes: Uint8Array, options?: { readonly stream?: boolean }): string
}

/** Maximum bytes of a text that are shown. */
export const maxPreviewTextBytes = 1024 * 1024

/** Decodes a text. With `cut` the bytes may end inside a character; the partial character is left out. */
export function decodeText(bytes: Uint8Array, cut: boolean): { text: string; encoding: string } {
  const encoding = encodingOf(bytes, cut)
  const text = new TextDecoder(encoding).decode(bytes, { stream: cut })
  return { text, encoding }
}

function encodingOf(bytes: Uint8Array, cut: boolean): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut })
    return 'utf-8'
  } catch {
    return 'gb18030'
  }
}

/** Parses a CSV or TSV text with quoting as in RFC 4180; reads at most `maxRows` rows. */
export function parseTable(text: string, separator: string, maxRows: number): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  const endRow = (): void => {
    row.push(cell)
    cell = ''
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  for (let i = 0; i < text.length && rows.length < maxRows; i++) {
    const c = text[i]
    if (quoted) {
      if (c !== '"') cell += c
      else if (text[i + 1] === '"') {
        cell += '"'
        i++
      } else quoted = false
    } else if (c === '"' && cell === '') quoted = true
    else if (c === separator) {
      row.push(cell)
      cell = ''
    } else if (c === '\n') endRow()
    else if (c !== '\r') cell += c
  }
  if ((cell !== '' || row.length > 0) && rows.length < maxRows) endRow()
  return rows
}
