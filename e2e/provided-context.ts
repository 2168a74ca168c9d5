// What these tests are provided with: by vitest.config.ts, and by global-setup.ts.
import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the browser's program; empty where there is none. */
    chromium: string
    /** True under `npm run test:full`: the long versions. */
    full: boolean
    /** The data of a server that has been started once, for servers to begin with a copy of. */
    installation: string
    /** Where a worker asks for the address of the server that its files share. */
    servers: string
  }
}
