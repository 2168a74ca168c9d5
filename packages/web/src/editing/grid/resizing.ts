// The edges of rows and columns, which are drawn to other sizes.
import type { Axis } from './axis.ts'
import type { GridModel } from './grid-model.ts'

/** A row or column whose edge is drawn. */
export interface Resizing {
  readonly axis: 'rows' | 'columns'
  readonly index: number
  /** Where the pointer was, and how large it was then. */
  readonly from: number
  readonly size: number
}

/** How near to an edge it is meant, in pixels. */
const near = 4
/** No row or column is drawn smaller. */
const least = { rows: 16, columns: 20 } as const

interface Sight {
  /** Where the first one begins on the screen. */
  readonly start: number
  readonly scrolled: number
  readonly frozen: number
}

/** The edge that a pointer is at, of the row or column under it or of the one before. */
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

/** How large it is drawn. */
export const drawnSize = (
  { axis, from, size }: Resizing,
  { clientX, clientY }: { readonly clientX: number; readonly clientY: number },
): number => Math.max(least[axis], size + (axis === 'columns' ? clientX : clientY) - from)

/** How many rows are looked through for the longest word of a column, and how wide one becomes by itself. */
const mostRows = 5000
const widest = 600

/** How wide a column is that shows all of its words. */
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
