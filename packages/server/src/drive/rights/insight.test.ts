import { codes, Right, rightsGroup } from '@cloudoc/domain'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Person, sharedWorld } from '../../../test/harness.ts'

const world = sharedWorld()
const { preview, download, edit } = rightsGroup
let admin: Person
let boss: Person
let anna: Person
let ben: Person
let groupId: number
let library: number

beforeAll(async () => {
  admin = await world.admin()
  ;({ groupId, library } = await world.group('依据部'))
  boss = await world.person('boss')
  anna = await world.person('anna', { groupId })
  ben = await world.person('ben', { groupId })
  await admin.call('modifyAccount', { userId: anna.userId, accountName: '安娜依据' })
  await world.app.db.insertInto('library_manager').values({ library_id: library, account_id: boss.userId }).execute()
})

const group = () => ({ subjectType: 'group' as const, subjectId: groupId })
const user = ({ userId }: Person) => ({ subjectType: 'user' as const, subjectId: userId })

describe('why', () => {
  test('[R140] [R208] is told by the entries that count and those that would, never by a folder one may not see', async () => {
    const above = await boss.folder(library, '上级')
    const folderId = await boss.folder(above, '方案')
    await boss.shares({ folderId: above }, [], { inherit: false })
    await boss.shares({ folderId }, [
      { to: anna, rights: download, until: Date.now() + 1000 * 60 },
      { to: { groupId }, rights: preview },
    ])
    const mine = await anna.call('getRightsReasons', { folderId })
    expect(mine.rights).toBe(download)
    expect(mine.steps).toEqual([
      // The entry of the department's library grants its members rights, and the folder above closes inheritance.
      expect.objectContaining({ step: 'closed', subjectType: 'group', at: { folderId: 0, fName: '' } }),
      expect.objectContaining({
        step: 'entry',
        subjectType: 'user',
        rights: download,
        source: { folderId, fName: '方案' },
      }),
      expect.objectContaining({ step: 'entry', subjectName: '依据部', rights: preview }),
    ])
    expect(mine.limits).toContainEqual({ action: 'upload', fact: 'right upload', result: codes.noPermission.code })
    expect(mine.limits.some(({ action }) => action === 'download')).toBe(false)
    expect(await anna.refusal('getRightsReasons', { folderId, userId: ben.userId })).toBe('noPermission')
    const bens = await boss.call('getRightsReasons', { folderId, userId: ben.userId })
    expect(bens).toMatchObject({ userId: ben.userId, rights: preview })
    expect((await boss.call('getRightsReasons', { folderId })).steps.at(-1)).toEqual({ step: 'manager' })
  })

  test('[R208] names a deny that stands above everything, and what ended', async () => {
    const folderId = await boss.folder(library, '禁止')
    await boss.shares({ folderId }, [
      { to: anna, rights: edit },
      { to: { groupId }, rights: Right.deny },
    ])
    const { steps, rights } = await boss.call('getRightsReasons', { folderId, userId: anna.userId })
    expect(rights).toBe(Right.deny)
    expect(steps.map(({ step }) => step).sort()).toEqual(['deny', 'entry', 'replaced'])
  })
})

