// Links ([R121], [R247]): a link's folder controls the link itself; its target is controlled by the target's own
// rights.
import type { Answer, calls } from '@cloudoc/contract'
import { hasStatus, itemStatus, rightsGroup } from '@cloudoc/domain'
import { beforeAll, describe, expect, test } from 'vitest'
import { changeIn } from '../../../test/follower.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'

type Batch = Answer<(typeof calls)['fileOrFolderLink']>

let world: World
let anna: Person
let ben: Person
let shelf: number
let place: number
let file: number
let folder: number

const one = (answers: Batch) => {
  const [answer] = answers
  expect(answer?.result).toBe(-1)
  return answer?.linkId ?? 0
}
const linkTo = async (
  person: Person,
  what: { fileIdArray?: number[]; folderIdArray?: number[]; linkIdArray?: number[] },
  targetFolderId: number,
) => one(await person.call('fileOrFolderLink', { ...what, targetFolderId, conflict: 'keepBoth' }))
const made = async (person: Person, parentId: number, folderName: string) =>
  (await person.call('folderCreate', { parentId, folderName })).folderId
const rowOf = async (person: Person, folderId: number, linkId: number) =>
  (await person.call('getSubItemList3', { folderId, rows: 1000 })).list.find((item) => item.linkId === linkId)

beforeAll(async () => {
  world = await openWorld()
  anna = await world.person('anna')
  ben = await world.person('ben')
  shelf = await made(anna, anna.library, 'shelf')
  place = await made(anna, anna.library, 'place')
  folder = await made(anna, shelf, 'folder')
  file = await anna.upload(shelf, 'report.txt', 'the report')
})

