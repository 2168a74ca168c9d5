// Sign-in by an OpenID provider: a real one (npm oidc-provider), started by these tests.
import { sql } from 'kysely'
import { generateSync } from 'otplib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openWorld, Person, requestFor, type Wire, type World, wireOf } from '../../../test/harness.ts'
import { clientId, clientSecret, startOpenIdProvider, type TestProvider } from '../../../test/openid-provider.ts'
import { callWith, clock, cookieFrom, login, ownAccount, setCookie, web } from '../../../test/sign-in.ts'
import { contract } from '../../../test/signing.ts'

const byText = (a: unknown, b: unknown): number => String(a).localeCompare(String(b))

let world: World
let admin: Person
let provider: TestProvider
let providerId: number
let origin: string
let time: ReturnType<typeof clock>

beforeEach(async () => {
  time = clock()
  world = await openWorld({ now: time.now, elected: false })
  origin = `http://127.0.0.1:${await world.port()}`
  admin = await world.admin()
  provider = await startOpenIdProvider(origin)
  providerId = await save()
  provider.people.set('u-1', { sub: 'u-1', preferred_username: 'erin', name: '韩磊', email: 'erin@huaxin.example' })
  provider.who = 'u-1'
})
afterEach(() => provider.close())

async function save(more: object = {}, id = 0, name = '华信统一认证'): Promise<number> {
  const settings = { kind: 'oidc' as const, issuer: provider.issuer, clientId, ...more }
  return (await admin.call('saveProvider', { providerId: id, name, settings, secret: clientSecret })).providerId
}

/** A browser with the cookies of the server. */
class Browser {
  cookie = ''

  headers(): Record<string, string> {
    return { ...web, host: new URL(origin).host, ...(this.cookie !== '' && { cookie: this.cookie }) }
  }

  async start(id = providerId, redirect = ''): Promise<string> {
    const request = requestFor('startProviderSignIn', { providerId: id, redirect })
    const response = await world.app.http.inject({ ...request, headers: { ...request.headers, ...this.headers() } })
    if (this.cookie === '') this.cookie = cookieFrom(response, 'cloudoc_device')
    return (wireOf(response).data as { address: string }).address
  }

  async finish(
    query: string,
    more: { id?: number; factorCode?: string; clientType?: number } = {},
  ): Promise<Wire & { session?: string }> {
    const { id = providerId, ...rest } = more
    const request = requestFor('finishProviderSignIn', { providerId: id, query, ...rest })
    const response = await world.app.http.inject({ ...request, headers: { ...request.headers, ...this.headers() } })
    const line = setCookie(response).find((each) => each.startsWith('cloudoc_session='))
    return { ...wireOf(response), ...(line !== undefined && { session: line.slice(16, line.indexOf(';')) }) }
  }

  /** Signs in as the provider's person. A person has one session for each type of client. */
  async signIn(clientType = 6): Promise<Wire & { session?: string }> {
    const back = await provider.visit(await this.start())
    return this.finish(back.search, { clientType })
  }
}

// [R019] The button of a provider leads to it, the return is checked by its state, and it ends signed in, rejected or
// abnormal.
test('[R019] a person of the provider signs in and gets an account; the address asked for comes back', async () => {
  const browser = new Browser()
  const address = await browser.start(providerId, '/doc/folder/files?folderId=3')
  expect(new URL(address).searchParams.get('code_challenge_method')).toBe('S256')
  const back = await provider.visit(address)
  expect(back.pathname).toBe(`/doc/sign-in-return/${providerId}`)
  const signedIn = await browser.finish(back.search)
  expect(signedIn).toMatchObject({
    code: 'success',
    data: {
      accountInfo: { account: 'erin', accountName: '韩磊' },
      redirect: '/doc/folder/files?folderId=3',
      accessToken: '',
    },
  })
  expect(await ownAccount(world, signedIn.session ?? '')).toMatchObject({ data: { account: 'erin' } })
  // A mail address that the provider has not verified is not taken over.
  const row = await world.app.db.selectFrom('account').select('email').where('account', '=', 'erin').executeTakeFirst()
  expect(row).toEqual({ email: '' })
  const again = await new Browser().signIn()
  expect(again.data).toMatchObject({ accountInfo: (signedIn.data as { accountInfo: object }).accountInfo })
})

