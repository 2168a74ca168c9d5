// Files of conversations: in parts and resumed, their largest size, rules for sensitive content, and search by name.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { codes, limits, newSensitiveRule } from '@cloudoc/domain'
import { describe, expect, test } from 'vitest'
import { longTest } from '../../../test/full.ts'
import { openWorld, type Person, sharedWorld, type World } from '../../../test/harness.ts'
import { removeExpiredFiles } from './files.ts'

const world = sharedWorld()

const putIn =
  (own: World) =>
  async (person: Person, url: string, payload: Buffer): Promise<{ result: number; data: unknown }> =>
    (
      await own.app.http.inject({
        method: 'PUT',
        url: `/im/api/file/upload${url}`,
        headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/octet-stream' },
        payload,
      })
    ).json()
const put = putIn(world)
const whole = (conversationId: number, fileName: string): string =>
  `?${new URLSearchParams({ conversationId: String(conversationId), fileName }).toString()}`

const pair = async (own: World = world) => {
  const [anna, ben] = [await own.person('anna'), await own.person('ben')]
  return { anna, ben, conversationId: (await anna.call('imOpenChat', { userId: ben.userId })).conversationId }
}

describe('uploads in parts', () => {
  test('[R293] an interrupted upload goes on where it was, on another process, and makes one file', async () => {
    const first = await openWorld({ partBytes: 1000, elected: false })
    const second = await openWorld({ peer: first, partBytes: 1000 })
    const { anna, ben, conversationId } = await pair(first)
    const content = randomBytes(2500)
    const sha256 = createHash('sha256').update(content).digest('hex')
    const { uploadId, partSize } = await anna.call('imUploadOpen', {
      ...{ conversationId, fileName: '图纸.bin', fileSize: content.length, sha256 },
    })
    expect(partSize).toBe(1000)
    const part = (own: World, number: number, bytes: Buffer) =>
      putIn(own)(anna.at(own), `/part/${conversationId}/${uploadId}/${number}`, bytes)
    const slice = (number: number) => content.subarray((number - 1) * 1000, number * 1000)
    expect((await part(first, 1, slice(1))).result).toBe(codes.success.code)
    expect((await part(first, 2, slice(2).subarray(0, 10))).result).toBe(codes.uploadInterrupted.code)
    expect((await part(first, 2, Buffer.alloc(1001))).result).toBe(codes.badRequest.code)
    expect((await part(first, 4, slice(1))).result).toBe(codes.badRequest.code)
    const ids = { conversationId, uploadId }
    expect(await anna.refusal('imUploadComplete', ids)).toBe('uploadNotFinished')
    // Somebody else does not know it.
    expect(await ben.refusal('imUploadStatus', ids)).toBe('notFound')
    const there = anna.at(second)
    expect(await there.call('imUploadStatus', ids)).toEqual({ partSize: 1000, parts: [1] })
    // A part that is sent again, also with other bytes, is the last one sent.
    for (const [number, bytes] of [
      [2, Buffer.alloc(1000)],
      [3, slice(3)],
      [2, slice(2)],
    ] as const)
      expect((await part(second, number, bytes)).result).toBe(codes.success.code)
    const made = await Promise.all([there.call('imUploadComplete', ids), anna.call('imUploadComplete', ids)])
    expect(new Set(made.map(({ fileId }) => fileId)).size).toBe(1)
    const { fileId } = await anna.call('imUploadComplete', ids)
    await anna.call('imSend', { conversationId, uuid: randomUUID(), type: 'file', fileId })
    const read = await first.app.http.inject({
      url: `/im/api/file/${conversationId}/${fileId}`,
      headers: { authorization: `Bearer ${ben.token}` },
    })
    expect(read.rawPayload.equals(content)).toBe(true)
    expect((await part(first, 1, slice(1))).result).toBe(codes.duplicateOperation.code)
    // A process that ended before it looked at the content leaves that to the next request.
    await first.app.db.updateTable('talk_file').set({ is_checking: true }).where('id', '=', fileId).execute()
    await anna.call('imUploadComplete', ids)
    const checking = await first.app.db.selectFrom('talk_file').select('is_checking').execute()
    expect(checking).toEqual([{ is_checking: false }])
    const left = await anna.call('imUploadOpen', { conversationId, fileName: 'b.bin', fileSize: 10 })
    await anna.call('imUploadAbort', { conversationId, uploadId: left.uploadId })
  })

  // [R298] A file of 524,288,000 bytes is accepted, one more is refused before its bytes are sent.
  test('[R298] a file of 524,288,000 bytes is accepted, one more is refused', async () => {
    const { anna, conversationId } = await pair()
    const opened = (fileSize: number) => anna.wire('imUploadOpen', { conversationId, fileName: 'a.bin', fileSize })
    expect((await opened(limits.largestTalkFile)).code).toBe('success')
    expect((await opened(limits.largestTalkFile + 1)).code).toBe('uploadSizeExceeded')
    expect(limits.largestTalkFile).toBe(524_288_000)
  })

  longTest('[R298] the bytes of the largest file arrive', async () => {
    const { anna, ben, conversationId } = await pair()
    const { uploadId, partSize } = await anna.call('imUploadOpen', {
      ...{ conversationId, fileName: '最大.bin', fileSize: limits.largestTalkFile },
    })
    for (let at = 0; at < limits.largestTalkFile; at += partSize) {
      const bytes = Buffer.alloc(Math.min(partSize, limits.largestTalkFile - at), at / partSize)
      const sent = await put(anna, `/part/${conversationId}/${uploadId}/${at / partSize + 1}`, bytes)
      expect(sent.result).toBe(codes.success.code)
    }
    const { fileId, size } = await anna.call('imUploadComplete', { conversationId, uploadId })
    expect(size).toBe(limits.largestTalkFile)
    await anna.call('imSend', { conversationId, uuid: randomUUID(), type: 'file', fileId })
    const { list } = await ben.call('imShares', { conversationId, kind: 'file' })
    expect(list[0]?.data).toMatchObject({ size: limits.largestTalkFile, name: '最大.bin' })
  })
})

