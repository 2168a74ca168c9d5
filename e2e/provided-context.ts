// The values provided to these tests by vitest.config.ts and global-setup.ts.
import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the browser; empty if there is none. */
    chromium: string
    /** True under `npm run test:full`, which runs the long versions. */
    full: boolean
    /** The data folder of a server that has been started once; new servers copy it. */
    installation: string
    /** The address at which a worker requests the server that its files share. */
    servers: string
  }
}
