// Backups from the console: made, listed, checked, and found to be damaged.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openWorld } from '../../../test/harness.ts'

test('[R286] an administrator makes a backup, checks that it can be restored, and is told when a file of it was altered', async () => {
  const backupDir = await mkdtemp(join(tmpdir(), 'cloudoc-console-'))
  onTestFinished(() => rm(backupDir, { recursive: true, force: true }))
  const world = await openWorld({ backupDir })
  const admin = await world.admin()
  const anna = await world.person('anna')
  await anna.upload(anna.library, 'a.txt', 'kept')
  expect(await anna.refusal('getBackups', {})).toBe('noPermission')
  expect(await admin.call('getBackups', {})).toMatchObject({
    list: [],
    backupTime: 0,
    running: null,
    folder: backupDir,
  })
  const idle = () =>
    expect.poll(async () => (await admin.call('getBackups', {})).running, { timeout: 120_000 }).toBeNull()

  await admin.call('backUpNow', {})
  await idle()
  const made = await admin.call('getBackups', {})
  expect(made.problem).toBe('')
  expect(made.list).toHaveLength(1)
  expect(made.list[0]).toMatchObject({ checkedAt: 0, problems: [], damaged: 0 })
  expect(made.list[0]?.contents).toBeGreaterThan(0)
  expect((await admin.call('getOverview', {})).health.backupTime).toBe(made.backupTime)

  const name = made.list[0]?.name ?? ''
  expect(await admin.refusal('checkBackup', { name: '2020-01-01T00-00-00.000Z' })).toBe('notFound')
  await admin.call('checkBackup', { name })
  await idle()
  const [whole] = (await admin.call('getBackups', {})).list
  expect(whole?.checkedAt).toBeGreaterThan(0)
  expect(whole?.problems).toEqual([])

  const [table = ''] = await readdir(join(backupDir, name, 'tables'))
  await writeFile(join(backupDir, name, 'tables', table), 'altered')
  await admin.call('checkBackup', { name })
  await idle()
  const [broken] = (await admin.call('getBackups', {})).list
  expect(broken?.problems).toEqual([`${join(backupDir, name, 'tables', table)} is damaged`])
})

test('two backups at once are refused, and a folder that cannot be written is told', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-console-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const backupDir = join(folder, 'file')
  await writeFile(backupDir, '')
  const world = await openWorld({ backupDir })
  const admin = await world.admin()
  const both = await Promise.all([admin.wire('backUpNow', {}), admin.wire('backUpNow', {})])
  expect(new Set(both.map(({ code }) => code))).toEqual(new Set(['duplicateOperation', 'success']))
  await expect.poll(async () => (await admin.call('getBackups', {})).running, { timeout: 120_000 }).toBeNull()
  expect((await admin.call('getBackups', {})).problem).toMatch(/ENOTDIR|EEXIST/)
})
