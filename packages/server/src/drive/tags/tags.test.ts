// Tags: who owns them, who sees them, and which lists contain them. A wrong list is a data leak.
import { isFrame } from '@cloudoc/contract'
import { codes, LogBit, rightsGroup } from '@cloudoc/domain'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { changeIn } from '../../../test/follower.ts'
import { type Person, sharedWorld } from '../../../test/harness.ts'
import { taggedItems } from './index.ts'

const world = sharedWorld()
const { preview, edit } = rightsGroup

async function team() {
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  const folderId = await anna.folder(anna.library, '项目')
  const files = [await anna.upload(folderId, 'a.txt'), await anna.upload(folderId, 'b.txt')]
  await anna.shares({ folderId }, [{ to: ben, rights: preview }])
  return { anna, ben, folderId, files, fileId: files[0] ?? 0 }
}

const tagsOf = async (person: Person, fileId: number): Promise<string[]> =>
  (await person.call('getItemTags', { fileIdArray: [fileId] })).list.flatMap(({ tags }) =>
    tags.map(({ tagName }) => tagName),
  )
const listed = async (person: Person, keyword = '') =>
  Object.fromEntries((await person.call('getTagList', { keyword })).list.map((tag) => [tag.tagName, tag]))

/** A company tag with a name that no other test uses. */
async function companyTag(tagName: string): Promise<number> {
  const admin = await world.admin()
  return (await admin.call('saveCompanyTag', { tagName, colour: 'green' })).tagId
}

