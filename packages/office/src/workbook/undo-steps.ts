// The undo and redo steps of a workbook.
import { parseRef, refOf } from './cells.ts'
import type { CoeditCell } from './coedit-cells.ts'
import { type CellWrite, columnOf, keyOf, rowOf } from './sheet-part.ts'

export type Step = readonly {
  readonly part: string
  readonly key: number
  readonly before: CellWrite
  readonly after: CellWrite
}[]

export interface Steps {
  readonly done: readonly Step[]
  readonly undone: readonly Step[]
}

/** The cell of a step to go to. */
export interface StepPlace {
  readonly part: string
  readonly row: number
  readonly column: number
}

export type RebasedStepCell = (cell: CoeditCell) => CoeditCell | undefined

/** Rebases undo steps to another workbook; cells that no longer exist are left out. */
export function rebasedSteps(steps: readonly Step[], turn: RebasedStepCell): Step[] {
  return steps
    .map((step) =>
      step.flatMap(({ part, key, ...written }) => {
        const ref = refOf(rowOf(key), columnOf(key))
        const [before, after] = [turn([part, ref, written.before]), turn([part, ref, written.after])]
        const place = after && parseRef(after[1])
        if (before === undefined || place === undefined || after === undefined) return []
        return [{ part: after[0], key: keyOf(place.row, place.column), before: before[2], after: after[2] }]
      }),
    )
    .filter((step) => step.length > 0)
}

export const placeIn = (step: Step): StepPlace | undefined => {
  const [first] = step
  return first && { part: first.part, row: rowOf(first.key), column: columnOf(first.key) }
}
