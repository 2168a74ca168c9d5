// Session lifetime: revocation, browsers and their cookies, and the calls after sign-in.
import { request as httpRequest } from 'node:http'
import { calls, channelFrames, PUSH_PATH } from '@cloudoc/contract'
import { capabilityNames } from '@cloudoc/domain'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Listener, openWorld, password, requestFor, sharedWorld, wireOf } from '../../../test/harness.ts'
import { callWith, clock, cookieFrom, login, ownAccount, setCookie, tryLogin, web } from '../../../test/sign-in.ts'

const world = sharedWorld()

const minute = 60_000
const hour = 60 * minute

describe('revocation', () => {
  const states = { locked: -47, frozen: -141, restricted: -66, disabled: -141 } as const

  test.each(Object.entries(states))(
    '[R047] a person whose account is %s is out on the next request, with %i to the right password only',
    async (state, result) => {
      const admin = await world.admin()
      const anna = await world.person('anna')
      const live = await anna.listen()
      await admin.call('setAccountState', { userId: anna.userId, state: state as keyof typeof states })
      expect(await ownAccount(world, anna.token)).toMatchObject({ status: 401, code: 'notLoggedIn' })
      expect(await live.closed).toBe(4001)
      expect(await login(world, { userName: anna.account })).toMatchObject({ status: 200, result, data: null })
      expect(await login(world, { userName: anna.account, password: 'x' })).toMatchObject({ code: 'wrongPassword' })
      await admin.call('setAccountState', { userId: anna.userId, state: 'normal' })
      expect(await login(world, { userName: anna.account })).toMatchObject({ code: 'success' })
    },
  )

  // [R034] -69 says that somebody signed in elsewhere where that is the reason.
  test('[R034] -69 says that somebody signed in elsewhere where that is why, and nothing where it is not', async () => {
    const world = await openWorld({ elected: false })
    const anna = await world.person('anna')
    const program = await world.signIn('anna', 9)
    await world.signIn('anna', 9)
    expect((await anna.wire('getMyAccountInfo', {})).code).toBe('success')
    const refused = { status: 401, result: -69 }
    expect(await program.wire('getMyAccountInfo', {})).toMatchObject({ ...refused, msg: '未登录 (已在别处登录)' })
    const english = await world.app.http.inject({
      url: '/services2/user/getMyAccountInfo',
      headers: { authorization: `Bearer ${program.token}`, 'accept-language': 'en' },
    })
    expect(english.json()).toMatchObject({ result: -69, msg: 'not logged in (signed in elsewhere)' })
    await anna.call('logout2', {})
    expect(await anna.wire('getMyAccountInfo', {})).toMatchObject({ ...refused, msg: '未登录' })
    expect(await world.wire('getMyAccountInfo', {}, 'x'.repeat(43))).toMatchObject({ ...refused, msg: '未登录' })
  })

  test('[R034] a sign-in that does not say which kind of client it is ends nobody’s session', async () => {
    const world = await openWorld({ elected: false })
    const anna = await world.person('anna')
    const wire = await world.wire('login3', { userName: 'anna', password })
    expect(wire).toMatchObject({ status: 400, code: 'badRequest' })
    expect(wire.msg).toContain('clientType')
    expect((await anna.wire('getMyAccountInfo', {})).code).toBe('success')
  })

  test('a process that hears nothing from the others refuses a revoked session on the next request and closes its socket', async () => {
    const deaf = await openWorld({ peer: world, deaf: true, elected: false })
    const admin = await world.admin()
    const { account } = await world.person('anna')
    const anna = await deaf.signIn(account)
    const live: Listener = await anna.listen()
    expect(await ownAccount(deaf, anna.token)).toMatchObject({ code: 'success' })
    await admin.call('setAccountState', { userId: anna.userId, state: 'frozen' })
    expect(await ownAccount(deaf, anna.token)).toMatchObject({ status: 401, code: 'notLoggedIn' })
    expect(await deaf.wire('getSubItemList3', { folderId: anna.library }, anna.token)).toMatchObject({ status: 401 })
    expect(await live.closed).toBe(4001)
  })

  test('an upload that began before the account was frozen is not taken when it ends', async () => {
    const admin = await world.admin()
    const anna = await world.person('anna')
    const port = await world.port()
    const answer = Promise.withResolvers<string>()
    const upload = httpRequest(
      {
        port,
        host: '127.0.0.1',
        method: 'PUT',
        path: `${calls.uploadRaw.path}?folderId=${anna.library}&fileName=late.txt`,
        headers: {
          authorization: `Bearer ${anna.token}`,
          'content-type': 'application/octet-stream',
          expect: '100-continue',
        },
      },
      (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () => answer.resolve(text))
      },
    )
    const begun = new Promise((resolve) => upload.once('continue', resolve))
    upload.write('half ')
    await begun
    await admin.call('setAccountState', { userId: anna.userId, state: 'frozen' })
    upload.end('whole')
    expect(JSON.parse(await answer.promise)).toMatchObject({ result: -69, data: null })
    const { rows } = await sql`select 1 from item where name = 'late.txt'`.execute(world.app.db)
    expect(rows).toEqual([])
  })
})

