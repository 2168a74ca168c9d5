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
  await expect.poll(() => codeOf(anna, fileId), { timeout: 120_000 }).toBe(codes.virusFile.code)
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
      await expect.poll(() => codeOf(anna, fileId), { timeout: 120_000 }).toBe(codes.virusFile.code)
    await expect
      .poll(async () => world.app.db.selectFrom('job').select('state').where('kind', '=', 'scan').execute())
      .toEqual([{ state: 'done' }, { state: 'done' }, { state: 'done' }])
    expect(await codeOf(anna, good)).toBe('success')
    const { list } = await admin.call('getVirusList', {})
    expect(new Set(list.map(({ virusName }) => virusName))).toEqual(new Set(['Cloudoc.Sample.UNOFFICIAL']))
  },
)

test('an administrator sets the scanner while the server runs, and tests it', async () => {
  const clamd = await startClamd('EICAR-STANDARD')
  const world = await openWorld({})
  const [admin, anna] = [await world.admin(), await world.person('anna')]
  const fileId = await anna.upload(anna.library, 'a.txt', 'x EICAR-STANDARD x')
  expect(await admin.call('getVirusList', {})).toMatchObject({ scans: false })
  expect(await admin.call('testScanner', {})).toMatchObject({ virusName: '' })
  expect(await admin.refusal('setServerSetting', { scanner_address: 'http://x' })).toBe('badRequest')
  const text = `tcp://${clamd.address.host}:${clamd.address.port}`
  await admin.call('setServerSetting', { scanner_address: text })
  expect(await admin.call('testScanner', {})).toEqual({ virusName: 'EICAR-STANDARD', problem: '' })
  await anna.upload(anna.library, 'b.txt', 'y EICAR-STANDARD y')
  await expect.poll(async () => (await admin.call('getVirusList', {})).total, { timeout: 120_000 }).toBeGreaterThan(0)
  expect(await codeOf(anna, fileId)).toBeDefined()
})

test('closed until inspected: only the uploader uses a content while the scanner is away; nothing is lost, and it opens by itself', async () => {
  const clamd = await startClamd(eicar)
  clamd.answer = 'stream: something. ERROR'
  const world = await openWorld({ clamd: clamd.address })
  const [admin, anna, ben] = [await world.admin(), await world.person('anna'), await world.person('ben')]
  const folderId = await anna.folder(anna.library, '收')
  await anna.shares({ folderId }, [{ to: ben, rights: 1022 }])
  const before = await anna.upload(folderId, '以前.txt', 'before')
  await admin.call('setServerSetting', { scanner_required: true })
  const fileId = await anna.upload(folderId, '新.txt', 'new')
  // Open to the uploader, closed to others: by reading, copying, in a zip, and by a link.
  expect(await codeOf(anna, fileId)).toBe('success')
  expect(await codeOf(ben, fileId)).toBe(codes.notInspected.code)
  expect(await codeOf(ben, before)).toBe('success')
  expect(await ben.refusal('getDocumentPreviewURL', { fileId })).toBe('notInspected')
  expect(await ben.refusal('fileOrFolderCopy', { fileIdArray: [fileId], targetFolderId: ben.library })).toBe(
    'notInspected',
  )
  const zip = await world.app.http.inject({
    url: `/DownloadMultiFile?files=fo_${folderId}`,
    headers: { authorization: `Bearer ${ben.token}` },
  })
  expect([zip.rawPayload.includes('new'), zip.rawPayload.includes('before')]).toEqual([false, true])
  // A copy that the uploader makes of the folder stays closed as well.
  const copies = await anna.folder(anna.library, '副本')
  await anna.call('fileOrFolderCopy', { folderIdArray: [folderId], targetFolderId: copies })
  await anna.shares({ folderId: copies }, [{ to: ben, rights: 1022 }])
  const { list: copied } = await anna.call('getSubItemList3', { folderId: copies })
  const inside = (await anna.call('getSubItemList3', { folderId: copied[0]?.fId ?? 0 })).list
  expect(await codeOf(ben, inside.find(({ fName }) => fName === '新.txt')?.fId ?? 0)).toBe(codes.notInspected.code)
  // Of a later version the uninspected one before it is closed to all.
  const second = await anna.upload(folderId, '二.txt', 'first')
  await anna.upload(folderId, '二.txt', 'second', { conflict: 'version' })
  expect(await codeOf(anna, second, { version: '1' })).toBe(codes.notInspected.code)
  expect(await anna.refusal('setLatestVersion', { fileId: second, version: 1 })).toBe('notInspected')

  await expect.poll(async () => (await admin.call('getVirusList', {})).problem).toContain('something')
  expect(await admin.call('getVirusList', {})).toMatchObject({ scans: true, closes: true })
  const { list, total } = await admin.call('getUninspectedFiles', {})
  expect([total, list.map(({ fName, uploaderName }) => [fName, uploaderName])]).toEqual([
    3,
    expect.arrayContaining([
      ['新.txt', 'anna'],
      ['二.txt', 'anna'],
    ]),
  ])
  // An administrator lets one be used without an inspection.
  await admin.call('releaseUninspected', { fileId: second })
  expect(await codeOf(ben, second)).toBe('success')
  expect(await admin.refusal('releaseUninspected', { fileId: second })).toBe('notFound')
  // The scanner answers again.
  clamd.answer = undefined
  expect((await admin.call('inspectAgain', {})).count).toBeGreaterThan(0)
  await expect.poll(() => codeOf(ben, fileId), { timeout: 120_000 }).toBe('success')
  await expect.poll(async () => (await admin.call('getUninspectedFiles', {})).total).toBe(0)
  expect(await codeOf(anna, second, { version: '1' })).toBe('success')
})

test('what is closed opens when the administrator no longer demands the inspection; without a scanner it cannot be demanded', async () => {
  const clamd = await startClamd(eicar)
  const go = clamd.pause()
  const world = await openWorld({})
  const [admin, anna, ben] = [await world.admin(), await world.person('anna'), await world.person('ben')]
  expect(await admin.refusal('setServerSetting', { scanner_required: true })).toBe('settingsContradict')
  const text = `tcp://${clamd.address.host}:${clamd.address.port}`
  await admin.call('setServerSetting', { scanner_address: text, scanner_required: true })
  const folderId = await anna.folder(anna.library, '收')
  await anna.shares({ folderId }, [{ to: ben, rights: 1022 }])
  const fileId = await anna.upload(folderId, 'a.txt', 'a')
  expect(await codeOf(ben, fileId)).toBe(codes.notInspected.code)
  await admin.call('setServerSetting', { scanner_required: false })
  expect(await codeOf(ben, fileId)).toBe('success')
  go()
})
