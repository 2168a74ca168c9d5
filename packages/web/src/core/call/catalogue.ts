// The calls as the client needs them: how each travels, without the schemas. The build replaces this module by its value
// (vite.config.ts), so that the schemas and their library are no part of the login page.
import { calls } from '@cloudoc/contract'
import { isEarly, type Shapes, shapesOf } from './call-shape.ts'

/** What a page sends before and while somebody signs in; the other calls come with the page behind it. */
export const shapes: Shapes = shapesOf(calls, isEarly)
