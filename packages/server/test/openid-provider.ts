// An OpenID provider for tests: the npm package oidc-provider, on a port of its own, with people who sign in at once.
// oxlint-disable-next-line typescript/triple-slash-reference -- other packages that use this file need the types too
/// <reference path="./oidc-provider.d.ts" />
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import OidcProvider from 'oidc-provider'

export interface OpenIdPerson {
  readonly sub: string
  readonly [claim: string]: unknown
}

export interface TestProvider {
  readonly issuer: string
  /** The people, by their id; the first is signed in unless `who` is set. */
  readonly people: Map<string, OpenIdPerson>
  /** Who answers the next sign-in; undefined refuses it. */
  who: string | undefined
  /** Follows an address of the provider like a browser does, until it sends the browser back. */
  visit(address: string): Promise<URL>
  /** Ends the session of the browser at the provider, which then tells the server by back-channel logout. */
  signOut(): Promise<void>
  /** Another browser comes: it has no session at the provider. */
  forget(): void
  /** What it says in its tokens instead of their claims. */
  alter: ((claims: JWTPayload) => JWTPayload) | undefined
  /** A token of the provider. */
  sign(payload: JWTPayload): Promise<string>
  close(): Promise<void>
}

export interface OpenIdOptions {
  /** Another address that people are sent back to. */
  readonly returnPath?: string
  /** Access tokens last so long, and can be renewed. */
  readonly tokenSeconds?: number
}

export const clientId = 'cloudoc'
export const clientSecret = 'cloudoc-secret-of-the-test'

/** Starts a provider that knows the server at `origin` as its client. */
export async function startOpenIdProvider(
  origin: string,
  providerIds: readonly number[] = [1, 2, 3, 4],
  more: OpenIdOptions = {},
): Promise<TestProvider> {
  const http = createServer().listen(0, '127.0.0.1')
  await once(http, 'listening')
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const people = new Map<string, OpenIdPerson>()
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), kid: 'test', alg: 'RS256', use: 'sig' }
  const provider = new OidcProvider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: [
          ...providerIds.map((id) => `${origin}/doc/sign-in-return/${id}`),
          ...(more.returnPath === undefined ? [] : [`${origin}${more.returnPath}`]),
        ],
        grant_types: ['authorization_code', ...(more.tokenSeconds === undefined ? [] : ['refresh_token'])],
        response_types: ['code'],
        backchannel_logout_uri: `${origin}/services2/provider/backchannelLogout/${providerIds[0]}`,
        backchannel_logout_session_required: true,
      },
    ],
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username', 'groups', 'hasgroups', 'title', 'department', 'site'],
      email: ['email', 'email_verified'],
    },
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    ...(more.tokenSeconds !== undefined && {
      // As at Microsoft: the ID token names the address, and a renewed token can be renewed again.
      conformIdTokenClaims: false,
      issueRefreshToken: () => Promise.resolve(true),
      rotateRefreshToken: true,
      ttl: { AccessToken: more.tokenSeconds },
    }),
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_, id) => {
      const person = people.get(id)
      return person && { accountId: id, claims: () => person }
    },
    cookies: { keys: ['test'] },
    jwks: { keys: [key] },
    // Its own fetch refuses loopback addresses, which is where the server of a test is.
    fetch: (url: string, { method, headers, body, signal }: RequestInit) =>
      fetch(url, { method, headers, body, signal } as RequestInit),
  })
  provider.use(async (context, next) => {
    await next()
    const body = context.body as { id_token?: string } | undefined
    if (test.alter !== undefined && typeof body === 'object' && body.id_token !== undefined)
      body.id_token = await test.sign(test.alter(decodeJwt(body.id_token)))
  })
  provider.on('server_error', () => undefined)
  provider.on('backchannel.error', (_, error) => console.error(error))
  const test: TestProvider = {
    issuer,
    people,
    who: undefined,
    alter: undefined,
    sign: (payload) => new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: key.kid }).sign(privateKey),
    async visit(address) {
      let at = new URL(address)
      for (let hops = 0; hops < 20; hops += 1) {
        if (at.origin !== issuer) return at
        const answer = await fetch(at, { redirect: 'manual', headers: { cookie: cookieHeader() } })
        keepCookies(answer)
        const next = answer.headers.get('location')
        if (next === null) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`)
        at = new URL(next, at)
      }
      throw new Error('the provider redirects without end')
    },
    async signOut() {
      const page = await fetch(`${issuer}/session/end`, { headers: { cookie: cookieHeader() } })
      keepCookies(page)
      const xsrf = /name="xsrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
      const answer = await fetch(`${issuer}/session/end/confirm`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: cookieHeader(), 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ xsrf, logout: 'yes' }),
      })
      keepCookies(answer)
    },
    forget() {
      jar.clear()
    },
    async close() {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
  const jar = new Map<string, string>()
  const cookieHeader = (): string => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const keepCookies = (answer: Response): void => {
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      if (pair.slice(at + 1) === '') jar.delete(pair.slice(0, at))
      else jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
  }
  const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { prompt, params, session, grantId } = await provider.interactionDetails(request, response)
    const merge = { mergeWithLastSubmission: true }
    if (test.who === undefined) {
      await provider.interactionFinished(request, response, { error: 'access_denied' }, merge)
    } else if (prompt.name === 'login') {
      await provider.interactionFinished(request, response, { login: { accountId: test.who } }, merge)
    } else {
      const grant =
        grantId === undefined
          ? new provider.Grant({
              ...(session !== undefined && { accountId: session.accountId }),
              clientId: String(params['client_id']),
            })
          : await provider.Grant.find(grantId)
      grant?.addOIDCScope('openid profile email')
      const consent = { grantId: (await grant?.save()) ?? '' }
      await provider.interactionFinished(request, response, { consent }, merge)
    }
  }
  const answer = provider.callback()
  http.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith('/interaction/') === true) void interact(request, response)
    else void answer(request, response)
  })
  return test
}
