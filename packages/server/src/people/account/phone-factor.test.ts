// A phone as the second factor: codes by the short messages of the company's gateway.
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { clock, login } from '../../../test/sign-in.ts'
import { openSms } from '../../core/sms/index.ts'

const phone = '13800000021'
let world: World
let admin: Person
let anna: Person
let time: ReturnType<typeof clock>

beforeEach(async () => {
  time = clock()
  world = await openWorld({ now: time.now, elected: false })
  admin = await world.admin()
  await admin.call('setServerSetting', { sms_url: 'https://sms.huaxin.example/send?to={phone}&code={code}' })
  await admin.call('setSafeStrategy', { second_factor_sms: true })
  anna = await world.person('anna')
})

/** The messages that wait for the gateway. */
async function messages(): Promise<{ phone: string; code: string }[]> {
  const { rows } = await sql<{ input: Parameters<typeof openSms>[1] }>`
    select input from job where kind = 'sms' order by id`.execute(world.app.db)
  return rows.map(({ input }) => openSms(world.app.services.secrets, input))
}
const lastCode = async (): Promise<string> => (await messages()).at(-1)?.code ?? ''
const wrong = (code: string): string => (code === '111111' ? '222222' : '111111')
const signIn = (factorCode?: string, more: Record<string, unknown> = {}) =>
  login(world, { userName: 'anna', clientType: 9, ...(factorCode !== undefined && { factorCode }), ...more })

/** Makes the phone the second factor of anna. */
async function setUp(): Promise<string[]> {
  await anna.call('beginPhoneFactor', { phone: '138 0000 0021' })
  const { recoveryCodes } = await anna.call('confirmSecondFactor', { factorCode: await lastCode() })
  time.pass(61_000)
  return recoveryCodes
}

test('a code that was sent to the phone makes it the factor; each sign-in sends one, which counts once', async () => {
  expect(await anna.call('getSecondFactor', {})).toMatchObject({ active: false, sms: true, phone: '' })
  expect(await anna.call('beginPhoneFactor', { phone: '138 0000 0021' })).toEqual({ phone: '138****0021' })
  const first = await lastCode()
  expect(await anna.refusal('confirmSecondFactor', { factorCode: wrong(first) })).toBe('wrongSecondFactor')
  expect(await signIn(), 'no effect before it is confirmed').toMatchObject({ code: 'success' })
  const session = await world.signIn('anna')
  const { recoveryCodes } = await session.call('confirmSecondFactor', { factorCode: first })
  expect(recoveryCodes).toHaveLength(10)
  expect(await session.call('getSecondFactor', {})).toMatchObject({ active: true, phone: '138****0021' })

  const asked = await signIn()
  expect(asked).toMatchObject({ code: 'secondFactorSent' })
  expect(JSON.stringify(asked)).toContain('138****0021')
  expect((await messages()).map((one) => one.phone)).toEqual([phone, phone])
  expect(await signIn(first), 'the code that confirmed it').toMatchObject({ code: 'wrongSecondFactor' })
  const code = await lastCode()
  const codes = (await Promise.all([signIn(code), signIn(code)])).map((wire) => String(wire.code))
  expect(codes.toSorted((a, b) => a.localeCompare(b))).toEqual(['success', 'wrongSecondFactor'])
  expect(await signIn(recoveryCodes[0])).toMatchObject({ code: 'success' })
  expect(await signIn(recoveryCodes[0])).toMatchObject({ code: 'wrongSecondFactor' })
})

