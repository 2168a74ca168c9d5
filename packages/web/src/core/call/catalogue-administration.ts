// The calls that only administrators send, loaded with the first of them. The build replaces this module by its value
// (vite.config.ts).
import { calls } from '@cloudoc/contract'
import { isAdministered, isEarly, type Shapes, shapesOf } from './call-shape.ts'

export const shapes: Shapes = shapesOf(calls, (name, call) => !isEarly(name, call) && isAdministered(call))
