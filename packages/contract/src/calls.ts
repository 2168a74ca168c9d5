// The catalogue of all calls by name.
import { ownAccount, signedIn } from './authority.ts'
import type { Answer, AuditKind, Call, Calls, Input } from './call.ts'
import { type Join, join } from './feature.ts'
import * as features from './features.ts'

const joined = join<Calls>(
  Object.values(features).map((feature) => feature.calls),
  'call',
)
/** Every call of the product by name. */
export const calls = joined as unknown as Join<typeof features, 'calls'>
export type CallName = keyof typeof calls

type Inputs = { readonly [N in CallName]: Input<(typeof calls)[N]> }
type Answers = { readonly [N in CallName]: Answer<(typeof calls)[N]> }

// \`Inputs[N]\` would do, but for a name that is not known yet the compiler then unites the types of all calls, which takes
// seconds in each place. What is inferred has no such bound.
/** The input that a caller sends with the call of a name. */
export type CallInput<N extends CallName> = Inputs extends { readonly [K in N]: infer I } ? I : never
/** The answer that a caller of the call of a name receives. */
export type CallAnswer<N extends CallName> = Answers extends { readonly [K in N]: infer A } ? A : never

/**
 * The same calls for code that handles any of them. Indexing \`calls\` by a name that is not known makes the compiler
 * unite the schemas of all calls, which takes seconds in each place.
 */
export const callsByName = joined as unknown as Readonly<Record<CallName, Call>>

/** Returns the audit category of a call. Events without a call were caused by a schedule or by the first start. */
export function auditKindOf(name: string, ofItems: boolean): AuditKind {
  const call = (callsByName as Readonly<Record<string, Call>>)[name]
  if (call === undefined) return ofItems ? 'file' : 'administration'
  if (call.audit !== undefined) return call.audit
  if ('gate' in call || 'batch' in call) return 'file'
  if ('open' in call || call.guard === ownAccount || call.guard === signedIn) return 'signIn'
  return 'administration'
}
