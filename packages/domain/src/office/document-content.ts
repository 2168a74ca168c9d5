// The rendition model of documents: text, tables and slides. Lengths are CSS pixels, colours `#rrggbb`.
import type { TabStop } from './paragraph-styles.ts'

/** Index of the rendition part with the image. */
export type PartNumber = number

/** A shape as SVG path, or a text at a position. */
export type DrawnMark =
  | {
      readonly path: string
      readonly fill?: string
      readonly line?: string
      readonly thick?: number
      readonly text?: undefined
    }
  | {
      readonly text: string
      readonly x: number
      readonly y: number
      readonly size: number
      readonly color: string
      readonly anchor?: 'middle' | 'end'
      readonly path?: undefined
    }

/** A chart as drawn for this size, in z-order: the first mark is at the bottom. */
export interface Drawing {
  readonly width: number
  readonly height: number
  readonly marks: readonly DrawnMark[]
}

export interface Run {
  readonly text?: string
  readonly bold?: true
  readonly italic?: true
  readonly underline?: true
  readonly strike?: true
  readonly mono?: true
  readonly color?: string
  readonly back?: string
  /** Font size. */
  readonly size?: number
  readonly raised?: 'super' | 'sub'
  /** Target of a link; shown to the user, not followed automatically. */
  readonly href?: string
  readonly image?: { readonly part: PartNumber; readonly width: number; readonly height: number; readonly alt: string }
  readonly drawing?: Drawing
  /** Pronunciation above the text, such as pinyin. */
  readonly ruby?: string
  readonly smallCaps?: true
  /** Emphasis marks at the letters. */
  readonly stressed?: true
  /** The text is the number of the page, or the number of pages, where it is shown. */
  readonly field?: 'page' | 'pages'
  readonly missing?: Missing
}

/** The place of something that cannot be drawn, with its title or description. */
export interface Missing {
  readonly what: 'image' | 'object'
  readonly name: string
  readonly width: number
  readonly height: number
}

export interface Paragraph {
  readonly is: 'text'
  readonly runs: readonly Run[]
  /** Heading level, 1 to 6. */
  readonly heading?: number
  readonly align?: 'center' | 'end' | 'justify'
  readonly indent?: number
  readonly firstLine?: number
  readonly before?: number
  readonly after?: number
  /** Line height as a factor of the font size. */
  readonly line?: number
  /** List number or bullet. */
  readonly mark?: string
  readonly fill?: string
  /** The paragraph reads from right to left. */
  readonly rtl?: true
  /** Tab stops, from the left. */
  readonly stops?: readonly TabStop[]
}

export interface TableCell {
  readonly blocks: readonly Block[]
  readonly across?: number
  readonly down?: number
  readonly fill?: string
  /** Border colours, '' for no border; the default borders if absent. */
  readonly edges?: readonly [top: string, right: string, bottom: string, left: string]
  readonly head?: true
  /** The text runs downwards: lines from right to left, or turned to the left. */
  readonly vertical?: 'down' | 'up'
}

export interface Table {
  readonly is: 'table'
  readonly widths: readonly number[]
  readonly rows: readonly (readonly TableCell[])[]
}

export type Block =
  | Paragraph
  | Table
  | { readonly is: 'pageBreak' }
  | { readonly is: 'rule' }
  | { readonly is: 'code'; readonly text: string; readonly language: string }
  | { readonly is: 'quote'; readonly blocks: readonly Block[] }

export interface PageSize {
  readonly width: number
  readonly height: number
  readonly margins: readonly [top: number, right: number, bottom: number, left: number]
}

/** What stands at the head and the foot of a page. */
export interface PageEdges {
  readonly header: readonly Block[]
  readonly footer: readonly Block[]
}

/** A part of a document with pages of its own. */
export interface FlowSection {
  /** The index of its first block. */
  readonly from: number
  readonly page: PageSize
  readonly usual: PageEdges
  /** Those of its first page and of pages with even numbers, if they differ. */
  readonly first?: PageEdges
  readonly even?: PageEdges
  /** The number of its first page, if it does not go on from the section before. */
  readonly startsAt?: number
}

/** A text document. It flows into pages of this size, or into one column if there is no page. */
export interface Flow {
  readonly kind: 'flow'
  readonly page?: PageSize
  readonly header?: readonly Block[]
  readonly footer?: readonly Block[]
  readonly blocks: readonly Block[]
  /** The sections, if the pages are not all alike; the first one begins at block 0. */
  readonly sections?: readonly FlowSection[]
}

export interface SlideShape {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly turn?: number
  readonly form?: 'round' | 'ellipse' | 'line' | 'triangle' | 'diamond' | 'arrow'
  /** The line or shape is mirrored. */
  readonly flip?: readonly [across: boolean, down: boolean]
  readonly fill?: string
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