test('a message goes out only after the right password, once a minute and ten times an hour, and a code expires', async () => {
  await admin.call('setSafeStrategy', { captcha_after: 100, lock_after: 1000 })
  const recovery = await setUp()
  const before = (await messages()).length
  expect(await signIn(undefined, { password: 'no' })).toMatchObject({ code: 'wrongPassword' })
  expect(await messages()).toHaveLength(before)
  await Promise.all([signIn(), signIn(), signIn()])
  expect(await messages(), 'of sign-ins at once one sends').toHaveLength(before + 1)
  const late = await lastCode()
  time.pass(10 * 60_000 + 1)
  expect(await signIn(late)).toMatchObject({ code: 'wrongSecondFactor' })
  for (let n = 0; n < 12; n += 1) {
    time.pass(61_000)
    expect(await signIn()).toMatchObject({ code: 'secondFactorSent' })
  }
  expect((await messages()).length - before).toBeLessThanOrEqual(10)
  expect(JSON.stringify(await signIn()), 'what else there is').toContain('恢复码')
  expect(await signIn(recovery[0])).toMatchObject({ code: 'success' })
})

test('a code is not guessed: after five tries even the right one is refused, and recovery codes go on', async () => {
  await admin.call('setSafeStrategy', { captcha_after: 100, lock_after: 1000 })
  const recovery = await setUp()
  await signIn()
  const code = await lastCode()
  const guesses = Array.from({ length: 12 }, (_, n) => signIn(String(n).padStart(6, code.startsWith('9') ? '8' : '9')))
  const answers = await Promise.all(guesses)
  expect(new Set(answers.map((wire) => wire.code))).toEqual(new Set(['wrongSecondFactor']))
  expect(await signIn(code)).toMatchObject({ code: 'wrongSecondFactor' })
  expect(await signIn(recovery[1])).toMatchObject({ code: 'success' })
})

test('the phone of the profile, which others may change, gets no code', async () => {
  await setUp()
  await world.app.db.updateTable('account').set({ phone: '13900000099' }).where('id', '=', anna.userId).execute()
  await signIn()
  expect((await messages()).at(-1)?.phone).toBe(phone)
})

test('a message stands for the password or for the second factor, not for both', async () => {
  await world.app.db.updateTable('account').set({ phone }).where('id', '=', anna.userId).execute()
  await setUp()
  const { smsKey } = (await world.wire('getLoginSmsCaptcha', { userName: 'anna' })).data as { smsKey: string }
  const entered = { smsKey, captcha: await lastCode(), clientType: 9 }
  expect(await world.wire('loginBySmsCaptcha', entered)).toMatchObject({ code: 'signInRejected' })
  expect((await messages()).map((one) => one.phone)).toHaveLength(2)
})

test('it is offered where the company allows it, and ends with a code that is sent to whoever is signed in', async () => {
  await admin.call('setSafeStrategy', { second_factor_sms: false })
  expect(await anna.refusal('beginPhoneFactor', { phone })).toBe('smsNotSetUp')
  await admin.call('setSafeStrategy', { second_factor_sms: true })
  expect(await anna.refusal('beginPhoneFactor', { phone: '12' })).toBe('invalidMobileNumber')
  expect(await anna.refusal('sendFactorCode', {})).toBe('notFound')
  await setUp()
  // Switched off, those who have one go on.
  await admin.call('setSafeStrategy', { second_factor_sms: false })
  expect(await signIn()).toMatchObject({ code: 'secondFactorSent' })
  time.pass(61_000)
  expect(await anna.call('sendFactorCode', {})).toEqual({ phone: '138****0021' })
  expect(await anna.refusal('sendFactorCode', {})).toBe('sendingTooOften')
  expect(await anna.refusal('beginPhoneFactor', { phone: '13900000099' })).toBe('smsNotSetUp')
  await anna.call('endSecondFactor', { factorCode: await lastCode() })
  expect(await signIn()).toMatchObject({ code: 'success' })
  // An authenticator that is set up later does not leave the phone beside it.
  const again = await world.signIn('anna')
  await again.call('beginSecondFactor', {})
  const row = await world.app.db.selectFrom('second_factor').selectAll().executeTakeFirstOrThrow()
  expect(row).toMatchObject({ phone: '', code_hash: null })
})
