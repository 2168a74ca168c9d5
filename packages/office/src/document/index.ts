export { coeditDocument, packBase, positionCount, totalLength, unpackBase } from './coedit-document.ts'
export { isPiece, isPieceAttribute, type Op } from './coedit-pieces.ts'
export { type Document, openDocument, withDocumentDraft } from './document.ts'
export {
  type Align,
  propertiesOf,
  withAlign,
  withColor,
  withFont,
  withHighlight,
  withIndent,
  withLineSpacing,
  withList,
  withRun,
  withSize,
  withStyle,
  withToggle,
} from './formatting.ts'
export { arePiecesInPlace, bodyOf, type HeadersAndNotesAttrs, headersAndNotesKeys } from './headers-and-notes.ts'
export { type InsertedPartKind, insertedPartPosition, orphanedNotes } from './inserted-parts.ts'
export { addressOf, linkAttrs, pageBreak, pictureAttrs, pictureTypes, withPictureSize } from './insertions.ts'
export { numberText } from './list-numbers.ts'
export { type ListKind, listIn } from './lists.ts'
export type { OpaqueKind } from './model.ts'
export { type ParagraphStyle, type RunStyle, readStyles } from './paragraph-styles.ts'
export { readFlow } from './read-flow.ts'
export { type CellPlace, changedTable, hasEvenRows, newTable, normalizedTable, type TableChange } from './tables.ts'
