// Every sign-in method: by password, by a login key, by a device key, encrypted.
import { constants, createPublicKey, publicEncrypt } from 'node:crypto'
import { isFrame } from '@cloudoc/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openWorld, password, requestFor, sharedWorld, type World, wireOf } from '../../../test/harness.ts'
import { hashBy, hashCheaply } from '../../../test/passwords.ts'
import {
  callWith,
  clock,
  cookieFrom,
  login,
  ownAccount,
  sessionsOf,
  setCookie,
  tryLogin,
  web,
} from '../../../test/sign-in.ts'

const world = sharedWorld()

/** The requested cost of each hash. In this test the hashes themselves are cheap. */
const hashed: { memory: number; passes: number }[] = []
hashBy((algorithm, parameters, callback) => {
  hashed.push({ memory: parameters.memory, passes: parameters.passes })
  hashCheaply(algorithm, parameters, callback)
})

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

describe('signing in by password', () => {
  // [R014] Signing in by the form call login3.
  test('[R014] login3 answers token, expiry, account and server; a wrong password is -21', async () => {
    const world = await openWorld()
    const anna = await world.person('anna')
    const wire = await login(world, { userName: 'anna', clientType: 6 })
    expect(wire).toMatchObject({
      status: 200,
      code: 'success',
      data: { serverId: 0, accountInfo: { userId: anna.userId, account: 'anna', accountName: 'anna' } },
    })
    const { accessToken, expiresAt } = wire.data as { accessToken: string; expiresAt: number }
    expect(Buffer.from(accessToken, 'base64url')).toHaveLength(32)
    expect(expiresAt).toBeGreaterThan(Date.now() + 11 * hour)
    expect(await ownAccount(world, accessToken)).toMatchObject({ code: 'success', data: { account: 'anna' } })
    expect(await login(world, { userName: 'anna', password: 'Test#2025' })).toMatchObject({
      status: 200,
      code: 'wrongPassword',
      data: null,
    })
    expect(await login(world, { userName: ' ＡＮＮＡ ' })).toMatchObject({ code: 'success' })
  })

  test('[Session] the database holds no token, key, ticket or password, only their hashes', async () => {
    const world = await openWorld({ elected: false })
    const anna = await world.person('anna')
    const fileId = await anna.upload(anna.library, 'a.txt')
    const { loginKey, nonce } = await anna.call('getLoginKey2', { clientType: 6 })
    const { ticket } = await anna.call('createDownloadTicket', { fileIdArray: [fileId] })
    await anna.call('modifyPwd2', { oldPassword: password, newPassword: 'Other#2026' })
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public'`.execute(world.app.db)
    for (const secret of [anna.token, loginKey, nonce, ticket, password, 'Other#2026']) {
      for (const { name } of rows) {
        const found = await sql`select 1 from ${sql.table(name)} t where strpos(t::text, ${secret}) > 0
          or strpos(t::text, ${Buffer.from(secret).toString('hex')}) > 0`.execute(world.app.db)
        expect(found.rows, name).toEqual([])
      }
    }
    const { password_hash: hash } = await world.app.db
      .selectFrom('account')
      .select('password_hash')
      .where('id', '=', anna.userId)
      .executeTakeFirstOrThrow()
    expect(hash).toMatch(/^argon2id\$19456\$2\$1\$/)
  })

  test('an account that does not exist answers as one with another password, after as much work', async () => {
    const world = await openWorld()
    await world.person('anna')
    await login(world, { userName: 'anna' })
    const measured = async (userName: string, i: number) => {
      hashed.length = 0
      const wire = await login(world, { userName, password: `Wrong#${i}00` }, { address: `203.0.113.${i}` })
      return { work: [...hashed], wire }
    }
    const known = await measured('anna', 1)
    expect(known.work).toHaveLength(1)
    expect(await measured('nobody', 11)).toEqual(known)
    expect(await measured('anna', 2)).toEqual(known)
    expect(await measured('nobody', 12)).toEqual(known)
    // From the third failure on, both require a captcha in the same way.
    const third = await Promise.all(
      ['anna', 'nobody'].map((userName) => login(world, { userName, password: 'x' }, { address: '203.0.113.99' })),
    )
    expect(third.map(({ code }) => code)).toEqual(['wrongVerificationCode', 'wrongVerificationCode'])
  })

  test('of 20 sign-ins at once exactly one session of the account and client type is left', async () => {
    const anna = await world.person('anna')
    const wires = await Promise.all(Array.from({ length: 20 }, () => login(world, { userName: anna.account })))
    const tokens = wires.map((wire) => (wire.data as { accessToken: string }).accessToken)
    expect(new Set(tokens).size).toBe(20)
    expect(await sessionsOf(world, anna)).toBe(1)
    const answers = await Promise.all(tokens.map((token) => ownAccount(world, token)))
    expect(answers.filter(({ code }) => code === 'success')).toHaveLength(1)
    expect(await ownAccount(world, anna.token)).toMatchObject({ status: 401, code: 'notLoggedIn' })
  })

  test('[R034] a sign-in elsewhere ends the older session with push 5; the mobile page counts apart', async () => {
    const anna = await world.person('anna')
    const live = await anna.listen()
    const mobile = await world.signIn(anna.account, 8)
    expect(await ownAccount(world, anna.token)).toMatchObject({ code: 'success' })
    const again = await world.signIn(anna.account, 6)
    expect(await live.next((frame) => isFrame(frame, 'loginElsewhere'))).toMatchObject({ data: { serverId: 0 } })
    expect(await live.closed).toBe(4001)
    expect(await ownAccount(world, anna.token)).toMatchObject({ status: 401, code: 'notLoggedIn' })
    for (const { token } of [mobile, again]) expect(await ownAccount(world, token)).toMatchObject({ code: 'success' })
  })

  test('[Session] a session slides for 12 hours from its last use and ends after 30 days in any case', async () => {
    const { now, pass } = clock()
    const world = await openWorld({ now })
    const anna = await world.person('anna')
    pass(12 * hour - 1)
    expect(await ownAccount(world, anna.token)).toMatchObject({ code: 'success' })
    for (let i = 1; i < 60; i += 1) {
      pass(12 * hour - minute)
      expect(await ownAccount(world, anna.token)).toMatchObject({ code: 'success' })
    }
    pass(12 * hour - minute)
    expect(await ownAccount(world, anna.token)).toMatchObject({ status: 401, code: 'notLoggedIn' })
    const again = await world.signIn('anna')
    pass(12 * hour)
    expect(await ownAccount(world, again.token)).toMatchObject({ status: 401, code: 'notLoggedIn' })
    expect(30 * day).toBeGreaterThan(60 * (12 * hour - minute))
  })

  // [R037] Signing out ends exactly this session, without messages, within 3 s.
  test('[R037] logout2 ends the session that calls it, on the next request and on its socket, and no other', async () => {
    const anna = await world.person('anna')
    const mobile = await world.signIn(anna.account, 8)
    const live = await anna.listen()
    expect(await anna.call('logout2', {})).toEqual({})
    expect(await ownAccount(world, anna.token)).toMatchObject({ status: 401, code: 'notLoggedIn' })
    expect(await live.closed).toBe(4001)
    expect(await ownAccount(world, mobile.token)).toMatchObject({ code: 'success' })
  })
})

