// Find and replace in a grid.
import type { ReactNode, RefObject } from 'react'
import { FindBar } from './find-bar.tsx'
import type { GridHandle } from './grid/grid.tsx'
import { at, cellsWith, type GridModel, replaceIn } from './grid/grid-model.ts'

interface GridFindProps {
  readonly model: GridModel
  readonly handle: RefObject<GridHandle | null>
  readonly isEditable: boolean
  readonly close: () => void
}

/** The bar. */
export function GridFind({ model, handle, isEditable, close }: GridFindProps): ReactNode {
  const step = (text: string, by: 1 | -1): { at: number; count: number } => {
    const found = cellsWith(model, text)
    const { row, column } = handle.current?.selection() ?? at(0, 0)
    const isBehind = (cell: { row: number; column: number }): boolean =>
      cell.row > row || (cell.row === row && cell.column > column)
    const isBefore = (cell: { row: number; column: number }): boolean =>
      cell.row < row || (cell.row === row && cell.column < column)
    const next = by === 1 ? found.findIndex(isBehind) : found.findLastIndex(isBefore)
    const to = next >= 0 ? next : by === 1 ? 0 : found.length - 1
    const cell = found[to]
    if (cell !== undefined) handle.current?.go(at(cell.row, cell.column))
    return { at: to + 1, count: found.length }
  }
  return (
    <FindBar
      isEditable={isEditable}
      find={step}
      replace={(text, by) => {
        const { row, column } = handle.current?.selection() ?? at(0, 0)
        replaceIn(model, [{ row, column }], text, by)
        return step(text, 1)
      }}
      replaceAll={(text, by) => replaceIn(model, cellsWith(model, text), text, by)}
      close={close}
    />
  )
}
