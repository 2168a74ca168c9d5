// The smaller build of the package; it has the same types as the full one.
declare module 'exifr/dist/lite.esm.mjs' {
  export { parse } from 'exifr'
}
