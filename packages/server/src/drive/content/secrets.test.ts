// Secret levels set with a new file, and their expiry (decisions "Secret duration unit", [R109]).
import { hasStatus, itemStatus, rightsGroup } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { changeIn } from '../../../test/follower.ts'
import { openWorld } from '../../../test/harness.ts'
import { endSecrets } from './secret-expiry.ts'

const day = 24 * 60 * 60_000

test('[R118] [R200] a level given to a new file or upload holds for its duration and then counts as 0', async () => {
  let now = Date.UTC(2026, 10, 20)
  const world = await openWorld({ now: () => now, elected: false })
  const anna = await world.person('anna', { secretLevel: 3 })
  const ben = await world.person('ben', { secretLevel: 1 })
  const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: 'f' })
  await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.download }])
  const { fileId: made } = await anna.call('fileCreate', {
    folderId,
    fileName: 'plan.docx',
    secretLevel: 2,
    duration: 3,
    unit: 1,
  })
  const response = await world.app.http.inject({
    method: 'POST',
    url: '/services2/upload/uploadFile',
    headers: { authorization: `Bearer ${anna.token}`, 'content-type': 'multipart/form-data; boundary=b' },
    payload: [
      ...Object.entries({ folderId, secretLevel: 2, duration: 1, unit: 2 }).map(
        ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      ),
      '--b\r\ncontent-disposition: form-data; name="file"; filename="list.txt"\r\n\r\nx\r\n--b--\r\n',
    ].join(''),
  })
  const { fileId: sent } = response.json<{ data: { fileId: number } }>().data
  const { fileId: always } = await anna.call('fileCreate', { folderId, fileName: 'law.txt', secretLevel: 1 })
  const told = async (fileId: number) => {
    const { secretLevel, secretName, secretInfo, itemStatus: status } = await anna.call('getFileInfo', { fileId })
    expect(hasStatus(itemStatus(status), 'secret')).toBe(secretLevel > 0)
    return [secretLevel, secretName, secretInfo.secretLevel]
  }
  const read = async (fileId: number) => {
    const code = await reads(fileId)
    expect((await ben.download(fileId)).statusCode).toBe(code === 'success' ? 200 : 403)
    return code
  }
  const reads = async (fileId: number) => (await ben.wire('createDownloadTicket', { fileIdArray: [fileId] })).code
  expect(await told(made)).toEqual([2, '秘密', 2])
  expect(await told(sent)).toEqual([2, '秘密', 2])
  expect(await told(always)).toEqual([1, '内部', 1])
  expect([await read(made), await read(sent), await read(always)]).toEqual(['secretLevel', 'secretLevel', 'success'])
  const copied = await anna.call('fileOrFolderCopy', { fileIdArray: [made], targetFolderId: anna.library })
  const signedInAgain = async () => {
    Object.assign(anna, { token: (await world.signIn('anna')).token })
    Object.assign(ben, { token: (await world.signIn('ben')).token })
  }
  now += 3 * day - 1
  await signedInAgain()
  expect([await told(made), await reads(made)]).toEqual([[2, '秘密', 2], 'secretLevel'])
  now += 1
  expect([await told(made), await reads(made)]).toEqual([[0, '', 0], 'success'])
  expect(await told(copied[0]?.fId ?? 0)).toEqual([0, '', 0])
  expect([await told(sent), await reads(sent)]).toEqual([[2, '秘密', 2], 'secretLevel'])
  now = Date.UTC(2026, 11, 20)
  await signedInAgain()
  expect([await told(sent), await reads(sent)]).toEqual([[0, '', 0], 'success'])
  expect(await told(always)).toEqual([1, '内部', 1])
  expect(await anna.refusal('fileCreate', { folderId, fileName: 'x.txt', secretLevel: 4 })).toBe('secretLevel')
  expect(await anna.refusal('fileCreate', { folderId, fileName: 'x.txt', secretLevel: 1, unit: 4 })).toBe('badRequest')
})

test('a level that has ended is written down: taken off the row once, on record, told to who shows the file', async () => {
  let now = Date.UTC(2026, 10, 20)
  const world = await openWorld({ now: () => now, elected: false })
  const anna = await world.person('anna', { secretLevel: 3 })
  const made = { folderId: anna.library, secretLevel: 2, unit: 1 }
  const { fileId } = await anna.call('fileCreate', { ...made, fileName: 'a.txt', duration: 1 })
  const { fileId: later } = await anna.call('fileCreate', { ...made, fileName: 'b.txt', duration: 2 })
  const { fileId: binned } = await anna.call('fileCreate', { ...made, fileName: 'c.txt', duration: 1 })
  await anna.call('fileOrFolderDelete', { fileIdArray: [binned] })
  const { db, services } = world.app
  expect(await endSecrets(services, now + day - 1)).toBe(0)
  now += day
  Object.assign(anna, { token: (await world.signIn('anna')).token })
  await world.app.settle()
  const live = await anna.listen()
  const [one, other] = await Promise.all([endSecrets(services, now), endSecrets(services, now)])
  expect(one + other).toBe(2)
  await world.app.settle()
  const frame = await live.next((each) => changeIn(each)?.fId === fileId)
  expect(changeIn(frame)).toMatchObject({ operateType: 3, operatorId: 0, fName: 'a.txt' })
  const levels = await db
    .selectFrom('item')
    .select(['secret_level', 'secret_until'])
    .where('f_type', '=', 1)
    .orderBy('id')
    .execute()
  expect(levels).toEqual([
    { secret_level: 0, secret_until: null },
    { secret_level: 2, secret_until: now + day },
    { secret_level: 0, secret_until: null },
  ])
  expect((await anna.call('getFileInfo', { fileId: later })).secretLevel).toBe(2)
  const logged = await db
    .selectFrom('audit')
    .select(['items', 'detail'])
    .where('call', '=', 'secretEnds')
    .orderBy('id')
    .execute()
  expect(logged.map((row) => row.detail)).toEqual([1, 2].map(() => ({ log: 32_768, from: 2, to: 0 })))
  expect(logged.flatMap((row) => row.items.map(Number)).toSorted((a, b) => a - b)).toEqual([fileId, binned])
})
