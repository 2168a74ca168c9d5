// Favourites: the flag, the list, and that they are private to their user.
import { isFrame } from '@cloudoc/contract'
import { codeOf, ItemStatusBit, rightsGroup } from '@cloudoc/domain'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Person, sharedWorld } from '../../../test/harness.ts'

const world = sharedWorld()
const starred = async (person: Person, folderId: number): Promise<string[]> =>
  (await person.call('getSubItemList3', { folderId })).list
    .filter(({ itemStatus }) => (itemStatus & ItemStatusBit.favorite) !== 0)
    .map(({ fName }) => fName)
const list = async (person: Person): Promise<string[]> =>
  (await person.call('getFavoriteList', {})).list.map(({ fName }) => fName)

// [R238] Favourites of files and folders: four calls, flag 64, a list.
test('[R238] files and folders are favourites of one person: flag 64, a list, on every page of theirs', async () => {
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  const folderId = await anna.folder(anna.library, '项目')
  const inside = await anna.folder(folderId, '里')
  const [one, two] = [await anna.upload(folderId, 'a.txt'), await anna.upload(folderId, 'b.txt')]
  await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.preview }])
  for (const person of [anna, ben]) expect(await starred(person, folderId)).toEqual([])
  const other = await world.signIn(ben.account, 7)
  const live = await other.listen()
  await ben.call('fileFavoriteAdd', { fileId: one })
  expect((await live.next((frame) => isFrame(frame, 'favoritesChanged'))).data).toEqual({ fId: one, fType: 1 })
  await ben.call('folderFavoriteAdd', { folderId: inside })
  await ben.call('setFavorites', { fileIdArray: [two] })
  expect((await starred(ben, folderId)).sort()).toEqual(['a.txt', 'b.txt', '里'].sort())
  expect(await starred(anna, folderId)).toEqual([])
  expect(await list(ben)).toEqual(['里', 'b.txt', 'a.txt'])
  expect((await ben.call('getFavoriteList', { from: 1, rows: 1 })).list.map(({ fName }) => fName)).toEqual(['b.txt'])
  expect((await ben.call('getFileInfo', { fileId: one })).itemStatus & ItemStatusBit.favorite).not.toBe(0)
  await ben.call('fileFavoriteDel', { fileId: one })
  await ben.call('folderFavoriteDel', { folderId: inside })
  expect(await starred(ben, folderId)).toEqual(['b.txt'])
  // An item the user can no longer see is not listed. It is listed again once the user can see it.
  await anna.shares({ folderId }, [])
  expect(await list(ben)).toEqual([])
  await anna.shares({ folderId }, [{ to: ben, rights: rightsGroup.preview }])
  expect(await list(ben)).toEqual(['b.txt'])
  await anna.call('fileOrFolderDelete', { fileIdArray: [two] })
  expect(await list(ben)).toEqual([])
})

test('[R238] one more than there may be is refused in words, and what is a favourite already is no change', async () => {
  const anna = await world.person('anna')
  const folderId = await anna.folder(anna.library, '很多')
  const pathList = Array.from({ length: 5000 }, (_, n) => `${n}`)
  const [first] = await anna.call('createFolderByPathList', { folderId, pathList })
  await sql`
    insert into favorite (account_id, item_id, created_at)
    select ${anna.userId}, id, 1 from item where parent_id = ${folderId}`.execute(world.app.db)
  const one = await anna.upload(anna.library, '多出的.txt')
  const folderIdArray = [first?.folderId ?? 0]
  const answers = await anna.call('setFavorites', { fileIdArray: [one], folderIdArray })
  expect(answers.map(({ result }) => codeOf(result) ?? 'done')).toEqual(['tooMany', 'done'])
  expect(answers[0]?.msg).toBe('数量已达上限 (最多收藏 5000 项)')
  await anna.call('setFavorites', { folderIdArray, favorite: false })
  await anna.call('fileFavoriteAdd', { fileId: one })
})
