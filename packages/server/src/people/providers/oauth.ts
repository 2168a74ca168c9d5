/*
 * Sign-in by a provider of OAuth 2.0 without OpenID Connect, such as WeCom, DingTalk and Feishu: code flow with state and,
 * where the provider takes it, PKCE (ADR 0378). Nothing is signed: a person is whoever the provider's own address says,
 * asked directly with a code that this attempt has got. Answers are data of a foreign machine: an error may come with
 * HTTP 200, a redirect is an error, and no token is kept.
 */
import type { OAuthSettings } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import * as client from 'openid-client'
import { OutboundFailure, parseOutboundJson, readResponse } from '../../core/outbound-http.ts'
import { usableName } from './accounts.ts'
import type { RecognizedPerson } from './attempts.ts'
import { attributesOf, type Values, valuesOfClaims } from './mapping-plan.ts'

const answerMs = 10_000
const maxAnswer = 256 * 1024
const mostValues = 5000

/** An answer by which the provider refuses a request, or that is none. */
export class OAuthRefusal extends Error {
  override name = 'OAuthRefusal'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Answer = Readonly<Record<string, unknown>>
type Texts = Readonly<Record<string, string>>

/** All addresses that the server asks. */
export const addressesOf = ({ appTokenUrl, tokenUrl, userUrl, profileUrl }: OAuthSettings): string[] =>
  [appTokenUrl, tokenUrl, userUrl, profileUrl].filter((address) => address !== '')

/** Refuses settings by which nobody, or everybody, could sign in. */
export function assertOAuth({ appTokenUrl, tokenUrl, companyClaim, company }: OAuthSettings): void {
  if (appTokenUrl === '' && tokenUrl === '')
    fail('badRequest', {
      zh: '令牌地址和应用令牌地址至少填一个',
      en: 'a token address or an app token address is missing',
    })
  if ((companyClaim === '') !== (company === ''))
    fail('badRequest', {
      zh: '限定公司要同时填写值的位置和公司的值',
      en: 'to admit one company only, fill in both the place of the value and the value',
    })
}

/** The text or number at a path of an answer; empty: none. A number that JavaScript has rounded may be two people's. */
function valueAt(answer: Answer, path: string): string {
  let value: unknown = answer
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return ''
    value = (value as Answer)[name]
  }
  if (typeof value === 'string') return value.trim()
  return Number.isSafeInteger(value) ? String(value) : ''
}

function objectOf(body: Buffer): Answer | undefined {
  try {
    const parsed = parseOutboundJson(body, mostValues)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Answer) : undefined
  } catch {
    return undefined
  }
}

/** Asks the provider. Throws an `OAuthRefusal` unless the answer is an object that reports no error. */
async function ask(
  { errorPath, errorGood }: OAuthSettings,
  address: string,
  { headers, query = {}, body }: { readonly headers?: Texts; readonly query?: Texts; readonly body?: string },
): Promise<Answer> {
  const url = new URL(address)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const response = await readResponse(url.href, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { accept: 'application/json', ...headers },
    body,
    timeMs: answerMs,
    signal: AbortSignal.timeout(answerMs),
    bytes: maxAnswer,
    inflatedBytes: maxAnswer,
  })
  const { status } = response
  if (status >= 500) throw new OutboundFailure('silent', `HTTP ${status}`)
  const answer = objectOf(response.body)
  const error = answer === undefined ? '' : valueAt(answer, 'error')
  if (status < 200 || status >= 300 || answer === undefined || error !== '')
    throw new OAuthRefusal(status, `HTTP ${status} ${error}`.trim().slice(0, 100))
  const code = errorPath === '' ? errorGood : valueAt(answer, errorPath)
  if (code !== errorGood) throw new OAuthRefusal(status, `${errorPath} ${code}`.trim().slice(0, 100))
  return answer
}

const jsonBody = (value: Texts) => ({
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(value),
})

/** A token that can stand in a header. */
function tokenAt(answer: Answer, path: string): string {
  const token = valueAt(answer, path)
  if (!/^[\x21-\x7e]+$/.test(token)) throw new OAuthRefusal(200, path)
  return token
}

/** The token of the application itself. Undefined: the provider needs none. */
export async function appTokenOf(settings: OAuthSettings, secret: string): Promise<string | undefined> {
  const { appTokenUrl, appTokenSends, appIdParam, appSecretParam, clientId } = settings
  if (appTokenUrl === '') return undefined
  const named = { [appIdParam]: clientId, [appSecretParam]: secret }
  const answer = await ask(settings, appTokenUrl, appTokenSends === 'query' ? { query: named } : jsonBody(named))
  return tokenAt(answer, settings.appTokenPath)
}

/** What a code is exchanged with. */
interface Exchange {
  readonly code: string
  readonly verifier: string
  readonly back: string
}

