/*
 * Identities: the ways in which a caller proves who they are ([R014], [R021], [R028]). Each feature that has one
 * contributes it to the extension point `identities`, or opens a session in a call of its own with `openSession`. The
 * sign-in (sign-in.ts) knows none of them. It applies to all of them what does not depend on the way: allowed
 * addresses, limits of failed attempts, captchas, the state of the account, the second factor, and the audit.
 */
import type { InstallationSetting } from '@cloudoc/contract'
import type { CodeName } from '@cloudoc/domain'
import type { StagedContext, WriteContext } from '../../core/call/context.ts'
import type { Tx } from '../../core/db/database.ts'
import { extensionPoint } from '../../core/extension-points.ts'

/** Says which account the caller has proven to own. */
export interface Proof {
  /**
   * The account. A function looks it up, or creates it, in the transaction of the sign-in: for identities whose account
   * may not exist yet, and for one-time proofs that this transaction consumes. An account with a second factor is named
   * by its number, so that wrong codes are counted.
   */
  readonly account: number | ((write: WriteContext) => Promise<number>)
  /**
   * Checks the proof once more while the account is locked, so that no concurrent change intervenes: the password may
   * have changed since it was compared. False, or a failure, refuses the sign-in.
   */
  readonly holds?: (locked: { readonly tx: Tx; readonly accountId: number }) => boolean | Promise<boolean>
  /** The caller is not asked for the second factor: it was asked for when the proof was issued, or does not apply. */
  readonly skipsSecondFactor?: boolean
  /** The proof is more than a password: the session needs no second factor beside it. */
  readonly strong?: boolean
  /** The session is a visitor's and ends at this time at the latest. */
  readonly visitorUntil?: number | undefined
  /** Other sessions of the same client type remain open. */
  readonly keepsOthers?: boolean
  /** Records which session the proof has opened, for an identity that has to end it later. */
  readonly opened?: (write: WriteContext, sessionId: number) => Promise<void>
}

/** The name and password that a caller typed. */
export interface TypedCredentials {
  readonly account: string
  /** The name in the form in which accounts store it for comparison. */
  readonly accountKey: string
  readonly password: string
  /** The caller wants to sign in as a visitor. */
  readonly visitor: boolean
  readonly setting: InstallationSetting
}

/** A text that a program or browser presents instead of typed credentials. */
export interface PresentedKey {
  readonly key: string
  readonly clientType: number
}

/** Wrong credentials. Reveals nothing: the code is the same whether or not the account exists. */
export interface WrongCredentials {
  readonly wrong: CodeName
  /** The account that they were tried on, for the audit. */
  readonly accountId: number | null
}

/** A way to prove who one is. It has at least one of the two functions. Both may wait for a network. */
export interface Identity {
  readonly name: string
  /** Compares typed credentials. Undefined: credentials of another identity. */
  readonly byPassword?: (
    context: StagedContext,
    typed: TypedCredentials,
  ) => Promise<Proof | WrongCredentials | undefined>
  /** Recognizes a presented key. Undefined: not a valid key of this identity. */
  readonly byKey?: (context: StagedContext, presented: PresentedKey) => Promise<Proof | undefined>
}

/** The identities of all features. They are tried in the order of the features; the first proof decides. */
export const identities = extensionPoint<Identity>('identities')
