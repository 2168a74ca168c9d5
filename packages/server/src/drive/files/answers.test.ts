// What writes and lists return to a program: how an item is now stored, what its content is, and a readable error
// message.
import { createHash } from 'node:crypto'
import { type Answer, calls } from '@cloudoc/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Person, sharedWorld, wireOf } from '../../../test/harness.ts'

const world = sharedWorld()
let anna: Person
let folderId: number
let runs = 0

beforeEach(async () => {
  anna = await world.person(`anna${(runs += 1)}`)
  folderId = await anna.folder(anna.library, '合同')
})

const stored = async (fileId: number) => {
  const { fName, parentFolderId, version, createTime, modifyTime } = await anna.call('getFileInfo', { fileId })
  return { fName, parentFolderId, version, createTime, modifyTime }
}

describe('a write answers how the item is stored now', () => {
  test('made, uploaded under a number or as a version, and renamed', async () => {
    const folder = await anna.call('folderCreate', { parentId: folderId, folderName: ' 甲 ' })
    expect(folder).toMatchObject({ fName: '甲', parentFolderId: folderId, version: 0 })
    // The record has the form used in lists, so the creator can display the item without another request.
    expect(folder.item).toEqual(await anna.call('getFolderInfo', { folderId: folder.folderId }))
    const made = await anna.call('fileCreate', { folderId, fileName: 'e\u0301.txt' })
    const item = await anna.call('getFileInfo', { fileId: made.fileId })
    expect(made).toEqual({ fileId: made.fileId, ...(await stored(made.fileId)), item })
    expect(made.fName).toBe('é.txt')
    for (const [conflict, version] of [
      ['keepBoth', 1],
      ['version', 2],
    ] as const) {
      const { data } = await anna.uploadWire(folderId, 'é.txt', conflict, { conflict })
      const { fileId, fileSize, sha256, ...rest } = data as Awaited<ReturnType<typeof stored>> & {
        fileId: number
        fileSize: number
        sha256: string
      }
      expect(rest).toEqual(await stored(fileId))
      expect(rest.version).toBe(version)
      expect([fileSize, sha256]).toEqual([conflict.length, sha256Of(conflict)])
    }
    const renamed = await anna.call('renameFile', { fileId: made.fileId, fileName: 'b.txt  ' })
    expect(renamed).toEqual(await stored(made.fileId))
    expect(renamed).toMatchObject({ fName: 'b.txt', version: 2 })
  })

  test('moved, copied and restored, each item by itself', async () => {
    const fileId = await anna.upload(folderId, 'a.txt')
    const targetFolderId = await anna.folder(anna.library, '乙')
    await anna.upload(targetFolderId, 'a.txt')
    const told = async ([one]: Answer<(typeof calls)['fileOrFolderMove']>) => {
      const { id: _id, fType: _fType, result: _result, msg: _msg, fId = 0, name, ...rest } = one ?? expect.fail()
      expect({ fName: name, ...rest }).toEqual(await stored(fId))
      return rest.parentFolderId
    }
    await anna.call('fileOrFolderDelete', { fileIdArray: [fileId] })
    expect(await told(await anna.call('recycleRestore', { fileIdArray: [fileId] }))).toBe(folderId)
    for (const call of ['fileOrFolderCopy', 'fileOrFolderMove'] as const) {
      const answer = await anna.call(call, { targetFolderId, fileIdArray: [fileId], conflict: 'keepBoth' })
      expect(await told(answer)).toBe(targetFolderId)
    }
  })

  test('a folder that the caller may not see is not told', async () => {
    const ben = await world.person(`ben${runs}`)
    const fileId = await anna.upload(folderId, 'a.txt')
    await anna.shares({ fileId }, [{ to: ben, rights: 510 }])
    const renamed = await ben.call('renameFile', { fileId, fileName: 'b.txt' })
    expect(renamed).toMatchObject({ fName: 'b.txt', parentFolderId: 0 })
  })

  test('an upload in parts that is completed again answers the same', async () => {
    const { uploadId } = await anna.call('uploadOpen', { folderId, fileName: 'p.txt', fileSize: 4 })
    await anna.uploadPart(uploadId, 1, 'part')
    const first = await anna.call('uploadComplete', { uploadId })
    expect(first).toMatchObject(await stored(first.fileId))
    expect(await anna.call('uploadComplete', { uploadId })).toEqual(first)
  })
})

