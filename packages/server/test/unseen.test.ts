// An item that a person cannot see does not exist for them: every call that takes an item returns -3, whatever the
// reason, and changes nothing.
import { type Call, type CallName, calls, factsOfRecord, type GateUse, type ItemRecord } from '@cloudoc/contract'
import {
  capabilityNames,
  codes,
  denial,
  dropRight,
  gates,
  ItemStatusBit,
  Right,
  type RightName,
  rights,
} from '@cloudoc/domain'
import { sql } from 'kysely'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { type Changes, watchRows } from './changes-of-rows.ts'
import { openWorld, Person, requestFor, type World } from './harness.ts'
import { loginWithCaptcha, tokenOf } from './sign-in.ts'

/** One input field of a call that takes a file or folder id. */
type Place = readonly [kind: 'file' | 'folder', input: (id: number) => Record<string, unknown>]

let mine = 0
let archive = 0

/** The id of an upload into that folder, which does not exist. */
const uploadInto = (folderId: number): string => `${folderId}-${'a'.repeat(24)}`

/** Every call that takes item ids, with each input field that takes one. The rest of the input is valid. */
const places: Partial<Record<CallName, readonly Place[]>> = {
  createEditKey: [['file', (fileId) => ({ fileId })]],
  joinTogether: [['file', (fileId) => ({ fileId })]],
  editTogether: [['file', (fileId) => ({ fileId, generation: 1, client: 1, update: 'AAA=' })]],
  presentTogether: [['file', (fileId) => ({ fileId, generation: 1, client: 1 })]],
  saveTogether: [['file', (fileId) => ({ fileId, generation: 1 })]],
  buildTogether: [['file', (fileId) => ({ fileId, generation: 1, client: 1, change: '{"part":"a","kind":"remove"}' })]],
  multiEditPage: [['file', (fileId) => ({ fileId })]],
  getSubItemList3: [['folder', (folderId) => ({ folderId })]],
  getFileInfo: [['file', (fileId) => ({ fileId })]],
  getFolderInfo: [['folder', (folderId) => ({ folderId })]],
  getFolderInfo2: [['folder', (folderId) => ({ folderId })]],
  getFileItemId: [
    ['file', (fId) => ({ fType: 1, fId })],
    ['folder', (fId) => ({ fType: 2, fId })],
  ],
  getFileItemInfo: [
    ['file', (fId) => ({ itemIdStr: `s0f${fId}` })],
    ['folder', (fId) => ({ itemIdStr: `s0f-${fId}` })],
  ],
  getSubItemGroups: [['folder', (folderId) => ({ folderId, sort: 'name', order: 'asc' })]],
  getFolderTree: [['folder', (folderId) => ({ folderId })]],
  getFolderProperty: [['folder', (folderId) => ({ folderId })]],
  setFolderLimit: [['folder', (folderId) => ({ folderId, limit: 1000 })]],
  setFolderOrder: [['folder', (folderId) => ({ folderId, sort: 'time', order: 'desc' })]],
  folderCreate: [['folder', (parentId) => ({ parentId, folderName: 'new' })]],
  fileCreate: [['folder', (folderId) => ({ folderId, fileName: 'new.txt' })]],
  renameFile: [['file', (fileId) => ({ fileId, fileName: 'new.txt' })]],
  renameFolder: [['folder', (folderId) => ({ folderId, folderName: 'new' })]],
  fileOrFolderMove: [
    ['file', (id) => ({ targetFolderId: mine, fileIdArray: [id] })],
    ['folder', (id) => ({ targetFolderId: mine, folderIdArray: [id] })],
  ],
  fileOrFolderCopy: [
    ['file', (id) => ({ targetFolderId: mine, fileIdArray: [id] })],
    ['folder', (id) => ({ targetFolderId: mine, folderIdArray: [id] })],
  ],
  fileOrFolderLink: [
    ['file', (id) => ({ targetFolderId: mine, fileIdArray: [id] })],
    ['folder', (id) => ({ targetFolderId: mine, folderIdArray: [id] })],
  ],
  copyFilesAndFolders: [['folder', (targetFolderId) => ({ sourceServerId: 1, targetFolderId })]],
  shortcutRename: [['file', (linkId) => ({ linkId, linkName: 'new.txt' })]],
  getShortcutInfo: [['file', (linkId) => ({ linkId })]],
  fileOrFolderDelete: [
    ['file', (id) => ({ fileIdArray: [id] })],
    ['folder', (id) => ({ folderIdArray: [id] })],
  ],
  fileOrFolderCompleteDelete: [
    ['file', (id) => ({ fileIdArray: [id] })],
    ['folder', (id) => ({ folderIdArray: [id] })],
  ],
  recycleRestore: [
    ['file', (id) => ({ fileIdArray: [id] })],
    ['folder', (id) => ({ folderIdArray: [id] })],
  ],
  createFolderByPathList: [['folder', (folderId) => ({ folderId, pathList: ['a/b'] })]],
  checkFileExist: [['folder', (folderId) => ({ folderId, fileNames: ['a.txt'] })]],
  getVersionList: [['file', (fileId) => ({ fileId, from: 0, rows: 60 })]],
  setLatestVersion: [['file', (fileId) => ({ fileId, version: 1 })]],
  deleteVersion: [['file', (fileId) => ({ fileId, version: 1 })]],
  updateVersionComment: [['file', (fileId) => ({ fileId, version: 1, comment: 'a' })]],
  saveVersionAs: [
    ['file', (fileId) => ({ fileId, version: 1, folderId: mine, fileName: 'new.txt' })],
    ['folder', (folderId) => ({ fileId: archive, version: 1, folderId, fileName: 'new.txt' })],
  ],
  getFileLog: [['file', (fileId) => ({ fileId })]],
  getFolderLog: [['folder', (folderId) => ({ folderId })]],
  exportFileLog: [['file', (fileId) => ({ fileId })]],
  exportFolderLog: [['folder', (folderId) => ({ folderId })]],
  setShareList: [
    ['file', (fileId) => ({ fileId, inherit: true, entries: [] })],
    ['folder', (folderId) => ({ folderId, inherit: true, entries: [] })],
  ],
  getShareList: [
    ['file', (fileId) => ({ fileId })],
    ['folder', (folderId) => ({ folderId })],
  ],
  getItemManagers: [
    ['file', (fileId) => ({ fileId })],
    ['folder', (folderId) => ({ folderId })],
  ],
  previewShareList: [
    ['file', (fileId) => ({ fileId, inherit: true, entries: [] })],
    ['folder', (folderId) => ({ folderId, inherit: true, entries: [] })],
  ],
  getRightsReasons: [
    ['file', (fileId) => ({ fileId })],
    ['folder', (folderId) => ({ folderId })],
  ],
  getAccessList: [
    ['file', (fileId) => ({ fileId })],
    ['folder', (folderId) => ({ folderId })],
  ],
  getShareHistory: [
    ['file', (fileId) => ({ fileId })],
    ['folder', (folderId) => ({ folderId })],
  ],
  undoShareChange: [
    ['file', (fileId) => ({ fileId, changeId: 1 })],
    ['folder', (folderId) => ({ folderId, changeId: 1 })],
  ],
  setShareLists: [
    ['file', (fileId) => ({ lists: [{ fileId, inherit: true, entries: [] }] })],
    ['folder', (folderId) => ({ lists: [{ folderId, inherit: true, entries: [] }] })],
  ],
  undoShareChanges: [
    ['file', (fileId) => ({ undone: [{ fileId, changeId: 1 }] })],
    ['folder', (folderId) => ({ undone: [{ folderId, changeId: 1 }] })],
  ],
  batchCopyShare: [
    ['file', (id) => ({ sourceFolderId: mine, targetFileIds: [id] })],
    ['folder', (id) => ({ sourceFolderId: id, targetFolderIds: [mine] })],
    ['folder', (id) => ({ sourceFolderId: mine, targetFolderIds: [id] })],
  ],
  clearShareList: [
    ['file', (id) => ({ fileIds: [id] })],
    ['folder', (id) => ({ folderIds: [id] })],
  ],
  shareItems: [
    ['file', (id) => ({ fileIdArray: [id], subjects: [{ subjectType: 'user', subjectId: 1 }], rights: 6 })],
    ['folder', (id) => ({ folderIdArray: [id], subjects: [{ subjectType: 'user', subjectId: 1 }], rights: 6 })],
  ],
  addInterest: [
    ['file', (id) => ({ interestType: 1, fileIdArray: [id] })],
    ['folder', (id) => ({ interestType: 2, folderIdArray: [id] })],
  ],
  deleteInterest: [
    ['file', (id) => ({ interestType: 1, fileIdArray: [id] })],
    ['folder', (id) => ({ interestType: 1, folderIdArray: [id] })],
  ],
  authorizationApply: [
    ['file', (fileId) => ({ fileId, right: 14 })],
    ['folder', (folderId) => ({ folderId, right: 14 })],
  ],
  getAuthorizationReviewers: [
    ['file', (fileId) => ({ fileId })],
    ['folder', (folderId) => ({ folderId })],
  ],
  setSecretLevel: [['file', (id) => ({ fileIdArray: [id], secretLevel: 1 })]],
  getSecretEffect: [['file', (fileId) => ({ fileId, secretLevel: 1 })]],
  setFolderReadOnly: [['folder', (id) => ({ folderIdArray: [id], readOnly: true })]],
  setDocRestricted: [
    ['file', (id) => ({ fileIdArray: [id], restricted: true })],
    ['folder', (id) => ({ folderIdArray: [id], restricted: true })],
  ],
  getSearchMatches: [['file', (fileId) => ({ fileId, keyword: 'a' })]],
  getCommentList: [
    ['file', (fileId) => ({ fileId })],
    ['folder', (folderId) => ({ folderId })],
  ],
  addComment: [
    ['file', (fileId) => ({ fileId, comment: 'a' })],
    ['folder', (folderId) => ({ folderId, comment: 'a' })],
  ],
  editComment: [
    ['file', (fileId) => ({ fileId, commentId: 1, comment: 'a' })],
    ['folder', (folderId) => ({ folderId, commentId: 1, comment: 'a' })],
  ],
  deleteComment: [
    ['file', (fileId) => ({ fileId, commentId: 1 })],
    ['folder', (folderId) => ({ folderId, commentId: 1 })],
  ],
  getCommentPeople: [
    ['file', (fileId) => ({ fileId })],
    ['folder', (folderId) => ({ folderId })],
  ],
  getItemTags: [
    ['file', (id) => ({ fileIdArray: [id] })],
    ['folder', (id) => ({ folderIdArray: [id] })],
  ],
  setItemTags: [
    ['file', (id) => ({ fileIdArray: [id], addTags: [{ tagName: 'a' }] })],
    ['folder', (id) => ({ folderIdArray: [id], addTags: [{ tagName: 'a' }] })],
  ],
  externalCreate: [
    ['file', (fileId) => ({ fileId, rights: 4, endTime: Date.now() + 3_600_000 })],
    ['folder', (folderId) => ({ folderId, rights: 4, endTime: Date.now() + 3_600_000 })],
  ],
  getLinkPolicy: [
    ['file', (fileId) => ({ fileId })],
    ['folder', (folderId) => ({ folderId })],
  ],
  getExternalListByFileId: [['file', (fileId) => ({ fileId })]],
  getExternalListByFolderId: [['folder', (folderId) => ({ folderId })]],
  fileFavoriteAdd: [['file', (fileId) => ({ fileId })]],
  fileFavoriteDel: [['file', (fileId) => ({ fileId })]],
  folderFavoriteAdd: [['folder', (folderId) => ({ folderId })]],
  folderFavoriteDel: [['folder', (folderId) => ({ folderId })]],
  setFavorites: [
    ['file', (id) => ({ fileIdArray: [id] })],
    ['folder', (id) => ({ folderIdArray: [id] })],
  ],
  noteOpened: [
    ['file', (id) => ({ fileIdArray: [id] })],
    ['folder', (id) => ({ folderIdArray: [id] })],
  ],
  setFolderAssociate: [['folder', (id) => ({ folderIdArray: [id], associate: true })]],
  searchDoc: [['folder', (folderId) => ({ folderId, keyword: 'a' })]],
  uploadRaw: [['folder', (folderId) => ({ folderId, fileName: 'new.txt' })]],
  submitFile: [['file', (fileId) => ({ fileId, version: 1 })]],
  noteSavedAs: [['file', (fileId) => ({ fileId, version: 0 })]],
  fileEditLock: [['file', (fileId) => ({ fileId })]],
  fileEditUnlock: [['file', (fileId) => ({ fileId })]],
  fileEditWait: [['file', (fileId) => ({ fileId })]],
  fileRequestUnlock: [['file', (fileId) => ({ fileId })]],
  getFileLock: [['file', (fileId) => ({ fileId })]],
  answerUnlockRequest: [['file', (fileId) => ({ fileId, userId: 1, approved: true })]],
  forceUnlockFiles: [['file', (fileId) => ({ fileIdArray: [fileId], all: true })]],
  uploadFile: [['folder', (folderId) => ({ folderId })]],
  uploadOpen: [['folder', (folderId) => ({ folderId, fileName: 'new.txt', fileSize: 4 })]],
  uploadPart: [['folder', (id) => ({ uploadId: uploadInto(id), partNumber: 1 })]],
  uploadStatus: [['folder', (id) => ({ uploadId: uploadInto(id) })]],
  uploadComplete: [['folder', (id) => ({ uploadId: uploadInto(id) })]],
  uploadAbort: [['folder', (id) => ({ uploadId: uploadInto(id) })]],
  createDownloadTicket: [
    ['file', (id) => ({ fileIdArray: [id] })],
    ['folder', (id) => ({ folderIdArray: [id] })],
  ],
  getDocumentPreviewURL: [['file', (fileId) => ({ fileId })]],
  getDocumentPreviewURLVersion: [['file', (fileId) => ({ fileId, version: 1 })]],
  getWordsURL: [['file', (fileId) => ({ fileId, version: 1 })]],
  getPreviewStatus: [['file', (id) => ({ previewKey: `${id}-1` })]],
  convertAgain: [['file', (id) => ({ previewKey: `${id}-1` })]],
  givePreviewPicture: [['file', (id) => ({ previewKey: `${id}-1`, picture: '' })]],
  renditionServlet: [['file', (fileId) => ({ fileId })]],
  archiveEntryServlet: [['file', (fileId) => ({ fileId, path: 'a.txt' })]],
  getThumbnailURLs: [['file', (id) => ({ fileIdArray: [id] })]],
  getKeepableFiles: [['file', (id) => ({ kept: [{ fileId: id, version: 1 }] })]],
  prepareDocuments: [['file', (id) => ({ fileIdArray: [id] })]],
  downloadServlet: [['file', (fileId) => ({ fileId })]],
  downloadCompression: [['file', (fileId) => ({ fileId })]],
  downloadArchiveEntry: [['file', (fileId) => ({ fileId, path: 'a.txt' })]],
  saveArchiveEntry: [
    ['file', (fileId) => ({ fileId, path: 'a.txt', folderId: mine })],
    ['folder', (folderId) => ({ fileId: archive, path: 'a.txt', folderId })],
  ],
  unpackArchive: [
    ['file', (fileId) => ({ fileId, folderId: mine })],
    ['folder', (folderId) => ({ fileId: archive, folderId })],
  ],
  downloadWatermark: [['file', (fileId) => ({ fileId })]],
  previewServlet: [['file', (fileId) => ({ fileId })]],
  exportFolder2: [['folder', (id) => ({ ids: `${id}` })]],
  downloadMultiFile: [
    ['file', (id) => ({ files: `fi_${id}` })],
    ['folder', (id) => ({ files: `fo_${id}` })],
  ],
}