test('files are found by their names', async () => {
  const { anna, ben, conversationId } = await pair()
  const sent = await put(anna, whole(conversationId, '年度采购汇总.xlsx'), randomBytes(20))
  const { fileId } = sent.data as { fileId: number }
  await anna.call('imSend', { conversationId, uuid: randomUUID(), type: 'file', fileId })
  const found = async (input: object) =>
    (await ben.call('imSearch', { keyword: '', ...input })).list.map(({ message }) => message.data.name)
  expect(await found({ keyword: '采购汇总' })).toEqual(['年度采购汇总.xlsx'])
  expect(await found({ keyword: '汇总', kind: 'file', conversationId, userId: anna.userId })).toEqual([
    '年度采购汇总.xlsx',
  ])
  expect(await found({ kind: 'file', conversationId })).toEqual(['年度采购汇总.xlsx'])
  expect(await found({ keyword: '汇总', userId: ben.userId })).toEqual([])
})

// [R293] A file of a conversation ends after the days that the company has set; what was saved to the drive stays.
test('[R293] a file ends after the days that the company has set; a copy on the drive stays', async () => {
  let time = Date.now()
  const own = await openWorld({ now: () => time })
  const { anna, ben, conversationId } = await pair(own)
  await (await own.admin()).call('setServerSetting', { im_file_days: 7 })
  const sent = await putIn(own)(anna, whole(conversationId, '方案.txt'), Buffer.from('content'))
  const { fileId } = sent.data as { fileId: number }
  await anna.call('imSend', { conversationId, uuid: randomUUID(), type: 'file', fileId })
  const shown = async () => (await ben.call('imHistory', { conversationId })).list.at(-1)?.data
  expect((await shown())?.expiresAt).toBe(time + 7 * 24 * 60 * 60_000)
  const stranger = await own.person('stranger')
  const folderId = ben.library
  expect(await stranger.refusal('imSaveToDrive', { conversationId, fileId, folderId: stranger.library })).toBe(
    'notFound',
  )
  expect(await ben.refusal('imSaveToDrive', { conversationId, fileId, folderId: anna.library })).toBe('notFound')
  const saved = await ben.call('imSaveToDrive', { conversationId, fileId, folderId })
  expect(saved.fName).toBe('方案.txt')
  time += 8 * 24 * 60 * 60_000
  await removeExpiredFiles(own.app.db, time)
  const later = await own.signIn(ben.account)
  expect((await later.call('imHistory', { conversationId })).list.at(-1)?.data).toMatchObject({ expired: true })
  expect(await later.refusal('imSaveToDrive', { conversationId, fileId, folderId })).toBe('notFound')
  expect((await later.download(saved.fileId)).body).toBe('content')
})

// [R256] What is written, uploaded or forwarded in conversations and breaks a rule for sensitive content is refused (-68).
test('[R256] names and contents of files, links and forwarded messages are refused where a rule finds something', async () => {
  const own = await openWorld()
  const { anna, ben, conversationId } = await pair(own)
  const admin = await own.admin()
  const cara = await own.person('cara')
  const other = await anna.call('imOpenChat', { userId: cara.userId })
  const early = await anna.call('imSend', { conversationId, uuid: randomUUID(), type: 'text', value: '绝密计划' })
  await admin.call('saveSensitiveRule', { rule: { ...newSensitiveRule, name: '词', words: ['绝密'], action: 'block' } })
  const send = putIn(own)
  const text = (name: string, body: string) => send(anna, whole(conversationId, name), Buffer.from(body))
  for (const [name, body] of [
    ['绝密.bin', 'x'],
    ['计划.txt', `第一行\n这是绝密内容`],
  ] as const)
    expect((await text(name, body)).result, name).toBe(codes.sensitiveFile.code)
  expect(await anna.refusal('imUploadOpen', { conversationId, fileName: '绝密.bin', fileSize: 9 })).toBe(
    'sensitiveFile',
  )
  const link = { conversationId, uuid: randomUUID(), type: 'link', url: 'https://example.com', name: '绝密' } as const
  expect(await anna.refusal('imSend', link)).toBe('sensitiveFile')
  for (const merged of [false, true])
    expect(
      await ben.refusal('imForward', {
        ...{ conversationId, from: conversationId, numbers: [early.number], merged, uuid: randomUUID() },
      }),
    ).toBe('sensitiveFile')
  // Nothing that was refused can be sent.
  const rows = await own.app.db.selectFrom('talk_file').select(['id', 'blob_id']).execute()
  expect(rows.map(({ blob_id: blob }) => blob)).toEqual([null])
  for (const { id: fileId } of rows)
    expect(await anna.refusal('imSend', { conversationId, uuid: randomUUID(), type: 'file', fileId })).toBe('notFound')
  const fine = await text('普通.txt', '普通的话')
  expect(fine.result).toBe(codes.success.code)
  const { fileId } = fine.data as { fileId: number }
  const { number } = await anna.call('imSend', { conversationId, uuid: randomUUID(), type: 'file', fileId })
  const to = { conversationId: other.conversationId, from: conversationId, numbers: [number], uuid: randomUUID() }
  expect((await anna.call('imForward', to)).list[0]?.data.name).toBe('普通.txt')
})
