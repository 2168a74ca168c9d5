// Sign-in by providers of OAuth 2.0 without OpenID Connect: doubles of WeCom, DingTalk and Feishu, with the presets.
import type { OAuthSettings } from '@cloudoc/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openWorld, type Person, requestFor, type Wire, type World, wireOf } from '../../../test/harness.ts'
import { appId, appSecret, type OAuthTestProvider, startOAuthProvider } from '../../../test/oauth-provider.ts'
import { cookieFrom, ownAccount, setCookie, web } from '../../../test/sign-in.ts'

let world: World
let admin: Person
let provider: OAuthTestProvider
let origin: string

beforeEach(async () => {
  world = await openWorld({ elected: false })
  origin = `http://127.0.0.1:${await world.port()}`
  admin = await world.admin()
  provider = await startOAuthProvider()
  provider.who = { id: 'u-1', name: '韩磊' }
})
afterEach(() => provider.close())

async function save(settings: OAuthSettings, { id = 0, name = '登录', secret = appSecret } = {}): Promise<number> {
  return (await admin.call('saveProvider', { providerId: id, name, settings, secret })).providerId
}

/** A browser with the cookies of the server. */
class Browser {
  cookie = ''

  headers(): Record<string, string> {
    return { ...web, host: new URL(origin).host, ...(this.cookie !== '' && { cookie: this.cookie }) }
  }

  async start(providerId: number): Promise<string> {
    const request = requestFor('startProviderSignIn', { providerId, redirect: '' })
    const response = await world.app.http.inject({ ...request, headers: { ...request.headers, ...this.headers() } })
    if (this.cookie === '') this.cookie = cookieFrom(response, 'cloudoc_device')
    return (wireOf(response).data as { address: string }).address
  }

  async finish(providerId: number, query: string): Promise<Wire & { session?: string }> {
    const request = requestFor('finishProviderSignIn', { providerId, query })
    const response = await world.app.http.inject({ ...request, headers: { ...request.headers, ...this.headers() } })
    const line = setCookie(response).find((each) => each.startsWith('cloudoc_session='))
    return { ...wireOf(response), ...(line !== undefined && { session: line.slice(16, line.indexOf(';')) }) }
  }

  async signIn(providerId: number): Promise<Wire & { session?: string }> {
    return this.finish(providerId, (await provider.visit(await this.start(providerId))).search)
  }
}

const identities = () =>
  world.app.db.selectFrom('provider_identity').select(['external_id', 'account_name', 'claims']).orderBy('id').execute()

// [R019] WeCom, DingTalk and Feishu each sign in with the starting values of the form.
test('[R019] a person of WeCom signs in: the code goes with the app token, and the profile tells the name', async () => {
  provider.who = { id: 'hanlei', name: '韩磊', more: { position: '设计师' } }
  const id = await save(provider.settings('wecom'))
  const signedIn = await new Browser().signIn(id)
  expect(signedIn).toMatchObject({ code: 'success', data: { accountInfo: { account: 'hanlei', accountName: '韩磊' } } })
  expect(await ownAccount(world, signedIn.session ?? '')).toMatchObject({ data: { account: 'hanlei' } })
  // A ticket is a credential, and is not kept.
  const [kept] = await identities()
  expect(kept).toMatchObject({ external_id: 'hanlei', claims: { userid: ['hanlei'], position: ['设计师'] } })
  expect(JSON.stringify(kept)).not.toMatch(/ticket|token/)
  expect(provider.asked).toEqual(['/wecom/login', '/wecom/gettoken', '/wecom/getuserinfo', '/wecom/user'])
})

test('[R019] a person of DingTalk signs in by their id, and only one of the company', async () => {
  provider.who = { id: 'union-1', name: '韩磊', more: { mobile: '13800000001', email: 'own@elsewhere.example' } }
  const id = await save(provider.settings('dingtalk'))
  const signedIn = await new Browser().signIn(id)
  expect(signedIn).toMatchObject({ data: { accountInfo: { account: 'union-1', accountName: '韩磊' } } })
  const columns = ['phone', 'email'] as const
  const row = world.app.db.selectFrom('account').select(columns).where('account', '=', 'union-1')
  // The address is a private one that nobody has verified.
  expect(await row.executeTakeFirst()).toEqual({ phone: '13800000001', email: '' })
  const [kept] = await identities()
  expect(kept?.claims).toMatchObject({ 'token.corpId': ['corp-1'] })
  expect(JSON.stringify(kept)).not.toMatch(/refresh|accessToken/)
  provider.company = 'corp-2'
  expect(await new Browser().signIn(id)).toMatchObject({ code: 'signInRejected' })
  provider.who = { id: 'union-2', name: 'stranger' }
  expect(await new Browser().signIn(id)).toMatchObject({ code: 'signInRejected' })
  expect(await identities()).toHaveLength(1)
})

