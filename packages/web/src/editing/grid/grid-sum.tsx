// The sum, average and count of the selected numbers in the footer.
import { type ReactNode, useSyncExternalStore } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { type GridModel, isFilteredOut, type Selection, selected } from './grid-model.ts'

/** The text; empty if fewer than two numbers are selected. */
export function GridSum({ model, selection }: { readonly model: GridModel; readonly selection: Selection }): ReactNode {
  const t = useT()
  useSyncExternalStore(model.subscribe, model.revision)
  const area = selected(model, selection)
  const { rows, columns } = model.extent()
  let [sum, count] = [0, 0]
  for (let row = area.top; row <= Math.min(area.bottom, rows); row++) {
    if (isFilteredOut(model, row)) continue
    for (let column = area.left; column <= Math.min(area.right, columns); column++) {
      const number = model.number(row, column)
      if (number !== undefined) [sum, count] = [sum + number, count + 1]
    }
  }
  const short = (value: number): string => String(Number(value.toPrecision(12)))
  return (
    <span className="gr-sum">
      {count < 2 ? '' : t('grid.sum', { sum: short(sum), average: short(sum / count), n: count })}
    </span>
  )
}
