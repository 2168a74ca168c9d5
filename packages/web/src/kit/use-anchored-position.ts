import { type CSSProperties, type RefObject, useEffect, useLayoutEffect, useState } from 'react'

/** Minimum distance to the edges of the page, and the gap between field and list. */
const margin = 8
const gap = 4
const tallest = 320

/**
 * The position of a field's drop-down list: below it, or above it if there is more room. The list has a fixed position
 * and does not follow the field, so `onLeave` asks the owner to close it when the field moves.
 */
export function useAnchoredPosition(
  field: HTMLElement | null,
  list: RefObject<HTMLElement | null>,
  onLeave: () => void,
  /** The position is computed again when this changes. */
  content?: unknown,
): CSSProperties {
  const [place, setPlace] = useState<CSSProperties>({ visibility: 'hidden' })

  useLayoutEffect(() => {
    if (field === null || list.current === null) return
    const box = field.getBoundingClientRect()
    const [below, above] = [window.innerHeight - box.bottom - gap - margin, box.top - gap - margin]
    const isBelow = Math.min(list.current.scrollHeight, tallest) <= below || below >= above
    const width = Math.max(box.width, Math.min(list.current.scrollWidth, window.innerWidth - 2 * margin))
    setPlace({
      left: Math.max(margin, Math.min(box.left, window.innerWidth - margin - width)),
      minWidth: box.width,
      maxHeight: Math.min(isBelow ? below : above, tallest),
      ...(isBelow ? { top: box.bottom + gap } : { bottom: window.innerHeight - box.top + gap }),
    })
    // The size of the list depends on its content.
    void content
  }, [field, list, content])
  useEffect(() => {
    const onScroll = (event: Event): void => {
      if (event.target instanceof Node && field !== null && event.target.contains(field)) onLeave()
    }
    window.addEventListener('resize', onLeave)
    document.addEventListener('scroll', onScroll, true)
    return () => {
      window.removeEventListener('resize', onLeave)
      document.removeEventListener('scroll', onScroll, true)
    }
  }, [field, onLeave])
  return place
}
