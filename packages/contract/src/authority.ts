// Who may call: what a call's authority is written in.
import {
  type Capability,
  type CodeName,
  fact,
  type GateName,
  type Power,
  type Rule,
  separatedPowers,
} from '@cloudoc/domain'

/** An item named by kind and id: 1 is a file, 2 a folder ([R109]), 0 a link, whatever it leads to ([R121]). */
export interface ItemRef {
  readonly fType: 0 | 1 | 2
  readonly fId: number
}

/**
 * What the transaction holds on a row while the call runs: `change` for what is altered, `hold` for what must merely stay
 * (a parent that receives a child).
 */
export type Lock = 'change' | 'hold'

/** One rule applied to one item. */
export interface ItemUse {
  readonly item: ItemRef
  readonly action: GateName
  readonly lock?: Lock
}

/** What tells one object of a kind from another. */
export type ObjectId = number | string

/**
 * A kind of object that calls are about: applications, conversations, uploads. Its gates are rules on the facts that its
 * feature loads, so that the client can ask the same rule of the facts it has.
 */
export interface ObjectKind<F = never, A extends string = string> {
  readonly kind: string
  readonly gates: Readonly<Record<A, Rule<F>>>
}

/** Declares a kind of object with what may be done with one. */
export function objectKind<F, const A extends string>(
  kind: string,
  gates: Readonly<Record<A, Rule<F>>>,
): ObjectKind<F, A> {
  return { kind, gates }
}

/** One rule applied to one object of another kind than items; made by `on`. */
export interface ObjectUse {
  readonly object: ObjectKind
  readonly id: ObjectId
  readonly action: string
  readonly lock?: Lock
}

export type GateUse = ItemUse | ObjectUse

/** One rule of a kind applied to one of its objects. */
export function on<F, A extends string>(object: ObjectKind<F, A>, id: ObjectId, action: A, lock?: Lock): ObjectUse {
  return { object, id, action, ...(lock === undefined ? {} : { lock }) }
}

/** Who may come: somebody's account, a visitor of a link, a linked server that acts for one of its people. */
export type ActorKind = 'account' | 'visitor' | 'server'

/** All that a guard may look at: the caller. */
export interface Caller {
  readonly kind: ActorKind
  /** What they administer. */
  readonly powers: readonly Power[]
  /** What they may do at all, by their roles. */
  readonly capabilities: ReadonlySet<Capability>
  readonly isGuest: boolean
}

/** An authority that no object gives: asked of the caller alone, before anything else is looked at. */
export interface Guard {
  readonly name: string
  /** Who passes, for whoever reads the description of the calls. */
  readonly meaning: string
  readonly rule: Rule<Caller>
}

/** Declares an authority of the caller. */
export function guard(
  name: string,
  meaning: string,
  test: (caller: Caller) => boolean,
  code: CodeName = 'noPermission',
): Guard {
  return { name, meaning, rule: fact(name, test, code) }
}

/** For what answers everybody who is signed in alike, or leaves out what the caller may not see. */
export const signedIn = guard('signedIn', 'whoever is signed in', () => true)
/** For what is about the caller's own account and nobody else's. */
export const ownAccount = guard('ownAccount', 'everybody for their own account', ({ kind }) => kind === 'account')
/** The same, but for visitor sessions, which change nothing of the account they belong to (X51). */
export const accountHolder = guard(
  'accountHolder',
  'everybody for their own account, but not as a visitor',
  ({ kind, isGuest }) => kind === 'account' && !isGuest,
)
/** For what every administrator may know. */
export const administrator = guard(
  'administrator',
  'whoever has one of the three powers over the installation',
  ({ kind, powers }) => kind === 'account' && powers.some((power) => power !== 'department'),
)
/** For people and departments: everybody's, or those of the part that was delegated; what is outside it is not there. */
export const peopleAdministrator = guard(
  'peopleAdministrator',
  'whoever keeps the people of the company or of a part of it',
  ({ kind, powers }) => kind === 'account' && (powers.includes('system') || powers.includes('department')),
)
/** For roles: who has them is the one's, what they may do the other's. */
export const roleAdministrator = guard(
  'roleAdministrator',
  'whoever has the power of system or security',
  ({ kind, powers }) => kind === 'account' && (powers.includes('system') || powers.includes('security')),
)
/** For who has which of the three powers. */
export const firstAdministrator = guard(
  'firstAdministrator',
  'the first administrator, who has all three powers',
  ({ kind, powers }) => kind === 'account' && separatedPowers.every((power) => powers.includes(power)),
)
/** For people, departments, libraries, space, servers, mail. */
export const systemAdministrator = whoeverHas('system', 'systemAdministrator')
/** For secret levels and the rules of signing in. */
export const securityAdministrator = whoeverHas('security', 'securityAdministrator')
/** For reading what happened. */
export const auditor = whoeverHas('audit', 'auditor')

/** For what leaves the company: whoever answers for security, or reads what happened. */
export const linkOverseer = guard(
  'linkOverseer',
  'whoever has the power of security or audit',
  ({ kind, powers }) => kind === 'account' && (powers.includes('security') || powers.includes('audit')),
)

/** For what some people may do and others not, by their roles ([R348]). */
export function capable(name: Capability): Guard {
  return guard(`capable ${name}`, `whoever may ${name} by their roles`, ({ capabilities }) => capabilities.has(name))
}

function whoeverHas(power: Power, name: string): Guard {
  const holds = ({ kind, powers }: Caller): boolean => kind === 'account' && powers.includes(power)
  return guard(name, `whoever has the power of ${power}`, holds)
}

/** Who may call: a rule on objects, an authority of the caller, or everybody, with the reason why that is safe. */
export type Authority<I> =
  | { readonly gate: (input: I) => readonly GateUse[] }
  | { readonly batch: Batch<I> }
  | { readonly guard: Guard }
  | { readonly open: string }

/** A call over many items: each is gated, locked, changed and answered on its own (X, "Batch answer"). */
export interface Batch<I> {
  readonly items: (input: I) => readonly ItemRef[]
  readonly gate: (item: ItemRef, input: I) => readonly GateUse[]
}
