// What a handler gets, by the kind of its call.
import type { ItemRef, ObjectId } from '@cloudoc/contract'
import { type CodeName, fail, ResultError } from '@cloudoc/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Access, ObjectAccess } from '../access.ts'
import {
  type Account,
  type AccountActor,
  type Actor,
  type Author,
  accountOf as accountOfActor,
  authorOf as authorOfActor,
} from '../actor.ts'
import type { Outcome } from '../batcher.ts'
import type { Db, Tx } from '../db/database.ts'
import type { Changed, NewEvent } from '../events.ts'
import type { Objects } from '../loaders.ts'
import type { Upload } from './input.ts'

/** One request, seen by its handler. */
export interface Context {
  /** Milliseconds since 1970, the same moment through the whole request. */
  readonly now: number
  /** The pool; inside a transaction that transaction. */
  readonly db: Db
  /** Undefined only in calls whose `auth` is none or optional; of another kind than an account only where they say so. */
  readonly actor: Actor | undefined
  /** The caller's address; a forwarded one counts only from trusted proxies. */
  readonly address: string
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** An item that the call's gate has passed. */
  item(ref: ItemRef): Access
  /** An object of another kind that the call's gate has passed. */
  object<O extends ObjectAccess>(objects: Objects<O>, id: ObjectId): O
  /** Asks after a wait, in calls that only read, whether who asks still may; fails with the code of why not. */
  stillMay(): Promise<void>
  /** The code with which the gate refused an item, in calls that pass when one of several does. */
  refusalOf(ref: ItemRef): CodeName | undefined
}

/** A context inside the call's transaction. */
export interface WriteContext extends Context {
  readonly tx: Tx
  /** Records what this change tells others; written in the same transaction. */
  event(event: NewEvent): void
  /** Tells reactions what this changes beside items. */
  readonly changed: (changed: Changed) => void
  /** Adds to the audit row of this call. */
  audit(detail: Record<string, string | number | boolean | null>): void
}

/** Work that costs less for many at once, as calls of one moment bring it. */
export interface SharedWork<I, O> {
  /** Does it for many in a few statements. Answers undefined for what has to be done alone. */
  readonly batch: (
    tx: Tx,
    members: readonly { readonly context: WriteContext; readonly input: I }[],
  ) => Promise<readonly (Outcome<O> | undefined)[]>
  /** Does it for one. */
  readonly alone: (context: WriteContext, input: I) => Promise<O>
}

/** A context that opens its transaction itself, after what a transaction may not wait for. */
export interface StagedContext extends Context {
  /** What an upload brings after its fields. */
  readonly upload: Upload | undefined
  /**
   * Gates again, runs, records and commits. What is done last comes after the reactions, right before the commit: by
   * failing it takes everything back.
   */
  commit<T>(work: (context: WriteContext) => Promise<T>, last?: (tx: Tx) => Promise<void>): Promise<T>
  /**
   * The same for work that calls of one moment share: they commit in one transaction, each by its own gates and with its
   * own outcome. Whatever the transaction refuses as a whole is done again for each alone. Who is told of early, by a
   * promise of its input, is waited for by the others of its moment.
   */
  commitShared<I, O>(work: SharedWork<I, O>, input: I | Promise<I>): Promise<O>
}

const callerOf = (context: Context): Actor => context.actor ?? fail('notLoggedIn')

/** The caller who is signed in with an account; anybody else is refused. */
export function actorOf(context: Context): AccountActor {
  const actor = callerOf(context)
  return actor.kind === 'account' ? actor : fail('noPermission')
}

/** The account whose rights and space count, for work that outsiders may do as well. */
export const accountOf = (context: Context): Account => accountOfActor(callerOf(context))

/** Who did it, as it is written down. */
export const authorOf = (context: Context): Author => authorOfActor(callerOf(context))

/** Does shared work for one call, by the transaction that commits it. */
export async function commitAlone<I, O>(
  context: Pick<StagedContext, 'commit'>,
  work: SharedWork<I, O>,
  input: I | Promise<I>,
): Promise<O> {
  const ready = await input
  return context.commit((write) => work.alone(write, ready))
}

/** Does work that ends with its caller: the signal comes when the connection has gone that the answer is for. */
export async function whileAsked<T>(
  { request }: Pick<Context, 'request'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { socket } = request.raw
  const gone = new AbortController()
  const end = (): void => gone.abort(new ResultError('uploadInterrupted'))
  if (socket.destroyed) end()
  socket.once('close', end)
  try {
    return await work(gone.signal)
  } finally {
    socket.off('close', end)
  }
}