describe('signing in by login key', () => {
  // [R015] Signing in by a login key, once, within 60 seconds.
  test('[R015] a login key begins one session, once, within 60 seconds', async () => {
    const { now, pass } = clock()
    const world = await openWorld({ now })
    const anna = await world.person('anna')
    const key = async () => (await anna.call('getLoginKey2', { clientType: 6 })).loginKey
    const use = (loginKey: string) => world.wire('login3ByLoginKey', { clientType: 8, loginKey })
    const first = await key()
    const used = await use(first)
    expect(used).toMatchObject({ code: 'success', data: { accountInfo: { account: 'anna' }, serverId: 0 } })
    expect(await ownAccount(world, (used.data as { accessToken: string }).accessToken)).toMatchObject({
      code: 'success',
    })
    expect(await use(first)).toMatchObject({ status: 401, code: 'notLoggedIn' })
    const second = await key()
    const both = await Promise.all([use(second), use(second), use(second)])
    expect(both.filter(({ code }) => code === 'success')).toHaveLength(1)
    const third = await key()
    pass(60_000)
    expect(await use(third)).toMatchObject({ code: 'notLoggedIn' })
    expect(await use('')).toMatchObject({ code: 'notLoggedIn' })
    expect((await world.wire('getLoginKey2', { clientType: 6 })).data).toMatchObject({ loginKey: '' })
    const { rows } = await sql`select 1 from audit where call = 'getLoginKey2'`.execute(world.app.db)
    expect(rows, 'strangers cannot fill the audit').toEqual([])
  })

  test('a login key ends with the session that asked for it and with the account', async () => {
    const admin = await world.admin()
    const anna = await world.person('anna')
    const thief = await world.signIn(anna.account, 9)
    const { loginKey } = await thief.call('getLoginKey2', { clientType: 6 })
    const { loginKey: own } = await anna.call('getLoginKey2', { clientType: 6 })
    await anna.call('modifyPwd2', { oldPassword: password, newPassword: 'Other#2026' })
    expect(await world.wire('login3ByLoginKey', { loginKey, clientType: 6 })).toMatchObject({ code: 'notLoggedIn' })
    await admin.call('setAccountState', { userId: anna.userId, state: 'frozen' })
    expect(await world.wire('login3ByLoginKey', { loginKey: own, clientType: 6 })).toMatchObject({
      code: 'accountFrozen',
    })
  })

  test('many wrong login keys from one address lock out that address alone', async () => {
    const world = await openWorld()
    const anna = await world.person('anna')
    const tryKey = async (loginKey: string, remoteAddress: string) =>
      wireOf(
        await world.app.http.inject({ ...requestFor('login3ByLoginKey', { loginKey, clientType: 6 }), remoteAddress }),
      )
    await Promise.all(Array.from({ length: 100 }, (_, i) => tryKey(`guess ${i}`, '203.0.113.7')))
    const { loginKey } = await anna.call('getLoginKey2', { clientType: 6 })
    expect(await tryKey(loginKey, '203.0.113.7')).toMatchObject({ code: 'accountLocked' })
    expect(await tryKey(loginKey, '203.0.113.8')).toMatchObject({ code: 'success' })
  })
})