test('[R019] who is refused by the provider is told so, and everything else that comes back is abnormal', async () => {
  provider.who = undefined
  const browser = new Browser()
  const refused = await provider.visit(await browser.start())
  expect(await browser.finish(refused.search)).toMatchObject({ code: 'signInRejected' })
  provider.who = 'u-1'
  const state = new URL(await browser.start()).searchParams.get('state')
  for (const query of [
    '',
    '?code=x',
    `?code=x&state=${state}`,
    '?code=x&state=x',
    `?state=${state}&error=server_error`,
  ])
    expect(await browser.finish(query)).toMatchObject({ code: 'signInAbnormal' })
})

test('an answer signs in once, and only the browser that began', async () => {
  const browser = new Browser()
  const back = await provider.visit(await browser.start())
  const other = new Browser()
  await other.start()
  expect(await other.finish(back.search)).toMatchObject({ code: 'signInAbnormal' })
  const [first, second] = await Promise.all([browser.finish(back.search), browser.finish(back.search)])
  expect([first.code, second.code].sort(byText)).toEqual(['signInAbnormal', 'success'])
  expect(await browser.finish(back.search)).toMatchObject({ code: 'signInAbnormal' })
})

test('an attempt ends after ten minutes, and tabs of one browser finish in any order', async () => {
  const browser = new Browser()
  const backs: URL[] = []
  for (let tab = 0; tab < 5; tab += 1) backs.push(await provider.visit(await browser.start()))
  for (const back of backs.toReversed()) expect(await browser.finish(back.search)).toMatchObject({ code: 'success' })
  const late = await provider.visit(await browser.start())
  time.pass(11 * 60_000)
  expect(await browser.finish(late.search)).toMatchObject({ code: 'signInAbnormal' })
})

test('the answer of one provider is no answer of another (mix-up)', async () => {
  const other = await startOpenIdProvider(origin)
  try {
    const otherId = (
      await admin.call('saveProvider', {
        name: 'other',
        settings: { kind: 'oidc', issuer: other.issuer, clientId },
        secret: clientSecret,
      })
    ).providerId
    other.people.set('u-1', { sub: 'u-1', preferred_username: 'mallory', name: 'mallory' })
    other.who = 'u-1'
    const browser = new Browser()
    const back = await other.visit(await browser.start(otherId))
    expect(await browser.finish(back.search)).toMatchObject({ code: 'signInAbnormal' })
    // The same id at another provider is another person.
    await browser.signIn()
    const theirs = await other.visit(await browser.start(otherId))
    expect(await browser.finish(theirs.search, { id: otherId })).toMatchObject({
      data: { accountInfo: { account: 'mallory' } },
    })
  } finally {
    await other.close()
  }
})

test('an address of another site is not returned to', async () => {
  const browser = new Browser()
  for (const redirect of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
    const back = await provider.visit(await browser.start(providerId, redirect))
    expect(await browser.finish(back.search)).toMatchObject({ data: { redirect: '' } })
  }
})

test('a person whose name belongs to an account is not joined by it', async () => {
  await world.person('erin')
  expect(await new Browser().signIn()).toMatchObject({ code: 'identityNotJoined' })
  expect((await admin.call('getPendingIdentities', { providerId })).list).toMatchObject([{ account: 'erin' }])
})

test('who has a second factor here is asked for it, once the provider has answered', async () => {
  const browser = new Browser()
  const { session = '', data } = await browser.signIn()
  const { userId } = (data as { accountInfo: { userId: number } }).accountInfo
  const person = new Person(world, 'erin', userId, session, 0)
  const { secret } = await person.call('beginSecondFactor', {})
  await person.call('confirmSecondFactor', { factorCode: generateSync({ secret, epoch: time.now() / 1000 }) })
  time.pass(60_000)
  const back = await provider.visit(await browser.start())
  expect(await browser.finish(back.search)).toMatchObject({ code: 'secondFactorDue' })
  expect(await browser.finish(back.search, { factorCode: '000000' })).toMatchObject({ code: 'wrongSecondFactor' })
  const factorCode = generateSync({ secret, epoch: time.now() / 1000 })
  expect(await browser.finish(back.search, { factorCode })).toMatchObject({ code: 'success' })
})

