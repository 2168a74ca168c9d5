// The gradients of slides and shapes.
import { at, child, children, drawnColor, type Element, numberAt } from '../package/index.ts'
import type { Gradient } from '../rendition/index.ts'

const mostStops = 50

/** Parses a gradient; undefined if there is none, or if it has one colour only. */
export function gradientOf(properties: Element | undefined, theme: ReadonlyMap<string, string>): Gradient | undefined {
  const fill = child(properties, 'a:gradFill')
  const stops = children(child(fill, 'a:gsLst'), 'a:gs')
    .slice(0, mostStops)
    .flatMap((stop) => {
      const color = drawnColor(stop, theme)
      const place = Math.max(0, Math.min(1, (numberAt(stop, 'pos') ?? 0) / 100_000))
      return color === undefined ? [] : [[place, color] as const]
    })
    .toSorted(([one], [other]) => one - other)
  if (new Set(stops.map(([, color]) => color)).size < 2) return undefined
  const isRadial = child(fill, 'a:path') !== undefined
  const angle = Math.round((numberAt(at(fill, 'a:lin'), 'ang') ?? 0) / 600) / 100
  return isRadial ? { stops, angle: 0, isRadial } : { stops, angle }
}

/** The line along which the colours of a gradient change, in a box. */
export function gradientLine(
  angle: number,
  width: number,
  height: number,
): readonly [x1: number, y1: number, x2: number, y2: number] {
  const [across, down] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)]
  const half = (Math.abs(width * across) + Math.abs(height * down)) / 2
  const [x, y] = [width / 2, height / 2]
  return [x - across * half, y - down * half, x + across * half, y + down * half]
}
