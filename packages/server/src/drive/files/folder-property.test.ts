// The properties of a folder and its position in the tree ([R119], [R062]).
import { rightsGroup } from '@cloudoc/domain'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { changeIn } from '../../../test/follower.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { purgeAll } from '../../../test/purge.ts'

let world: World
let anna: Person
let ben: Person
let top: number
let inner: number

const make = async (parentId: number, folderName: string) =>
  (await anna.call('folderCreate', { parentId, folderName })).folderId

beforeAll(async () => {
  world = await openWorld()
  anna = await world.person('anna')
  ben = await world.person('ben')
  top = await make(anna.library, '项目')
  inner = await make(top, '二期')
  const hidden = await make(top, '薪酬')
  await anna.upload(top, 'a.txt', '12345')
  await anna.upload(inner, 'b.txt', '123')
  await anna.upload(hidden, 'c.txt', '1234567')
  await anna.upload(inner, 'a.txt', 'gone')
  await anna.call('fileOrFolderDelete', { fileIdArray: [await anna.upload(inner, 'd.txt', 'gone')] })
  await anna.call('fileOrFolderLink', { folderIdArray: [anna.library], targetFolderId: inner })
  await anna.shares({ folderId: top }, [{ to: ben, rights: rightsGroup.preview }])
  await anna.shares({ folderId: hidden }, [{ to: ben, rights: 1 }])
})

test('[R119] the property of a folder counts what the caller may see at any depth, and nothing else', async () => {
  const mine = await anna.call('getFolderProperty', { folderId: top })
  expect(mine).toMatchObject({ folderCount: 2, fileCount: 4, totalSize: 5 + 3 + 7 + 4, isComplete: true, sizeLimit: 0 })
  expect(mine.folder).toEqual(await anna.call('getFolderInfo', { folderId: top }))
  const bens = await ben.call('getFolderProperty', { folderId: top })
  expect(bens).toMatchObject({ folderCount: 1, fileCount: 3, totalSize: 5 + 3 + 4, isComplete: true })
  expect(await anna.refusal('getFolderProperty', { folderId: -2 })).toBe('noPermission')
  await sql`update library set quota = 1000 where id = ${anna.library}`.execute(world.app.db)
  expect((await anna.call('getFolderProperty', { folderId: top })).sizeLimit).toBe(1000)
  await sql`update library set quota = 0 where id = ${anna.library}`.execute(world.app.db)
})

test('[R119] many are counted to the last, in a restricted folder those that one made', async () => {
  const many = await make(anna.library, 'many')
  const fill = (by: Person, first: number, last: number) =>
    sql`insert into item (library_id, parent_id, f_type, name,
      name_key, name_sort, search_text, created_by, created_at, modified_by, modified_at)
    select ${anna.library}, ${many}, 2, n, n, n, n, ${by.userId}, 1, ${by.userId}, 1
    from (select 'f' || n as n from generate_series(${first}::int, ${last}::int) n) names`.execute(world.app.db)
  await fill(anna, 1, 2001)
  await fill(ben, 2002, 2004)
  const counted = async (who: Person) => {
    const { folderCount, isComplete } = await who.call('getFolderProperty', { folderId: many })
    return [folderCount, isComplete]
  }
  expect(await counted(anna)).toEqual([2004, true])
  await anna.shares({ folderId: many }, [{ to: ben, rights: rightsGroup.preview }])
  expect(await counted(ben)).toEqual([2004, true])
  await anna.shares({ folderId: many }, [{ to: ben, rights: rightsGroup.preview }], { restricted: true })
  expect(await counted(ben)).toEqual([3, true])
  expect(await counted(anna)).toEqual([2004, true])
})