test('groups that the provider names give roles; groups that it does not name change nothing', async () => {
  const { roleId } = await admin.call('createRole', { roleName: '设计' })
  await save(
    { groupsClaim: 'groups', applies: true, rules: [{ value: 'design', gives: 'role', id: roleId }] },
    providerId,
  )
  const rolesOf = async () =>
    (await world.app.db.selectFrom('role_account').select('role_id').where('role_id', '=', roleId).execute()).length
  const person = { sub: 'u-1', preferred_username: 'erin', name: '韩磊' }
  for (const [groups, count] of [
    [['design', 'all'], 1],
    [undefined, 1],
    [[], 0],
    ['design', 1],
  ] as const) {
    provider.people.set('u-1', { ...person, ...(groups !== undefined && { groups }) })
    expect(await new Browser().signIn()).toMatchObject({ code: 'success' })
    expect(await rolesOf()).toBe(count)
  }
})

test('a logout at the provider ends the sessions that it has opened, and a token that it has not signed none', async () => {
  const { session = '' } = await new Browser().signIn()
  await world.person('anna')
  expect(await ownAccount(world, session)).toMatchObject({ code: 'success' })
  const forged = [
    { alg: 'none' },
    {
      sub: 'u-1',
      iss: provider.issuer,
      aud: clientId,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  expect(
    await callWith(world, 'backchannelLogout', { providerId, logout_token: `${forged.join('.')}.` }, {}),
  ).toMatchObject({ code: 'badRequest', status: 400 })
  expect(await ownAccount(world, session)).toMatchObject({ code: 'success' })
  await provider.signOut()
  expect(await ownAccount(world, session)).toMatchObject({ code: 'notLoggedIn' })
})

/** A logout token as the provider signs it. */
const logoutToken = (more: Readonly<Record<string, unknown>>): Promise<string> => {
  const iat = Math.floor(Date.now() / 1000)
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const said = { iss: provider.issuer, aud: clientId, iat, exp: iat + 120, jti: `${Math.random()}`, events, ...more }
  return provider.sign(said)
}

test('a logout that names the person alone ends all sessions of theirs, and one that names a session only that', async () => {
  provider.people.set('u-2', { sub: 'u-2', preferred_username: 'frank', name: '方朗' })
  const [first = '', second = ''] = [(await new Browser().signIn()).session, (await new Browser().signIn(8)).session]
  provider.forget()
  const third = (await new Browser().signIn(9)).session ?? ''
  provider.forget()
  provider.who = 'u-2'
  const other = (await new Browser().signIn()).session ?? ''
  const codes = () =>
    Promise.all([first, second, third, other].map(async (session) => (await ownAccount(world, session)).code))
  const logout = async (more: Readonly<Record<string, unknown>>) =>
    callWith(world, 'backchannelLogout', { providerId, logout_token: await logoutToken(more) }, {})
  const { rows } = await sql<{ sid: string }>`
    select distinct sid from provider_session where subject = 'u-1' order by sid`.execute(world.app.db)
  expect(rows).toHaveLength(2)
  // A person of whom nobody has heard, and a session of another person.
  await logout({ sub: 'u-3' })
  await logout({ sub: 'u-2', sid: rows[0]?.sid })
  expect(await codes()).toEqual(['success', 'success', 'success', 'success'])
  const { rows: ofThird } = await sql<{ sid: string }>`
    select sid from provider_session where subject = 'u-1' order by session_id desc limit 1`.execute(world.app.db)
  await logout({ sid: ofThird[0]?.sid })
  expect(await codes()).toEqual(['success', 'success', 'notLoggedIn', 'success'])
  await logout({ sub: 'u-1' })
  expect(await codes()).toEqual(['notLoggedIn', 'notLoggedIn', 'notLoggedIn', 'success'])
  // A token works once, and only one that names a person or a session.
  const token = await logoutToken({ sub: 'u-2' })
  for (const answer of ['success', 'badRequest'])
    expect((await callWith(world, 'backchannelLogout', { providerId, logout_token: token }, {})).code).toBe(answer)
  expect(await logout({})).toMatchObject({ code: 'badRequest' })
  expect(await logout({ sub: 'u-1', nonce: 'x' })).toMatchObject({ code: 'badRequest' })
})

test('clocks may be apart by some minutes: four are accepted, six are refused and said', async () => {
  /** A sign-in while the clock of the provider is wrong. Its tokens are good for half a minute. */
  const signInAt = (minutes: number): Promise<Wire> => {
    const iat = Math.floor(Date.now() / 1000) + minutes * 60
    provider.alter = (claims) => ({ ...claims, iat, exp: iat + 30 })
    return new Browser().signIn()
  }
  for (const minutes of [-4, 4]) expect(await signInAt(minutes)).toMatchObject({ code: 'success' })
  expect(await signInAt(-6)).toMatchObject({ code: 'signInAbnormal' })
  const ahead = await signInAt(6)
  expect([ahead.code, /提供方的时钟比本服务器快 3[5-6]\d 秒/.test(ahead.msg)]).toEqual(['signInAbnormal', true])
})

describe('a fresh sign-in at the provider', () => {
  let browser: Browser
  let erin: Person

  beforeEach(async () => {
    browser = new Browser()
    const { session = '', data } = await browser.signIn()
    erin = new Person(world, 'erin', (data as { accountInfo: { userId: number } }).accountInfo.userId, session, 0)
    await admin.call('createSignAuthority', { name: '青云科技' })
  })

  const headers = (who: Person) => ({ ...browser.headers(), authorization: `Bearer ${who.token}` })
  const start = async (): Promise<string> => {
    const { data } = await callWith(world, 'startConfirmation', { providerId }, headers(erin))
    return (data as { address: string }).address
  }
  const finish = (query: string, who = erin): Promise<Wire> =>
    callWith(world, 'finishConfirmation', { providerId, query }, headers(who))
  const launched = async (): Promise<number> => {
    const folderId = await admin.folder(admin.library, `签署 ${Math.random()}`)
    const fileId = await admin.upload(folderId, '合同.pdf', await contract(1))
    const launch = { fileId, archiveFolderId: folderId, title: '合同', singerList: [{ userId: erin.userId }] }
    return (await admin.call('launchSign', launch)).activityId
  }

  test('signs a document once for whoever has no password, and is in its course', { timeout: 120_000 }, async () => {
    const activityId = await launched()
    expect(await erin.refusal('sign', { activityId, revision: 0 })).toBe('wrongPassword')
    const address = new URL(await start())
    expect([address.searchParams.get('prompt'), address.searchParams.get('max_age')]).toEqual(['login', '0'])
    const back = await provider.visit(address.href)
    // It is no sign-in and no binding.
    expect(await browser.finish(back.search)).toMatchObject({ code: 'signInAbnormal' })
    expect(await finish(back.search)).toMatchObject({ code: 'success' })
    expect(await finish(back.search)).toMatchObject({ code: 'signInAbnormal' })
    await erin.call('sign', { activityId, revision: 0 })
    const { rows } = await sql<{ proof: string }>`
      select proof from sign_signer where activity_id = ${activityId}`.execute(world.app.db)
    expect(rows).toEqual([{ proof: 'provider' }])
    expect(await erin.refusal('sign', { activityId: await launched(), revision: 0 })).toBe('wrongPassword')
  })

  test('ends after five minutes, and is of this session', { timeout: 120_000 }, async () => {
    const activityId = await launched()
    expect(await finish((await provider.visit(await start())).search)).toMatchObject({ code: 'success' })
    const other = new Person(world, 'erin', erin.userId, (await new Browser().signIn(8)).session ?? '', 0)
    expect(await other.refusal('sign', { activityId, revision: 0 })).toBe('wrongPassword')
    time.pass(5 * 60_000)
    expect(await erin.refusal('sign', { activityId, revision: 0 })).toBe('wrongPassword')
  })

  test('is refused if it was not now, if the provider does not say when, and if it was of somebody else', async () => {
    for (const at of [Math.floor(Date.now() / 1000) - 360, undefined]) {
      provider.alter = (claims) => ({ ...claims, auth_time: at })
      expect(await finish((await provider.visit(await start())).search)).toMatchObject({ code: 'signInAbnormal' })
    }
    provider.alter = undefined
    provider.people.set('u-2', { sub: 'u-2', preferred_username: 'frank', name: '方朗' })
    provider.who = 'u-2'
    provider.forget()
    expect(await finish((await provider.visit(await start())).search)).toMatchObject({ code: 'signInRejected' })
    provider.who = 'u-1'
    provider.forget()
    const anna = await world.person('anna')
    const back = await provider.visit(await start())
    expect(await finish(back.search, anna)).toMatchObject({ code: 'signInAbnormal' })
    expect(await callWith(world, 'startConfirmation', { providerId }, headers(anna))).toMatchObject({
      code: 'notFound',
    })
  })
})

test('an identity that its person has bound confirms nothing: whoever finds their session open could bind their own', async () => {
  const anna = await world.person('anna')
  const browser = new Browser()
  await browser.start()
  const headers = { ...browser.headers(), authorization: `Bearer ${anna.token}` }
  const begun = await callWith(world, 'startBinding', { providerId }, headers)
  const { search: query } = await provider.visit((begun.data as { address: string }).address)
  expect(await callWith(world, 'finishBinding', { providerId, query }, headers)).toMatchObject({ code: 'success' })
  expect(await callWith(world, 'startConfirmation', { providerId }, headers)).toMatchObject({ code: 'notFound' })
  expect((await anna.call('getMyBindings', {})).list).toMatchObject([{ label: '韩磊', confirms: false }])
})

test('while the provider is down administrators sign in with their password', async () => {
  await save({ issuer: 'http://127.0.0.1:1' }, 0, 'down')
  const request = requestFor('startProviderSignIn', { providerId: providerId + 1 })
  expect(wireOf(await world.app.http.inject(request))).toMatchObject({ code: 'providerUnavailable', status: 503 })
  expect(await login(world, { userName: 'admin', clientType: 9 })).toMatchObject({ code: 'success' })
  await admin.call('saveProvider', {
    providerId,
    name: '华信统一认证',
    enabled: false,
    settings: { kind: 'oidc', issuer: provider.issuer, clientId },
  })
  expect(wireOf(await world.app.http.inject(requestFor('startProviderSignIn', { providerId })))).toMatchObject({
    code: 'notFound',
  })
})

// [R351] Accounts are bound to identities of providers, listed and parted.
test('[R351] a person who is signed in binds an identity, signs in by it, and parts from it', async () => {
  const anna = await world.person('anna')
  const browser = new Browser()
  const begin = async (who: Person): Promise<string> => {
    const request = requestFor('startBinding', { providerId })
    const headers = { ...browser.headers(), authorization: `Bearer ${who.token}` }
    const response = await world.app.http.inject({ ...request, headers: { ...request.headers, ...headers } })
    if (browser.cookie === '') browser.cookie = cookieFrom(response, 'cloudoc_device')
    return (await provider.visit((wireOf(response).data as { address: string }).address)).search
  }
  const finish = async (who: Person, query: string): Promise<Wire> => {
    const headers = { ...browser.headers(), authorization: `Bearer ${who.token}` }
    return callWith(world, 'finishBinding', { providerId, query }, headers)
  }
  const query = await begin(anna)
  // The answer to a binding is no sign-in, and it binds nobody but whoever began.
  expect(await browser.finish(query)).toMatchObject({ code: 'signInAbnormal' })
  const ben = await world.person('ben')
  expect(await finish(ben, query)).toMatchObject({ code: 'signInAbnormal' })
  expect(await finish(anna, query)).toMatchObject({ code: 'success', data: { name: '韩磊' } })
  expect(await finish(anna, query)).toMatchObject({ code: 'signInAbnormal' })
  expect((await anna.call('getMyBindings', {})).list).toMatchObject([{ providerId, label: '韩磊' }])
  expect(await new Browser().signIn()).toMatchObject({ data: { accountInfo: { userId: anna.userId } } })
  expect(await finish(ben, await begin(ben))).toMatchObject({ code: 'alreadyExists' })
  expect(await finish(admin, await begin(admin))).toMatchObject({ code: 'adminAccount' })
  const again = await world.signIn('anna', 9)
  await again.call('endBinding', { providerId })
  expect((await again.call('getMyBindings', {})).list).toMatchObject([{ label: '' }])
})