describe('[R121] a link', () => {
  test('lies in the target under the name of its item, and tells of both', async () => {
    const toFile = await linkTo(anna, { fileIdArray: [file] }, place)
    const toFolder = await linkTo(anna, { folderIdArray: [folder] }, place)
    const target = await anna.call('getFileInfo', { fileId: file })
    const row = await rowOf(anna, place, toFile)
    expect(row).toMatchObject({
      fId: file,
      fType: 1,
      fName: 'report.txt',
      linkId: toFile,
      itemIdStr: target.itemIdStr,
      parentFolderId: place,
      rights: target.rights,
      version: 1,
      fileSize: 0,
    })
    expect(hasStatus(itemStatus(row?.itemStatus ?? 0), 'shortcut')).toBe(true)
    expect(await rowOf(anna, place, toFolder)).toMatchObject({ fId: folder, fType: 2, linkId: toFolder })
    expect(await anna.call('getShortcutInfo', { linkId: toFile })).toEqual(row)
    expect((await anna.call('getSubItemList3', { folderId: place, foldersOnly: true })).list).toEqual([])
  })

  // [R247] Shortcuts are created, renamed, moved, copied, deleted and restored.
  test('[R247] is renamed, moved, copied, deleted and restored without a trace on its item', async () => {
    const before = await anna.call('getFileInfo', { fileId: file })
    const from = await made(anna, anna.library, 'from')
    const to = await made(anna, anna.library, 'to')
    const linkId = await linkTo(anna, { fileIdArray: [file] }, from)
    await anna.call('shortcutRename', { linkId, linkName: 'the way.txt' })
    expect(one(await anna.call('fileOrFolderMove', { linkIdArray: [linkId], targetFolderId: to }))).toBe(linkId)
    const copy = one(await anna.call('fileOrFolderCopy', { linkIdArray: [linkId], targetFolderId: from }))
    expect(await rowOf(anna, to, linkId)).toMatchObject({ fName: 'the way.txt', fId: file })
    expect(await rowOf(anna, from, copy)).toMatchObject({ fName: 'the way.txt', fId: file })
    expect(one(await anna.call('fileOrFolderDelete', { linkIdArray: [linkId] }))).toBe(linkId)
    expect(await anna.names(to)).toEqual([])
    const bin = (await anna.call('getRecycleList', {})).list.find((item) => item.linkId === linkId)
    expect(bin).toMatchObject({ fId: 0, fType: 1, fName: 'the way.txt', fileSize: 0 })
    expect(await anna.refusal('shortcutRename', { linkId, linkName: 'x' })).toBe('notFound')
    expect(one(await anna.call('recycleRestore', { linkIdArray: [linkId] }))).toBe(linkId)
    expect(await anna.names(to)).toEqual(['the way.txt'])
    await anna.call('fileOrFolderCompleteDelete', { linkIdArray: [linkId] })
    expect(await anna.names(to)).toEqual([])
    expect(await anna.call('getFileInfo', { fileId: file })).toEqual(before)
    expect((await anna.download(file)).body).toBe('the report')
  })

  test('to a link leads to where that one leads', async () => {
    const first = await linkTo(anna, { fileIdArray: [file] }, place)
    const second = await linkTo(anna, { linkIdArray: [first] }, folder)
    expect(await rowOf(anna, folder, second)).toMatchObject({ fId: file })
    await anna.call('fileOrFolderCompleteDelete', { linkIdArray: [first] })
    expect(await rowOf(anna, folder, second)).toMatchObject({ fId: file })
  })

  test('goes with the folder it lies in: moved, copied, deleted', async () => {
    const box = await made(anna, anna.library, 'box')
    await linkTo(anna, { fileIdArray: [file] }, box)
    await linkTo(anna, { folderIdArray: [shelf] }, box)
    const [answer] = await anna.call('fileOrFolderCopy', {
      folderIdArray: [box],
      targetFolderId: anna.library,
      conflict: 'keepBoth',
    })
    expect(answer).toMatchObject({ result: -1, name: 'box (2)' })
    const rows = (await anna.call('getSubItemList3', { folderId: answer?.fId ?? 0 })).list
    expect(rows.map((row) => [row.fName, row.fId, row.linkId > 0])).toEqual([
      ['shelf', shelf, true],
      ['report.txt', file, true],
    ])
    const zip = await world.app.http.inject({
      method: 'GET',
      url: `/DownloadMultiFile?files=fo_${box}`,
      headers: { authorization: `Bearer ${anna.token}` },
    })
    expect(zip.statusCode).toBe(200)
    expect(zip.rawPayload.includes('the report')).toBe(false)
  })

  test('[R126] a taken name is refused with -5, numbered or left, and nothing else changes', async () => {
    const full = await made(anna, anna.library, 'full')
    await anna.upload(full, 'report.txt')
    const request = { fileIdArray: [file], targetFolderId: full }
    expect(await anna.refusal('fileOrFolderLink', request)).toBe('alreadyExists')
    await anna.call('fileOrFolderLink', { ...request, conflict: 'skip' })
    expect(await anna.names(full)).toEqual(['report.txt'])
    await anna.call('fileOrFolderLink', { ...request, conflict: 'keepBoth' })
    expect(await anna.names(full)).toEqual(['report (2).txt', 'report.txt'])
    // The name of a link must be unique like any other name.
    expect(await anna.uploadWire(full, 'Report (2).txt', 'x')).toMatchObject({ code: 'alreadyExists' })
    expect(await anna.uploadWire(full, 'report (2).txt', 'x', { conflict: 'version' })).toMatchObject({
      code: 'alreadyExists',
    })
  })
})

