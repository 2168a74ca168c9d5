// Secret levels, read-only folders and restricted documents: who may set them, and what they forbid.
import { isFrame } from '@cloudoc/contract'
import { codes, ItemStatusBit, LogBit, rightsGroup } from '@cloudoc/domain'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Person, sharedWorld } from '../../../test/harness.ts'

const world = sharedWorld()
const { preview, download, edit, full } = rightsGroup

async function team() {
  const [anna, ben] = [await world.person('anna', { secretLevel: 2 }), await world.person('ben', { secretLevel: 1 })]
  const folderId = await anna.folder(anna.library, '项目')
  const fileId = await anna.upload(folderId, 'a.txt')
  return { anna, ben, folderId, fileId }
}

/** A library with a manager who is not its owner. */
async function managed(): Promise<{ manager: Person; folderId: number }> {
  const [owner, manager] = [await world.person('olga'), await world.person('mara', { secretLevel: 2 })]
  await world.app.db
    .insertInto('library_manager')
    .values({ library_id: owner.library, account_id: manager.userId })
    .execute()
  return { manager, folderId: await manager.folder(owner.library, '制度') }
}

const statusOf = async (person: Person, fileId: number): Promise<number> =>
  (await person.call('getFileInfo', { fileId })).itemStatus
const has = async (person: Person, fileId: number, bit: keyof typeof ItemStatusBit): Promise<boolean> =>
  ((await statusOf(person, fileId)) & ItemStatusBit[bit]) !== 0

describe('a secret level', () => {
  // [R232] A level is set for one of the offered durations or any other, in days, months or years.
  // [R233] People below the level of a file get -90 on preview, download and edit.
  // [R235] Bit 512 says who may set the level; each change is logged.
  test('[R232] [R233] [R235] is set by GRANT up to one’s own, binds at once, is told and logged', async () => {
    const { anna, ben, folderId, fileId } = await team()
    await anna.shares({ folderId }, [{ to: ben, rights: full }])
    expect(await has(ben, fileId, 'modifySecretLevelAllowed')).toBe(true)
    const live = await ben.listen()
    await anna.call('setSecretLevel', { fileIdArray: [fileId], secretLevel: 2, duration: 3, unit: 2 })
    await live.next((frame) => isFrame(frame, 'fileChange') && frame.data.fId === fileId)
    expect(await has(ben, fileId, 'secret')).toBe(true)
    for (const call of ['getDocumentPreviewURL', 'fileEditLock'] as const)
      expect(await ben.refusal(call, { fileId }), call).toBe('secretLevel')
    expect(await ben.refusal('createDownloadTicket', { fileIdArray: [fileId] })).toBe('secretLevel')
    expect((await ben.download(fileId)).statusCode).toBe(403)
    // A user can neither remove nor set a secret level above their own.
    expect(await ben.refusal('setSecretLevel', { fileIdArray: [fileId], secretLevel: 0 })).toBe('secretLevel')
    expect(await anna.refusal('setSecretLevel', { fileIdArray: [fileId], secretLevel: 3 })).toBe('secretLevel')
    expect(await anna.refusal('setSecretLevel', { fileIdArray: [fileId], secretLevel: 1, unit: 4 })).toBe('badRequest')
    const { rows } = await sql<{ detail: object }>`
      select detail from audit where call = 'setSecretLevel' and ${fileId} = any(items)`.execute(world.app.db)
    expect(rows.map(({ detail }) => detail)).toMatchObject([{ log: LogBit.secretChange, from: 0, to: 2 }])
    await anna.call('setSecretLevel', { fileIdArray: [fileId], secretLevel: 0 })
    expect((await ben.download(fileId)).statusCode).toBe(200)
  })

  // [R152] Setting a secret level takes the setting, a level of one's own, and GRANT or the right to change secret
  // levels.
  test('[R152] takes GRANT, a level of one’s own and the switch; items of one call are judged each', async () => {
    const { anna, ben, folderId, fileId } = await team()
    const other = await ben.upload(ben.library, 'b.txt')
    await anna.shares({ folderId }, [{ to: ben, rights: edit }])
    const answer = await ben.call('setSecretLevel', { fileIdArray: [fileId, other], secretLevel: 1 })
    expect(answer.map(({ result }) => result)).toEqual([codes.noPermission.code, codes.success.code])
    const nobody = await world.person('cara')
    const own = await nobody.upload(nobody.library, 'c.txt')
    expect(await nobody.refusal('setSecretLevel', { fileIdArray: [own], secretLevel: 0 })).toBe('noPermission')
    const admin = await world.admin()
    await admin.call('setSafeStrategy', { secret_manage: false })
    expect(await ben.refusal('setSecretLevel', { fileIdArray: [other], secretLevel: 0 })).toBe('noPermission')
    expect(await ben.refusal('fileCreate', { folderId: ben.library, fileName: 'x.txt', secretLevel: 1 })).toBe(
      'noPermission',
    )
    expect(await has(ben, other, 'modifySecretLevelAllowed')).toBe(false)
    // A secret file stays secret.
    expect(await has(ben, other, 'secret')).toBe(true)
    await admin.call('setSafeStrategy', { secret_manage: true })
  })

  // [R234] Levels are chosen in the dialog, for uploads and for new files; it names whom they exclude.
  test('[R234] tells before whom it would keep from the file, and until when the one that holds lasts', async () => {
    const { anna, ben, folderId, fileId } = await team()
    const { groupId } = await world.group('设计部')
    const inGroup = await world.person('dora', { groupId })
    const cleared = await world.person('emil', { groupId, secretLevel: 2 })
    await world.person('fred', { secretLevel: 0 })
    await anna.shares({ folderId }, [
      { to: ben, rights: preview },
      { to: { groupId }, rights: download },
    ])
    const effect = await anna.call('getSecretEffect', { fileId, secretLevel: 2 })
    expect(effect).toMatchObject({ secretLevel: 0, until: null, count: 2, more: false })
    expect(new Set(effect.list.map(({ userId }) => userId))).toEqual(new Set([ben.userId, inGroup.userId]))
    expect(effect.list.map(({ userId }) => userId)).not.toContain(cleared.userId)
    await anna.call('setSecretLevel', { fileIdArray: [fileId], secretLevel: 1, duration: 1, unit: 3 })
    const then = await anna.call('getSecretEffect', { fileId, secretLevel: 2 })
    expect(then).toMatchObject({ secretLevel: 1, count: 1 })
    expect(then.until).toBeGreaterThan(Date.now() + 360 * 24 * 3600_000)
    expect(await ben.refusal('getSecretEffect', { fileId, secretLevel: 2 })).toBe('noPermission')
  })
})

