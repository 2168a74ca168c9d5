// Which managers a user may ask for rights.
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/harness.ts'

test('who sees an item is told the owner of its library, and who does not see it is told nothing', async () => {
  const world = await openWorld({ elected: false })
  const anna = await world.person('anna')
  const ben = await world.person('ben')
  const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: '资料' })
  const fileId = await anna.upload(folderId, 'a.txt', 'x')
  expect(await ben.refusal('getItemManagers', { fileId })).toBe('notFound')
  await anna.shares({ fileId }, [{ to: ben, rights: 2 }])
  expect((await ben.call('getItemManagers', { fileId })).list.map(({ userId }) => userId)).toEqual([anna.userId])
  expect(await ben.refusal('getItemManagers', { folderId })).toBe('notFound')
  expect(await ben.refusal('getItemManagers', { fileId, folderId })).toBe('badRequest')
})