describe('why something is refused', () => {
  // [R208] The server names the entry or the state that causes a refusal.
  test('[R208] [R215] [R232] is named by the entry or the state that stands in the way, in each of six ways', async () => {
    const folderId = await boss.folder(library, '六种')
    await boss.shares({ folderId }, [{ to: anna, rights: edit }], { inherit: false })
    const put = async (name: string, rights: number, until?: number): Promise<number> => {
      const fileId = await boss.upload(folderId, name)
      await boss.shares({ fileId }, [{ to: anna, rights, ...(until !== undefined && { until }) }])
      return fileId
    }
    const set = async (id: number, to: { secret_level: number } | { doc_flag: number }): Promise<number> => {
      await world.app.db.updateTable('item').set(to).where('id', '=', id).execute()
      return id
    }
    const why = (fileId: number) => anna.call('getRightsReasons', { fileId })
    const limit = (action: string, fact: string, result: number) => ({ action, fact, result })
    const { noPermission, secretLevel, fileLocked, readOnlyFolder, restrictedDocument } = codes

    const little = await why(await put('只能看', preview))
    expect([little.steps.at(-1)?.step, little.rights]).toEqual(['entry', preview])
    expect(little.limits).toContainEqual(limit('download', 'right download', noPermission.code))

    const ended = await put('到期了', download, Date.now() + 60_000)
    await world.app.db.updateTable('entry').set({ expires_at: Date.now() }).where('item_id', '=', ended).execute()
    await expect.poll(async () => (await why(ended)).steps.map(({ step }) => step)).toContain('expired')

    const secret = await why(await set(await put('有密级', edit), { secret_level: 2 }))
    expect(secret.limits).toContainEqual(limit('preview', 'secret level', secretLevel.code))

    const restricted = await why(await set(await put('受限的', download), { doc_flag: 1 }))
    expect(restricted.limits).toContainEqual(limit('download', 'not a restricted document', restrictedDocument.code))

    const locked = await put('在编辑', edit)
    await boss.call('fileEditLock', { fileId: locked })
    const held = await why(locked)
    expect(held.limits).toContainEqual(limit('rename', 'not edited by somebody else', fileLocked.code))

    const kept = await boss.folder(folderId, '只读的')
    await boss.call('setFolderReadOnly', { folderIdArray: [kept], readOnly: true })
    const { limits } = await anna.call('getRightsReasons', { folderId: kept })
    expect(limits).toContainEqual(limit('rename', 'not a read-only folder', readOnlyFolder.code))
  })
})

/** The result code of a call, or of the single item of its batch. */
const resultOf = ({ result, data }: { result: number; data: unknown }): number =>
  Array.isArray(data) ? (data[0] as { result: number }).result : result

describe('a list that cannot be', () => {
  // [R208] An invalid list (negative or contradictory rights, bits that cannot be granted, a past expiry, subjects that
  // do not exist, have left or are hidden from the grantor) is refused where it is set, changed with others, shared and
  // previewed, with the reason.
  test('[R208] has its code and says what is wrong, and nothing changes: masks, ends and subjects', async () => {
    const folderId = await boss.folder(library, '不成立的')
    const gone = await world.person('gone')
    await boss.shares({ folderId }, [{ to: gone, rights: preview }])
    await admin.call('setAccountState', { userId: gone.userId, state: 'disabled' })
    const kept = { ...user(gone), rights: preview }
    const before = await boss.call('getShareList', { folderId })
    const one = (more: object) => [{ ...user(anna), rights: preview, ...more }]
    const bad: readonly (readonly [
      what: string,
      entries: readonly object[],
      code: 'badRequest' | 'notFound',
      says: RegExp,
    ])[] = [
      ['negative', one({ rights: -1 }), 'badRequest', /./],
      ['no whole number', one({ rights: 1.5 }), 'badRequest', /./],
      ['a deny beside rights', one({ rights: Right.deny | preview }), 'badRequest', /不可见/],
      ['the bit of managers', one({ rights: Right.full }), 'badRequest', /不能授予/],
      ['a bit of no right', one({ rights: 4096 | preview }), 'badRequest', /不能授予/],
      ['bits above all', one({ rights: 0x200000 }), 'badRequest', /./],
      ['over already', one({ expireTime: Date.now() - 1 }), 'badRequest', /截止时间/],
      ['twice', [...one({}), ...one({ rights: edit })], 'badRequest', /同一对象/],
      ['nobody', one({ subjectId: 987_654 }), 'notFound', /不存在或已离开/],
      ['no such department', one({ subjectType: 'group', subjectId: anna.userId + 900_000 }), 'notFound', /不存在/],
      ['who has left', [{ ...kept, rights: edit }], 'notFound', /已离开/],
      ['no kind of subject', one({ subjectType: 'team' }), 'badRequest', /./],
    ]
    for (const [what, entries, code, says] of bad) {
      const list = { folderId, inherit: true, entries: [...entries] as never }
      for (const name of ['setShareList', 'previewShareList'] as const) {
        const answer = await boss.wire(name, list)
        expect([what, answer.code], name).toEqual([what, code])
        expect(answer.msg, what).toMatch(says)
      }
      const whole = await boss.wire('setShareLists', { lists: [list] })
      expect([what, resultOf(whole)]).toEqual([what, codes[code].code])
      if (entries.length > 1) continue
      const [{ rights: mask, expireTime, ...subject }] = entries as [{ rights: number; expireTime?: number }]
      const shared = await boss.wire('shareItems', {
        ...{ folderIdArray: [folderId], subjects: [subject] as never, rights: mask, expireTime },
      })
      expect([what, resultOf(shared)]).toEqual([what, codes[code].code])
      if (what === 'who has left') expect(JSON.stringify(shared.data)).toMatch(says)
    }
    expect(await boss.call('getShareList', { folderId })).toEqual(before)
    // An existing entry of a user who has left may stay, but it is not pasted.
    await boss.call('setShareList', { folderId, inherit: true, entries: [kept, ...one({})] })
    const other = await boss.folder(library, '贴到这里')
    await boss.call('batchCopyShare', { sourceFolderId: folderId, targetFolderIds: [other] })
    const own = (await boss.call('getShareList', { folderId: other })).entries.filter(
      ({ kind }) => kind === 'independent',
    )
    expect(own.map(({ subjectId }) => subjectId)).toEqual([anna.userId])
  })

  test('[R208] who may not see the company gives nothing to whom they may not know of, and learns nothing by trying', async () => {
    const { groupId: outside } = await world.group('外部给予部')
    const [far, cora] = [await world.person('far'), await world.person('cora', { groupId: outside })]
    const { roleId } = await admin.call('createRole', { roleName: '外部给予' })
    await admin.call('setRoleMembers', { roleId, userIds: [cora.userId], groupIds: [], titles: [] })
    const changes = (['files', 'grant'] as const).map((capability) => ({ roleId, capability, allowed: true }))
    await admin.call('setCapabilities', { changes, external: [{ roleId, external: true }] })
    const folderId = await boss.folder(library, '外部给')
    await boss.shares({ folderId }, [{ to: cora, rights: edit | Right.grant }])
    const give = (subject: object, rights = preview) =>
      cora.refusal('setShareList', {
        ...{ folderId, inherit: true },
        entries: [
          { ...user(cora), rights: edit | Right.grant },
          { ...subject, rights },
        ] as never,
      })
    expect(await give(user(far))).toBe('notFound')
    expect(await give({ subjectType: 'user', subjectId: 987_654 })).toBe('notFound')
    // An entry added by another user is in the list and can be changed.
    await boss.shares({ folderId }, [
      { to: cora, rights: edit | Right.grant },
      { to: far, rights: preview },
    ])
    await cora.call('setShareList', {
      ...{ folderId, inherit: true },
      entries: [
        { ...user(cora), rights: edit | Right.grant },
        { ...user(far), rights: download },
      ],
    })
  })
})

