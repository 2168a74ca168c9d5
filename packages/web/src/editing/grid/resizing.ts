// Resizing rows and columns by dragging their edges.
import type { Axis } from './axis.ts'
import type { GridModel } from './grid-model.ts'

/** A row or column while its edge is dragged. */
export interface Resizing {
  readonly axis: 'rows' | 'columns'
  readonly index: number
  /** The pointer position and the size at the start of the drag. */
  readonly from: number
  readonly size: number
}

/** The maximum distance from an edge, in pixels. */
const near = 4
/** The minimum size of rows and columns, in pixels. */
const least = { rows: 16, columns: 20 } as const

interface Sight {
  /** The screen position of the first row or column. */
  readonly start: number
  readonly scrolled: number
  readonly frozen: number
}

/** The edge near a pointer: of the row or column under it, or of the previous one. */
export function edgeOf(
  name: Resizing['axis'],
  axis: Axis,
  index: number,
  pointer: number,
  { start, scrolled, frozen }: Sight,
): Resizing | undefined {
  const inside = pointer - start
  const placed = inside < axis.start(frozen) ? inside : inside + scrolled
  const sizing = (n: number): Resizing => ({ axis: name, index: n, from: pointer, size: axis.size(n) })
  if (axis.start(index) + axis.size(index) - placed <= near) return sizing(index)
  return index > 0 && placed - axis.start(index) <= near ? sizing(index - 1) : undefined
}

/** The size during a drag. */
export const drawnSize = (
  { axis, from, size }: Resizing,
  { clientX, clientY }: { readonly clientX: number; readonly clientY: number },
): number => Math.max(least[axis], size + (axis === 'columns' ? clientX : clientY) - from)

/** Autofit: the maximum number of rows to measure, and the maximum width. */
const mostRows = 5000
const widest = 600

/** The column width that fits all of its texts. */
export function fittingWidth(model: GridModel, column: number, font: string): number | undefined {
  const pen = document.createElement('canvas').getContext('2d')
  if (pen === null) return undefined
  let width = 0
  const merged = model.merges.filter((one) => one.left <= column && one.right >= column && one.right > one.left)
  for (let row = 0; row < Math.min(model.extent().rows, mostRows); row++) {
    if (merged.some((one) => row >= one.top && row <= one.bottom)) continue
    const { text, style } = model.displayed(row, column)
    if (text === '') continue
    const size = style.size === undefined ? 13 : style.size * 0.9
    pen.font = `${style.italic === true ? 'italic ' : ''}${style.bold === true ? '700' : '400'} ${size}px ${style.font === undefined ? '' : `"${style.font}", `}${font}`
    const room = row === model.filter?.area.top ? 24 : 0
    for (const line of text.split('\n')) width = Math.max(width, pen.measureText(line).width + room)
  }
  return width === 0 ? undefined : Math.min(widest, Math.max(30, Math.ceil(width) + 14))
}
