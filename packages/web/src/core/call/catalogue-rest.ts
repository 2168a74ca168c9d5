// The calls that the pages of everybody send with a session (catalogue.ts has the others), so the login page does not grow
// with them. The build replaces this module by its value (vite.config.ts).
import { calls } from '@cloudoc/contract'
import { isAdministered, isEarly, type Shapes, shapesOf } from './call-shape.ts'

export const shapes: Shapes = shapesOf(calls, (name, call) => !isEarly(name, call) && !isAdministered(call))
