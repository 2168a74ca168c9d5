// The item tree: list, create, rename, move, delete ([R109]-[R126]).
import { z } from 'zod'
import { signedIn } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
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
  pageOf,
  StoredItem,
  Time,
  text,
} from '../fields.ts'
import { push } from '../push.ts'
import { Conflict, CopyId, file, folder, itemArrays, itemOfIdStr, itemsOf, link, secretChoice } from './items.ts'

const SortKey = z.enum(['name', 'time', 'size', 'type'])
const Order = z.enum(['asc', 'desc'])
/** The default sort order of a folder ([R119]). */
const FolderOrder = { sort: SortKey, order: Order }

/**
 * A page selected by position, around an item, or after the cursor that the previous page returned in `next`. `from` is
 * the position of its first row; null after a cursor.
 */
const ItemPage = z.strictObject({
  from: Count.nullable(),
  list: z.array(ItemRecord),
  total: z.int(),
  next: z.string().nullable(),
})

/**
 * Not in the spec: the created item as lists show it, absent if it is gone again. The creator can display it without
 * another request.
 */
const madeRecord = { item: ItemRecord.optional() }

const fileCalls = {
  getSubItemList3: call({
    summary: 'Lists a folder, a page at a time',
    kind: 'read',
    method: 'GET',
    path: '/services2/file/query/getSubItemList3/{folderId}',
    auth: 'required',
    payload: 'query',
    origin: 'spec',
    gate: (input) => [{ item: folder(input.folderId), action: 'see' }],
    input: z.strictObject({
      folderId: Id,
      ...pageOf(60, 1000),
      /** If absent, the folder's own order applies, or by name if it has none. */
      sort: SortKey.optional(),
      order: Order.optional(),
      keyword: text(255).default(''),
      after: text(2000).optional(),
      /** Written id of an item; the page is centred on it. */
      around: text(100).optional(),
      /** Only folders, for tree views. */
      foldersOnly: Flag.default(false),
      /** For pickers ([R086]): only files with one of these extensions, lower case, comma-separated. */
      exts: z
        .string()
        .regex(/^(?:[a-z0-9_+~-]{1,16}(?:,[a-z0-9_+~-]{1,16}){0,49})?$/)
        .default(''),
      /** `sha256`: adds the content hash of each file that the caller may read, for programs that compare files. */
      fields: z.enum(['', 'sha256']).default(''),
    }),
    sample: (ids) => ({ folderId: ids.folderId }),
    data: ItemPage,
    codes: ['notFound'],
  }),
  getSubItemGroups: call({
    summary: 'Counts what a folder holds, by groups of its order',
    kind: 'read',
    method: 'POST',
    path: '/services2/file/query/getSubItemGroups',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: folder(input.folderId), action: 'see' }],
    input: z.strictObject({
      folderId: Id,
      sort: SortKey,
      order: Order,
      keyword: text(255).default(''),
      /** For grouping by time or size: the boundaries between the groups, ascending. */
      bounds: z.array(z.int().nonnegative()).min(1).max(20).default([0]),
    }),
    sample: (ids) => ({ folderId: ids.folderId, sort: 'time', order: 'desc' }),
    /** Same order as the pages of getSubItemList3, whose rows are counted; the keys are those of list-groups.ts. */
    data: z.strictObject({ list: z.array(z.strictObject({ fType: FType, key: z.string(), count: z.int() })) }),
    codes: ['notFound'],
  }),
  getFileInfo: call({
    summary: 'Reads one file',
    kind: 'read',
    method: 'GET',
    path: '/services2/file/query/getFileInfo/{fileId}',
    auth: 'required',
    payload: 'none',
    origin: 'spec',
    gate: (input) => [{ item: file(input.fileId), action: 'see' }],
    input: z.strictObject({ fileId: Id }),
    sample: (ids) => ({ fileId: ids.fileId }),
    data: ItemRecord,
    codes: ['notFound'],
  }),
  getFolderInfo: call({
    summary: 'Reads one folder',
    kind: 'read',
    method: 'GET',
    path: '/services2/file/query/getFolderInfo/{folderId}',
    auth: 'required',
    payload: 'none',
    origin: 'spec',
    gate: (input) => [{ item: folder(input.folderId), action: 'see' }],
    input: z.strictObject({ folderId: Id }),
    sample: (ids) => ({ folderId: ids.folderId }),
    data: ItemRecord,
    codes: ['notFound'],
  }),
  getFolderInfo2: call({
    summary: 'Reads one folder with the folders above it',
    kind: 'read',
    method: 'GET',
    path: '/services2/file/query/getFolderInfo2/{folderId}',
    auth: 'required',
    payload: 'none',
    origin: 'spec',
    gate: (input) => [{ item: folder(input.folderId), action: 'see' }],
    input: z.strictObject({ folderId: Id }),
    sample: (ids) => ({ folderId: ids.folderId }),
    /** The folder and its visible ancestors, topmost first. */
    data: z.strictObject({ folder: ItemRecord, ancestors: z.array(ItemRecord), ...FolderOrder }),
    codes: ['notFound'],
  }),
  getFileItemId: call({
    summary: 'Tells the written id of an item',
    kind: 'read',
    method: 'GET',
    path: '/services2/file/query/getFileItemId/{fType}/{fId}',
    auth: 'required',
    payload: 'none',
    origin: 'spec',
    gate: (input) => [{ item: { fType: input.fType, fId: input.fId }, action: 'see' }],
    input: z.strictObject({ fType: FType, fId: Id }),
    sample: (ids) => ({ fType: 1, fId: ids.fileId }),
    data: z.string(),
    codes: ['notFound'],
  }),
  getFileItemInfo: call({
    summary: 'Reads an item by its written id',
    kind: 'read',
    method: 'GET',
    path: '/services2/file/query/getFileItemInfo/{itemIdStr}',
    auth: 'required',
    payload: 'none',
    origin: 'spec',
    gate: ({ itemIdStr }) => [{ item: itemOfIdStr(itemIdStr), action: 'see' }],
    input: z.strictObject({ itemIdStr: text(100) }),
    sample: (ids) => ({ itemIdStr: `s0f${ids.fileId}` }),
    data: ItemRecord,
    codes: ['notFound'],
  }),
  /** Several items by their written ids, as used in addresses; missing items are left out ([R062]). */
  getItemListByItemIdStr: call({
    summary: 'Reads several items by their written ids',
    kind: 'read',
    method: 'GET',
    path: '/services2/file/query/getItemListByItemIdStr/{itemIdStrs}',
    auth: 'required',
    payload: 'none',
    needs: 'files',
    origin: 'ours',
    guard: signedIn,
    /** At most 20 ids, comma-separated. */
    input: z.strictObject({ itemIdStrs: text(480).regex(/^[sf0-9-]+(,[sf0-9-]+){0,19}$/) }),
    sample: (ids) => ({ itemIdStrs: `s0f${ids.fileId}` }),
    data: z.strictObject({ list: z.array(ItemRecord) }),
  }),
  /**
   * Returns those of the given folders that a tree view can expand, because the caller sees a subfolder in them.
   * Missing folders are left out.
   */
  getFoldersWithSubfolders: call({
    summary: 'Tells which folders hold folders',
    kind: 'read',
    method: 'POST',
    path: '/services2/file/query/getFoldersWithSubfolders',
    auth: 'required',
    payload: 'json',
    needs: 'files',
    origin: 'ours',
    guard: signedIn,
    input: z.strictObject({ folderIds: z.array(Id).min(1).max(200) }),
    sample: (ids) => ({ folderIds: [ids.folderId] }),
    data: z.strictObject({ folderIds: z.array(z.int()) }),
  }),
  getFolderProperty: call({
    summary: 'Measures a folder',
    kind: 'read',
    method: 'GET',
    path: '/services2/file/query/getFolderProperty/{folderId}',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    gate: (input) => [
      { item: folder(input.folderId), action: 'see' },
      { item: folder(input.folderId), action: 'measure' },
    ],
    input: z.strictObject({ folderId: Id }),
    sample: (ids) => ({ folderId: ids.folderId }),
    data: z.strictObject({
      folder: ItemRecord,
      /** Counts over all levels that the caller may see, and bytes of the newest versions. */
      folderCount: z.int(),
      fileCount: z.int(),
      totalSize: z.int(),
      /** False when the count was cut off. */
      isComplete: z.boolean(),
      /** Storage limit of the folder's library in bytes; 0: no limit. */
      sizeLimit: z.int(),
      /** The folder's own limit, and the smallest limit of its ancestors; 0: none ([R119]). */
      folderLimit: z.int(),
      aboveLimit: z.int(),
      /**
       * Usage that counts against the folder's own limit: all versions and the recycle bin. Only for users who may set
       * the limit; otherwise 0.
       */
      limitUsed: z.int(),
      ...FolderOrder,
    }),
    codes: ['notFound', 'noPermission'],
  }),
  setFolderOrder: call({
    summary: 'Sets the order that a folder is shown in',
    title: { zh: '调整文件夹排序', en: 'Order of a folder' },
    log: 'none',
    kind: 'write',
    method: 'POST',
    path: '/services2/file/operate/setFolderOrder',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: folder(input.folderId), action: 'arrange', lock: 'change' }],
    input: z.strictObject({ folderId: Id, ...FolderOrder }),
    sample: (ids) => ({ folderId: ids.folderId, sort: 'time', order: 'desc' }),
    data: Nothing,
    codes: ['notFound', 'noPermission'],
  }),
  folderCreate: call({
    summary: 'Makes a folder',
    kind: 'write',
    method: 'POST',
    path: '/services2/file/operate/folderCreate',
    aliases: ['/services2/file/operate/addFolder'],
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    gate: ({ parentId, isAssociateFolder }) => [
      { item: folder(parentId), action: isAssociateFolder === true ? 'createAssociated' : 'upload', lock: 'hold' },
    ],
    log: 'add',
    input: z.strictObject({
      parentId: Id,
      folderName: ItemName,
      /**
       * False suppresses the notice (push 6) to followers of the folder. The change itself is still pushed ([R117]).
       */
      isPushNotify: Flag.optional(),
      /**
       * If the setting GL is on: an associated folder, whose name is unique in its library and cannot change ([R248]).
       */
      isAssociateFolder: Flag.optional(),
    }),
    sample: (ids) => ({ parentId: ids.folderId, folderName: '名' }),
    data: StoredItem.extend({ folderId: z.int(), ...madeRecord }),
    codes: ['notFound', 'noPermission', 'alreadyExists', 'illegalName', 'nameTooLong', 'tooDeep', 'associatedSameName'],
  }),
  /**
   * The content of an associated folder inherits the association. Only the owner or a manager of the library may set it
   * ([R248]).
   */
  setFolderAssociate: call({
    summary: 'Makes folders associated ones, or ends that',
    title: { zh: '设置关联文件夹', en: 'Associated folders' },
    log: 'none',
    kind: 'batch',
    method: 'POST',
    path: '/services2/file/operate/setFolderAssociate',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    batch: {
      items: ({ folderIdArray }) => folderIdArray.map(folder),
      gate: (item) => [{ item, action: 'associate', lock: 'change' }],
    },
    input: z.strictObject({ folderIdArray: IdArray, associate: Flag }),
    sample: (ids) => ({ folderIdArray: [ids.folderId], associate: true }),
    data: BatchAnswer,
    codes: ['notFound', 'noPermission', 'associatedSameName'],
  }),
  fileCreate: call({
    summary: 'Makes an empty document',
    kind: 'staged',
    method: 'POST',
    path: '/services2/file/operate/fileCreate',
    aliases: ['/services2/file/operate/createFile'],
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    gate: (input) => [{ item: folder(input.folderId), action: 'upload', lock: 'hold' }],
    log: 'add',
    input: z.strictObject({
      folderId: Id,
      fileName: ItemName,
      ...secretChoice,
    }),
    sample: (ids) => ({ folderId: ids.folderId, fileName: '名.txt' }),
    data: StoredItem.extend({ fileId: z.int(), ...madeRecord }),
    codes: [
      'notFound',
      'noPermission',
      'alreadyExists',
      'illegalName',
      'nameTooLong',
      'tooDeep',
      'typeRestricted',
      'secretLevel',
    ],
  }),
  renameFile: call({
    summary: 'Renames a file',
    kind: 'write',
    method: 'POST',
    path: '/services2/file/operate/renameFile',
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    gate: (input) => [{ item: file(input.fileId), action: 'rename', lock: 'change' }],
    log: 'rename',
    input: z.strictObject({ fileId: Id, fileName: ItemName }),
    sample: (ids) => ({ fileId: ids.fileId, fileName: '名.txt' }),
    data: StoredItem,
    codes: ['alreadyExists', 'illegalName', 'nameTooLong', 'readOnlyFolder', 'fileLocked'],
  }),
  renameFolder: call({
    summary: 'Renames a folder',
    kind: 'write',
    method: 'POST',
    path: '/services2/file/operate/renameFolder',
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    gate: (input) => [{ item: folder(input.folderId), action: 'rename', lock: 'change' }],
    log: 'rename',
    input: z.strictObject({ folderId: Id, folderName: ItemName }),
    sample: (ids) => ({ folderId: ids.folderId, folderName: '名' }),
    data: StoredItem,
    codes: ['alreadyExists', 'illegalName', 'nameTooLong', 'readOnlyFolder'],
  }),
  fileOrFolderMove: call({
    summary: 'Moves items',
    kind: 'batch',
    method: 'POST',
    path: '/services2/file/operate/fileOrFolderMove',
    aliases: ['/services2/shortcut/shortcutMove'],
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
    /**
     * A move to another library copies the items and leaves the source. The client asks for confirmation first
     * ([R124]).
     */
    log: 'cut',
    input: z.strictObject({ targetFolderId: Id, ...itemArrays, conflict: Conflict }),
    sample: (ids) => ({ targetFolderId: ids.library, fileIdArray: [ids.fileId] }),
    data: BatchAnswer,
    codes: ['moveIntoSubfolder', 'sameFolder', 'alreadyExists', 'readOnlyFolder', 'fileLocked'],
  }),
  fileOrFolderCopy: call({
    summary: 'Copies items',
    kind: 'batch',
    method: 'POST',
    path: '/services2/file/operate/fileOrFolderCopy',
    aliases: ['/services2/shortcut/shortcutCopy'],
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
    log: 'copy',
    // A folder of 100,000 files takes more than a minute.
    timeoutMs: 600_000,
    input: z.strictObject({
      targetFolderId: Id,
      ...itemArrays,
      conflict: Conflict,
      copyId: CopyId.optional().describe('What getCopyProgress and cancelCopy call it by.'),
    }),
    sample: (ids) => ({ targetFolderId: ids.library, fileIdArray: [ids.fileId] }),
    data: BatchAnswer,
    codes: ['moveIntoSubfolder', 'alreadyExists', 'uploadInterrupted'],
  }),
  /** Progress of a copy of the caller. Small copies never report progress. */
  getCopyProgress: call({
    summary: 'Tells how far a copy is',
    kind: 'read',
    method: 'GET',
    path: '/services2/file/query/getCopyProgress',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    guard: signedIn,
    input: z.strictObject({ copyId: CopyId }),
    sample: () => ({ copyId: 'a-copy-of-a-folder' }),
    data: z.strictObject({ copied: z.int().describe('Files and folders; nobody sees them before all are there.') }),
    codes: ['notFound'],
  }),
  /** Cancels a copy. The copy call itself answers what became of each item: copied completely, or not at all (-9). */
  cancelCopy: call({
    servesReading: true,
    summary: 'Calls off a copy that is under way',
    title: { zh: '取消复制', en: 'Copy called off' },
    kind: 'write',
    unrecorded: true,
    method: 'POST',
    path: '/services2/file/operate/cancelCopy',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: signedIn,
    input: z.strictObject({ copyId: CopyId }),
    sample: () => ({ copyId: 'a-copy-of-a-folder' }),
    data: Nothing,
    codes: ['notFound'],
  }),
  /** Creates links ([R121], [R247]) to the items in the target folder. */
  fileOrFolderLink: call({
    summary: 'Makes links to items',
    kind: 'batch',
    method: 'POST',
    path: '/services2/file/operate/fileOrFolderLink',
    aliases: ['/services2/file/operate/createLink', '/services2/shortcut/shortcutCreate'],
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    batch: {
      items: itemsOf,
      gate: (item, input) => [
        { item, action: 'link', lock: 'hold' },
        { item: folder(input.targetFolderId), action: 'upload', lock: 'hold' },
      ],
    },
    log: 'add',
    input: z.strictObject({ targetFolderId: Id, ...itemArrays, conflict: Conflict }),
    sample: (ids) => ({ targetFolderId: ids.library, fileIdArray: [ids.fileId] }),
    data: BatchAnswer,
    codes: ['notFound', 'alreadyExists'],
  }),
  shortcutRename: call({
    summary: 'Renames a link',
    kind: 'write',
    method: 'POST',
    path: '/services2/shortcut/shortcutRename',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: link(input.linkId), action: 'rename', lock: 'change' }],
    log: 'rename',
    input: z.strictObject({ linkId: Id, linkName: ItemName }),
    sample: (ids) => ({ linkId: ids.linkId, linkName: '链接' }),
    data: StoredItem,
    codes: ['notFound', 'alreadyExists', 'illegalName', 'nameTooLong'],
  }),
  getShortcutInfo: call({
    summary: 'Reads one link',
    kind: 'read',
    method: 'GET',
    path: '/services2/shortcut/getShortcutInfo/{linkId}',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    gate: (input) => [{ item: link(input.linkId), action: 'see' }],
    input: z.strictObject({ linkId: Id }),
    sample: (ids) => ({ linkId: ids.linkId }),
    data: ItemRecord,
    codes: ['notFound'],
  }),
  fileOrFolderDelete: call({
    summary: 'Moves items to the recycle bin',
    kind: 'batch',
    method: 'POST',
    path: '/services2/file/operate/fileOrFolderDelete',
    aliases: ['/services2/shortcut/shortcutDelete'],
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    batch: { items: itemsOf, gate: (item) => [{ item, action: 'delete', lock: 'change' }] },
    log: 'delete',
    input: z.strictObject(itemArrays),
    sample: (ids) => ({ fileIdArray: [ids.fileId] }),
    data: BatchAnswer,
    codes: ['readOnlyFolder', 'fileLocked'],
  }),
  createFolderByPathList: call({
    summary: 'Makes a tree of folders',
    kind: 'write',
    method: 'POST',
    path: '/services2/file/operate/createFolderByPathList',
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    gate: (input) => [{ item: folder(input.folderId), action: 'upload', lock: 'hold' }],
    /** Slash-separated paths below the folder; folders that exist are reused ([R398]). */
    log: 'add',
    input: z.strictObject({ folderId: Id, pathList: z.array(text(10_000)).min(1).max(10_000) }),
    sample: (ids) => ({ folderId: ids.folderId, pathList: ['甲/乙'] }),
    data: z.array(z.strictObject({ path: z.string(), folderId: z.int() })),
    codes: ['illegalName', 'nameTooLong', 'alreadyExists'],
  }),
  checkFileExist: call({
    summary: 'Tells which names are taken in a folder',
    kind: 'read',
    method: 'POST',
    path: '/services2/file/operate/checkFileExist',
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    gate: (input) => [{ item: folder(input.folderId), action: 'see' }],
    input: z.strictObject({ folderId: Id, fileNames: z.array(text(1000)).min(1).max(10_000) }),
    sample: (ids) => ({ folderId: ids.folderId, fileNames: ['样例.txt'] }),
    /** The names that already exist, with the existing item if the caller may see it. */
    data: z.array(
      z.strictObject({
        fileName: z.string(),
        fId: z.int(),
        fType: z.union([z.literal(1), z.literal(2)]),
        fileSize: z.int(),
        modifyTime: Time,
        /**
         * Not in the spec: the version, the last editor and the other current editors; 0 and empty when the caller may
         * not see them.
         */
        version: z.int(),
        lastOperatorName: z.string(),
        editorName: z.string(),
        /** Not in the spec: content hash of a file for callers who may read it; empty otherwise. */
        sha256: z.string(),
      }),
    ),
  }),
}

