// Starts the server as its operator does, with points.ts in place of app.ts.
import { registerHooks } from 'node:module'

const points = new URL('points.ts', import.meta.url).href

registerHooks({
  resolve(specifier, context, next) {
    const isOfMain = specifier === './app.ts' && context.parentURL?.endsWith('/src/main.ts') === true
    return next(isOfMain ? points : specifier, context)
  },
})
await import('../../src/main.ts')
