// The server as its operator starts it, in whose place of app.ts stands points.ts.
import { registerHooks } from 'node:module'

const points = new URL('points.ts', import.meta.url).href

registerHooks({
  resolve(specifier, context, next) {
    const isOfMain = specifier === './app.ts' && context.parentURL?.endsWith('/src/main.ts') === true
    return next(isOfMain ? points : specifier, context)
  },
})
await import('../../src/main.ts')
