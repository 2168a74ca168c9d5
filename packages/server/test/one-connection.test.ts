// Whoever holds a connection waits for no other one: transactions that did would wait for each other, all of them, until
// none is waited for any more.
import { rightsGroup } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { openWorld } from './harness.ts'
import { contract } from './signing.ts'

test('with a single connection of the database calls are answered, and their events are read', async () => {
  const world = await openWorld({ connections: 1, elected: false })
  const admin = await world.admin()
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  await admin.call('setServerSetting', { user_space: 1_000_000, search_ocr: true })
  const folderId = await anna.folder(anna.library, '合同')
  const fileId = await anna.upload(folderId, '合同.pdf', await contract())
  await anna.call('renameFile', { fileId, fileName: '合同（终稿）.pdf' })
  await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.edit }])
  const link = { fileId, rights: 4, endTime: Date.now() + 3_600_000, mailArray: ['wang@example.com'] }
  expect(await anna.refusal('externalCreate', link)).toBe('mailNotSetUp')
  await anna.call('fileOrFolderDelete', { fileIdArray: [await anna.upload(folderId, '旧.txt', 'x')] })
  await world.app.settle()
  expect(await ben.names(folderId)).toEqual(['合同（终稿）.pdf'])
})
