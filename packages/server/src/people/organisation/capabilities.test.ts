import { isFrame } from '@cloudoc/contract'
import { rightsGroup } from '@cloudoc/domain'
import { beforeAll, expect, test } from 'vitest'
import { openWorld, type Person, sharedWorld } from '../../../test/harness.ts'

const world = sharedWorld()
let admin: Person
beforeAll(async () => {
  admin = await world.admin()
})

/** A role assigned to these users by name. */
async function role(roleName: string, people: readonly Person[], external = false): Promise<number> {
  const { roleId } = await admin.call('createRole', { roleName })
  await admin.call('setRoleMembers', { roleId, userIds: people.map(({ userId }) => userId), groupIds: [], titles: [] })
  if (external) await admin.call('setCapabilities', { changes: [], external: [{ roleId, external }] })
  return roleId
}

// [R348] Capabilities are given to everybody or by roles: the server refuses, pages hide, at once in open sessions, on
// other processes too.
test('[R348] what a role gives is taken and given in open sessions, on another process too; whoever it concerns hears of it', async () => {
  const beside = await openWorld({ peer: world, elected: false, deaf: true })
  const anna = await world.person('anna')
  const ben = await world.person('ben')
  const roleId = await role('外聘法务', [anna], true)
  const there = anna.at(beside)
  const see = { folderId: anna.library }
  expect(await there.refusal('getFolderInfo', see)).toBe('noPermission')
  const heard = await anna.listen()
  const allow = (...names: ('files' | 'follow' | 'upload')[]) =>
    admin.call('setCapabilities', { changes: names.map((capability) => ({ roleId, capability, allowed: true })) })
  expect(await allow('files', 'upload')).toEqual({ people: 1 })
  await heard.next((frame) => isFrame(frame, 'welcome') && frame.data.refetch)
  expect((await there.wire('getFolderInfo', see)).code).toBe('success')
  const folderId = await there.folder(anna.library, '卷宗')
  expect(await there.refusal('addInterest', { folderIdArray: [folderId], interestType: 1 })).toBe('noPermission')
  expect((await anna.call('getUserPermissionInfo', {})).capabilities).toEqual(['files', 'upload'])
  expect(await anna.call('getModuleSetting', {})).toEqual({ modules: ['files'] })
  const changes = [{ roleId, capability: 'upload' as const, allowed: false }]
  await admin.call('setCapabilities', { changes })
  expect(await there.refusal('folderCreate', { parentId: folderId, folderName: 'x' })).toBe('noPermission')
  expect((await ben.call('getUserPermissionInfo', {})).capabilities).toContain('upload')
  await admin.call('deleteRole', { roleId })
  expect((await there.wire('folderCreate', { parentId: folderId, folderName: 'x' })).code).toBe('success')
})

test('[R348] each capability that is missing is refused by what it is of, and is in none of what is told', async () => {
  const anna = await world.person('anna')
  const folderId = await anna.folder(anna.library, '合同')
  const fileId = await anna.upload(folderId, '一.txt')
  const other = await world.person('other')
  const roleId = await role('只看', [anna], true)
  const set = (capability: 'files' | 'recycle' | 'follow' | 'grant' | 'download' | 'upload' | 'packDownload') =>
    admin.call('setCapabilities', { changes: [{ roleId, capability, allowed: true }] })
  expect(await anna.refusal('getRootFolderSetting', {})).toBe('noPermission')
  expect(await anna.refusal('searchDoc', { keyword: '合' })).toBe('noPermission')
  await set('files')
  const record = await anna.call('getFileInfo', { fileId })
  expect(record.itemStatus & 256).toBe(256)
  expect((await anna.download(fileId)).statusCode).toBe(403)
  expect(await anna.refusal('getRecycleList', {})).toBe('noPermission')
  expect(await anna.refusal('setShareList', { folderId, inherit: true, entries: [] })).toBe('noPermission')
  expect((await anna.uploadWire(folderId, '二.txt', 'x')).code).toBe('noPermission')
  // An invisible item is answered as not found.
  expect(await other.refusal('setShareList', { folderId, inherit: true, entries: [] })).toBe('notFound')
  for (const name of ['recycle', 'grant', 'download', 'upload'] as const) await set(name)
  expect((await anna.download(fileId)).statusCode).toBe(200)
  const packed = () => anna.wire('downloadMultiFile', { files: `fi_${fileId}` })
  expect((await packed()).code).toBe('noPermission')
  await anna.shares({ folderId }, [{ to: other, rights: rightsGroup.download }])
  expect((await anna.wire('getRecycleList', {})).code).toBe('success')
  const told = await admin.call('getPersonCapabilities', { userId: anna.userId })
  expect(told).toMatchObject({ external: true })
  expect(told.list.find(({ capability }) => capability === 'grant')).toEqual({
    capability: 'grant',
    allowed: true,
    everybody: false,
    roles: ['只看'],
  })
  expect(told.list.filter(({ allowed }) => !allowed).map(({ capability }) => capability)).toEqual([
    'packDownload',
    'createLinks',
    'follow',
    'companyTree',
    'transfer',
  ])
})

