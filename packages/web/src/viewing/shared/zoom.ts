// Zoom of pictures and pages: a factor, or as large as the room allows, of pages in width alone or as a whole.

export type Zoom = 'fit' | 'page' | number

/** The factors that are offered by name. */
export const zoomLevels = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4] as const

const steps = [0.1, 0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5, 8]

interface Size {
  readonly width: number
  readonly height: number
}

/** A room of less is one of a telephone or beside much else. */
const narrow = 720

export const isNarrow = (room: Size): boolean => room.width > 0 && room.width < narrow

/** How wide a page is that fits a room: at its sides are the ways to its neighbours, for which a narrow one has no room. */
export const fitWidth = (room: Size): number => room.width - (isNarrow(room) ? 16 : 336)

/** What a page below others has of a room: its width, and where it is to be seen as a whole its height too. */
export const pageViewport = (zoom: Zoom, room: Size): Size => ({
  width: fitWidth(room),
  height: zoom === 'page' ? room.height - 48 : Number.POSITIVE_INFINITY,
})

/** The factor of a zoom; a fit never enlarges beyond `most`. */
export function zoomFactor(zoom: Zoom, content: Size, room: Size, most: number): number {
  if (typeof zoom === 'number') return zoom
  if (content.width === 0 || content.height === 0) return 1
  return Math.max(0.05, Math.min(most, room.width / content.width, room.height / content.height))
}

/** The next step from a factor, larger or smaller. */
export function nextZoom(direction: 1 | -1, factor: number): number {
  const tolerance = 0.01
  return (
    (direction > 0
      ? steps.find((step) => step > factor + tolerance)
      : [...steps].reverse().find((step) => step < factor - tolerance)) ?? factor
  )
}
