/*
 * Sign-in by an OpenID provider: code flow with PKCE, state and nonce (OpenID Connect Core 1.0, RFC 9700). Each attempt
 * has a record of its own, bound to the browser that began it, and each provider an address of its own to return to. All
 * requests to the provider go through the guarded outbound module.
 */
import type { OidcSettings } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { createLocalJWKSet, jwtVerify } from 'jose'
import * as client from 'openid-client'
import type { StagedContext } from '../../core/call/context.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import { OutboundFailure, parseOutboundJson, readResponse } from '../../core/outbound-http.ts'
import type { Secrets } from '../../core/secrets.ts'
import { type Provider, usableName } from './accounts.ts'
import { attemptMs, type ProviderAttempt, type RecognizedPerson } from './attempts.ts'
import { secretOf } from './ldap-identity.ts'
import { attributesOf, valuesOfClaims } from './mapping-plan.ts'

const answerMs = 10_000
const maxAnswer = 1024 * 1024
const configurationMs = 10 * 60_000
const clockToleranceS = 300

/** The library sends forms and texts. */
function textOfBody(body: unknown): string {
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new TypeError('a body that is no text')
}

const guardedFetch: client.CustomFetch = async (address, options) => {
  const { status, headers, body } = await readResponse(address, {
    method: options.method,
    headers: Object.fromEntries(new Headers(options.headers).entries()),
    ...(options.body !== undefined && options.body !== null && { body: textOfBody(options.body) }),
    timeMs: answerMs,
    signal: AbortSignal.timeout(answerMs),
    bytes: maxAnswer,
    inflatedBytes: maxAnswer,
  })
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || name === 'content-encoding' || name === 'content-length'
      ? []
      : [[name, [value].flat().join(', ')] as [string, string]],
  )
  return new Response(status === 204 ? null : new Uint8Array(body), { status, headers: kept })
}

/** The metadata of providers, per process: asked anew after a while, and when a setting changes. */
const configurations = new Map<string, { readonly at: number; readonly value: Promise<client.Configuration> }>()

/** The metadata of the provider, as its issuer publishes it. Rejects if its issuer is not the one that was set. */
export async function configurationOf(
  settings: Pick<OidcSettings, 'issuer' | 'clientId'>,
  secret: string,
  now: number,
): Promise<client.Configuration> {
  const key = JSON.stringify([settings.issuer, settings.clientId, secret])
  const known = configurations.get(key)
  if (known !== undefined && now - known.at < configurationMs) return known.value
  const value = client.discovery(
    new URL(settings.issuer),
    settings.clientId,
    // Clocks of servers differ.
    { [client.clockTolerance]: clockToleranceS },
    secret === '' ? client.None() : client.ClientSecretPost(secret),
    {
      [client.customFetch]: guardedFetch,
      timeout: answerMs / 1000,
      // oxlint-disable-next-line typescript/no-deprecated -- an issuer inside the company may have no certificate; its page warns
      ...(settings.issuer.startsWith('http:') && { execute: [client.allowInsecureRequests] }),
    },
  )
  if (configurations.size > 100) configurations.clear()
  configurations.set(key, { at: now, value })
  value.catch(() => configurations.delete(key))
  return value
}

/** Begins an attempt: what its return is checked with, and the address of the provider to go to. */
export async function startOidc(
  { now }: Pick<StagedContext, 'now'>,
  { provider, settings, secrets }: { provider: Provider; settings: OidcSettings; secrets: Secrets },
  returnAddress: string,
  { state, isFresh }: { readonly state: string; readonly isFresh: boolean },
): Promise<{ readonly nonce: string; readonly verifier: string; readonly address: string }> {
  const configuration = await configurationOf(settings, secretOf(provider, secrets), now).catch(() =>
    fail('providerUnavailable'),
  )
  const [verifier, nonce] = [client.randomPKCECodeVerifier(), client.randomNonce()]
  const address = client.buildAuthorizationUrl(configuration, {
    redirect_uri: returnAddress,
    scope: settings.scope,
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    // The person signs in again, whatever session they have at the provider.
    ...(isFresh && { prompt: 'login', max_age: '0' }),
  })
  return { nonce, verifier, address: address.href }
}

