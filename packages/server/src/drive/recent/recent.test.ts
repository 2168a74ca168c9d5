// The four lists of a user's recent items.
import { rightsGroup } from '@cloudoc/domain'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Person, sharedWorld } from '../../../test/harness.ts'

const world = sharedWorld()

async function team() {
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  const folderId = await anna.folder(anna.library, '项目')
  const fileId = await anna.upload(folderId, 'a.txt')
  await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.edit }])
  return { anna, ben, folderId, fileId }
}
type Lists = 'getRecentHistory' | 'getRecentLocked' | 'getRecentSubmit' | 'getRecentChange'
const names = async (person: Person, call: Lists): Promise<string[]> =>
  (await person.call(call, {})).list.map(({ fName }) => fName)

describe('[R249] recent lists', () => {
  // [R249] History: items opened, previewed, edited or downloaded, one row per item.
  test('[R249] history holds what one opened, previewed, edited or downloaded, one row an item, the latest first', async () => {
    const { anna, ben, folderId, fileId } = await team()
    const other = await anna.upload(folderId, 'b.txt')
    expect(await names(ben, 'getRecentHistory')).toEqual([])
    await ben.call('getDocumentPreviewURL', { fileId })
    await ben.call('createDownloadTicket', { fileIdArray: [other] })
    await ben.call('noteOpened', { folderIdArray: [folderId] })
    const { list, total } = await ben.call('getRecentHistory', {})
    expect(list.map(({ fName, recentAct }) => [fName, recentAct])).toEqual([
      ['项目', 'open'],
      ['b.txt', 'download'],
      ['a.txt', 'preview'],
    ])
    expect(total).toBe(3)
    await ben.call('fileEditLock', { fileId })
    expect((await ben.call('getRecentHistory', { rows: 1 })).list[0]).toMatchObject({
      fName: 'a.txt',
      recentAct: 'edit',
    })
    await ben.call('deleteRecentHistory', { fileIdArray: [other] })
    expect(await names(ben, 'getRecentHistory')).toEqual(['a.txt', '项目'])
    expect(await names(anna, 'getRecentHistory')).toEqual([])
    // Items that the user can no longer see are not listed.
    await anna.shares({ folderId }, [])
    expect(await names(ben, 'getRecentHistory')).toEqual([])
    await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.edit }])
    await ben.call('deleteRecentHistory', { all: true })
    expect(await names(ben, 'getRecentHistory')).toEqual([])
  })

  // [R249] Locked: one's own locks, and for managers those in their libraries.
  test('[R249] locked holds the locks that one has, and for managers those of others in their libraries', async () => {
    const { anna, ben, fileId, folderId } = await team()
    const own = await anna.upload(folderId, 'own.txt')
    await ben.call('fileEditLock', { fileId })
    await anna.call('fileEditLock', { fileId: own })
    expect(await names(ben, 'getRecentLocked')).toEqual(['a.txt'])
    const { list } = await anna.call('getRecentLocked', {})
    expect(list.map(({ fName, editorName }) => [fName, editorName])).toEqual([
      ['own.txt', anna.account],
      ['a.txt', ben.account],
    ])
    await ben.call('fileEditUnlock', { fileId })
    expect(await names(ben, 'getRecentLocked')).toEqual([])
  })

  // [R249] Submit and change.
  test('[R249] submit holds what one uploaded or handed in, change what others did to what one knows', async () => {
    const { anna, ben, folderId, fileId } = await team()
    expect(await names(ben, 'getRecentSubmit')).toEqual([])
    await ben.upload(folderId, 'a.txt', 'second', { conflict: 'version' })
    await ben.upload(folderId, 'c.txt')
    const { list } = await ben.call('getRecentSubmit', {})
    expect(Object.fromEntries(list.map(({ fName, submitVersion }) => [fName, submitVersion]))).toEqual({
      'a.txt': 2,
      'c.txt': 1,
    })
    expect(await names(anna, 'getRecentSubmit')).toEqual(['a.txt'])
    // Anna created the first version. Changes of c.txt are listed for her only after she follows the folder.
    expect(await names(anna, 'getRecentChange')).toEqual(['a.txt'])
    expect(await names(ben, 'getRecentChange')).toEqual([])
    await anna.call('addInterest', { interestType: 1, folderIdArray: [folderId] })
    expect((await names(anna, 'getRecentChange')).sort()).toEqual(['a.txt', 'c.txt'])
    await anna.upload(folderId, 'a.txt', 'third', { conflict: 'version' })
    expect(await names(anna, 'getRecentChange')).toEqual(['c.txt'])
    expect(await names(ben, 'getRecentChange')).toEqual(['a.txt'])
    expect(fileId).toBeGreaterThan(0)
  })

  // [R249] Of changes by others: since which version, how often and with what comments; the version is compared from
  // its row or menu.
  test('[R249] of what others changed it is told since which version, how often, and what they said of it', async () => {
    const { anna, ben, folderId, fileId } = await team()
    const changes = async (person: Person) =>
      (await person.call('getRecentChange', {})).list.map((one) => [
        ...[one.fName, one.changeFrom, one.changeCount, one.changeComment, one.changeRestored, one.isNew],
      ])
    /** Dates everything that has happened so far one minute back. */
    const later = async (): Promise<void> => {
      await sql`update recent set at = at - 60000 where item_id = ${fileId}`.execute(world.app.db)
      await sql`update version set created_at = created_at - 60000 where item_id = ${fileId}`.execute(world.app.db)
      await sql`update item set modified_at = modified_at - 60000 where id = ${fileId}`.execute(world.app.db)
    }
    await ben.call('noteOpened', { fileIdArray: [fileId] })
    await later()
    for (const text of ['second', 'third']) await anna.upload(folderId, 'a.txt', text, { conflict: 'version' })
    await anna.call('updateVersionComment', { fileId, version: 3, comment: '付款期改为 45 天' })
    expect(await changes(ben)).toEqual([['a.txt', 1, 2, '付款期改为 45 天', 0, true]])
    await later()
    // After the file has been opened, only the newest version is listed.
    await ben.call('noteOpened', { fileIdArray: [fileId] })
    expect(await changes(ben)).toEqual([['a.txt', 2, 1, '付款期改为 45 天', 0, false]])
    await later()
    // After the user's own version: the versions of others based on it.
    await ben.upload(folderId, 'a.txt', 'fourth', { conflict: 'version' })
    await anna.call('setLatestVersion', { fileId, version: 2 })
    expect(await changes(ben)).toEqual([['a.txt', 4, 1, '', 2, true]])
    // A file that was never opened is listed from its first version on.
    await ben.call('addInterest', { interestType: 1, folderIdArray: [folderId] })
    await anna.upload(folderId, 'neu.txt')
    expect((await changes(ben))[0]).toEqual(['neu.txt', 0, 1, '', 0, true])
  })

  // [R249] The four lists, favourites, followed and tagged items are filtered by part of the name, pinyin or initials;
  // the four also by recent days.
  test('[R238] [R239] [R249] lists are narrowed by a part of the name, its pinyin or initials, and those of late to days', async () => {
    const { anna, ben, folderId } = await team()
    const fileId = await anna.upload(folderId, '合同台账.txt')
    const ids = { fileIdArray: [fileId], folderIdArray: [folderId] }
    await ben.call('noteOpened', ids)
    await ben.call('setFavorites', ids)
    await ben.call('addInterest', { interestType: 1, ...ids })
    await ben.call('setItemTags', { ...ids, addTags: [{ tagName: '要紧' }] })
    const [tag] = (await ben.call('getTagList', { keyword: '要紧' })).list
    await ben.call('fileEditLock', { fileId })
    const lists = async (keyword: string) => {
      const found = [
        ben.call('getRecentHistory', { keyword }),
        ben.call('getFavoriteList', { keyword }),
        ben.call('getInterestList', { interestType: 1, keyword }),
        ben.call('getTagItems', { tagIds: String(tag?.tagId), keyword }),
        ben.call('getRecentLocked', { keyword }),
        anna.call('getRecentSubmit', { keyword }),
      ]
      return (await Promise.all(found)).map(({ list, total }) => {
        expect(total).toBe(list.length)
        return list.map(({ fName }) => fName)
      })
    }
    for (const keyword of ['台账', 'httz', 'taizhang']) {
      expect(await lists(keyword)).toEqual(Array.from({ length: 6 }, () => ['合同台账.txt']))
    }
    expect(await lists('没有')).toEqual(Array.from({ length: 6 }, () => []))
    await ben.upload(folderId, '合同台账.txt', 'second', { conflict: 'version' })
    expect(await names(anna, 'getRecentChange')).toEqual(['合同台账.txt'])
    expect((await anna.call('getRecentChange', { keyword: '报销' })).total).toBe(0)

    // Opened and submitted ten days ago.
    const tenDays = 10 * 24 * 60 * 60_000
    await sql`update recent set at = at - ${tenDays} where item_id = ${fileId}`.execute(world.app.db)
    await sql`update version set created_at = created_at - ${tenDays} where item_id = ${fileId}`.execute(world.app.db)
    const within = async (days: number) => [
      (await ben.call('getRecentHistory', { days })).list.map(({ fName }) => fName),
      (await anna.call('getRecentSubmit', { days, keyword: 'httz' })).total,
    ]
    expect(await within(7)).toEqual([['项目'], 0])
    expect(await within(30)).toEqual([['项目', '合同台账.txt'], 1])
  })
})
