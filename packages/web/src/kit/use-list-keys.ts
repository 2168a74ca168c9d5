// Keyboard navigation of a list whose rows are buttons: one tab stop, arrow keys, Page Up/Down, Home/End, and
// type-ahead. Enter presses a row natively, and the menu key opens its context menu.
import type { FocusEvent, KeyboardEvent } from 'react'
import { useTypeAhead } from './use-type-ahead.ts'

/** The attribute of a row's button. */
const rowMark = 'data-list-row'
const pageRows = 10

const rowsIn = (list: HTMLElement): HTMLElement[] => [...list.querySelectorAll<HTMLElement>(`[${rowMark}]`)]
/** Makes this row the only tab stop among the rows. */
function stopAt(rows: readonly HTMLElement[], row: HTMLElement): void {
  for (const one of rows) one.tabIndex = one === row ? 0 : -1
}
const nameOf = (row: HTMLElement): string => (row.getAttribute(rowMark) ?? '').toLowerCase()

interface ListKeys {
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
  readonly onFocus: (event: FocusEvent<HTMLElement>) => void
}

/** For the element around the rows. Each row has a button with its name in `data-list-row`. */
export function useListKeys(): ListKeys {
  const typeAhead = useTypeAhead()
  return {
    onFocus({ currentTarget, target }) {
      const rows = rowsIn(currentTarget)
      const row = rows.find((one) => one === target)
      if (row !== undefined) stopAt(rows, row)
    },
    onKeyDown(event) {
      if (event.altKey || event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement) return
      const rows = rowsIn(event.currentTarget)
      const at = rows.findIndex((one) => one === event.target)
      const typed = typeAhead(event)
      if (rows.length === 0 || at < 0) return
      const last = rows.length - 1
      const to: Partial<Record<string, number>> = {
        ArrowDown: at + 1,
        ArrowUp: at - 1,
        PageDown: at + pageRows,
        PageUp: at - pageRows,
        Home: 0,
        End: last,
      }
      let next = to[event.key]
      if (next === undefined && typed !== undefined) {
        const from = typed.fromFocus ? at : at + 1
        const order = [...rows.slice(from), ...rows.slice(0, from)]
        const met = order.find((row) => nameOf(row).startsWith(typed.text.toLowerCase()))
        next = met === undefined ? at : rows.indexOf(met)
      }
      if (next === undefined) return
      event.preventDefault()
      rows[Math.max(0, Math.min(next, last))]?.focus()
    },
  }
}
