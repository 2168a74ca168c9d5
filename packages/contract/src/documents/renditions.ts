/*
 * Renditions: the displayable form of a document. The server creates one per content, the client draws it. A rendition
 * contains text, tables and images, but nothing that can execute or be fetched. Lengths are CSS pixels, colours
 * `#rrggbb`.
 *
 * On the wire a rendition is one object: the length of its head (four bytes), the head (a RenditionHead as JSON) and
 * its parts. The client reads the parts by range requests as they scroll into view. JSON parts are gzip-compressed.
 */
import type { TextEncodingName } from '@cloudoc/domain'
import type {
  Block,
  CellStyle,
  Drawing,
  DrawnMark,
  Flow,
  FlowSection,
  Missing,
  PageEdges,
  PageSize,
  Paragraph,
  PartNumber,
  Run,
  Slide,
  SlideShape,
  Slides,
  Table,
  TableCell,
  TabStop,
} from '@cloudoc/office/rendition'

export type {
  Block,
  CellStyle,
  Drawing,
  DrawnMark,
  Flow,
  FlowSection,
  Missing,
  PageEdges,
  PageSize,
  Paragraph,
  PartNumber,
  Run,
  Slide,
  SlideShape,
  Slides,
  Table,
  TableCell,
  TabStop,
}

import type { PhotoFacts } from '@cloudoc/domain'

export interface RenditionPart {
  /** Offset of the part, counted from the end of the head. */
  readonly at: number
  readonly size: number
  /** `json` is gzipped JSON, `text` gzipped UTF-8; the others are media types of images and documents. */
  readonly type: 'json' | 'text' | 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'application/pdf'
}

export interface RenditionHead {
  readonly parts: readonly RenditionPart[]
  /** Part 0 is the {@link Rendition}. */
  readonly body: 0
}

export type Rendition = Flow | Sheets | Slides | Pages | PlainText | Picture | Listing | Mail | PdfCopy

/**
 * A cell: its column, its text, its style number (0: none), and for a number or date that it is one, in the general
 * format or another.
 */
export type SheetCell = readonly [column: number, text: string, style: number, number?: 'general' | 'formatted']

/** The content of one sheet; each sheet is a separate part. */
export interface SheetBody {
  /** Rows that have cells, in ascending order. */
  readonly rows: readonly (readonly [row: number, cells: readonly SheetCell[]])[]
  /** Column widths that differ from the default, by column. */
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
  /** Charts; absent in renditions created before charts were supported. */
  readonly drawings?: readonly { readonly drawing: Drawing; readonly row: number; readonly column: number }[]
}

export interface Sheets {
  readonly kind: 'sheets'
  readonly sheets: readonly {
    readonly name: string
    readonly part: PartNumber
    readonly rows: number
    readonly columns: number
    /** Frozen rows and columns. */
    readonly frozen: readonly [rows: number, columns: number]
  }[]
  readonly styles: readonly CellStyle[]
  /** True when the sheet has more cells than the answer contains; the viewer then shows the note of code -203. */
  readonly cut: boolean
}

/** A run of text on a page with the position of its upper left corner; `ends` is set when a line ends after it. */
export type PageWord = readonly [text: string, x: number, y: number, width: number, height: number, ends?: 1]

/** Pages as images, with their text for searching. */
export interface Pages {
  readonly kind: 'pages'
  readonly pages: readonly {
    readonly part: PartNumber
    readonly width: number
    readonly height: number
    readonly text: string
    /** Text positions in reading order; absent in older renditions. */
    readonly words?: readonly PageWord[]
  }[]
  /** Total number of pages of the document; larger than the list when there are too many pages. */
  readonly of: number
  /**
   * Set while rendering is in progress and this rendition has only some pages: number of the first page (from 1) and
   * total number of pages to come.
   */
  readonly some?: { readonly first: number; readonly pages: number }
  /** Of pages made by LibreOffice: faces that the document names and that were replaced by others. */
  readonly replacedFaces?: readonly string[]
}

export interface PlainText {
  readonly kind: 'text'
  readonly part: PartNumber
  readonly encoding: TextEncodingName
  /** Some bytes cannot be decoded in this encoding; they are U+FFFD. */
  readonly hasErrors: boolean
  /** The text in the encodings that may be chosen instead. Set when the text does not state its encoding. */
  readonly others?: readonly {
    readonly encoding: TextEncodingName
    readonly part: PartNumber
    readonly hasErrors: boolean
  }[]
  readonly language: string
  readonly cut: boolean
}

export interface Picture {
  readonly kind: 'picture'
  readonly part: PartNumber
  readonly width: number
  readonly height: number
  /** Camera metadata of the photo. */
  readonly photo?: PhotoFacts
}

export interface Listing {
  readonly kind: 'listing'
  readonly entries: readonly ListedEntry[]
  /** True when the archive has more entries than are listed. */
  readonly cut: boolean
}

export interface ListedEntry {
  /** Path with `/` as separator; folder paths end with `/`. */
  readonly path: string
  readonly size: number
  readonly packed: number
  /** Milliseconds since 1970, if the archive has it. */
  readonly modified: number
  readonly encrypted: boolean
  /** CRC checksum of the content, if the archive has it. */
  readonly crc?: number | undefined
  /**
   * Raw bytes of the path in base64. Set when the archive does not declare the encoding and the path is not pure ASCII.
   */
  readonly rawName?: string | undefined
}

export interface Mail {
  readonly kind: 'mail'
  readonly subject: string
  readonly from: string
  readonly to: string
  readonly cc: string
  readonly date: number
  /** Number of remote resources and scripts that were blocked. */
  readonly blocked: number
  readonly blocks: readonly Block[]
  readonly attachments: readonly { readonly name: string; readonly size: number }[]
}

/** A PDF created from the document by an office program. */
export interface PdfCopy {
  readonly kind: 'pdf'
  readonly part: PartNumber
}

/** Why a content cannot be shown: codes of calls that answer a rendition. */
export const renditionCodes = [
  'conversionUnsupported',
  'conversionFailed',
  'conversionTimedOut',
  'sourceEncrypted',
  'archiveTooLarge',
  'cellLimit',
  'noConversionLock',
] as const