describe('a key that a browser keeps', () => {
  /** A user's browser, with its device key and its cookies. */
  async function remembered(world: World, account: string) {
    const cookie = cookieFrom(await tryLogin(world, { userName: account }, { headers: web }), 'cloudoc_session')
    const request = requestFor('saveLoginKey', {})
    const given = await world.app.http.inject({ ...request, headers: { ...request.headers, cookie, ...web } })
    const { authKey, expiredAt } = wireOf(given).data as { authKey: string; expiredAt: number }
    const device = cookieFrom(given, 'cloudoc_device')
    const signIn = (headers: Record<string, string> = { cookie: device }) =>
      callWith(world, 'login3ByLoginKey', { loginKey: authKey, clientType: 6 }, { ...headers, ...web })
    return { cookie, device, authKey, expiredAt, signIn, given }
  }

  // [R358] A remembered login is valid in this browser only.
  test('[R358] [R393] signs in again for 30 days, without the password and only from that browser', async () => {
    const { now, pass } = clock()
    const world = await openWorld({ now })
    await world.person('anna')
    await world.person('ben')
    const anna = await remembered(world, 'anna')
    const ben = await remembered(world, 'ben')
    expect(anna.expiredAt).toBe(now() + 30 * day)
    expect(setCookie(anna.given).find((line) => line.startsWith('cloudoc_device'))).toContain('HttpOnly')
    expect(await anna.signIn()).toMatchObject({ code: 'success', data: { accountInfo: { account: 'anna' } } })
    expect(await anna.signIn({}), 'a copied key').toMatchObject({ status: 401, code: 'notLoggedIn' })
    expect(await anna.signIn({ cookie: ben.device }), 'in another browser').toMatchObject({ code: 'notLoggedIn' })
    const { rows } = await sql<{ held: string }>`select value || encode(id_hash, 'hex') as held from once`.execute(
      world.app.db,
    )
    expect(rows.some(({ held }) => held.includes(anna.authKey))).toBe(false)
    pass(30 * day - minute)
    expect(await anna.signIn()).toMatchObject({ code: 'success' })
    pass(minute)
    expect(await anna.signIn()).toMatchObject({ code: 'notLoggedIn' })
  })

  // [R039] Signing out deletes the saved key.
  test('[R028] [R039] ends when it is given back, and the others of the browser go on', async () => {
    const anna = await world.person('anna')
    const one = await remembered(world, anna.account)
    const other = await remembered(world, anna.account)
    expect(await world.wire('forgetLoginKey', { loginKey: one.authKey })).toMatchObject({ code: 'success' })
    expect(await world.wire('forgetLoginKey', { loginKey: 'nonsense' })).toMatchObject({ code: 'success' })
    expect(await one.signIn()).toMatchObject({ code: 'notLoggedIn' })
    expect(await other.signIn()).toMatchObject({ code: 'success' })
  })

  test('ends with the password it was earned by, and opens nothing for an account that may not sign in', async () => {
    const admin = await world.admin()
    const anna = await world.person('anna')
    const before = await remembered(world, anna.account)
    const program = await world.signIn(anna.account, 9)
    await program.call('modifyPwd2', { oldPassword: password, newPassword: 'Other#2026' })
    expect(await before.signIn()).toMatchObject({ code: 'notLoggedIn' })
    const ben = await world.person('ben')
    const frozen = await remembered(world, ben.account)
    await admin.call('setAccountState', { userId: ben.userId, state: 'frozen' })
    expect(await frozen.signIn()).toMatchObject({ code: 'accountFrozen' })
  })

  test('that has ended makes no captcha due for those at the same address', async () => {
    const world = await openWorld()
    await world.person('anna')
    const anna = await remembered(world, 'anna')
    await world.wire('forgetLoginKey', { loginKey: anna.authKey })
    for (let n = 0; n < 3; n++) expect(await anna.signIn()).toMatchObject({ code: 'notLoggedIn' })
    expect(await login(world, { userName: 'anna' })).toMatchObject({ code: 'success' })
  })

  test('is given to nobody who is not signed in', async () => {
    expect(await world.wire('saveLoginKey', {})).toMatchObject({ status: 401, code: 'notLoggedIn' })
  })
})

