// PDF files that are signed: their base revision, and the incremental updates with signatures.

export { unprintable } from '../marks/printable.ts'
export {
  type BaseField,
  type BaseLayout,
  type FieldPlace,
  largestSigned,
  makeBase,
  type NewField,
  type NotSignable,
  type Spread,
  UnsuitableForSigning,
} from './base.ts'
export { appendEvidence, appendSignature, type Evidence, endOf, type FilledText } from './increment.ts'
export { drawStamp, type Stamp, sliceOf } from './stamp.ts'
export { onlySignedAfter } from './updates.ts'
