// Reader of workbooks before 2007.
import type { SheetBody, SheetCell, Sheets } from '@cloudoc/contract'
import { type Book, read, type Sheet } from '@e965/xlsx'
import { Refused } from '../refusal.ts'
import { openOle, readerOfOther } from './ole.ts'
import type { Hidden, Reader } from './reader.ts'
import { isOle } from './zip.ts'

/** Numbers are right-aligned by default. */
const numberStyle = 1

export const readXls: Reader = async (reading) => {
  const { bytes, parts, mostCells, hidden } = reading
  const other = await readerOfOther(bytes, async () => (await import('./xlsx.ts')).readXlsx)
  if (other !== undefined) return other(reading)
  if (isOle(bytes)) openOle(bytes)
  let book: Book
  try {
    book = read(bytes, { type: 'buffer', dense: true, cellFormula: false, cellHTML: false, cellStyles: true })
  } catch (error) {
    throw new Refused(/password|encrypt/i.test(String(error)) ? 'sourceEncrypted' : 'conversionFailed', String(error))
  }
  let left = mostCells
  let cut = false
  const take = (sheet: Sheet): Omit<SheetBody, 'images'> & { readonly columns: number } => {
    const rows: [number, SheetCell[]][] = []
    let columns = 0
    for (const [r, row] of (sheet['!data'] ?? []).entries()) {
      const cells: SheetCell[] = []
      for (const [c, cell] of (row ?? []).entries()) {
        const text = cell?.w ?? (cell?.v === undefined ? '' : String(cell.v))
        if (cell === undefined || text === '') continue
        if (left <= 0) {
          cut = true
          break
        }
        left -= 1
        cells.push(cell.t === 'n' ? [c, text, numberStyle, 'formatted'] : [c, text, 0])
        columns = Math.max(columns, c + 1)
      }
      if (cells.length > 0) rows.push([r, cells])
    }
    const sizes = (
      list: readonly ({ readonly wpx?: number; readonly hpx?: number; readonly hidden?: boolean } | undefined)[],
    ): Record<number, number> =>
      Object.fromEntries(
        list.flatMap((one, n) => {
          const size = one?.hidden === true ? 0 : (one?.wpx ?? one?.hpx)
          return size === undefined ? [] : [[n, Math.min(1000, size)]]
        }),
      )
    const merges = (sheet['!merges'] ?? []).slice(0, 20_000).map(({ s, e }) => [s.r, s.c, e.r, e.c] as const)
    return { rows, widths: sizes(sheet['!cols'] ?? []), heights: sizes(sheet['!rows'] ?? []), merges, columns }
  }
  const isShown = (n: number): boolean => (book.Workbook?.Sheets?.[n]?.Hidden ?? 0) === 0
  const shown = book.SheetNames.filter((_, n) => isShown(n))
  const sheets: Sheets['sheets'] = shown.flatMap((name) => {
    const sheet = book.Sheets[name]
    if (sheet === undefined) return []
    const { columns, ...body } = take(sheet)
    const part = parts.json({ ...body, images: [] } satisfies SheetBody)
    return [{ name, part, rows: (body.rows.at(-1)?.[0] ?? -1) + 1, columns, frozen: [0, 0] }]
  })
  if (hidden !== undefined)
    for (const [n, name] of book.SheetNames.entries()) reportHidden(hidden, name, book.Sheets[name], isShown(n))
  if (sheets.length === 0) throw new Refused('conversionFailed', 'no sheet in it')
  return { kind: 'sheets', sheets, styles: [{}, { align: 'end' }], cut }
}

/** Tells the cells of a hidden sheet, and the comments on cells. */
function reportHidden(hidden: Hidden, name: string, sheet: Sheet | undefined, isShown: boolean): void {
  const cells: [number, number, string][] = []
  const comments: [number, number, string][] = []
  for (const [r, row] of (sheet?.['!data'] ?? []).entries())
    for (const [c, cell] of (row ?? []).entries()) {
      const text = cell?.w ?? (cell?.v === undefined ? '' : String(cell.v))
      if (!isShown && text !== '') cells.push([r, c, text])
      for (const { t = '' } of cell?.c ?? []) if (t !== '') comments.push([r, c, t])
    }
  const own = { kind: 'sheet', name, text: '' } as const
  if (cells.length > 0) hidden.add({ ...own, place: 'hidden', cells })
  if (comments.length > 0) hidden.add({ ...own, place: 'comment', cells: comments })
}
