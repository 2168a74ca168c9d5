// Tests notes on files through the calls: the feature gets everything that the lists register from its record.
import { isFrame, pushes } from '@cloudoc/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/harness.ts'
import { lineOf } from '../../people/digest/line.ts'

test('a sticker is stuck on, told, counted, taken off by whose it is alone, and goes with its file and with time', async () => {
  const world = await openWorld({ metricsToken: 'm' })
  const [anna, ben, carl] = [await world.person('anna'), await world.person('ben'), await world.person('carl')]
  const { db } = world.app
  const left = async () => (await db.selectFrom('sticker').select('account_id').execute()).length
  const folderId = await anna.folder(anna.library, 'f')
  await anna.shares({ folderId }, [{ to: ben, rights: 6 }])
  const fileId = await anna.upload(folderId, 'a.txt')
  const live = await anna.listen()

  // An item that carl cannot see, or another user's sticker, does not exist for him.
  expect(await carl.refusal('stickOn', { fileId })).toBe('notFound')
  await ben.call('stickOn', { fileId })
  expect(await live.next((frame) => isFrame(frame, 'stuck'))).toMatchObject({ data: { fileId } })
  // The notice is stored, and the digest mail has its sentence.
  const [notice] = (await anna.call('getNoticeList', { group: 'reminder' })).list
  expect(notice?.pushType).toBe(pushes.stuck.type)
  const payload = JSON.parse(notice?.message ?? '{}') as object
  expect(lineOf(pushes, { pushType: pushes.stuck.type, group: 'reminder', payload }, 'en')).toEqual({
    text: `Somebody stuck a note on the file ${fileId}`,
    path: `/doc/folder/files?itemIdStr=s0f${fileId}`,
  })
  expect(await anna.refusal('takeOff', { fileId })).toBe('notFound')
  await expect.poll(async () => (await db.selectFrom('sticker').select('stamped').execute())[0]?.stamped).toBe(true)
  expect((await ben.call('getCounters', {})).list).toContainEqual({ name: 'stickers', count: 1 })
  const { body } = await world.app.http.inject({ url: '/metrics', headers: { authorization: 'Bearer m' } })
  expect(body).toContain('cloudoc_stickers 1')
  await ben.call('takeOff', { fileId })
  expect(await left()).toBe(0)

  // The reaction to a deletion, and the periodic job, which uses the feature's setting.
  await ben.call('stickOn', { fileId })
  await anna.call('fileOrFolderDelete', { fileIdArray: [fileId] })
  expect(await left()).toBe(0)
  const other = await anna.upload(folderId, 'b.txt')
  await ben.call('stickOn', { fileId: other })
  await sql`update sticker set stuck_at = 1`.execute(db)
  await expect.poll(left).toBe(0)
})
