// Keeps the focus on the current row: it moves there as soon as the row is rendered. When that row is removed, its
// successor gets the focus. If the user moves the focus elsewhere in the meantime, it stays there.
import { type RefObject, useCallback, useLayoutEffect, useReducer, useRef } from 'react'

interface Focused {
  readonly scroller: RefObject<HTMLElement | null>
  /** The position of the focused row. -1 for none. */
  readonly focusIndex: number
  /** A name field has the focus until the edit ends. */
  readonly isEditing: boolean
  /** Scrolls a row into view. */
  readonly scrollToRow: (index: number) => void
}

export interface GridFocus {
  /** Requests the focus for the current row. */
  readonly wantFocus: () => void
  /** Scrolls a row into view and focuses it, by the layout at the time of the call. */
  readonly reveal: (index: number) => void
  /** Focuses the grid itself when no row is focused. */
  readonly focusGround: () => void
  readonly handlers: Pick<React.DOMAttributes<HTMLElement>, 'onFocus' | 'onBlur'>
}

/** Keeps the focus in the grid. */
export function useGridFocus({ scroller, focusIndex, isEditing, scrollToRow }: Focused): GridFocus {
  const wish = useRef<{ readonly from: Element | null }>(undefined)
  const hadFocus = useRef(false)
  const wantFocus = useCallback((): void => {
    wish.current = { from: document.activeElement }
  }, [])
  const focusGround = (): void => scroller.current?.focus({ preventScroll: true })
  useLayoutEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) {
      wantFocus()
      // There is no row to focus: the list is empty, or the row has moved to a part that is not loaded.
      if (focusIndex < 0) scroller.current?.focus({ preventScroll: true })
    }
    if (isEditing) wish.current = undefined
    if (wish.current === undefined || focusIndex < 0) return
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${focusIndex}"]`)
    if (!row) return
    const at = document.activeElement
    const stayed = at === wish.current.from || at === document.body || scroller.current?.contains(at) === true
    wish.current = undefined
    if (stayed) row.focus({ preventScroll: true })
  })

  const [, redraw] = useReducer((n: number) => n + 1, 0)
  // A deferred scroll uses the layout at the time it runs.
  const latest = useRef(scrollToRow)
  useLayoutEffect(() => {
    latest.current = scrollToRow
  }, [scrollToRow])
  const reveal = useCallback(
    (index: number): void => {
      wantFocus()
      if (index >= 0) latest.current(index)
      redraw()
    },
    [wantFocus],
  )
  return {
    wantFocus,
    reveal,
    focusGround,
    handlers: {
      onFocus: () => {
        hadFocus.current = true
      },
      onBlur: (event) => {
        if (event.relatedTarget !== null) hadFocus.current = event.currentTarget.contains(event.relatedTarget)
      },
    },
  }
}