describe('[R236] tags', () => {
  // [R236] Tags are added to many items at once, searched, listed with their items, renamed, coloured, and deleted by a
  // list of names.
  test('[R236] are put on several items at once, found by pinyin, listed with what bears them, and taken off', async () => {
    const { anna, folderId, files, fileId } = await team()
    const answers = await anna.call('setItemTags', {
      fileIdArray: files,
      folderIdArray: [folderId],
      addTags: [{ tagName: ' 合同 ', colour: 'red' }, { tagName: '待归档' }],
    })
    expect(answers.map(({ result }) => result)).toEqual(Array(3).fill(codes.success.code))
    expect(await tagsOf(anna, fileId)).toEqual(['待归档', '合同'])
    const tags = await listed(anna)
    expect(tags['合同']).toMatchObject({ colour: 'red', company: false, count: 3 })
    expect(Object.keys(await listed(anna, 'dgd'))).toEqual(['待归档'])
    const [contract, archive] = [tags['合同']?.tagId ?? 0, tags['待归档']?.tagId ?? 0]
    await anna.call('setItemTags', { fileIdArray: [fileId], removeTagIds: [archive] })
    const both = await anna.call('getTagItems', { tagIds: `${contract},${archive}` })
    expect(both.list.map(({ fName }) => fName).sort()).toEqual(['b.txt', '项目'])
    expect(both.tags.map(({ tagName }) => tagName).sort()).toEqual(['合同', '待归档'].sort())
    const page = await anna.call('getTagItems', { tagIds: `${contract}`, from: 1, rows: 1 })
    expect([page.list.length, page.total]).toEqual([1, 3])
    // Names are compared in normalized form, so this is the same tag.
    await anna.call('setItemTags', { fileIdArray: [fileId], addTags: [{ tagName: '合同' }] })
    expect((await listed(anna))['合同']?.count).toBe(3)
  })

  // [R236] The server sorts tagged items, page by page.
  test('[R236] what bears one is listed in the order that is asked for, page by page', async () => {
    const { anna, folderId, files } = await team()
    const large = await anna.upload(folderId, 'ab.txt', 'much of it')
    await anna.call('setItemTags', { fileIdArray: [large], folderIdArray: [folderId], addTags: [{ tagName: '次序' }] })
    await anna.call('setItemTags', { fileIdArray: files, addTags: [{ tagName: '次序' }] })
    const tagIds = `${(await listed(anna))['次序']?.tagId}`
    const order = async (more: object): Promise<string[]> => {
      const pages = [0, 2].map((from) => anna.call('getTagItems', { tagIds, from, rows: 2, ...more }))
      return (await Promise.all(pages)).flatMap(({ list }) => list.map(({ fName }) => fName))
    }
    expect(await order({ sort: 'name', order: 'asc' })).toEqual(['项目', 'a.txt', 'ab.txt', 'b.txt'])
    expect(await order({ sort: 'name' })).toEqual(['项目', 'b.txt', 'ab.txt', 'a.txt'])
    expect((await order({ sort: 'size' })).slice(0, 2)).toEqual(['项目', 'ab.txt'])
    await anna.upload(folderId, 'a.txt', 'second', { conflict: 'version' })
    await sql`update item set modified_at = modified_at + 60000 where id = ${files[0]}`.execute(world.app.db)
    expect((await order({ sort: 'time' })).slice(0, 2)).toEqual(['项目', 'a.txt'])
  })

  test('[R236] of one’s own are renamed, coloured and deleted by their names, and nobody else’s', async () => {
    const { anna, ben, fileId } = await team()
    await anna.call('setItemTags', { fileIdArray: [fileId], addTags: [{ tagName: '私' }] })
    const tagId = (await listed(anna))['私']?.tagId ?? 0
    expect(await tagsOf(ben, fileId)).toEqual([])
    expect(await listed(ben)).not.toHaveProperty('私')
    expect((await ben.call('getTagItems', { tagIds: `${tagId}` })).list).toEqual([])
    expect(await ben.refusal('setItemTags', { fileIdArray: [fileId], addTagIds: [tagId] })).toBe('notFound')
    expect(await ben.refusal('saveTag', { tagId, tagName: 'x' })).toBe('notFound')
    await ben.call('tagDelMyList', { tagNames: ['私'] })
    expect(await tagsOf(anna, fileId)).toEqual(['私'])
    await anna.call('saveTag', { tagId, tagName: '机密项目', colour: 'purple' })
    await anna.call('saveTag', { tagName: '另一个' })
    expect(await anna.refusal('saveTag', { tagId, tagName: '另一个' })).toBe('alreadyExists')
    expect((await listed(anna))['机密项目']).toMatchObject({ tagId, colour: 'purple' })
    await anna.call('tagDelMyList', { tagNames: ['机密项目', '没有'] })
    expect(await tagsOf(anna, fileId)).toEqual([])
  })

  test('[R236] of one’s own are told to their owner alone, and hold up nothing else that is told', async () => {
    const { anna, ben, folderId, fileId } = await team()
    const [own, other] = [await anna.listen(), await ben.listen()]
    await anna.call('setItemTags', { fileIdArray: [fileId], addTags: [{ tagName: '只是我的' }] })
    await own.next((frame) => isFrame(frame, 'tagsChanged') && frame.data.fId === fileId)
    const made = await anna.folder(folderId, '之后')
    await other.next((frame) => changeIn(frame)?.fId === made)
    expect(other.frames.filter((frame) => isFrame(frame, 'tagsChanged'))).toEqual([])
  })

  // [R236] Company tags are managed by the administrator; hidden items are in no list and no count.
  test('[R236] of the company are the administrator’s to make, everybody’s to see where they see the item', async () => {
    const { anna, ben, folderId, fileId } = await team()
    const tagId = await companyTag('签约')
    expect(await anna.refusal('saveCompanyTag', { tagName: '我的' })).toBe('noPermission')
    expect(await anna.refusal('deleteCompanyTag', { tagId })).toBe('noPermission')
    const live = await ben.listen()
    await anna.call('setItemTags', { fileIdArray: [fileId], addTags: [{ tagName: '签约' }] })
    const frame = await live.next((one) => isFrame(one, 'tagsChanged'))
    expect(frame.data).toEqual({ fId: fileId, fType: 1 })
    expect(await tagsOf(ben, fileId)).toEqual(['签约'])
    expect((await listed(ben))['签约']?.count).toBe(1)
    // A company tag set by another user can be removed by users who may change the item.
    expect(await ben.refusal('setItemTags', { fileIdArray: [fileId], removeTagIds: [tagId] })).toBe('noPermission')
    await anna.shares({ folderId }, [{ to: ben, rights: edit }])
    await ben.call('setItemTags', { fileIdArray: [fileId], removeTagIds: [tagId] })
    expect(await tagsOf(anna, fileId)).toEqual([])
    const { rows } = await sql<{ detail: { log: number; added: string; removed: string } }>`
      select detail from audit where call = 'setItemTags' and ${fileId} = any(items) order by id`.execute(world.app.db)
    expect(rows.map(({ detail }) => [detail.log, detail.added, detail.removed])).toEqual([
      [LogBit.addTag, '签约', ''],
      [LogBit.deleteTag, '', '签约'],
    ])
    await anna.call('setItemTags', { fileIdArray: [fileId], addTagIds: [tagId] })
    await anna.shares({ folderId }, [])
    // Items that are now hidden are neither listed nor counted.
    expect((await listed(ben))['签约']?.count).toBe(0)
    expect(await ben.call('getTagItems', { tagIds: `${tagId}` })).toMatchObject({ list: [], total: 0 })
    expect(await taggedItems(world.app.db, ben.userId, 'qy', 10)).toEqual([fileId])
    await (await world.admin()).call('deleteCompanyTag', { tagId })
    expect(await tagsOf(anna, fileId)).toEqual([])
  })

  // [R158] Tags take DISPLAY and the setting.
  test('[R158] [R236] are put on by who sees the item, where the setting is on', async () => {
    const { anna, ben, folderId, fileId } = await team()
    await anna.shares({ folderId }, [{ to: ben, rights: 2 }])
    const one = { fileIdArray: [fileId], addTags: [{ tagName: '看过' }] }
    await ben.call('setItemTags', one)
    expect(await tagsOf(ben, fileId)).toEqual(['看过'])
    const admin = await world.admin()
    await admin.call('setServerSetting', { tag: false })
    expect(await ben.refusal('setItemTags', one)).toBe('noPermission')
    await admin.call('setServerSetting', { tag: true })
  })
})
