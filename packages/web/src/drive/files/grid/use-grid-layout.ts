// The layout of the lines of a grid: one row per line, or as many tiles as fit, which share the remaining width.
import { type RefObject, useLayoutEffect, useMemo, useState } from 'react'
import { useDensity } from '../../../core/theme/density.ts'
import type { IconSize } from '../../../items/item/file-icon.tsx'
import type { Span } from '../../../items/lists/folder-list.ts'
import { fitGroups, type Group, type Line, type LineShape, ListLayout } from '../../../items/lists/list-layout.ts'
import type { Band } from './rubber-band.ts'
import type { ViewMode } from './view-mode.ts'

/** The appearance of a tile: a folder card, a file with its picture above its name, or only the picture. */
export type TileVariant = 'card' | 'file' | 'photo'

/** The dimensions of a tile: minimum width, height, distance from the edges, gap, and icon size. */
interface TileShape {
  readonly look: TileVariant
  readonly least: number
  readonly height: number
  readonly edge: number
  readonly gap: number
  readonly sign: IconSize
}
const card: TileShape = { look: 'card', least: 188, height: 56, edge: 16, gap: 8, sign: 22 }
const tiles: Readonly<Record<Exclude<ViewMode, 'list'>, TileShape>> = {
  grid: { look: 'file', least: 168, height: 192, edge: 8, gap: 8, sign: 64 },
  gallery: { look: 'photo', least: 208, height: 156, edge: 16, gap: 4, sign: 64 },
}

/** Tiles with their actual width, after they share the remaining width of a line. */
export interface Tiles extends TileShape {
  readonly width: number
  readonly perLine: number
}

function fit(shape: TileShape, room: number): Tiles {
  const { least, edge, gap } = shape
  const inside = room - 2 * edge
  const perLine = Math.max(1, Math.floor((inside + gap) / (least + gap)))
  return { ...shape, perLine, width: Math.floor((inside - gap * (perLine - 1)) / perLine) }
}

const lineOf = ({ perLine, height, gap }: Tiles): LineShape => ({ perLine, lineHeight: height + gap })
/** Free pixels above the first line of tiles. */
const padding = 8
/** The height of a group header. */
export const headHeight = 36

export interface GridLayout {
  readonly layout: ListLayout
  /** Returns the tiles of a line. Undefined in row view. */
  readonly tilesOf: (line: Pick<Line, 'group'>) => Tiles | undefined
  readonly lineHeight: number
  /** Returns the positions that a rubber band covers. */
  readonly coveredBy: (band: Band) => Span[]
}

/** Returns the left offset of the tile with this index in its line. */
export function tileLeft({ edge, gap, width }: Tiles, across: number): number {
  return edge + across * (width + gap)
}

/** Returns the layout of a view with this number of rows. */
export function useGridLayout(
  scroller: RefObject<HTMLElement | null>,
  {
    view,
    total,
    groups,
    height,
  }: {
    view: ViewMode
    total: number
    groups: readonly Group[] | undefined
    /** The row height, where it is not the user's choice. */
    height?: number | undefined
  },
): GridLayout {
  const usual = useDensity().rowHeight
  const rowHeight = height ?? usual
  const [room, setRoom] = useState(0)
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(() => setRoom(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])
  const [files, folders] = useMemo(
    () => (view === 'list' ? [undefined, undefined] : [fit(tiles[view], room), fit(card, room)]),
    [view, room],
  )
  const layout = useMemo(() => {
    const lines = files === undefined ? { perLine: 1, lineHeight: rowHeight } : lineOf(files)
    return new ListLayout({
      total,
      ...lines,
      folders: folders && lineOf(folders),
      headHeight,
      padding: files === undefined ? 0 : padding,
      groups: groups && fitGroups(groups, total),
    })
  }, [total, files, folders, rowHeight, groups])
  const tilesOf = ({ group }: Pick<Line, 'group'>): Tiles | undefined => (group?.fType === 2 ? folders : files)
  return {
    layout,
    tilesOf,
    lineHeight: files === undefined ? rowHeight : lineOf(files).lineHeight,
    coveredBy({ left, top, right, bottom }) {
      const spans: Span[] = []
      for (let at = layout.lineAt(top); at <= Math.min(layout.lineAt(bottom), layout.lines - 1); at++) {
        const line = layout.line(at)
        const { from, to, isHead } = line
        const size = tilesOf(line)
        const last = spans.at(-1)
        if (isHead) continue
        if (size !== undefined) {
          const { edge, gap, width } = size
          const [least, most] = [left, right].map((x) => Math.floor((x - edge + gap / 2) / (width + gap)))
          spans.push({ from: from + Math.max(0, least ?? 0), to: Math.min(to, from + (most ?? 0) + 1) })
        } else if (last?.to === from) spans[spans.length - 1] = { from: last.from, to }
        else spans.push({ from, to })
      }
      return spans
    },
  }
}
