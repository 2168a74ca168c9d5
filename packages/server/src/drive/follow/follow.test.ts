// Following files and folders: lists, flags, and who gets which notifications. A wrong recipient list is a data leak.
import { isFrame, type PushPayload } from '@cloudoc/contract'
import { codes, ItemStatusBit, OperateType, rightsGroup } from '@cloudoc/domain'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openWorld, type Person, sharedWorld, type World } from '../../../test/harness.ts'

const world = sharedWorld()
const { edit, full } = rightsGroup

/** Two users with all rights in a folder. */
async function team(on: World = world): Promise<{ anna: Person; ben: Person; folderId: number }> {
  const [anna, ben] = [await on.person('anna'), await on.person('ben')]
  const folderId = await anna.folder(anna.library, '项目')
  await anna.shares({ folderId }, [{ to: ben, rights: edit }])
  return { anna, ben, folderId }
}

const word = new Map<number, string>(Object.entries(OperateType).map(([name, type]) => [type, name]))

type Told = PushPayload<'followChange'>
/** Returns the change notices of the items that a user follows, oldest first, and clears them. */
async function changes(person: Person): Promise<Told[]> {
  await world.app.settle()
  const { list } = await person.call('getNoticeList', { group: 'fileChange', unread: true, rows: 200 })
  await person.call('ignoreNotices', { all: true })
  return list.map(({ message }) => JSON.parse(message) as Told).toReversed()
}
const told = async (person: Person): Promise<string[]> =>
  (await changes(person)).map(({ operateType, fName }) => `${word.get(operateType)} ${fName}`)

const statusOf = async (person: Person, folderId: number, name: string): Promise<number> =>
  ((await person.call('getSubItemList3', { folderId })).list.find(({ fName }) => fName === name)?.itemStatus ?? 0) &
  (watchChange | watchDownload)
const { watchChange, watchDownload } = ItemStatusBit

describe('[R239] following', () => {
  // [R239] Files and folders are followed for changes or downloads, of everybody or of some people and departments, who
  // can be removed again; the lists say whose; flags 4096 and 8192 are per person.
  test('[R239] is listed, latest first, and flagged for the follower alone, in every answer about the item', async () => {
    const { anna, ben, folderId } = await team()
    const one = await anna.upload(folderId, 'a.txt')
    await anna.upload(folderId, 'b.txt')
    const inside = await anna.folder(folderId, '里')
    // Both have read the page before, so it is cached for both.
    for (const person of [anna, ben]) expect(await statusOf(person, folderId, 'a.txt')).toBe(0)
    await ben.call('addInterest', { interestType: 1, fileIdArray: [one] })
    await ben.call('addInterest', { interestType: 1, folderIdArray: [inside] })
    expect(await statusOf(ben, folderId, 'a.txt')).toBe(watchChange)
    expect(await statusOf(ben, folderId, 'b.txt')).toBe(0)
    expect(await statusOf(anna, folderId, 'a.txt')).toBe(0)
    expect((await ben.call('getFileInfo', { fileId: one })).itemStatus & watchChange).toBe(watchChange)
    expect((await ben.call('getFolderInfo2', { folderId: inside })).folder.itemStatus & watchChange).toBe(watchChange)
    const { list: named } = await ben.call('getItemListByItemIdStr', { itemIdStrs: `s0f${one}` })
    expect(named.map(({ itemStatus }) => itemStatus & (watchChange | watchDownload))).toEqual([watchChange])
    const { list, total } = await ben.call('getInterestList', { interestType: 1 })
    expect(list.map(({ fName, itemStatus }) => [fName, itemStatus & watchChange])).toEqual([
      ['里', watchChange],
      ['a.txt', watchChange],
    ])
    expect(total).toBe(2)
    expect(
      (await ben.call('getInterestList', { interestType: 1, from: 1, rows: 1 })).list.map(({ fName }) => fName),
    ).toEqual(['a.txt'])
    expect((await ben.call('getInterestList', { interestType: 2 })).total).toBe(0)
    await ben.call('deleteInterest', { interestType: 1, fileIdArray: [one] })
    expect(await statusOf(ben, folderId, 'a.txt')).toBe(0)
    await ben.call('deleteInterest', { interestType: 1, folderIdArray: [inside] })
    expect((await ben.call('getInterestList', { interestType: 1 })).total).toBe(0)
  })

  test('is told to every machine of the follower, and to nobody else', async () => {
    const { anna, ben, folderId } = await team()
    const other = await world.signIn(ben.account, 7)
    const [mine, hers] = [await other.listen(), await anna.listen()]
    await ben.call('addInterest', { interestType: 1, folderIdArray: [folderId] })
    await world.app.settle()
    const frame = await mine.next((one) => isFrame(one, 'followsChanged'))
    expect(frame.data).toEqual({ fId: folderId, fType: 2 })
    expect(hers.frames.filter((one) => isFrame(one, 'followsChanged'))).toEqual([])
  })

  test('is nothing where the item is not there for the caller, is virtual, or people would be learned of', async () => {
    const { anna, ben, folderId } = await team()
    const cara = await world.person('cara')
    const fileId = await anna.upload(folderId, 'a.txt')
    expect(await cara.refusal('addInterest', { interestType: 1, fileIdArray: [fileId] })).toBe('notFound')
    expect(await ben.refusal('addInterest', { interestType: 1, folderIdArray: [-2] })).toBe('noPermission')
    expect(await ben.refusal('addInterest', { interestType: 2, fileIdArray: [fileId] })).toBe('noPermission')
    expect(await anna.call('addInterest', { interestType: 2, fileIdArray: [fileId] })).toMatchObject([
      { result: codes.success.code },
    ])
    expect(await statusOf(anna, folderId, 'a.txt')).toBe(watchDownload)
    // An item the user can no longer see is not listed. It is listed again once the user can see it.
    await ben.call('addInterest', { interestType: 1, fileIdArray: [fileId] })
    await anna.shares({ folderId }, [])
    expect((await ben.call('getInterestList', { interestType: 1 })).list).toEqual([])
    await anna.shares({ folderId }, [{ to: ben, rights: edit }])
    expect((await ben.call('getInterestList', { interestType: 1 })).total).toBe(1)
  })
})

