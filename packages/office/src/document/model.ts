// Types shared by reading, rendering and writing of a Word document: the source locations of its pieces.
import type { Node, Schema } from 'prosemirror-model'
import type { Placed } from '../package/index.ts'

/** What an opaque piece (preserved unchanged) is, for its label. */
export type OpaqueKind = 'mark' | 'field' | 'picture' | 'object' | 'note' | 'formula' | 'break' | 'deleted' | 'other'

export interface OpaqueAttrs {
  /** The XML of the piece in its paragraph. */
  readonly xml: string
  readonly kind: OpaqueKind
  readonly text: string
  /** The URL of the picture in the page. */
  readonly image: string
  /** The data of an inserted picture. */
  readonly data: string
  readonly width: number
  readonly height: number
}

/** The source element of a block, a table row or a cell. */
export interface Source {
  readonly element: Placed
  /** The XML of the part that contains the element. */
  readonly xml: string
  /** Start of the preceding text that belongs to this element. */
  readonly gap: number
}

export interface Reader {
  readonly xml: string
  /** The id of the table style with grid lines; empty if the document has none. */
  readonly tableStyle: string
  readonly schema: Schema
  readonly sources: Source[]
  readonly refs: Map<Placed, number>
  readonly originals: Node[]
  /** The link targets, by relationship id. */
  readonly addresses: ReadonlyMap<string, string>
  readonly pictures: { of(drawing: Placed): Pick<OpaqueAttrs, 'image' | 'width' | 'height'> }
}

export const elements = (of: Placed): Placed[] => of.children.filter((one): one is Placed => typeof one !== 'string')
export const val = (of: { readonly attributes: Readonly<Record<string, string>> } | undefined): string =>
  of?.attributes['w:val'] ?? ''

/** Invisible range marks, which may also occur between paragraphs. */
export const marks = new Set(
  'w:bookmarkStart w:bookmarkEnd w:commentRangeStart w:commentRangeEnd w:permStart w:permEnd w:moveFromRangeStart w:moveFromRangeEnd w:moveToRangeStart w:moveToRangeEnd w:customXmlInsRangeStart w:customXmlInsRangeEnd'.split(
    ' ',
  ),
)
