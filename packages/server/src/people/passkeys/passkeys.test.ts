// Passkeys, with a device that really signs.
import { beforeEach, expect, test } from 'vitest'
import { openWorld, type Person, type Wire, type World } from '../../../test/harness.ts'
import { callWith, clock, login, ownAccount, tokenOf } from '../../../test/sign-in.ts'
import { type Deviation, TestPasskey } from '../../../test/test-passkey.ts'

let world: World
let time: ReturnType<typeof clock>
let anna: Person
const host = 'cloud.huaxin.example'
const origin = `http://${host}`

beforeEach(async () => {
  time = clock()
  world = await openWorld({ now: time.now, elected: false })
  anna = await world.person('anna')
})

const at = { host }
const call = (name: Parameters<typeof callWith>[1], input: Record<string, unknown>, token = anna.token, headers = at) =>
  callWith(world, name, input, { ...headers, authorization: `Bearer ${token}` })
const optionsOf = (wire: Wire): string => (wire.data as { options: string }).options

async function addKey(token = anna.token, key = new TestPasskey(origin), more: Deviation = {}) {
  const begun = await call('beginPasskey', {}, token)
  const added = await call('addPasskey', { credential: key.register(optionsOf(begun), more), name: '笔记本' }, token)
  return { key, added }
}
const start = async (headers = at): Promise<string> =>
  optionsOf(await callWith(world, 'startPasskeySignIn', {}, headers))
const finish = (credential: string): Promise<Wire> => callWith(world, 'finishPasskeySignIn', { credential }, at)

test('a passkey signs in without a password, and its list tells when', async () => {
  const { key, added } = await addKey()
  expect(added.code).toBe('success')
  const signedIn = await finish(key.sign(await start()))
  expect(signedIn).toMatchObject({ code: 'success', data: { accountInfo: { account: 'anna' } } })
  expect(await ownAccount(world, tokenOf(signedIn))).toMatchObject({ data: { account: 'anna' } })
  expect(await call('getMyPasskeys', {}, tokenOf(signedIn))).toMatchObject({
    data: { list: [{ name: '笔记本', host, usable: true, usedTime: time.now() }] },
  })
})

test('an answer signs in once, in time, and for the page and the key that were asked', async () => {
  const { key } = await addKey()
  const credential = key.sign(await start())
  const both = await Promise.all([finish(credential), finish(credential)])
  expect(both.filter(({ code }) => code === 'success')).toHaveLength(1)
  expect(await finish(credential)).toMatchObject({ code: 'passkeyRefused' })
  for (const more of [
    { origin: 'https://evil.example' },
    { host: 'evil.example' },
    { challenge: 'AAAA' },
    { unverified: true },
  ] satisfies Deviation[])
    expect(await finish(key.sign(await start(), more))).toMatchObject({ code: 'passkeyRefused' })
  expect(await finish(new TestPasskey(origin).sign(await start()))).toMatchObject({ code: 'passkeyRefused' })
  for (const credential of [
    '',
    '{}',
    'x',
    '[]',
    'null',
    JSON.stringify({ id: 1, response: { clientDataJSON: 'e30' } }),
  ])
    expect(await finish(credential)).toMatchObject({ code: 'passkeyRefused' })
  const late = await start()
  time.pass(6 * 60_000)
  expect(await finish(key.sign(late))).toMatchObject({ code: 'passkeyRefused' })
})

test('the challenge of one purpose or person is none of another', async () => {
  const { key } = await addKey()
  const mine = optionsOf(await call('beginPasskey', {}))
  const bela = await world.person('bela')
  const taken = new TestPasskey(origin)
  expect(await call('addPasskey', { credential: taken.register(mine), name: 'x' }, bela.token)).toMatchObject({
    code: 'passkeyRefused',
  })
  const { challenge } = JSON.parse(optionsOf(await call('beginPasskey', {}))) as { challenge: string }
  expect(await finish(key.sign(await start(), { challenge }))).toMatchObject({ code: 'passkeyRefused' })
})

test('a key whose count does not rise is refused as a copy, and a count that stays 0 is not', async () => {
  const { key } = await addKey()
  expect(await finish(key.sign(await start()))).toMatchObject({ code: 'success' })
  expect(await finish(key.sign(await start()))).toMatchObject({ code: 'success' })
  key.counter = 5
  expect(await finish(key.sign(await start()))).toMatchObject({ code: 'success' })
  expect(await finish(key.sign(await start()))).toMatchObject({ code: 'passkeyRefused' })
  expect(await finish(key.sign(await start(), { counter: 0 }))).toMatchObject({ code: 'passkeyRefused' })
  key.counter = 6
  expect(await finish(key.sign(await start()))).toMatchObject({ code: 'success' })
})

test('a frozen person is not signed in, and a removed key signs nobody in', async () => {
  const { key, added } = await addKey()
  const admin = await world.admin()
  await admin.call('setAccountState', { userId: anna.userId, state: 'frozen' })
  expect(await finish(key.sign(await start()))).toMatchObject({ code: 'accountFrozen' })
  await admin.call('setAccountState', { userId: anna.userId, state: 'normal' })
  const signedIn = await finish(key.sign(await start()))
  const { passkeyId } = added.data as { passkeyId: number }
  const bela = await world.person('bela')
  expect(await bela.refusal('removePasskey', { passkeyId })).toBe('notFound')
  expect(await call('removePasskey', { passkeyId }, tokenOf(signedIn))).toMatchObject({ code: 'success' })
  expect(await finish(key.sign(await start()))).toMatchObject({ code: 'passkeyRefused' })
})