/** Calls on items in the recycle bin. */
const ofTheBin: ReadonlySet<CallName> = new Set(['recycleRestore', 'fileOrFolderCompleteDelete'])

type Ids = Readonly<Record<'file' | 'folder', number>>
let world: World
let anna: Person
let unseen: Record<string, Ids>
let binned: Ids
let binnedByOthers: Ids
/** Returns what was written since the last call. */
let changes: Changes

beforeAll(async () => {
  world = await openWorld({ elected: false })
  anna = await world.person('anna')
  const ben = await world.person('ben')
  mine = anna.library
  archive = await anna.upload(mine, 'own.zip')
  const pair = async (person: Person, parentId: number, name: string): Promise<Ids> => ({
    file: await person.upload(parentId, `${name}.txt`),
    folder: (await person.call('folderCreate', { parentId, folderName: name })).folderId,
  })
  const drop = (person: Person, ids: Ids, call: 'fileOrFolderDelete' | 'fileOrFolderCompleteDelete') =>
    person.call(call, { fileIdArray: [ids.file], folderIdArray: [ids.folder] })

  const { folderId: shared } = await ben.call('folderCreate', { parentId: ben.library, folderName: 'shared' })
  await ben.shares({ folderId: shared }, [{ to: anna, rights: 1022 }])
  const hidden = await pair(ben, shared, 'hidden')
  await ben.shares({ fileId: hidden.file }, [{ to: anna, rights: 1 }])
  await ben.shares({ folderId: hidden.folder }, [], { inherit: false })
  const belowHidden = await pair(ben, hidden.folder, 'belowHidden')

  const { folderId: gone } = await anna.call('folderCreate', { parentId: mine, folderName: 'gone' })
  const belowDeleted = await pair(anna, gone, 'belowDeleted')
  const { folderId: deep } = await anna.call('folderCreate', { parentId: belowDeleted.folder, folderName: 'deep' })
  const farBelow = await pair(anna, deep, 'farBelow')
  await anna.call('fileOrFolderDelete', { folderIdArray: [gone] })
  const purged = await pair(anna, mine, 'purged')
  const belowPurged = await pair(anna, purged.folder, 'belowPurged')
  await drop(anna, purged, 'fileOrFolderCompleteDelete')
  binned = await pair(anna, mine, 'binned')
  await drop(anna, binned, 'fileOrFolderDelete')
  binnedByOthers = await pair(ben, shared, 'binnedByOthers')
  await drop(ben, binnedByOthers, 'fileOrFolderDelete')
  const own = await pair(anna, mine, 'own')
  const foreign = await pair(ben, ben.library, 'foreign')

  unseen = {
    'of somebody else': foreign,
    hidden,
    'below a hidden folder': belowHidden,
    'below a deleted folder': belowDeleted,
    'far below a deleted folder': farBelow,
    'completely deleted': purged,
    'below what was completely deleted': belowPurged,
    'deleted by somebody else': binnedByOthers,
    'of the other kind': { file: own.folder, folder: own.file },
    zero: { file: 0, folder: 0 },
    'never made': { file: 99_999_999, folder: 99_999_999 },
    'the largest of all': { file: 999_999_999_999_999, folder: 999_999_999_999_999 },
  }
  changes = await watchRows(world.app.db)
})

