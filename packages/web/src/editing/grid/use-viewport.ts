// The visible part of a grid: the positions of its cells, the cell at the pointer, and scrolling to a cell.
import type { Area } from '@cloudoc/office/workbook'
import { type CSSProperties, type MouseEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Axis, axisOf, spanOf } from './axis.ts'
import type { GridModel, Selection } from './grid-model.ts'

export const rowHeight = 24
const columnWidth = 88
const headHeight = 24
const sideWidth = 52

/** What a pointer is over. */
interface CellUnder {
  readonly row: number
  readonly column: number
  readonly where: 'cell' | 'head' | 'side' | 'corner'
}

export interface Viewport {
  readonly scroller: RefObject<HTMLDivElement | null>
  /** The scroll position and the size. */
  readonly place: { readonly top: number; readonly left: number; readonly width: number; readonly height: number }
  readonly scale: number
  readonly rows: Axis
  readonly columns: Axis
  /** The size of the headers. */
  readonly head: number
  readonly side: number
  /** The size of the headers and frozen panes, which cover the content that is scrolled under them. */
  readonly covered: { readonly top: number; readonly left: number }
  readonly show: (row: number, column: number) => void
  readonly cellAt: (event: MouseEvent) => CellUnder
  readonly boxOf: (area: Area) => CSSProperties
}

interface ViewportOptions {
  readonly model: GridModel
  readonly extent: { readonly rows: number; readonly columns: number }
  readonly selection: Selection
  readonly zoom: number
}

export function useViewport({ model, extent, selection, zoom }: ViewportOptions): Viewport {
  const scroller = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState({ top: 0, left: 0, width: 1200, height: 700 })
  const scale = zoom / 100
  const rowCount = Math.min(model.maxRows, Math.max(extent.rows + 100, 200, selection.toRow + 50))
  const columnCount = Math.min(model.maxColumns, Math.max(extent.columns + 8, 26, selection.toColumn + 8))
  const rows = useMemo(() => axisOf(rowCount, rowHeight, model.heights, scale), [rowCount, model, scale])
  const columns = useMemo(() => axisOf(columnCount, columnWidth, model.widths, scale), [columnCount, model, scale])
  const [head, side] = [headHeight * scale, sideWidth * scale]
  const { rows: frozenRows, columns: frozenColumns } = model.frozen

  useLayoutEffect(() => {
    const room = scroller.current
    if (room === null) return
    const look = (): void =>
      setPlace({ top: room.scrollTop, left: room.scrollLeft, width: room.clientWidth, height: room.clientHeight })
    look()
    room.addEventListener('scroll', look, { passive: true })
    const sizes = new ResizeObserver(look)
    sizes.observe(room)
    return () => {
      room.removeEventListener('scroll', look)
      sizes.disconnect()
    }
  }, [])

  const show = (row: number, column: number): void => {
    const room = scroller.current
    if (room === null) return
    const [above, before] = [head + rows.start(frozenRows), side + columns.start(frozenColumns)]
    if (row >= frozenRows) {
      const [from, to] = [rows.start(row) - rows.start(frozenRows), rows.start(row) + rows.size(row)]
      if (from < room.scrollTop) room.scrollTop = from
      else if (to + head > room.scrollTop + room.clientHeight)
        room.scrollTop = to + head - room.clientHeight + Math.min(0, above)
    }
    if (column >= frozenColumns) {
      const [from, to] = [
        columns.start(column) - columns.start(frozenColumns),
        columns.start(column) + columns.size(column),
      ]
      if (from < room.scrollLeft) room.scrollLeft = from
      else if (to + side > room.scrollLeft + room.clientWidth)
        room.scrollLeft = to + side - room.clientWidth + Math.min(0, before)
    }
  }

  const cellAt = (event: MouseEvent): CellUnder => {
    const room = scroller.current
    const box = room?.getBoundingClientRect()
    const [x, y] = [event.clientX - (box?.left ?? 0), event.clientY - (box?.top ?? 0)]
    const [inX, inY] = [x - side, y - head]
    const overFrozen = (inside: number, axis: Axis, frozen: number, scrolled: number): number =>
      axis.at(inside < axis.start(frozen) ? Math.max(0, inside) : inside + scrolled)
    const row = overFrozen(inY, rows, frozenRows, room?.scrollTop ?? 0)
    const column = overFrozen(inX, columns, frozenColumns, room?.scrollLeft ?? 0)
    const where = y < head ? (x < side ? 'corner' : 'head') : x < side ? 'side' : 'cell'
    return { row, column, where }
  }

  const covered = {
    top: place.top > 0 && frozenRows > 0 ? place.top + head + rows.start(frozenRows) : 0,
    left: place.left > 0 && frozenColumns > 0 ? place.left + side + columns.start(frozenColumns) : 0,
  }
  const boxOf = (one: Area): CSSProperties => {
    const [isRowFrozen, isColumnFrozen] = [one.bottom < frozenRows, one.right < frozenColumns]
    const top = head + rows.start(one.top) + (isRowFrozen ? place.top : 0)
    const left = side + columns.start(one.left) + (isColumnFrozen ? place.left : 0)
    const over = one.top < frozenRows ? 0 : Math.max(0, covered.top - top)
    const before = one.left < frozenColumns ? 0 : Math.max(0, covered.left - left)
    return {
      insetBlockStart: top,
      insetInlineStart: left,
      height: spanOf(rows, one.top, Math.min(one.bottom, rowCount - 1)) + 1,
      width: spanOf(columns, one.left, Math.min(one.right, columnCount - 1)) + 1,
      // The name labels of other users are above their cells.
      clipPath: over + before > 0 ? `inset(${over}px -200px -9px ${before === 0 ? -9 : before}px)` : undefined,
    }
  }
  return { scroller, place, scale, rows, columns, head, side, covered, show, cellAt, boxOf }
}
