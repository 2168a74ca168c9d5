// The context that a handler receives, by the kind of its call.
import type { AuditDetail, ItemRef, ObjectId } from '@cloudoc/contract'
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
import type { Change, Changed, NewEvent } from '../events.ts'
import type { Objects } from '../loaders.ts'
import type { Upload } from './input.ts'

/** One request, as its handler sees it. */
export interface Context {
  /** Milliseconds since 1970. Constant during the request. */
  readonly now: number
  /** The connection pool. Inside a transaction, that transaction. */
  readonly db: Db
  /** Undefined only in calls whose `auth` is none or optional. Other than an account only in calls that declare it. */
  readonly actor: Actor | undefined
  /** The caller's address. A forwarded address counts only if it comes from a trusted proxy. */
  readonly address: string
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Returns an item that passed the call's gate. */
  item(ref: ItemRef): Access
  /** Returns an object of another kind that passed the call's gate. */
  object<O extends ObjectAccess>(objects: Objects<O>, id: ObjectId): O
  /**
   * Checks again after a wait, in calls that only read, that the caller still has the permission. Fails with the code
   * of the refusal.
   */
  stillMay(): Promise<void>
  /** The code with which the gate refused an item, in calls that pass if one of several items passes. */
  refusalOf(ref: ItemRef): CodeName | undefined
}

/** The context inside the call's transaction. */
export interface WriteContext extends Context {
  readonly tx: Tx
  /** Records an event of this change. It is written in the same transaction. */
  event(event: NewEvent): void
  /** Reports changes other than to items to the reactions. */
  readonly changed: (changed: Changed) => void
  /** Adds details to the audit row of this call. */
  audit(detail: AuditDetail): void
  /** Records the change of another operation that was performed in this transaction. */
  join(change: Change): void
}

/** Work that is cheaper in a batch, for calls that arrive at the same moment. */
export interface SharedWork<I, O> {
  /** Does the work for many calls in a few statements. Returns undefined for a call that must be done alone. */
  readonly batch: (
    tx: Tx,
    members: readonly { readonly context: WriteContext; readonly input: I }[],
  ) => Promise<readonly (Outcome<O> | undefined)[]>
  /** Does the work for one call. */
  readonly alone: (context: WriteContext, input: I) => Promise<O>
}

/** The context of a handler that opens its transaction itself, after work that a transaction must not wait for. */
export interface StagedContext extends Context {
  /** The upload that follows the fields. */
  readonly upload: Upload | undefined
  /**
   * Checks the gates again, runs the work, records it and commits. `last` runs after the reactions, right before the
   * commit. If it fails, everything is rolled back.
   */
  commit<T>(work: (context: WriteContext) => Promise<T>, last?: (tx: Tx) => Promise<void>): Promise<T>
  /**
   * Like `commit`, for work that calls of one moment share. They commit in one transaction, each with its own gates and
   * outcome. If the transaction is refused as a whole, it is repeated for each call alone. An input may be a promise:
   * the other calls of the batch wait for it.
   */
  commitShared<I, O>(work: SharedWork<I, O>, input: I | Promise<I>): Promise<O>
}

const callerOf = (context: Context): Actor => context.actor ?? fail('notLoggedIn')

/** Returns the signed-in account of the caller. Refuses anybody else. */
export function actorOf(context: Context): AccountActor {
  const actor = callerOf(context)
  return actor.kind === 'account' ? actor : fail('noPermission')
}

/** The account whose permissions and space apply, for work that outsiders may do too. */
export const accountOf = (context: Context): Account => accountOfActor(callerOf(context))

/** The author to record for a change. */
export const authorOf = (context: Context): Author => authorOfActor(callerOf(context))

/** Does shared work for one call, in the transaction that commits it. */
export async function commitAlone<I, O>(
  context: Pick<StagedContext, 'commit'>,
  work: SharedWork<I, O>,
  input: I | Promise<I>,
): Promise<O> {
  const ready = await input
  return context.commit((write) => work.alone(write, ready))
}

/** Runs work that ends with its caller: the signal is aborted when the connection of the answer closes. */
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