describe('a change of rights', () => {
  // [R208] Removing access for many people lists them before it happens.
  test('[R208] that takes the access of forty people says so before it happens, and takes it', async () => {
    const { groupId: many } = await admin.call('createGroup', { groupName: '四十人部', parentId: 0 })
    const people = Array.from({ length: 40 }, (_, n) => [
      `职员${n}`,
      `forty${n}`,
      '四十人部',
      ...['', '', '', '', '', ''],
    ])
    expect(await admin.call('importPeople', { rows: people })).toMatchObject({ done: true })
    const folderId = await boss.folder(library, '四十人的')
    await boss.shares({ folderId }, [{ to: { groupId: many }, rights: download }], { inherit: false })
    const before = (await boss.call('getAccessList', { folderId })).total
    const none = { folderId, inherit: false, entries: [] }
    const effect = await boss.call('previewShareList', none)
    expect(effect).toMatchObject({ gains: 0, loses: 40, hidden: 40, same: 0 })
    expect(effect.list).toHaveLength(40)
    await boss.call('setShareList', none)
    expect((await boss.call('getAccessList', { folderId })).total).toBe(before - 40)
  })

  // [R208] The window of permissions: people, departments and roles with a named group or single rights, with expiry,
  // kind and source; gains and losses are shown before saving, changes are logged and can be undone.
  test('[R208] tells before it is saved who gains and who loses, and writes nothing', async () => {
    const folderId = await boss.folder(library, '预览')
    await boss.shares({ folderId }, [{ to: { groupId }, rights: preview }], { inherit: false })
    const input = { folderId, inherit: false, entries: [{ ...user(anna), rights: download }] }
    const effect = await boss.call('previewShareList', input)
    expect(effect).toMatchObject({ gains: 1, loses: 1, hidden: 1, same: 0 })
    expect(effect.list).toEqual([
      { userId: ben.userId, accountName: ben.account, groupName: '依据部', before: preview, after: 0 },
      { userId: anna.userId, accountName: '安娜依据', groupName: '依据部', before: preview, after: download },
    ])
    expect(await ben.call('getFolderInfo', { folderId })).toMatchObject({ rights: preview })
    await boss.call('setShareList', input)
    expect(await ben.refusal('getFolderInfo', { folderId })).toBe('notFound')
    const access = await boss.call('getAccessList', { folderId })
    expect(access.list.map(({ userId, isManager }) => [userId, isManager])).toEqual(
      expect.arrayContaining([
        [boss.userId, true],
        [anna.userId, false],
      ]),
    )
    expect(access.total).toBe(access.list.length)
  })

  // [R208] The server reports people whose own entries have no effect.
  test('[R208] names whose own entries count for nothing, as their department is denied; a manager’s own say goes on', async () => {
    const folderId = await boss.folder(library, '被盖住')
    const own = [anna, boss].map((person) => ({ ...user(person), rights: edit }))
    const overridden = async (...entries: object[]): Promise<unknown> =>
      (await boss.call('previewShareList', { folderId, inherit: false, entries: [...own, ...entries] as never }))
        .overridden
    expect(await overridden({ ...group(), rights: preview })).toEqual([])
    expect(await overridden({ ...group(), rights: Right.deny })).toEqual([{ userId: anna.userId, by: '依据部' }])
  })

  test('[R208] names to who may not see the company the people of their own department alone, and counts all', async () => {
    const far = await world.person('far')
    const cora = await world.person('cora', { groupId })
    const { roleId } = await admin.call('createRole', { roleName: '外部依据' })
    await admin.call('setRoleMembers', { roleId, userIds: [cora.userId], groupIds: [], titles: [] })
    const changes = (['files', 'grant'] as const).map((capability) => ({ roleId, capability, allowed: true }))
    await admin.call('setCapabilities', { changes, external: [{ roleId, external: true }] })
    const folderId = await boss.folder(library, '外部看')
    await boss.shares({ folderId }, [
      { to: cora, rights: edit | Right.grant },
      { to: far, rights: preview },
    ])
    const access = await cora.call('getAccessList', { folderId, rows: 1000 })
    expect(access.list.map(({ userId }) => userId)).toContain(anna.userId)
    expect(access.list.map(({ userId }) => userId)).not.toContain(far.userId)
    const entries = [{ ...user(cora), rights: edit | Right.grant }]
    const effect = await cora.call('previewShareList', { folderId, inherit: true, entries })
    expect([effect.hidden, effect.list]).toEqual([1, []])
  })

  test('[R208] is in the history with what was before and after, and is taken back unless it was changed again', async () => {
    const folderId = await boss.folder(library, '历史')
    await boss.shares({ folderId }, [{ to: anna, rights: download }])
    await boss.shares({ folderId }, [
      { to: anna, rights: preview },
      { to: ben, rights: edit },
    ])
    const { list, total } = await boss.call('getShareHistory', { folderId })
    expect(total).toBe(2)
    expect(list[0]).toMatchObject({
      what: 'set',
      operatorName: boss.account,
      before: { entries: [{ rights: download }] },
    })
    await boss.call('undoShareChange', { folderId, changeId: list[0]?.changeId ?? 0 })
    const own = async () =>
      (await boss.call('getShareList', { folderId })).entries
        .filter(({ kind }) => kind === 'independent')
        .map(({ subjectId, rights }) => [subjectId, rights])
    expect(await own()).toEqual([[anna.userId, download]])
    await boss.shares({ folderId }, [{ to: anna, rights: edit }])
    expect(await boss.refusal('undoShareChange', { folderId, changeId: list[1]?.changeId ?? 0 })).toBe('alreadyExists')
    expect(await own()).toEqual([[anna.userId, edit]])
    expect(await boss.refusal('undoShareChange', { folderId, changeId: 987_654_321 })).toBe('notFound')
  })
})

