// Who is calling. The data is as current as if it were read from the database with every request.
import type { Caller, GateUse, InstallationSetting } from '@cloudoc/contract'
import type { Capability, CodeName, DelegatedTask, Power, Subjects } from '@cloudoc/domain'
import type { FastifyRequest } from 'fastify'
import type { Access, ObjectAccess } from './access.ts'
import type { Db } from './db/database.ts'
import type { Outsider } from './db/schema.ts'

export type { Outsider }

/** Stands for all libraries among the items of `Controls`. */
export const everywhere = 0

/** The libraries and folders where the operations of a user need an application ([R145], [R231]). */
export interface Controls {
  readonly download: ReadonlySet<number>
  readonly link: ReadonlySet<number>
}

/** A user of the installation, with what permissions and space limits need (people/auth/sessions.ts). */
export interface Account {
  readonly accountId: number
  /** The user's session. Undefined for the account that answers for an outsider: there is no session. */
  readonly sessionId?: number
  /** The co-edited file, if the request comes from that file's co-editing page. */
  readonly joined?: number
  readonly account: string
  readonly name: string
  readonly groupId: number
  readonly secretLevel: number
  readonly isAdmin: boolean
  /** The administrative powers of the user. */
  readonly powers: readonly Power[]
  /** The departments delegated to the user, including all departments below, by task. */
  readonly delegated: ReadonlyMap<DelegatedTask, ReadonlySet<number>>
  /** What the user's roles permit in general. */
  readonly capabilities: ReadonlySet<Capability>
  readonly isGuest: boolean
  /** The items at and below which operations of the user need an application. */
  readonly controls: Controls
  /** Whether a role of the account demands a second factor. */
  readonly factorByRole: boolean
  /** Maximum total bytes the account may store. 0: no limit. */
  readonly quota: number
  readonly subjects: Subjects
  /** The version of the organisation data (users, departments and roles). */
  readonly organisation: number
  /** The server settings that apply to this request. */
  readonly settings: InstallationSetting
}

/**
 * Restricts an actor to a part of what its account may do. Returns the code that refuses the use, and is evaluated
 * before the rule of a gate.
 */
export type Limit = (use: GateUse, found: Access | ObjectAccess | undefined) => CodeName | undefined

/** A program that acts for an account with a token of its own. */
export interface ActingProgram {
  readonly programId: number
  readonly kind: 'personal' | 'service' | 'app'
  readonly name: string
  readonly scopes: ReadonlySet<string>
}

/** A signed-in user. */
export interface AccountActor extends Account {
  readonly kind: 'account'
  readonly mustChangePassword: boolean
  /** The password expires at this time. */
  readonly passwordUntil: number
  /** Whether the company requires a second factor that the user has not set up. */
  readonly needsSecondFactor: boolean
  readonly sessionId: number
  readonly clientType: number
  /** The address from which the session was opened. */
  readonly address?: string
  /** The person has given more than a password in this session, or is asked for a second factor at each sign-in. */
  readonly hasFactor?: boolean
  /** The device that the session was opened from; undefined for those that name none. */
  readonly device?: { readonly deviceId: number; readonly isApproved: boolean } | undefined
  /** The program whose token this is, with what the token permits. */
  readonly program?: ActingProgram | undefined
  /** What the request may do, if it is authenticated by a download ticket instead of a session. */
  readonly limit?: Limit
}

/**
 * A visitor of an external link, or a linked server acting for one of its users. An account of the installation answers
 * for the outsider: its permissions and its space apply, as far as the limit permits.
 */
export interface OutsiderActor extends Outsider {
  readonly responsible: Account
  readonly limit: Limit
}

export type Actor = AccountActor | OutsiderActor

/** How outsiders of one kind authenticate. Used only by calls that admit the kind. */
export interface Outsiders {
  readonly kind: Outsider['kind']
  /**
   * Returns the outsider whose credential of this kind the request carries, or undefined without one. Fails with the
   * matching code if the credential has ended.
   */
  authenticate(db: Db, request: FastifyRequest, now: number): Promise<OutsiderActor | undefined>
  /** Reads the same actor again, after a wait. */
  anew(db: Db, actor: OutsiderActor, now: number): Promise<OutsiderActor>
}

/** The account whose permissions and space apply. */
export function accountOf(actor: Actor): Account {
  return actor.kind === 'account' ? actor : actor.responsible
}

/** The caller data that guards evaluate. */
export function callerOf(actor: Actor): Caller {
  return actor.kind === 'account'
    ? actor
    : { kind: actor.kind, powers: [], capabilities: actor.responsible.capabilities, isGuest: true }
}

/** Who is recorded as the author of a change: the account that answers for it, and the outsider if one acted. */
export interface Author {
  readonly accountId: number
  /** The name shown to other users. */
  readonly name: string
  readonly outsider: Outsider | null
}

export function authorOf(actor: Actor): Author {
  if (actor.kind === 'account') return { accountId: actor.accountId, name: actor.name, outsider: null }
  const { kind, reference, name, responsible } = actor
  return { accountId: responsible.accountId, name, outsider: { kind, reference, name } }
}