/**
 * One change to one item, as sent to one receiver. A receiver who could see the item before and cannot any more gets
 * operateType 4 with the old location and no name.
 */
const ItemChange = z
  .strictObject({
    serverId: z.int(),
    fId: z.int(),
    linkId: z.int().optional().describe('The change is one to this link; fId is 0 then.'),
    fType: z.union([z.literal(1), z.literal(2)]),
    /** Same as fId; the spec has it in every push ([R341]). */
    fileId: z.int().describe('fId of a file, else 0.'),
    folderId: z.int().describe('fId of a folder, else 0.'),
    fName: z.string(),
    /** [R091] */
    operateType: z
      .int()
      .describe('2 added, 3 edited, 4 deleted, 5 restored, 6 copied, 7 moved, 8 renamed, 11 rights changed.'),
    operate: z.int().describe('The same as operateType.'),
    operateTime: Time,
    operatorId: z.int(),
    operatorName: z.string(),
    parentFolderId: z
      .int()
      .describe('Where the item is now; where it was for one that is gone; 0 where the receiver may not see that.'),
    parentId: z.int().describe('The same as parentFolderId.'),
    beforeParentFolderId: z.int().optional().describe('Where it was before a move, if the receiver saw it there.'),
    version: z.int(),
    fileSize: z.int(),
  })
  .meta({ id: 'ItemChange' })
