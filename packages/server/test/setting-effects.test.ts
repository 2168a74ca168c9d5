// Settings that no other test changes: what each of them changes. docs/settings.md lists the tests of all settings.
import { randomUUID } from 'node:crypto'
import { administered, type SettingName } from '@cloudoc/contract'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { emptyBins } from '../src/drive/libraries/retention.ts'
import { openWorld, type Person, type World } from './harness.ts'

const dayMs = 24 * 60 * 60_000
const start = Date.UTC(2026, 10, 2, 8)
let now = start
let world: World
let admin: Person
let anna: Person
let ben: Person
beforeAll(async () => {
  world = await openWorld({ elected: false, now: () => now })
  admin = await world.admin()
  anna = await world.person('anna')
  ben = await world.person('ben')
})
afterEach(() => {
  now = start
})

async function set(settings: Partial<Record<SettingName, unknown>>): Promise<void> {
  for (const [name, value] of Object.entries(settings)) {
    const { power } = administered[name as SettingName]
    await admin.call(power === 'system' ? 'setServerSetting' : 'setSafeStrategy', { [name]: value })
  }
}

test('captcha_always asks for a captcha at the first sign-in', async () => {
  await set({ captcha_always: true })
  const wire = await world.wire('login3', { userName: 'ben', password: 'Wrong#2026', clientType: 1 })
  expect(wire.code).toBe('wrongVerificationCode')
  await set({ captcha_always: false })
})

test('session_days ends a session that is in use', async () => {
  const used = await world.signIn('ben', 7)
  await set({ session_days: 1, session_idle_hours: 720 })
  const short = await world.signIn('ben', 9)
  now = start + 2 * dayMs
  expect((await short.wire('getUserPermissionInfo', {})).code).toBe('notLoggedIn')
  expect(used.token).not.toBe(short.token)
  now = start
  await set({ session_days: 30 })
})

test('visitor_days is the longest life of a visitor password', async () => {
  await set({ visitor_mode: true, visitor_days: 3 })
  expect(await ben.refusal('resetNetDiskPwd', { newPassword: 'Visit#2026', days: 4 })).toBe('badRequest')
  expect(await ben.call('resetNetDiskPwd', { newPassword: 'Visit#2026' })).toEqual({ until: start + 3 * dayMs })
})

test('token_days is the longest life of a token', async () => {
  await set({ personal_tokens: true, token_days: 5 })
  const input = { kind: 'personal' as const, name: 'x', password: 'x' }
  expect(await ben.refusal('createMyProgram', { ...input, days: 6 })).toBe('badRequest')
  expect(await ben.call('createMyProgram', { ...input, days: 5 })).toMatchObject({ expireTime: start + 5 * dayMs })
})

test('login_by_qr hands out codes to sign in with', async () => {
  await set({ login_by_qr: false })
  expect((await world.wire('applyCode', { clientType: 1 })).code).toBe('noPermission')
  await set({ login_by_qr: true })
  expect((await world.wire('applyCode', { clientType: 1 })).code).toBe('success')
})

test('im_groups_by_all lets people make groups', async () => {
  const group = { name: '组', userIdArray: [ben.userId] }
  await set({ im_groups_by_all: false })
  expect(await anna.refusal('imCreateGroup', group)).toBe('noPermission')
  await set({ im_groups_by_all: true })
  await anna.call('imCreateGroup', group)
})

test('im_recall_minutes is how long a message can be taken back', async () => {
  await set({ im_recall_minutes: 2 })
  const { conversationId } = await anna.call('imOpenChat', { userId: ben.userId })
  const send = () => anna.call('imSend', { conversationId, uuid: randomUUID(), type: 'text', value: '你好' })
  const [one, two] = [await send(), await send()]
  now = start + 60_000
  await anna.call('imRecall', { conversationId, number: one.number })
  now = start + 3 * 60_000
  expect(await anna.refusal('imRecall', { conversationId, number: two.number })).toBe('noPermission')
})

test('recycle_days empties the bins', async () => {
  const fileId = await anna.upload(anna.library, 'gone.txt')
  await anna.call('fileOrFolderDelete', { fileIdArray: [fileId] })
  const isGone = async () =>
    (await world.app.db.selectFrom('item').select('purged').where('id', '=', fileId).executeTakeFirst())?.purged
  await set({ recycle_days: 5 })
  await emptyBins(world.app.services, start + 3 * dayMs)
  expect(await isGone()).toBe(false)
  await set({ recycle_days: 2 })
  await emptyBins(world.app.services, start + 3 * dayMs)
  expect(await isGone()).toBe(true)
})
