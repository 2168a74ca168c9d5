// Appearance and text of watermarks ([R279]-[R281], [R283]).

/** Default appearance of a watermark. [R280] */
export const defaultWatermark = {
  rotate: 45,
  padding: 60,
  opacity: 0.5,
  lineGap: 4,
  size: 13,
  color: '#b4bac4',
  layout: 'tile',
} as const
/** CSS z-index above all page content. [R280] */
export const watermarkZIndex = 10_000

/** Layout on a page: repeated, once in the middle, or small in a corner. */
export const watermarkLayouts = ['tile', 'centre', 'corner'] as const
export type WatermarkLayout = (typeof watermarkLayouts)[number]

/** Placeholders in braces that are replaced by data of the viewing user. */
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

/** Maximum length of a template text, and maximum number of its lines. */
export const maxWatermarkLength = 300
export const maxWatermarkLines = 6

/** File types whose copies can have a watermark. [R281] */
export const markableExts: ReadonlySet<string> = new Set('pdf docx xlsx pptx png jpg jpeg webp'.split(' '))

/** Returns the lines of a text with the placeholders replaced; lines that become empty are left out. */
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

/** Positions and scale of the marks of one watermark; positions are centre points. */
export interface WatermarkPositions {
  /** Centre points of the marks, in pixels from the top left. */
  readonly positions: readonly { readonly x: number; readonly y: number }[]
  /** Scale factor relative to the normal size. */
  readonly scale: number
  /** Degrees, counter-clockwise. */
  readonly rotate: number
}

interface Size {
  readonly width: number
  readonly height: number
}

/** Returns the area of one mark of a tiled watermark including the spacing. */
export function watermarkCell(block: Size, { rotate, padding }: { rotate: number; padding: number }): Size {
  const [cos, sin] = [Math.abs(Math.cos((rotate * Math.PI) / 180)), Math.abs(Math.sin((rotate * Math.PI) / 180))]
  const room = (length: number): number => Math.max(40, Math.ceil(length + padding))
  return { width: room(block.width * cos + block.height * sin), height: room(block.width * sin + block.height * cos) }
}

/** Lays out the marks of a watermark on an area; `block` is the size of one unrotated mark. */
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
 * The invisible mark: a square of `traceFields` by `traceFields` fields, `traceSquare` CSS pixels wide, tiled over the
 * whole area. Each field decreases or increases the blue value below it by `traceStrength` of 255, which is invisible
 * to the eye.
 */
export const traceFields = 32
export const traceSquare = 256
export const traceStrength = 4

/** Decodes the fields of a mark, four per hexadecimal digit, row by row; true where the blue value is higher. */
export const traceBits = (written: string): boolean[] =>
  [...written].flatMap((digit) => [8, 4, 2, 1].map((bit) => (Number.parseInt(digit, 16) & bit) !== 0))