describe('sessions of browsers', () => {
  test('[Session] a browser gets an HttpOnly SameSite cookie instead of a token, and only beside the header it counts', async () => {
    const anna = await world.person('anna')
    const response = await tryLogin(world, { userName: anna.account }, { headers: web })
    expect(wireOf(response)).toMatchObject({ code: 'success', data: { accessToken: '' } })
    const cookies = setCookie(response)
    const line = cookies.find((cookie) => cookie.startsWith('cloudoc_session=')) ?? ''
    const attributes = line.split('; ').slice(1)
    expect(attributes).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Strict', 'Path=/']))
    expect(attributes).not.toContain('Secure')
    expect(cookies.at(-1), 'tells the scripts whose session it is').toMatch(/^cloudoc_account=\d+; Path=\/; /)
    expect(cookies.at(-1)).not.toContain('HttpOnly')
    const cookie = cookieFrom(response, 'cloudoc_session')
    expect(await callWith(world, 'getMyAccountInfo', {}, { cookie, ...web })).toMatchObject({
      data: { account: anna.account },
    })
    expect(await callWith(world, 'getMyAccountInfo', {}, { cookie })).toMatchObject({
      status: 401,
      code: 'notLoggedIn',
    })
    expect(await callWith(world, 'getMyAccountInfo', {}, { cookie, 'x-cloudoc-client': 'desktop' })).toMatchObject({
      status: 401,
    })
    const download = await world.app.http.inject({ url: '/DownloadServlet?fileId=1', headers: { cookie } })
    expect(download.statusCode).toBe(401)
    const out = await world.app.http.inject({ ...requestFor('logout2', {}), headers: { cookie, ...web } })
    expect(setCookie(out)[0]).toMatch(/^cloudoc_session=; .*Max-Age=0/)
    expect(await callWith(world, 'getMyAccountInfo', {}, { cookie, ...web })).toMatchObject({ status: 401 })
    expect(setCookie(await tryLogin(world, { userName: anna.account }))).toEqual([])
  })

  // [R034] A page acts only for the account it shows, even after another account has signed in in the same browser.
  test('[R034] a page that shows one person acts for nobody in a browser where another has signed in', async () => {
    const [anna, ben] = [await world.person('anna'), await world.person('ben')]
    const cookie = cookieFrom(await tryLogin(world, { userName: ben.account }, { headers: web }), 'cloudoc_session')
    const showing = (shown: string) => ({ cookie, ...web, 'x-cloudoc-account': shown })
    const infoShowing = (shown: string) => callWith(world, 'getMyAccountInfo', {}, showing(shown))
    expect(await infoShowing(String(ben.userId))).toMatchObject({ data: { account: ben.account } })
    for (const shown of [String(anna.userId), '', ben.account])
      expect(await infoShowing(shown)).toMatchObject({ status: 401, code: 'notLoggedIn' })
    const made = await callWith(
      world,
      'folderCreate',
      { parentId: ben.library, folderName: '合同' },
      showing(String(anna.userId)),
    )
    expect(made).toMatchObject({ code: 'notLoggedIn' })
    const list = await callWith(world, 'getSubItemList3', { folderId: ben.library }, showing(String(ben.userId)))
    expect(list).toMatchObject({ data: { list: [] } })
  })

  // [R032] Token by server, account info, settings as JSON text, permissions.
  test('[R032] a program gets its own token back, the scripts of a page never get the cookie’s', async () => {
    const anna = await world.person('anna')
    expect(await anna.call('getUserAccessTokenByServerId', { serverId: 0 })).toBe(anna.token)
    expect(await anna.refusal('getUserAccessTokenByServerId', { serverId: 3 })).toBe('interconnectedServerMissing')
    const cookie = cookieFrom(await tryLogin(world, { userName: anna.account }, { headers: web }), 'cloudoc_session')
    for (const more of [{}, { authorization: 'Basic YTpi' }]) {
      const wire = await callWith(world, 'getUserAccessTokenByServerId', { serverId: 0 }, { cookie, ...web, ...more })
      expect(wire).toMatchObject({ code: 'noPermission', data: null })
    }
  })

  test('the cookie of a session that has ended does not keep its browser from signing in again', async () => {
    const { now, pass } = clock()
    const world = await openWorld({ now })
    await world.person('anna')
    const cookie = cookieFrom(await tryLogin(world, { userName: 'anna' }, { headers: web }), 'cloudoc_session')
    pass(12 * hour)
    const headers = { cookie, ...web }
    expect(await callWith(world, 'getMyAccountInfo', {}, headers)).toMatchObject({ status: 401 })
    expect(await callWith(world, 'getLoginKey2', { clientType: 6 }, headers)).toMatchObject({
      code: 'success',
      data: { loginKey: '' },
    })
    expect(await callWith(world, 'getSafeStrategyInfo', {}, headers)).toMatchObject({ code: 'success' })
    expect(await login(world, { userName: 'anna' }, { headers })).toMatchObject({ code: 'success' })
  })

  test('a live channel opens by cookie for pages of the same origin alone', async () => {
    const anna = await world.person('anna')
    const port = await world.port()
    const cookie = cookieFrom(await tryLogin(world, { userName: anna.account }, { headers: web }), 'cloudoc_session')
    const firstFrame = async (origin: string | undefined) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}${PUSH_PATH}`, {
        headers: { cookie },
        ...(origin === undefined ? {} : { origin }),
      })
      await new Promise((resolve) => socket.once('open', resolve))
      const frame = new Promise<Buffer>((resolve) => socket.once('message', resolve))
      socket.send(JSON.stringify({ cmd: 'login', clientType: 6, serverId: 0 }))
      const { pushType } = JSON.parse((await frame).toString()) as { pushType: number }
      socket.terminate()
      return pushType
    }
    expect(await firstFrame(`http://127.0.0.1:${port}`)).toBe(channelFrames.welcome.type)
    for (const origin of [undefined, 'http://evil.example', `http://127.0.0.1:${port + 1}`, 'null'])
      expect(await firstFrame(origin), origin).toBe(channelFrames.refusal.type)
  })
})