describe('permissions of several items', () => {
  // [R208] The rights on several items are set in one call with an answer for each, and undone and redone as one.
  test('[R208] are set in one call, each as if it were set alone, and taken back and done again in one', async () => {
    const [one, other] = [await boss.folder(library, '合并一'), await boss.folder(library, '合并二')]
    const annas = await anna.folder(anna.library, '别人的')
    const wanted = (folderId: number, to: Person, mask: number) => ({
      folderId,
      inherit: true,
      entries: [{ ...user(to), rights: mask, expireTime: null }],
    })
    const set = () =>
      boss.call('setShareLists', {
        lists: [wanted(one, anna, edit), wanted(annas, ben, edit), wanted(other, ben, preview)],
      })
    const own = async (folderId: number) =>
      (await boss.call('getShareList', { folderId })).entries
        .filter(({ kind }) => kind === 'independent')
        .map(({ subjectId, rights }) => [subjectId, rights])
    const answers = await set()
    expect(answers.map(({ id, result }) => [id, result])).toEqual([
      [`f-${one}`, codes.success.code],
      [`f-${annas}`, codes.notFound.code],
      [`f-${other}`, codes.success.code],
    ])
    expect([await own(one), await own(other)]).toEqual([[[anna.userId, edit]], [[ben.userId, preview]]])
    // A call that changes nothing records no change.
    expect((await set()).map(({ changeId }) => changeId)).toEqual([undefined, undefined, undefined])
    const made = [answers[0], answers[2]].flatMap(({ changeId } = { changeId: 0 } as never, at) => ({
      folderId: [one, other][at] ?? 0,
      changeId: changeId ?? 0,
    }))
    await boss.shares({ folderId: other }, [{ to: ben, rights: download }])
    const back = await boss.call('undoShareChanges', { undone: made })
    expect(back.map(({ result }) => result)).toEqual([codes.success.code, codes.alreadyExists.code])
    expect([await own(one), await own(other)]).toEqual([[], [[ben.userId, download]]])
    const [again] = await boss.call('undoShareChanges', {
      undone: [{ folderId: one, changeId: back[0]?.changeId ?? 0 }],
    })
    expect([again?.result, await own(one)]).toEqual([codes.success.code, [[anna.userId, edit]]])
    const twice = { lists: [wanted(one, anna, edit), wanted(one, ben, edit)] }
    expect(await boss.refusal('setShareLists', twice)).toBe('badRequest')
  })

  // [R211] Permissions are copied and pasted; a source without any is -228.
  test('[R211] are pasted in the place of what they had; a source without any is -228', async () => {
    const [from, to, bare] = [
      await boss.folder(library, '源'),
      await boss.folder(library, '目标'),
      await boss.folder(library, '空'),
    ]
    await boss.shares({ folderId: from }, [{ to: anna, rights: edit }], { inherit: false })
    await boss.shares({ folderId: to }, [{ to: ben, rights: preview }])
    const [answer] = await boss.call('batchCopyShare', { sourceFolderId: from, targetFolderIds: [to] })
    expect(answer?.result).toBe(codes.success.code)
    const { inherit, entries } = await boss.call('getShareList', { folderId: to })
    expect([inherit, entries.map(({ subjectId, rights }) => [subjectId, rights])]).toEqual([
      false,
      [[anna.userId, edit]],
    ])
    const [refused] = await boss.call('batchCopyShare', { sourceFolderId: bare, targetFolderIds: [to] })
    expect(refused?.result).toBe(-228)
    expect((await boss.call('getShareList', { folderId: to })).entries).toEqual(entries)
  })

  // [R212] Permissions are cleared.
  test('[R212] are cleared: what they were given themselves goes, and they inherit again', async () => {
    const folderId = await boss.folder(library, '清除')
    await boss.shares({ folderId }, [{ to: anna, rights: edit }], { inherit: false })
    expect((await ben.call('clearShareList', { folderIds: [folderId] }))[0]?.result).toBe(codes.notFound.code)
    expect((await boss.call('clearShareList', { folderIds: [folderId] }))[0]?.result).toBe(codes.success.code)
    const { inherit, entries } = await boss.call('getShareList', { folderId })
    expect([inherit, entries.every(({ kind }) => kind === 'inherited')]).toEqual([true, true])
  })

  // [R150] Without GRANT people clear what names them on an item with rules of its own, and nothing else.
  test('[R150] [R212] are given up by whoever may not grant them: what names them, never to have more', async () => {
    const clear = async (who: typeof anna, folderId: number) =>
      (await who.call('clearShareList', { folderIds: [folderId], inherit: true, approveSubItem: true }))[0]?.result
    const folderId = await boss.folder(library, '放弃')
    const both = [
      { to: anna, rights: edit },
      { to: ben, rights: edit },
    ]
    await boss.shares({ folderId }, both, { inherit: false })
    const below = await boss.folder(folderId, '下级')
    // A folder without rules of its own has nothing to be cleared.
    expect(await clear(anna, below)).toBe(codes.noPermission.code)
    expect(await clear(anna, folderId)).toBe(codes.success.code)
    const left = await boss.call('getShareList', { folderId })
    expect([left.inherit, left.entries.map(({ subjectId }) => subjectId)]).toEqual([false, [ben.userId]])
    expect(await clear(anna, folderId)).toBe(codes.notFound.code)
    expect(await clear(ben, below)).toBe(codes.noPermission.code)
    // A narrower entry of their own stays: without it they would have what is inherited.
    const wide = await boss.folder(library, '宽')
    await boss.shares({ folderId: wide }, both, { inherit: false })
    const narrow = await boss.folder(wide, '窄')
    await boss.shares({ folderId: narrow }, [{ to: anna, rights: preview }])
    expect(await clear(anna, narrow)).toBe(codes.noPermission.code)
    // Whoever has nothing there in their own name takes nothing from others.
    expect(await clear(ben, narrow)).toBe(codes.noPermission.code)
    expect((await boss.call('getShareList', { folderId: narrow })).entries).toContainEqual(
      expect.objectContaining({ subjectId: anna.userId, rights: preview }),
    )
  })
})

