// Determines the lines of a list to render: the visible ones, some on either side, and more in the direction of
// scrolling.
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Line, ListLayout } from './list-layout.ts'

interface Shown {
  readonly from: number
  readonly to: number
  /** The direction of the last scroll. */
  readonly going: -1 | 0 | 1
}

interface VisibleOptions {
  readonly initialScroll: number
  /** The number of lines rendered on either side of the visible ones, and in the direction of scrolling. */
  readonly overscan: number
  readonly overscanAhead: number
  /** A line that stays rendered wherever it is. -1 for none. */
  readonly kept: number
}

/**
 * Returns the lines to render, the visible lines, and a function that scrolls a line into view below the pinned header.
 */
export function useVisibleLines(
  scroller: RefObject<HTMLElement | null>,
  layout: ListLayout,
  { initialScroll, overscan, overscanAhead, kept }: VisibleOptions,
): { lines: Line[]; inSight: { from: number; to: number }; scrollTo: (line: number, pinned: number) => void } {
  const [shown, setShown] = useState<Shown>({ from: 0, to: 0, going: 0 })
  const last = useRef(initialScroll)

  const look = useCallback((): void => {
    const element = scroller.current
    if (element === null) return
    const { scrollTop, clientHeight } = element
    const from = layout.lineAt(scrollTop)
    const to = Math.min(layout.lines, layout.lineAt(scrollTop + clientHeight - 1) + 1)
    const moved = scrollTop - last.current
    last.current = scrollTop
    setShown((before) => {
      const going = moved === 0 ? before.going : moved > 0 ? 1 : -1
      return before.from === from && before.to === to && before.going === going ? before : { from, to, going }
    })
  }, [scroller, layout])

  // Whether the saved scroll position was restored. This needs lines to scroll over.
  const placed = useRef(false)
  useLayoutEffect(() => {
    const element = scroller.current
    if (!placed.current && element !== null && layout.lines > 0) {
      placed.current = true
      element.scrollTo({ top: initialScroll })
    }
    look()
  }, [scroller, layout, look, initialScroll])
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(look)
    observer.observe(element)
    // Renders synchronously. One frame later the rows would appear after their background.
    const onScroll = (): void => flushSync(look)
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  }, [scroller, look])

  const scrollTo = useCallback(
    (index: number, pinned: number): void => {
      const element = scroller.current
      if (element === null) return
      const { top, height } = layout.line(index)
      const { scrollTop, clientHeight } = element
      if (top - pinned < scrollTop) element.scrollTo({ top: index === 0 ? 0 : top - pinned })
      else if (top + height > scrollTop + clientHeight) element.scrollTo({ top: top + height - clientHeight })
    },
    [scroller, layout],
  )

  const { going } = shown
  const to = Math.min(layout.lines, shown.to)
  const from = Math.min(shown.from, to)
  const first = Math.max(0, from - (going < 0 ? overscanAhead : overscan))
  const end = Math.min(layout.lines, to + (going > 0 ? overscanAhead : overscan))
  const lines = Array.from({ length: end - first }, (_, i) => layout.line(first + i))
  if (kept >= 0 && kept < first) lines.unshift(layout.line(kept))
  else if (kept >= end && kept < layout.lines) lines.push(layout.line(kept))
  return { lines, inSight: { from, to }, scrollTo }
}
