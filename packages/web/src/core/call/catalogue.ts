// The calls as the client needs them: how each travels, without the schemas. The build replaces this module by its value
// (vite.config.ts), so that the schemas and their library are no part of the login page.
import { type CallShape, calls } from '@cloudoc/contract'

const fields = ['kind', 'method', 'path', 'auth', 'payload', 'bodyField', 'timeoutMs', 'quiet'] as const

/** What a request is made of. */
export type Shape = Pick<CallShape, (typeof fields)[number]>

const shapeOf = (call: CallShape): Shape =>
  Object.fromEntries(fields.flatMap((field) => (call[field] === undefined ? [] : [[field, call[field]]]))) as Shape

/** Every call by its name. */
export const shapes = Object.fromEntries(
  Object.entries(calls).map(([name, call]) => [name, shapeOf(call)]),
) as Readonly<Record<keyof typeof calls, Shape>>
