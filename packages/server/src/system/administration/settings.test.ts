// Server settings: who may change them, that changes take effect everywhere at once, and what is stored.
import { calls, isFrame, settingNames } from '@cloudoc/contract'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/harness.ts'

test('every setting that is declared is set by one call', () => {
  const { seen: _, ...system } = calls.setServerSetting.input.shape
  const { seen: __, ...security } = calls.setSafeStrategy.input.shape
  expect([...Object.keys(system), ...Object.keys(security)].sort()).toEqual([...settingNames].sort())
})

// [R044] The settings object is sent to every client and edited in the browser: each setting shows its
// effect, default, last editor and date; a change applies to the next call on every process and open pages apply it.
test('[R044] a setting holds in the next call of a session that is open, on another process too, and its page hears of it', async () => {
  const world = await openWorld({ elected: false })
  const other = await openWorld({ peer: world, deaf: true, elected: false })
  const admin = await world.admin()
  const anna = await world.person('anna')
  const live = await anna.listen()
  const there = anna.at(other)
  expect(await there.call('getServerSetting', { code: 'print_rights' })).toBe('false')
  await admin.call('setServerSetting', { print_rights: true, upload_max_size: 3 })
  expect(await there.call('getServerSetting', { code: 'print_rights' })).toBe('true')
  expect(await there.uploadWire(anna.library, 'a.txt', 'four')).toMatchObject({ code: 'uploadSizeExceeded' })
  await world.app.settle()
  await live.next((frame) => isFrame(frame, 'settingsChanged'))
})

test('what a client is not told stays out of getServerSetting', async () => {
  const world = await openWorld({ elected: false })
  const anna = await world.person('anna')
  expect(JSON.parse(await anna.call('getServerSetting', {}))).not.toHaveProperty('inner')
  expect(await anna.call('getServerSetting', { code: 'inner' })).toBe('null')
})

test('who changed a setting, when, and from what is told; what is set to what it was is no change', async () => {
  let time = Date.now()
  const world = await openWorld({ elected: false, now: () => time })
  const admin = await world.admin()
  const first = await admin.call('getAdministeredSettings', {})
  expect(first.list.find(({ name }) => name === 'user_space')).toEqual({ name: 'user_space', value: 0, fallback: 0 })
  expect(first).toMatchObject({ seen: 0, recent: [] })
  await admin.call('setServerSetting', { user_space: 5, print_rights: false })
  time += 1000
  await admin.call('setSafeStrategy', { pwdLength: 10 })
  const then = await admin.call('getAdministeredSettings', {})
  expect(then.recent).toEqual([
    { name: 'pwdLength', at: time, by: '系统管理员', before: 8, after: 10 },
    { name: 'user_space', at: time - 1000, by: '系统管理员', before: 0, after: 5 },
  ])
  expect(then.list.find(({ name }) => name === 'user_space')).toEqual({
    name: 'user_space',
    value: 5,
    fallback: 0,
    changed: { at: time - 1000, by: '系统管理员' },
  })
  expect(then.list.find(({ name }) => name === 'print_rights')).not.toHaveProperty('changed')
})

test('a setting that somebody else has changed meanwhile is not set over, and nothing else of that call is', async () => {
  const world = await openWorld({ elected: false })
  const admin = await world.admin()
  const { seen } = await admin.call('getAdministeredSettings', {})
  await admin.call('setServerSetting', { user_space: 5 })
  expect(await admin.refusal('setServerSetting', { user_space: 6, print_rights: true, seen })).toBe('settingChanged')
  // A conflicting change of another setting does not matter.
  await admin.call('setServerSetting', { export_sub_file: false, seen })
  const { list } = await admin.call('getAdministeredSettings', {})
  const valueOf = (name: string) => list.find((one) => one.name === name)?.value
  expect(['user_space', 'print_rights', 'export_sub_file'].map(valueOf)).toEqual([5, false, false])
})

test('contradictory and broken settings are refused by a named code and change nothing', async () => {
  const world = await openWorld({ elected: false })
  const admin = await world.admin()
  const types = { upload_types_allowed: ['pdf', 'txt'], upload_types_denied: ['txt'] }
  expect(await admin.refusal('setServerSetting', { ...types, user_space: 7 })).toBe('settingsContradict')
  for (const broken of [
    { company_name: ' ' },
    { logout_page: 'javascript:alert(1)' },
    { user_space: -1 },
    { pwdLength: 10 },
    { upload_types_denied: ['.TXT'] },
  ])
    expect(await admin.refusal('setServerSetting', broken as never), JSON.stringify(broken)).toBe('badRequest')
  expect(await admin.call('getAdministeredSettings', {})).toMatchObject({ seen: 0, recent: [] })
})
