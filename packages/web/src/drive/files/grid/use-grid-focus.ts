// The keyboard follows the focused row once the row is drawn; when the row it was on is gone, its successor gets it. Until
// then the keyboard may go elsewhere, and stays there.
import { type RefObject, useCallback, useLayoutEffect, useReducer, useRef } from 'react'

interface Focused {
  readonly scroller: RefObject<HTMLElement | null>
  /** Where the row with the keyboard stands; -1 for none. */
  readonly focusIndex: number
  /** A name field has the keyboard until it ends. */
  readonly isEditing: boolean
  /** Brings a row into sight. */
  readonly scrollToRow: (index: number) => void
}

export interface GridFocus {
  /** The keyboard is to be on the focused row. */
  readonly wantFocus: () => void
  /** Brings a row into sight and gives it the keyboard; goes by the lines as they are when it is called. */
  readonly reveal: (index: number) => void
  /** To where nothing is focused. */
  readonly focusGround: () => void
  readonly handlers: Pick<React.DOMAttributes<HTMLElement>, 'onFocus' | 'onBlur'>
}

/** Keeps the keyboard in the grid. */
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
      // Nothing to put it on: no row, or one that has moved to where none are loaded.
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
  // What waited for rows goes by the lines as they are by then.
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
