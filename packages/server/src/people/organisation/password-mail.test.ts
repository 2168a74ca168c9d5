// Forgotten password: a mail brings the code ([R024]).
import { beforeAll, expect, test } from 'vitest'
import { password, sharedWorld } from '../../../test/harness.ts'
import { readMail, startMailServer } from '../../../test/mail-server.ts'

const world = sharedWorld()
const other = 'Found#2026'
beforeAll(async () => {
  await (await world.admin()).call('setServerSetting', { web_context: 'https://drive.example.com' })
})

const begin = (userName: string) => world.wire('beforeResetPwd', { userName })
const send = (verifyParam: string) => world.wire('sendResetPwMail', { verifyParam })
const paramOf = async (userName: string): Promise<string> =>
  ((await begin(userName)).data as { verifyParam: string }).verifyParam

test('[R024] without a mail server it is said, and nothing is sent', async () => {
  expect((await world.wire('getCompanyInfo', {})).data).toMatchObject({ findPassword: false })
  expect((await begin('admin')).code).toBe('mailNotSetUp')
})

// [R024] A forgotten password is set with a code sent by mail, valid once and for one hour; the answer does not reveal
// whether an account exists.
test('[R024] a mail brings a code that sets the password once; the old one is good until then, and nobody learns who is there', async () => {
  const server = await startMailServer()
  const admin = await world.admin()
  await admin.call('setServerSetting', {
    mail_host: '127.0.0.1',
    mail_port: server.port,
    mail_security: 'plain',
    mail_account: '',
    mail_sender: 'drive@example.com',
  })
  expect((await world.wire('getCompanyInfo', {})).data).toMatchObject({ findPassword: true })
  const anna = await world.person('anna')
  await admin.call('modifyAccount', { userId: anna.userId, email: 'anna@example.com' })
  const param = await paramOf(anna.account)
  expect(await send(param)).toMatchObject({ code: 'success', data: {} })
  const mail = readMail((await server.next(({ to }) => to.includes('anna@example.com'))).source)
  expect(mail).toContain('https://drive.example.com/doc/set-password?code=')
  const [, linkCode = ''] = /code=([0-9A-Z]{16})/.exec(mail) ?? []
  // The parameter is valid for one mail.
  expect((await send(param)).code).toBe('notFound')
  expect((await world.signIn(anna.account, 7)).userId).toBe(anna.userId)
  expect(await world.wire('setPasswordByLink', { linkCode, newPassword: 'short' })).toMatchObject({
    code: 'passwordRequirements',
  })
  await anna.call('resetNetDiskPwd', { newPassword: 'Visit#2026' })
  for (const [newPassword, result] of [
    [password, -77],
    ['Visit#2026', -214],
    [anna.account, -78],
  ] as const)
    expect(await world.wire('setPasswordByLink', { linkCode, newPassword })).toMatchObject({ result })
  expect(await world.wire('setPasswordByLink', { linkCode, newPassword: other })).toMatchObject({ code: 'success' })
  expect(await world.wire('setPasswordByLink', { linkCode, newPassword: other })).toMatchObject({ code: 'notFound' })
  await expect(world.signIn(anna.account, 7, password)).rejects.toThrow('wrongPassword')
  expect((await world.signIn(anna.account, 7, other)).userId).toBe(anna.userId)

  // An unknown account, one without a mail address and a frozen one get the same answer and no mail.
  const ben = await world.person('ben')
  const carl = await world.person('carl')
  await admin.call('modifyAccount', { userId: carl.userId, email: 'carl@example.com' })
  await admin.call('setAccountState', { userId: carl.userId, state: 'frozen' })
  for (const userName of ['nobody', ben.account, carl.account]) {
    const begun = await begin(userName)
    expect(begun.code).toBe('success')
    expect(await send((begun.data as { verifyParam: string }).verifyParam)).toMatchObject({ code: 'success', data: {} })
  }
  // At most five mails per hour, including the one above.
  for (let n = 0; n < 6; n += 1) await send(await paramOf(anna.account))
  await server.next(({ source }) => source.includes('anna') && server.mails.length === 5)
  expect(server.mails.every(({ to }) => to[0] === 'anna@example.com')).toBe(true)
})
