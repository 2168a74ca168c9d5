// The match marks beside the scroll bar.
import { type ReactNode, useLayoutEffect, useState } from 'react'

interface FindMarksProps {
  readonly within: HTMLElement | null
  readonly hits: readonly Range[]
  readonly at: number
}

/** The position in thousandths of the height. */
type Mark = readonly [place: number, isHere: boolean]

export function FindMarks({ within, hits, at }: FindMarksProps): ReactNode {
  const [marks, setMarks] = useState<readonly Mark[]>([])
  useLayoutEffect(() => {
    const scroller = within?.querySelector<HTMLElement>('.pv-scroll')
    if (!scroller) return setMarks([])
    const place = (): void => setMarks(marksOf(scroller, hits, at))
    // Everything that changes page sizes moves the marks.
    const observer = new ResizeObserver(place)
    observer.observe(scroller)
    if (scroller.firstElementChild !== null) observer.observe(scroller.firstElementChild)
    place()
    return () => observer.disconnect()
  }, [within, hits, at])
  if (marks.length === 0) return null
  return (
    <div className="rd-find-marks" aria-hidden="true">
      {marks.map(([place, isHere]) => (
        <i key={place} data-here={isHere} style={{ insetBlockStart: `${place / 10}%` }} />
      ))}
    </div>
  )
}

function marksOf(scroller: HTMLElement, hits: readonly Range[], at: number): Mark[] {
  const { scrollHeight, clientHeight, scrollTop } = scroller
  if (scrollHeight <= clientHeight) return []
  const top = scroller.getBoundingClientRect().top - scrollTop
  const found = new Map<number, boolean>()
  for (const [n, hit] of hits.entries()) {
    const place = Math.round(((hit.getBoundingClientRect().top - top) / scrollHeight) * 1000)
    found.set(place, n === at || found.get(place) === true)
  }
  return [...found]
}
