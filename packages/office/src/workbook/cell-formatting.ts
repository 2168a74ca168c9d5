// Cell formatting: the user's changes, applied on top of the style in the file.
import { fromPoints } from '../package/index.ts'
import type { CellStyle } from '../rendition/index.ts'

/**
 * Changes to the formatting of a cell. An empty color means the default text color or no fill; an empty alignment means
 * the default alignment.
 */
export interface CellFormatting {
  readonly bold?: boolean
  readonly italic?: boolean
  readonly underline?: boolean
  readonly strike?: boolean
  /** Six hexadecimal digits. */
  readonly color?: string
  readonly fill?: string
  readonly align?: '' | 'left' | 'center' | 'right'
  readonly wrap?: boolean
  /** True: a thin line on all sides. False: none. A string: the sides that have a line (t, b, l, r). */
  readonly borders?: boolean | string
  /** Font name; empty for the default font. */
  readonly font?: string
  /** Font size in points. */
  readonly size?: number
}

/** The rendered style of a cell: the style from the file plus the font. */
export type DrawnStyle = CellStyle & { readonly font?: string }

/** The default font size in points. */
export const defaultFontSize = 11
const sizes = { least: 1, most: 409 } as const

const switches = ['bold', 'italic', 'underline', 'strike', 'wrap'] as const
const colors = ['color', 'fill'] as const

/** Type guard for `CellLook`. */
export function isCellFormatting(value: unknown): value is CellFormatting {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).every(([name, own]) => {
    if ((switches as readonly string[]).includes(name)) return typeof own === 'boolean'
    if ((colors as readonly string[]).includes(name)) return typeof own === 'string' && /^(?:[0-9A-F]{6})?$/.test(own)
    if (name === 'borders') return typeof own === 'boolean' || (typeof own === 'string' && /^t?b?l?r?$/.test(own))
    if (name === 'font') return typeof own === 'string' && /^[\p{L}\p{N} _.&()+-]{0,64}$/u.test(own)
    if (name === 'size') {
      return typeof own === 'number' && own >= sizes.least && own <= sizes.most && Number.isInteger(own * 2)
    }
    return name === 'align' && ['', 'left', 'center', 'right'].includes(String(own))
  })
}

const sides = { '': undefined, left: 'start', center: 'center', right: 'end' } as const

/** Returns a style with formatting changes applied. */
export function withFormatting(style: DrawnStyle, look: CellFormatting | undefined, isNumber: boolean): DrawnStyle {
  if (look === undefined) return style
  const made: Record<string, unknown> = { ...style }
  const put = (name: keyof DrawnStyle, value: unknown): void => {
    if (value === undefined || value === false || value === '') delete made[name]
    else made[name] = value
  }
  for (const name of ['bold', 'italic', 'underline', 'strike', 'wrap'] as const) {
    if (look[name] !== undefined) put(name, look[name])
  }
  for (const name of colors) if (look[name] !== undefined) put(name, look[name] && `#${look[name].toLowerCase()}`)
  if (look.align !== undefined) put('align', sides[look.align] ?? (isNumber ? 'end' : undefined))
  if (look.borders !== undefined) put('borders', look.borders === true ? 'tblr' : look.borders)
  if (look.font !== undefined) put('font', look.font)
  if (look.size !== undefined) put('size', look.size === defaultFontSize ? undefined : fromPoints(look.size))
  return made
}

/** The font size of a style in points. */
export const pointsOf = ({ size }: CellStyle): number =>
  size === undefined ? defaultFontSize : Math.round((size * 2 * 72) / 96) / 2

/** Returns the change that undoes a formatting change of a cell with the given style. */
export function inverseFormatting(style: DrawnStyle, change: CellFormatting): CellFormatting {
  const aligned = { start: 'left', center: 'center', end: 'right' } as const
  const back: { -readonly [K in keyof CellFormatting]: CellFormatting[K] } = {}
  for (const name of ['bold', 'italic', 'underline', 'strike', 'wrap'] as const) {
    if (change[name] !== undefined) back[name] = style[name] === true
  }
  for (const name of colors) if (change[name] !== undefined) back[name] = (style[name] ?? '').slice(1).toUpperCase()
  if (change.align !== undefined) back.align = style.align === undefined ? '' : aligned[style.align]
  if (change.borders !== undefined) back.borders = style.borders ?? false
  if (change.font !== undefined) back.font = style.font ?? ''
  if (change.size !== undefined) back.size = pointsOf(style)
  return back
}
