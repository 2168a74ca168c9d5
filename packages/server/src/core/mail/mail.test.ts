// Outgoing mail, against a real mail server and against servers that break the protocol.
import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { sharedWorld } from '../../../test/harness.ts'
import { readMail, startMailServer, startWrongServer } from '../../../test/mail-server.ts'
import { allFeatures } from '../../installation.ts'
import { mail, mailWithin } from './feature.ts'
import { postMail } from './index.ts'

const times = { idleMs: 400, wholeMs: 1200 }
const world = sharedWorld({
  features: allFeatures.map((feature) => (feature === mail ? mailWithin(times) : feature)),
})

async function setUp(port: number, more: Record<string, unknown> = {}): Promise<void> {
  const admin = await world.admin()
  await admin.call('setServerSetting', {
    mail_host: '127.0.0.1',
    mail_port: port,
    mail_security: 'plain',
    mail_account: '',
    mail_sender: 'drive@example.com',
    ...more,
  })
}

const post = (subject: string, to = 'anna@example.com') =>
  world.app.db
    .transaction()
    .execute((tx) =>
      postMail(
        { tx, now: Date.now() },
        { to, subject, text: `内容 ${subject}`, html: `<p>内容 ${subject}</p>`, locale: 'zh' },
        world.app.services.secrets,
      ),
    )

