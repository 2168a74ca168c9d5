// Providers of OAuth 2.0 without OpenID Connect for tests: WeCom, DingTalk and Feishu, as strict as they are documented.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OAuthSettings } from '@cloudoc/contract'
import { oauthPresets } from '@cloudoc/contract/oauth-presets'

export const [appId, appSecret, companyId] = ['app-1', 'secret-of-the-app', 'corp-1']

export interface OAuthTestPerson {
  readonly id: string
  readonly name: string
  readonly more?: object
}

interface Request {
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  /** Of a JSON body; of a form, its fields. */
  readonly body: Readonly<Record<string, unknown>>
}
export interface Reply {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
}
type Route = (request: Request) => Reply

export interface OAuthTestProvider {
  readonly origin: string
  /** Who answers; undefined refuses. */
  who: OAuthTestPerson | undefined
  /** The company that a person of DingTalk has chosen. */
  company: string
  /** Answers in place of those of a route, by its path. */
  readonly instead: Map<string, Route>
  /** The paths that were asked, in order. */
  readonly asked: string[]
  /** The preset of a provider with the addresses of this one. */
  settings(preset: 'wecom' | 'dingtalk' | 'feishu'): OAuthSettings
  /** Follows an address like a browser does: where it is sent back to. */
  visit(address: string): Promise<URL>
  close(): Promise<void>
}

interface Issued {
  readonly person: OAuthTestPerson
  readonly challenge: string | null
}

const challengeOf = (verifier: unknown): string => createHash('sha256').update(String(verifier)).digest('base64url')

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const text = Buffer.concat(await request.toArray()).toString()
  if (text === '') return {}
  const isJson = request.headers['content-type']?.startsWith('application/json') === true
  return isJson ? (JSON.parse(text) as Record<string, unknown>) : Object.fromEntries(new URLSearchParams(text))
}

