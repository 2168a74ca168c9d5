// The used part of the package libarchive.js: the library itself, without its worker and streams.
declare module 'libarchive.js/src/webworker/wasm-gen/libarchive.js' {
  type Value = 'number' | 'string' | null
  export interface Libarchive {
    readonly HEAPU8: Uint8Array
    cwrap(name: string, answer: Value, takes: readonly Value[]): (...values: readonly unknown[]) => unknown
  }
  export default function load(how: {
    readonly print: () => void
    readonly printErr: () => void
    readonly preRun: readonly []
    readonly postRun: readonly []
  }): Promise<Libarchive>
}
