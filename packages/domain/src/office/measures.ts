// The measures and colours of office documents, as the page has them.

/** EMU, the unit of drawings. */
export const fromEmu = (emu: number | undefined): number => Math.round((emu ?? 0) / 95.25) / 100
/** Twentieths of a point. */
export const fromTwips = (twips: number): number => Math.round((twips / 15) * 100) / 100
export const fromPoints = (points: number): number => Math.round((points * 96 * 100) / 72) / 100

/** A colour as `#rrggbb`; undefined where it is none. */
export function colorOf(hex: string | undefined): string | undefined {
  return hex !== undefined && /^[0-9a-f]{6}$/i.test(hex) ? `#${hex.toLowerCase()}` : undefined
}