/** The code that a call returns for an id in one field. */
async function codeOf(name: CallName, input: Record<string, unknown>, status = 404, who = anna): Promise<number> {
  const declared = calls[name] as unknown as Call
  const request = requestFor(name, input, who.token)
  if (declared.payload === 'raw') Object.assign(request, { payload: 'content' })
  if (declared.payload === 'multipart') {
    const fields = Object.entries(input).map(
      ([k, v]) => `--b\r\ncontent-disposition: form-data; name="${k}"\r\n\r\n${String(v)}\r\n`,
    )
    Object.assign(request, {
      url: declared.path,
      headers: { ...request.headers, 'content-type': 'multipart/form-data; boundary=b' },
      payload: `${fields.join('')}--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nx\r\n--b--\r\n`,
    })
  }
  const response = await world.app.http.inject(request)
  // For content requests, programs check the HTTP status only.
  expect(response.statusCode, name).toBe(declared.kind === 'stream' ? status : 200)
  return response.json<{ result: number }>().result
}

/**
 * Whether a call's gate checks an item. Calls that check other objects are tested by the loops of catalogue.test.ts.
 */
function takesItem(call: Call): boolean {
  if ('batch' in call) return true
  if (!('gate' in call)) return false
  // Returns 1 for every field that the gate reads from its input.
  const anything: unknown = new Proxy({}, { get: () => 1 })
  try {
    return call.gate(anything as never).some((use) => !('object' in use))
  } catch {
    return true
  }
}

