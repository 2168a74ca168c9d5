// Administration of libraries: who may do what, storage limits, retention, and closing a library.
import { ItemStatusBit, rightsGroup } from '@cloudoc/domain'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Person, sharedWorld } from '../../../test/harness.ts'
import { emptyBins } from './retention.ts'

const world = sharedWorld()
let made = 0
/** Creates a library with the given users. */
async function library(
  more: object = {},
  people: readonly Person[] = [],
  rights: number = rightsGroup.edit,
): Promise<number> {
  const admin = await world.admin()
  const entries = people.map(({ userId }) => ({ subjectType: 'user' as const, subjectId: userId, rights }))
  const name = `项目 ${(made += 1)}`
  return (await admin.call('createLibrary', { name, kind: 'project', entries, ...more })).libraryId
}
const shown = async (libraryId: number) =>
  (await (await world.admin()).call('getLibraries', { libraryId })).list[0] ?? expect.fail('no such library')
const roots = async (person: Person) => (await person.call('getRootFolderSetting', {})).list.map(({ fId }) => fId)

describe('a library of a project', () => {
  test('is made with its people, what it may hold and keeps, and is there for them at once', async () => {
    const [anna, ben] = [await world.person('anna'), await world.person('ben')]
    const live = await ben.listen()
    const id = await library({ ownerId: anna.userId, quota: 5000, keptVersions: 3, binDays: 7 }, [ben])
    expect(await shown(id)).toMatchObject({
      kind: 'project',
      ownerId: anna.userId,
      quota: 5000,
      keptVersions: 3,
      binDays: 7,
      readOnly: false,
      closeTime: 0,
      entries: [{ subjectType: 'user', subjectId: ben.userId, rights: rightsGroup.edit }],
    })
    expect(await roots(anna)).toContain(id)
    await ben.upload(id, 'a.txt')
    await expect.poll(() => live.changes.map(({ fId }) => fId)).toContain(id)
    // Administering a library gives no access to its contents.
    expect(await (await world.admin()).refusal('getSubItemList3', { folderId: id })).toBe('notFound')
    expect((await shown(id)).used).toBe(5)
  })

  // [R288] Used space is returned by getUseSpaceSizeInfo; bit 128 names a library of limited space (-82, -83 for the
  // limits of the server and its disk).
  test('[R133] [R288] says by the bit 128 that its space is limited, and no longer when it is not', async () => {
    const anna = await world.person('anna')
    const id = await library({ quota: 10 }, [anna])
    const bit = async () => (await anna.call('getFolderInfo', { folderId: id })).itemStatus & ItemStatusBit.spaceLimit
    expect(await bit()).toBe(128)
    expect((await anna.uploadWire(id, 'a.txt', 'eleven byte')).code).toBe('folderSizeExceeded')
    await (await world.admin()).call('changeLibrary', { libraryId: id, quota: 0 })
    expect(await bit()).toBe(0)
  })

  test('changes its name, its owner and its managers, who hear of it; the others of the name are refused', async () => {
    const admin = await world.admin()
    const [anna, ben] = [await world.person('anna'), await world.person('ben')]
    const id = await library({ managerIds: [anna.userId] })
    const other = await library()
    const name = (await shown(other)).name
    expect(await admin.refusal('changeLibrary', { libraryId: id, name })).toBe('alreadyExists')
    expect(await admin.refusal('changeLibrary', { libraryId: id, name: 'a/b' })).toBe('illegalName')
    await admin.call('changeLibrary', { libraryId: id, name: `新 ${name}`, managerIds: [ben.userId] })
    expect(await roots(ben)).toContain(id)
    expect(await roots(anna)).not.toContain(id)
    expect(await admin.refusal('changeLibrary', { libraryId: id, ownerId: 999_999 })).toBe('notFound')
    expect(await admin.refusal('changeLibrary', { libraryId: id + 1_000_000, quota: 1 })).toBe('notFound')
    expect((await shown(id)).managers).toEqual([{ userId: ben.userId, accountName: ben.account }])
  })

  test('that is read-only refuses every change by its code, but its managers', async () => {
    const admin = await world.admin()
    const [anna, ben] = [await world.person('anna'), await world.person('ben')]
    const id = await library({ managerIds: [ben.userId] }, [anna], rightsGroup.full)
    const [fileId, folderId] = [await anna.upload(id, 'a.txt'), await anna.folder(id, '旧')]
    const binned = await anna.upload(id, 'b.txt')
    await anna.call('fileOrFolderDelete', { fileIdArray: [binned] })
    const live = await anna.listen()
    await admin.call('changeLibrary', { libraryId: id, readOnly: true })
    await world.app.settle()
    await expect.poll(() => live.changes.map(({ fId }) => fId)).toContain(id)
    expect(await anna.call('getFileInfo', { fileId })).toMatchObject({ libraryReadOnly: true })
    const refusals = [
      await anna.refusal('folderCreate', { parentId: folderId, folderName: 'x' }),
      await anna.refusal('renameFile', { fileId, fileName: 'x.txt' }),
      await anna.refusal('fileOrFolderDelete', { fileIdArray: [fileId] }),
      await anna.refusal('fileOrFolderMove', { fileIdArray: [fileId], targetFolderId: anna.library }),
      await anna.refusal('recycleRestore', { fileIdArray: [binned] }),
      await anna.refusal('fileOrFolderCompleteDelete', { fileIdArray: [fileId] }),
      await anna.refusal('setShareList', { fileId, inherit: true, entries: [] }),
      await anna.refusal('fileEditLock', { fileId }),
      (await anna.uploadWire(id, 'c.txt', 'c')).code,
    ]
    expect(new Set(refusals)).toEqual(new Set(['readOnlyLibrary']))
    // Reading it and copying from it remain possible.
    await anna.call('fileOrFolderCopy', { fileIdArray: [fileId], targetFolderId: anna.library })
    expect((await anna.download(fileId)).statusCode).toBe(200)
    await ben.folder(id, '由管理员建')
    await admin.call('changeLibrary', { libraryId: id, readOnly: false })
    await anna.folder(id, '再次')
  })

  test('that is closed is there for nobody, in no bin either, and comes back as it was', async () => {
    const admin = await world.admin()
    const anna = await world.person('anna')
    const id = await library({ ownerId: anna.userId })
    const fileId = await anna.upload(id, 'a.txt')
    await admin.call('changeLibrary', { libraryId: id, closed: true })
    expect(await roots(anna)).not.toContain(id)
    expect(await anna.refusal('getFileInfo', { fileId })).toBe('notFound')
    expect((await anna.call('getRecycleList', { timeRange: 4 })).list).toEqual([])
    expect(await anna.refusal('recycleRestore', { folderIdArray: [id] })).not.toBe('success')
    expect((await shown(id)).closeTime).toBeGreaterThan(0)
    await admin.call('changeLibrary', { libraryId: id, closed: false })
    expect(await anna.names(id)).toEqual(['a.txt'])
    expect(await admin.refusal('changeLibrary', { libraryId: anna.library, closed: true })).toBe('noPermission')
  })

  test('counts among those that there may be', async () => {
    const admin = await world.admin()
    const { total } = await admin.call('getLibraries', { rows: 1 })
    await admin.call('setServerSetting', { workspace_count: total })
    const more = { name: '一个太多', kind: 'archive' as const }
    expect(await admin.refusal('createLibrary', more)).toBe('workspaceCountExceeded')
    await admin.call('setServerSetting', { workspace_count: 0 })
  })
})