test('a mail goes out with the change it tells of, once, and not at all where that is taken back', async () => {
  const server = await startMailServer()
  await setUp(server.port)
  await expect(
    world.app.db.transaction().execute(async (tx) => {
      const mail = { to: 'anna@example.com', subject: 'taken back', text: '', locale: 'zh' } as const
      await postMail({ tx, now: Date.now() }, mail, world.app.services.secrets)
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  const id = await post('季度报告')
  const arrived = await server.next(({ source }) => source.includes(id))
  expect(arrived).toMatchObject({ from: 'drive@example.com', to: ['anna@example.com'], user: '' })
  const read = readMail(arrived.source)
  expect(read).toContain('Subject: 季度报告')
  expect(read).toContain('内容 季度报告')
  expect(arrived.source).toMatch(/Content-Language: zh/)
  expect(server.mails).toHaveLength(1)
})

test('a mail waits until the server takes it; one that is refused for good is not tried again, and the page says why', async () => {
  let isBusy = true
  const server = await startMailServer({
    onRcptTo({ address }, _session, done) {
      if (address.startsWith('nobody')) done(Object.assign(new Error('no such person'), { responseCode: 550 }))
      else if (isBusy) done(Object.assign(new Error('come back later'), { responseCode: 451 }))
      else done()
    },
  })
  await setUp(server.port)
  const admin = await world.admin()
  const refused = await post('to nobody', 'nobody@example.com')
  const busy = await post('later')
  const row = (key: string) =>
    world.app.db.selectFrom('job').selectAll().where('key', '=', key).executeTakeFirstOrThrow()
  await expect.poll(async () => (await row(refused)).state).toBe('failed')
  await expect.poll(async () => (await row(busy)).error_code).toBe('recipient')
  expect(await row(busy)).toMatchObject({ state: 'waiting', attempts: 1 })
  const status = await admin.call('getMailStatus', {})
  expect(status).toMatchObject({ ready: true, waiting: 1, failed: 1 })
  expect(status.latest?.why).toContain('服务器不接受该收件地址')
  isBusy = false
  await world.app.db.updateTable('job').set({ due: 0 }).where('key', '=', busy).execute()
  await server.next(({ source }) => source.includes(busy))
  await expect.poll(async () => (await row(busy)).state).toBe('done')
})

test('the password is kept encrypted, used to sign in, told to nobody, and taken away', async () => {
  const server = await startMailServer({
    authMethods: ['PLAIN'],
    allowInsecureAuth: true,
    onAuth({ username = '', password = '' }, _session, done) {
      if (username === 'drive' && password === 'pässword 1') done(null, { user: username })
      else done(Object.assign(new Error('wrong'), { responseCode: 535 }))
    },
  })
  await setUp(server.port, { mail_account: 'drive' })
  const admin = await world.admin()
  const anna = await world.person('anna')
  await admin.call('setMailPassword', { password: 'pässword 1' })
  await admin.call('sendTestMail', { to: 'boss@example.com' })
  expect(server.mails).toMatchObject([{ user: 'drive', to: ['boss@example.com'] }])
  expect(await admin.call('getMailStatus', {})).toMatchObject({ hasPassword: true })
  const dump = JSON.stringify(
    await Promise.all(
      (['secret', 'setting', 'setting_change', 'audit', 'job'] as const).map((table) =>
        world.app.db.selectFrom(table).selectAll().execute(),
      ),
    ),
  )
  expect(dump).not.toContain('ssword 1')
  await admin.call('setMailPassword', { password: 'another' })
  const wire = await admin.wire('sendTestMail', { to: 'boss@example.com' })
  expect(wire).toMatchObject({ code: 'mailNotSent' })
  expect(wire.msg).toContain('服务器不接受该账号或密码')
  const tests = await world.app.db
    .selectFrom('audit')
    .select('detail')
    .where('call', '=', 'sendTestMail')
    .orderBy('id')
    .execute()
  expect(tests.map(({ detail }) => detail)).toEqual([
    { to: 'boss@example.com' },
    { to: 'boss@example.com', refused: 'mailNotSent' },
  ])
  await admin.call('setMailPassword', { password: '' })
  expect(await admin.call('getMailStatus', {})).toMatchObject({ hasPassword: false })
  expect(await anna.refusal('getMailStatus', {})).toBe('noPermission')
  expect(await anna.refusal('sendTestMail', { to: 'a@example.com' })).toBe('noPermission')
  expect(await anna.refusal('setMailPassword', { password: '' })).toBe('noPermission')
})

test('a test says what is wrong, within its time', async () => {
  const admin = await world.admin()
  const said = async (): Promise<string> => {
    const { msg, code } = await admin.wire('sendTestMail', { to: 'boss@example.com' })
    expect(code).toBe('mailNotSent')
    return msg
  }
  await setUp(await startWrongServer(() => {}))
  expect(await said()).toContain('服务器没有及时应答')
  // A server that sends a little, again and again, and never finishes.
  await setUp(await startWrongServer(drip))
  expect(await said()).toContain('服务器没有及时应答')
  // The banner of any other service is not shown: whoever administers mail would read the internal network with it.
  for (const banner of [
    'HTTP/1.1 400 Bad Request\r\n\r\n',
    'SSH-2.0-OpenSSH_9.6 inner\r\n',
    '421 redis inner 7.2\r\n',
  ]) {
    await setUp(await startWrongServer((socket) => void socket.end(banner)))
    expect(await said()).toContain('对方不是邮件服务器')
    expect(await said()).not.toMatch(/HTTP|SSH|redis|inner/)
  }
  // A server that never ends a line.
  await setUp(await startWrongServer((socket) => void socket.write(Buffer.alloc(8 * 1024 * 1024, 'a'))))
  expect(await said()).toMatch(/对方不是邮件服务器|服务器没有及时应答/)
  await setUp(await startWrongServer((socket) => void socket.destroy()))
  expect(await said()).toMatch(/连接中途断开|连接被拒绝/)
  const server = await startMailServer()
  await setUp(server.port, { mail_security: 'starttls' })
  expect(await said()).toContain('无法建立加密连接')
  await setUp(server.port, { mail_security: 'tls' })
  expect(await said()).toContain('无法建立加密连接')
  await setUp(1)
  expect(await said()).toContain('连接被拒绝')
  await setUp(server.port, { mail_host: 'no-such-host.invalid' })
  expect(await said()).toContain('找不到邮件服务器')
  await setUp(server.port, { mail_sender: '' })
  expect(await admin.refusal('sendTestMail', { to: 'boss@example.com' })).toBe('mailNotSetUp')
})

function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write('2'), 100)
  onTestFinished(() => clearInterval(timer))
}
