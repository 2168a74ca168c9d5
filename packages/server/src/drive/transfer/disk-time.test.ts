// The modification time of a file on its source disk, stored beside the server's time: for every kind of upload, and in
// a downloaded zip.
import { beforeAll, expect, test } from 'vitest'
import yauzl from 'yauzl'
import { type Person, sharedWorld } from '../../../test/harness.ts'

const world = sharedWorld()
const then = Date.UTC(2019, 4, 17, 8, 30, 12)

let anna: Person
beforeAll(async () => {
  anna = await world.person('anna')
})

const recordOf = (fileId: number) => anna.call('getFileInfo', { fileId })

/** The file id in a wire response. */
const made = ({ data }: { data: unknown }): number => (data as { fileId: number }).fileId

const ways: [way: string, send: (name: string, lastModified: string) => Promise<number>][] = [
  ['a raw body', async (name, lastModified) => made(await anna.uploadWire(anna.library, name, 'x', { lastModified }))],
  [
    'a form',
    async (fileName, lastModified) => made(await anna.uploadForm({ folderId: anna.library, fileName, lastModified })),
  ],
  [
    'parts',
    async (fileName, lastModified) => {
      const open = { folderId: anna.library, fileName, fileSize: 1, lastModified: Number(lastModified) }
      const { uploadId } = await anna.call('uploadOpen', open)
      await anna.uploadPart(uploadId, 1, 'x')
      return (await anna.call('uploadComplete', { uploadId })).fileId
    },
  ],
  [
    'tus',
    async (filename, lastModified) => {
      const metadata = Object.entries({ folderId: String(anna.library), filename, lastModified })
      const { headers } = await world.app.http.inject({
        method: 'POST',
        url: '/services2/upload/tus',
        headers: {
          authorization: `Bearer ${anna.token}`,
          'tus-resumable': '1.0.0',
          'upload-length': '1',
          'content-type': 'application/offset+octet-stream',
          'upload-metadata': metadata.map(([k, v]) => `${k} ${Buffer.from(v).toString('base64')}`).join(','),
        },
        payload: 'x',
      })
      return Number(headers['cloudoc-file-id'])
    },
  ],
]

// [R197] A file retains its modification time from the disk, beside the server's, by every way of uploading.
test.each(ways)('[R197] %s brings the time on the disk, and the server’s own stays', async (way, send) => {
  const before = Date.now()
  const { diskTime, createTime, modifyTime } = await recordOf(await send(`${way}.txt`, String(then)))
  expect(diskTime).toBe(then)
  for (const time of [createTime, modifyTime]) expect(time).toBeGreaterThanOrEqual(before)
})

test('[R197] who does not say it has none, and what is no time is refused', async () => {
  expect((await recordOf(await anna.upload(anna.library, 'unsaid.txt'))).diskTime).toBe(0)
  for (const lastModified of ['-1', 'yesterday', '1e30']) {
    expect((await anna.uploadWire(anna.library, 'refused.txt', 'x', { lastModified })).code).toBe('badRequest')
  }
})

test('[R197] each version has its own, a copy that of its source, and each place that tells of the file says the same', async () => {
  const folderId = await anna.folder(anna.library, 'times')
  const fileId = made(await anna.uploadWire(folderId, 'a.txt', 'one', { lastModified: String(then) }))
  await anna.uploadWire(folderId, 'a.txt', 'two', { conflict: 'version', lastModified: String(then + 5000) })
  await anna.upload(folderId, 'a.txt', 'three', { conflict: 'version' })
  const times = async () => {
    const { list } = await anna.call('getVersionList', { fileId, from: 0, rows: 9 })
    return list.map(({ diskTime }) => diskTime)
  }
  expect(await times()).toEqual([0, then + 5000, then])
  expect((await recordOf(fileId)).diskTime).toBe(0)
  await anna.call('fileEditLock', { fileId })
  const { version } = await recordOf(fileId)
  const query = new URLSearchParams({ version: String(version), lastModified: String(then + 9000) })
  await world.app.http.inject({
    method: 'PUT',
    url: `/services2/upload/submit/${fileId}?${query.toString()}`,
    headers: { authorization: `Bearer ${anna.token}`, 'content-type': 'application/octet-stream' },
    payload: 'four',
  })
  expect((await times())[0]).toBe(then + 9000)

  const target = await anna.folder(anna.library, 'copies')
  await anna.call('fileOrFolderCopy', { targetFolderId: target, fileIdArray: [fileId], folderIdArray: [folderId] })
  const { list } = await anna.call('getSubItemList3', { folderId: target, rows: 9 })
  const copy = list.find(({ fType }) => fType === 1)
  const inner = await anna.call('getSubItemList3', {
    folderId: list.find(({ fType }) => fType === 2)?.fId ?? 0,
    rows: 9,
  })
  expect([copy?.diskTime, inner.list[0]?.diskTime]).toEqual([then + 9000, then + 9000])
  expect((await anna.call('getVersionList', { fileId: copy?.fId ?? 0, from: 0, rows: 9 })).list[0]?.diskTime).toBe(
    then + 9000,
  )
})

// [R202] A zip keeps each file's modification time.
test('[R202] a zip gives each file the time that it had on the disk, and the server’s where none is known', async () => {
  const folderId = await anna.folder(anna.library, 'zipped')
  await anna.uploadWire(folderId, 'old.txt', 'x', { lastModified: String(then) })
  const fileId = await anna.upload(folderId, 'unsaid.txt')
  const answer = await world.app.http.inject({
    method: 'GET',
    url: `/DownloadMultiFile?files=fo_${folderId}`,
    headers: { authorization: `Bearer ${anna.token}` },
  })
  const zip = await yauzl.fromBufferPromise(answer.rawPayload)
  const times = new Map<string, number>()
  for await (const entry of zip.eachEntry()) times.set(entry.fileName, entry.getLastModDate().getTime())
  // Zip timestamps have a resolution of two seconds unless an extra field is more precise.
  const near = (name: string, time: number) =>
    expect(Math.abs((times.get(`zipped/${name}`) ?? 0) - time)).toBeLessThan(2001)
  near('old.txt', then)
  near('unsaid.txt', (await recordOf(fileId)).modifyTime)
})
