// The shape of a push: what the server tells clients by itself over the live channel. A push is described here once, by its
// feature; its frame, its place in the catalogue and what a client does with it follow from the description.
import type { z } from 'zod'

/**
 * Who gets a push, and what of it is kept for whoever is away.
 * `replayed`: it is told of an event, to the audience that the event has when it is told, and again to a client that comes
 * back with a position before the event's. `confirmed`: it is told to people by name, and after each login again until one
 * of their clients confirms it. `ephemeral`: it is told to a socket that is open, once.
 */
export type Delivery = 'replayed' | 'confirmed' | 'ephemeral'

export interface Push<T extends number = number, D extends Delivery = Delivery, S extends z.ZodType = z.ZodType> {
  /** Its number on the wire: never given twice, never changed. */
  readonly type: T
  readonly delivery: D
  readonly payload: S
}

/** Declares a push. */
export function push<const T extends number, const D extends Delivery, S extends z.ZodType>(
  declaration: Push<T, D, S>,
): Push<T, D, S> {
  return declaration
}

/** Pushes by their names, of the product or of a feature. */
export type PushCatalogue = Readonly<Record<string, Push>>
