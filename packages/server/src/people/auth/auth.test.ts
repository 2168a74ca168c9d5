import { constants, createPublicKey, publicEncrypt } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { calls, PUSH_PATH } from '@cloudoc/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import {
  type Listener,
  openWorld,
  type Person,
  password,
  requestFor,
  type Wire,
  type World,
  wireOf,
} from '../../../test/harness.ts'
import {
  callWith,
  cookieFrom,
  login,
  loginWithCaptcha,
  readCaptcha,
  setCookie,
  tryLogin,
  web,
} from '../../../test/sign-in.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A clock that tests turn. */
function clock() {
  let time = Date.now()
  return { now: () => time, pass: (ms: number) => void (time += ms) }
}

async function sessionsOf(world: World, person: Person): Promise<number> {
  return (await world.app.db.selectFrom('session').select('id').where('account_id', '=', person.userId).execute())
    .length
}

const tokenOf = (wire: Wire): string => (wire.data as { accessToken: string }).accessToken
const whoAmI = (world: World, token: string) => world.wire('getMyAccountInfo', {}, token)

describe('signing in by password', () => {
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
    expect(await whoAmI(world, accessToken)).toMatchObject({ code: 'success', data: { account: 'anna' } })
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
      const before = process.cpuUsage()
      const wire = await login(world, { userName, password: `Wrong#${i}00` }, { address: `203.0.113.${i}` })
      const { user, system } = process.cpuUsage(before)
      return { work: user + system, wire }
    }
    const tries = [1, 2]
    const known = []
    const unknown = []
    for (const i of tries) {
      known.push(await measured('anna', i))
      unknown.push(await measured('nobody', i + 10))
    }
    for (const { wire } of [...known, ...unknown]) expect(wire).toEqual(known[0]?.wire)
    const least = (tried: { work: number }[]) => Math.min(...tried.map(({ work }) => work))
    // Processor time, which a busy machine does not change: without a hash to compare with it would be a small part.
    expect(least(unknown)).toBeGreaterThan(least(known) / 2)
    // From the third failure on both ask for a captcha alike.
    const third = await Promise.all(
      ['anna', 'nobody'].map((userName) => login(world, { userName, password: 'x' }, { address: '203.0.113.99' })),
    )
    expect(third.map(({ code }) => code)).toEqual(['wrongVerificationCode', 'wrongVerificationCode'])
  })

  test('of 20 sign-ins at once exactly one session of the account and client type is left', async () => {
    const world = await openWorld()
    const anna = await world.person('anna')
    const wires = await Promise.all(Array.from({ length: 20 }, () => login(world, { userName: 'anna' })))
    const tokens = wires.map((wire) => (wire.data as { accessToken: string }).accessToken)
    expect(new Set(tokens).size).toBe(20)
    expect(await sessionsOf(world, anna)).toBe(1)
    const answers = await Promise.all(tokens.map((token) => whoAmI(world, token)))
    expect(answers.filter(({ code }) => code === 'success')).toHaveLength(1)
    expect(await whoAmI(world, anna.token)).toMatchObject({ status: 401, code: 'notLoggedIn' })
  })

  test('[R034] a sign-in elsewhere ends the older session with push 5; the mobile page counts apart', async () => {
    const world = await openWorld()
    const anna = await world.person('anna')
    const live = await anna.listen()
    const mobile = await world.signIn('anna', 8)
    expect(await whoAmI(world, anna.token)).toMatchObject({ code: 'success' })
    const again = await world.signIn('anna', 6)
    expect(await live.next((frame) => frame.pushType === 5)).toMatchObject({ data: { serverId: 0 } })
    expect(await live.closed).toBe(4001)
    expect(await whoAmI(world, anna.token)).toMatchObject({ status: 401, code: 'notLoggedIn' })
    for (const { token } of [mobile, again]) expect(await whoAmI(world, token)).toMatchObject({ code: 'success' })
  })

  test('[Session] a session slides for 12 hours from its last use and ends after 30 days in any case', async () => {
    const { now, pass } = clock()
    const world = await openWorld({ now })
    const anna = await world.person('anna')
    pass(12 * hour - 1)
    expect(await whoAmI(world, anna.token)).toMatchObject({ code: 'success' })
    for (let i = 1; i < 60; i += 1) {
      pass(12 * hour - minute)
      expect(await whoAmI(world, anna.token)).toMatchObject({ code: 'success' })
    }
    pass(12 * hour - minute)
    expect(await whoAmI(world, anna.token)).toMatchObject({ status: 401, code: 'notLoggedIn' })
    const again = await world.signIn('anna')
    pass(12 * hour)
    expect(await whoAmI(world, again.token)).toMatchObject({ status: 401, code: 'notLoggedIn' })
    expect(30 * day).toBeGreaterThan(60 * (12 * hour - minute))
  })

  test('[R037] logout2 ends the session that calls it, on the next request and on its socket, and no other', async () => {
    const world = await openWorld()
    const anna = await world.person('anna')
    const mobile = await world.signIn('anna', 8)
    const live = await anna.listen()
    expect(await anna.call('logout2', {})).toEqual({})
    expect(await whoAmI(world, anna.token)).toMatchObject({ status: 401, code: 'notLoggedIn' })
    expect(await live.closed).toBe(4001)
    expect(await whoAmI(world, mobile.token)).toMatchObject({ code: 'success' })
  })
})

