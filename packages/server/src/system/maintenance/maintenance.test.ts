// Maintenance mode: who may still use the server, and what the others are told.
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/harness.ts'

test('in maintenance mode only system administrators come in, the others are told why, and it ends by itself', async () => {
  const world = await openWorld({ elected: false })
  const admin = await world.admin()
  const anna = await world.person('anna')
  await admin.call('setServerSetting', { maintenance_mode: true, maintenance_text: 'bis 22:00' })
  const refused = await anna.wire('getSubItemList3', { folderId: anna.library })
  expect(refused.code).toBe('maintenance')
  expect(refused.msg).toContain('bis 22:00')
  await expect(anna.refusal('folderCreate', { parentId: anna.library, folderName: 'x' })).resolves.toBe('maintenance')
  const again = await world.wire('login3', { userName: 'anna', password: 'wrong', clientType: 6 })
  expect(again.code).not.toBe('maintenance')
  await admin.call('getJobs', {})
  await admin.folder(admin.library, 'open')
  await admin.call('setServerSetting', { maintenance_mode: false })
  await anna.folder(anna.library, 'back')
})
