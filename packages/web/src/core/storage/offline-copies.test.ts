import 'fake-indexeddb/auto'
import { beforeEach, expect, it } from 'vitest'
import {
  forgetAllOfflineCopies,
  forgetOfflineCopies,
  forgetOfflineCopiesOfOthers,
  offlineFiles,
  readOfflineCopy,
  storeOfflineCopy,
  trimOfflineCopies,
  updateOfflineFile,
} from './offline-copies.ts'

const day = 24 * 3600_000
const bytes = (size: number): ArrayBuffer => new Uint8Array(size).fill(7).buffer
/** Stores a file of this size, opened at this time. */
function keepOne(fileId: number, size: number, seenAt: number, room = 1000, accountId = 7): Promise<void> {
  const about = {
    fileId,
    version: 1,
    name: `${fileId}.txt`,
    fileSize: size,
    form: 'original',
    type: 'text/plain',
  } as const
  const now = Date.now()
  return storeOfflineCopy(accountId, { ...about, size, keptAt: now, seenAt, allowedAt: now }, bytes(size), room)
}
const ids = async (accountId = 7): Promise<number[]> => (await offlineFiles(accountId)).map(({ fileId }) => fileId)

beforeEach(() => forgetAllOfflineCopies(7))

it('[R067] what was opened is kept within its room, and what was opened longest ago makes room', async () => {
  await keepOne(1, 400, 1)
  await keepOne(2, 400, 2)
  await updateOfflineFile(7, 1, { seenAt: 3 })
  expect(await ids()).toEqual([1, 2])
  await keepOne(3, 400, 4)
  expect(await ids(), 'the second was opened longest ago').toEqual([3, 1])
  const kept = await readOfflineCopy(7, 3)
  expect([kept?.name, kept?.content.type, kept?.content.size]).toEqual(['3.txt', 'text/plain', 400])
  expect(await readOfflineCopy(7, 2)).toBeUndefined()
  await trimOfflineCopies(7, 500)
  expect(await ids()).toEqual([3])
  await trimOfflineCopies(7, 0)
  expect(await ids()).toEqual([])
})

it('[R067] is for its account alone, and gone for whoever signs in after it', async () => {
  await keepOne(1, 10, 1)
  await keepOne(2, 10, 1, 1000, 8)
  expect([await ids(7), await ids(8)]).toEqual([[1], [2]])
  await forgetOfflineCopiesOfOthers(8)
  expect([await ids(7), await ids(8)]).toEqual([[], [2]])
})

it('[R067] goes one by one, and by itself when nobody has confirmed it for thirty days', async () => {
  await keepOne(1, 10, 1)
  await keepOne(2, 10, 2)
  await keepOne(3, 10, 3)
  await forgetOfflineCopies(7, [2])
  await updateOfflineFile(7, 1, { allowedAt: Date.now() - 31 * day })
  expect(await ids()).toEqual([3])
  expect(await readOfflineCopy(7, 1)).toBeUndefined()
})