export type ItemChange = z.output<typeof ItemChange>

const filePushes = {
  /** A file was added, changed, moved, deleted … ([R314]). */
  fileChange: push({
    type: 7,
    summary: 'A file, or a link to one, has changed',
    delivery: 'replayed',
    payload: ItemChange,
  }),
  /** Same for a folder ([R315]). */
  folderChange: push({
    type: 8,
    summary: 'A folder, or a link to one, has changed',
    delivery: 'replayed',
    payload: ItemChange,
  }),
}

export const files = feature({
  about: { name: 'files', text: 'The tree of files and folders: reading, making, naming, moving, deleting' },
  calls: fileCalls,
  pushes: filePushes,
  settings: {
    setting: {
      /** Owners and managers may export folders ([R160]). */
      export_sub_file: z.boolean().default(true),
      /** Users may create associated folders ([R162], [R248]). Old clients read it as `GL.useGL`. */
      useGL: z.boolean().default(false),
    },
    beside: { GL: z.strictObject({ useGL: z.boolean().default(false) }).prefault({}) },
    administered: {
      export_sub_file: {
        label: { zh: '导出文件夹', en: 'Export of folders' },
        note: {
          zh: '所有者和管理者可以把整个文件夹连同其中内容导出为一个压缩包。',
          en: 'Owners and managers may export a whole folder as one archive.',
        },
        power: 'system',
        group: 'files',
        as: 'switch',
      },
      useGL: {
        label: { zh: '关联文件夹', en: 'Associated folders' },
        note: {
          zh: '可以新建关联文件夹：在文档库里独占名称，不能重命名，里面的文件夹也是如此。',
          en: 'People make associated folders, which alone bear their name in a library and keep it, with the folders in them.',
        },
        power: 'system',
        group: 'files',
        as: 'switch',
      },
    },
  },
})
