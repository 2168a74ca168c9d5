// The rendition model of slides. Lengths are CSS pixels, colours `#rrggbb`.
import type { Drawing } from './drawing.ts'
import type { Block, Missing, PartNumber } from './text.ts'

export interface Gradient {
  /** The direction in which the colours change, in degrees: 0 to the right, 90 downwards. */
  readonly angle: number
  /** The colours change from the middle outwards. */
  readonly isRadial?: true
  readonly stops: readonly (readonly [at: number, color: string])[]
}

export interface SlideShape {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly turn?: number
  readonly form?: 'round' | 'ellipse' | 'line' | 'triangle' | 'diamond' | 'arrow'
  /** The outline as an SVG path in the pixels of the box, instead of a form. */
  readonly outline?: string
  /** The line or shape is mirrored. */
  readonly flip?: readonly [across: boolean, down: boolean]
  readonly fill?: string
  /** Drawn instead of the fill, which is its first colour. */
  readonly gradient?: Gradient
  readonly line?: { readonly color: string; readonly width: number }
  readonly image?: PartNumber
  readonly drawing?: Drawing
  readonly blocks?: readonly Block[]
  /** The text continues the text of the shape before, as one letter in each box of a form does. */
  readonly joined?: true
  readonly anchor?: 'middle' | 'bottom'
  readonly insets?: readonly [top: number, right: number, bottom: number, left: number]
  /** The text runs downwards: upright letters, turned to the right, or turned to the left. */
  readonly vertical?: 'upright' | 'right' | 'left'
  readonly missing?: Pick<Missing, 'what' | 'name'>
}

export interface Slide {
  readonly fill?: string
  readonly gradient?: Gradient
  readonly image?: PartNumber
  readonly shapes: readonly SlideShape[]
  readonly notes?: string
  readonly hidden?: true
}

export interface Slides {
  readonly kind: 'slides'
  /** The slides are paper pages. */
  readonly paper?: true
  readonly width: number
  readonly height: number
  readonly slides: readonly Slide[]
}
