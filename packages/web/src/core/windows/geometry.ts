// The geometry of windows. Pure functions: sizes in CSS pixels, the viewport is a parameter.

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Place extends Size {
  readonly left: number
  readonly top: number
}

/** The side a resize drags, as a compass point. */
export const edges = ['n', 'e', 's', 'w', 'ne', 'se', 'sw', 'nw'] as const
export type Edge = (typeof edges)[number]

/** Minimum distance between a window and the edge of the viewport when it opens. */
const margin = 16
/** The part of a title bar that always stays in view. */
const barInView = 80
/** Height of a title bar. */
const barHeight = 40
/** The offset of a window that would cover another one exactly. */
const cascadeStep = 24

/** The default size of a window ([R069]). */
export const defaultSize: Size = { width: 550, height: 480 }
/** On a page of this width or less, windows of a fixed size fill the page ([R390]). */
export const narrowWidth = 480

/** The minimum size of a window without its own size ([R070], X2). */
export const leastSize: Size = { width: 350, height: 250 }

/** A size that fits the viewport, so that the button row of a dialog is always visible. */
export function fit(size: Size, viewport: Size): Size {
  return {
    width: Math.min(size.width, viewport.width - 2 * margin),
    height: Math.min(size.height, viewport.height - 2 * margin),
  }
}

/** Centred in the viewport. */
export function centred(size: Size, viewport: Size): Place {
  const { width, height } = fit(size, viewport)
  return {
    left: Math.round((viewport.width - width) / 2),
    top: Math.round((viewport.height - height) / 2),
    width,
    height,
  }
}

/** The window moved so that its title bar is reachable, and no larger than the viewport. */
export function clamp(place: Place, viewport: Size): Place {
  const width = Math.min(place.width, viewport.width)
  const height = Math.min(place.height, viewport.height)
  return {
    left: between(place.left, barInView - width, viewport.width - barInView),
    top: between(place.top, 0, viewport.height - barHeight),
    width,
    height,
  }
}

/** The window moved so that all of it is visible, including its buttons. */
export function within(place: Place, viewport: Size): Place {
  const width = Math.min(place.width, viewport.width)
  const height = Math.min(place.height, viewport.height)
  const inside = (at: number, room: number): number => {
    const free = Math.min(margin, room / 2)
    return between(at, free, room - free)
  }
  return {
    left: inside(place.left, viewport.width - width),
    top: inside(place.top, viewport.height - height),
    width,
    height,
  }
}

/** Shifts a window until it no longer covers another one exactly. Starts again at the top when it reaches the edge. */
export function cascade(place: Place, others: readonly Place[], viewport: Size): Place {
  let { left, top } = place
  for (let i = 0; i < others.length; i++) {
    if (!others.some((other) => other.left === left && other.top === top)) break
    left += cascadeStep
    top += cascadeStep
    if (left + place.width > viewport.width || top + place.height > viewport.height) {
      left = margin
      top = margin
    }
  }
  return { ...place, left, top }
}

interface Pull {
  readonly edge: Edge
  readonly by: { readonly x: number; readonly y: number }
  readonly least: Size
  readonly viewport: Size
}

/** Drags one edge or corner; the opposite one does not move. */
export function resize(from: Place, { edge, by, least, viewport }: Pull): Place {
  const min = fit(least, viewport)
  const right = from.left + from.width
  const bottom = from.top + from.height
  let { left, top, width, height } = from
  if (edge.includes('e')) width = between(from.width + by.x, min.width, viewport.width - left)
  if (edge.includes('s')) height = between(from.height + by.y, min.height, viewport.height - top)
  if (edge.includes('w')) {
    left = between(from.left + by.x, 0, right - min.width)
    width = right - left
  }
  if (edge.includes('n')) {
    top = between(from.top + by.y, 0, bottom - min.height)
    height = bottom - top
  }
  return { left, top, width, height }
}

function between(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high))
}