describe('after signing in', () => {
  // [R046] The calls about the caller and the organisation.
  test('[R031] [R032] [R046] the calls of the login order answer about the caller', async () => {
    const { groupId } = await world.group('研发部')
    const anna = await world.person('anna', { groupId, secretLevel: 3 })
    const info = {
      userId: anna.userId,
      account: anna.account,
      groupId,
      groupName: '研发部',
      secretLevel: 3,
      level: 3,
      isAdmin: false,
    }
    expect(await anna.call('getMyAccountInfo', {})).toMatchObject(info)
    expect(await anna.call('getMyUserInfo', {})).toMatchObject(info)
    const settings = JSON.parse(await anna.call('getServerSetting', {})) as object
    expect(settings).toMatchObject({ setting: { print_rights: false, use_websocket: true }, pwdLength: 8 })
    expect(await anna.call('getServerSetting', { code: 'use_websocket' })).toBe('true')
    for (const code of ['constructor', '__proto__', 'nothing'])
      expect(await anna.call('getServerSetting', { code })).toBe('null')
    const alias = await world.app.http.inject({
      url: '/services2/setting/serverSetting?code=pwdLength',
      headers: { authorization: `Bearer ${anna.token}` },
    })
    expect(wireOf(alias)).toMatchObject({ code: 'success', data: '8' })
    expect(await anna.call('getUserPermissionInfo', {})).toEqual({
      isAdmin: false,
      isGuest: false,
      secretLevel: 3,
      powers: [],
      capabilities: [...capabilityNames],
    })
    expect(await anna.call('getModuleSetting', {})).toMatchObject({
      modules: expect.arrayContaining(['files']) as string[],
    })
    const { list } = await anna.call('getRootFolderSetting', {})
    expect(list.map(({ fName, kind }) => [fName, kind])).toEqual(
      expect.arrayContaining([
        ['研发部', 'department'],
        [anna.account, 'personal'],
      ]),
    )
    await anna.upload(anna.library, 'a.txt', '12345')
    expect(await anna.call('getUseSpaceSizeInfo', {})).toMatchObject({ used: 5, total: 0 })
    const { jwt } = await anna.call('getUserJwt', {})
    const claims = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as object
    expect(claims).toMatchObject({ sub: String(anna.userId), account: anna.account })
  })

  // [R401] Every code has its own Chinese and English text.
  test('[R002] [R401] messages come in the language that is asked for, Chinese where none is', async () => {
    const message = async (headers: Record<string, string>) =>
      (await callWith(world, 'getMyAccountInfo', {}, headers)).msg
    expect(await message({})).toBe('未登录')
    expect(await message({ 'accept-language': 'en-GB,en;q=0.9' })).toBe('not logged in')
    expect(await message({ 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' })).toBe('未登录')
    expect(await message({ 'accept-language': 'en', cookie: 'locale=zh' })).toBe('未登录')
    expect(await message({ 'accept-language': 'zh', cookie: 'a=b; locale=en' })).toBe('not logged in')
  })
})
