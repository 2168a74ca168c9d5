// Who is calling, as good as read from the database with every request.
import type { Caller, GateUse, InstallationSetting } from '@cloudoc/contract'
import type { Capability, CodeName, DelegatedTask, Power, Subjects } from '@cloudoc/domain'
import type { FastifyRequest } from 'fastify'
import type { Access, ObjectAccess } from './access.ts'
import type { Db } from './db/database.ts'
import type { Outsider } from './db/schema.ts'

export type { Outsider }

/** A person of the installation, as rights and limits of space see them (people/auth/sessions.ts). */
export interface Account {
  readonly accountId: number
  /** Theirs, where they are signed in; nobody answers for an outsider in a session. */
  readonly sessionId?: number
  /** The file that several edit at once, in a request for which the page of one of them asks. */
  readonly joined?: number
  readonly account: string
  readonly name: string
  readonly groupId: number
  readonly secretLevel: number
  readonly isAdmin: boolean
  /** What they administer. */
  readonly powers: readonly Power[]
  /** The departments that were delegated to them, with all below those, by what they may do there. */
  readonly delegated: ReadonlyMap<DelegatedTask, ReadonlySet<number>>
  /** What they may do at all, by their roles. */
  readonly capabilities: ReadonlySet<Capability>
  readonly isGuest: boolean
  /** The most bytes that the account may put anywhere; 0: no limit. */
  readonly quota: number
  readonly subjects: Subjects
  /** The version of what people, departments and roles are. */
  readonly organisation: number
  /** The server settings that hold for this request. */
  readonly settings: InstallationSetting
}

/** What an actor may do of what the account may: the code that refuses the rest, asked before the rule of a gate. */
export type Limit = (use: GateUse, found: Access | ObjectAccess | undefined) => CodeName | undefined

/** Somebody who is signed in. */
export interface AccountActor extends Account {
  readonly kind: 'account'
  readonly mustChangePassword: boolean
  /** From then on the password is too old. */
  readonly passwordUntil: number
  /** Whether the company demands a second factor of them that they have not set up. */
  readonly needsSecondFactor: boolean
  readonly sessionId: number
  readonly clientType: number
  /** Where a download ticket stands for the session: what it is good for. */
  readonly limit?: Limit
}

/**
 * A visitor of a link, or a linked server for one of its people. An account of the installation answers for them: its
 * rights and its space count, as far as the limit lets them.
 */
export interface OutsideActor extends Outsider {
  readonly responsible: Account
  readonly limit: Limit
}

export type Actor = AccountActor | OutsideActor

/** How outsiders of one kind prove who they are. Only calls that admit the kind ask. */
export interface Outsiders {
  readonly kind: Outsider['kind']
  /** Who shows a credential of the kind; undefined where the request carries none. Fails with its code where it ended. */
  authenticate(db: Db, request: FastifyRequest, now: number): Promise<OutsideActor | undefined>
  /** The same actor read again, after a wait. */
  anew(db: Db, actor: OutsideActor, now: number): Promise<OutsideActor>
}

/** The account whose rights and space count. */
export function accountOf(actor: Actor): Account {
  return actor.kind === 'account' ? actor : actor.responsible
}

/** What guards look at. */
export function callerOf(actor: Actor): Caller {
  return actor.kind === 'account'
    ? actor
    : { kind: actor.kind, powers: [], capabilities: actor.responsible.capabilities, isGuest: true }
}

/** What is written down of who did something: the account that answers for it, and who it was where that is another. */
export interface Author {
  readonly accountId: number
  /** The name that others are shown. */
  readonly name: string
  readonly outsider: Outsider | null
}

export function authorOf(actor: Actor): Author {
  if (actor.kind === 'account') return { accountId: actor.accountId, name: actor.name, outsider: null }
  const { kind, reference, name, responsible } = actor
  return { accountId: responsible.accountId, name, outsider: { kind, reference, name } }
}
