// Find and replace in a grid, or in all sheets of a workbook.
import { type ReactNode, type RefObject, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { FindBar } from '../shared/find-bar.tsx'
import { cellSelection, cellsWith, type GridModel, replaceIn } from './grid-model.ts'
import type { GridHandle } from './use-grid-handle.ts'

/** The other sheets of the workbook. */
interface Elsewhere {
  readonly here: string
  readonly count: number
  readonly models: () => readonly (readonly [part: string, model: GridModel])[]
  readonly turnTo: (part: string) => void
}

interface GridFindProps {
  readonly model: GridModel
  readonly handle: RefObject<GridHandle | null>
  readonly isEditable: boolean
  readonly elsewhere?: Elsewhere
  readonly close: () => void
}

export function GridFind({ model, handle, isEditable, elsewhere, close }: GridFindProps): ReactNode {
  const t = useT()
  const [isEverywhere, setEverywhere] = useState(false)
  const here = elsewhere?.here ?? ''
  const all = (): ReturnType<Elsewhere['models']> =>
    elsewhere !== undefined && isEverywhere ? elsewhere.models() : [[here, model]]
  const step = (text: string, by: 1 | -1): { at: number; count: number } => {
    const searched = all()
    const found = searched.flatMap(([part, one], sheet) =>
      cellsWith(one, text).map((cell) => ({ ...cell, part, sheet })),
    )
    const { row, column } = handle.current?.selection() ?? cellSelection(0, 0)
    const place = searched.findIndex(([part]) => part === here)
    const beside = (cell: (typeof found)[number]): number =>
      cell.sheet - place || cell.row - row || cell.column - column
    const next =
      by === 1 ? found.findIndex((cell) => beside(cell) > 0) : found.findLastIndex((cell) => beside(cell) < 0)
    const to = next >= 0 ? next : by === 1 ? 0 : found.length - 1
    const cell = found[to]
    if (cell !== undefined) {
      if (cell.part !== here) elsewhere?.turnTo(cell.part)
      requestAnimationFrame(() => handle.current?.go(cellSelection(cell.row, cell.column)))
    }
    return { at: to + 1, count: found.length }
  }
  return (
    <FindBar
      isEditable={isEditable}
      find={step}
      replace={(text, by) => {
        const { row, column } = handle.current?.selection() ?? cellSelection(0, 0)
        replaceIn(model, [{ row, column }], text, by)
        return step(text, 1)
      }}
      replaceAll={(text, by) => all().reduce((sum, [, one]) => sum + replaceIn(one, cellsWith(one, text), text, by), 0)}
      close={close}
      {...(elsewhere !== undefined &&
        elsewhere.count > 1 && {
          everywhere: { label: t('editor.sheet.find.all'), is: isEverywhere, set: setEverywhere },
        })}
    />
  )
}