const sha256Of = (content: string): string => createHash('sha256').update(content).digest('hex')

describe('the sha256 of a content', () => {
  test('stands in lists that ask for it and in the list of versions, for who may read the content alone', async () => {
    const ben = await world.person(`ben${runs}`)
    const fileId = await anna.upload(folderId, 'a.txt', 'one')
    await anna.upload(folderId, 'a.txt', 'two', { conflict: 'version' })
    await anna.folder(folderId, 'below')
    await anna.call('fileOrFolderLink', { targetFolderId: folderId, fileIdArray: [fileId], conflict: 'keepBoth' })
    const hashes = async (who: Person) => {
      const { list } = await who.call('getSubItemList3', { folderId, fields: 'sha256' })
      return list.filter(({ sha256 }) => sha256 !== undefined).map(({ fName, sha256 }) => [fName, sha256])
    }
    const versions = async (who: Person) =>
      (await who.call('getVersionList', { fileId, from: 0, rows: 60 })).list.map(({ sha256 }) => sha256)
    expect(await hashes(anna)).toEqual([['a.txt', sha256Of('two')]])
    expect(await versions(anna)).toEqual([sha256Of('two'), sha256Of('one')])
    const { list } = await anna.call('getSubItemList3', { folderId })
    expect(list.some((item) => 'sha256' in item)).toBe(false)
    await anna.shares({ folderId }, [{ to: ben, rights: 2 }])
    expect([await hashes(ben), await versions(ben)]).toEqual([[], ['', '']])
  })
})

describe('what was wrong is told in words', () => {
  test('a batch of which a part was done says how much', async () => {
    const fileIdArray = [await anna.upload(folderId, 'a.txt'), 999_999_999, await anna.upload(folderId, 'b.txt')]
    const some = await anna.wire('fileOrFolderDelete', { fileIdArray })
    expect(some).toMatchObject({ code: 'notFound', msg: '3 项中完成了 2 项；未完成的第一项：不存在或已被删除' })
    const none = await anna.wire('fileOrFolderDelete', { fileIdArray: [999_999_999] })
    expect(none).toMatchObject({ code: 'notFound', msg: '不存在或已被删除' })
  })

  test('ids, missing fields, choices, JSON that breaks off, parts that are not those of the file', async () => {
    const ask = async (url: string, payload?: string) => {
      const headers = {
        authorization: `Bearer ${anna.token}`,
        'accept-language': 'en',
        ...(payload !== undefined && { 'content-type': 'application/json' }),
      }
      const method = payload === undefined ? ('GET' as const) : ('POST' as const)
      return wireOf(await world.app.http.inject({ method, url, headers, ...(payload !== undefined && { payload }) }))
        .msg
    }
    expect(await ask('/services2/file/query/getFileInfo/abc')).toContain(
      'fileId: a whole number is expected, or its digits as a text',
    )
    expect(await ask(calls.renameFile.path, '{"fileId":1}')).toContain('fileName: is missing')
    expect(await ask(calls.renameFile.path, '{"fileId":1,')).toMatch(/the body is no JSON \(at (position \d+|its end)/)
    expect(await ask(`/services2/file/query/getSubItemList3/${folderId}?sort=colour`)).toContain(
      'sort: one of name, time',
    )
    const { uploadId } = await anna.call('uploadOpen', { folderId, fileName: 'p.txt', fileSize: 4 })
    expect((await anna.uploadPart(uploadId, 1, 'partly')).msg).toContain('第 1 个分片应为 4 字节，收到 6 字节')
    expect((await anna.uploadPart(uploadId, 2, 'part')).msg).toContain('文件只有 1 个分片，没有第 2 个')
  })
})
