// The catalogue of all calls by name.
import { ownAccount, signedIn } from './authority.ts'
import type { AuditKind, Call, Calls } from './call.ts'
import { type Join, join } from './feature.ts'
import * as features from './features.ts'

/** Every call of the product by name. */
export const calls = join<Calls>(
  Object.values(features).map((feature) => feature.calls),
  'call',
) as Join<typeof features, 'calls'>
export type CallName = keyof typeof calls

/** Returns the audit category of a call. Events without a call were caused by a schedule or by the first start. */
export function auditKindOf(name: string, ofItems: boolean): AuditKind {
  const call = (calls as Readonly<Record<string, Call>>)[name]
  if (call === undefined) return ofItems ? 'file' : 'administration'
  if (call.audit !== undefined) return call.audit
  if ('gate' in call || 'batch' in call) return 'file'
  if ('open' in call || call.guard === ownAccount || call.guard === signedIn) return 'signIn'
  return 'administration'
}
