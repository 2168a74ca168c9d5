// A number or date that does not fit its cell. Cut digits would read as another number, so a sheet shows # instead;
// a text flows over or is cut.

/** How the text of a cell is drawn. */
interface CellFont {
  /** In pixels; 13 by default. */
  readonly size?: number | undefined
  readonly bold?: boolean | undefined
  readonly italic?: boolean | undefined
  readonly family?: string | undefined
}

let pen: CanvasRenderingContext2D | null | undefined
const charWidths = new Map<string, Map<string, number>>()

/** Returns the width of a text in pixels, an estimate where nothing can be measured. */
function widthOf(text: string, { size = 13, bold = false, italic = false, family }: CellFont): number {
  if (pen === undefined) pen = document.createElement('canvas').getContext('2d')
  if (pen === null) return text.length * size * 0.54
  const usual = getComputedStyle(document.documentElement).getPropertyValue('--font-ui') || 'sans-serif'
  const fonts = family === undefined ? usual : `"${family}", ${usual}`
  const font = `${italic ? 'italic ' : ''}${bold ? 700 : 400} ${size}px ${fonts}`
  let widths = charWidths.get(font)
  if (widths === undefined) charWidths.set(font, (widths = new Map<string, number>()))
  let width = 0
  for (const char of text) {
    let one = widths.get(char)
    if (one === undefined) {
      pen.font = font
      one = pen.measureText(char).width
      widths.set(char, one)
    }
    width += one
  }
  return width
}

/**
 * Returns the text of a number as it is shown in `room` pixels: whole, in the general format with fewer decimals, or as
 * number signs.
 */
export function numberInRoom(text: string, room: number, font: CellFont, isGeneral = false): string {
  const fits = (shown: string): boolean => widthOf(shown, font) <= room
  if (text === '' || fits(text)) return text
  const decimals = isGeneral ? (/^-?\d+\.(\d+)$/.exec(text)?.[1]?.length ?? 0) : 0
  for (let kept = decimals - 1; kept >= 0; kept--) {
    const shorter = Number(text).toFixed(kept)
    if (fits(shorter)) return shorter
  }
  return '#'.repeat(Math.max(1, Math.floor(room / widthOf('#', font))))
}
