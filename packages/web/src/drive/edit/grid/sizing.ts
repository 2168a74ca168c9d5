// The edges of rows and columns, which are drawn to other sizes.
import type { Axis } from './axis.ts'

/** A row or column whose edge is drawn. */
export interface Sizing {
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
  name: Sizing['axis'],
  axis: Axis,
  index: number,
  pointer: number,
  { start, scrolled, frozen }: Sight,
): Sizing | undefined {
  const inside = pointer - start
  const placed = inside < axis.start(frozen) ? inside : inside + scrolled
  const sizing = (n: number): Sizing => ({ axis: name, index: n, from: pointer, size: axis.size(n) })
  if (axis.start(index) + axis.size(index) - placed <= near) return sizing(index)
  return index > 0 && placed - axis.start(index) <= near ? sizing(index - 1) : undefined
}

/** How large it is drawn. */
export const drawnSize = (
  { axis, from, size }: Sizing,
  { clientX, clientY }: { readonly clientX: number; readonly clientY: number },
): number => Math.max(least[axis], size + (axis === 'columns' ? clientX : clientY) - from)