describe('[R121] what a link leads to', () => {
  test('decides by its own rights, at every moment', async () => {
    const open = await made(anna, anna.library, 'open')
    await anna.shares({ folderId: open }, [{ to: ben, rights: rightsGroup.download }])
    const secret = await anna.upload(shelf, 'salaries.xlsx')
    const linkId = await linkTo(anna, { fileIdArray: [secret] }, open)
    await anna.call('shortcutRename', { linkId, linkName: 'list.xlsx' })
    const broken = { fId: 0, linkId, fName: 'list.xlsx', rights: 0, itemIdStr: '', version: 0 }
    expect(await rowOf(ben, open, linkId)).toMatchObject({ ...broken, linkRights: rightsGroup.download })
    expect(JSON.stringify(await ben.wire('getSubItemList3', { folderId: open }))).not.toContain('salaries')
    await anna.shares({ fileId: secret }, [{ to: ben, rights: rightsGroup.preview }])
    expect(await rowOf(ben, open, linkId)).toMatchObject({ fId: secret, rights: rightsGroup.preview })
    expect(await ben.download(secret).then((answer) => answer.json<{ result: number }>().result)).toBe(-4)
    await anna.call('fileOrFolderDelete', { fileIdArray: [secret] })
    expect(await rowOf(ben, open, linkId)).toMatchObject(broken)
    expect(await rowOf(anna, open, linkId)).toMatchObject({ ...broken, rights: 0 })
    await anna.call('recycleRestore', { fileIdArray: [secret] })
    expect(await rowOf(anna, open, linkId)).toMatchObject({ fId: secret })
    await anna.call('fileOrFolderCompleteDelete', { fileIdArray: [secret] })
    expect(await anna.refusal('fileOrFolderLink', { linkIdArray: [linkId], targetFolderId: place })).toBe('notFound')
    expect(one(await anna.call('fileOrFolderDelete', { linkIdArray: [linkId] }))).toBe(linkId)
  })

  test('whoever does not see an item cannot link to it, and needs the right to put something there', async () => {
    const request = { fileIdArray: [file], targetFolderId: ben.library }
    expect(await ben.refusal('fileOrFolderLink', request)).toBe('notFound')
    await anna.shares({ folderId: shelf }, [{ to: ben, rights: rightsGroup.preview }])
    expect(await ben.refusal('fileOrFolderLink', { ...request, targetFolderId: shelf })).toBe('noPermission')
    const linkId = await linkTo(ben, { fileIdArray: [file] }, ben.library)
    expect(await rowOf(ben, ben.library, linkId)).toMatchObject({ fId: file, rights: rightsGroup.preview })
    expect(await ben.refusal('fileOrFolderLink', { fileIdArray: [file], targetFolderId: -2 })).toBe('noPermission')
    expect(await anna.refusal('fileOrFolderDelete', { linkIdArray: [linkId] })).toBe('notFound')
  })

  test('is never reached by the id of the link', async () => {
    const toFile = await linkTo(anna, { fileIdArray: [file] }, place)
    const toFolder = await linkTo(anna, { folderIdArray: [folder] }, place)
    expect(await anna.refusal('getFileInfo', { fileId: toFile })).toBe('notFound')
    expect(await anna.refusal('folderCreate', { parentId: toFolder, folderName: 'x' })).toBe('notFound')
    expect(await anna.refusal('fileOrFolderDelete', { fileIdArray: [toFile], folderIdArray: [toFolder] })).toBe(
      'notFound',
    )
    expect(await anna.refusal('fileOrFolderMove', { fileIdArray: [file], targetFolderId: toFolder })).toBe('notFound')
    expect(await anna.refusal('fileOrFolderDelete', { linkIdArray: [file] })).toBe('notFound')
    expect(await anna.refusal('createFolderByPathList', { folderId: place, pathList: ['folder/x'] })).toBe(
      'alreadyExists',
    )
    expect(await anna.refusal('setShareList', { folderId: toFolder, inherit: true, entries: [] })).toBe('notFound')
  })

  test('[R240] a search finds links by their own names and tells of what they lead to as a list does', async () => {
    const linkId = await linkTo(anna, { fileIdArray: [file] }, place)
    await anna.call('shortcutRename', { linkId, linkName: 'signpost.txt' })
    const found = async () => (await anna.call('searchDoc', { keyword: 'signpost' })).list
    expect(await found()).toEqual([await rowOf(anna, place, linkId)])
    await anna.call('fileOrFolderDelete', { fileIdArray: [file] })
    expect(await found()).toMatchObject([{ linkId, fId: 0, rights: 0, itemIdStr: '' }])
    await anna.call('recycleRestore', { fileIdArray: [file] })
  })
})

test('[R314] changes to links are pushed to who sees their place, as links', async () => {
  const room = await made(anna, anna.library, 'room')
  const hall = await made(anna, anna.library, 'hall')
  await anna.shares({ folderId: room }, [{ to: ben, rights: rightsGroup.preview }])
  await world.app.settle()
  const live = await ben.listen()
  const linkId = await linkTo(anna, { fileIdArray: [file] }, room)
  const told = { fId: 0, id: linkId, fType: 1, parentFolderId: room }
  const heard = (operateType: number) => live.next((frame) => changeIn(frame)?.operateType === operateType)
  await heard(2)
  await anna.call('shortcutRename', { linkId, linkName: 'here.txt' })
  await heard(8)
  await anna.call('fileOrFolderMove', { linkIdArray: [linkId], targetFolderId: hall })
  await heard(4)
  const changes = live.frames.flatMap((frame) => changeIn(frame) ?? [])
  expect(
    changes.map(({ fId, linkId: id, fType, fName, parentFolderId, operateType }) => {
      return { fId, id, fType, fName, parentFolderId, operateType }
    }),
  ).toEqual([
    { ...told, fName: 'report.txt', operateType: 2 },
    { ...told, fName: 'here.txt', operateType: 8 },
    { ...told, fName: '', operateType: 4 },
  ])
})
