/*
 * Sign-in by a SAML 2.0 provider (web browser SSO profile, sent by redirect, answered by POST). The answer arrives by a
 * form of another site, without cookies: it is stored under the state of its attempt, and the page that began the attempt
 * hands it in. Only signed assertions count, and only once (ADR 0255).
 */
import { randomBytes, X509Certificate } from 'node:crypto'
import type { ProviderSettings, SamlSettings } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { type CacheProvider, type Profile, SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import type { Context, StagedContext } from '../../core/call/context.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import { usableName } from './accounts.ts'
import type { ProviderAttempt, RecognizedPerson } from './attempts.ts'
import { attributesOf, nameIdName, type Values } from './mapping-plan.ts'

/** Clocks of servers may differ by so much. */
const skewMs = 5 * 60_000
const mostAssertionMs = 10 * 60_000
const answerMs = 10 * 60_000

/** Answers of providers by the state of their attempt, until the page hands the state in. */
const answers = oneTimeToken<{ readonly response: string }>('samlAnswer')

/** The certificates of a text in PEM. Fails if one cannot be read. */
export function certificatesOf(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []
  return blocks.map((block) => {
    try {
      return new X509Certificate(block)
    } catch {
      return fail('badRequest', { zh: '证书不是 PEM 格式', en: 'a certificate is not in PEM' })
    }
  })
}

/** Those of the certificates that are valid now: old and new ones hold together while a provider changes its key. */
export function validCertificates({ certificates }: SamlSettings, now: number): string[] {
  return certificatesOf(certificates)
    .filter(({ validFrom, validTo }) => Date.parse(validFrom) <= now + skewMs && Date.parse(validTo) > now)
    .map(String)
}

/** When the last signing certificate of a provider ends; 0: it has none. */
export function lastDayOf(settings: ProviderSettings): number {
  if (settings.kind !== 'saml') return 0
  return Math.max(0, ...certificatesOf(settings.certificates).map(({ validTo }) => Date.parse(validTo)))
}

/** How this server is known to a provider, and where it is answered. */
export interface SamlAddresses {
  readonly entityId: string
  readonly answerAddress: string
}

/** The addresses of this server for a provider. */
export function samlAddresses(
  { request }: Pick<Context, 'request'>,
  publicUrl: string | undefined,
  providerId: number,
): SamlAddresses {
  const origin = publicUrl?.replace(/\/+$/, '') ?? `${request.protocol}://${request.host}`
  return {
    entityId: `${origin}/saml/${providerId}`,
    answerAddress: `${origin}/services2/provider/samlAnswer/${providerId}`,
  }
}

/** The library, for one attempt: the answer must name the request of this attempt. */
function libraryFor(
  settings: SamlSettings,
  { entityId, answerAddress }: SamlAddresses,
  { requestId, now }: { readonly requestId: string; readonly now: number },
): SAML {
  const idpCert = validCertificates(settings, now)
  if (idpCert.length === 0)
    return fail('providerUnavailable', {
      zh: '提供方的签名证书已过期，请管理员更新',
      en: 'the signing certificate of the provider has expired: an administrator has to renew it',
    })
  const requests: CacheProvider = {
    saveAsync: (_, value) => Promise.resolve({ value, createdAt: now }),
    getAsync: (id) => Promise.resolve(id === requestId ? new Date(now).toISOString() : null),
    removeAsync: (id) => Promise.resolve(id),
  }
  return new SAML({
    ...{ idpCert, issuer: entityId, audience: entityId, callbackUrl: answerAddress, entryPoint: settings.entryPoint },
    idpIssuer: settings.issuer,
    // Providers differ in how their people prove themselves; none is demanded.
    disableRequestedAuthnContext: true,
    identifierFormat: null,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: skewMs,
    maxAssertionAgeMs: mostAssertionMs,
    validateInResponseTo: ValidateInResponseTo.always,
    generateUniqueId: () => requestId,
    cacheProvider: requests,
  })
}

/** Begins an attempt: the id of its request, and the address to go to. */
export async function startSaml(
  { now }: Pick<StagedContext, 'now'>,
  settings: SamlSettings,
  addresses: SamlAddresses,
  state: string,
): Promise<{ readonly nonce: string; readonly address: string }> {
  const nonce = `_${randomBytes(20).toString('hex')}`
  const library = libraryFor(settings, addresses, { requestId: nonce, now })
  return { nonce, address: await library.getAuthorizeUrlAsync(state, undefined, {}) }
}

/** Keeps the answer of a provider for the page. The first one of an attempt remains. */
export async function keepAnswer(
  { db, now }: Pick<StagedContext, 'db' | 'now'>,
  state: string,
  response: string,
): Promise<void> {
  await answers.issueAs(db, state, { value: { response }, expiresAt: now + answerMs })
}

/** Takes the answer of an attempt and checks everything that the provider has signed. */
export async function finishSaml(
  { db, now }: Pick<StagedContext, 'db' | 'now'>,
  settings: SamlSettings,
  addresses: SamlAddresses,
  { attempt, state }: { readonly attempt: ProviderAttempt; readonly state: string },
  renewed: () => Promise<SamlSettings | undefined>,
): Promise<RecognizedPerson> {
  // A wrong answer is dropped and the attempt stays: nobody else can use it up.
  const kept = (await answers.consume(db, state, now)) ?? fail('signInAbnormal')
  const xml = Buffer.from(kept.response, 'base64').toString()
  // Definitions of types have no place in a message; SHA-1 is no signature any more.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml) || /xmldsig#(?:rsa|dsa|hmac)-sha1|xmldsig#sha1/.test(xml))
    return fail('signInAbnormal')
  const read = (by: SamlSettings) =>
    libraryFor(by, addresses, { requestId: attempt.nonce, now }).validatePostResponseAsync({
      SAMLResponse: kept.response,
    })
  const { profile } = await read(settings)
    .catch(async (error: unknown) => {
      // The provider may sign with a key that its metadata tells already.
      const isSignature = error instanceof Error && /signature/i.test(error.message)
      const renewal = isSignature ? await renewed() : undefined
      if (renewal === undefined) throw error
      return read(renewal)
    })
    .catch((error: unknown) => {
      const isRefused = error instanceof Error && /RequestDenied|AuthnFailed/.test(xml)
      return isRefused ? fail('signInRejected') : abnormal(xml, now)
    })
  const isOurs = profile?.issuer === settings.issuer && isForHere(profile, addresses, { now, requestId: attempt.nonce })
  if (profile === null || !isOurs) return abnormal(xml, now)
  return personOf(settings, profile)
}

/** Refuses an answer. Says how far the clocks are apart if that is too far, which is a common cause and easily mended. */
function abnormal(xml: string, now: number): never {
  // Nobody has signed this time: it is told and decides nothing.
  const issued = Date.parse(/<[\w:]*Response[^>]*\sIssueInstant="([^"]{1,40})"/.exec(xml)?.[1] ?? '')
  const seconds = Math.round((issued - now) / 1000)
  if (!(Math.abs(seconds) * 1000 > skewMs)) return fail('signInAbnormal')
  const apart = Math.abs(seconds)
  return fail('signInAbnormal', {
    zh: `提供方的时钟比本服务器${seconds > 0 ? '快' : '慢'} ${apart} 秒`,
    en: `the clock of the provider is ${apart} s ${seconds > 0 ? 'ahead of' : 'behind'} that of this server`,
  })
}

