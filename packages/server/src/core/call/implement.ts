// Binds a catalogue to its handlers. A call without a handler, or with one that returns wrong data, does not compile.
import type { Calls, Data, ItemRef, Parsed, StoredItem } from '@cloudoc/contract'
import type { Context, StagedContext, WriteContext } from './context.ts'
import type { EncodedAnswer } from './encoded-answer.ts'

/** The data of one batch item beside its result. */
export interface BatchItemData extends Partial<Omit<StoredItem, 'fName'>> {
  readonly fId?: number
  /** The same as fId, for a link. */
  readonly linkId?: number
  /** The id of the change in the history of the item's permissions. */
  readonly changeId?: number
  /** The name in the answer, for an item that the change has renamed. Without it the answer has the name from before. */
  readonly name?: string
}

type KindOf<C> = C extends { readonly kind: infer K } ? K : never

/** The handler that a call of this kind needs. */
export type Handler<C> =
  KindOf<C> extends 'read'
    ? (context: Context, input: Parsed<C>) => Promise<Data<C> | EncodedAnswer>
    : KindOf<C> extends 'write'
      ? (context: WriteContext, input: Parsed<C>) => Promise<Data<C>>
      : KindOf<C> extends 'batch'
        ? (context: WriteContext, input: Parsed<C>, item: ItemRef) => Promise<BatchItemData>
        : KindOf<C> extends 'staged'
          ? (context: StagedContext, input: Parsed<C>) => Promise<Data<C>>
          : (context: Context, input: Parsed<C>) => Promise<void>

export type Handlers<C extends Calls> = { readonly [N in keyof C]: Handler<C[N]> }

/** Declares the handlers of a catalogue. */
export function implement<C extends Calls>(_calls: C, handlers: Handlers<C>): Handlers<C> {
  return handlers
}
