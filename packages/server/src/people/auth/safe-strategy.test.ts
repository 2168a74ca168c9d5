// The sign-in settings of the security administrator, and that they take effect at once.
import { isFrame } from '@cloudoc/contract'
import { codes } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { openWorld, password, requestFor, wireOf } from '../../../test/harness.ts'
import { clock, login, ownAccount, sessionsOf, tokenOf } from '../../../test/sign-in.ts'

const hour = 60 * 60_000
const day = 24 * hour

// [R047] An expired password must be changed before any other call (-137), also in an open session.
test('[R047] a password that is too old must be changed before anything else, also in a session that is open (-137)', async () => {
  const { now, pass } = clock()
  const world = await openWorld({ now, elected: false })
  const admin = await world.admin()
  await world.person('anna')
  pass(20 * day)
  const anna = await world.signIn('anna')
  const root = await world.signIn('admin', 9)
  expect(await anna.wire('getRootFolderSetting', {})).toMatchObject({ code: 'success' })
  await root.call('setSafeStrategy', { pwd_age_days: 30 })
  expect(await anna.wire('getRootFolderSetting', {})).toMatchObject({ code: 'success' })
  await root.call('setSafeStrategy', { pwd_age_days: 7 })
  expect(await anna.refusal('getRootFolderSetting', {})).toBe('passwordExpired')
  expect(await anna.call('getMyAccountInfo', {})).toMatchObject({ mustChangePassword: true })
  expect(admin.account).toBe('admin')
})

// [R047] Wrong passwords lock an account (-47) after the configured number and for the configured time.
test('[R047] after so many wrong passwords as is set an account is locked (-47), for so long as is set', async () => {
  const { now, pass } = clock()
  const world = await openWorld({ now, elected: false })
  const admin = await world.admin()
  await world.person('anna')
  await admin.call('setSafeStrategy', { captcha_after: 100, lock_after: 3, lock_minutes: 5 })
  for (let i = 0; i < 3; i += 1)
    expect(await login(world, { userName: 'anna', password: `no${i}` })).toMatchObject({ code: 'wrongPassword' })
  expect(await login(world, { userName: 'anna' })).toMatchObject({ code: 'accountLocked' })
  pass(5 * 60_000 + 1)
  expect(await login(world, { userName: 'anna' })).toMatchObject({ code: 'success' })
})

test('a session ends when it is idle for as long as is set, an open one by the new rule', async () => {
  const { now, pass } = clock()
  const world = await openWorld({ now, elected: false })
  const admin = await world.admin()
  const anna = await world.person('anna')
  pass(2 * hour)
  expect(await ownAccount(world, admin.token)).toMatchObject({ code: 'success' })
  await admin.call('setSafeStrategy', { session_idle_hours: 1 })
  expect(await ownAccount(world, anna.token)).toMatchObject({ code: 'notLoggedIn' })
  expect(await ownAccount(world, admin.token)).toMatchObject({ code: 'success' })
})

test('[R034] several sessions of one account go on beside each other only where that is set', async () => {
  const world = await openWorld({ elected: false })
  const admin = await world.admin()
  const anna = await world.person('anna')
  await admin.call('setSafeStrategy', { several_sessions: true })
  await world.signIn('anna')
  expect(await sessionsOf(world, anna)).toBe(2)
  await admin.call('setSafeStrategy', { several_sessions: false })
  await world.signIn('anna')
  expect(await sessionsOf(world, anna)).toBe(1)
})

test('who comes from elsewhere than is allowed neither signs in nor goes on; nobody locks themselves out', async () => {
  const world = await openWorld({ elected: false })
  const admin = await world.admin()
  const anna = await world.person('anna')
  const elsewhere = tokenOf(
    await login(world, { userName: 'anna', password, clientType: 9 }, { address: '203.0.113.9' }),
  )
  expect(await admin.refusal('setSafeStrategy', { allowed_addresses: ['10.0.0.0/8'] })).toBe('settingsContradict')
  expect(await admin.refusal('setSafeStrategy', { allowed_addresses: ['127.0.0.1', '10.0.0.0/99'] })).toBe('badRequest')
  await admin.call('setSafeStrategy', { allowed_addresses: ['127.0.0.0/8', '2001:db8::/32'] })
  expect(await ownAccount(world, anna.token)).toMatchObject({ code: 'success' })
  const from = async (remoteAddress: string) =>
    wireOf(await world.app.http.inject({ ...requestFor('getMyAccountInfo', {}, elsewhere), remoteAddress }))
  expect(await from('203.0.113.9')).toMatchObject({ code: 'addressNotAllowed' })
  expect(await from('::ffff:127.0.0.1')).toMatchObject({ code: 'success' })
  expect(await from('2001:db8::7')).toMatchObject({ code: 'success' })
  expect(await login(world, { userName: 'anna' }, { address: '198.51.100.1' })).toMatchObject({
    code: 'addressNotAllowed',
  })
  await admin.call('setSafeStrategy', { allowed_addresses: [] })
  expect(await from('203.0.113.9')).toMatchObject({ code: 'success' })
})

test('the live channel is for allowed addresses alone, as the proxy tells them: who is on it is told nothing more', async () => {
  const world = await openWorld({ elected: false, trustedProxies: ['127.0.0.1'] })
  const [admin, anna] = [await world.admin(), await world.person('anna')]
  const from = (address: string) => anna.listen({}, { 'x-forwarded-for': address })
  const folderId = await anna.folder(anna.library, '早')
  const [here, elsewhere] = [await from('192.0.2.7'), await from('203.0.113.9')]
  await admin.call('setSafeStrategy', { allowed_addresses: ['192.0.2.0/24', '127.0.0.1'] })
  const refused = await from('203.0.113.9')
  expect(refused.frames).toMatchObject([{ data: { code: codes.addressNotAllowed.code } }])
  expect(await refused.closed).toBe(4001)
  await anna.call('renameFolder', { folderId, folderName: '晚' })
  await world.app.settle()
  await here.next((frame) => isFrame(frame, 'folderChange') && frame.data.fName === '晚')
  expect(await elsewhere.closed).toBe(4001)
  expect(elsewhere.changes.filter(({ fName }) => fName === '晚')).toEqual([])
})

test('a code sets a password from allowed addresses alone', async () => {
  const world = await openWorld({ elected: false })
  const [admin, anna] = [await world.admin(), await world.person('anna')]
  const { list } = await admin.call('createPasswordLinks', { userIds: [anna.userId] })
  await admin.call('setSafeStrategy', { allowed_addresses: ['127.0.0.1'] })
  const linkCode = list[0]?.linkCode ?? ''
  for (const [name, input] of [
    ['getPasswordLink', { linkCode }],
    ['setPasswordByLink', { linkCode, newPassword: 'Other#2026' }],
  ] as const) {
    const request = { ...requestFor(name, input), remoteAddress: '203.0.113.9' }
    expect(wireOf(await world.app.http.inject(request)), name).toMatchObject({ code: 'addressNotAllowed' })
  }
  expect(await world.wire('setPasswordByLink', { linkCode, newPassword: 'Other#2026' })).toMatchObject({
    code: 'success',
  })
})
