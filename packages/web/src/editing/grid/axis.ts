// Where rows or columns begin: most are as usual, and a million of them cost no more than a screen.

export interface Axis {
  readonly count: number
  readonly start: (index: number) => number
  readonly size: (index: number) => number
  /** Which one lies there. */
  readonly at: (place: number) => number
}

/** The rows or columns of a grid. */
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

/** How long the rows or columns from one to another are. */
export const spanOf = (axis: Axis, from: number, to: number): number =>
  axis.start(to) + axis.size(to) - axis.start(from)