test('[R019] a person of Feishu signs in with PKCE, renamed they are the same, and of the same name another', async () => {
  const id = await save(provider.settings('feishu'))
  const address = new URL(await new Browser().start(id))
  expect(address.searchParams.get('code_challenge_method')).toBe('S256')
  const first = await new Browser().signIn(id)
  expect(first).toMatchObject({ data: { accountInfo: { account: 'u-1', accountName: '韩磊' } } })
  provider.who = { id: 'u-1', name: '韩小磊', more: { user_id: 'hanxiaolei' } }
  expect(await new Browser().signIn(id)).toMatchObject({
    data: { accountInfo: (first.data as { accountInfo: object }).accountInfo },
  })
  await world.person('erin')
  provider.who = { id: 'u-2', name: '韩磊', more: { user_id: 'erin' } }
  expect(await new Browser().signIn(id)).toMatchObject({ code: 'identityNotJoined' })
  expect((await admin.call('getPendingIdentities', { providerId: id })).list).toMatchObject([{ account: 'erin' }])
})

test('an app token authenticates the exchange where a provider wants one: id and secret are not sent with the code', async () => {
  const id = await save({
    ...provider.settings('feishu'),
    pkce: false,
    appTokenUrl: `${provider.origin}/feishu/app_token`,
    tokenUrl: `${provider.origin}/feishu/oidc_token`,
    tokenPath: 'data.access_token',
  })
  expect(await new Browser().signIn(id)).toMatchObject({ code: 'success', data: { accountInfo: { account: 'u-1' } } })
})

test('a client authenticates by a form or by the Basic scheme', async () => {
  const seen: unknown[] = []
  const base = { ...provider.settings('feishu'), idClaim: 'token.open_id', errorPath: '', nameClaim: 'name' }
  provider.instead.set('/feishu/token', ({ headers, body }) => {
    const { client_id, client_secret, code_verifier } = body
    seen.push({ authorization: headers.authorization, client_id, client_secret, pkce: code_verifier !== undefined })
    return { body: { access_token: 't', open_id: 42 } }
  })
  provider.instead.set('/feishu/user_info', () => ({ body: { name: 'Erin' } }))
  for (const tokenAuth of ['post', 'basic'] as const) {
    const id = await save({ ...base, tokenAuth }, { name: tokenAuth, secret: 'a:b/c' })
    // The same id at another provider is another person, whose account name is taken.
    const code = tokenAuth === 'post' ? 'success' : 'identityNotJoined'
    expect(await new Browser().signIn(id)).toMatchObject({ code })
  }
  expect(seen).toEqual([
    { authorization: undefined, client_id: appId, client_secret: 'a:b/c', pkce: true },
    {
      authorization: `Basic ${Buffer.from(`${appId}:a%3Ab%2Fc`).toString('base64')}`,
      ...{ client_id: undefined, client_secret: undefined, pkce: true },
    },
  ])
})

