// Who can see an item, what a user can see, now and in the past, and what a hypothetical change would do.
import { Right, rightsGroup } from '@cloudoc/domain'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Person, sharedWorld } from '../../../test/harness.ts'

const world = sharedWorld()
const { preview, download, edit } = rightsGroup
let admin: Person
let anna: Person
let ben: Person
let groupId: number
let library: number

beforeAll(async () => {
  admin = await world.admin()
  ;({ groupId, library } = await world.group('报告部'))
  anna = await world.person('anna', { groupId })
  ben = await world.person('ben')
})

/** Returns a time that lies before everything that follows. */
function moment(): number {
  const at = Date.now()
  while (Date.now() <= at);
  return at
}

const of = (list: readonly { userId: number; rights: number; now: number }[], { userId }: Person) => {
  const found = list.find((one) => one.userId === userId)
  return found && [found.rights, found.now]
}

describe('who can see an item', () => {
  // [R208] The auditor sees who can access an item and what a person can access, with the reasons, now and on a day in
  // the past.
  test('[R208] is told with the reasons, what it is today beside what it was, whoever has moved and whatever was changed since', async () => {
    const folderId = await admin.folder(library, '方案')
    const fileId = await admin.upload(folderId, '报价.txt')
    await admin.shares({ folderId }, [
      { to: { groupId }, rights: preview },
      { to: ben, rights: download },
    ])
    const { roleId } = await admin.call('createRole', { roleName: '报告角色' })
    await admin.call('setRoleMembers', { roleId, userIds: [ben.userId], groupIds: [], titles: [] })
    await admin.shares({ fileId }, [{ to: { roleId }, rights: edit }])
    const then = moment()
    const report = await admin.call('getAccessReport', { fileId })
    expect(of(report.list, anna)).toEqual([preview, preview])
    expect(of(report.list, ben)).toEqual([edit | download, edit | download])
    const bens = report.list.find(({ userId }) => userId === ben.userId)
    expect(bens?.steps).toEqual([
      expect.objectContaining({ step: 'entry', subjectName: ben.account, source: { folderId, fName: '方案' } }),
      expect.objectContaining({
        step: 'entry',
        subjectName: '报告角色',
        source: { folderId: fileId, fName: '报价.txt' },
      }),
    ])
    expect(report.item).toMatchObject({ fName: '报价.txt', pathString: expect.stringContaining('方案') as string })

    // Anna moves to another department; Ben loses the role and his own entry. The list for now therefore differs.
    await admin.call('modifyAccount', { userId: anna.userId, groupId: (await world.group('别处')).groupId })
    await admin.call('setRoleMembers', { roleId, userIds: [], groupIds: [], titles: [] })
    await admin.shares({ folderId }, [
      { to: { groupId }, rights: preview },
      { to: ben, rights: preview },
    ])
    const today = await admin.call('getAccessReport', { fileId })
    expect([of(today.list, anna), of(today.list, ben)]).toEqual([undefined, [preview, preview]])
    const past = await admin.call('getAccessReport', { fileId, at: then })
    expect([of(past.list, anna), of(past.list, ben)]).toEqual([
      [preview, 0],
      [edit | download, preview],
    ])
    expect(past.since).toEqual({ lost: 1, changed: 1 })
    expect(past.counts).toMatchObject({ all: past.total, preview: 1, edit: 1 })
    const different = await admin.call('getAccessReport', { fileId, at: then, differs: true })
    expect(new Set(different.list.map(({ userId }) => userId))).toEqual(new Set([anna.userId, ben.userId]))
    expect((await admin.call('getAccessReport', { fileId, at: then, keyword: ben.account })).total).toBe(1)
    expect((await admin.call('getAccessReport', { fileId, at: then, group: 'preview' })).list).toHaveLength(1)

    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from audit where call = 'getAccessReport'`.execute(world.app.db)
    expect(rows[0]?.n).toBeGreaterThanOrEqual(3)
  })

  test('[R210] in a restricted folder names whoever put it there', async () => {
    const folderId = await admin.folder(library, '收集')
    const [cara, dora] = [await world.person('cara', { groupId }), await world.person('dora', { groupId })]
    await admin.shares({ folderId }, [{ to: { groupId }, rights: edit }], { restricted: true })
    const fileId = await cara.upload(folderId, '卡拉的.txt')
    const { list } = await admin.call('getAccessReport', { fileId, rows: 1000 })
    expect([of(list, cara)?.[0], of(list, dora)]).toEqual([edit, undefined])
  })
})

test('[R208] what a person can see is told by where their rights begin, then and now', async () => {
  const emil = await world.person('emil')
  const hidden = await admin.folder(library, '看不到的')
  const folderId = await admin.folder(hidden, '给爱弥儿')
  await admin.shares({ folderId }, [{ to: emil, rights: download }])
  const then = moment()
  await admin.shares({ folderId }, [{ to: emil, rights: Right.deny }])
  const names = (list: readonly { item: { fName: string }; rights: number; now: number }[]) =>
    list.filter(({ item }) => item.fName === '给爱弥儿').map(({ rights, now }) => [rights, now])
  const today = await admin.call('getPersonReport', { userId: emil.userId })
  expect(names(today.list)).toEqual([[0, 0]])
  const past = await admin.call('getPersonReport', { userId: emil.userId, at: then })
  expect(names(past.list)).toEqual([[download, 0]])
  expect(past.list.find(({ isManager }) => isManager)).toMatchObject({ isLibrary: true, item: { fId: emil.library } })
  expect((await admin.call('getPersonReport', { userId: emil.userId, keyword: '爱弥儿' })).total).toBe(1)
  expect(await admin.refusal('getPersonReport', { userId: 987_654 })).toBe('notFound')
})

// [R208] The effect of a rights entry is evaluated without writing it.
test('[R208] what would be if somebody were given or lost something is told, and nothing is written', async () => {
  const fred = await world.person('fred')
  const folderId = await admin.folder(library, '假如')
  await admin.shares({ folderId }, [{ to: fred, rights: preview }])
  const entry = { subjectType: 'user' as const, subjectId: fred.userId }
  const given = await admin.call('whatIfShared', { folderId, entries: [{ ...entry, rights: edit }] })
  expect(given).toMatchObject({ gains: 1, loses: 0, list: [{ userId: fred.userId, before: preview, after: edit }] })
  const taken = await admin.call('whatIfShared', { folderId, entries: [{ ...entry, rights: 0 }] })
  expect(taken).toMatchObject({ loses: 1, hidden: 1 })
  expect(await fred.call('getFolderInfo', { folderId })).toMatchObject({ rights: preview })
  const unknown = { ...entry, subjectId: 987_654, rights: edit }
  expect(await admin.refusal('whatIfShared', { folderId, entries: [unknown] })).toBe('notFound')
})

test('what is reported on is found by name or folder by folder, by nobody but the auditor', async () => {
  const folderId = await admin.folder(library, '审计能找到')
  const found = await admin.call('findReportItems', { keyword: '能找到' })
  expect(found.list).toContainEqual(expect.objectContaining({ fId: folderId, fType: 2 }))
  const libraries = await admin.call('findReportItems', { rows: 200 })
  expect(libraries.list).toContainEqual(expect.objectContaining({ fId: library, pathString: '' }))
  expect((await admin.call('findReportItems', { parentId: library, rows: 200 })).list.length).toBeGreaterThan(0)
  expect(await admin.refusal('getAccessReport', { folderId: 987_654_321 })).toBe('notFound')
  expect(await anna.refusal('getAccessReport', { folderId })).toBe('noPermission')
  expect(await anna.refusal('findReportItems', {})).toBe('noPermission')
})

// [R150] Managing, copying, pasting and clearing permissions takes GRANT, on a colleague's documents also the setting
// colleague_files. Without GRANT, the flag “authorized” lets people clear what names them (0337).
// [R216] On a colleague's documents nobody else manages permissions unless the setting allows it.
describe('[R150] [R216] documents of a colleague', () => {
  test('are a folder of their own, with what is shared deeper in their libraries, and shared on only where that is let', async () => {
    const [gina, hans, ines] = [await world.person('gina'), await world.person('hans'), await world.person('ines')]
    const above = await gina.folder(gina.library, '私人')
    const folderId = await gina.folder(above, '给汉斯')
    await gina.shares({ folderId }, [{ to: hans, rights: edit | Right.grant }])
    const { list } = await hans.call('getSubItemList3', { folderId: -3 })
    expect(list).toContainEqual(expect.objectContaining({ fId: folderId, colleague: true }))
    expect((await ines.call('getSubItemList3', { folderId: -3 })).list.map(({ fId }) => fId)).not.toContain(folderId)
    await gina.shares({ folderId: gina.library }, [{ to: hans, rights: preview }])
    const roots = await hans.call('getRootFolderSetting', {})
    expect(roots.list.find(({ fId }) => fId === gina.library)).toMatchObject({ kind: 'personal', colleague: true })
    const share = { folderIdArray: [folderId], subjects: [{ subjectType: 'user' as const, subjectId: ines.userId }] }
    await admin.call('setServerSetting', { colleague_files: false })
    expect(await hans.refusal('getShareList', { folderId })).toBe('noPermission')
    expect((await hans.call('shareItems', { ...share, rights: preview }))[0]?.result).toBe(-4)
    // The owner of the documents can still share them.
    expect((await gina.call('shareItems', { ...share, rights: preview }))[0]?.result).toBe(-1)
    await admin.call('setServerSetting', { colleague_files: true })
    expect((await hans.call('getShareList', { folderId })).entries.length).toBeGreaterThan(0)
  })
})
