/*
 * Admissions: rules of features on whole operations, such as an expired licence, that hold whatever objects an operation
 * names. They are asked with every operation after its session was read, and use what the session and the settings in
 * force already hold: no rule costs a statement.
 */
import type { CallKind, Guard } from '@cloudoc/contract'
import type { Actor } from '../actor.ts'
import { extensionPoint } from '../extension-points.ts'
import type { OperationFacts } from './operation.ts'

/** An operation that asks for admission. */
export interface Entrant {
  readonly operation: OperationFacts & {
    readonly kind: CallKind
    readonly gate?: unknown
    readonly batch?: unknown
    readonly guard?: Guard
  }
  readonly actor: Actor | undefined
  readonly address: string
  readonly now: number
}

/** A rule on operations. It fails with the code of its refusal. */
export type Admission = (entrant: Entrant) => void | Promise<void>

/** The rules of all features. */
export const admissions = extensionPoint<Admission>('admissions')

/** Whether an operation changes something that people see, other than their own sessions. */
export function isChange({ kind, auth, before, servesReading }: Entrant['operation']): boolean {
  return kind !== 'read' && kind !== 'stream' && auth !== 'none' && before === undefined && servesReading !== true
}

/** Joins the rules of all features into one. */
export function joinAdmissions(all: readonly Admission[]): Admission {
  return (entrant) => {
    // Almost every rule answers at once; waiting for none keeps the hot path synchronous.
    const waits = all.map((admit) => admit(entrant)).filter((answer) => answer !== undefined)
    return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined)
  }
}