test('the list is narrowed by kind, state and name, of its owner too', async () => {
  const admin = await world.admin()
  const anna = await world.person('anna')
  const id = await library({ ownerId: anna.userId, readOnly: true })
  const ids = async (input: object) => (await admin.call('getLibraries', input)).list.map((one) => one.libraryId)
  const { name } = await shown(id)
  expect(await ids({ keyword: name })).toEqual([id])
  expect(await ids({ keyword: name, state: 'open' })).toEqual([])
  expect(await ids({ keyword: name, state: 'readOnly', kind: 'project' })).toEqual([id])
  expect(await ids({ keyword: anna.account })).not.toContain(anna.library)
  expect(await ids({ kind: 'personal', rows: 500 })).toContain(anna.library)
})

test('a library keeps so many versions of a file, the newest among them, and gives the bytes of the others back', async () => {
  const anna = await world.person('anna')
  const id = await library({ keptVersions: 2 }, [anna])
  const fileId = await anna.upload(id, 'a.txt', 'one')
  for (const content of ['two', 'three', 'four']) await anna.upload(id, 'a.txt', content, { conflict: 'version' })
  const free = await anna.upload(anna.library, 'a.txt', 'one')
  await anna.upload(anna.library, 'a.txt', 'two', { conflict: 'version' })
  const numbers = async (file: number) =>
    (await anna.call('getVersionList', { fileId: file, from: 0, rows: 60 })).list.map(({ version }) => version)
  await expect.poll(() => numbers(fileId)).toEqual([4, 3])
  expect(await numbers(free)).toEqual([2, 1])
  expect((await shown(id)).used).toBe(9)
  expect((await anna.download(fileId)).body).toBe('four')
})

test('what has lain in a bin for longer than its library keeps it goes for good, in other libraries it stays', async () => {
  const anna = await world.person('anna')
  const id = await library({ binDays: 5, ownerId: anna.userId })
  const files = [
    await anna.upload(id, 'a.txt'),
    await anna.upload(id, 'b.txt'),
    await anna.upload(anna.library, 'c.txt'),
  ]
  await anna.call('fileOrFolderDelete', { fileIdArray: files })
  const day = 24 * 60 * 60_000
  await sql`update item set deleted_at = deleted_at - ${6 * day} where id = any(${[files[0], files[2]]})`.execute(
    world.app.db,
  )
  await emptyBins(world.app.services, Date.now())
  const binned = (await anna.call('getRecycleList', { timeRange: 4 })).list.map(({ fName }) => fName)
  expect(binned.sort()).toEqual(['b.txt', 'c.txt'])
})
