// The zoom of pictures and pages: a factor, `fit` to the available size (pages: to the width), or `page` for a whole
// page.

export type Zoom = 'fit' | 'page' | number

/** The zoom factors in the menu. */
export const zoomLevels = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4] as const

const steps = [0.1, 0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5, 8]

interface Size {
  readonly width: number
  readonly height: number
}

/** Below this width the layout is that of a phone or a narrow panel. */
const narrow = 720

export const isNarrow = (room: Size): boolean => room.width > 0 && room.width < narrow

/**
 * The page width that fits the window. Beside it are the buttons for the adjacent files, for which a narrow window has
 * no space.
 */
export const fitWidth = (room: Size): number => room.width - (isNarrow(room) ? 16 : 336)

/** The space for a page in a column: the width, and for a whole page also the height. */
export const pageViewport = (zoom: Zoom, room: Size): Size => ({
  width: fitWidth(room),
  height: zoom === 'page' ? room.height - 48 : Number.POSITIVE_INFINITY,
})

/** Returns the factor of a zoom; fitting never enlarges beyond `most`. */
export function zoomFactor(zoom: Zoom, content: Size, room: Size, most: number): number {
  if (typeof zoom === 'number') return zoom
  if (content.width === 0 || content.height === 0) return 1
  return Math.max(0.05, Math.min(most, room.width / content.width, room.height / content.height))
}

/** Returns the next larger or smaller zoom step. */
export function nextZoom(direction: 1 | -1, factor: number): number {
  const tolerance = 0.01
  return (
    (direction > 0
      ? steps.find((step) => step > factor + tolerance)
      : [...steps].reverse().find((step) => step < factor - tolerance)) ?? factor
  )
}
