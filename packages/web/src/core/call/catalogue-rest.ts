// The calls only a page with a session sends (catalogue.ts has the others), so the login page does not grow with them.
// The build replaces this module by its value (vite.config.ts).
import { calls } from '@cloudoc/contract'
import { isEarly, type Shapes, shapesOf } from './call-shape.ts'

export const shapes: Shapes = shapesOf(calls, (name, call) => !isEarly(name, call))