interface Confirmation {
  readonly $?: { readonly Method?: string }
  readonly SubjectConfirmationData?: readonly {
    readonly $?: { readonly Recipient?: string; readonly NotOnOrAfter?: string; readonly InResponseTo?: string }
  }[]
}

/** Whether the assertion was made for this server (bearer confirmation, SAML profiles 4.1.4.3). */
function isForHere(
  profile: Profile,
  { answerAddress }: SamlAddresses,
  { now, requestId }: { readonly now: number; readonly requestId: string },
): boolean {
  const assertion = profile.getAssertion?.() as
    | {
        readonly Assertion?: {
          readonly Subject?: readonly { readonly SubjectConfirmation?: readonly Confirmation[] }[]
        }
      }
    | undefined
  const confirmations = assertion?.Assertion?.Subject?.[0]?.SubjectConfirmation ?? []
  return confirmations.some(({ $, SubjectConfirmationData: [data] = [] }) => {
    const until = Date.parse(data?.$?.NotOnOrAfter ?? '')
    const isThis = data?.$?.Recipient === answerAddress && data.$.InResponseTo === requestId
    return $?.Method?.endsWith(':cm:bearer') === true && isThis && until + skewMs > now
  })
}

/** The values of an answer: its attributes and the NameID. */
function valuesOf({ attributes, nameID }: Profile): Values {
  const own = Object.entries((attributes ?? {}) as Readonly<Record<string, unknown>>).map(([name, value]) => {
    const list = [value].flat()
    const texts = list.flatMap((one) => (typeof one === 'string' ? [one.trim()] : []))
    // A list of which a part cannot be read is no list.
    return [name, texts.length === list.length ? texts : null] as const
  })
  return Object.fromEntries([...own, [nameIdName, typeof nameID === 'string' ? [nameID.trim()] : []]])
}

/** A transient name is another one at each sign-in. A name may lack a format. */
const isTransient = ({ nameIDFormat }: { readonly nameIDFormat?: string }): boolean =>
  nameIDFormat?.endsWith(':transient') === true

function personOf(settings: SamlSettings, profile: Profile): RecognizedPerson {
  const values = valuesOf(profile)
  const told = attributesOf(settings, values)
  const idName = settings.idAttribute || nameIdName
  const isPassing = settings.idAttribute === '' && isTransient(profile)
  const externalId = isPassing || !Object.hasOwn(values, idName) ? '' : (values[idName]?.[0] ?? '')
  if (externalId === '') return fail('signInAbnormal', idName)
  if (told.account === '') return fail('signInAbnormal', settings.accountAttribute || nameIdName)
  return {
    ...told,
    name: usableName(told.name) || told.account,
    ...{ externalId, subject: externalId, sid: profile.sessionIndex ?? '', values },
  }
}
