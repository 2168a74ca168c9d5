// OpenDocument lengths in pixels.
import type { Element } from './xml.ts'

const perUnit: Readonly<Record<string, number>> = { cm: 37.8, mm: 3.78, in: 96, pt: 96 / 72, px: 1 }

/** Converts an attribute with a length and a unit; 0 if it is none. */
export function pixels(element: Element, attribute: string): number {
  return pixelsOf(element.attributes[attribute])
}

/** The same for the attribute's value. */
export function pixelsOf(value: string | undefined): number {
  const found = /^(-?[\d.]+)(cm|mm|in|pt|px)$/.exec(value ?? '')
  return found === null ? 0 : Math.round(Number(found[1]) * (perUnit[found[2] ?? ''] ?? 1))
}
