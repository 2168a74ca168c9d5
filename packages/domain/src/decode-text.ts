// Text of unknown encoding: what is valid UTF-8 is UTF-8, a byte order mark is believed, the rest is GB18030, which
// contains GBK and GB2312, the encodings that Chinese Windows wrote for decades.

/** As servers and browsers have it. */
declare class TextDecoder {
  constructor(encoding: string, options?: { readonly fatal?: boolean })
  decode(bytes: Uint8Array, options?: { readonly stream?: boolean }): string
}

/** The most bytes of a text that are shown. */
export const maxPreviewTextBytes = 1024 * 1024

/** Decodes a text; with `cut` the bytes may end inside a character, which is then left out. */
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

/** The cells of a CSV or TSV text, with quotes as RFC 4180 has them; reads at most `maxRows` rows. */
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
