// Forgotten password: a short message brings six digits ([R024], [R041]).
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { sharedWorld } from '../../../test/harness.ts'
import { startWrongServer } from '../../../test/mail-server.ts'
import { sms, smsWithin } from '../../core/sms/feature.ts'
import { allFeatures } from '../../installation.ts'

const answerMs = 500
const world = sharedWorld({
  features: allFeatures.map((feature) => (feature === sms ? smsWithin(answerMs) : feature)),
})

interface Got {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A gateway that records the requests it gets. */
async function startGateway(answer: () => { status?: number; body?: string; location?: string } = () => ({})) {
  const got: Got[] = []
  const waiting: (() => void)[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      got.push({ url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() })
      const { status = 200, body = '{"code":0}', location } = answer()
      response.writeHead(status, location === undefined ? {} : { location }).end(body)
      for (const resolve of waiting.splice(0)) resolve()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return {
    port: (server.address() as AddressInfo).port,
    got,
    async upTo(n: number) {
      while (got.length < n) await new Promise<void>((resolve) => waiting.push(resolve))
      return got[n - 1] as Got
    },
  }
}

async function setUp(port: number, more: Record<string, unknown> = {}): Promise<void> {
  await (await world.admin()).call('setServerSetting', {
    sms_url: `http://127.0.0.1:${port}/send?to={phone}`,
    sms_method: 'POST',
    sms_headers: [],
    sms_body: '{"mobile":"{phone}","code":"{code}"}',
    sms_success: '',
    ...more,
  })
}

const begin = (userName: string) => world.wire('beforeResetPwd', { userName })
const send = (verifyParam: string) => world.wire('sendResetPwSms', { verifyParam })
const check = (verifyParam: string, code: string) => world.wire('checkResetPwCode', { verifyParam, code })
const paramOf = async (userName: string): Promise<string> =>
  ((await begin(userName)).data as { verifyParam: string }).verifyParam
const codeIn = ({ body }: Got): string => (JSON.parse(body) as { code: string }).code
/** Clears the throttle, as if the requests came from different networks: each may send five per minute. */
const calm = () => world.app.db.deleteFrom('throttle').execute()

test('[R024] without a gateway it is said, and the login page shows nothing of it', async () => {
  expect((await world.wire('getCompanyInfo', {})).data).toMatchObject({ findPasswordBySms: false })
  expect((await begin('admin')).code).toBe('mailNotSetUp')
  expect((await send('any')).code).toBe('smsNotSetUp')
})

// [R024] Where an SMS gateway is set, a forgotten password is set with six digits sent to the phone: five tries, ten
// minutes, three an hour; the answer does not reveal whether an account exists.
test('[R024] [R041] six digits of a message are worth a code that sets the password, once, where they were asked for', async () => {
  const gateway = await startGateway()
  await setUp(gateway.port)
  expect((await world.wire('getCompanyInfo', {})).data).toMatchObject({ findPasswordBySms: true })
  const admin = await world.admin()
  const anna = await world.person('anna')
  await admin.call('modifyAccount', { userId: anna.userId, phone: '+86 138-0000-0001' })
  const param = await paramOf(anna.account)
  expect(await send(param)).toMatchObject({ code: 'success', data: {} })
  const message = await gateway.upTo(1)
  expect(message.url).toBe('/send?to=%2B8613800000001')
  expect(message.headers['content-type']).toBe('application/json')
  expect(JSON.parse(message.body)).toMatchObject({ mobile: '+8613800000001' })
  const code = codeIn(message)
  expect(code).toMatch(/^\d{6}$/)
  // The parameter is valid for one message, and the digits are valid only for the parameter that requested them.
  expect((await send(param)).code).toBe('notFound')
  expect((await check(await paramOf(anna.account), code)).code).toBe('notFound')
  expect((await check(param, code === '000000' ? '000001' : '000000')).code).toBe('wrongVerificationCode')
  const right = await check(param, ` ${code}`)
  expect(right.code).toBe('success')
  const { linkCode } = right.data as { linkCode: string }
  expect((await check(param, code)).code).toBe('notFound')
  expect((await world.wire('setPasswordByLink', { linkCode, newPassword: 'Found#2026' })).code).toBe('success')
  expect((await world.signIn(anna.account, 7, 'Found#2026')).userId).toBe(anna.userId)
})

test('[R024] five tries, three messages an hour, and nobody learns who is there', async () => {
  const gateway = await startGateway()
  await setUp(gateway.port)
  const admin = await world.admin()
  const ben = await world.person('ben')
  const carl = await world.person('carl')
  const dora = await world.person('dora')
  await admin.call('modifyAccount', { userId: ben.userId, phone: '13800000002' })
  await admin.call('modifyAccount', { userId: carl.userId, phone: '13800000003' })
  await admin.call('setAccountState', { userId: carl.userId, state: 'frozen' })
  // Dora has no phone.
  for (const userName of ['nobody', carl.account, dora.account]) {
    const param = await paramOf(userName)
    expect(await send(param)).toMatchObject({ code: 'success', data: {} })
    expect((await check(param, '123456')).code).toBe('wrongVerificationCode')
  }
  await calm()
  const param = await paramOf(ben.account)
  await send(param)
  const code = codeIn(await gateway.upTo(1))
  const wrong = code === '111111' ? '222222' : '111111'
  const answers = await Promise.all(Array.from({ length: 8 }, async () => (await check(param, wrong)).code))
  expect(answers.filter((one) => one === 'wrongVerificationCode')).toHaveLength(5)
  expect((await check(param, code)).code).toBe('sendingTooOften')
  for (let n = 0; n < 4; n += 1) expect((await send(await paramOf(ben.account))).code).toBe('success')
  expect((await send(await paramOf(ben.account))).code).toBe('sendingTooOften')
  await gateway.upTo(3)
  await expect.poll(async () => (await admin.call('getSmsStatus', {})).waiting).toBe(0)
  expect(gateway.got).toHaveLength(3)
  await calm()
})

test('a message that is too late is not sent', async () => {
  const gateway = await startGateway(() => ({ status: 500 }))
  await setUp(gateway.port)
  const admin = await world.admin()
  const finn = await world.person('finn')
  await admin.call('modifyAccount', { userId: finn.userId, phone: '13800000005' })
  await send(await paramOf(finn.account))
  await gateway.upTo(1)
  const row = () =>
    world.app.db
      .selectFrom('job')
      .selectAll()
      .where('kind', '=', 'sms')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
  await expect.poll(async () => (await row()).error_code).not.toBe(null)
  const { id, input } = await row()
  await world.app.db
    .updateTable('job')
    .set({ due: 0, input: JSON.stringify({ ...input, until: 1 }) })
    .where('id', '=', id)
    .execute()
  await expect.poll(async () => (await row()).state).toBe('failed')
  expect(gateway.got).toHaveLength(1)
  expect((await admin.call('getSmsStatus', {})).latest?.why).toContain('验证码已过期')
})

test('the key of the gateway stands where it is named, escaped for it, and is told to nobody', async () => {
  const secret = 'k"e<y&{code}'
  const gateway = await startGateway(() => ({ status: 403, body: `wrong key ${secret} for 000000\u0007` }))
  const admin = await world.admin()
  await admin.call('setSmsSecret', { secret })
  expect(await admin.call('getSmsStatus', {})).toMatchObject({ ready: true, hasSecret: true })
  const bodies = [
    ['{"key":"{secret}"}', [], '{"key":"k\\"e<y&{code}"}'],
    ['key={secret}&to={phone}', [], 'key=k%22e%3Cy%26%7Bcode%7D&to=%2B8613800000004'],
    ['<k>{secret}</k>', ['Content-Type: text/xml'], '<k>k&#34;e&#60;y&#38;{code}</k>'],
  ] as const
  for (const [n, [body, headers, sent]] of bodies.entries()) {
    await setUp(gateway.port, { sms_body: body, sms_headers: [...headers, 'X-Key: {secret}'] })
    const wire = await admin.wire('sendTestSms', { phone: '+86 138 0000 0004' })
    expect(wire.code).toBe('smsNotSent')
    expect(wire.msg).toContain('网关没有接受：403 wrong key *** for ***')
    const got = await gateway.upTo(n + 1)
    expect(got.body).toBe(sent)
    expect(got.headers['x-key']).toBe(secret)
  }
  const dump = JSON.stringify(
    await Promise.all(
      (['secret', 'setting', 'setting_change', 'audit', 'job'] as const).map((table) =>
        world.app.db.selectFrom(table).selectAll().execute(),
      ),
    ),
  )
  expect(dump).not.toContain('<y&')
  await admin.call('setSmsSecret', { secret: '' })
  expect(await admin.call('getSmsStatus', {})).toMatchObject({ hasSecret: false })
  const anna = await world.person('anna')
  for (const call of ['getSmsStatus', 'sendTestSms', 'setSmsSecret'] as const)
    expect(await anna.refusal(call, { phone: '13800000000', secret: 'x' })).toBe('noPermission')
})

test('a test says what is wrong, within its time', async () => {
  const admin = await world.admin()
  const said = async (): Promise<string> => {
    const { msg, code } = await admin.wire('sendTestSms', { phone: '13800000000' })
    expect(code).toBe('smsNotSent')
    return msg
  }
  await setUp(await startWrongServer(() => {}))
  expect(await said()).toContain('网关没有及时应答')
  // A gateway that sends one byte at a time and never finishes.
  await setUp(
    await startWrongServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n')
      const timer = setInterval(() => socket.write('2'), 100)
      onTestFinished(() => clearInterval(timer))
    }),
  )
  expect(await said()).toContain('网关没有及时应答')
  await setUp(await startWrongServer((socket) => void socket.write('220 smtp.example.com\r\n')))
  expect(await said()).toContain('对方的应答不能识别')
  await setUp((await startGateway(() => ({ body: 'a'.repeat(100_000) }))).port)
  expect(await said()).toContain('对方的应答不能识别')
  await setUp(1)
  expect(await said()).toContain('连接被拒绝')
  // Redirects are not followed.
  const inner = await startGateway()
  await setUp((await startGateway(() => ({ status: 302, location: `http://127.0.0.1:${inner.port}/` }))).port)
  expect(await said()).toContain('网关没有接受：302')
  expect(inner.got).toHaveLength(0)
  // A gateway that answers with status 200 but reports a failure in the body.
  const lying = await startGateway(() => ({ body: '{"code":7,"msg":"余额不足"}' }))
  await setUp(lying.port, { sms_success: '"code":0' })
  expect(await said()).toContain('余额不足')
  const { port } = await startGateway()
  await setUp(port, { sms_url: `https://127.0.0.1:${port}/` })
  expect(await said()).toContain('无法建立加密连接')
  await setUp(port, { sms_url: 'https://no-such-host.invalid/' })
  expect(await said()).toContain('找不到短信网关')
  expect(await admin.refusal('sendTestSms', { phone: '12' })).toBe('invalidMobileNumber')
  await setUp(port, { sms_success: '"code":0' })
  expect((await admin.wire('sendTestSms', { phone: '13800000000' })).code).toBe('success')
})

test.each([
  { sms_url: 'http://sms.example.com/' },
  { sms_url: 'http://8.8.8.8/' },
  { sms_url: 'http://127.0.0.1@sms.example.com/' },
  { sms_url: 'http://127.0.0.1.example.com/' },
  { sms_url: 'https://{phone}.example.com/' },
  { sms_url: 'ftp://127.0.0.1/' },
  { sms_url: 'https://user:word@sms.example.com/' },
  { sms_headers: ['Host: other'] },
  { sms_headers: ['X: a\r\nY: b'] },
  { sms_headers: ['no header'] },
  { sms_headers: ['Content-Length: 3'] },
  { sms_method: 'TRACE' },
])('what is no gateway is refused and changes nothing: %j', async (given) => {
  const admin = await world.admin()
  const before = await admin.call('getAdministeredSettings', {})
  expect(await admin.refusal('setServerSetting', given as never)).toBe('badRequest')
  expect((await admin.call('getAdministeredSettings', {})).seen).toBe(before.seen)
})
