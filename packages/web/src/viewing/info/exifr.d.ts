// The smaller build of the package, which has the same types as the whole.
declare module 'exifr/dist/lite.esm.mjs' {
  export { parse } from 'exifr'
}
