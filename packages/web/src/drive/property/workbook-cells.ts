// Computes the cells of a workbook that differ between two versions.
import type { ItemRecord, SheetBody, Sheets } from '@cloudoc/contract'
import { api } from '../../core/call/api.ts'
import { previewAddress } from '../../viewing/rendition/preview-addresses.ts'
import { openRendition } from '../../viewing/rendition/rendition.ts'
import { waitForRendition } from '../../viewing/rendition/wait-for-rendition.ts'

/** The cell texts by address, grouped by sheet in sheet order. */
export type WorkbookCells = ReadonlyMap<string, ReadonlyMap<string, string>>

export interface CellChange {
  readonly sheet: string
  readonly cell: string
  readonly before: string
  readonly after: string
}

/** Reads the cells of a version. Waits while its rendition is generated. */
export async function readWorkbookCells(
  { serverId, fId }: Pick<ItemRecord, 'serverId' | 'fId'>,
  version: number,
  signal: AbortSignal,
): Promise<WorkbookCells> {
  const { url, previewKey } = await previewAddress({ serverId, fId, version })
  await waitForRendition(() => api.of({ serverId }).getPreviewStatus({ previewKey }, { quiet: true, signal }), signal)
  const rendition = await openRendition(url)
  try {
    const { sheets } = rendition.body as Sheets
    const book = new Map<string, Map<string, string>>()
    for (const { name, part } of sheets) {
      const { rows } = await rendition.json<SheetBody>(part)
      const cells = new Map<string, string>()
      for (const [row, list] of rows)
        for (const [column, text] of list) if (text !== '') cells.set(`${columnName(column)}${row + 1}`, text)
      book.set(name, cells)
    }
    return book
  } finally {
    rendition.close()
  }
}

/** Returns the spreadsheet name of a column: A, …, Z, AA, … */
export function columnName(column: number): string {
  const rest = Math.floor(column / 26) - 1
  return `${rest >= 0 ? columnName(rest) : ''}${String.fromCharCode(65 + (column % 26))}`
}

/** Returns the different cells, sheet by sheet, in row and column order. */
export function changedCells(before: WorkbookCells, after: WorkbookCells): CellChange[] {
  const changes: CellChange[] = []
  for (const sheet of new Set([...before.keys(), ...after.keys()])) {
    const [old, fresh] = [before.get(sheet) ?? new Map<string, string>(), after.get(sheet) ?? new Map<string, string>()]
    const places = [...new Set([...old.keys(), ...fresh.keys()])].filter((cell) => old.get(cell) !== fresh.get(cell))
    places.sort((a, b) => rowOf(a) - rowOf(b) || a.length - b.length || (a < b ? -1 : 1))
    for (const cell of places) changes.push({ sheet, cell, before: old.get(cell) ?? '', after: fresh.get(cell) ?? '' })
  }
  return changes
}

const rowOf = (cell: string): number => Number(/\d+$/.exec(cell)?.[0])