describe('signing in by login key', () => {
  test('[R015] a login key begins one session, once, within 60 seconds', async () => {
    const { now, pass } = clock()
    const world = await openWorld({ now })
    const anna = await world.person('anna')
    const key = async () => (await anna.call('getLoginKey2', { clientType: 6 })).loginKey
    const use = (loginKey: string) => world.wire('login3ByLoginKey', { clientType: 8, loginKey })
    const first = await key()
    const used = await use(first)
    expect(used).toMatchObject({ code: 'success', data: { accountInfo: { account: 'anna' }, serverId: 0 } })
    expect(await whoAmI(world, (used.data as { accessToken: string }).accessToken)).toMatchObject({ code: 'success' })
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
    const world = await openWorld()
    const admin = await world.admin()
    const anna = await world.person('anna')
    const thief = await world.signIn('anna', 9)
    const { loginKey } = await thief.call('getLoginKey2', { clientType: 6 })
    const { loginKey: own } = await anna.call('getLoginKey2', { clientType: 6 })
    await anna.call('modifyPwd2', { oldPassword: password, newPassword: 'Other#2026' })
    expect(await world.wire('login3ByLoginKey', { loginKey })).toMatchObject({ code: 'notLoggedIn' })
    await admin.call('setAccountState', { userId: anna.userId, state: 'frozen' })
    expect(await world.wire('login3ByLoginKey', { loginKey: own })).toMatchObject({ code: 'accountFrozen' })
  })

  test('many wrong login keys from one address lock out that address alone', async () => {
    const world = await openWorld()
    const anna = await world.person('anna')
    const tryKey = async (loginKey: string, remoteAddress: string) =>
      wireOf(await world.app.http.inject({ ...requestFor('login3ByLoginKey', { loginKey }), remoteAddress }))
    await Promise.all(Array.from({ length: 100 }, (_, i) => tryKey(`guess ${i}`, '203.0.113.7')))
    const { loginKey } = await anna.call('getLoginKey2', { clientType: 6 })
    expect(await tryKey(loginKey, '203.0.113.7')).toMatchObject({ code: 'accountLocked' })
    expect(await tryKey(loginKey, '203.0.113.8')).toMatchObject({ code: 'success' })
  })
})

describe('a key that a browser keeps', () => {
  /** Somebody's browser, with the key it was given and the cookies it holds. */
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

  test('[R028] [R039] ends when it is given back, and the others of the browser go on', async () => {
    const world = await openWorld()
    await world.person('anna')
    const one = await remembered(world, 'anna')
    const other = await remembered(world, 'anna')
    expect(await world.wire('forgetLoginKey', { loginKey: one.authKey })).toMatchObject({ code: 'success' })
    expect(await world.wire('forgetLoginKey', { loginKey: 'nonsense' })).toMatchObject({ code: 'success' })
    expect(await one.signIn()).toMatchObject({ code: 'notLoggedIn' })
    expect(await other.signIn()).toMatchObject({ code: 'success' })
  })

  test('ends with the password it was earned by, and opens nothing for an account that may not sign in', async () => {
    const world = await openWorld()
    const admin = await world.admin()
    await world.person('anna')
    const before = await remembered(world, 'anna')
    const program = await world.signIn('anna', 9)
    await program.call('modifyPwd2', { oldPassword: password, newPassword: 'Other#2026' })
    expect(await before.signIn()).toMatchObject({ code: 'notLoggedIn' })
    const ben = await world.person('ben')
    const frozen = await remembered(world, 'ben')
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
    const world = await openWorld()
    expect(await world.wire('saveLoginKey', {})).toMatchObject({ status: 401, code: 'notLoggedIn' })
  })
})

