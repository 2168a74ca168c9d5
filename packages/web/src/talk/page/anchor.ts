/*
 * Keeps what is read in its place: the first message in view stays where it is whatever changes above it, and the end
 * stays at the end. The browser's own anchoring is switched off (`overflow-anchor`): not every browser has it, and it
 * gives up where the list is drawn anew.
 */

/** The distance from the end that still counts as the end. */
const endPx = 24

export interface Place {
  readonly isAtEnd: boolean
  /** The number of the first message in view. */
  readonly number: string | undefined
  /** Its distance from the upper edge of the list. */
  readonly distance: number
}

export interface Anchor {
  /** The person has scrolled: what is in view now is to stay. Returns what that is. */
  look(): Place
  /** Something has changed: moves what was in view back to its place. */
  restore(): void
}

/** Anchors a list whose messages carry `data-number`. */
export function createAnchor(list: HTMLElement): Anchor {
  let place: Place = { isAtEnd: true, number: undefined, distance: 0 }
  const edge = (): number => list.getBoundingClientRect().top
  return {
    look() {
      const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < endPx
      const top = edge()
      const first = firstBelow([...list.querySelectorAll<HTMLElement>('[data-number]')], top)
      place = {
        isAtEnd,
        number: first?.dataset['number'],
        distance: first === undefined ? 0 : first.getBoundingClientRect().top - top,
      }
      return place
    },
    restore() {
      if (place.isAtEnd) {
        list.scrollTop = list.scrollHeight
        return
      }
      const item = place.number && list.querySelector(`[data-number="${place.number}"]`)
      if (!item) return
      const moved = item.getBoundingClientRect().top - edge() - place.distance
      if (Math.abs(moved) >= 1) list.scrollTop += moved
    },
  }
}

/** The first of the messages, in their order, that ends below the edge. */
function firstBelow(items: readonly HTMLElement[], edge: number): HTMLElement | undefined {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((items[middle]?.getBoundingClientRect().bottom ?? 0) > edge) high = middle
    else low = middle + 1
  }
  return items[low]
}
