// Where the lines of a grid stand: one row each, or as many tiles as there is room for, which share what is left.
import { type RefObject, useLayoutEffect, useMemo, useState } from 'react'
import { useDensity } from '../../../core/theme/density.ts'
import type { IconSize } from '../../item/file-icon.tsx'
import type { Span } from '../../lists/folder-list.ts'
import { fitGroups, type Group, ListLayout } from '../../lists/list-layout.ts'
import type { Band } from './rubber-band.ts'
import type { ViewMode } from './view-mode.ts'

/** A tile: how wide at least, how high, how large the sign of a kind is in it. */
interface TileSize {
  readonly width: number
  readonly height: number
  readonly sign: IconSize
}
const tiles: Readonly<Record<Exclude<ViewMode, 'list'>, TileSize>> = {
  grid: { width: 144, height: 168, sign: 64 },
  gallery: { width: 208, height: 216, sign: 64 },
}
/** Around and between tiles. */
const gap = 8
/** How high the head of a group is. */
export const headHeight = 36

export interface GridLayout {
  readonly layout: ListLayout
  /** The tiles of the view, as wide as they are; undefined where there are rows. */
  readonly tile: TileSize | undefined
  readonly perLine: number
  readonly lineHeight: number
  /** Where the one of a line stands that has so many before it. */
  readonly leftOf: (across: number) => number
  /** The positions that a band covers. */
  readonly coveredBy: (band: Band) => Span[]
}

/** The layout of a view with so many rows. */
export function useGridLayout(
  scroller: RefObject<HTMLElement | null>,
  { view, total, groups }: { view: ViewMode; total: number; groups: readonly Group[] | undefined },
): GridLayout {
  const { rowHeight } = useDensity()
  const [room, setRoom] = useState(0)
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(() => setRoom(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])
  const size = view === 'list' ? undefined : tiles[view]
  const perLine = size === undefined ? 1 : Math.max(1, Math.floor((room - gap) / (size.width + gap)))
  const lineHeight = size === undefined ? rowHeight : size.height + gap
  const width = size === undefined ? 0 : Math.floor((room - gap * (perLine + 1)) / perLine)
  const padding = size === undefined ? 0 : gap
  const layout = useMemo(
    () =>
      new ListLayout({ total, perLine, lineHeight, headHeight, padding, groups: groups && fitGroups(groups, total) }),
    [total, perLine, lineHeight, padding, groups],
  )
  return {
    layout,
    tile: size && { ...size, width },
    perLine,
    lineHeight,
    leftOf: (across) => (size === undefined ? 0 : gap + across * (width + gap)),
    coveredBy({ left, top, right, bottom }) {
      const [least, most] = [left, right].map((x) =>
        size === undefined ? 0 : Math.floor((x - gap / 2) / (width + gap)),
      )
      const spans: Span[] = []
      for (let at = layout.lineAt(top); at <= Math.min(layout.lineAt(bottom), layout.lines - 1); at++) {
        const { from, to, isHead } = layout.line(at)
        const last = spans.at(-1)
        if (isHead) continue
        if (size !== undefined)
          spans.push({ from: from + Math.max(0, least ?? 0), to: Math.min(to, from + (most ?? 0) + 1) })
        else if (last?.to === from) spans[spans.length - 1] = { from: last.from, to }
        else spans.push({ from, to })
      }
      return spans
    },
  }
}