describe('signing in encrypted', () => {
  const encrypt = (publicKey: string, content: unknown): string =>
    publicEncrypt(
      { key: createPublicKey(publicKey), padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
      Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
    ).toString('base64')

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
    // The key that was handed out is all that counts.
    const counted = await world.app.db.selectFrom('throttle').select('key').execute()
    expect(counted).toEqual([{ key: 'loginKey:127.0.0.1' }])
  })
})

describe('captcha', () => {
  test('[Captcha] after two failures of an account a code is due: once, unseen, bound to its cookie', async () => {
    const { now, pass } = clock()
    const world = await openWorld({ now })
    await world.person('anna')
    for (const address of ['203.0.113.1', '203.0.113.2'])
      expect(await login(world, { userName: 'anna', password: 'x' }, { address })).toMatchObject({
        code: 'wrongPassword',
      })
    const from = { address: '203.0.113.3' }
    const due = { status: 200, result: -115, data: null }
    expect(await login(world, { userName: 'anna' }, from), 'none').toMatchObject(due)
    const captcha = await readCaptcha(world)
    expect(captcha.picture).toMatch(/^<svg[^>]*width="130" height="48"/)
    const headers = { cookie: captcha.cookie }
    expect(await login(world, { userName: 'anna', captcha: captcha.code }, from), 'without its cookie').toMatchObject(
      due,
    )
    expect(await login(world, { userName: 'anna', captcha: 'zzzz' }, { ...from, headers }), 'wrong').toMatchObject(due)
    expect(
      await login(world, { userName: 'anna', captcha: captcha.code }, { ...from, headers }),
      'used up',
    ).toMatchObject(due)
    const late = await readCaptcha(world)
    pass(5 * minute)
    expect(
      await login(world, { userName: 'anna', captcha: late.code }, { ...from, headers: { cookie: late.cookie } }),
      'late',
    ).toMatchObject(due)
    expect(await loginWithCaptcha(world, { userName: 'anna', password: 'x' }, from)).toMatchObject({
      code: 'wrongPassword',
    })
    expect(await loginWithCaptcha(world, { userName: 'anna' }, from)).toMatchObject({ code: 'success' })
    expect(await login(world, { userName: 'anna' }, from), 'a right password starts anew').toMatchObject({
      code: 'success',
    })
  })

  test('[Captcha] two failures of an address, by whatever names, make a code due there for 15 minutes', async () => {
    const { now, pass } = clock()
    const world = await openWorld({ now })
    await world.person('anna')
    const here = { address: '203.0.113.1' }
    for (const userName of ['ben', 'carl']) await login(world, { userName, password: 'x' }, here)
    expect(await login(world, { userName: 'anna' }, here)).toMatchObject({ code: 'wrongVerificationCode' })
    expect(await login(world, { userName: 'anna' }, { address: '203.0.113.2' })).toMatchObject({ code: 'success' })
    pass(15 * minute)
    expect(await login(world, { userName: 'anna' }, here)).toMatchObject({ code: 'success' })
  })
})