/** Exchanges the code. A token of the application authenticates in place of id and secret. */
export async function exchangeCode(
  settings: OAuthSettings,
  { secret, appToken }: { readonly secret: string; readonly appToken: string | undefined },
  { code, verifier, back }: Exchange,
): Promise<Answer> {
  const { tokenUrl, tokenAuth, tokenIdParam, tokenSecretParam, tokenGrantParam, clientId } = settings
  const sent: Texts = {
    [tokenGrantParam]: 'authorization_code',
    code,
    redirect_uri: back,
    ...(settings.pkce && { code_verifier: verifier }),
    ...(appToken === undefined && tokenAuth !== 'basic' && { [tokenIdParam]: clientId, [tokenSecretParam]: secret }),
  }
  const isForm = tokenAuth !== 'json'
  const { headers, body } = isForm
    ? {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(sent).toString(),
      }
    : jsonBody(sent)
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`).toString('base64')
  const authorization =
    appToken !== undefined ? `Bearer ${appToken}` : tokenAuth === 'basic' ? `Basic ${basic}` : undefined
  return ask(settings, tokenUrl, {
    headers: { ...headers, ...(authorization !== undefined && { authorization }) },
    body,
  })
}

/** How the token of a person is shown at the addresses that tell of them. */
const shown = ({ userTokenIn, userTokenName }: OAuthSettings, token: string): { headers: Texts; query: Texts } => ({
  headers:
    userTokenIn === 'bearer'
      ? { authorization: `Bearer ${token}` }
      : userTokenIn === 'header'
        ? { [userTokenName]: token }
        : {},
  query: userTokenIn === 'query' ? { [userTokenName]: token } : {},
})

/** Begins an attempt: the address of the provider to go to. */
export async function startOAuth(
  settings: OAuthSettings,
  back: string,
  state: string,
): Promise<{ readonly verifier: string; readonly address: string }> {
  const verifier = client.randomPKCECodeVerifier()
  const address = new URL(settings.authorizeUrl)
  const asked: Texts = {
    [settings.clientIdParam]: settings.clientId,
    response_type: 'code',
    redirect_uri: back,
    state,
    ...(settings.scope !== '' && { scope: settings.scope }),
    ...(settings.pkce && {
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }),
  }
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value)
  return { verifier, address: address.href }
}

/** Exchanges the code with which the browser has come back, and asks the provider who the person is. */
export async function finishOAuth(
  settings: OAuthSettings,
  secret: string,
  { query, verifier, back }: { readonly query: string } & Omit<Exchange, 'code'>,
): Promise<RecognizedPerson> {
  const said = new URLSearchParams(query)
  const error = said.get('error')
  const code = said.get(settings.codeParam) ?? ''
  // WeCom sends people who refuse back with the state alone.
  if (error === 'access_denied' || (error === null && code === '')) return fail('signInRejected')
  if (error !== null) return fail('signInAbnormal')
  try {
    const appToken = await appTokenOf(settings, secret)
    const exchanges = settings.tokenUrl !== ''
    const tokens = exchanges ? await exchangeCode(settings, { secret, appToken }, { code, verifier, back }) : {}
    const token = exchanges ? tokenAt(tokens, settings.tokenPath) : (appToken ?? fail('signInAbnormal'))
    const { headers, query: parameters } = shown(settings, token)
    const user = await ask(settings, settings.userUrl, {
      headers,
      query: { ...parameters, ...(!exchanges && { code }) },
    })
    const id = valueAt({ ...user, token: tokens }, settings.idClaim)
    if (id === '') return fail('signInAbnormal', settings.idClaim)
    const profile =
      settings.profileUrl === ''
        ? {}
        : await ask(settings, settings.profileUrl, { headers, query: { ...parameters, [settings.profileIdParam]: id } })
    const named = valueAt(profile, settings.idClaim)
    if (named !== '' && named !== id) return fail('signInAbnormal', settings.idClaim)
    return personOf(settings, id, { ...profile, ...user, token: tokens })
  } catch (failure) {
    if (failure instanceof OAuthRefusal) return fail('signInAbnormal', failure.message)
    if (failure instanceof OutboundFailure) return fail('providerUnavailable')
    throw failure
  }
}

/** The values of a person without those that give access. */
function keptValues({ tokenPath }: OAuthSettings, claims: Answer): Values {
  const isKept = (name: string): boolean =>
    name !== `token.${tokenPath}` && !/token|ticket|secret/i.test(name.replace(/^token\./, ''))
  return Object.fromEntries(Object.entries(valuesOfClaims(claims)).filter(([name]) => isKept(name)))
}

function personOf(settings: OAuthSettings, id: string, claims: Answer): RecognizedPerson {
  const { companyClaim, company } = settings
  if (companyClaim !== '' && valueAt(claims, companyClaim) !== company) return fail('signInRejected')
  const values = keptValues(settings, claims)
  const told = attributesOf(settings, values)
  const account = told.account || id.normalize('NFKC')
  return { ...told, account, name: usableName(told.name) || account, externalId: id, subject: id, sid: '', values }
}