test('every call that takes an item is in the table', () => {
  // Calls for link visitors are tested with visitors, in sharing/links.
  const gated = (Object.entries(calls) as unknown as [CallName, Call][]).filter(
    ([, call]) => call.actors?.includes('account') !== false && takesItem(call),
  )
  expect(gated.map(([name]) => name).filter((name) => places[name] === undefined)).toEqual([])
})

/**
 * Calls that name items without a gate, and why. Each is tested below: given an item that the caller cannot see, it
 * reveals nothing about it.
 */
const ungated: Partial<Record<CallName, readonly Place[] | 'lets in administrators alone'>> = {
  getAuditList: 'lets in administrators alone',
  exportAudit: 'lets in administrators alone',
  setLibraryQuota: 'lets in administrators alone',
  endEditing: 'lets in administrators alone',
  getAccessReport: 'lets in administrators alone',
  whatIfShared: 'lets in administrators alone',
  // Leaves out items that do not exist for the caller.
  getItemListByItemIdStr: [
    ['file', (id) => ({ itemIdStrs: `s0f${id}` })],
    ['folder', (id) => ({ itemIdStrs: `s0f-${id}` })],
  ],
  getFoldersWithSubfolders: [['folder', (id) => ({ folderIds: [Math.max(1, id)] })]],
  // The history belongs to the caller, whatever has become of the items.
  deleteRecentHistory: [
    ['file', (id) => ({ fileIdArray: [id] })],
    ['folder', (id) => ({ folderIdArray: [id] })],
  ],
}

