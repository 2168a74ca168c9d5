// The shape of a call catalogue entry. A call is described once: the server registers its route from it, the client
// derives a typed function from it, and openapi.json is generated from it.
import type { Capability, CodeName, Locale, LogBitName } from '@cloudoc/domain'
import type { z } from 'zod'
import type { ActorKind, Authority } from './authority.ts'
import type { SampleIds } from './sample.ts'

/** How a call's input is transported. Path parameters always come from the path; the rest comes from this payload. */
export type Payload = 'none' | 'query' | 'json' | 'form' | 'text' | 'multipart' | 'raw'

type PathParams<P extends string> = P extends `${string}{${infer K}}${infer R}` ? K | PathParams<R> : never

/**
 * How the server runs a call. `read`: no transaction. `write`: one transaction around gates, handler, event and audit
 * rows. `batch`: the same once per item. `staged`: gates run first; then the handler does the work that no transaction
 * may wait for (a body, a password hash), opens its transaction and runs the gates again. `stream`: gates run, then the
 * handler writes the response itself.
 */
export type CallKind = 'read' | 'write' | 'batch' | 'staged' | 'stream'

/**
 * The categories of the audit log: sign-in and own account, files, rights, administration. `technical` entries are
 * recorded too, but are no user actions: a receipt, a part of an upload.
 */
export const auditKinds = ['technical', 'signIn', 'file', 'rights', 'administration'] as const
export type AuditKind = (typeof auditKinds)[number]

/** A text in both languages of the product. */
export type InBothLanguages = Readonly<Record<Locale, string>>

/** The fields of a call that do not depend on its schemas. */
export interface CallShape {
  /** One-line description of the call in openapi.json. */
  readonly summary: string
  /** Further notes for callers in openapi.json. */
  readonly notes?: string
  readonly kind: CallKind
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  /** Further documented paths of the same handler. */
  readonly aliases?: readonly string[]
  /**
   * `none`: no session needed. `optional`: the session is read if sent. `query`: the token may also be sent as
   * `access_token`.
   */
  readonly auth: 'required' | 'optional' | 'query' | 'none'
  /** The kinds of callers allowed; accounts only by default. */
  readonly actors?: readonly ActorKind[]
  readonly payload: Payload
  /** `spec`: the spec defines method and path. `ours`: we chose them. */
  readonly origin: 'spec' | 'ours'
  /** The input field that receives the whole body (documented bodies that are a list or plain text). */
  readonly bodyField?: string
  /** Client timeout in milliseconds; default 60,000 ([R377]). */
  readonly timeoutMs?: number
  /** The client shows no error message for this call ([R037]). */
  readonly quiet?: true
  /** Items that the gate refuses are left out of the answer. The call is refused when no item is left. */
  readonly leavesOut?: true
  /** Capability that the caller needs in addition to the authorization. */
  readonly needs?: Capability
  /** Audit category; derived from the authorization by default (auditKindOf). */
  readonly audit?: AuditKind
  /** The call happens many times a second. Its overall result is recorded, not each single call. */
  readonly unrecorded?: true
  /** The name of the action in the audit log. By default the name of its log bit. */
  readonly title?: InBothLanguages
  /**
   * The log bit in the log of a file ([R190]). `byHandler`: the handler sets it, because it depends on the input.
   * `none`: the log of a file has no name for the action. Calls that change items must state one of them.
   */
  readonly log?: LogBitName | 'byHandler' | 'none'
  /** The input fields that the audit row records: ids of users and other objects that no gate names. */
  readonly audits?: readonly string[]
  /**
   * Permitted to a user who must first change the password (and set up the second factor), or who must first set up the
   * required second factor; `activation`: also before the server is activated.
   */
  readonly before?: 'passwordChange' | 'secondFactor' | 'activation'
  /**
   * It is needed to read, to sign in or to take back, although it writes rows: it stays where changes are refused, such
   * as after the end of a licence.
   */
  readonly servesReading?: true
  /** It hands out a way in, or concerns a person: programs with a token of their own may not call it. */
  readonly personOnly?: true
  /** Media type of a stream's answer; `*\/*` when it depends on the content. */
  readonly answers?: string
  /** Additional HTTP statuses of this call. */
  readonly statuses?: readonly number[]
  /** Result codes that callers should handle, in addition to those that any call may return. */
  readonly codes?: readonly CodeName[]
}

/** A call with its schemas and its authorization. */
export type Call<I extends z.ZodObject = z.ZodObject, D extends z.ZodType = z.ZodType> = CallShape & {
  readonly input: I
  readonly data: D
  readonly audits?: readonly (keyof z.output<I>)[]
  /**
   * An input that the schema accepts, for the tests of all calls: with every field that is required, and those that the
   * gates need. Omitted when an empty input is accepted.
   */
  readonly sample?: (ids: SampleIds) => { readonly [F in keyof z.input<I>]?: unknown }
} & Authority<z.output<I>>

/** Declares a call. A path parameter that is not an input field is a compile error. */
export function call<const P extends string, const K extends CallKind, I extends z.ZodObject, D extends z.ZodType>(
  declaration: Call<I, D> & { readonly path: P; readonly kind: K } & ([PathParams<P>] extends [keyof z.output<I>]
      ? unknown
      : { path: `unknown path parameter in ${P}` }),
): Call<I, D> & { readonly path: P; readonly kind: K } {
  return declaration
}

/** A catalogue of calls by name. */
export type Calls = Readonly<Record<string, CallShape & { readonly input: z.ZodObject; readonly data: z.ZodType }>>

// The types are read from the schemas directly: asking whether a schema is one of zod's compares all its methods.
type Of<C, K extends 'input' | 'data', Side extends 'input' | 'output'> = C extends {
  readonly [k in K]: { readonly _zod: { readonly [s in Side]: infer T } }
}
  ? T
  : never

/** The input that a caller sends. */
export type Input<C> = Of<C, 'input', 'input'>
/** The input that a handler receives, after parsing. */
export type Parsed<C> = Of<C, 'input', 'output'>
/** The data that a handler returns. */
export type Data<C> = Of<C, 'data', 'input'>
/** The answer that a caller receives. */
export type Answer<C> = Of<C, 'data', 'output'>

/** The envelope of every answer on the wire (X37). */
export interface Envelope<D> {
  readonly result: number
  readonly data: D
  readonly msg: string
}
