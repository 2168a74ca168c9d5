// What vitest.config.ts provides to these tests: inject('chromium'), inject('full').
import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the browser's program; empty where there is none. */
    chromium: string
    /** True under `npm run test:full`: the long versions. */
    full: boolean
  }
}
