// What goes out of a grid and into it in one go: what is copied, pasted and cleared.
import type { Area, Entry } from '@cloudoc/office/cells'
import { fromTabs, type GridModel, isOut, type Selection, toTabs } from './grid-model.ts'

/** What was copied here last: as it is shown, and as it was typed. */
export interface Copied {
  readonly text: string
  readonly typed: readonly (readonly string[])[]
  readonly row: number
  readonly column: number
}

/** The cells of an area, as far as there is anything. */
function tableOf(model: GridModel, area: Area, of: (row: number, column: number) => string): string[][] {
  const { rows, columns } = model.extent()
  const made: string[][] = []
  for (let row = area.top; row <= Math.min(area.bottom, Math.max(area.top, rows)); row++) {
    if (isOut(model, row)) continue
    const line: string[] = []
    for (let column = area.left; column <= Math.min(area.right, Math.max(area.left, columns)); column++) {
      line.push(of(row, column))
    }
    made.push(line)
  }
  return made
}

/** What an area is in the clipboard. */
export const copiedFrom = (model: GridModel, area: Area): Copied => ({
  text: toTabs(tableOf(model, area, (row, column) => model.shown(row, column).text)),
  typed: tableOf(model, area, model.typed),
  row: area.top,
  column: area.left,
})

/** What takes away what is in an area. */
export function cleared(model: GridModel, area: Area): Entry[] {
  const { rows, columns } = model.extent()
  const entries: Entry[] = []
  for (let row = area.top; row <= Math.min(area.bottom, rows); row++) {
    if (isOut(model, row)) continue
    for (let column = area.left; column <= Math.min(area.right, columns); column++) {
      if (model.typed(row, column) !== '') entries.push({ row, column, text: '' })
    }
  }
  return entries
}

/** What a text from the clipboard puts into an area; what was copied here comes as it was typed, moved along. */
export function pasted(
  model: GridModel,
  area: Area,
  text: string,
  last: Copied | undefined,
): { readonly entries: Entry[]; readonly selection: Selection } {
  const own = last?.text === text ? last : undefined
  const cells = own?.typed ?? fromTabs(text)
  const [height, width] = [cells.length, Math.max(...cells.map((row) => row.length))]
  // One that fits several times is repeated.
  const times = (size: number, room: number): number => (room % size === 0 ? room / size : 1)
  const [down, across] = [times(height, area.bottom - area.top + 1), times(width, area.right - area.left + 1)]
  const entries: Entry[] = []
  for (let row = 0; row < height * down; row++) {
    for (let column = 0; column < width * across; column++) {
      const typed = cells[row % height]?.[column % width] ?? ''
      const [toRow, toColumn] = [area.top + row, area.left + column]
      if (toRow >= model.mostRows || toColumn >= model.mostColumns) continue
      const moved =
        own === undefined
          ? typed
          : model.moved(typed, toRow - own.row - (row % height), toColumn - own.column - (column % width))
      entries.push({ row: toRow, column: toColumn, text: moved })
    }
  }
  const { top, left } = area
  return {
    entries,
    selection: { row: top, column: left, toRow: top + height * down - 1, toColumn: left + width * across - 1 },
  }
}