/** Input fields that name items. */
const namesItems =
  /^(fId|fileId|folderId|itemId|linkId|itemIdStrs?|files?Ids?|folderIds|fileIdArray|folderIdArray|targetFolderId)$/

test('calls that name items without a gate are known, and tell nothing of what cannot be seen', async () => {
  const fieldsOf = (call: Call): string[] =>
    Object.keys((z.toJSONSchema(call.input, { io: 'input' }) as { properties?: object }).properties ?? {})
  const found = (Object.entries(calls) as unknown as [CallName, Call][]).filter(
    ([name, call]) =>
      call.actors?.includes('account') !== false &&
      places[name] === undefined &&
      fieldsOf(call).some((field) => namesItems.test(field)) &&
      !('gate' in call),
  )
  expect(found.map(([name]) => name).sort()).toEqual(Object.keys(ungated).sort())
  await changes()
  for (const [name, call] of found) {
    const how = ungated[name]
    if (typeof how === 'string') {
      expect('guard' in call ? call.guard.name : '', name).toMatch(/^(auditor|administrator|systemAdministrator)$/)
      continue
    }
    for (const [kind, input] of how ?? [])
      for (const [why, ids] of Object.entries(unseen)) {
        const { data } = await anna.wire(name, input(ids[kind]))
        const told = Object.values(data ?? {}).flat()
        expect(told, `${name}: ${kind} ${why}`).toEqual([])
      }
  }
  expect(await changes()).toEqual([])
})

