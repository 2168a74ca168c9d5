// The overview, the reports and the initial setup, from an administrator's view.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld, password } from '../../../test/harness.ts'
import { foldTallies } from '../../drive/tree/index.ts'
import { openSetup } from '../setup/index.ts'
import { measureStorage } from './index.ts'

const day = 24 * 60 * 60_000

test('space is told by library, department and person, with what came in the last days and what equal contents save', async () => {
  const now = Date.now()
  const world = await openWorld({ elected: false, now: () => now })
  const { db } = world.app
  const admin = await world.admin()
  const { groupId, library } = await world.group('质量部')
  const anna = await world.person('anna', { groupId })
  await anna.upload(anna.library, 'a.bin', 'x'.repeat(100))
  await foldTallies(db, now - 40 * day)
  await anna.upload(library, 'b.bin', 'x'.repeat(100))
  await anna.upload(library, 'b.bin', 'y'.repeat(50), { conflict: 'version' })
  await foldTallies(db, now)
  await measureStorage(db, now)

  const storage = await admin.call('getStorage', {})
  expect(storage).toMatchObject({ used: 250, limit: 0, measured: { stored: 150, oldVersions: 100 } })
  expect(storage.days).toHaveLength(30)
  expect([storage.days[0]?.used, storage.days.at(-1)?.used]).toEqual([100, 250])
  const of = async (by: 'library' | 'group' | 'user', keyword: string) =>
    (await admin.call('getStorageOf', { by, keyword })).list[0]
  expect(await of('library', '质量部')).toMatchObject({ used: 150, grown: 150 })
  expect(await of('group', '质量')).toMatchObject({ used: 250, grown: 150 })
  expect(await of('user', 'anna')).toMatchObject({ used: 250, total: 0, detail: '质量部' })
  expect((await admin.call('getStorageOf', { by: 'low' })).list).toEqual([])
  await admin.call('modifyAccount', { userId: anna.userId, quota: 260 })
  expect((await admin.call('getStorageOf', { by: 'low' })).list).toMatchObject([{ type: 'user', name: 'anna' }])
})

test('the overview says who is there and what wants attention; a report who has been away for long', async () => {
  const world = await openWorld({ elected: false })
  const { db } = world.app
  const admin = await world.admin()
  const anna = await world.person('anna')
  const { people, online, attention, activity } = await admin.call('getOverview', {})
  expect(people).toMatchObject({ total: 2, active: 2 })
  expect(online).toEqual({ people: 2, sessions: 2 })
  expect(activity).toHaveLength(14)
  expect(attention).toContainEqual({ what: 'noBackup', n: 1 })
  expect((await admin.call('getAbsentPeople', { days: 90 })).list).toEqual([])
  await sql`update account set signed_in_at = signed_in_at - ${100 * day} where id = ${anna.userId}`.execute(db)
  expect((await admin.call('getAbsentPeople', { days: 90 })).list).toMatchObject([{ userId: anna.userId }])
})

test('today is the day of the company’s time zone: the overview, the growth of space and the visits of a link', async () => {
  // Half past midnight in Shanghai; by UTC it is still the day before.
  const now = Date.parse('2026-11-28T00:30:00+08:00')
  const today = Date.parse('2026-11-28') / day
  const world = await openWorld({ elected: false, now: () => now })
  const { db } = world.app
  const admin = await world.admin()
  const hour = Math.floor(now / 3_600_000)
  await sql`insert into audit_hour (hour, kind, n) values (${hour}, 2, 3), (${hour - 1}, 2, 5)
    on conflict (hour, kind) do update set n = excluded.n`.execute(db)
  const { activity } = await admin.call('getOverview', {})
  expect(activity.slice(-2)).toMatchObject([
    { day: today - 1, file: 5 },
    { day: today, file: 3 },
  ])
  await foldTallies(db, now - 3_600_000)
  const anna = await world.person('anna')
  await anna.upload(anna.library, 'a.bin', 'x'.repeat(100))
  await foldTallies(db, now)
  const storage = await admin.call('getStorage', {})
  expect(storage.days.slice(-2)).toEqual([
    { day: today - 1, used: 0 },
    { day: today, used: 100 },
  ])
})

