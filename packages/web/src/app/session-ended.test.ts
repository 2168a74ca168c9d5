// @vitest-environment happy-dom
// What a browser has kept of an account whose session was ended elsewhere: by an administrator, by another device, or
// while the page was closed.
import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { fakeApi, refused, unreachable } from '../../test/fake-api.ts'
import { loadSession } from '../core/session/session.ts'
import { offlineFiles, storeOfflineCopy } from '../core/storage/offline-copies.ts'
import { recordAnswer, visitedFolders } from './offline/visited-folders.ts'
import { prepare } from './start.ts'

prepare()

const kept = async () => ({
  files: (await offlineFiles(7)).map(({ fileId }) => fileId),
  folders: (await visitedFolders(7)).map(({ name }) => name),
})

beforeEach(async () => {
  const now = Date.now()
  const about = {
    fileId: 5,
    version: 1,
    name: 'a.txt',
    fileSize: 3,
    form: 'original',
    type: 'text/plain',
    size: 3,
  } as const
  const times = { keptAt: now, seenAt: now, allowedAt: now }
  await storeOfflineCopy(7, { ...about, ...times, marked: true }, new Uint8Array(3).buffer, 1000)
  document.cookie = 'cloudoc_account=7; Path=/'
  await recordAnswer(7, 'getFolderInfo2', { folderId: 3 }, { folder: { fName: '现场' }, ancestors: [] })
  await recordAnswer(7, 'getSubItemList3', { folderId: 3 }, { list: [], total: 0 })
})

test('a start that finds its session ended deletes the files and folders that the browser kept', async () => {
  expect(await kept()).toEqual({ files: [5], folders: ['现场'] })
  fakeApi({ getMyAccountInfo: refused('notLoggedIn') })
  expect(await loadSession()).toBeUndefined()
  await vi.waitFor(async () => expect(await kept()).toEqual({ files: [], folders: [] }))
  expect(document.cookie).not.toContain('cloudoc_account')
})

test('a server that is away ends no session: what the browser kept stays', async () => {
  fakeApi({ getMyAccountInfo: unreachable })
  await expect(loadSession()).rejects.toThrow('')
  expect(await kept()).toEqual({ files: [5], folders: ['现场'] })
})