describe('throttling', () => {
  test('ten failures lock the account out of signing in for 15 minutes, on every process, right password or not', async () => {
    const { now, pass } = clock()
    const world = await openWorld({ now })
    const other = await openWorld({ beside: world, now, elected: false })
    const anna = await world.person('anna')
    const from = (i: number) => ({ address: `203.0.113.${i}` })
    for (let i = 1; i <= 10; i += 1) {
      const at = i % 2 === 0 ? world : other
      expect(await loginWithCaptcha(at, { userName: 'anna', password: `guess ${i}` }, from(i))).toMatchObject({
        code: 'wrongPassword',
      })
    }
    for (const at of [world, other])
      expect(await loginWithCaptcha(at, { userName: 'anna' }, from(50))).toMatchObject({ status: 200, result: -47 })
    expect(await login(world, { userName: 'admin' }, from(51)), 'others are not concerned').toMatchObject({
      code: 'success',
    })
    expect(await whoAmI(other, anna.token), 'nor is a session that stands').toMatchObject({ code: 'success' })
    pass(15 * minute)
    expect(await login(other, { userName: 'anna' }, from(50))).toMatchObject({ code: 'success' })
  })

  test('guesses sent all at once are counted one by one', async () => {
    const world = await openWorld()
    await world.person('anna')
    const wires = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        login(world, { userName: 'anna', password: `guess ${i}` }, { address: `203.0.113.${i}` }),
      ),
    )
    expect(wires.filter(({ code }) => code === 'wrongPassword')).toHaveLength(2)
    expect(wires.filter(({ code }) => code === 'wrongVerificationCode')).toHaveLength(28)
    expect(
      await loginWithCaptcha(world, { userName: 'anna' }, { address: '203.0.113.200' }),
      'a burst locks nobody out',
    ).toMatchObject({ code: 'success' })
  })

  test('guesses at the old password by modifyPwd2 count as well', async () => {
    const world = await openWorld()
    const anna = await world.person('anna')
    const guess = (oldPassword: string) => anna.refusal('modifyPwd2', { oldPassword, newPassword: 'Other#2026' })
    for (let i = 1; i <= 10; i += 1) expect(await guess(`guess ${i}`)).toBe('wrongPassword')
    expect(await guess(password)).toBe('accountLocked')
  })

  test('an address that guesses at many accounts is locked out, however it forges X-Forwarded-For', async () => {
    const world = await openWorld({ elected: false })
    await world.person('anna')
    const forged = (i: number) => ({
      address: '203.0.113.1',
      headers: {
        'x-forwarded-for': `198.51.100.${i}`,
        'x-real-ip': `198.51.100.${i}`,
        forwarded: `for=198.51.100.${i}`,
      },
    })
    await login(world, { userName: 'u1', password: 'x' }, forged(1))
    await login(world, { userName: 'u2', password: 'x' }, forged(2))
    expect(await login(world, { userName: 'anna' }, forged(3))).toMatchObject({ code: 'wrongVerificationCode' })
    await sql`update throttle set failures = 100 where key = 'address:203.0.113.1'`.execute(world.app.db)
    expect(await loginWithCaptcha(world, { userName: 'anna' }, forged(4))).toMatchObject({ code: 'accountLocked' })
    expect(await login(world, { userName: 'anna' }, { address: '198.51.100.3' })).toMatchObject({ code: 'success' })
  })

  test('behind a trusted proxy the real client counts, not the proxy and not what the client wrote', async () => {
    const world = await openWorld({ trustedProxies: ['10.0.0.0/8'] })
    await world.person('anna')
    const through = (client: string, wrote = '') => ({
      address: '10.1.2.3',
      headers: { 'x-forwarded-for': `${wrote}${client}` },
    })
    await login(world, { userName: 'u1', password: 'x' }, through('203.0.113.1', '192.0.2.1, '))
    await login(world, { userName: 'u2', password: 'x' }, through('203.0.113.1', '192.0.2.2, '))
    expect(await login(world, { userName: 'anna' }, through('203.0.113.1', '192.0.2.3, '))).toMatchObject({
      code: 'wrongVerificationCode',
    })
    expect(await login(world, { userName: 'anna' }, through('203.0.113.2'))).toMatchObject({ code: 'success' })
  })

  test('all addresses of one IPv6 network count as one, and a mapped IPv4 address as itself', async () => {
    const world = await openWorld()
    await world.person('anna')
    await login(world, { userName: 'u1', password: 'x' }, { address: '2001:db8:0:7::1' })
    await login(world, { userName: 'u2', password: 'x' }, { address: '2001:db8:0:7:ffff::2' })
    expect(await login(world, { userName: 'anna' }, { address: '2001:db8:0:7::3' })).toMatchObject({
      code: 'wrongVerificationCode',
    })
    expect(await login(world, { userName: 'anna' }, { address: '2001:db8:0:8::3' })).toMatchObject({ code: 'success' })
    for (const address of ['203.0.113.1', '::ffff:203.0.113.1'])
      await login(world, { userName: 'u3', password: 'x' }, { address })
    expect(await login(world, { userName: 'anna' }, { address: '203.0.113.1' })).toMatchObject({
      code: 'wrongVerificationCode',
    })
  })
})

