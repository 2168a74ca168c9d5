// How somebody has a cell look: what they changed of it, laid over the style that it has in the file.
import type { CellStyle } from '@cloudoc/domain/office'

/** What was changed of how a cell looks. An empty colour is the usual ink or no fill, an empty alignment the usual one. */
export interface CellLook {
  readonly bold?: boolean
  readonly italic?: boolean
  readonly underline?: boolean
  readonly strike?: boolean
  /** Six hexadecimal digits. */
  readonly color?: string
  readonly fill?: string
  readonly align?: '' | 'left' | 'center' | 'right'
  readonly wrap?: boolean
  /** A thin line on each side, or none on any. */
  readonly borders?: boolean
}

const switches = ['bold', 'italic', 'underline', 'strike', 'wrap', 'borders'] as const
const colors = ['color', 'fill'] as const

/** Whether that is a look. */
export function isLook(value: unknown): value is CellLook {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).every(([name, own]) => {
    if ((switches as readonly string[]).includes(name)) return typeof own === 'boolean'
    if ((colors as readonly string[]).includes(name)) return typeof own === 'string' && /^(?:[0-9A-F]{6})?$/.test(own)
    return name === 'align' && ['', 'left', 'center', 'right'].includes(String(own))
  })
}

const sides = { '': undefined, left: 'start', center: 'center', right: 'end' } as const

/** A style with a look laid over it. */
export function styleWith(style: CellStyle, look: CellLook | undefined, isNumber: boolean): CellStyle {
  if (look === undefined) return style
  const made: Record<string, unknown> = { ...style }
  const put = (name: keyof CellStyle, value: unknown): void => {
    if (value === undefined || value === false || value === '') delete made[name]
    else made[name] = value
  }
  for (const name of ['bold', 'italic', 'underline', 'strike', 'wrap'] as const) {
    if (look[name] !== undefined) put(name, look[name])
  }
  for (const name of colors) if (look[name] !== undefined) put(name, look[name] && `#${look[name].toLowerCase()}`)
  if (look.align !== undefined) put('align', sides[look.align] ?? (isNumber ? 'end' : undefined))
  if (look.borders !== undefined) put('borders', look.borders && 'tblr')
  return made
}

/** What would take a change of a look back, of a cell with that style. */
export function lookBack(style: CellStyle, change: CellLook): CellLook {
  const aligned = { start: 'left', center: 'center', end: 'right' } as const
  const back: { -readonly [K in keyof CellLook]: CellLook[K] } = {}
  for (const name of ['bold', 'italic', 'underline', 'strike', 'wrap'] as const) {
    if (change[name] !== undefined) back[name] = style[name] === true
  }
  for (const name of colors) if (change[name] !== undefined) back[name] = (style[name] ?? '').slice(1).toUpperCase()
  if (change.align !== undefined) back.align = style.align === undefined ? '' : aligned[style.align]
  if (change.borders !== undefined) back.borders = style.borders !== undefined
  return back
}
