// The further ways to sign in, each with the attacks that it refuses.
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import type { CallName } from '@cloudoc/contract'
import type { LightMyRequestResponse } from 'fastify'
import { SignJWT, UnsecuredJWT } from 'jose'
import { sql } from 'kysely'
import { generateSync } from 'otplib'
import { beforeEach, describe, expect, test } from 'vitest'
import { openWorld, type Person, requestFor, type Wire, type World, wireOf } from '../../../test/harness.ts'
import { clock, cookieFrom, ownAccount, readCaptcha, tokenOf, web } from '../../../test/sign-in.ts'
import { openSms } from '../../core/sms/index.ts'

const byText = (a: unknown, b: unknown): number => String(a).localeCompare(String(b))

let world: World
let admin: Person
let time: ReturnType<typeof clock>

beforeEach(async () => {
  time = clock()
  world = await openWorld({ now: time.now, elected: false })
  admin = await world.admin()
})

const set = (settings: Record<string, unknown>) => admin.call('setSafeStrategy', settings)
const gateway = () =>
  admin.call('setServerSetting', { sms_url: 'https://sms.huaxin.example/send?to={phone}&code={code}' })

/** The last message that waits for the gateway. */
async function lastMessage(): Promise<{ phone: string; code: string } | undefined> {
  const { rows } = await sql<{ input: Parameters<typeof openSms>[1] }>`
    select input from job where kind = 'sms' order by id desc limit 1`.execute(world.app.db)
  return rows[0] && openSms(world.app.services.secrets, rows[0].input)
}

async function personWithPhone(name = 'anna', phone = '13800000021'): Promise<Person> {
  const person = await world.person(name)
  await person.call('modifyUserInfo', { phone })
  return person
}

const wrongCode = (code: string): string => (code === '111111' ? '222222' : '111111')

describe('a code by short message', () => {
  const ask = async (userName: string) => world.wire('getLoginSmsCaptcha', { userName })
  const keyOf = (wire: Wire): string => (wire.data as { smsKey: string }).smsKey

  // [R017] A code by short message signs in once and expires; wrong codes (-115), messages too often (-42) and mistyped
  // numbers (-43) are refused.
  test('[R017] it signs in once, within ten minutes, and a wrong one does not', async () => {
    await gateway()
    const anna = await personWithPhone()
    const smsKey = keyOf(await ask('anna'))
    const { phone, code = '' } = (await lastMessage()) ?? {}
    expect(phone).toBe('13800000021')
    expect(code).toMatch(/^\d{6}$/)
    const enter = (captcha: string, key = smsKey) =>
      world.wire('loginBySmsCaptcha', { smsKey: key, captcha, clientType: 9 })
    expect(await enter(wrongCode(code))).toMatchObject({ code: 'wrongVerificationCode' })
    const [first, second] = await Promise.all([enter(code), enter(code)])
    expect([first.code, second.code].sort(byText)).toEqual(['success', 'wrongVerificationCode'])
    const signedIn = first.code === 'success' ? first : second
    expect(await ownAccount(world, tokenOf(signedIn))).toMatchObject({ data: { userId: anna.userId } })
    time.pass(61_000)
    const late = keyOf(await ask('anna'))
    const { code: lateCode = '' } = (await lastMessage()) ?? {}
    time.pass(11 * 60_000)
    expect(await enter(lateCode, late)).toMatchObject({ code: 'wrongVerificationCode' })
  })

  test('[R017] messages are few, mistyped numbers are refused, and nobody learns who has a phone', async () => {
    await gateway()
    await personWithPhone()
    await world.person('ben')
    expect(await ask('anna')).toMatchObject({ code: 'success' })
    expect(await ask('ANNA ')).toMatchObject({ code: 'sendingTooOften' })
    expect(await ask('138 0000 0021 138 0000 0021')).toMatchObject({ code: 'invalidMobileNumber' })
    for (const userName of ['ben', 'nobody']) {
      const answer = await ask(userName)
      expect(Object.keys(answer.data as object)).toEqual(['smsKey', 'expiresAt'])
      expect(await world.wire('loginBySmsCaptcha', { smsKey: keyOf(answer), captcha: '000000' })).toMatchObject({
        code: 'wrongVerificationCode',
      })
    }
    const { rows } = await sql`select 1 from job where kind = 'sms'`.execute(world.app.db)
    expect(rows).toHaveLength(1)
  })

  test('it is not guessed: after five tries even the right one is refused', async () => {
    await gateway()
    await personWithPhone()
    const smsKey = keyOf(await ask('anna'))
    const { code = '' } = (await lastMessage()) ?? {}
    const guesses = Array.from({ length: 12 }, (_, n) =>
      world.wire('loginBySmsCaptcha', { smsKey, captcha: String(n).padStart(6, '9') }),
    )
    await Promise.all(guesses)
    expect((await world.wire('loginBySmsCaptcha', { smsKey, captcha: code })).code).not.toBe('success')
  })

  test('it does not stand for the second factor', async () => {
    await gateway()
    const anna = await personWithPhone()
    const { secret } = await anna.call('beginSecondFactor', {})
    const factor = () => generateSync({ secret, epoch: time.now() / 1000 })
    await anna.call('confirmSecondFactor', { factorCode: factor() })
    time.pass(60_000)
    const smsKey = keyOf(await ask('anna'))
    const { code = '' } = (await lastMessage()) ?? {}
    expect(await world.wire('loginBySmsCaptcha', { smsKey, captcha: code })).toMatchObject({ code: 'secondFactorDue' })
    expect(await world.wire('loginBySmsCaptcha', { smsKey, captcha: code, factorCode: factor() })).toMatchObject({
      code: 'success',
    })
  })

  test('without a gateway, or switched off, there is none', async () => {
    expect(await ask('anna')).toMatchObject({ code: 'smsNotSetUp' })
    await gateway()
    await set({ login_by_sms: false })
    expect(await ask('anna')).toMatchObject({ code: 'smsNotSetUp' })
    expect(await world.wire('getSignInWays', {})).toMatchObject({ data: { sms: false, qr: true, trial: false } })
  })
})

