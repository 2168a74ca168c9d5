// Signing in as a client does it: with headers, cookies, an address of its own, and the captcha read off the picture.
import { createHash } from 'node:crypto'
import type { CallName } from '@cloudoc/contract'
import type { LightMyRequestResponse } from 'fastify'
import { hashToken } from '../src/core/secrets.ts'
import { type Person, password, requestFor, type Wire, type World, wireOf } from './harness.ts'

/** Where a client is, and what it sends beside the credentials. */
export interface Client {
  readonly address?: string
  readonly headers?: Record<string, string>
}

/** The header that a browser's page sends, and no page of another site can. */
export const web = { 'x-cloudoc-client': 'web' }

/** Everybody is somewhere else unless told: the failures of one are not counted for others. */
function addressOf(userName: string): string {
  const [a, b] = createHash('sha256').update(userName).digest()
  return `198.18.${a}.${b}`
}

interface Credentials {
  readonly userName: string
  readonly password?: string
  readonly captcha?: string
  readonly clientType?: number
  readonly visitor?: boolean
  readonly factorCode?: string
}

/** Tries to sign in; answers the whole response. */
export function tryLogin(world: World, credentials: Credentials, client: Client = {}): Promise<LightMyRequestResponse> {
  const request = requestFor('login3', { password, clientType: 6, ...credentials })
  return world.app.http.inject({
    ...request,
    headers: { ...request.headers, ...client.headers },
    remoteAddress: client.address ?? addressOf(credentials.userName),
  })
}

export async function login(world: World, credentials: Credentials, client: Client = {}): Promise<Wire> {
  return wireOf(await tryLogin(world, credentials, client))
}

/** Asks for a captcha and reads it: its code, and the cookie it is bound to. */
export async function readCaptcha(world: World): Promise<{ code: string; cookie: string; picture: string }> {
  const response = await world.app.http.inject(requestFor('getCaptcha', { width: 130, height: 48 }))
  const cookie = cookieFrom(response, 'cloudoc_captcha')
  const { value } = await world.app.db
    .selectFrom('once')
    .select('value')
    .where('id_hash', '=', hashToken(cookie.slice(cookie.indexOf('=') + 1)))
    .executeTakeFirstOrThrow()
  return { code: (JSON.parse(value) as { text: string }).text, cookie, picture: response.body }
}

/** Signs in with whatever captcha is due. */
export async function loginWithCaptcha(world: World, credentials: Credentials, client: Client = {}): Promise<Wire> {
  const { code, cookie } = await readCaptcha(world)
  return login(world, { captcha: code, ...credentials }, { ...client, headers: { ...client.headers, cookie } })
}

/** One cookie of an answer as a browser sends it back. */
export function cookieFrom(response: LightMyRequestResponse, name: string): string {
  const line = setCookie(response).find((each) => each.startsWith(`${name}=`))
  if (line === undefined) throw new Error(`no cookie ${name}`)
  return line.split(';')[0] ?? ''
}

/** The Set-Cookie lines of an answer. */
export function setCookie(response: LightMyRequestResponse): string[] {
  return [response.headers['set-cookie'] ?? []].flat()
}

/** Any call with headers of one's own instead of a token. */
export async function callWith(
  world: World,
  name: CallName,
  input: Record<string, unknown>,
  headers: Record<string, string>,
): Promise<Wire> {
  const request = requestFor(name, input)
  return wireOf(await world.app.http.inject({ ...request, headers: { ...request.headers, ...headers } }))
}

/** A clock that tests turn. */
export function clock() {
  let time = Date.now()
  return { now: () => time, pass: (ms: number) => void (time += ms) }
}

/** How many sessions somebody has. */
export async function sessionsOf(world: World, person: Person): Promise<number> {
  return (await world.app.db.selectFrom('session').select('id').where('account_id', '=', person.userId).execute())
    .length
}

/** The token that an answer hands out. */
export const tokenOf = (wire: Wire): string => (wire.data as { accessToken: string }).accessToken

/** What a token opens: one's own account, or a refusal. */
export const ownAccount = (world: World, token: string): Promise<Wire> => world.wire('getMyAccountInfo', {}, token)
