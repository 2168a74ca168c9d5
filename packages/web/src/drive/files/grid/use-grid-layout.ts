// Where the lines of a grid stand: one row each, or as many tiles as there is room for, which share what is left.
import { type RefObject, useLayoutEffect, useMemo, useState } from 'react'
import { useDensity } from '../../../core/theme/density.ts'
import type { IconSize } from '../../../items/item/file-icon.tsx'
import type { Span } from '../../../items/lists/folder-list.ts'
import { fitGroups, type Group, type Line, type LineShape, ListLayout } from '../../../items/lists/list-layout.ts'
import type { Band } from './rubber-band.ts'
import type { ViewMode } from './view-mode.ts'

/** What a tile is drawn as: the card of a folder, a file with its picture over its name, or the picture alone. */
export type TileVariant = 'card' | 'file' | 'photo'

/** A tile: how wide at least, how high, how far from the edges and from each other, how large the sign of a kind in it. */
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

/** Tiles as wide as they are, sharing what is left of a line. */
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
/** Kept free above the first line of tiles. */
const padding = 8
/** How high the head of a group is. */
export const headHeight = 36

export interface GridLayout {
  readonly layout: ListLayout
  /** The tiles of a line; undefined where there are rows. */
  readonly tilesOf: (line: Pick<Line, 'group'>) => Tiles | undefined
  readonly lineHeight: number
  /** The positions that a band covers. */
  readonly coveredBy: (band: Band) => Span[]
}

/** Where the one of a line stands that has so many before it. */
export function tileLeft({ edge, gap, width }: Tiles, across: number): number {
  return edge + across * (width + gap)
}

/** The layout of a view with so many rows. */
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
    /** Of a row, where that is not the person's choice. */
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
