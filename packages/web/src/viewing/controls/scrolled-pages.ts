// Scrolling in a column of pages: the available size, the current page, and going to another page.
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'

export interface ScrolledPages {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly viewport: { readonly width: number; readonly height: number }
  /** From 1. */
  readonly page: number
  readonly goTo: (page: number) => void
}

/** Pages are the elements with `data-page` in the scroll container. */
export function useScrolledPages(pages: number): ScrolledPages {
  const scroller = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState({ width: 0, height: 0 })
  const [page, setPage] = useState(1)

  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(() => setRoom({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    element.focus({ preventScroll: true })
    const onScroll = (): void => {
      const middle = element.getBoundingClientRect().top + element.clientHeight / 2
      const shown = [...element.querySelectorAll<HTMLElement>('[data-page]')]
      const below = shown.findIndex((one) => one.getBoundingClientRect().top > middle)
      setPage(below < 0 ? Math.max(1, shown.length) : Math.max(1, below))
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  }, [])

  const goTo = useCallback(
    (to: number): void => {
      const wanted = Math.max(1, Math.min(pages, to))
      scroller.current?.querySelector(`[data-page="${wanted}"]`)?.scrollIntoView({ block: 'start' })
      setPage(wanted)
    },
    [pages],
  )
  return { scroller, viewport: room, page: Math.min(page, Math.max(1, pages)), goTo }
}