test('ten minutes after the sign-in the password is asked for before a key is added', async () => {
  time.pass(11 * 60_000)
  expect(await call('beginPasskey', {})).toMatchObject({ code: 'wrongPassword' })
  expect(await call('beginPasskey', { password: 'wrong' })).toMatchObject({ code: 'wrongPassword' })
  expect(await call('beginPasskey', { password: 'Test#2026' })).toMatchObject({ code: 'success' })
})

test('keys of another host name are shown as such and do not sign in', async () => {
  const admin = await world.admin()
  const { key } = await addKey()
  await admin.call('setSafeStrategy', { passkey_host: 'huaxin.example' })
  expect(JSON.parse(await start())).toMatchObject({ rpId: 'huaxin.example' })
  expect(await finish(key.sign(await start(), { host }))).toMatchObject({ code: 'passkeyRefused' })
  expect(await call('getMyPasskeys', {})).toMatchObject({ data: { list: [{ host, usable: false }] } })
  const { key: other } = await addKey()
  expect(await finish(other.sign(await start()))).toMatchObject({ code: 'success' })
  // A name that is no parent of the page's is not taken: no browser would make a key of it.
  expect(JSON.parse(await start({ host: 'nas.local' }))).toMatchObject({ rpId: 'nas.local' })
})

test('the host name does not change while people would have no way in, and it is said how many', async () => {
  const admin = await world.admin()
  const { key } = await addKey()
  await admin.call('setSafeStrategy', { second_factor_level: 1 })
  await world.app.db.updateTable('account').set({ secret_level: 1 }).where('account', '=', 'anna').execute()
  const change = { passkey_host: 'huaxin.example' }
  expect(await admin.refusal('setSafeStrategy', change)).toBe('settingsContradict')
  expect(await finish(key.sign(await start()))).toMatchObject({ code: 'success' })
  await admin.call('setSafeStrategy', { second_factor_level: 0 })
  await admin.call('setSafeStrategy', change)
  expect(await finish(key.sign(await start(), { host }))).toMatchObject({ code: 'passkeyRefused' })
  // Back: keys of the page's own name hold again, and somebody without a password needs theirs.
  await world.app.db.updateTable('account').set({ password_hash: '' }).where('account', '=', 'anna').execute()
  await admin.call('setSafeStrategy', { passkey_host: '' })
  expect(await admin.refusal('setSafeStrategy', change)).toBe('settingsContradict')
})

// Which people need a second factor is one rule, by power, role, level and network.
test('where a second factor is demanded, a password alone reaches nothing, and a passkey is one', async () => {
  const admin = await world.admin()
  await admin.call('setSafeStrategy', { second_factor_level: 1 })
  await world.app.db.updateTable('account').set({ secret_level: 1 }).where('id', '=', anna.userId).execute()
  const token = tokenOf(await login(world, { userName: 'anna' }))
  expect(await call('getRootFolderSetting', {}, token)).toMatchObject({ code: 'secondFactorMissing' })
  const { key, added } = await addKey(token)
  expect(added.code).toBe('success')
  expect(await call('getMyBindings', {}, token)).toMatchObject({ code: 'success' })
  // The next password alone neither reaches anything nor adds a further key or an authenticator.
  const thief = tokenOf(await login(world, { userName: 'anna' }))
  expect(await call('getMyBindings', {}, thief)).toMatchObject({ code: 'secondFactorMissing' })
  expect(await call('beginPasskey', {}, thief)).toMatchObject({ code: 'secondFactorDue' })
  expect(await call('beginSecondFactor', {}, thief)).toMatchObject({ code: 'secondFactorDue' })
  expect(await call('proveByPasskey', { credential: key.sign(await start()) }, thief)).toMatchObject({
    code: 'success',
  })
  expect(await call('getMyBindings', {}, thief)).toMatchObject({ code: 'success' })
  // The last factor of somebody who needs one stays.
  const { passkeyId } = added.data as { passkeyId: number }
  expect(await call('removePasskey', { passkeyId }, thief)).toMatchObject({ code: 'secondFactorMissing' })
  // Somebody else's key raises nothing.
  const bela = await world.person('bela')
  const { key: foreign } = await addKey(bela.token)
  const again = tokenOf(await login(world, { userName: 'anna' }))
  expect(await call('proveByPasskey', { credential: foreign.sign(await start()) }, again)).toMatchObject({
    code: 'passkeyRefused',
  })
})

test('a second factor is demanded by role and by network', async () => {
  const admin = await world.admin()
  // Nobody locks themselves out.
  expect(await admin.refusal('setSafeStrategy', { second_factor_trusted: ['10.0.0.0/8'] })).toBe('secondFactorMissing')
  await admin.call('setSafeStrategy', { second_factor_trusted: ['10.0.0.0/8', '127.0.0.1'] })
  const inside = tokenOf(await login(world, { userName: 'anna' }, { address: '10.1.2.3' }))
  expect(await call('getMyBindings', {}, inside)).toMatchObject({ code: 'success' })
  const outside = tokenOf(await login(world, { userName: 'anna' }, { address: '203.0.113.9' }))
  expect(await call('getMyBindings', {}, outside)).toMatchObject({ code: 'secondFactorMissing' })
  await admin.call('setSafeStrategy', { second_factor_trusted: [] })
  const { roleId } = await admin.call('createRole', { roleName: '财务' })
  await admin.call('setRoleSecondFactor', { roleId, needed: true })
  const token = tokenOf(await login(world, { userName: 'anna' }))
  expect(await call('getMyBindings', {}, token)).toMatchObject({ code: 'success' })
  await admin.call('changePeople', { userIds: [anna.userId], addRoleId: roleId })
  expect(await call('getMyBindings', {}, token)).toMatchObject({ code: 'secondFactorMissing' })
})
