// The calls as the client needs them: their request shapes without the schemas. The build replaces this module by its
// value (vite.config.ts), so the schemas and their library are not part of the login page.
import { calls } from '@cloudoc/contract'
import { isEarly, type Shapes, shapesOf } from './call-shape.ts'

/** The calls a page sends before and during sign-in. The other calls are loaded with the signed-in page. */
export const shapes: Shapes = shapesOf(calls, isEarly)
