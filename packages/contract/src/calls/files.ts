// The tree: listing, making, naming, moving, deleting ([R109]-[R126], [R188], [R240], [R243]-[R246]).
import { z } from 'zod'
import { call, type ItemRef } from '../call.ts'
import {
  BatchAnswer,
  Count,
  Flag,
  FType,
  Id,
  IdArray,
  ItemName,
  ItemRecord,
  Nothing,
  rows,
  Time,
  text,
} from '../fields.ts'

const file = (fId: number): ItemRef => ({ fType: 1, fId })
const folder = (fId: number): ItemRef => ({ fType: 2, fId })

/** What happens when the name is taken in the target: refuse with -5, number the newcomer, or leave it out. */
const Conflict = z.enum(['refuse', 'keepBoth', 'skip']).default('refuse')

const itemArrays = {
  fileIdArray: IdArray.default([]),
  folderIdArray: IdArray.default([]),
  /** Links are not items of the tree yet; an id here is answered -3. */
  linkIdArray: IdArray.default([]),
}
const itemsOf = (input: { fileIdArray: number[]; folderIdArray: number[] }): ItemRef[] => [
  ...input.fileIdArray.map(file),
  ...input.folderIdArray.map(folder),
]

const SortKey = z.enum(['name', 'time', 'size', 'type']).default('name')
const Order = z.enum(['asc', 'desc']).default('asc')

/** Which page: by position, or after the place that the page before named in `next`. */
const ItemPage = z.strictObject({ list: z.array(ItemRecord), total: z.int(), next: z.string().nullable() })

