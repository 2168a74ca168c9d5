// The shape of a call catalogue entry. A call is described here once: the server registers its route from it, the
// client derives a typed function from it, and openapi.json is printed from it.
import type { Capability, CodeName, LogBitName } from '@cloudoc/domain'
import type { z } from 'zod'
import type { ActorKind, Authority } from './authority.ts'

/** Where a call's input travels: path parameters always come from the path, the rest from here. */
export type Payload = 'none' | 'query' | 'json' | 'form' | 'text' | 'multipart' | 'raw'

type PathParams<P extends string> = P extends `${string}{${infer K}}${infer R}` ? K | PathParams<R> : never

/**
 * How the server runs a call.
 * `read`: no transaction. `write`: one transaction around gates, handler, event and audit rows. `batch`: the same once
 * per item. `staged`: gated, then the handler does what no transaction may wait for (a body, a password hash), then
 * opens its transaction, in which it is gated again. `stream`: gated, then the handler writes the response itself.
 */
export type CallKind = 'read' | 'write' | 'batch' | 'staged' | 'stream'

/**
 * What the audit tells apart: signing in and one's own account, files, rights, what administrators do. `technical` is on
 * record too, but is nothing that a person did: a receipt, a part of an upload.
 */
export const auditKinds = ['technical', 'signIn', 'file', 'rights', 'administration'] as const
export type AuditKind = (typeof auditKinds)[number]

/** The fields of a call that do not depend on its schemas. */
export interface CallShape {
  /** What it does, in one line, for whoever reads openapi.json. */
  readonly summary: string
  /** What else a caller must know, there. */
  readonly notes?: string
  readonly kind: CallKind
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  /** Further documented paths that reach the same handler. */
  readonly aliases?: readonly string[]
  /** `none`: no session needed. `optional`: read if sent. `query`: the token may also come as `access_token`. */
  readonly auth: 'required' | 'optional' | 'query' | 'none'
  /** Who may come; accounts alone unless said. */
  readonly actors?: readonly ActorKind[]
  readonly payload: Payload
  /** `spec` when the documents give method and path, `ours` when we chose them. */
  readonly origin: 'spec' | 'ours'
  /** The whole body is this one input field (documented bodies that are a list or a plain text). */
  readonly bodyField?: string
  /** Milliseconds the client waits; 60,000 unless said ([R377]). */
  readonly timeoutMs?: number
  /** The client shows no error for it ([R037]). */
  readonly quiet?: true
  /** What its gate refuses of several items is left out of the answer; the call is refused where nothing is left. */
  readonly leavesOut?: true
  /** What the caller must be able to do at all, beside its authority. */
  readonly needs?: Capability
  /** Where the audit shows it; by its authority unless said (auditKindOf). */
  readonly audit?: AuditKind
  /** It comes many times a second: what it comes to is on record, each of it is not. */
  readonly unrecorded?: true
  /** What the log of a file calls it ([R190]); what a call does by its input, its handler says. */
  readonly log?: LogBitName
  /** What a stream answers, as a media type; `*\/*` where the content says. */
  readonly answers?: string
  /** HTTP statuses that it has of its own. */
  readonly statuses?: readonly number[]
  /** Codes a caller should be ready for, beyond those any call may answer. */
  readonly codes?: readonly CodeName[]
}

/** A call with its schemas and its authority. */
export type Call<I extends z.ZodObject = z.ZodObject, D extends z.ZodType = z.ZodType> = CallShape & {
  readonly input: I
  readonly data: D
} & Authority<z.output<I>>

/**
 * Declares one call. A path parameter that is no field of the input does not compile.
 */
export function call<const P extends string, const K extends CallKind, I extends z.ZodObject, D extends z.ZodType>(
  declaration: Call<I, D> & { readonly path: P; readonly kind: K } & ([PathParams<P>] extends [keyof z.output<I>]
      ? unknown
      : { path: `unknown path parameter in ${P}` }),
): Call<I, D> & { readonly path: P; readonly kind: K } {
  return declaration
}

/** A catalogue of calls by name. */
export type Calls = Readonly<Record<string, CallShape & { readonly input: z.ZodObject; readonly data: z.ZodType }>>

type SchemaOf<C, K extends 'input' | 'data'> = C extends { readonly [k in K]: infer S extends z.ZodType } ? S : never

/** What a caller sends. */
export type Input<C> = z.input<SchemaOf<C, 'input'>>
/** What a handler receives: the input after parsing. */
export type Parsed<C> = z.output<SchemaOf<C, 'input'>>
/** What a handler returns. */
export type Data<C> = z.input<SchemaOf<C, 'data'>>
/** What a caller gets. */
export type Answer<C> = z.output<SchemaOf<C, 'data'>>

/** Every answer of a call, on the wire (X37). */
export interface Envelope<D> {
  readonly result: number
  readonly data: D
  readonly msg: string
}