export async function startOAuthProvider(): Promise<OAuthTestProvider> {
  const codes = new Map<string, Issued>()
  const tokens = new Map<string, OAuthTestPerson>()
  let number = 0
  const next = (kind: string): string => `${kind}-${(number += 1)}`
  const issue = (person: OAuthTestPerson): string => {
    const token = next('token')
    tokens.set(token, person)
    return token
  }
  /** Takes a code, which is good once. */
  const take = (code: unknown): Issued | undefined => {
    const issued = codes.get(String(code))
    codes.delete(String(code))
    return issued
  }
  const back = (query: URLSearchParams, codeName: string, refusal: Record<string, string>): Reply => {
    const address = new URL(query.get('redirect_uri') ?? '')
    address.searchParams.set('state', query.get('state') ?? '')
    if (provider.who === undefined)
      for (const [name, value] of Object.entries(refusal)) address.searchParams.set(name, value)
    else {
      const code = next('code')
      codes.set(code, { person: provider.who, challenge: query.get('code_challenge') })
      address.searchParams.set(codeName, code)
    }
    return { status: 302, headers: { location: address.href } }
  }
  const bearer = ({ headers }: Request): string => /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  const isApp = (id: unknown, secret: unknown): boolean => id === appId && secret === appSecret
  const wrong: Reply = { status: 400, body: 'wrong address' }

  const routes: Readonly<Record<string, Route>> = {
    '/wecom/login': ({ query }) =>
      query.get('appid') === appId &&
      query.get('agentid') === '1000002' &&
      /^[a-zA-Z0-9]{1,128}$/.test(query.get('state') ?? '')
        ? back(query, 'code', {})
        : wrong,
    '/wecom/gettoken': ({ query }) => ({
      body: isApp(query.get('corpid'), query.get('corpsecret'))
        ? { errcode: 0, errmsg: 'ok', access_token: 'app-token', expires_in: 7200 }
        : { errcode: 40001, errmsg: 'invalid credential' },
    }),
    '/wecom/getuserinfo': ({ query }) => {
      if (query.get('access_token') !== 'app-token') return { body: { errcode: 40014, errmsg: 'invalid access_token' } }
      const issued = take(query.get('code'))
      if (issued === undefined) return { body: { errcode: 40029, errmsg: 'invalid code' } }
      return { body: { errcode: 0, errmsg: 'ok', userid: issued.person.id, user_ticket: 'ticket-1' } }
    },
    '/wecom/user': ({ query }) => ({
      body:
        query.get('access_token') === 'app-token' && query.get('userid') === provider.who?.id
          ? { errcode: 0, errmsg: 'ok', userid: provider.who?.id, name: provider.who?.name, ...provider.who?.more }
          : { errcode: 60111, errmsg: 'userid not found' },
    }),

    '/dingtalk/auth': ({ query }) =>
      query.get('client_id') === appId &&
      query.get('response_type') === 'code' &&
      query.get('scope') === 'openid corpid'
        ? back(query, 'authCode', { error: 'access_denied' })
        : wrong,
    '/dingtalk/token': ({ body }) => {
      const issued = take(body['code'])
      return issued !== undefined &&
        isApp(body['clientId'], body['clientSecret']) &&
        body['grantType'] === 'authorization_code'
        ? {
            body: {
              accessToken: issue(issued.person),
              refreshToken: 'refresh',
              expireIn: 7200,
              corpId: provider.company,
            },
          }
        : { status: 400, body: { code: 'invalidParameter.authCode.notFound', message: 'authCode not found' } }
    },
    '/dingtalk/me': ({ headers }) => {
      const person = tokens.get(String(headers['x-acs-dingtalk-access-token']))
      return person === undefined
        ? { status: 403, body: { code: 'Forbidden.AccessDenied' } }
        : { body: { nick: person.name, unionId: person.id, openId: `open-${person.id}`, ...person.more } }
    },

    '/feishu/authorize': ({ query }) =>
      query.get('client_id') === appId && query.get('response_type') === 'code'
        ? back(query, 'code', { error: 'access_denied' })
        : wrong,
    '/feishu/token': ({ body }) => {
      const issued = take(body['code'])
      if (!isApp(body['client_id'], body['client_secret'])) return { body: { code: 20002, error: 'invalid_client' } }
      if (issued === undefined) return { body: { code: 20003, error_description: 'code not found' } }
      if (issued.challenge !== challengeOf(body['code_verifier'])) return { body: { code: 20049 } }
      return { body: { code: 0, access_token: issue(issued.person), token_type: 'Bearer', expires_in: 7200 } }
    },
    '/feishu/user_info': (request) => {
      const person = tokens.get(bearer(request))
      if (person === undefined) return { body: { code: 20005, msg: 'the access token is invalid' } }
      const ids = { open_id: `open-${person.id}`, union_id: person.id, tenant_key: provider.company }
      return { body: { code: 0, msg: 'success', data: { name: person.name, ...ids, ...person.more } } }
    },
    // The older way of Feishu: the application has a token of its own.
    '/feishu/app_token': ({ body }) => ({
      body: isApp(body['app_id'], body['app_secret'])
        ? { code: 0, msg: 'ok', app_access_token: 'a-token', expire: 7200 }
        : { code: 10014, msg: 'app secret invalid' },
    }),
    '/feishu/oidc_token': (request) => {
      if (bearer(request) !== 'a-token') return { body: { code: 20014, msg: 'app access token invalid' } }
      const issued = take(request.body['code'])
      return issued === undefined || request.body['client_secret'] !== undefined
        ? { body: { code: 20003, msg: 'invalid code' } }
        : { body: { code: 0, msg: 'success', data: { access_token: issue(issued.person), token_type: 'Bearer' } } }
    },
  }

  const http = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '', 'http://provider')
      provider.asked.push(url.pathname)
      const route = provider.instead.get(url.pathname) ?? routes[url.pathname]
      const asked = { query: url.searchParams, headers: request.headers, body: await bodyOf(request) }
      const { status = 200, headers = {}, body = {} } = route?.(asked) ?? { status: 404 }
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    })()
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const addresses = {
    wecom: {
      authorizeUrl: `${origin}/wecom/login?login_type=CorpApp&agentid=1000002`,
      appTokenUrl: `${origin}/wecom/gettoken`,
      userUrl: `${origin}/wecom/getuserinfo`,
      profileUrl: `${origin}/wecom/user`,
    },
    dingtalk: {
      authorizeUrl: `${origin}/dingtalk/auth?prompt=consent`,
      tokenUrl: `${origin}/dingtalk/token`,
      userUrl: `${origin}/dingtalk/me`,
      company: companyId,
    },
    feishu: {
      authorizeUrl: `${origin}/feishu/authorize`,
      tokenUrl: `${origin}/feishu/token`,
      userUrl: `${origin}/feishu/user_info`,
    },
  }
  const provider: OAuthTestProvider = {
    origin,
    who: undefined,
    company: companyId,
    instead: new Map(),
    asked: [],
    settings: (preset) => ({ ...oauthPresets[preset], ...addresses[preset], clientId: appId }),
    async visit(address) {
      const response = await fetch(address, { redirect: 'manual' })
      return new URL(response.headers.get('location') ?? 'nowhere:')
    },
    async close() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
  return provider
}
