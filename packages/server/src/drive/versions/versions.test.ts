// The versions of a file, and their retention in a library.
import { LogBit } from '@cloudoc/domain'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Person, sharedWorld } from '../../../test/harness.ts'
import { pruneVersions } from '../libraries/retention.ts'

const world = sharedWorld()

async function versioned(person: Person, folderId: number, contents: readonly string[]): Promise<number> {
  let fileId = 0
  for (const content of contents) fileId = await person.upload(folderId, 'a.txt', content, { conflict: 'version' })
  return fileId
}
const listOf = async (person: Person, fileId: number, named = false) =>
  person.call('getVersionList', { fileId, from: 0, rows: 60, named })
const numbers = async (person: Person, fileId: number, named = false) =>
  (await listOf(person, fileId, named)).list.map(({ version }) => version)

// [R188] An old version is restored as the newest, removed, described and named; a missing one is -35; the list is
// paged.
test('[R188] an old version comes back as the newest, and nothing is lost', async () => {
  const anna = await world.person('anna')
  const fileId = await versioned(anna, anna.library, ['one', 'second', 'three'])
  const live = await anna.listen()
  expect(await anna.call('setLatestVersion', { fileId, version: 1 })).toMatchObject({ fileId, version: 4 })
  expect((await anna.download(fileId)).body).toBe('one')
  expect((await anna.download(fileId, { version: '3' })).body).toBe('three')
  const { list, total, totalSize } = await listOf(anna, fileId)
  expect(list.map(({ version, restoredFrom, isLatest }) => [version, restoredFrom, isLatest])).toEqual([
    [4, 1, true],
    [3, 0, false],
    [2, 0, false],
    [1, 0, false],
  ])
  expect([total, totalSize]).toEqual([4, 17])
  expect(await anna.call('getFileInfo', { fileId })).toMatchObject({ version: 4, fileSize: 3 })
  await expect.poll(() => live.changes.map(({ fId, version }) => [fId, version])).toContainEqual([fileId, 4])
  expect(await anna.refusal('setLatestVersion', { fileId, version: 4 })).toBe('duplicateOperation')
  expect(await anna.refusal('setLatestVersion', { fileId, version: 9 })).toBe('versionMissing')
})

// [R170] A version is downloaded with the right to download; a removed one is -35.
test('[R188] [R170] a version is removed and gives its bytes back; the newest stays, and one that is missing is -35', async () => {
  const anna = await world.person('anna')
  const fileId = await versioned(anna, anna.library, ['one', 'second', 'three'])
  // Downloaded before, so the process has cached it.
  expect((await anna.download(fileId, { version: '2' })).body).toBe('second')
  expect(await anna.refusal('deleteVersion', { fileId, version: 3 })).toBe('noPermission')
  await anna.call('deleteVersion', { fileId, version: 2 })
  expect(await numbers(anna, fileId)).toEqual([3, 1])
  expect(await anna.refusal('deleteVersion', { fileId, version: 2 })).toBe('versionMissing')
  expect((await anna.download(fileId, { version: '2' })).json()).toMatchObject({ result: -35 })
  expect((await listOf(anna, fileId)).totalSize).toBe(8)
  const { rows } = await sql<{ bytes: number }>`
    select (coalesce((select sum(bytes) from usage_total where account_id = ${anna.userId}), 0)
      + coalesce((select sum(bytes) from tally where account_id = ${anna.userId}), 0))::int as bytes`.execute(
    world.app.db,
  )
  expect(rows[0]?.bytes).toBe(8)
})

test('[R188] a version is given a comment and a name; the list is paged, and shows those with a name alone', async () => {
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  const folderId = await anna.folder(anna.library, 'shared')
  await anna.shares({ folderId }, [{ to: ben, rights: 14 }])
  const fileId = await versioned(anna, folderId, ['1', '2', '3'])
  await anna.call('updateVersionComment', { fileId, version: 2, comment: ' 送审稿的说明 ', versionName: '送审稿' })
  await anna.call('updateVersionComment', { fileId, version: 2, comment: '改过' })
  const { list, namedTotal } = await listOf(ben, fileId)
  expect(list[1]).toMatchObject({ comment: '改过', versionName: '送审稿' })
  expect(namedTotal).toBe(1)
  expect(await numbers(ben, fileId, true)).toEqual([2])
  const page = await ben.call('getVersionList', { fileId, from: 1, rows: 1 })
  expect([page.list.map(({ version }) => version), page.total]).toEqual([[2], 3])
  // A user with read access cannot change anything.
  expect(await ben.refusal('updateVersionComment', { fileId, version: 2, comment: 'x' })).toBe('noPermission')
  expect(await ben.refusal('setLatestVersion', { fileId, version: 2 })).toBe('noPermission')
  expect(await ben.refusal('deleteVersion', { fileId, version: 2 })).toBe('noPermission')
  expect(await anna.refusal('updateVersionComment', { fileId, version: 7, comment: 'x' })).toBe('versionMissing')
})