describe('sharing', () => {
  // [R213] Items shared by and with the person, paged and filtered by words, also where the folders above are not
  // visible.
  test('[R213] [R214] gives beside what there is, is told with its message, and stands in the lists of both', async () => {
    const above = await boss.folder(library, '不可见')
    await boss.shares({ folderId: above }, [], { inherit: false })
    const fileId = await boss.upload(above, '共享给你.txt')
    const share = { fileIdArray: [fileId], subjects: [user(ben)], rights: download, message: '请看第三页' }
    expect((await boss.call('shareItems', share))[0]?.result).toBe(codes.success.code)
    const shared = await ben.call('getSharedToMeList', {})
    expect(shared.list[0]).toMatchObject({ fId: fileId, shareNames: [boss.account], expireTime: null, pathString: '' })
    expect((await ben.call('getSharedToMeList', { keyword: 'gxgn' })).total).toBe(1)
    expect((await ben.call('getSharedToMeList', { keyword: '没有' })).total).toBe(0)
    expect((await ben.call('getSharedToMeList', { userId: boss.userId })).total).toBe(shared.total)
    expect((await ben.call('getSharedToMeList', { userId: ben.userId })).total).toBe(0)
    expect((await boss.call('getMyShareList', {})).list[0]).toMatchObject({ fId: fileId, shareNames: [ben.account] })
    expect((await boss.call('getShareReceivers', {})).list[0]).toEqual({
      type: 'user',
      id: ben.userId,
      name: ben.account,
    })
    await expect.poll(async () => JSON.stringify(await ben.call('getNotices', {}))).toContain('请看第三页')
    await boss.call('clearShareList', { fileIds: [fileId] })
    expect((await ben.call('getSharedToMeList', {})).list.some(({ fId }) => fId === fileId)).toBe(false)
  })

  test('takes nothing from anybody, and never gives more than its author holds', async () => {
    const folderId = await boss.folder(library, '增加')
    await boss.shares({ folderId }, [
      { to: { groupId }, rights: download },
      { to: anna, rights: download | Right.grant },
    ])
    const share = (person: Person, more: object) =>
      person.call('shareItems', { folderIdArray: [folderId], subjects: [group()], rights: preview, ...more })
    expect((await share(boss, {}))[0]?.result).toBe(codes.success.code)
    expect((await boss.call('getShareList', { folderId })).entries.map(({ rights }) => rights)).toEqual([
      download,
      download | Right.grant,
    ])
    expect((await share(anna, { subjects: [user(boss)], rights: edit }))[0]?.result).toBe(codes.noPermission.code)
    expect((await share(anna, { rights: Right.deny }))[0]?.result).toBe(codes.badRequest.code)
    expect((await share(anna, { expireTime: 1 }))[0]?.result).toBe(codes.badRequest.code)
    expect((await share(anna, { subjects: [{ subjectType: 'user', subjectId: 987_654 }] }))[0]?.result).toBe(
      codes.notFound.code,
    )
    // Pasting does not extend or shorten an entry with a different expiry time.
    await boss.shares({ folderId }, [{ to: ben, rights: preview, until: Date.now() + 100_000 }])
    expect((await share(boss, { subjects: [user(ben)], rights: download }))[0]?.result).toBe(codes.alreadyExists.code)
  })
})