test('a step of the first set-up stays done; once it has ended it does not begin again', async () => {
  const world = await openWorld({ elected: false })
  const admin = await world.admin()
  // An installation whose setup was not started in the browser has nothing to set up.
  expect(await admin.refusal('setSetup', { done: 'company' })).toBe('duplicateOperation')
  await world.app.db
    .insertInto('setting')
    .values({ code: 'server', value: JSON.stringify({ setting: {}, setup_open: true }) })
    .execute()
  await sql`update stamp set value = value + 1 where name = 'settings'`.execute(world.app.db)
  await admin.call('setSetup', { done: 'storage' })
  await admin.call('setSetup', { done: 'company' })
  expect(await admin.call('getSetup', {})).toMatchObject({ open: true, done: ['company', 'storage'], people: 1 })
  // A step that is left for later is offered until it is done, also after the end.
  await admin.call('setSetup', { skip: 'licence' })
  expect(await admin.call('getSetup', {})).toMatchObject({ skipped: ['licence'] })
  await admin.call('setSetup', { done: 'licence' })
  expect(await admin.call('getSetup', {})).toMatchObject({ skipped: [] })
  await admin.call('setSetup', { finish: true })
  const ended = await admin.call('getSetup', {})
  expect(ended).toMatchObject({ open: false, done: ['company', 'licence', 'storage'] })
  expect(ended.skipped).toEqual(expect.arrayContaining(['mail', 'backup']))
  expect(JSON.parse(await admin.call('getServerSetting', { code: 'setup_skipped' }))).toEqual(ended.skipped)
  expect(await admin.refusal('setSetup', { finish: true })).toBe('duplicateOperation')
  await admin.call('setSetup', { done: 'mail' })
  expect((await admin.call('getSetup', {})).skipped).not.toContain('mail')
  await admin.call('setSetup', { forget: true })
  expect(await admin.call('getSetup', {})).toMatchObject({ open: false, skipped: [] })
  expect(await admin.refusal('setSetup', { done: 'levels' })).toBe('duplicateOperation')
})

test('a new installation has the levels of most companies: open, and three above it', () => {
  expect(openSetup.secret_names).toEqual(['内部', '秘密', '机密'])
})

test('the demo company is filled in once, in the name of who asks, by the password; its end is told', async () => {
  const filled: string[] = []
  const ending = Promise.withResolvers<boolean>()
  const world = await openWorld({
    elected: false,
    fillDemo: ({ account, password: given, report }) => {
      filled.push(`${account} ${given === '' ? '' : 'with password'}`)
      report('Demo: files')
      return ending.promise
    },
  })
  const admin = await world.admin()
  expect((await admin.call('getSetup', {})).demo).toEqual({ state: 'ready', line: '' })
  expect(await admin.refusal('fillWithDemo', { password: 'wrong' })).toBe('wrongPassword')
  await admin.call('fillWithDemo', { password: password })
  await expect
    .poll(async () => (await admin.call('getSetup', {})).demo)
    .toEqual({ state: 'running', line: 'Demo: files' })
  expect(await admin.refusal('fillWithDemo', { password: password })).toBe('duplicateOperation')
  ending.resolve(true)
  await expect.poll(async () => (await admin.call('getSetup', {})).demo.state).toBe('done')
  expect(await admin.refusal('fillWithDemo', { password: password })).toBe('duplicateOperation')
  expect(filled).toEqual(['admin with password'])
})

test('the demo company is not offered where there are people', async () => {
  const world = await openWorld({ elected: false, fillDemo: () => Promise.resolve(true) })
  const admin = await world.admin()
  await world.person('anna')
  expect((await admin.call('getSetup', {})).demo.state).toBe('full')
  expect(await admin.refusal('fillWithDemo', { password: password })).toBe('duplicateOperation')
})