describe('a QR code', () => {
  /** A browser on the login page. */
  const page = async (clientType = 1) => {
    const inject = (name: CallName, input: object, cookie = ''): Promise<LightMyRequestResponse> => {
      const request = requestFor(name, input as never)
      return world.app.http.inject({ ...request, headers: { ...request.headers, ...web, ...(cookie && { cookie }) } })
    }
    const made = await inject('applyCode', { clientType })
    const cookie = cookieFrom(made, 'cloudoc_device')
    const { code, shortCode } = wireOf(made).data as { code: string; shortCode: string }
    const state = async (as = cookie): Promise<Wire> => wireOf(await inject('getQrCodeState', { code }, as))
    return { code, shortCode, state, inject }
  }

  // [R018] A QR code is applied for and polled; scanned (-71), handled (-70), expired or unknown (-72) and refused (-73)
  // codes answer so, and a confirmed one signs the page in.
  test('[R018] [R391] it is scanned, confirmed, and signs in the page that showed it, once', async () => {
    const anna = await world.person('anna')
    const { code, state } = await page()
    expect(await state()).toMatchObject({ data: { state: 'waiting' } })
    expect(await anna.call('scanQrCode', { code })).toMatchObject({ address: '127.0.0.1' })
    expect(await state()).toMatchObject({ code: 'qrScanned' })
    await anna.call('answerQrCode', { code, allow: true })
    const [first, second] = await Promise.all([state(), state()])
    expect([first.code, second.code].sort(byText)).toEqual(['qrHandled', 'success'])
    expect(first.code === 'success' ? first.data : second.data).toMatchObject({
      state: 'confirmed',
      signedIn: { accountInfo: { userId: anna.userId }, accessToken: '' },
    })
    expect(await state()).toMatchObject({ code: 'qrHandled' })
    const ben = await world.person('ben')
    expect(await ben.refusal('scanQrCode', { code })).toBe('qrHandled')
  })

  test('[R018] refused, expired and unknown ones are told apart', async () => {
    const anna = await world.person('anna')
    const refused = await page()
    await anna.call('scanQrCode', { code: refused.code })
    await anna.call('answerQrCode', { code: refused.code, allow: false })
    expect(await refused.state()).toMatchObject({ code: 'qrRefused' })
    const late = await page()
    time.pass(3 * 60_000 + 1)
    expect(await late.state()).toMatchObject({ code: 'qrInvalid' })
    expect(await anna.refusal('scanQrCode', { code: late.code })).toBe('qrInvalid')
    expect(await world.wire('getQrCodeState', { code: 'guessed' })).toMatchObject({ code: 'qrInvalid' })
  })

  test('another browser that saw it gets nothing, and another device cannot answer for the one that scanned', async () => {
    const anna = await world.person('anna')
    const ben = await world.person('ben')
    const { code, state } = await page()
    await anna.call('scanQrCode', { code })
    expect(await ben.refusal('scanQrCode', { code })).toBe('qrHandled')
    expect(await ben.refusal('answerQrCode', { code, allow: true })).toBe('qrInvalid')
    await anna.call('answerQrCode', { code, allow: true })
    const other = await page()
    const stranger = cookieFrom(await other.inject('applyCode', { clientType: 1 }), 'cloudoc_device')
    expect(await state(stranger)).toMatchObject({ code: 'qrInvalid' })
    expect(await state()).toMatchObject({ code: 'success' })
  })

  test('a page on the home screen gets its session from another browser by its short code, within a minute, once', async () => {
    const anna = await world.person('anna')
    const app = await page(8)
    const { code, shortCode } = app
    expect(shortCode).toMatch(/^\d{6}$/)
    expect((await page()).shortCode).toBe('')
    expect(await anna.call('scanQrCode', { code })).toMatchObject({ asksCode: true })
    // Whoever has the address alone.
    expect(await anna.refusal('answerQrCode', { code, allow: true })).toBe('wrongVerificationCode')
    const wrong = shortCode === '000000' ? '111111' : '000000'
    expect(await anna.refusal('answerQrCode', { code, allow: true, shortCode: wrong })).toBe('wrongVerificationCode')
    expect(await app.state()).toMatchObject({ code: 'qrScanned' })
    await anna.call('answerQrCode', { code, allow: true, shortCode: `${shortCode.slice(0, 3)} ${shortCode.slice(3)}` })
    const other = await page(8)
    const stranger = cookieFrom(await other.inject('applyCode', { clientType: 8 }), 'cloudoc_device')
    expect(await app.state(stranger)).toMatchObject({ code: 'qrInvalid' })
    expect(await app.state()).toMatchObject({
      data: { state: 'confirmed', signedIn: { accountInfo: { userId: anna.userId } } },
    })
    expect(await app.state()).toMatchObject({ code: 'qrHandled' })

    await anna.call('scanQrCode', { code: other.code })
    await anna.call('answerQrCode', { code: other.code, allow: true, shortCode: other.shortCode })
    time.pass(60_001)
    expect(await other.state()).toMatchObject({ code: 'qrInvalid' })
  })

  test('a short code cannot be guessed', async () => {
    const anna = await world.person('anna')
    const { code, shortCode } = await page(8)
    await anna.call('scanQrCode', { code })
    const guesses = Array.from({ length: 8 }, (_, n) => String(n).repeat(6)).filter((guess) => guess !== shortCode)
    const answers: (string | undefined)[] = []
    for (const guess of guesses)
      answers.push(await anna.refusal('answerQrCode', { code, allow: true, shortCode: guess }))
    expect(answers.filter((answer) => answer === 'wrongVerificationCode').length).toBeLessThanOrEqual(5)
    expect(answers.at(-1)).toBe('sendingTooOften')
    expect(await anna.refusal('answerQrCode', { code, allow: true, shortCode })).toBe('sendingTooOften')
  })

  test('codes are too long to be guessed, and a near miss is as wrong as any', async () => {
    const { code, inject } = await page()
    expect(Buffer.from(code, 'base64url')).toHaveLength(24)
    const codes = new Set<string | undefined>()
    for (let n = 0; n < 50; n += 1)
      codes.add(wireOf(await inject('getQrCodeState', { code: `${code.slice(0, -3)}${n + 100}` })).code)
    expect([...codes]).toEqual(['qrInvalid'])
  })

  test('it signs nobody in once the session that confirmed has ended, nor before it was scanned', async () => {
    const anna = await world.person('anna')
    const { code, state } = await page()
    expect(await anna.refusal('answerQrCode', { code, allow: true })).toBe('qrInvalid')
    await anna.call('scanQrCode', { code })
    await anna.call('answerQrCode', { code, allow: true })
    await anna.call('logout2', {})
    expect(await state()).toMatchObject({ code: 'qrInvalid' })
  })
})

