// What crosses a process boundary: calls, pushes, settings.
export * from './call.ts'
export * from './calls/index.ts'
export * from './channel.ts'
export * from './facts.ts'
export * from './fields.ts'
export * from './push.ts'
export { type PlacedRequest, placeInput } from './request.ts'
export * from './settings.ts'
