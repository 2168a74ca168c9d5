// The shape of a push: what the server tells clients by itself over the live channel. A push is described here once, by its
// feature; its frame, its place in the catalogue and what a client does with it follow from the description.
import type { z } from 'zod'
import type { NoticeRule } from './notices.ts'

/**
 * Who gets a push, and what of it is kept for whoever is away.
 * `replayed`: it is told of an event, to the audience that the event has when it is told, and again to a client that comes
 * back with a position before the event's. `confirmed`: it is told to people by name, and after each login again until one
 * of their clients confirms it. `ephemeral`: it is told to a socket that is open, once.
 */
export type Delivery = 'replayed' | 'confirmed' | 'ephemeral'

/** What a notice says before it is given its number. */
type Content<P> = Omit<P, 'remindId'>

export interface Push<T extends number = number, D extends Delivery = Delivery, S extends z.ZodType = z.ZodType> {
  /** Its number on the wire: never given twice, never changed. */
  readonly type: T
  readonly delivery: D
  readonly payload: S
  /** It is kept until its person has seen it, and bears the number that it is kept by as `remindId` (X53). */
  readonly notice?: NoticeRule<Content<z.output<S>>>
  /** Of a person's pushes of this kind that nobody has confirmed only the newest is kept. */
  readonly newest?: true
  /** What has happened, in one line, for whoever reads asyncapi.json. */
  readonly summary: string
}

/** A push that is kept as a notice. */
export type NoticePush<T extends number = number, S extends z.ZodType = z.ZodType> = Push<T, 'confirmed', S> & {
  readonly notice: NoticeRule<Content<z.output<S>>>
}

type NoticeContent = z.ZodObject<{ remindId: z.ZodNumber }>

/** Declares a push. */
export function push<const T extends number, S extends NoticeContent>(declaration: NoticePush<T, S>): NoticePush<T, S>
export function push<const T extends number, const D extends Delivery, S extends z.ZodType>(
  declaration: Push<T, D, S> & { readonly notice?: never },
): Push<T, D, S>
export function push(declaration: Push): Push {
  return declaration
}

/** Pushes by their names, of the product or of a feature. */
export type PushCatalogue = Readonly<Record<string, Push>>