describe('an external token', () => {
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = key.publicKey.export({ type: 'spki', format: 'pem' })
  const seconds = () => Math.floor(time.now() / 1000)
  const sign = (more: Record<string, unknown> = {}, by: KeyObject = key.privateKey) =>
    new SignJWT({ sub: 'anna', aud: 'cloudoc', iat: seconds(), exp: seconds() + 300, jti: randomUUID(), ...more })
      .setProtectedHeader({ alg: 'ES256' })
      .sign(by)
  const enter = (token: string, account = 'anna') =>
    world.wire('onlineTokenAuthenticate', { account, token, clientType: 9 })

  // [R020] A token of a system that the company trusts signs in: signed by the registered key, for this server, of at
  // most five minutes, once.
  test('[R020] it signs in once, and unsigned, foreign, late and replayed ones do not', async () => {
    const anna = await world.person('anna')
    await world.person('ben')
    expect(await enter(await sign())).toMatchObject({ code: 'signInRejected' })
    await admin.call('setTokenKey', { publicKey: pem })
    const token = await sign()
    expect(await enter(token)).toMatchObject({ code: 'success', data: { accountInfo: { userId: anna.userId } } })
    expect(await enter(token)).toMatchObject({ code: 'signInRejected' })
    const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    const refused = [
      await sign({}, foreign),
      new UnsecuredJWT({ sub: 'anna', aud: 'cloudoc', iat: seconds(), exp: seconds() + 60, jti: 'x' }).encode(),
      await sign({ aud: 'another' }),
      await sign({ exp: seconds() + 3600 }),
      await sign({ iat: seconds() - 400, exp: seconds() - 100 }),
      await sign({ iat: seconds() + 200, exp: seconds() + 400 }),
      await sign({ jti: undefined }),
      await sign({ sub: 'ben' }),
      await sign({ sub: 'nobody' }),
      // The public key used as the secret of a symmetric algorithm.
      await new SignJWT({ sub: 'anna', aud: 'cloudoc', iat: seconds(), exp: seconds() + 60, jti: 'y' })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode(pem.trim())),
      'x',
    ]
    for (const each of refused) expect(await enter(each)).toMatchObject({ code: 'signInRejected' })
    expect(await enter(await sign({ sub: 'admin' }), 'admin')).toMatchObject({ code: 'signInRejected' })
    expect(await enter(await sign({ sub: 'ben' }), 'ben')).toMatchObject({ code: 'success' })
  })

  test('[R020] of two uses at once one signs in', async () => {
    await world.person('anna')
    await admin.call('setTokenKey', { publicKey: pem, audience: 'https://cloudoc.huaxin.example' })
    const token = await sign({ aud: 'https://cloudoc.huaxin.example' })
    const codes = (await Promise.all([enter(token), enter(token), enter(token)])).map(({ code }) => code)
    expect(codes.sort(byText)).toEqual(['signInRejected', 'signInRejected', 'success'])
    expect(await admin.refusal('setTokenKey', { publicKey: 'secret' })).toBe('badRequest')
  })
})

