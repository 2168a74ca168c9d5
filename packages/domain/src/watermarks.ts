// Watermarks ([R279]-[R281], [R283]): how one looks, and what it says.

/** How a watermark looks, where nobody has said otherwise. [R280] */
export const defaultWatermark = {
  rotate: 45,
  padding: 60,
  opacity: 0.5,
  lineGap: 4,
  size: 13,
  color: '#b4bac4',
  layout: 'tile',
} as const
/** What lies over it, lies over everything. [R280] */
export const watermarkZIndex = 10_000

/** Where on a page it stands: again and again, once in the middle, or small in a corner. */
export const watermarkLayouts = ['tile', 'centre', 'corner'] as const
export type WatermarkLayout = (typeof watermarkLayouts)[number]

/** What stands for something of whoever is shown it, in braces. */
export const watermarkPlaceholders = [
  'name',
  'account',
  'department',
  'time',
  'address',
  'link',
  'level',
  'company',
] as const
export type WatermarkPlaceholder = (typeof watermarkPlaceholders)[number]

/** The longest text of a template, and the most lines of it. */
export const maxWatermarkLength = 300
export const maxWatermarkLines = 6

/** Kinds of files whose copies can bear one. [R281] */
export const markableExts: ReadonlySet<string> = new Set('pdf docx xlsx pptx png jpg jpeg webp'.split(' '))

/** The lines of a text with everything put in; a line of which nothing is known is left out. */
export function watermarkLines(text: string, said: Readonly<Partial<Record<WatermarkPlaceholder, string>>>): string[] {
  return text
    .split('\n')
    .slice(0, maxWatermarkLines)
    .map((line) =>
      line
        .replace(/\{(\w+)\}/g, (whole, word: string) =>
          (watermarkPlaceholders as readonly string[]).includes(word)
            ? (said[word as WatermarkPlaceholder] ?? '')
            : whole,
        )
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, 120),
    )
    .filter((line) => line !== '')
}

/** Where and how large the marks of one watermark stand, from the middle of each. */
export interface WatermarkPositions {
  /** The middles of the marks, in pixels from the top left. */
  readonly positions: readonly { readonly x: number; readonly y: number }[]
  /** By how much larger than usual it is drawn. */
  readonly scale: number
  /** Degrees against the clock. */
  readonly rotate: number
}

interface Size {
  readonly width: number
  readonly height: number
}

/** The room that one mark of a tiled watermark takes with the space around it. */
export function watermarkCell(block: Size, { rotate, padding }: { rotate: number; padding: number }): Size {
  const [cos, sin] = [Math.abs(Math.cos((rotate * Math.PI) / 180)), Math.abs(Math.sin((rotate * Math.PI) / 180))]
  const room = (length: number): number => Math.max(40, Math.ceil(length + padding))
  return { width: room(block.width * cos + block.height * sin), height: room(block.width * sin + block.height * cos) }
}

/** Lays the marks of a watermark out on an area; `block` is one of them as it is without being turned. */
export function layOutWatermark(
  look: { readonly rotate: number; readonly padding: number; readonly layout: WatermarkLayout },
  block: Size,
  area: Size,
): WatermarkPositions {
  const { rotate, layout } = look
  if (layout === 'corner') {
    const [x, y] = [area.width - block.width / 2 - 24, area.height - block.height / 2 - 24]
    return { positions: [{ x: Math.max(x, block.width / 2), y }], scale: 1, rotate: 0 }
  }
  const cell = watermarkCell(block, look)
  if (layout === 'centre') {
    const most = Math.min(area.width / (cell.width - look.padding), area.height / (cell.height - look.padding))
    return {
      positions: [{ x: area.width / 2, y: area.height / 2 }],
      scale: Math.max(0.1, Math.min(3, most * 0.9)),
      rotate,
    }
  }
  const places: { x: number; y: number }[] = []
  for (let y = cell.height / 2; y - cell.height / 2 < area.height; y += cell.height)
    for (let x = cell.width / 2; x - cell.width / 2 < area.width; x += cell.width) places.push({ x, y })
  return { positions: places, scale: 1, rotate }
}

/**
 * The invisible mark: a square of so many fields to a side, of so many CSS pixels, that stands beside itself all over. Each
 * field makes the blue of what lies under it weaker or stronger by so much of 255, which nobody sees.
 */
export const traceFields = 32
export const traceSquare = 256
export const traceStrength = 4

/** The fields of a mark as they are written, four to a hexadecimal digit: row by row, true where the blue is stronger. */
export const traceBits = (written: string): boolean[] =>
  [...written].flatMap((digit) => [8, 4, 2, 1].map((bit) => (Number.parseInt(digit, 16) & bit) !== 0))