describe('[R109] what cannot be seen is -3 and stays as it is', () => {
  test.each(Object.keys(places) as CallName[])('%s', async (name) => {
    await changes()
    const tried = { ...unseen, ...(ofTheBin.has(name) ? {} : { 'in the recycle bin': binned }) }
    await Promise.all(
      Object.entries(tried).flatMap(([why, ids]) =>
        (places[name] ?? []).map(async ([kind, input]) => {
          expect(await codeOf(name, input(ids[kind])), `${kind} ${why}`).toBe(-3)
        }),
      ),
    )
    expect(await changes()).toEqual([])
  })

  test('a target that cannot be seen is -3 for each item of a batch', async () => {
    const fileId = await anna.upload(mine, 'stays.txt')
    const { folderId } = await anna.call('folderCreate', { parentId: mine, folderName: 'stays' })
    for (const [why, { folder: targetFolderId }] of Object.entries({ ...unseen, 'in the recycle bin': binned })) {
      for (const name of ['fileOrFolderMove', 'fileOrFolderCopy'] as const) {
        const answers = await anna.call(name, { targetFolderId, fileIdArray: [fileId], folderIdArray: [folderId] })
        expect(
          answers.map((each) => each.result),
          `${name} to ${why}`,
        ).toEqual([-3, -3])
      }
      const [answer] = await anna.call('recycleRestore', { targetFolderId, fileIdArray: [binned.file] })
      expect(answer?.result, `recycleRestore to ${why}`).toBe(-3)
    }
    expect(await anna.names(mine)).toContain('stays.txt')
  })

  test('no list, search or bin names what cannot be seen', async () => {
    const hits = await anna.call('searchDoc', { keyword: '.txt', rows: 200 })
    const ids = new Set(Object.values(unseen).map(({ file }) => file))
    expect(hits.list.filter((hit) => ids.has(hit.fId))).toEqual([])
    const bin = await anna.call('getRecycleList', {})
    expect(bin.list.map((item) => item.fName).sort()).toEqual(['binned', 'binned.txt', 'gone'])
    expect(bin.total).toBe(3)
  })
})

