// Converts units and colours of office documents to CSS.

/** Converts EMU, the unit of drawings. */
export const fromEmu = (emu: number | undefined): number => Math.round((emu ?? 0) / 95.25) / 100
/** Converts twips, twentieths of a point. */
export const fromTwips = (twips: number): number => Math.round((twips / 15) * 100) / 100
export const fromPoints = (points: number): number => Math.round((points * 96 * 100) / 72) / 100

/** Returns a colour as `#rrggbb`; undefined if invalid. */
export function colorOf(hex: string | undefined): string | undefined {
  return hex !== undefined && /^[0-9a-f]{6}$/i.test(hex) ? `#${hex.toLowerCase()}` : undefined
}