describe('a trial account', () => {
  const ask = async (phone: string, more: { captcha?: string } = {}): Promise<Wire> => {
    const { code, cookie } = await readCaptcha(world)
    const request = requestFor('getPhoneCode', { phone, captcha: code, ...more })
    return wireOf(await world.app.http.inject({ ...request, headers: { ...request.headers, cookie } }))
  }

  // [R023] A phone number and its code create a trial account and sign in; wrong codes (-115), codes too often (-42) and
  // invalid numbers (-43) are refused.
  test('[R023] a phone number and its code create it and sign in; everything wrong is refused', async () => {
    await gateway()
    expect(await ask('13800000021')).toMatchObject({ code: 'noPermission' })
    await set({ trial_accounts: true, trial_days: 30 })
    expect(await ask('13800000021', { captcha: 'wrong' })).toMatchObject({ code: 'wrongVerificationCode' })
    expect(await ask('123')).toMatchObject({ code: 'invalidMobileNumber' })
    const asked = await ask('13800000021')
    expect(await ask('13800000021')).toMatchObject({ code: 'sendingTooOften' })
    const { smsKey } = asked.data as { smsKey: string }
    const { code = '' } = (await lastMessage()) ?? {}
    const create = (captcha: string) => world.wire('createTrialUser', { smsKey, captcha, clientType: 9 })
    expect(await create(wrongCode(code))).toMatchObject({ code: 'wrongVerificationCode' })
    const both = await Promise.all([create(code), create(code)])
    expect(both.map((wire) => wire.code).sort(byText)).toEqual(['success', 'wrongVerificationCode'])
    const made = both.find((wire) => wire.code === 'success')
    expect(made?.data).toMatchObject({
      accountInfo: { account: 'trial-1' },
      expireTime: time.now() + 30 * 24 * 60 * 60_000,
    })
    const row = await world.app.db
      .selectFrom('account')
      .select(['quota', 'phone'])
      .where('account', '=', 'trial-1')
      .executeTakeFirst()
    expect(row).toEqual({ quota: 5 * 1024 ** 3, phone: '13800000021' })
    time.pass(61_000)
    const again = (await ask('13800000021')).data as { smsKey: string }
    const next = (await lastMessage())?.code ?? ''
    expect(await world.wire('createTrialUser', { smsKey: again.smsKey, captcha: next })).toMatchObject({
      code: 'alreadyExists',
    })
  })

  test('its space and its role are those of the settings', async () => {
    await gateway()
    const { roleId } = await admin.call('createRole', { roleName: '试用者' })
    const made = async (phone: string) => {
      const { smsKey } = (await ask(phone)).data as { smsKey: string }
      const { code = '' } = (await lastMessage()) ?? {}
      const { data } = await world.wire('createTrialUser', { smsKey, captcha: code, clientType: 9 })
      const { accountInfo } = data as { accountInfo: { userId: number } }
      const { rows } = await sql<{ quota: number | null; roles: number[] }>`
        select quota, array(select role_id from role_account where account_id = id) as roles
        from account where id = ${accountInfo.userId}`.execute(world.app.db)
      return { quota: rows[0]?.quota, roles: rows[0]?.roles.map(Number) }
    }
    await set({ trial_accounts: true, trial_space: 0, trial_role: '' })
    expect(await made('13800000021')).toEqual({ quota: null, roles: [] })
    await set({ trial_space: 1024 ** 3, trial_role: '试用者' })
    expect(await made('13800000022')).toEqual({ quota: 1024 ** 3, roles: [roleId] })
  })
})

test('a session that was planted in a browser is not the one of who signs in there (fixation)', async () => {
  await world.person('anna')
  const ben = await world.person('ben')
  for (const planted of ['A'.repeat(43), ben.token]) {
    const request = requestFor('login3', { userName: 'anna', password: 'Test#2026', clientType: 6 })
    const cookie = `cloudoc_session=${planted}`
    const signedIn = await world.app.http.inject({ ...request, headers: { ...request.headers, ...web, cookie } })
    expect(wireOf(signedIn).code).toBe('success')
    const own = cookieFrom(signedIn, 'cloudoc_session').split('=')[1] ?? ''
    expect(own.length).toBeGreaterThan(30)
    expect(own).not.toBe(planted)
    // What was planted is worth what it was before: nothing, or the attacker's own session.
    const asPlanted = await ownAccount(world, planted)
    expect(JSON.stringify(asPlanted)).not.toContain('anna')
    expect(await ownAccount(world, own)).toMatchObject({ data: { account: 'anna' } })
  }
})