// [R110] -1, -2 and -3 list libraries and refuse writes.
describe('[R110] virtual folders list and refuse writes', () => {
  test.each([-1, -2, -3])('%i', async (id) => {
    await anna.call('getSubItemList3', { folderId: id })
    await anna.call('getFolderInfo', { folderId: id })
    const writes: readonly CallName[] = [
      'folderCreate',
      'fileCreate',
      'renameFolder',
      'fileOrFolderDelete',
      'fileOrFolderCompleteDelete',
      'createFolderByPathList',
      'setShareList',
      'uploadRaw',
      'uploadFile',
    ]
    for (const name of writes) {
      const [, input] = places[name]?.find(([kind]) => kind === 'folder') ?? []
      if (input === undefined) throw new Error(name)
      expect(await codeOf(name, input(id)), name).toBe(-4)
    }
    const { folderId } = await anna.call('folderCreate', { parentId: mine, folderName: `own ${id}` })
    expect(await anna.refusal('fileOrFolderMove', { targetFolderId: id, folderIdArray: [folderId] })).toBe(
      'noPermission',
    )
    expect(await anna.refusal('fileOrFolderCopy', { targetFolderId: id, folderIdArray: [folderId] })).toBe(
      'noPermission',
    )
    expect(await anna.refusal('recycleRestore', { targetFolderId: id, fileIdArray: [binned.file] })).toBe(
      'noPermission',
    )
    await anna.call('fileOrFolderCompleteDelete', { folderIdArray: [folderId] })
    expect(await anna.names(mine)).not.toContain(`own ${id}`)
  })

  test('ids below -3, above 2^53 and texts are bad parameters', async () => {
    for (const folderId of ['-4', '9007199254740993', '99999999999999999999', 'abc', '1.5', '1e3', '0x10', ' 1', '']) {
      const response = await world.app.http.inject(
        requestFor('getSubItemList3', { folderId: folderId || '%20' }, anna.token),
      )
      expect(response.statusCode, folderId).toBe(400)
    }
  })
})

/*
 * Every call with every right and state ([R396]): if a rule of its gate refuses, the call refuses with the code of that
 * rule, and changes nothing. Rights are removed one at a time, with those that depend on them. States are set one at a
 * time, and in pairs in the full run. New calls take part through their line in the table above.
 */
