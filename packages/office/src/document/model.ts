// What reading, showing and writing a Word document have in common: where its pieces stand in the file.
import type { Node, Schema } from 'prosemirror-model'
import type { Placed } from '../xml.ts'

/** What a piece that stays as it stands is, for its words. */
export type OpaqueKind = 'mark' | 'field' | 'picture' | 'object' | 'note' | 'formula' | 'break' | 'deleted' | 'other'

export interface OpaqueAttrs {
  /** As it is written into a paragraph. */
  readonly xml: string
  readonly kind: OpaqueKind
  readonly text: string
  /** Where the page has its picture. */
  readonly image: string
  /** The picture itself, where it was put in. */
  readonly data: string
  readonly width: number
  readonly height: number
}

/** A block of the file, a row of a table or a cell. */
export interface Source {
  readonly element: Placed
  /** The part that it stands in. */
  readonly xml: string
  /** What lies before it belongs to it. */
  readonly gap: number
}

export interface Reader {
  readonly xml: string
  /** The style that tables with lines have; empty where the document has none. */
  readonly tableStyle: string
  readonly schema: Schema
  readonly sources: Source[]
  readonly refs: Map<Placed, number>
  readonly originals: Node[]
  /** Where links lead, by the ids of their relations. */
  readonly addresses: ReadonlyMap<string, string>
  readonly pictures: { of(drawing: Placed): Pick<OpaqueAttrs, 'image' | 'width' | 'height'> }
}

export const elements = (of: Placed): Placed[] => of.children.filter((one): one is Placed => typeof one !== 'string')
export const val = (of: { readonly attributes: Readonly<Record<string, string>> } | undefined): string =>
  of?.attributes['w:val'] ?? ''

/** What stands between paragraphs and is seen by nobody. */
export const marks = new Set(
  'w:bookmarkStart w:bookmarkEnd w:commentRangeStart w:commentRangeEnd w:permStart w:permEnd w:moveFromRangeStart w:moveFromRangeEnd w:moveToRangeStart w:moveToRangeEnd w:customXmlInsRangeStart w:customXmlInsRangeEnd'.split(
    ' ',
  ),
)
