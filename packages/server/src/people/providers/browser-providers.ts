/*
 * Providers that a browser is sent to and comes back from: OpenID, OAuth and SAML. Each attempt has a record of its own,
 * bound to the browser that began it. An OpenID or OAuth answer takes the attempt before its code is exchanged, which
 * works once; a SAML answer takes it after its signature is right, so that a wrong answer does not use it up.
 */
import { randomBytes } from 'node:crypto'
import type { SamlSettings } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import type { Context, StagedContext } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import { hashToken, type Secrets, sameSecret } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { deviceFor, deviceOf } from '../auth/index.ts'
import { enabledProviders, type Provider } from './accounts.ts'
import { attemptMs, attempts, type ProviderAttempt, type RecognizedPerson } from './attempts.ts'
import { secretOf } from './ldap-identity.ts'
import { isMapped, type MappedSettings } from './mapping-plan.ts'
import { finishOAuth, startOAuth } from './oauth.ts'
import { finishOidc, startOidc } from './oidc.ts'
import { finishSaml, samlAddresses, startSaml } from './saml.ts'
import { renewMetadata } from './saml-metadata.ts'

/** The page that providers send people back to; the id of the provider follows. */
const returnPath = '/doc/sign-in-return/'

/** The address that providers send people back to. */
export const returnAddressOf = ({ request }: Pick<Context, 'request'>, publicUrl: string | undefined): string =>
  `${publicUrl?.replace(/\/+$/, '') ?? `${request.protocol}://${request.host}`}${returnPath}`

export interface BrowserProvider extends Provider {
  readonly settings: MappedSettings
}

/** A provider that is on, and that a browser goes to. */
export async function browserProvider(db: Db, providerId: number): Promise<BrowserProvider> {
  const provider = (await enabledProviders(db)).find(({ id }) => id === providerId) ?? fail('notFound')
  const { settings } = provider
  return isMapped(settings) ? { ...provider, settings } : fail('notFound')
}

/** An OpenID provider that is on. */
export async function enabledOidc(db: Db, providerId: number) {
  const provider = await browserProvider(db, providerId)
  const { settings } = provider
  return settings.kind === 'oidc' ? { provider, settings } : fail('notFound')
}

/** A provider, and what its requests need. */
export interface BrowserParts {
  readonly provider: BrowserProvider
  readonly secrets: Secrets
  readonly publicUrl: string | undefined
  /** Reads the metadata of a SAML provider again. */
  readonly renew: (provider: {
    readonly id: number
    readonly settings: SamlSettings
  }) => Promise<SamlSettings | undefined>
}

/** The services that requests to these providers need. */
export type BrowserDeps = Pick<Services, 'secrets' | 'publicUrl' | 'db' | 'now' | 'commit' | 'log'>

export const browserParts = (services: BrowserDeps, provider: BrowserProvider): BrowserParts => ({
  ...{ provider, secrets: services.secrets, publicUrl: services.publicUrl },
  renew: (one) => renewMetadata(services, one),
})

/** Begins an attempt: the address of the provider to go to. */
export async function beginAttempt(
  context: StagedContext,
  { provider, secrets, publicUrl }: BrowserParts,
  { redirect, binds, confirms }: Pick<ProviderAttempt, 'redirect' | 'binds' | 'confirms'>,
): Promise<string> {
  const { db, now, request, reply } = context
  const { settings } = provider
  // The page that the provider sends the browser to tells them apart by the first letter. WeCom takes no other
  // characters than letters and digits.
  const letter = binds !== undefined ? 'b' : confirms !== undefined ? 'c' : 's'
  const state = `${letter}${randomBytes(24).toString('hex')}`
  const browser = hashToken(deviceFor(request, reply)).toString('hex')
  const back = `${returnAddressOf(context, publicUrl)}${provider.id}`
  const begun =
    settings.kind === 'oidc'
      ? await startOidc(context, { provider, settings, secrets }, back, { state, isFresh: confirms !== undefined })
      : settings.kind === 'oauth'
        ? await startOAuth(settings, back, state)
        : await startSaml(context, settings, samlAddresses(context, publicUrl, provider.id), state)
  const { address, nonce, verifier } = { nonce: '', verifier: '', ...begun }
  const value: ProviderAttempt = {
    ...{ providerId: provider.id, nonce, verifier, browser, redirect },
    ...(binds !== undefined && { binds }),
    ...(confirms !== undefined && { confirms }),
  }
  await attempts.issueAs(db, state, { value, expiresAt: now + attemptMs })
  return address
}

/** The attempt that this browser began with this provider. */
export async function attemptOf(
  { db, request, now }: StagedContext,
  providerId: number,
  state: string,
): Promise<ProviderAttempt | undefined> {
  const attempt = await attempts.peek(db, state, now)
  const device = deviceOf(request)
  if (attempt === undefined || device === undefined || attempt.providerId !== providerId) return undefined
  return sameSecret(hashToken(device).toString('hex'), attempt.browser) ? attempt : undefined
}

/** Takes an attempt and its answer, and checks everything that the provider signs. */
export async function recognize(
  context: StagedContext,
  { provider, secrets, publicUrl, renew }: BrowserParts,
  { attempt, state, query }: { readonly attempt: ProviderAttempt; readonly state: string; readonly query: string },
): Promise<RecognizedPerson> {
  const { settings } = provider
  const take = async (): Promise<void> => {
    if ((await attempts.consume(context.db, state, context.now)) === undefined) fail('signInAbnormal')
  }
  const back = `${returnAddressOf(context, publicUrl)}${provider.id}`
  if (settings.kind === 'oidc') {
    await take()
    const address = `${back}?${query.replace(/^\?/, '')}`
    return finishOidc(context, { provider, settings, secrets }, { attempt, state, address })
  }
  if (settings.kind === 'oauth') {
    await take()
    const secret = secretOf(provider, secrets)
    return finishOAuth(settings, secret, { verifier: attempt.verifier, query, back })
  }
  const addresses = samlAddresses(context, publicUrl, provider.id)
  const renewed = (): Promise<SamlSettings | undefined> => renew({ id: provider.id, settings })
  const person = await finishSaml(context, settings, addresses, { attempt, state }, renewed)
  await take()
  return person
}
