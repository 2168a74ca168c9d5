/*
 * Operations: what one request may do, whichever protocol it uses. The dispatcher runs every operation in the same way:
 * session, gates, transaction, events, audit, result code. Calls are one protocol. WOPI and tus are others: how a
 * request is read and how the answer is written is theirs.
 */
import type { Authority, BatchAnswer, Call, CallName, CallShape, Fields, ItemRef } from '@cloudoc/contract'
import type { CodeName } from '@cloudoc/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Context, StagedContext, WriteContext } from './context.ts'
import type { BatchItemData } from './implement.ts'
import type { Upload } from './input.ts'

/** What an operation does, with the context of its kind. The kinds are those of calls. */
export type Work<I, T> =
  | { readonly kind: 'read' | 'stream'; readonly run: (context: Context, input: I) => Promise<T> }
  | { readonly kind: 'write'; readonly run: (context: WriteContext, input: I) => Promise<T> }
  | { readonly kind: 'staged'; readonly run: (context: StagedContext, input: I) => Promise<T> }
  | {
      readonly kind: 'batch'
      readonly run: (context: WriteContext, input: I, item: ItemRef) => Promise<BatchItemData>
      /** The answer, made of the answers to the items. */
      readonly answer: (items: BatchAnswer) => T
    }

/** Who may perform an operation, and what is recorded of it. */
export interface OperationFacts
  extends Pick<
    CallShape,
    | 'auth'
    | 'payload'
    | 'actors'
    | 'leavesOut'
    | 'needs'
    | 'before'
    | 'servesReading'
    | 'personOnly'
    | 'audits'
    | 'unrecorded'
    | 'log'
  > {
  /** Its name in the audit and in the metrics. */
  readonly name: string
  /** It applies the limit of its actor by itself, to each item that it finds. */
  readonly limitsItself?: true
}

/** What an operation may do: its facts, its authorization and its work. */
export type Operation<I, T> = OperationFacts &
  Authority<I> &
  Work<I, T> & {
    /** The result code of an answer that is a partial success. Success by default. */
    readonly resultOf?: (data: T) => number
    /** Validates an answer in tests and development. */
    readonly validate?: (data: T) => void
  }

/** A request for an operation. */
export interface Asked<I, T> {
  readonly operation: Operation<I, T>
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Reads and parses the input. Called after the session is read, because it may take long. */
  readonly incoming: () => Promise<{ readonly input: I; readonly upload?: Upload | undefined }>
}

/** The outcome of a request: the answer, a refusal with its envelope, or an answer that broke off while it was sent. */
export type Performed<T> =
  | { readonly data: T }
  | { readonly code: CodeName; readonly envelope: { result: number; data: null; msg: string } }
  | { readonly isCut: true }

/** Performs an operation. The protocol writes the answer. */
export type Perform = <I extends Fields, T>(asked: Asked<I, T>) => Promise<Performed<T>>

/**
 * Performs a call of the catalogue for another protocol: with its schema, gates, transaction, events and audit, as if it
 * had been requested itself. `upload` is the content of calls that take one.
 */
export type PerformCall = (asked: {
  readonly name: CallName
  readonly input: Fields
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly upload?: Upload | undefined
}) => Promise<Performed<unknown>>

/**
 * Performs a call of the catalogue in the transaction of another operation: with its schema, gates, events and audit row.
 * Several calls then become one change: if one of them is refused, none is carried out. Only for calls that write.
 */
export type PerformWithin = (
  context: WriteContext,
  asked: { readonly name: CallName; readonly input: Fields },
) => Promise<unknown>

/** The facts and the authorization of a call, for an operation that another protocol performs in its place. */
export function authorityOf<I extends z.ZodObject>(
  name: string,
  call: Call<I>,
): OperationFacts & Authority<z.output<I>> {
  return { ...call, name }
}