/** Exchanges the code that the provider has sent, and checks everything that it signs. */
export async function finishOidc(
  { now }: Pick<StagedContext, 'now'>,
  { provider, settings, secrets }: { provider: Provider; settings: OidcSettings; secrets: Secrets },
  asked: { attempt: ProviderAttempt; state: string; address: string },
): Promise<RecognizedPerson> {
  const configuration = await configurationOf(settings, secretOf(provider, secrets), now).catch(() =>
    fail('providerUnavailable'),
  )
  try {
    const tokens = await client.authorizationCodeGrant(configuration, new URL(asked.address), {
      pkceCodeVerifier: asked.attempt.verifier,
      expectedState: asked.state,
      expectedNonce: asked.attempt.nonce,
      idTokenExpected: true,
      // The provider says when they signed in, and it is just now.
      ...(asked.attempt.confirms !== undefined && { maxAge: 0 }),
    })
    const claims = tokens.claims() ?? fail('signInAbnormal')
    assertIssued(claims.iat, now)
    const more =
      configuration.serverMetadata().userinfo_endpoint === undefined
        ? {}
        : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    return personOf(settings, { ...more, ...claims })
  } catch (error) {
    if (error instanceof client.AuthorizationResponseError && error.error === 'access_denied')
      return fail('signInRejected')
    const isProtocol = [
      client.ClientError,
      client.ResponseBodyError,
      client.AuthorizationResponseError,
      client.WWWAuthenticateChallengeError,
    ].some((kind) => error instanceof kind)
    if (isProtocol) return fail('signInAbnormal')
    if (error instanceof OutboundFailure) return fail('providerUnavailable')
    throw error
  }
}

/**
 * Refuses a token of the future. How long ago a token was issued says nothing: some providers name a time some minutes
 * before; its end counts.
 */
function assertIssued(at: number, now: number): void {
  const seconds = Math.round(at - now / 1000)
  if (seconds <= clockToleranceS) return
  fail('signInAbnormal', {
    zh: `提供方的时钟比本服务器快 ${seconds} 秒`,
    en: `the clock of the provider is ${seconds} s ahead of that of this server`,
  })
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

function personOf(settings: OidcSettings, claims: Readonly<Record<string, unknown>>): RecognizedPerson {
  const values = valuesOfClaims(claims)
  const told = attributesOf(settings, values)
  const subject = textOf(claims['sub'])
  if (subject === '' || told.account === '') return fail('signInAbnormal', settings.accountClaim)
  return {
    ...told,
    name: usableName(told.name) || told.account,
    externalId: subject,
    subject,
    sid: textOf(claims['sid']),
    values,
  }
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
const usedLogouts = oneTimeToken<Record<string, never>>('providerLogout')

/** Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). Returns whose sessions end. */
export async function readLogoutToken(
  { db, now }: Pick<StagedContext, 'db' | 'now'>,
  { provider, settings, secrets }: { provider: Provider; settings: OidcSettings; secrets: Secrets },
  token: string,
): Promise<{ readonly subject: string; readonly sid: string }> {
  const configuration = await configurationOf(settings, secretOf(provider, secrets), now).catch(() =>
    fail('providerUnavailable'),
  )
  const { issuer, jwks_uri } = configuration.serverMetadata()
  if (jwks_uri === undefined) return fail('providerUnavailable')
  const limits = { bytes: maxAnswer, inflatedBytes: maxAnswer }
  const keys = await readResponse(jwks_uri, {
    ...limits,
    timeMs: answerMs,
    signal: AbortSignal.timeout(answerMs),
  }).catch(() => fail('providerUnavailable'))
  const payload = await jwtVerify(
    token,
    createLocalJWKSet(parseOutboundJson(keys.body, 10_000) as Parameters<typeof createLocalJWKSet>[0]),
    // Only asymmetric algorithms: a key of the provider is public.
    {
      issuer,
      audience: settings.clientId,
      algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA', 'RS512', 'ES384'],
      clockTolerance: clockToleranceS,
      maxTokenAge: 600,
      currentDate: new Date(now),
    },
  ).then(
    (verified) => verified.payload,
    () => fail('badRequest', 'logout_token'),
  )
  const events = payload['events'] as Readonly<Record<string, unknown>> | undefined
  const [subject, sid] = [textOf(payload.sub), textOf(payload['sid'])]
  const isLogout = typeof events === 'object' && events !== null && logoutEvent in events
  if (!isLogout || payload['nonce'] !== undefined || (subject === '' && sid === '')) {
    return fail('badRequest', 'logout_token')
  }
  const jti = payload.jti ?? fail('badRequest', 'jti')
  const isNew = await usedLogouts.issueAs(db, `${provider.id}:${jti}`, { value: {}, expiresAt: now + 2 * attemptMs })
  return isNew ? { subject, sid } : fail('badRequest', 'jti')
}
