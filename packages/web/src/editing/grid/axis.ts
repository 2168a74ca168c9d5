// The positions of rows or columns. Only non-default sizes are stored, so a million rows are cheap.

export interface Axis {
  readonly count: number
  readonly start: (index: number) => number
  readonly size: (index: number) => number
  /** The index at a position. */
  readonly at: (place: number) => number
}

/** Creates the axis for the rows or columns of a grid. */
export function axisOf(count: number, usual: number, special: ReadonlyMap<number, number>, scale: number): Axis {
  const all = [...special].filter(([index]) => index < count).sort(([a], [b]) => a - b)
  const indexes = all.map(([index]) => index)
  const size = (index: number): number => (special.get(index) ?? usual) * scale
  const more: number[] = [0]
  for (const [, own] of all) more.push((more.at(-1) ?? 0) + own - usual)
  const before = (index: number): number => {
    let [low, high] = [0, indexes.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((indexes[middle] ?? 0) < index) low = middle + 1
      else high = middle
    }
    return low
  }
  const start = (index: number): number => (index * usual + (more[before(index)] ?? 0)) * scale
  return {
    count,
    start,
    size,
    at(place) {
      let [low, high] = [0, Math.max(0, count - 1)]
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if (start(middle) <= place) low = middle
        else high = middle - 1
      }
      return low
    },
  }
}

/** The total size of a range of rows or columns. */
export const spanOf = (axis: Axis, from: number, to: number): number =>
  axis.start(to) + axis.size(to) - axis.start(from)
