// Protection against guessing: captchas, locks of accounts and addresses, and their answers and audit records.
import { captchaDueHeader } from '@cloudoc/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openWorld, password, requestFor, type World } from '../../../test/harness.ts'
import { callWith, clock, login, loginWithCaptcha, ownAccount, readCaptcha, tryLogin } from '../../../test/sign-in.ts'
import { createLog } from '../../core/log.ts'

const minute = 60_000

/** Wrong passwords from one address, each for a different account. */
async function failures(world: World, from: { readonly address: string }, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) await login(world, { userName: `${n} at ${from.address}`, password: 'x' }, from)
}

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

  test('[Captcha] the failure that makes a code due says so', async () => {
    const world = await openWorld()
    await world.person('anna')
    const due = async (typed: string) =>
      (await tryLogin(world, { userName: 'anna', password: typed }, { address: '203.0.113.9' })).headers[
        captchaDueHeader
      ]
    expect(await due('x')).toBeUndefined()
    expect(await due('x')).toBe('due')
  })

  test('[Captcha] twenty failures of an address, by whatever names, make a code due there for 15 minutes, and two do not', async () => {
    const { now, pass } = clock()
    const world = await openWorld({ now })
    await world.person('anna')
    const here = { address: '203.0.113.1' }
    await failures(world, here, 19)
    expect(await login(world, { userName: 'anna' }, here), 'a colleague').toMatchObject({ code: 'success' })
    await failures(world, here, 1)
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
    const other = await openWorld({ peer: world, now, elected: false })
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
    expect(await ownAccount(other, anna.token), 'nor is a session that stands').toMatchObject({ code: 'success' })
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

  test('an address that guesses at many accounts meets captchas, however it forges X-Forwarded-For, and no lock', async () => {
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
    for (let n = 0; n < 20; n += 1) await login(world, { userName: `u${n}`, password: 'x' }, forged(n))
    expect(await login(world, { userName: 'anna' }, forged(21))).toMatchObject({ code: 'wrongVerificationCode' })
    await sql`update throttle set failures = 1000 where key = 'address:203.0.113.1'`.execute(world.app.db)
    expect(await loginWithCaptcha(world, { userName: 'anna' }, forged(22))).toMatchObject({ code: 'success' })
    expect(await login(world, { userName: 'anna' }, { address: '198.51.100.3' })).toMatchObject({ code: 'success' })
  })

  test('behind a trusted proxy the real client counts, not the proxy and not what the client wrote', async () => {
    const world = await openWorld({ trustedProxies: ['10.0.0.0/8'] })
    await world.person('anna')
    const through = (client: string, wrote = '') => ({
      address: '10.1.2.3',
      headers: { 'x-forwarded-for': `${wrote}${client}` },
    })
    for (let n = 0; n < 20; n += 1)
      await login(world, { userName: `u${n}`, password: 'x' }, through('203.0.113.1', `192.0.2.${n}, `))
    expect(await login(world, { userName: 'anna' }, through('203.0.113.1', '192.0.2.3, '))).toMatchObject({
      code: 'wrongVerificationCode',
    })
    expect(await login(world, { userName: 'anna' }, through('203.0.113.2'))).toMatchObject({ code: 'success' })
  })

  test('all addresses of one IPv6 network count as one, and a mapped IPv4 address as itself', async () => {
    const world = await openWorld()
    await world.person('anna')
    await failures(world, { address: '2001:db8:0:7::1' }, 10)
    await failures(world, { address: '2001:db8:0:7:ffff::2' }, 10)
    expect(await login(world, { userName: 'anna' }, { address: '2001:db8:0:7::3' })).toMatchObject({
      code: 'wrongVerificationCode',
    })
    expect(await login(world, { userName: 'anna' }, { address: '2001:db8:0:8::3' })).toMatchObject({ code: 'success' })
    for (const address of ['203.0.113.1', '::ffff:203.0.113.1']) await failures(world, { address }, 10)
    expect(await login(world, { userName: 'anna' }, { address: '203.0.113.1' })).toMatchObject({
      code: 'wrongVerificationCode',
    })
  })
})

describe('what is on record and what is handed out', () => {
  test('a refused sign-in is a line of the log with its address and code, and a request one where that is on; neither has what was typed', async () => {
    const lines: string[] = []
    const log = createLog('info', { write: (line) => void lines.push(line) })
    const world = await openWorld({ log, accessLog: true, trustedProxies: ['127.0.0.1'] })
    await world.person('anna')
    lines.length = 0
    const from = { 'x-forwarded-for': '192.0.2.7' }
    await callWith(world, 'login3', { userName: 'anna', password: 'Secret#Typed1', clientType: 6 }, from)
    await callWith(world, 'login3', { userName: 'Secret#Typed1', password: 'x', clientType: 6 }, from)
    await callWith(world, 'login3ByLoginKey', { loginKey: 'Secret#Typed1', clientType: 6 }, from)
    const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    const refused = told.filter(({ msg }) => msg === 'a sign-in was refused')
    expect(refused.map(({ level, call, address, code }) => [level, call, address, code])).toEqual([
      [40, 'login3', '192.0.2.7', 'wrongPassword'],
      [40, 'login3', '192.0.2.7', 'wrongPassword'],
      [40, 'login3ByLoginKey', '192.0.2.7', 'notLoggedIn'],
    ])
    const requests = told.filter(({ msg }) => msg === 'request')
    expect(requests.map(({ method, status, address }) => [method, status, address])).toEqual([
      ['POST', 200, '192.0.2.7'],
      ['POST', 200, '192.0.2.7'],
      ['POST', 401, '192.0.2.7'],
    ])
    expect(lines.join('')).not.toContain('Secret#Typed1')
  })

  test('a failed sign-in is on record with account, address and code, never with what was typed, and no more than are answered', async () => {
    const world = await openWorld({ trustedProxies: ['127.0.0.1'] })
    const anna = await world.person('anna')
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const typed = 'Secret#Typed1'
    await callWith(world, 'login3', { userName: 'anna', password: typed, clientType: 6 }, from('192.0.2.7'))
    await callWith(world, 'login3', { userName: typed, password: 'x', clientType: 6 }, from('192.0.2.7'))
    await callWith(world, 'login3ByLoginKey', { loginKey: typed, clientType: 6 }, from('192.0.2.8'))
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
      await callWith(world, 'login3ByLoginKey', { loginKey: `${n}`, clientType: 6 }, from('192.0.2.9'))
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