test('[R019] who refuses is rejected at each provider, and a foreign or repeated answer is abnormal', async () => {
  for (const preset of ['wecom', 'dingtalk', 'feishu'] as const) {
    const id = await save(provider.settings(preset), { name: preset })
    const browser = new Browser()
    provider.who = undefined
    const refused = await provider.visit(await browser.start(id))
    expect(await browser.finish(id, refused.search)).toMatchObject({ code: 'signInRejected' })
    // The refusal has used up the attempt.
    expect(await browser.finish(id, refused.search)).toMatchObject({ code: 'signInAbnormal' })
    provider.who = { id: `${preset}-1`, name: '韩磊' }
    const back = await provider.visit(await browser.start(id))
    const other = new Browser()
    await other.start(id)
    expect(await other.finish(id, back.search)).toMatchObject({ code: 'signInAbnormal' })
    const state = back.searchParams.get('state') ?? ''
    for (const query of ['', '?code=x', '?code=x&state=x', back.search.replace(state, `${state}0`)])
      expect(await browser.finish(id, query)).toMatchObject({ code: 'signInAbnormal' })
    const codes = (await Promise.all([browser.finish(id, back.search), browser.finish(id, back.search)])).map(
      ({ code }) => code,
    )
    expect(codes.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual(['signInAbnormal', 'success'])
  }
})

test('an error inside HTTP 200, a code of somebody else, a redirect and a wrong answer sign nobody in', async () => {
  const id = await save(provider.settings('feishu'))
  const data = { union_id: 'victim', name: 'victim' }
  const attempts: [string, { status?: number; headers?: Record<string, string>; body?: unknown }, string][] = [
    // An error that comes with what a success has.
    ['/feishu/user_info', { body: { code: 99991663, data } }, 'signInAbnormal'],
    ['/feishu/user_info', { body: { data } }, 'signInAbnormal'],
    ['/feishu/user_info', { body: { code: 0, error: 'invalid_token', data } }, 'signInAbnormal'],
    ['/feishu/user_info', { status: 401, body: { code: 0, data } }, 'signInAbnormal'],
    ['/feishu/user_info', { body: { code: 0, data: { name: 'nobody' } } }, 'signInAbnormal'],
    ['/feishu/user_info', { body: { code: 0, data: { union_id: { $ne: '' } } } }, 'signInAbnormal'],
    // Rounded by JavaScript, so it may be the id of two people.
    ['/feishu/user_info', { body: '{"code":0,"data":{"union_id":9007199254740993}}' }, 'signInAbnormal'],
    ['/feishu/user_info', { body: { code: 0, data: [data] } }, 'signInAbnormal'],
    ['/feishu/user_info', { body: '<html>' }, 'signInAbnormal'],
    ['/feishu/user_info', { status: 302, headers: { location: '/evil' }, body: { code: 0, data } }, 'signInAbnormal'],
    ['/feishu/user_info', { status: 503 }, 'providerUnavailable'],
    ['/feishu/user_info', { body: { code: 0, data, more: 'x'.repeat(300_000) } }, 'providerUnavailable'],
    ['/feishu/token', { body: { code: 20049, access_token: 'x' } }, 'signInAbnormal'],
    ['/feishu/token', { body: { code: 0, access_token: 'x\r\nx-more: y' } }, 'signInAbnormal'],
    ['/feishu/token', { status: 307, headers: { location: '/evil' } }, 'signInAbnormal'],
  ]
  for (const [path, reply, code] of attempts) {
    provider.instead.clear()
    provider.instead.set(path, () => reply)
    provider.instead.set('/evil', () => ({ body: { code: 0, access_token: 'x', data } }))
    expect(await new Browser().signIn(id), JSON.stringify(reply).slice(0, 100)).toMatchObject({ code })
  }
  expect(provider.asked).not.toContain('/evil')
  provider.instead.clear()
  // A code that another browser has got is bound to its verifier.
  const [mine, theirs] = [new Browser(), new Browser()]
  const own = await provider.visit(await mine.start(id))
  const other = await provider.visit(await theirs.start(id))
  own.searchParams.set('code', other.searchParams.get('code') ?? '')
  expect(await mine.finish(id, own.search)).toMatchObject({ code: 'signInAbnormal' })
  expect(await identities()).toEqual([])
  expect(await new Browser().signIn(id)).toMatchObject({ code: 'success' })
})

test('the answer of one provider is no answer of another (mix-up)', async () => {
  const [one, two] = [
    await save(provider.settings('feishu')),
    await save(provider.settings('dingtalk'), { name: '钉钉' }),
  ]
  const browser = new Browser()
  const back = await provider.visit(await browser.start(one))
  expect(await browser.finish(two, back.search)).toMatchObject({ code: 'signInAbnormal' })
  expect(provider.asked).not.toContain('/dingtalk/token')
  expect(await browser.finish(one, back.search)).toMatchObject({ code: 'success' })
})

test('a profile of somebody else signs nobody in', async () => {
  const id = await save(provider.settings('wecom'))
  provider.instead.set('/wecom/user', () => ({ body: { errcode: 0, userid: 'other', name: '他人' } }))
  expect(await new Browser().signIn(id)).toMatchObject({ code: 'signInAbnormal' })
})

test('settings that ask a metadata service, or that admit everybody, are refused; where ids come from stays', async () => {
  const feishu = provider.settings('feishu')
  for (const more of [
    { userUrl: 'http://169.254.169.254/latest/meta-data' },
    { tokenUrl: 'http://100.100.100.200/' },
    { profileUrl: 'http://[fd00:ec2::254]/' },
    { appTokenUrl: 'http://169.254.0.1/' },
    { tokenUrl: '' },
    { companyClaim: 'data.tenant_key' },
  ])
    await expect(save({ ...feishu, ...more })).rejects.toThrow('badRequest')
  const id = await save(feishu)
  await new Browser().signIn(id)
  for (const more of [{ idClaim: 'data.open_id' }, { clientId: 'app-2' }, { userUrl: `${provider.origin}/other` }])
    await expect(save({ ...feishu, ...more }, { id })).rejects.toThrow('settingsContradict')
  await save({ ...feishu, nameClaim: 'data.en_name' }, { id })
})

test('the test of a provider tells a wrong secret and a wrong address', async () => {
  const tried = async (settings: OAuthSettings, secret = appSecret) => {
    const { steps } = await admin.call('testProvider', { settings, secret })
    return steps.filter(({ warning }) => !warning).map(({ ok, detail }) => ({ ok, detail }))
  }
  expect(await tried(provider.settings('wecom'))).toEqual([{ ok: true, detail: '' }])
  expect(await tried(provider.settings('wecom'), 'wrong')).toEqual([{ ok: false, detail: 'errcode 40001' }])
  const feishu = provider.settings('feishu')
  expect(await tried(feishu)).toEqual([{ ok: true, detail: 'code 20003' }])
  expect(await tried({ ...feishu, tokenUrl: `${provider.origin}/nothing` })).toMatchObject([{ ok: false }])
  expect(await tried({ ...feishu, tokenUrl: 'http://127.0.0.1:1/' })).toMatchObject([{ ok: false }])
})
