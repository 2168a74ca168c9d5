// Attempts to sign in, or to bind an identity, by a provider that a browser is sent to and comes back from.
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import type { ProviderPerson } from './accounts.ts'
import type { Values } from './mapping-plan.ts'

/** What a provider says of a person, and of the session that it opened. */
export interface RecognizedPerson extends ProviderPerson {
  readonly subject: string
  readonly sid: string
  /** All claims or attributes. */
  readonly values: Values
}

/** An attempt that waits for the browser to come back. */
export interface ProviderAttempt {
  readonly providerId: number
  /** OpenID: what the token repeats. SAML: the id of the request. */
  readonly nonce: string
  readonly verifier: string
  /** The hash of the device cookie of the browser that began. */
  readonly browser: string
  readonly redirect: string
  /** The account to which the person is to be bound; a sign-in has none. */
  readonly binds?: number
  /** The account whose person confirms that it is them; a sign-in has none. */
  readonly confirms?: number
  /** The person whom the provider has named already; only the second factor is missing. */
  readonly person?: RecognizedPerson
}

/** Attempts by their state. */
export const attempts = oneTimeToken<ProviderAttempt>('providerAttempt')

export const attemptMs = 10 * 60_000
