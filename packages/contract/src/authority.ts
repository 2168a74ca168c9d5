// Authorization of calls: the types that describe who may make a call.
import {
  type Capability,
  type CodeName,
  fact,
  type GateName,
  type Power,
  type Rule,
  separatedPowers,
} from '@cloudoc/domain'

/** An item named by kind and id: 1 is a file, 2 a folder ([R109]), 0 a link, whatever its target is ([R121]). */
export interface ItemRef {
  readonly fType: 0 | 1 | 2
  readonly fId: number
}

/**
 * The row lock that the transaction holds while the call runs: `change` for rows that are modified, `hold` for rows
 * that must only continue to exist (a parent that receives a child).
 */
export type Lock = 'change' | 'hold'

/** One rule applied to one item. */
export interface ItemUse {
  readonly item: ItemRef
  readonly action: GateName
  readonly lock?: Lock
}

/** The id of an object within its kind. */
export type ObjectId = number | string

/**
 * A kind of object that calls operate on: applications, conversations, uploads. Its gates are rules on facts loaded by
 * its feature, so the client can evaluate the same rule on the facts that it has.
 */
export interface ObjectKind<F = never, A extends string = string> {
  readonly kind: string
  readonly gates: Readonly<Record<A, Rule<F>>>
}

/** Declares a kind of object with its actions. */
export function objectKind<F, const A extends string>(
  kind: string,
  gates: Readonly<Record<A, Rule<F>>>,
): ObjectKind<F, A> {
  return { kind, gates }
}

/** One rule applied to one object that is not an item; created by `on`. */
export interface ObjectUse {
  readonly object: ObjectKind
  readonly id: ObjectId
  readonly action: string
  readonly lock?: Lock
}

export type GateUse = ItemUse | ObjectUse

/** Applies one rule of a kind to one of its objects. */
export function on<F, A extends string>(object: ObjectKind<F, A>, id: ObjectId, action: A, lock?: Lock): ObjectUse {
  return { object, id, action, ...(lock === undefined ? {} : { lock }) }
}

/**
 * The kinds of callers: a user account, a visitor of a link, a linked server that acts for one of its users, or somebody
 * without an account who signs a file.
 */
export type ActorKind = 'account' | 'visitor' | 'server' | 'signer'

/** The caller: everything that a guard may inspect. */
export interface Caller {
  readonly kind: ActorKind
  /** Administrator powers of the caller. */
  readonly powers: readonly Power[]
  /** Capabilities granted by the caller's roles. */
  readonly capabilities: ReadonlySet<Capability>
  readonly isGuest: boolean
}

/** An authorization that depends only on the caller, not on an object. It is checked before anything else. */
export interface Guard {
  readonly name: string
  /** Describes who passes, for readers of the API description. */
  readonly meaning: string
  readonly rule: Rule<Caller>
}

/** Declares an authorization that depends on the caller. */
export function guard(
  name: string,
  meaning: string,
  test: (caller: Caller) => boolean,
  code: CodeName = 'noPermission',
): Guard {
  return { name, meaning, rule: fact(name, test, code) }
}

/** For calls that answer every signed-in caller alike, or that leave out what the caller may not see. */
export const signedIn = guard('signedIn', 'whoever is signed in', () => true)
/** For calls that concern only the caller's own account. */
export const ownAccount = guard('ownAccount', 'everybody for their own account', ({ kind }) => kind === 'account')
/** Same as `ownAccount`, but excludes visitor sessions, which cannot change the account they belong to (X51). */
export const accountHolder = guard(
  'accountHolder',
  'everybody for their own account, but not as a visitor',
  ({ kind, isGuest }) => kind === 'account' && !isGuest,
)
/** For data that every administrator may read. */
export const administrator = guard(
  'administrator',
  'whoever has one of the three powers over the installation',
  ({ kind, powers }) => kind === 'account' && powers.some((power) => power !== 'department'),
)
/**
 * For managing users and departments: all of them, or the delegated part. Users and departments outside that part do
 * not exist for the administrator.
 */
export const peopleAdministrator = guard(
  'peopleAdministrator',
  'whoever keeps the people of the company or of a part of it',
  ({ kind, powers }) => kind === 'account' && (powers.includes('system') || powers.includes('department')),
)
/** For roles: the system administrator assigns members, the security administrator sets capabilities. */
export const roleAdministrator = guard(
  'roleAdministrator',
  'whoever has the power of system or security',
  ({ kind, powers }) => kind === 'account' && (powers.includes('system') || powers.includes('security')),
)
/** For assigning the three administrator powers. */
export const firstAdministrator = guard(
  'firstAdministrator',
  'the first administrator, who has all three powers',
  ({ kind, powers }) => kind === 'account' && separatedPowers.every((power) => powers.includes(power)),
)
/** For users, departments, libraries, storage, servers and mail. */
export const systemAdministrator = whoeverHas('system', 'systemAdministrator')
/** For secret levels and sign-in rules. */
export const securityAdministrator = whoeverHas('security', 'securityAdministrator')
/** For reading the audit log. */
export const auditor = whoeverHas('audit', 'auditor')

/** For content that leaves the company: security administrators and auditors. */
export const linkOverseer = guard(
  'linkOverseer',
  'whoever has the power of security or audit',
  ({ kind, powers }) => kind === 'account' && (powers.includes('security') || powers.includes('audit')),
)

/** For actions that depend on a capability of the caller's roles ([R348]). */
export function capable(name: Capability): Guard {
  return guard(`capable ${name}`, `whoever may ${name} by their roles`, ({ capabilities }) => capabilities.has(name))
}

function whoeverHas(power: Power, name: string): Guard {
  const holds = ({ kind, powers }: Caller): boolean => kind === 'account' && powers.includes(power)
  return guard(name, `whoever has the power of ${power}`, holds)
}

/**
 * The authorization of a call: a rule on objects, a guard on the caller, or open to everybody with the reason why that
 * is safe.
 */
export type Authority<I> =
  | { readonly gate: (input: I) => readonly GateUse[] }
  | { readonly batch: Batch<I> }
  | { readonly guard: Guard }
  | { readonly open: string }

/** A call over many items. Each item is gated, locked, changed and answered separately (X, "Batch answer"). */
export interface Batch<I> {
  readonly items: (input: I) => readonly ItemRef[]
  readonly gate: (item: ItemRef, input: I) => readonly GateUse[]
}
