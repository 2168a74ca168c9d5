// The four lists of what one did of late.
import { rightsGroup } from '@cloudoc/domain'
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
    // What is not seen any more is not told.
    await anna.shares({ folderId }, [])
    expect(await names(ben, 'getRecentHistory')).toEqual([])
    await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.edit }])
    await ben.call('deleteRecentHistory', { all: true })
    expect(await names(ben, 'getRecentHistory')).toEqual([])
  })

  test('[R249] locked holds the locks that one has, and for managers those of others in their libraries', async () => {
    const { anna, ben, fileId, folderId } = await team()
    const own = await anna.upload(folderId, 'own.txt')
    await ben.call('fileEditLock', { fileId })
    await anna.call('fileEditLock', { fileId: own })
    expect(await names(ben, 'getRecentLocked')).toEqual(['a.txt'])
    const { list } = await anna.call('getRecentLocked', {})
    expect(list.map(({ fName, editorName }) => [fName, editorName])).toEqual([
      ['a.txt', ben.account],
      ['own.txt', anna.account],
    ])
    await ben.call('fileEditUnlock', { fileId })
    expect(await names(ben, 'getRecentLocked')).toEqual([])
  })

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
    // Anna made the first version; of c.txt she knows nothing until she follows the folder.
    expect(await names(anna, 'getRecentChange')).toEqual(['a.txt'])
    expect(await names(ben, 'getRecentChange')).toEqual([])
    await anna.call('addInterest', { interestType: 1, folderIdArray: [folderId] })
    expect((await names(anna, 'getRecentChange')).sort()).toEqual(['a.txt', 'c.txt'])
    await anna.upload(folderId, 'a.txt', 'third', { conflict: 'version' })
    expect(await names(anna, 'getRecentChange')).toEqual(['c.txt'])
    expect(await names(ben, 'getRecentChange')).toEqual(['a.txt'])
    expect(fileId).toBeGreaterThan(0)
  })
})