describe('changing the password', () => {
  test('[R026] every rule is checked by the server, each with its own code', async () => {
    const world = await openWorld()
    const admin = await world.admin()
    await admin.call('createAccount', { account: 'Anna@26', accountName: '安娜', password, groupId: 0 })
    const anna = await world.signIn('Anna@26')
    const refusal = (newPassword: string, more: object = {}) =>
      anna.refusal('modifyPwd2', { oldPassword: password, newPassword, ...more })
    expect(await refusal('')).toBe('passwordRequirements')
    expect(await refusal('Ab#4567')).toBe('passwordRequirements')
    for (const short of ['ab#45678', 'AB#45678', 'Abc45678', 'Abcdefg#'])
      expect(await refusal(short)).toBe('passwordRequirements')
    expect(await refusal(password)).toBe('sameAsOld')
    expect(await refusal('anna@26')).toBe('sameAsAccount')
    expect(await refusal('Other#2026', { confirmPassword: 'Other#2027' })).toBe('confirmDiffers')
    expect(await anna.refusal('modifyPwd2', { oldPassword: 'Wrong#2026', newPassword: 'Other#2026' })).toBe(
      'wrongPassword',
    )
    expect(await login(world, { userName: 'anna@26' })).toMatchObject({ code: 'success' })
  })

  test('[R026] the old password ends with its other sessions and their sockets; the session that changed it goes on', async () => {
    const world = await openWorld()
    const anna = await world.person('anna')
    const mobile = await world.signIn('anna', 8)
    const live = await mobile.listen()
    await anna.call('modifyPwd2', { oldPassword: password, newPassword: 'Other#2026', confirmPassword: 'Other#2026' })
    expect(await whoAmI(world, mobile.token)).toMatchObject({ status: 401, code: 'notLoggedIn' })
    expect(await live.closed).toBe(4001)
    expect(await whoAmI(world, anna.token)).toMatchObject({ code: 'success' })
    expect(await login(world, { userName: 'anna' })).toMatchObject({ code: 'wrongPassword' })
    expect(await login(world, { userName: 'anna', password: 'Other#2026' })).toMatchObject({ code: 'success' })
  })

  test('a sign-in that compares the old password while it is changed does not outlive the change', async () => {
    const held = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    let armed = false
    const world = await openWorld({
      pause: async (point) => {
        if (!armed || point !== 'commit modifyPwd2') return
        reached.resolve()
        await held.promise
      },
    })
    const anna = await world.person('anna')
    armed = true
    const change = anna.call('modifyPwd2', { oldPassword: password, newPassword: 'Other#2026' })
    await reached.promise
    const entering = login(world, { userName: 'anna', clientType: 9 })
    // The sign-in has compared the old password and waits for the account's row.
    await expect
      .poll(async () => {
        const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`.execute(world.app.db)
        return rows[0]?.waiting
      })
      .toBe(1)
    held.resolve()
    await change
    expect(await entering).toMatchObject({ code: 'wrongPassword' })
    expect(await sessionsOf(world, anna)).toBe(1)
  })

  test('[R047] who must change the password may do that, read about it and sign out, and nothing else', async () => {
    const world = await openWorld()
    const anna = await world.person('anna')
    await sql`update account set must_change_password = true where id = ${anna.userId}`.execute(world.app.db)
    expect(await anna.call('getMyAccountInfo', {})).toMatchObject({ mustChangePassword: true })
    expect(await anna.call('getSafeStrategyInfo', {})).toMatchObject({ pwdLength: 8 })
    expect(await anna.wire('getSubItemList3', { folderId: anna.library })).toMatchObject({ status: 200, result: -80 })
    expect(await anna.refusal('getLoginKey2', { clientType: 6 })).toBe('passwordChangeRequired')
    await anna.call('modifyPwd2', { oldPassword: password, newPassword: 'Other#2026' })
    expect(await anna.names(anna.library)).toEqual([])
    expect(await anna.call('getMyAccountInfo', {})).toMatchObject({ mustChangePassword: false })
  })

  test('[R047] a password that the administrator gave has to be changed first: a reset always, a first one where asked', async () => {
    const world = await openWorld()
    const admin = await world.admin()
    const anna = await world.person('anna')
    const live = await anna.listen()
    const fresh = 'Fresh#2026'
    const resetTo = (input: object) => admin.wire('resetPassword', { userId: anna.userId, password: fresh, ...input })
    expect(await resetTo({ password: 'weak' })).toMatchObject({ code: 'passwordRequirements' })
    expect(await resetTo({ userId: 4711 })).toMatchObject({ code: 'notFound' })
    expect(await resetTo({ userId: admin.userId })).toMatchObject({ code: 'ownAccount' })
    expect(await whoAmI(world, anna.token)).toMatchObject({ code: 'success' })
    expect(await resetTo({})).toMatchObject({ code: 'success' })
    expect(await live.closed).toBe(4001)
    expect(await whoAmI(world, anna.token)).toMatchObject({ code: 'notLoggedIn' })
    expect(await login(world, { userName: 'anna' })).toMatchObject({ code: 'wrongPassword' })
    const token = tokenOf(await login(world, { userName: 'anna', password: fresh }))
    expect(await world.wire('getSubItemList3', { folderId: anna.library }, token)).toMatchObject({ result: -80 })
    const change = { oldPassword: fresh, newPassword: 'Own#20261' }
    expect(await world.wire('modifyPwd2', change, token)).toMatchObject({ code: 'success' })
    expect(await world.wire('getSubItemList3', { folderId: anna.library }, token)).toMatchObject({ code: 'success' })

    const account = { accountName: 'c', password, groupId: 0 }
    await admin.call('createAccount', { ...account, account: 'carl', mustChangePassword: true })
    const carl = tokenOf(await login(world, { userName: 'carl' }))
    expect(await world.wire('getRootFolderSetting', {}, carl)).toMatchObject({ result: -80 })
    const { rows } = await sql<{ detail: object }>`select detail from audit where call = 'resetPassword'`.execute(
      world.app.db,
    )
    expect(rows).toEqual([{ detail: { userId: anna.userId } }])
  })
})

describe('what is on record and what is handed out', () => {
  test('a failed sign-in is on record with account, address and code, never with what was typed, and no more than are answered', async () => {
    const world = await openWorld({ trustedProxies: ['127.0.0.1'] })
    const anna = await world.person('anna')
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const typed = 'Secret#Typed1'
    await callWith(world, 'login3', { userName: 'anna', password: typed }, from('192.0.2.7'))
    await callWith(world, 'login3', { userName: typed, password: 'x' }, from('192.0.2.7'))
    await callWith(world, 'login3ByLoginKey', { loginKey: typed }, from('192.0.2.8'))
    await anna.wire('modifyPwd2', { oldPassword: typed, newPassword: 'Other#2026' })
    const failures = async () =>
      (
        await sql<{ call: string; account_id: number | null; address: string; detail: object }>`
          select call, account_id, address, detail from audit where detail ? 'refused' order by id`.execute(
          world.app.db,
        )
      ).rows
    expect(await failures()).toEqual([
      { call: 'login3', account_id: anna.userId, address: '192.0.2.7', detail: { refused: 'wrongPassword' } },
      { call: 'login3', account_id: null, address: '192.0.2.7', detail: { refused: 'wrongPassword' } },
      { call: 'login3ByLoginKey', account_id: null, address: '192.0.2.8', detail: { refused: 'notLoggedIn' } },
      { call: 'modifyPwd2', account_id: anna.userId, address: '127.0.0.1', detail: { refused: 'wrongPassword' } },
    ])
    for (let n = 0; n < 150; n += 1) {
      await callWith(world, 'login3ByLoginKey', { loginKey: `${n}` }, from('192.0.2.9'))
    }
    expect((await failures()).filter(({ address }) => address === '192.0.2.9')).toHaveLength(100)
  })

  test('[R013] [R015] captchas and login keys are handed out so often a minute to one address, and to others all the same', async () => {
    let now = Date.now()
    const world = await openWorld({ now: () => now, trustedProxies: ['127.0.0.1'], elected: false })
    const ask = async (name: 'getCaptcha' | 'getLoginKey2', address: string): Promise<boolean> => {
      const input = name === 'getCaptcha' ? { width: 130, height: 48 } : { clientType: 6 }
      const request = requestFor(name, input)
      const response = await world.app.http.inject({
        ...request,
        headers: { ...request.headers, 'x-forwarded-for': address },
      })
      if (name === 'getCaptcha' && response.headers['content-type'] === 'image/svg+xml') return true
      const { result } = response.json<{ result: number }>()
      expect([-1, -42]).toContain(result)
      return result === -1
    }
    for (const [name, most] of [
      ['getCaptcha', 120],
      ['getLoginKey2', 600],
    ] as const) {
      for (let n = 0; n < most; n += 1) expect(await ask(name, '192.0.2.1')).toBe(true)
      expect(await ask(name, '192.0.2.1')).toBe(false)
      expect(await ask(name, '192.0.2.2')).toBe(true)
    }
    const before = await sql<{ n: number }>`select count(*) as n from once`.execute(world.app.db)
    expect(await ask('getLoginKey2', '192.0.2.1')).toBe(false)
    expect((await sql<{ n: number }>`select count(*) as n from once`.execute(world.app.db)).rows).toEqual(before.rows)
    now += 60_000
    expect(await ask('getCaptcha', '192.0.2.1')).toBe(true)
    expect(await ask('getLoginKey2', '192.0.2.1')).toBe(true)
  })
})

describe('revocation', () => {
  const states = { locked: -47, frozen: -141, restricted: -66, disabled: -141 } as const

  test.each(Object.entries(states))(
    '[R047] a person whose account is %s is out on the next request, with %i to the right password only',
    async (state, result) => {
      const world = await openWorld()
      const admin = await world.admin()
      const anna = await world.person('anna')
      const live = await anna.listen()
      await admin.call('setAccountState', { userId: anna.userId, state: state as keyof typeof states })
      expect(await whoAmI(world, anna.token)).toMatchObject({ status: 401, code: 'notLoggedIn' })
      expect(await live.closed).toBe(4001)
      expect(await login(world, { userName: 'anna' })).toMatchObject({ status: 200, result, data: null })
      expect(await login(world, { userName: 'anna', password: 'x' })).toMatchObject({ code: 'wrongPassword' })
      await admin.call('setAccountState', { userId: anna.userId, state: 'normal' })
      expect(await login(world, { userName: 'anna' })).toMatchObject({ code: 'success' })
    },
  )

  test('a process that hears nothing from the others refuses a revoked session on the next request and closes its socket', async () => {
    const world = await openWorld()
    const deaf = await openWorld({ beside: world, deaf: true, elected: false })
    const admin = await world.admin()
    const anna = await deaf.signIn('anna').catch(async () => {
      await world.person('anna')
      return deaf.signIn('anna')
    })
    const live: Listener = await anna.listen()
    expect(await whoAmI(deaf, anna.token)).toMatchObject({ code: 'success' })
    await admin.call('setAccountState', { userId: anna.userId, state: 'frozen' })
    expect(await whoAmI(deaf, anna.token)).toMatchObject({ status: 401, code: 'notLoggedIn' })
    expect(await deaf.wire('getSubItemList3', { folderId: anna.library }, anna.token)).toMatchObject({ status: 401 })
    expect(await live.closed).toBe(4001)
  })

  test('an upload that began before the account was frozen is not taken when it ends', async () => {
    const world = await openWorld()
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
    const world = await openWorld()
    await world.person('anna')
    const response = await tryLogin(world, { userName: 'anna' }, { headers: web })
    expect(wireOf(response)).toMatchObject({ code: 'success', data: { accessToken: '' } })
    const [line = ''] = setCookie(response)
    const attributes = line.split('; ').slice(1)
    expect(attributes).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Strict', 'Path=/']))
    expect(attributes).not.toContain('Secure')
    expect(setCookie(response)[1], 'tells the scripts whose session it is').toMatch(/^cloudoc_account=\d+; Path=\/; /)
    expect(setCookie(response)[1]).not.toContain('HttpOnly')
    const cookie = cookieFrom(response, 'cloudoc_session')
    expect(await callWith(world, 'getMyAccountInfo', {}, { cookie, ...web })).toMatchObject({
      data: { account: 'anna' },
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
    expect(setCookie(await tryLogin(world, { userName: 'anna' }))).toEqual([])
  })

  test('[R034] a page that shows one person acts for nobody in a browser where another has signed in', async () => {
    const world = await openWorld()
    const [anna, ben] = [await world.person('anna'), await world.person('ben')]
    const cookie = cookieFrom(await tryLogin(world, { userName: 'ben' }, { headers: web }), 'cloudoc_session')
    const showing = (shown: string) => ({ cookie, ...web, 'x-cloudoc-account': shown })
    const infoShowing = (shown: string) => callWith(world, 'getMyAccountInfo', {}, showing(shown))
    expect(await infoShowing(String(ben.userId))).toMatchObject({ data: { account: 'ben' } })
    for (const shown of [String(anna.userId), '', 'ben'])
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

  test('[R032] a program gets its own token back, the scripts of a page never get the cookie’s', async () => {
    const world = await openWorld()
    const anna = await world.person('anna')
    expect(await anna.call('getUserAccessTokenByServerId', { serverId: 0 })).toBe(anna.token)
    expect(await anna.refusal('getUserAccessTokenByServerId', { serverId: 3 })).toBe('interconnectedServerMissing')
    const cookie = cookieFrom(await tryLogin(world, { userName: 'anna' }, { headers: web }), 'cloudoc_session')
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
    const world = await openWorld()
    await world.person('anna')
    const port = await world.port()
    const cookie = cookieFrom(await tryLogin(world, { userName: 'anna' }, { headers: web }), 'cloudoc_session')
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
    expect(await firstFrame(`http://127.0.0.1:${port}`)).toBe(18)
    for (const origin of [undefined, 'http://evil.example', `http://127.0.0.1:${port + 1}`, 'null'])
      expect(await firstFrame(origin), origin).toBe(19)
  })
})

describe('after signing in', () => {
  test('[R031] [R032] [R046] the calls of the login order answer about the caller', async () => {
    const world = await openWorld()
    const { groupId } = await world.group('研发部')
    const anna = await world.person('anna', { groupId, secretLevel: 3 })
    const info = { userId: anna.userId, account: 'anna', groupId, groupName: '研发部', secretLevel: 3, isAdmin: false }
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
    expect(await anna.call('getUserPermissionInfo', {})).toEqual({ isAdmin: false, isGuest: false, secretLevel: 3 })
    expect(await anna.call('getModuleSetting', {})).toMatchObject({
      modules: expect.arrayContaining(['files']) as string[],
    })
    const { list } = await anna.call('getRootFolderSetting', {})
    expect(list.map(({ fName, kind }) => [fName, kind])).toEqual(
      expect.arrayContaining([
        ['研发部', 'department'],
        ['anna', 'personal'],
      ]),
    )
    await anna.upload(anna.library, 'a.txt', '12345')
    expect(await anna.call('getUseSpaceSizeInfo', {})).toMatchObject({ used: 5, total: 0 })
    const { jwt } = await anna.call('getUserJwt', {})
    const claims = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as object
    expect(claims).toMatchObject({ sub: String(anna.userId), account: 'anna' })
  })

  test('[R002] [R401] messages come in the language that is asked for, Chinese where none is', async () => {
    const world = await openWorld()
    const message = async (headers: Record<string, string>) =>
      (await callWith(world, 'getMyAccountInfo', {}, headers)).msg
    expect(await message({})).toBe('未登录')
    expect(await message({ 'accept-language': 'en-GB,en;q=0.9' })).toBe('not logged in')
    expect(await message({ 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' })).toBe('未登录')
    expect(await message({ 'accept-language': 'en', cookie: 'locale=zh' })).toBe('未登录')
    expect(await message({ 'accept-language': 'zh', cookie: 'a=b; locale=en' })).toBe('not logged in')
  })
})