// [R396] Each existing gate is tested on its calls: a missing right or a blocking state refuses every call of the gate
// with its code, and nothing changes.
describe('[R396] a right that is missing or a state refuses every call whose gate asks for it', () => {
  type Kind = 'file' | 'folder'
  const every = Object.values(Right).reduce((sum: number, bit) => sum | bit, 0) & ~(Right.deny | Right.full)
  const taken: RightName[] = [
    'preview',
    'print',
    'download',
    'upload',
    'move',
    'modify',
    'delete',
    'externalLink',
    'grant',
    'secretLevel',
  ]
  let ben: Person
  let guest: Person
  let ids: Record<Kind, number>
  let folderId: number

  /** States as SQL updates of the item's row; each is reverted after its test. */
  const states: Record<string, { set: string; unset: string; of?: Kind; library?: true; guest?: true }> = {
    signing: status('signing'),
    associated: { ...status('associateFolder'), of: 'folder' },
    'read-only folder': { ...status('folderReadOnly'), of: 'folder' },
    'read-only library': { ...status('folderReadOnly'), library: true },
    'too secret': { set: 'secret_level = 1', unset: 'secret_level = 0', of: 'file' },
    restricted: { set: 'doc_flag = 1', unset: 'doc_flag = 0', of: 'file' },
    'edited by somebody else': {
      set: `editor_id = created_by, editor_until = ${Date.now() + 3_600_000}, editing_since = 1`,
      unset: 'editor_id = null, editor_until = null, editing_since = null',
      of: 'file',
    },
    'a visitor': { set: 'status = status', unset: 'status = status', guest: true },
  }
  function status(name: keyof typeof ItemStatusBit) {
    return { set: `status = status | ${ItemStatusBit[name]}`, unset: `status = status & ~${ItemStatusBit[name]}` }
  }

  beforeAll(async () => {
    ben = await world.person('matrix')
    folderId = await ben.folder(ben.library, 'matrix')
    ids = { file: await ben.upload(folderId, 'm.txt'), folder: await ben.folder(folderId, 'm') }
    await ben.shares({ folderId }, [{ to: anna, rights: every }])
    await anna.call('resetNetDiskPwd', { newPassword: 'Visit#2026' })
    const login = { userName: anna.account, password: 'Visit#2026', visitor: true }
    guest = new Person(world, anna.account, anna.userId, tokenOf(await loginWithCaptcha(world, login)), anna.library)
  })

  const give = (mask: number): Promise<void> => ben.shares({ folderId }, [{ to: anna, rights: mask }])
  const recordOf = async (kind: Kind, who: Person): Promise<ItemRecord> =>
    kind === 'file'
      ? who.call('getFileInfo', { fileId: ids.file })
      : who.call('getFolderInfo', { folderId: ids.folder })

  /** The gate rules that a call checks on the item. */
  function usesOf(name: CallName, input: Record<string, unknown>, id: number): GateUse[] {
    const call = calls[name] as unknown as Call
    const parsed = call.input.parse(input)
    const all =
      'gate' in call
        ? call.gate(parsed)
        : 'batch' in call
          ? call.batch.items(parsed).flatMap((item) => call.batch.gate(item, parsed))
          : []
    // The link or upload of that number does not exist, whatever the state of the item.
    if ('uploadId' in input || all.some((use) => !('item' in use))) return []
    return all.filter((use) => 'item' in use && use.item.fId === id && use.item.fType !== 0)
  }

  /** Tests every call on the two items; returns how many were correctly refused. */
  async function tryAll(says: string, who: Person): Promise<number> {
    let refused = 0
    const { setting } = await world.app.services.settings.current()
    for (const kind of ['file', 'folder'] as const) {
      const record = await recordOf(kind, who)
      const facts = factsOfRecord(record, {
        userId: who.userId,
        secretLevel: 0,
        isGuest: who === guest,
        capabilities: new Set(capabilityNames),
        settings: setting,
      })
      await changes()
      const tried = (Object.keys(places) as CallName[]).flatMap((name) =>
        (places[name] ?? [])
          .filter(([of]) => of === kind)
          .map(async ([, make]) => {
            const input = make(ids[kind])
            const denied = usesOf(name, input, ids[kind]).flatMap((use) => {
              const code = 'item' in use ? denial(gates[use.action], facts) : undefined
              return code === undefined ? [] : [codes[code].code]
            })
            if (denied.length === 0) return
            refused += 1
            expect(denied, `${name} of a ${kind}: ${says}`).toContain(await codeOf(name, input, 403, who))
          }),
      )
      await Promise.all(tried)
      expect(await changes(), says).toEqual([])
    }
    return refused
  }

  test.each(taken)('without the right %s', async (name) => {
    await give(dropRight(rights(every), name, { printRights: false }))
    await tryAll(`no ${name}`, anna)
    await give(every)
  })

  test('with the right to see alone nothing but seeing is possible', async () => {
    await give(Right.display)
    expect(await tryAll('display alone', anna)).toBeGreaterThan(40)
    await give(every)
  })

  const names = Object.keys(states)
  const pairs = names.flatMap((one, i) => names.slice(i + 1).map((other) => [one, other]))
  const tried: string[][] = [...names.map((name) => [name]), ...(inject('full') ? pairs : [])]
  test.each(tried.map((some) => [some.join(' and '), some] as const))('while it is %s', async (says, some) => {
    const write = async (how: 'set' | 'unset'): Promise<void> => {
      for (const name of some) {
        const state = states[name]
        if (state === undefined) continue
        const targets =
          state.library === true ? [ben.library] : state.of === undefined ? Object.values(ids) : [ids[state.of]]
        await sql`update item set ${sql.raw(state[how])} where id = any(${targets})`.execute(world.app.db)
      }
    }
    await write('set')
    const who = some.some((name) => states[name]?.guest === true) ? guest : anna
    expect(await tryAll(says, who)).toBeGreaterThan(0)
    await write('unset')
  })
})
