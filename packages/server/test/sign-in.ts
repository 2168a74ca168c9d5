// Signs in like a client: with headers, cookies, its own address, and the captcha read from the picture.
import { createHash } from 'node:crypto'
import type { CallName } from '@cloudoc/contract'
import type { LightMyRequestResponse } from 'fastify'
import { hashToken } from '../src/core/secrets.ts'
import { type Person, password, requestFor, type Wire, type World, wireOf } from './harness.ts'

/** A client's address, and what it sends besides the credentials. */
export interface Client {
  readonly address?: string
  readonly headers?: Record<string, string>
}

/** The header that our web page sends and a page of another site cannot send. */
export const web = { 'x-cloudoc-client': 'web' }

/** Each user has a different address by default, so that one user's failures are not counted for others. */
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

/** Tries to sign in; returns the whole response. */
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

/** Requests a captcha and reads it: its code, and the cookie that it is bound to. */
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

/** Signs in and solves a captcha if one is required. */
export async function loginWithCaptcha(world: World, credentials: Credentials, client: Client = {}): Promise<Wire> {
  const { code, cookie } = await readCaptcha(world)
  return login(world, { captcha: code, ...credentials }, { ...client, headers: { ...client.headers, cookie } })
}

/** Returns a cookie of a response in the form that a browser sends back. */
export function cookieFrom(response: LightMyRequestResponse, name: string): string {
  const line = setCookie(response).find((each) => each.startsWith(`${name}=`))
  if (line === undefined) throw new Error(`no cookie ${name}`)
  return line.split(';')[0] ?? ''
}

/** The Set-Cookie headers of a response. */
export function setCookie(response: LightMyRequestResponse): string[] {
  return [response.headers['set-cookie'] ?? []].flat()
}

/** Makes any call with given headers instead of a token. */
export async function callWith(
  world: World,
  name: CallName,
  input: Record<string, unknown>,
  headers: Record<string, string>,
): Promise<Wire> {
  const request = requestFor(name, input)
  return wireOf(await world.app.http.inject({ ...request, headers: { ...request.headers, ...headers } }))
}

/** A clock that tests can set. */
export function clock() {
  let time = Date.now()
  return { now: () => time, pass: (ms: number) => void (time += ms) }
}

/** The number of a person's sessions. */
export async function sessionsOf(world: World, person: Person): Promise<number> {
  return (await world.app.db.selectFrom('session').select('id').where('account_id', '=', person.userId).execute())
    .length
}

/** The token in a response. */
export const tokenOf = (wire: Wire): string => (wire.data as { accessToken: string }).accessToken

/** Calls getMyAccountInfo with a token: returns the account, or a refusal. */
export const ownAccount = (world: World, token: string): Promise<Wire> => world.wire('getMyAccountInfo', {}, token)