describe('signing in encrypted', () => {
  const encrypt = (publicKey: string, content: unknown): string =>
    publicEncrypt(
      { key: createPublicKey(publicKey), padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
      Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
    ).toString('base64')

  // [R016] Signing in with encrypted credentials and a nonce that is valid once.
  test('[R016] loginInEncrypt takes RSA-OAEP-SHA256 of the credentials with a fresh nonce, once', async () => {
    const { now, pass } = clock()
    const world = await openWorld({ now })
    await world.person('anna')
    const offer = async () =>
      (await world.wire('getLoginKey2', { clientType: 6 })).data as {
        publicKey: string
        csrf_token: string
        nonce: string
      }
    const send = (csrf_token: string, body: string) => world.wire('loginInEncrypt', { csrf_token, clientType: 6, body })

    const good = await offer()
    const body = encrypt(good.publicKey, { userName: 'anna', password, nonce: good.nonce })
    expect(await send(good.csrf_token, body)).toMatchObject({
      code: 'success',
      data: { accountInfo: { account: 'anna' } },
    })
    expect(await send(good.csrf_token, body), 'a replay').toMatchObject({ status: 400, code: 'badRequest' })

    const crossed = await offer()
    const other = await offer()
    const stolen = encrypt(crossed.publicKey, { userName: 'anna', password, nonce: crossed.nonce })
    expect(await send(other.csrf_token, stolen), 'the csrf_token of another offer').toMatchObject({
      code: 'badRequest',
    })
    expect(await send(crossed.csrf_token, stolen), 'the nonce is used up by the try').toMatchObject({
      code: 'badRequest',
    })

    const late = await offer()
    pass(5 * minute)
    const tooLate = encrypt(late.publicKey, { userName: 'anna', password, nonce: late.nonce })
    expect(await send(late.csrf_token, tooLate), 'after five minutes').toMatchObject({ code: 'badRequest' })

    const wrong = await offer()
    const guess = encrypt(wrong.publicKey, { userName: 'anna', password: 'x', nonce: wrong.nonce })
    expect(await send(wrong.csrf_token, guess)).toMatchObject({ status: 200, code: 'wrongPassword' })
  })

  test('[R016] what does not decrypt to credentials is -400 and counts as nothing', async () => {
    const world = await openWorld()
    const { data } = await world.wire('getLoginKey2', { clientType: 6 })
    const { publicKey, csrf_token, nonce } = data as { publicKey: string; csrf_token: string; nonce: string }
    const bodies = [
      '',
      'no base64',
      Buffer.alloc(256).toString('base64'),
      encrypt(publicKey, 'no json'),
      encrypt(publicKey, null),
      encrypt(publicKey, { userName: 'anna' }),
      encrypt(publicKey, { userName: 'a\0b', password: 'x', nonce }),
      encrypt(publicKey, { userName: { a: 1 }, password, nonce }),
      encrypt(publicKey, { userName: 'anna', password, nonce, more: 1 }),
    ]
    for (const body of bodies) {
      const wire = await world.wire('loginInEncrypt', { csrf_token, clientType: 6, body })
      expect(wire, body.slice(0, 20)).toMatchObject({ status: 400, code: 'badRequest' })
    }
    // Only the issued key is counted.
    const counted = await world.app.db.selectFrom('throttle').select('key').execute()
    expect(counted).toEqual([{ key: 'loginKey:127.0.0.1' }])
  })
})