// [R142] A read-only folder is renamed, cut and deleted by managers only.
// [R151] Managers set folders read-only, except their own.
test('[R142] [R151] [R215] a read-only folder is renamed, cut and deleted by managers alone; what is in it goes on', async () => {
  const { manager, folderId } = await managed()
  const [ben, cara] = [await world.person('ben'), await world.person('cara')]
  await manager.shares({ folderId }, [{ to: ben, rights: full }])
  expect(await ben.refusal('setFolderReadOnly', { folderIdArray: [folderId], readOnly: true })).toBe('noPermission')
  expect(await cara.refusal('setFolderReadOnly', { folderIdArray: [folderId], readOnly: true })).toBe('notFound')
  await manager.call('setFolderReadOnly', { folderIdArray: [folderId], readOnly: true })
  const { folder } = await ben.call('getFolderInfo2', { folderId })
  expect(folder.itemStatus & ItemStatusBit.folderReadOnly).not.toBe(0)
  expect(await ben.refusal('renameFolder', { folderId, folderName: 'x' })).toBe('readOnlyFolder')
  expect(await ben.refusal('fileOrFolderDelete', { folderIdArray: [folderId] })).toBe('readOnlyFolder')
  expect(await ben.upload(folderId, 'new.txt')).toBeGreaterThan(0)
  await manager.call('renameFolder', { folderId, folderName: '制度 2' })
  await manager.call('setFolderReadOnly', { folderIdArray: [folderId], readOnly: false })
  expect((await ben.wire('renameFolder', { folderId, folderName: 'x' })).code).toBe('success')
  // A user's own folders are never restricted.
  const own = await ben.folder(ben.library, '我的')
  expect(await ben.refusal('setFolderReadOnly', { folderIdArray: [own], readOnly: true })).toBe('noPermission')
})

// [R145] A restricted document is downloaded only with the right to modify.
test('[R206] [R145] a restricted document is not taken away without the right to modify, by its own rule, its folder’s or its level’s', async () => {
  const { manager, folderId } = await managed()
  const ben = await world.person('ben', { secretLevel: 2 })
  const inside = await manager.folder(folderId, '里')
  const fileId = await manager.upload(inside, 'a.txt')
  await manager.shares({ folderId }, [{ to: ben, rights: download }])
  const taken = async (): Promise<number> => (await ben.download(fileId)).statusCode
  const flag = async (): Promise<number> => {
    const page = await ben.call('getSubItemList3', { folderId: inside })
    return page.list[0]?.docFlag ?? -1
  }
  expect([await taken(), await flag()]).toEqual([200, 0])
  expect(await ben.refusal('setDocRestricted', { fileIdArray: [fileId], restricted: true })).toBe('noPermission')
  for (const where of [{ fileIdArray: [fileId] }, { folderIdArray: [folderId] }]) {
    await manager.call('setDocRestricted', { ...where, restricted: true })
    expect([await taken(), await flag()]).toEqual([403, 1])
    expect(await ben.refusal('createDownloadTicket', { fileIdArray: [fileId] })).toBe('restrictedDocument')
    expect((await manager.download(fileId)).statusCode).toBe(200)
    await manager.call('setDocRestricted', { ...where, restricted: false })
    expect([await taken(), await flag()]).toEqual([200, 0])
  }
  const admin = await world.admin()
  await admin.call('setSafeStrategy', { restricted_from_level: 1 })
  expect(await taken()).toBe(200)
  await manager.call('setSecretLevel', { fileIdArray: [fileId], secretLevel: 1 })
  expect([await taken(), await flag()]).toEqual([403, 1])
  await admin.call('setSafeStrategy', { restricted_from_level: 0 })
  expect(await taken()).toBe(200)
})
