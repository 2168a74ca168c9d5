/*
 * What is shown of a document: made by the server once for each content, drawn by the client. It holds words, tables and
 * pictures and nothing that could run or be fetched; lengths are CSS pixels, colours `#rrggbb`.
 *
 * On the wire a rendition is one object: four bytes, the length of its head; the head, a RenditionHead as JSON; and its parts,
 * which the client reads by ranges as they come into sight. JSON among them is packed by gzip.
 */
import type {
  Block,
  CellStyle,
  Drawing,
  DrawnMark,
  Paragraph,
  PartNumber,
  Run,
  Slide,
  SlideShape,
  Slides,
  Table,
  TableCell,
} from '@cloudoc/domain/office'

export type {
  Block,
  CellStyle,
  Drawing,
  DrawnMark,
  Paragraph,
  PartNumber,
  Run,
  Slide,
  SlideShape,
  Slides,
  Table,
  TableCell,
}

import type { PhotoFacts } from '@cloudoc/domain'

export interface RenditionPart {
  /** Where it begins, behind the head. */
  readonly at: number
  readonly size: number
  /** `json` is packed JSON, `text` packed UTF-8; the others are types of pictures and documents. */
  readonly type: 'json' | 'text' | 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'application/pdf'
}

export interface RenditionHead {
  readonly parts: readonly RenditionPart[]
  /** Its part 0 is a {@link Rendition}. */
  readonly body: 0
}

export type Rendition = Flow | Sheets | Slides | Pages | PlainText | Picture | Listing | Mail | PdfCopy

/** A document of words: flows into pages of this size, or, without one, down a column. */
export interface Flow {
  readonly kind: 'flow'
  readonly page?: {
    readonly width: number
    readonly height: number
    readonly margins: readonly [top: number, right: number, bottom: number, left: number]
  }
  readonly header?: readonly Block[]
  readonly footer?: readonly Block[]
  readonly blocks: readonly Block[]
}

/** A cell: its column, its text, and the number of its style (0: none). */
export type SheetCell = readonly [column: number, text: string, style: number]

/** A part of its own for each sheet. */
export interface SheetBody {
  /** Rows that have cells, in order. */
  readonly rows: readonly (readonly [row: number, cells: readonly SheetCell[]])[]
  /** Widths of columns that differ, by column. */
  readonly widths: Readonly<Record<number, number>>
  readonly heights: Readonly<Record<number, number>>
  readonly merges: readonly (readonly [row: number, column: number, toRow: number, toColumn: number])[]
  readonly images: readonly {
    readonly part: PartNumber
    readonly row: number
    readonly column: number
    readonly width: number
    readonly height: number
  }[]
  /** Charts; those made before did not have them. */
  readonly drawings?: readonly { readonly drawing: Drawing; readonly row: number; readonly column: number }[]
}

export interface Sheets {
  readonly kind: 'sheets'
  readonly sheets: readonly {
    readonly name: string
    readonly part: PartNumber
    readonly rows: number
    readonly columns: number
    /** Rows and columns that stay in sight. */
    readonly frozen: readonly [rows: number, columns: number]
  }[]
  readonly styles: readonly CellStyle[]
  /** There are more cells than are shown (-203). */
  readonly cut: boolean
}

/** Words on a page, at the upper left corner of where they stand; `ends` where a line ends behind them. */
export type PageWord = readonly [text: string, x: number, y: number, width: number, height: number, ends?: 1]

/** Pages as pictures, with their words to be found. */
export interface Pages {
  readonly kind: 'pages'
  readonly pages: readonly {
    readonly part: PartNumber
    readonly width: number
    readonly height: number
    readonly text: string
    /** Where its words stand, in the order in which they are read; those made before did not have it. */
    readonly words?: readonly PageWord[]
  }[]
  /** Pages of the document; more than there are here where it has too many. */
  readonly of: number
  /** Where these are some of those that are being made: the number of the first, from 1, and how many there will be. */
  readonly some?: { readonly first: number; readonly pages: number }
}

export interface PlainText {
  readonly kind: 'text'
  readonly part: PartNumber
  readonly encoding: string
  readonly language: string
  readonly cut: boolean
}

export interface Picture {
  readonly kind: 'picture'
  readonly part: PartNumber
  readonly width: number
  readonly height: number
  /** What its camera says of it. */
  readonly photo?: PhotoFacts
}

export interface Listing {
  readonly kind: 'listing'
  readonly entries: readonly ListedEntry[]
  /** There are more than are listed. */
  readonly cut: boolean
}

export interface ListedEntry {
  /** With `/` between folders; those of folders end with one. */
  readonly path: string
  readonly size: number
  readonly packed: number
  /** Milliseconds since 1970, as far as the archive knows. */
  readonly modified: number
  readonly encrypted: boolean
  /** The sum of its bytes, where the archive has such. */
  readonly crc?: number | undefined
  /** The bytes of its path, in base64, where the archive does not say how they are written and there is more than ASCII. */
  readonly rawName?: string | undefined
}

export interface Mail {
  readonly kind: 'mail'
  readonly subject: string
  readonly from: string
  readonly to: string
  readonly cc: string
  readonly date: number
  /** What would have been fetched from outside, or have run. */
  readonly blocked: number
  readonly blocks: readonly Block[]
  readonly attachments: readonly { readonly name: string; readonly size: number }[]
}

/** A PDF that an office program made of the document. */
export interface PdfCopy {
  readonly kind: 'pdf'
  readonly part: PartNumber
}
