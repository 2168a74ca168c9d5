// What is recorded for a file's log, independent of its readers ([R190], X9).
import { LogBit } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/harness.ts'

test('[R190] each change of an item is written down by the kind that its log knows', async () => {
  const world = await openWorld()
  const anna = await world.person('anna')
  const folder = await anna.folder(anna.library, 'folder')
  const fileId = await anna.upload(folder, 'a.txt', 'first')
  await anna.upload(folder, 'a.txt', 'second', { conflict: 'version' })
  await anna.call('renameFile', { fileId, fileName: 'b.txt' })
  await anna.call('fileOrFolderMove', { fileIdArray: [fileId], targetFolderId: anna.library })
  await anna.shares({ fileId }, [])
  await anna.call('fileEditLock', { fileId })
  await anna.submit(fileId, 2, 'third')
  await anna.call('fileOrFolderDelete', { fileIdArray: [fileId] })
  await anna.call('recycleRestore', { fileIdArray: [fileId] })
  const rows = await world.app.db
    .selectFrom('audit')
    .select('detail')
    .where('account_id', '=', anna.userId)
    .orderBy('id')
    .execute()
  const names = new Map(Object.entries(LogBit).map(([name, bit]) => [bit as number, name]))
  const logs = rows.flatMap(({ detail }) => names.get((detail as { log?: number }).log ?? 0) ?? [])
  expect(logs).toEqual([
    'add',
    'add',
    'edit',
    'rename',
    'cut',
    'permissionChange',
    'startEdit',
    'edit',
    'delete',
    'restore',
  ])
})