describe('[R313] [R341] a change of what is followed', () => {
  // [R117] A folder is created with or without a notice to the followers of its parent (isPushNotify).
  test('[R117] a folder that is made quietly stands in the list at once and is told to nobody who follows', async () => {
    const { anna, ben, folderId } = await team()
    await ben.call('addInterest', { interestType: 1, folderIdArray: [folderId] })
    const live = await ben.listen()
    const made = { parentId: folderId, isAssociateFolder: false }
    await anna.call('folderCreate', { ...made, folderName: '静', isPushNotify: false })
    await live.next((one) => isFrame(one, 'folderChange') && one.data.fName === '静')
    await anna.call('folderCreate', { ...made, folderName: '响', isPushNotify: true })
    await anna.call('folderCreate', { parentId: folderId, folderName: '默' })
    expect(await told(ben)).toEqual(['add 响', 'add 默'])
  })

  // [R313] Push 6: a change of a followed item, to followers who may see it.
  // [R341] The push follow-file has all its fields.
  test('[R090] [R313] [R341] is told with all its fields to who follows the file or a folder above it', async () => {
    const { anna, ben, folderId } = await team()
    const inside = await anna.folder(folderId, '里')
    await ben.call('addInterest', { interestType: 1, folderIdArray: [folderId] })
    const live = await ben.listen()
    const fileId = await anna.upload(inside, '方案.docx')
    const frame = await live.next((one) => isFrame(one, 'followChange'))
    if (!isFrame(frame, 'followChange')) throw new Error('another frame')
    expect(frame.data).toEqual({
      serverId: 0,
      remindId: Number(frame.identity),
      pushType: 6,
      fId: fileId,
      fType: 1,
      fName: '方案.docx',
      fileId,
      folderId: 0,
      parentFolderId: inside,
      parentId: inside,
      parentFolderName: '里',
      operate: OperateType.add,
      operateType: OperateType.add,
      operateTime: frame.data.operateTime,
      operatorId: anna.userId,
      operatorName: anna.account,
    })
    expect(await changes(ben)).toEqual([frame.data])
  })

  // [R091] Changes of followed items are notified by their operation.
  test('[R091] is each that changes something, once for a file, and none of the follower’s own', async () => {
    const { anna, ben, folderId } = await team()
    await ben.call('addInterest', { interestType: 1, folderIdArray: [folderId] })
    const fileId = await anna.upload(folderId, 'a.txt')
    expect(await told(ben)).toEqual(['add a.txt'])
    await anna.upload(folderId, 'a.txt', 'second', { conflict: 'version' })
    expect(await told(ben)).toEqual(['edit a.txt'])
    // A lock and a sort order do not change contents.
    await anna.call('fileEditLock', { fileId })
    await anna.call('fileEditUnlock', { fileId })
    await anna.call('setFolderOrder', { folderId, sort: 'time', order: 'desc' })
    expect(await told(ben)).toEqual([])
    await anna.call('renameFile', { fileId, fileName: 'b.txt' })
    await anna.call('renameFile', { fileId, fileName: 'c.txt' })
    // Of several notices about one file, the latest remains.
    expect(await told(ben)).toEqual(['rename c.txt'])
    const inside = await anna.folder(folderId, '里')
    expect(await told(ben)).toEqual(['add 里'])
    await anna.call('fileOrFolderMove', { fileIdArray: [fileId], targetFolderId: inside })
    expect(await told(ben)).toEqual(['move c.txt'])
    await anna.call('fileOrFolderCopy', { fileIdArray: [fileId], targetFolderId: folderId })
    expect(await told(ben)).toEqual(['copy c.txt'])
    await anna.call('fileOrFolderDelete', { fileIdArray: [fileId] })
    expect(await told(ben)).toEqual(['delete c.txt'])
    await anna.call('recycleRestore', { fileIdArray: [fileId] })
    expect(await told(ben)).toEqual(['restore c.txt'])
    await ben.upload(folderId, 'mine.txt')
    await ben.call('renameFile', { fileId, fileName: 'd.txt' })
    expect(await told(ben)).toEqual([])
    await ben.call('deleteInterest', { interestType: 1, folderIdArray: [folderId] })
    await anna.upload(folderId, 'later.txt')
    expect(await told(ben)).toEqual([])
  })

  test('is told to nobody who may not see it: hidden below, taken away, out of reach', async () => {
    const { anna, ben, folderId } = await team()
    const cara = await world.person('cara')
    await ben.call('addInterest', { interestType: 1, folderIdArray: [folderId] })
    const secret = await anna.folder(folderId, '绝密')
    await anna.shares({ folderId: secret }, [{ to: cara, rights: edit }], { inherit: false })
    await told(ben)
    const live = await ben.listen()
    const hidden = await anna.upload(secret, '名单.xlsx')
    expect(await told(ben)).toEqual([])
    // A file moved out of a hidden folder appears to Ben as new. For a file moved into one, the new location is not
    // disclosed.
    await anna.call('fileOrFolderMove', { fileIdArray: [hidden], targetFolderId: folderId })
    expect((await told(ben)).length).toBe(1)
    await anna.call('fileOrFolderMove', { fileIdArray: [hidden], targetFolderId: secret })
    expect(await told(ben)).toEqual([])
    const fileId = await anna.upload(folderId, 'a.txt')
    expect(await told(ben)).toEqual(['add a.txt'])
    await anna.shares({ folderId }, [])
    await told(ben)
    await anna.upload(folderId, 'a.txt', 'second', { conflict: 'version' })
    await anna.call('renameFile', { fileId, fileName: 'after.txt' })
    expect(await told(ben)).toEqual([])
    const names = live.frames.flatMap((one) => (isFrame(one, 'followChange') ? [one.data.fName] : []))
    expect(names.filter((name) => name === 'after.txt')).toEqual([])
    // Earlier notices are no longer listed either.
    expect((await ben.call('getNoticeList', { group: 'fileChange' })).list).toEqual([])
  })

  test('can be that of some people and departments alone', async () => {
    const { anna, ben, folderId } = await team()
    const { groupId } = await world.group('设计部')
    const [cara, dora] = [await world.person('cara', { groupId }), await world.person('dora')]
    await anna.shares(
      { folderId },
      [ben, cara, dora].map((to) => ({ to, rights: edit })),
    )
    await ben.call('addInterest', {
      interestType: 1,
      folderIdArray: [folderId],
      userIdString: String(anna.userId),
      groupIdString: String(groupId),
    })
    await told(ben)
    for (const person of [anna, cara, dora]) await person.upload(folderId, `${person.account}.txt`)
    expect(await told(ben)).toEqual([`add ${anna.account}.txt`, `add ${cara.account}.txt`])
    expect(await ben.refusal('addInterest', { interestType: 1, folderIdArray: [folderId], userIdString: '1;2' })).toBe(
      'badRequest',
    )
  })

  test('[R239] the list says whose, some of them are removed, and the follow ends with the last', async () => {
    const { anna, ben, folderId } = await team()
    const { groupId } = await world.group('采购部')
    const dora = await world.person('dora')
    await anna.shares(
      { folderId },
      [ben, dora].map((to) => ({ to, rights: edit })),
    )
    const whose = async (input: { fId?: number } = {}) =>
      (await ben.call('getInterestList', { interestType: 1, ...input })).list.map(
        ({ fId, followedUsers, followedGroups }) => [
          fId,
          followedUsers.map(({ userId }) => userId).toSorted((a, b) => a - b),
          followedGroups,
        ],
      )
    const follow = { interestType: 1, folderIdArray: [folderId] }
    await ben.call('addInterest', follow)
    expect(await whose()).toEqual([[folderId, [], []]])
    // A follow of everybody names nobody, so removing somebody leaves it.
    await ben.call('deleteInterest', { ...follow, userIdString: String(anna.userId) })
    expect(await whose()).toEqual([[folderId, [], []]])
    await ben.call('addInterest', {
      ...follow,
      userIdString: `${anna.userId},${dora.userId}`,
      groupIdString: String(groupId),
    })
    expect(await whose({ fId: folderId })).toEqual([
      [folderId, [anna.userId, dora.userId], [{ groupId, name: '采购部' }]],
    ])
    expect(await whose({ fId: anna.library })).toEqual([])
    await told(ben)
    await ben.call('deleteInterest', { ...follow, userIdString: String(anna.userId), groupIdString: String(groupId) })
    expect(await whose()).toEqual([[folderId, [dora.userId], []]])
    for (const person of [anna, dora]) await person.upload(folderId, `${person.account}.txt`)
    expect(await told(ben)).toEqual([`add ${dora.account}.txt`])
    await ben.call('deleteInterest', { ...follow, userIdString: String(dora.userId) })
    expect(await whose()).toEqual([])
  })

  test('names nobody whom the follower may not see: such people and departments are refused, and not listed', async () => {
    const admin = await world.admin()
    const { groupId: outside } = await world.group('外协部')
    const { groupId: inner } = await world.group('核心部')
    const { anna, folderId } = await team()
    const [far, cora] = [
      await world.person('far', { groupId: inner }),
      await world.person('cora', { groupId: outside }),
    ]
    await anna.shares({ folderId }, [{ to: cora, rights: edit }])
    const follow = { interestType: 1, folderIdArray: [folderId] }
    const named = { userIdString: `${cora.userId},${far.userId}`, groupIdString: String(inner) }
    await cora.call('addInterest', { ...follow, ...named })
    const { roleId } = await admin.call('createRole', { roleName: '只看外协' })
    await admin.call('setRoleMembers', { roleId, userIds: [cora.userId], groupIds: [], titles: [] })
    await admin.call('setCapabilities', {
      changes: (['files', 'follow'] as const).map((capability) => ({ roleId, capability, allowed: true })),
      external: [{ roleId, external: true }],
    })
    const { list } = await cora.call('getInterestList', { interestType: 1 })
    expect(list).toMatchObject([{ followedUsers: [{ userId: cora.userId }], followedGroups: [] }])
    await cora.call('deleteInterest', follow)
    for (const one of [
      { userIdString: String(far.userId) },
      { groupIdString: String(inner) },
      { userIdString: '987654' },
    ])
      expect(await cora.refusal('addInterest', { ...follow, ...one })).toBe('notFound')
    expect(await cora.call('getInterestList', { interestType: 1 })).toEqual({ list: [], total: 0 })
  })

  test('of downloads is told to who follows those and may say who may do what, once for each taking', async () => {
    const { anna, ben, folderId } = await team()
    const cara = await world.person('cara')
    await anna.shares({ folderId }, [
      { to: ben, rights: edit },
      { to: cara, rights: full },
    ])
    const fileId = await anna.upload(folderId, 'a.txt')
    await anna.call('addInterest', { interestType: 2, folderIdArray: [folderId] })
    await cara.call('addInterest', { interestType: 2, fileIdArray: [fileId] })
    await told(anna)
    await ben.download(fileId)
    expect(await told(anna)).toEqual(['download a.txt'])
    expect(await told(cara)).toEqual(['download a.txt'])
    expect(await told(ben)).toEqual([])
    await anna.download(fileId)
    expect(await told(anna)).toEqual([])
    expect(await told(cara)).toEqual(['download a.txt'])
    // A user who has lost the right to grant is no longer notified about other users' downloads.
    await anna.shares({ folderId }, [
      { to: ben, rights: edit },
      { to: cara, rights: edit },
    ])
    await told(cara)
    await ben.download(fileId)
    expect(await told(cara)).toEqual([])
    expect(await told(anna)).toEqual(['download a.txt'])
    await anna.call('deleteInterest', { interestType: 2, folderIdArray: [folderId] })
    await ben.download(fileId)
    expect(await told(anna)).toEqual([])
  })

  test('is told once, whichever process reads and however often one dies while it does', async () => {
    const world = await openWorld({ elected: false })
    const { anna, ben, folderId } = await team(world)
    await ben.call('addInterest', { interestType: 1, folderIdArray: [folderId] })
    await world.app.settle()
    // The event reader fails at the first event and later resumes from its position.
    await sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$`.execute(
      world.app.db,
    )
    await sql`
      create trigger refused before insert on event for each row when (new.kind = 'personal') execute function refuse()`.execute(
      world.app.db,
    )
    for (const n of [1, 2, 3]) await anna.upload(folderId, `${n}.txt`)
    await expect(world.app.settle()).rejects.toThrow('no room')
    await sql`drop trigger refused on event`.execute(world.app.db)
    for (let n = 0; n < 3; n += 1) await world.app.settle()
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from event where kind = 'personal' and payload->>'pushType' = '6'`.execute(world.app.db)
    expect(rows[0]?.n).toBe(3)
    expect((await ben.call('getNotices', {})).groups.find(({ group }) => group === 'fileChange')?.total).toBe(3)
  })
})
