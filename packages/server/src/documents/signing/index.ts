// PDF files that are signed: their base revision, and the incremental updates with signatures.
export {
  type BaseField,
  type BaseLayout,
  type FieldPlace,
  largestSigned,
  makeBase,
  type NewField,
  type NotSignable,
  UnsuitableForSigning,
} from './base.ts'
export { appendSignature, endOf, type FilledText } from './increment.ts'
export { drawStamp, type Stamp } from './stamp.ts'
