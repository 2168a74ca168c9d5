// Sizes of OpenDocument in pixels.
import type { Element } from './xml.ts'

const perUnit: Readonly<Record<string, number>> = { cm: 37.8, mm: 3.78, in: 96, pt: 96 / 72, px: 1 }

/** A size that an attribute names with its unit; 0 where it is none. */
export function pixels(element: Element, attribute: string): number {
  return pixelsOf(element.attributes[attribute])
}

/** The same of what the attribute says. */
export function pixelsOf(value: string | undefined): number {
  const found = /^(-?[\d.]+)(cm|mm|in|pt|px)$/.exec(value ?? '')
  return found === null ? 0 : Math.round(Number(found[1]) * (perUnit[found[2] ?? ''] ?? 1))
}
