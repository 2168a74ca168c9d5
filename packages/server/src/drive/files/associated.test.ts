// Associated folders ([R248]): they can be created if the setting is on, no other folder shares their name, and they
// retain it.
import { ItemStatusBit, rightsGroup } from '@cloudoc/domain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type Person, type World } from '../../../test/harness.ts'

let world: World
let admin: Person
const set = (on: boolean) => admin.call('setServerSetting', { useGL: on })
beforeAll(async () => {
  world = await openWorld()
  admin = await world.admin()
  await set(true)
})
afterAll(() => set(false))

const { associateFolder, inheritAssociationFolder, modifyAssociateFolder } = ItemStatusBit
const bits = async (person: Person, folderId: number): Promise<number> =>
  (await person.call('getFolderInfo', { folderId })).itemStatus &
  (associateFolder | inheritAssociationFolder | modifyAssociateFolder)

// [R111] Normal, associated and inherited associated folders are told apart.
// [R117] Associated folders are created where the setting GL is on.
// [R162] Associated folders are offered where the setting GL is on.
// [R248] Associated folders and folders within: one name per library (-223), no other name (-255).
test('[R111] [R117] [R162] [R248] an associated folder bears its name alone in its library and keeps it; what is in it inherits that', async () => {
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  const setting = JSON.parse(await anna.call('getServerSetting', {})) as { GL: object }
  expect(setting.GL).toEqual({ useGL: true })
  const make = (person: Person, parentId: number, folderName: string) => ({
    parentId,
    folderName,
    isAssociateFolder: true,
    person,
  })
  const create = async ({ person, ...input }: ReturnType<typeof make>): Promise<number> =>
    (await person.call('folderCreate', input)).folderId
  const refused = ({ person, ...input }: ReturnType<typeof make>) => person.refusal('folderCreate', input)
  const plain = await anna.folder(anna.library, '普通')
  const contract = await create(make(anna, plain, '合同'))
  const inside = await anna.folder(contract, '一季度')
  expect(await bits(anna, contract)).toBe(associateFolder | modifyAssociateFolder)
  expect(await bits(anna, inside)).toBe(inheritAssociationFolder)
  expect(await bits(anna, plain)).toBe(0)
  const { list } = await anna.call('getSubItemList3', { folderId: contract })
  expect((list[0]?.itemStatus ?? 0) & inheritAssociationFolder).not.toBe(0)
  // Unique names.
  expect(await refused(make(anna, anna.library, '合同'))).toBe('associatedSameName')
  expect(await refused(make(anna, anna.library, '普通'))).toBe('associatedSameName')
  expect(await anna.refusal('folderCreate', { parentId: contract, folderName: '一季度' })).toBe('associatedSameName')
  expect(await anna.refusal('renameFolder', { folderId: contract, folderName: 'x' })).toBe('associatedRename')
  expect(await anna.refusal('renameFolder', { folderId: inside, folderName: 'x' })).toBe('associatedRename')
  await create(make(ben, ben.library, '合同'))
  // Who may remove the association, and what that does.
  await anna.shares({ folderId: plain }, [{ to: ben, rights: rightsGroup.edit }])
  expect(await bits(ben, contract)).toBe(associateFolder)
  expect(await ben.refusal('setFolderAssociate', { folderIdArray: [contract], associate: false })).toBe('noPermission')
  const other = await anna.folder(anna.library, '合同')
  expect(await anna.refusal('setFolderAssociate', { folderIdArray: [other], associate: true })).toBe(
    'associatedSameName',
  )
  await anna.call('setFolderAssociate', { folderIdArray: [contract], associate: false })
  expect([await bits(anna, contract), await bits(anna, inside)]).toEqual([0, 0])
  await anna.call('renameFolder', { folderId: inside, folderName: '二季度' })
  await anna.call('setFolderAssociate', { folderIdArray: [other], associate: true })
  // A folder restored from the recycle bin must not share the name either.
  await anna.call('fileOrFolderDelete', { folderIdArray: [other] })
  await anna.call('setFolderAssociate', { folderIdArray: [contract], associate: true })
  expect(await anna.refusal('recycleRestore', { folderIdArray: [other] })).toBe('associatedSameName')
  // A copy is an ordinary folder.
  const [copy] = await anna.call('fileOrFolderCopy', { targetFolderId: anna.library, folderIdArray: [contract] })
  expect(await bits(anna, copy?.fId ?? 0)).toBe(0)
})