export const fileCalls = {
  getSubItemList3: call({
    kind: 'read',
    method: 'GET',
    path: '/services2/file/query/getSubItemList3/{folderId}',
    auth: 'required',
    payload: 'query',
    origin: 'spec',
    gate: (input) => [{ item: folder(input.folderId), action: 'see' }],
    input: z.strictObject({
      folderId: Id,
      from: Count.default(0),
      rows: rows(60, 1000),
      sort: SortKey,
      order: Order,
      keyword: text(255).default(''),
      after: text(2000).optional(),
      /** Folders only, for trees. */
      foldersOnly: Flag.default(false),
    }),
    data: ItemPage,
    codes: ['notFound'],
  }),
  getFileInfo: call({
    kind: 'read',
    method: 'GET',
    path: '/services2/file/query/getFileInfo/{fileId}',
    auth: 'required',
    payload: 'none',
    origin: 'spec',
    gate: (input) => [{ item: file(input.fileId), action: 'see' }],
    input: z.strictObject({ fileId: Id }),
    data: ItemRecord,
    codes: ['notFound'],
  }),
  getFolderInfo: call({
    kind: 'read',
    method: 'GET',
    path: '/services2/file/query/getFolderInfo/{folderId}',
    auth: 'required',
    payload: 'none',
    origin: 'spec',
    gate: (input) => [{ item: folder(input.folderId), action: 'see' }],
    input: z.strictObject({ folderId: Id }),
    data: ItemRecord,
    codes: ['notFound'],
  }),
  getFolderInfo2: call({
    kind: 'read',
    method: 'GET',
    path: '/services2/file/query/getFolderInfo2/{folderId}',
    auth: 'required',
    payload: 'none',
    origin: 'spec',
    gate: (input) => [{ item: folder(input.folderId), action: 'see' }],
    input: z.strictObject({ folderId: Id }),
    /** The folder and the visible folders above it, topmost first. */
    data: z.strictObject({ folder: ItemRecord, ancestors: z.array(ItemRecord) }),
    codes: ['notFound'],
  }),
  getFileItemId: call({
    kind: 'read',
    method: 'GET',
    path: '/services2/file/query/getFileItemId/{fType}/{fId}',
    auth: 'required',
    payload: 'none',
    origin: 'spec',
    gate: (input) => [{ item: { fType: input.fType, fId: input.fId }, action: 'see' }],
    input: z.strictObject({ fType: FType, fId: Id }),
    data: z.string(),
    codes: ['notFound'],
  }),
  getFileItemInfo: call({
    kind: 'read',
    method: 'GET',
    path: '/services2/file/query/getFileItemInfo/{itemIdStr}',
    auth: 'required',
    payload: 'none',
    origin: 'spec',
    open: 'the id is a text; the handler reads it and applies the gate `see`',
    input: z.strictObject({ itemIdStr: text(100) }),
    data: ItemRecord,
    codes: ['notFound'],
  }),
  folderCreate: call({
    kind: 'write',
    method: 'POST',
    path: '/services2/file/operate/folderCreate',
    aliases: ['/services2/file/operate/addFolder'],
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    gate: (input) => [{ item: folder(input.parentId), action: 'upload', lock: 'hold' }],
    input: z.strictObject({
      parentId: Id,
      folderName: ItemName,
      isPushNotify: Flag.optional(),
      isAssociateFolder: Flag.optional(),
    }),
    data: z.strictObject({ folderId: z.int() }),
    codes: ['notFound', 'noPermission', 'alreadyExists', 'illegalName', 'nameTooLong'],
  }),
  fileCreate: call({
    kind: 'write',
    method: 'POST',
    path: '/services2/file/operate/fileCreate',
    aliases: ['/services2/file/operate/createFile'],
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    gate: (input) => [{ item: folder(input.folderId), action: 'upload', lock: 'hold' }],
    input: z.strictObject({
      folderId: Id,
      fileName: ItemName,
      secretLevel: Count.default(0),
      duration: Count.default(0),
      unit: Count.pipe(z.int().max(3)).default(0),
    }),
    data: z.strictObject({ fileId: z.int() }),
    codes: ['notFound', 'noPermission', 'alreadyExists', 'illegalName', 'nameTooLong', 'typeRestricted'],
  }),
  renameFile: call({
    kind: 'write',
    method: 'POST',
    path: '/services2/file/operate/renameFile',
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    gate: (input) => [{ item: file(input.fileId), action: 'rename', lock: 'change' }],
    input: z.strictObject({ fileId: Id, fileName: ItemName }),
    data: Nothing,
    codes: ['alreadyExists', 'illegalName', 'nameTooLong', 'readOnlyFolder'],
  }),
  renameFolder: call({
    kind: 'write',
    method: 'POST',
    path: '/services2/file/operate/renameFolder',
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    gate: (input) => [{ item: folder(input.folderId), action: 'rename', lock: 'change' }],
    input: z.strictObject({ folderId: Id, folderName: ItemName }),
    data: Nothing,
    codes: ['alreadyExists', 'illegalName', 'nameTooLong', 'readOnlyFolder'],
  }),
  fileOrFolderMove: call({
    kind: 'batch',
    method: 'POST',
    path: '/services2/file/operate/fileOrFolderMove',
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    batch: {
      items: itemsOf,
      gate: (item, input) => [
        { item, action: 'move', lock: 'change' },
        { item: folder(input.targetFolderId), action: 'upload', lock: 'hold' },
      ],
    },
    /** Into another library this copies and leaves the source: the client asks first ([R124]). */
    input: z.strictObject({ targetFolderId: Id, ...itemArrays, conflict: Conflict }),
    data: BatchAnswer,
    codes: ['moveIntoSubfolder', 'sameFolder', 'alreadyExists', 'readOnlyFolder'],
  }),
  fileOrFolderCopy: call({
    kind: 'batch',
    method: 'POST',
    path: '/services2/file/operate/fileOrFolderCopy',
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    batch: {
      items: itemsOf,
      gate: (item, input) => [
        { item, action: 'copy', lock: 'hold' },
        { item: folder(input.targetFolderId), action: 'upload', lock: 'hold' },
      ],
    },
    input: z.strictObject({ targetFolderId: Id, ...itemArrays, conflict: Conflict }),
    data: BatchAnswer,
    codes: ['moveIntoSubfolder', 'alreadyExists'],
  }),
  fileOrFolderDelete: call({
    kind: 'batch',
    method: 'POST',
    path: '/services2/file/operate/fileOrFolderDelete',
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    batch: { items: itemsOf, gate: (item) => [{ item, action: 'delete', lock: 'change' }] },
    input: z.strictObject(itemArrays),
    data: BatchAnswer,
    codes: ['readOnlyFolder'],
  }),
  fileOrFolderCompleteDelete: call({
    kind: 'batch',
    method: 'POST',
    path: '/services2/file/operate/fileOrFolderCompleteDelete',
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    batch: { items: itemsOf, gate: (item) => [{ item, action: 'completeDelete', lock: 'change' }] },
    input: z.strictObject(itemArrays),
    data: BatchAnswer,
  }),
  recycleRestore: call({
    kind: 'batch',
    method: 'POST',
    path: '/services2/file/operate/recycleRestore',
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    batch: {
      items: itemsOf,
      gate: (item, input) => [
        { item, action: 'restore', lock: 'change' },
        ...(input.targetFolderId === undefined
          ? []
          : [{ item: folder(input.targetFolderId), action: 'upload', lock: 'hold' } as const]),
      ],
    },
    /** Without a target an item goes back to where it was; a taken name is refused or numbered, never overwritten. */
    input: z.strictObject({ targetFolderId: Id.optional(), ...itemArrays, conflict: Conflict }),
    data: BatchAnswer,
    codes: ['alreadyExists', 'notFound'],
  }),
  recycleClean: call({
    kind: 'write',
    method: 'POST',
    path: '/services2/file/operate/recycleClean',
    aliases: ['/services2/file/operate/cleanRecycle'],
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    timeoutMs: 10_000,
    open: 'empties what the caller’s own recycle bin lists, by the same rule',
    input: z.strictObject({}),
    data: z.strictObject({ count: z.int() }),
  }),
  getRecycleList: call({
    kind: 'read',
    method: 'GET',
    path: '/services2/recycle/list',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    open: 'lists what the caller deleted, and all deleted items of libraries the caller manages',
    input: z.strictObject({
      /** 1 today, 2 last 7 days, 3 last 30 days, 4 all (X26). */
      timeRange: Count.pipe(z.int().min(1).max(4)).default(4),
      from: Count.default(0),
      rows: rows(100, 3000),
    }),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          fId: z.int(),
          fType: z.union([z.literal(1), z.literal(2)]),
          fName: z.string(),
          extName: z.string(),
          fileSize: z.int(),
          deleteTime: Time,
          deleterName: z.string(),
          /** Where it was; empty when the caller may not see that place. */
          pathString: z.string(),
          parentFolderId: z.int(),
          itemIdStr: z.string(),
        }),
      ),
      total: z.int(),
    }),
  }),
  createFolderByPathList: call({
    kind: 'write',
    method: 'POST',
    path: '/services2/file/operate/createFolderByPathList',
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    gate: (input) => [{ item: folder(input.folderId), action: 'upload', lock: 'hold' }],
    /** Slash-separated paths below the folder; folders that exist are reused ([R398]). */
    input: z.strictObject({ folderId: Id, pathList: z.array(text(10_000)).min(1).max(10_000) }),
    data: z.array(z.strictObject({ path: z.string(), folderId: z.int() })),
    codes: ['illegalName', 'nameTooLong', 'alreadyExists'],
  }),
  checkFileExist: call({
    kind: 'read',
    method: 'POST',
    path: '/services2/file/operate/checkFileExist',
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    gate: (input) => [{ item: folder(input.folderId), action: 'see' }],
    input: z.strictObject({ folderId: Id, fileNames: z.array(text(1000)).min(1).max(10_000) }),
    /** The names that are taken, with what holds them where the caller may see it. */
    data: z.array(
      z.strictObject({
        fileName: z.string(),
        fId: z.int(),
        fType: z.union([z.literal(1), z.literal(2)]),
        fileSize: z.int(),
        modifyTime: Time,
      }),
    ),
  }),
  getVersionList: call({
    kind: 'read',
    method: 'GET',
    path: '/services2/version/list/{fileId}/{from}/{rows}',
    auth: 'required',
    payload: 'none',
    origin: 'spec',
    gate: (input) => [{ item: file(input.fileId), action: 'see' }],
    input: z.strictObject({ fileId: Id, from: Count, rows: rows(60, 1000) }),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          version: z.int(),
          fileSize: z.int(),
          createTime: Time,
          creatorName: z.string(),
          comment: z.string(),
          isLatest: z.boolean(),
        }),
      ),
      total: z.int(),
    }),
  }),
  searchDoc: call({
    kind: 'read',
    method: 'POST',
    path: '/services2/search/searchDoc',
    aliases: ['/services2/search/searchDoc2'],
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    open: 'every hit is checked by the exact rights evaluator before it is answered',
    input: z.strictObject({
      /** Part of a name, its pinyin, or the pinyin initials. */
      keyword: text(255),
      /** Only below this folder. */
      folderId: Id.optional(),
      rows: rows(60, 200),
      scrollId: text(500).optional(),
    }),
    data: z.strictObject({
      list: z.array(ItemRecord),
      scrollId: z.string().nullable(),
      /** How many were found so far; with a scrollId there may be more. */
      total: z.int(),
      took: z.int(),
    }),
    codes: ['notFound'],
  }),
}
