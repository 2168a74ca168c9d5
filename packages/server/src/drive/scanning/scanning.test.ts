// Uploaded content is scanned asynchronously; infected files are blocked.
import { codes } from '@cloudoc/domain'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { startClamd } from '../../../test/clamd-server.ts'
import { startDebianClamd } from '../../../test/debian-clamd.ts'
import { longTest } from '../../../test/full.ts'
import { openWorld, type Person } from '../../../test/harness.ts'

const eicar = 'Eicar-Test-Signature'
const codeOf = async (person: Person, fileId: number, query: Record<string, string> = {}) => {
  const response = await person.download(fileId, query)
  return response.statusCode === 200 ? 'success' : response.json<{ result: number }>().result
}
const notices = async (person: Person) =>
  (await person.call('getNotices', {})).groups
    .flatMap(({ list }) => list)
    .map(({ message }) => JSON.parse(message) as { fName?: string; virusName?: string; version?: number })
    .filter(({ virusName }) => virusName !== undefined)

// [R386] -98: a file in which a scanner finds malware is blocked for every use.
test('[R386] an upload does not wait; what is found harmful is -98 for every use, and its uploader and the administrator hear of it', async () => {
  const clamd = await startClamd(eicar)
  const go = clamd.pause()
  const world = await openWorld({ clamd: clamd.address })
  const [admin, anna, ben] = [await world.admin(), await world.person('anna'), await world.person('ben')]
  const folderId = await anna.folder(anna.library, '收')
  await anna.shares({ folderId }, [{ to: ben, rights: 1022 }])
  const [bad, good] = [
    await anna.upload(folderId, '发票.txt', `x ${eicar} x`),
    await anna.upload(folderId, 'b.txt', 'fine'),
  ]
  expect(await codeOf(ben, bad)).toBe('success')
  await expect.poll(() => clamd.scanned.length).toBe(2)
  go()
  await expect.poll(() => codeOf(ben, bad)).toBe(codes.virusFile.code)
  expect(await codeOf(ben, good)).toBe('success')
  expect(await codeOf(anna, bad, { version: '1' })).toBe(codes.virusFile.code)
  expect(await anna.refusal('getDocumentPreviewURL', { fileId: bad })).toBe('virusFile')
  expect(await anna.refusal('getDocumentPreviewURLVersion', { fileId: bad, version: 1 })).toBe('virusFile')
  expect(await anna.refusal('createDownloadTicket', { fileIdArray: [bad] })).toBe('virusFile')
  expect(await anna.refusal('fileEditLock', { fileId: bad })).toBe('virusFile')
  expect(await anna.refusal('fileOrFolderCopy', { fileIdArray: [bad], targetFolderId: anna.library })).toBe('virusFile')
  // In a folder's zip the file is omitted and listed as omitted.
  const zip = await world.app.http.inject({
    url: `/DownloadMultiFile?files=fo_${folderId}`,
    headers: { authorization: `Bearer ${anna.token}` },
  })
  expect([zip.statusCode, zip.rawPayload.includes(eicar), zip.rawPayload.includes('fine')]).toEqual([200, false, true])
  for (const person of [anna, admin])
    await expect
      .poll(async () => (await notices(person)).map(({ fName, virusName, version }) => [fName, virusName, version]))
      .toEqual([['发票.txt', eicar, 1]])
  expect(await notices(ben)).toEqual([])
  expect(await admin.call('getVirusList', {})).toMatchObject({
    scans: true,
    total: 1,
    list: [{ fName: '发票.txt', virusName: eicar, uploaderName: 'anna' }],
  })

  // Equal content under another name is recognized at once. A clean new version makes the file usable again; the old
  // version stays blocked.
  const again = await ben.upload(ben.library, '再来.txt', `x ${eicar} x`)
  await expect.poll(() => codeOf(ben, again)).toBe(codes.virusFile.code)
  expect(clamd.scanned).toHaveLength(2)
  await anna.upload(folderId, '发票.txt', 'clean', { conflict: 'version' })
  expect(await codeOf(ben, bad)).toBe('success')
  expect(await codeOf(ben, bad, { version: '1' })).toBe(codes.virusFile.code)
  expect(await anna.refusal('setLatestVersion', { fileId: bad, version: 1 })).toBe('virusFile')
  // The file can be deleted.
  await ben.call('fileOrFolderDelete', { fileIdArray: [again] })
})

test('a scanner that is away or answers nonsense is waited for, and what it does not read is left as it is', async () => {
  const clamd = await startClamd(eicar, 100)
  clamd.answer = 'stream: something. ERROR'
  const world = await openWorld({ clamd: clamd.address })
  const anna = await world.person('anna')
  const fileId = await anna.upload(anna.library, 'a.txt', eicar)
  await expect.poll(() => clamd.scanned.length).toBeGreaterThan(0)
  expect(await codeOf(anna, fileId)).toBe('success')
  clamd.answer = undefined
  await expect.poll(() => codeOf(anna, fileId), { timeout: 10_000 }).toBe(codes.virusFile.code)
  const large = await anna.upload(anna.library, 'large.txt', 'y'.repeat(500))
  await expect
    .poll(async () => world.app.db.selectFrom('job').select('state').where('kind', '=', 'scan').execute())
    .toContainEqual({ state: 'failed' })
  expect(await codeOf(anna, large)).toBe('success')
})

// [R386] Debian's clamd, with a custom signature, finds malware, also in an archive (test:full).
longTest(
  '[R386] the clamd of Debian, with a signature made by hand, finds what is harmful, also in an archive, and leaves the rest',
  async () => {
    const words = 'CLOUDOC-HARMFUL-SAMPLE-2026'
    const world = await openWorld({ clamd: await startDebianClamd('Cloudoc.Sample', words) })
    const [admin, anna] = [await world.admin(), await world.person('anna')]
    const good = await anna.upload(anna.library, 'good.txt', 'nothing of the kind')
    const bad = await anna.upload(anna.library, 'bad.txt', `in ${words} it`)
    const packed = await anna.upload(anna.library, 'bad.zip', Buffer.from(zipSync({ 'a.txt': strToU8(`in ${words}`) })))
    for (const fileId of [bad, packed])
      await expect.poll(() => codeOf(anna, fileId), { timeout: 30_000 }).toBe(codes.virusFile.code)
    await expect
      .poll(async () => world.app.db.selectFrom('job').select('state').where('kind', '=', 'scan').execute())
      .toEqual([{ state: 'done' }, { state: 'done' }, { state: 'done' }])
    expect(await codeOf(anna, good)).toBe('success')
    const { list } = await admin.call('getVirusList', {})
    expect(new Set(list.map(({ virusName }) => virusName))).toEqual(new Set(['Cloudoc.Sample.UNOFFICIAL']))
  },
)