test('[R348] what is taken from everybody is taken from whom no role gives it, and back again', async () => {
  const own = await openWorld({ elected: false })
  const boss = await own.admin()
  const anna = await own.person('anna')
  const ben = await own.person('ben')
  const { roleId } = await boss.call('createRole', { roleName: '可以关注' })
  await boss.call('setRoleMembers', { roleId, userIds: [ben.userId], groupIds: [], titles: [] })
  const follow = (roleId: number, allowed: boolean) =>
    boss.call('setCapabilities', { changes: [{ roleId, capability: 'follow', allowed }] })
  await follow(roleId, true)
  expect(await follow(0, false)).toEqual({ people: 3 })
  expect(await anna.refusal('getInterestList', { interestType: 1 })).toBe('noPermission')
  expect((await ben.wire('getInterestList', { interestType: 1 })).code).toBe('success')
  expect((await boss.call('getCapabilities', {})).everybody).not.toContain('follow')
  expect(
    await boss.refusal('setCapabilities', { changes: [{ roleId: 99, capability: 'follow', allowed: true }] }),
  ).toBe('notFound')
  expect(await anna.refusal('setCapabilities', { changes: [] })).toBe('noPermission')
  await follow(0, true)
  expect((await anna.wire('getInterestList', { interestType: 1 })).code).toBe('success')
})

// [R348] People who may not see the company see the people, departments and roles of their own department only.
test('[R348] who may not see the company knows the people of their own department, and nobody else is there', async () => {
  const { groupId: mine } = await world.group('自己的')
  const { groupId: theirs } = await world.group('别人的')
  const anna = await world.person('sightAnna', { groupId: mine })
  const near = await world.person('sightNear', { groupId: mine })
  const far = await world.person('sightFar', { groupId: theirs })
  const roleId = await role('不看公司', [anna], true)
  const { list } = await anna.call('searchItem2', { searchType: 'user', keyword: 'sight' })
  expect(new Set(list.map(({ id }) => id))).toEqual(new Set([anna.userId, near.userId]))
  expect(await anna.refusal('getUserInfo', { accountId: far.userId })).toBe('notFound')
  expect(await anna.refusal('getSubItemList', { parentType: 'group', parentId: theirs })).toBe('notFound')
  const top = await anna.call('getSubItemList', { parentType: 'group', parentId: 0 })
  expect(top.list.map(({ id }) => id)).toEqual([mine])
  expect((await anna.call('getRoleList', {})).list.map((one) => one.roleId)).toEqual([roleId])
  expect(await anna.call('getAllAccount', {})).toMatchObject({ total: 2 })
  expect((await near.wire('getUserInfo', { accountId: far.userId })).code).toBe('success')
})

test('[R348] what somebody may not know of takes no place of what they may', async () => {
  const admin = await world.admin()
  // A dozen departments and a dozen roles that precede theirs by name.
  for (let n = 10; n < 22; n += 1) {
    await world.group(`名额${n}部`)
    await admin.call('createRole', { roleName: `名额${n}角色` })
  }
  const { groupId } = await world.group('名额九九部')
  const narrow = await world.person('narrow', { groupId })
  const roleId = await role('名额九九角色', [narrow], true)
  const { list } = await narrow.call('searchItem2', { searchType: 'all', keyword: '名额', rows: 3 })
  expect(list.map(({ type, id }) => [type, id])).toEqual([
    ['group', groupId],
    ['role', roleId],
  ])
})
