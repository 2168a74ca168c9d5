// The versions of a file ([R188]): list, name, restore, delete.
import { z } from 'zod'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Flag, Id, ItemName, Nothing, rows, StoredItem, Time, text } from '../fields.ts'
import { file, folder } from './items.ts'

const versionCalls = {
  getVersionList: call({
    summary: 'Lists the versions of a file, newest first',
    kind: 'read',
    method: 'GET',
    path: '/services2/version/list/{fileId}/{from}/{rows}',
    auth: 'required',
    payload: 'query',
    origin: 'spec',
    gate: (input) => [{ item: file(input.fileId), action: 'see' }],
    input: z.strictObject({
      fileId: Id,
      from: Count,
      rows: rows(60, 1000),
      /** Only named versions. */
      named: Flag.default(false),
    }),
    sample: (ids) => ({ fileId: ids.fileId, from: 0, rows: 10 }),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          version: z.int(),
          fileSize: z.int(),
          createTime: Time,
          diskTime: Time,
          creatorName: z.string(),
          comment: z.string(),
          /** Not in the spec: a named version is always retained, regardless of the retention limit. */
          versionName: z.string(),
          /** Not in the spec: the version that this version restored; 0 for none. */
          restoredFrom: z.int(),
          isLatest: z.boolean(),
          /** Not in the spec: content hash for callers who may read it; empty otherwise. */
          sha256: z.string(),
        }),
      ),
      total: z.int(),
      /** Not in the spec: number of named versions, and total bytes of all versions. */
      namedTotal: z.int(),
      totalSize: z.int(),
      /** Not in the spec: retention by number of versions and by days; 0: unlimited. */
      keptVersions: z.int(),
      keptDays: z.int(),
    }),
  }),
  setLatestVersion: call({
    summary: 'Brings an old version back as the newest',
    notes: 'The old content becomes a new version; nothing is lost. The version that is the newest already is -109.',
    kind: 'write',
    method: 'POST',
    path: '/services2/version/setLatest',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: file(input.fileId), action: 'newVersion', lock: 'change' }],
    log: 'edit',
    input: z.strictObject({ fileId: Id, version: Count }),
    sample: (ids) => ({ fileId: ids.fileId, version: 1 }),
    data: StoredItem.extend({ fileId: z.int() }),
    codes: [
      'notFound',
      'noPermission',
      'versionMissing',
      'duplicateOperation',
      'fileLocked',
      'userSizeExceeded',
      'folderSizeExceeded',
      'colleagueSizeExceeded',
      'capacityExceeded',
    ],
  }),
  deleteVersion: call({
    summary: 'Removes an old version',
    notes: 'The newest version stays: it is refused with -4.',
    kind: 'write',
    method: 'POST',
    path: '/services2/version/delete',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: file(input.fileId), action: 'delete', lock: 'change' }],
    log: 'delete',
    input: z.strictObject({ fileId: Id, version: Count }),
    sample: (ids) => ({ fileId: ids.fileId, version: 1 }),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'versionMissing', 'fileLocked', 'keptByRule'],
  }),
  saveVersionAs: call({
    summary: 'Makes a version of a file a file of its own',
    title: { zh: '旧版本另存为新文件', en: 'Save a version as a new file' },
    notes:
      'For whoever may copy the file. The new file has that content as its first version, the secret level of the file, and another name where the one that is asked for is taken.',
    kind: 'write',
    method: 'POST',
    path: '/services2/version/saveAs',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [
      { item: file(input.fileId), action: 'copy', lock: 'hold' },
      { item: folder(input.folderId), action: 'upload', lock: 'hold' },
    ],
    log: 'copy',
    input: z.strictObject({ fileId: Id, version: Count, folderId: Id, fileName: ItemName }),
    sample: (ids) => ({ fileId: ids.fileId, version: 1, folderId: ids.folderId, fileName: '名.txt' }),
    data: StoredItem.extend({ fileId: z.int() }),
    codes: [
      'notFound',
      'noPermission',
      'versionMissing',
      'illegalName',
      'nameTooLong',
      'typeRestricted',
      'tooDeep',
      'virusFile',
      'userSizeExceeded',
      'folderSizeExceeded',
      'colleagueSizeExceeded',
      'capacityExceeded',
    ],
  }),
  updateVersionComment: call({
    summary: 'Says what a version is about, or names it',
    notes: 'What is left out stays as it is. A version with a name stays, however many the library keeps.',
    kind: 'write',
    method: 'POST',
    path: '/services2/version/comment',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: file(input.fileId), action: 'edit', lock: 'change' }],
    log: 'edit',
    input: z.strictObject({
      fileId: Id,
      version: Count,
      comment: text(500).optional(),
      versionName: text(60).optional(),
    }),
    sample: (ids) => ({ fileId: ids.fileId, version: 1 }),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'versionMissing'],
  }),
}

export const versions = feature({
  about: { name: 'versions', text: 'The versions of a file' },
  calls: versionCalls,
})