// [R188] A version is saved as a file in a chosen folder; several are selected at once.
test('[R188] a version becomes a file of its own, for who may copy it, in a folder that takes it', async () => {
  const anna = await world.person('anna')
  const ben = await world.person('ben')
  const sharedId = await anna.folder(anna.library, '协议')
  const fileId = await versioned(anna, sharedId, ['one', 'second', 'three'])
  const folderId = await anna.folder(anna.library, '旧稿')
  const wanted = { fileId, version: 2, folderId, fileName: 'a-2.txt' }
  const made = await anna.call('saveVersionAs', wanted)
  expect(made).toMatchObject({ fName: 'a-2.txt', version: 1 })
  expect((await anna.download(made.fileId)).body).toBe('second')
  // A taken name gets a number; the file itself is unchanged.
  const { fName, fileId: again } = await anna.call('saveVersionAs', wanted)
  expect([fName === 'a-2.txt', again === made.fileId]).toEqual([false, false])
  expect(await numbers(anna, fileId)).toEqual([3, 2, 1])
  await expect
    .poll(async () =>
      (await anna.call('getFileLog', { fileId: made.fileId, types: LogBit.copy })).list.map(({ type, version }) => [
        type,
        version,
      ]),
    )
    .toEqual([[LogBit.copy, 2]])
  expect(await anna.refusal('saveVersionAs', { ...wanted, version: 9 })).toBe('versionMissing')
  expect(await anna.refusal('saveVersionAs', { ...wanted, fileName: 'a/b' })).toBe('illegalName')
  const share = (rights: number) =>
    anna.call('setShareList', {
      folderId: sharedId,
      inherit: false,
      entries: [{ subjectType: 'user', subjectId: ben.userId, rights }],
    })
  await share(6)
  expect(await ben.refusal('saveVersionAs', { ...wanted, folderId: ben.library })).toBe('noPermission')
  await share(0)
  expect(await ben.refusal('saveVersionAs', { ...wanted, folderId: ben.library })).toBe('notFound')
})

// [R188] The retention of versions of a library or of the setting applies when it is set and with each new version, by
// a job; named versions and the newest stay; removals are logged.
test('[R188] [R245] what is one version too many goes by itself, and at once what a library or all of them keep no longer', async () => {
  const admin = await world.admin()
  const anna = await world.person('anna')
  const entries = [{ subjectType: 'user' as const, subjectId: anna.userId, rights: 1022 }]
  const asked = { name: `少留 ${anna.userId}`, kind: 'project' as const, keptVersions: 3, entries }
  const { libraryId } = await admin.call('createLibrary', asked)
  const fileId = await versioned(anna, libraryId, ['1', '22'])
  await anna.call('updateVersionComment', { fileId, version: 1, versionName: '定稿' })
  await versioned(anna, libraryId, ['333', '4444', '55555'])
  await expect.poll(() => numbers(anna, fileId)).toEqual([5, 4, 3, 1])
  await admin.call('changeLibrary', { libraryId, keptVersions: 2 })
  await expect.poll(() => numbers(anna, fileId)).toEqual([5, 4, 1])
  // The server setting applies if the library has none of its own.
  const free = await versioned(anna, anna.library, ['1', '22', '333'])
  await admin.call('setServerSetting', { version_count: 2 })
  await admin.call('changeLibrary', { libraryId, keptVersions: null })
  await expect.poll(() => numbers(anna, free)).toEqual([3, 2])
  await admin.call('setServerSetting', { version_count: 1 })
  await expect.poll(() => numbers(anna, free)).toEqual([3])
  await expect.poll(() => numbers(anna, fileId)).toEqual([5, 1])
  await admin.call('setServerSetting', { version_count: 0 })
  await expect
    .poll(async () =>
      (await anna.call('getFileLog', { fileId, types: 16 })).list.map(({ userId, from }) => [userId, from]),
    )
    .toEqual([
      [0, '4'],
      [0, '3'],
      [0, '2'],
    ])
})

// [R245] Old versions are removed by the library's number and age; named ones and the newest stay, and removals are
// logged.
test('[R245] a library keeps what has a name, and old versions for so many days; what went is in the log', async () => {
  const admin = await world.admin()
  const anna = await world.person('anna')
  const entries = [{ subjectType: 'user' as const, subjectId: anna.userId, rights: 1022 }]
  const { libraryId } = await admin.call('createLibrary', {
    name: `版本 ${anna.userId}`,
    kind: 'project',
    keptVersions: 2,
    keptDays: 10,
    entries,
  })
  const fileId = await versioned(anna, libraryId, ['1', '22'])
  await anna.call('updateVersionComment', { fileId, version: 2, versionName: '定稿' })
  await versioned(anna, libraryId, ['333', '4444', '55555'])
  expect(await listOf(anna, fileId)).toMatchObject({ keptVersions: 2, keptDays: 10 })
  await expect.poll(() => numbers(anna, fileId)).toEqual([5, 4, 2])
  const day = 24 * 60 * 60_000
  await sql`update item set created_at = created_at - ${20 * day} where id = ${fileId}`.execute(world.app.db)
  await sql`update version set created_at = created_at - ${11 * day} where item_id = ${fileId}`.execute(world.app.db)
  await pruneVersions(world.app.services, { after: 0 }, Date.now())
  // The newest version stays, however old it is.
  expect(await numbers(anna, fileId)).toEqual([5, 2])
  await expect
    .poll(async () =>
      // Versions that are removed in one go are one entry, which names the oldest first.
      (await anna.call('getFileLog', { fileId, types: 16 })).list.flatMap(({ userId, from }) =>
        from
          .split(', ')
          .toReversed()
          .map((version) => [userId, version]),
      ),
    )
    .toEqual([
      [0, '4'],
      [0, '3'],
      [0, '1'],
    ])
})