test('[R119] a folder is shown in its own order where nobody asks for another, and everybody hears of a new one', async () => {
  const folderId = await make(anna.library, 'ordered')
  await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.preview }])
  await anna.upload(folderId, 'a.txt', '1')
  await anna.upload(folderId, 'b.txt', '333')
  await anna.upload(folderId, 'c.txt', '22')
  const names = async (order: { sort?: 'name' | 'size'; order?: 'asc' | 'desc' } = {}) =>
    (await ben.call('getSubItemList3', { folderId, ...order })).list.map((item) => item.fName)
  expect(await names()).toEqual(['a.txt', 'b.txt', 'c.txt'])
  expect(await names({ order: 'desc' })).toEqual(['c.txt', 'b.txt', 'a.txt'])
  await world.app.settle()
  const live = await ben.listen()
  await anna.call('setFolderOrder', { folderId, sort: 'size', order: 'desc' })
  const frame = await live.next((one) => changeIn(one)?.fId === folderId)
  expect(changeIn(frame)).toMatchObject({ fType: 2, operateType: 3 })
  expect(await names()).toEqual(['b.txt', 'c.txt', 'a.txt'])
  expect(await names({ order: 'asc' })).toEqual(['a.txt', 'c.txt', 'b.txt'])
  expect(await names({ sort: 'name' })).toEqual(['a.txt', 'b.txt', 'c.txt'])
  const order = { sort: 'size', order: 'desc' }
  expect(await ben.call('getFolderInfo2', { folderId })).toMatchObject(order)
  expect(await ben.call('getFolderProperty', { folderId })).toMatchObject(order)
  const first = await ben.call('getSubItemList3', { folderId, rows: 2 })
  const after = await ben.call('getSubItemList3', { folderId, rows: 2, after: first.next ?? '' })
  expect([...first.list, ...after.list].map((item) => item.fName)).toEqual(['b.txt', 'c.txt', 'a.txt'])
  expect(await ben.refusal('setFolderOrder', { folderId, sort: 'name', order: 'asc' })).toBe('noPermission')
  await anna.call('fileOrFolderCompleteDelete', { folderIdArray: [folderId] })
  await purgeAll(world.app.db)
  const orders = world.app.db.selectFrom('folder_order').selectAll().where('folder_id', '=', folderId)
  expect(await orders.execute()).toEqual([])
})

// [R119] In trees only folders that contain a folder visible to the person can be expanded; this follows changes.
test('[R119] of many folders those are told that hold a folder which the caller sees', async () => {
  const [empty, many] = [await make(top, '空'), await make(top, '多')]
  await anna.upload(empty, 'a.txt', '1')
  const gone = await make(empty, '已删')
  await anna.call('fileOrFolderDelete', { folderIdArray: [gone] })
  const hidden = await make(many, '仅自己')
  await anna.shares({ folderId: hidden }, [{ to: ben, rights: 1 }])
  const holding = async (who: Person, folderIds: number[]) =>
    (await who.call('getFoldersWithSubfolders', { folderIds })).folderIds.toSorted((a, b) => a - b)
  expect(await holding(anna, [anna.library, top, inner, empty, many, -2, 987_654])).toEqual(
    [anna.library, top, many].toSorted((a, b) => a - b),
  )
  // Hidden folders are not disclosed, nor are folders whose contents the user cannot see.
  expect(await holding(ben, [anna.library, top, inner, empty, many])).toEqual([top])
  // If more items are hidden than are checked, the folder can be expanded.
  await sql`insert into item (library_id, parent_id, f_type, name, name_key, name_sort, search_text,
      created_by, created_at, modified_by, modified_at, own_rules, inherit)
    select ${anna.library}, ${many}, 2, n, n, n, n, ${anna.userId}, 1, ${anna.userId}, 1, true, false
    from (select 'g' || n as n from generate_series(1, 40) n) names`.execute(world.app.db)
  expect(await holding(ben, [many])).toEqual([many])
  await anna.call('fileOrFolderCompleteDelete', { folderIdArray: [empty, many] })
})

test('[R119] [R062] items are found by several written ids at once, those that may be seen', async () => {
  const { list } = await ben.call('getItemListByItemIdStr', {
    itemIdStrs: `s0f-${top},s0f-${anna.library},s0f-${inner},s1f-3`,
  })
  expect(list.map((item) => item.fId)).toEqual([top, inner])
  expect(list[1]).toEqual(await ben.call('getFolderInfo', { folderId: inner }))
  expect(await ben.call('getItemListByItemIdStr', { itemIdStrs: '0-f-s,s0f-0' })).toEqual({ list: [] })
  expect(await ben.refusal('getItemListByItemIdStr', { itemIdStrs: `s0f1${',s0f1'.repeat(20)}` })).toBe('badRequest')
})
