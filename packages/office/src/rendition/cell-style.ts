// How the cells of a rendition look.

/** Formatting of the cells of one style. */
export interface CellStyle {
  readonly bold?: true
  readonly italic?: true
  readonly underline?: true
  readonly strike?: true
  readonly color?: string
  readonly fill?: string
  readonly size?: number
  readonly align?: 'start' | 'center' | 'end'
  readonly wrap?: true
  /** Sides with a border: t, b, l, r. */
  readonly borders?: string
}
