// The shape of a push: a message that the server sends to clients through the live channel. A push is described once,
// by its feature. Its frame, its catalogue entry and its handling in the client follow from the description.
import type { z } from 'zod'
import type { FeatureSwitch } from './feature-switches.ts'
import type { NoticeRule } from './notices.ts'

/**
 * Delivery mode: who receives a push, and what is stored for absent users. `replayed`: sent for an event to the
 * audience that the event has at the time of sending, and again to a client that reconnects with a position before the
 * event. `confirmed`: sent to named users, and again after each login until one of their clients confirms it.
 * `ephemeral`: sent once to sockets that are open.
 */
export type Delivery = 'replayed' | 'confirmed' | 'ephemeral'

/** The payload of a notice before it has an id. */
type Content<P> = Omit<P, 'remindId'>

export interface Push<T extends number = number, D extends Delivery = Delivery, S extends z.ZodType = z.ZodType> {
  /** Its number on the wire: never reused, never changed. */
  readonly type: T
  readonly delivery: D
  readonly payload: S
  /** Stored as a notice until the user has read it; `remindId` is the id of the stored notice (X53). */
  readonly notice?: NoticeRule<Content<z.output<S>>>
  /** Of a user's unconfirmed pushes of this kind only the newest is stored. */
  readonly newest?: true
  /** One-line description of the event in asyncapi.json. */
  readonly summary: string
  /** The switch of its feature, from `pushesOf`. */
  readonly switchedBy?: FeatureSwitch
}

/** A push that is stored as a notice. */
export type NoticePush<T extends number = number, S extends z.ZodType = z.ZodType> = Push<T, 'confirmed', S> & {
  readonly notice: NoticeRule<Content<z.output<S>>>
}

type NoticeContent = z.ZodObject<{ remindId: z.ZodNumber }>

export function push<const T extends number, S extends NoticeContent>(declaration: NoticePush<T, S>): NoticePush<T, S>
export function push<const T extends number, const D extends Delivery, S extends z.ZodType>(
  declaration: Push<T, D, S> & { readonly notice?: never },
): Push<T, D, S>
export function push(declaration: Push): Push {
  return declaration
}

/** Pushes by name, of the product or of one feature. */
export type PushCatalogue = Readonly<Record<string, Push>>

/**
 * Documented pushes ([R395]) that this product does not send. Their numbers and names are not used for anything else,
 * because client programs know them.
 */
export const reservedPushTypes: Readonly<Record<string, number>> = {}
