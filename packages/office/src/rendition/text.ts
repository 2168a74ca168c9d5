// The rendition model of documents: text and tables. Lengths are CSS pixels, colours `#rrggbb`.
import type { Drawing } from './drawing.ts'

/** Index of the rendition part with the image. */
export type PartNumber = number

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

/** A tab stop: its position from the left margin, how text stands at it, and what fills the room before it. */
export interface TabStop {
  readonly at: number
  readonly align: 'start' | 'center' | 'end'
  readonly leader?: 'dots' | 'dashes' | 'line'
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
