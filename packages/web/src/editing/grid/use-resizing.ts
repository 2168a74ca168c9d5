// The edge of a row or column that is dragged, and the size that fits its text.
import { type MouseEvent, useRef, useState } from 'react'
import type { GridModel } from './grid-model.ts'
import { drawnSize, edgeOf, fittingWidth, type Resizing } from './resizing.ts'
import type { Viewport } from './use-viewport.ts'

/** The position of the dragged edge, in the rows or columns. */
export interface SizeLine {
  readonly axis: Resizing['axis']
  readonly at: number
}

export interface EdgeDrag {
  readonly line: SizeLine | undefined
  /** The row or column edge at the pointer that can be dragged. */
  readonly edgeAt: (event: MouseEvent) => Resizing | undefined
  readonly begin: (edge: Resizing) => void
  /** Returns false if no edge is dragged. */
  readonly drag: (event: MouseEvent) => boolean
  readonly end: (event: MouseEvent) => boolean
  /** Fits a column to its text, or resets a row to the default height. */
  readonly fit: (edge: Resizing, fontFamily: string) => void
}

interface ResizingOptions {
  readonly model: GridModel
  readonly viewport: Viewport
  /** A row or column was resized, in pixels at zoom 100; undefined for the default size. */
  readonly onSize: ((axis: 'rows' | 'columns', index: number, size: number | undefined) => void) | undefined
}

export function useResizing({ model, viewport, onSize }: ResizingOptions): EdgeDrag {
  const { scroller, rows, columns, head, side, scale } = viewport
  const sizing = useRef<Resizing>(undefined)
  const [line, setLine] = useState<SizeLine>()
  return {
    line,
    edgeAt(event) {
      const { row, column, where } = viewport.cellAt(event)
      if (onSize === undefined || (where !== 'head' && where !== 'side')) return undefined
      const box = scroller.current?.getBoundingClientRect()
      return where === 'head'
        ? edgeOf('columns', columns, column, event.clientX, {
            start: (box?.left ?? 0) + side,
            scrolled: scroller.current?.scrollLeft ?? 0,
            frozen: model.frozen.columns,
          })
        : edgeOf('rows', rows, row, event.clientY, {
            start: (box?.top ?? 0) + head,
            scrolled: scroller.current?.scrollTop ?? 0,
            frozen: model.frozen.rows,
          })
    },
    begin(edge) {
      sizing.current = edge
    },
    drag(event) {
      const sized = sizing.current
      if (sized === undefined) return false
      const axis = sized.axis === 'columns' ? columns : rows
      setLine({ axis: sized.axis, at: axis.start(sized.index) + drawnSize(sized, event) })
      return true
    },
    end(event) {
      const sized = sizing.current
      if (sized === undefined) return false
      sizing.current = undefined
      setLine(undefined)
      const size = Math.round(drawnSize(sized, event) / scale)
      if (Math.round(sized.size / scale) !== size) onSize?.(sized.axis, sized.index, size)
      return true
    },
    fit(edge, fontFamily) {
      const size = edge.axis === 'columns' ? fittingWidth(model, edge.index, fontFamily) : undefined
      onSize?.(edge.axis, edge.index, size)
    },
  }
}
