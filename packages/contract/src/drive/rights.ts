// Access rights of items ([R208], decisions "Rights evaluation" and "Wire shapes").
import { itemAddress, ShareType } from '@cloudoc/domain'
import { z } from 'zod'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { BatchAnswer, Id, IdArray, Nothing, Time, text } from '../fields.ts'

import { push } from '../push.ts'

import { file, folder } from './items.ts'
import {
  Approval,
  areUnique,
  exactlyOne,
  fileOrFolder,
  itemOf,
  oneOf,
  RightsMask,
  Subject,
  SubjectType,
  uniqueItems,
} from './rights-fields.ts'
import { insightCalls } from './rights-insight.ts'
import { reportCalls } from './rights-report.ts'
import { sharedCalls } from './rights-shared.ts'

const wantedList = {
  ...fileOrFolder,
  inherit: z.boolean(),
  /** Users other than managers see only their own uploads ([R210]). */
  restricted: z.boolean().optional(),
  entries: z.array(z.strictObject({ ...Subject, rights: RightsMask, expireTime: Time.nullish() })).max(1000),
}

const rightsCalls = {
  setShareList: call({
    summary: 'Sets who may do what with an item',
    title: { zh: '修改权限', en: 'Change of rights' },
    kind: 'write',
    audit: 'rights',
    method: 'POST',
    path: '/services2/share/setShareList',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: itemOf(input), action: 'grant', lock: 'change' }],
    /**
     * Replaces the independent entries of the item; application entries stay. No user grants more than they hold. The
     * owner and managers of the library hold every right.
     */
    log: 'permissionChange',
    input: z
      .strictObject({
        ...wantedList,
        /** Confirms that the caller loses the right to change the list. Without it, such a list is refused. */
        withoutMyself: z.boolean().default(false),
      })
      .refine(exactlyOne, oneOf),
    sample: (ids) => ({ inherit: true, entries: [], folderId: ids.folderId }),
    data: Nothing,
    codes: ['notFound', 'noPermission'],
  }),
  /** Sets and answers each item separately. Each change can be undone by its `changeId` ([R208]). */
  setShareLists: call({
    summary: 'Sets who may do what with several items',
    title: { zh: '批量修改权限', en: 'Change of rights on several items' },
    kind: 'batch',
    audit: 'rights',
    log: 'permissionChange',
    method: 'POST',
    path: '/services2/share/setShareLists',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    batch: {
      items: ({ lists }) => lists.map(itemOf),
      gate: (item) => [{ item, action: 'grant', lock: 'change' }],
    },
    input: z.strictObject({
      lists: z
        .array(z.strictObject(wantedList).refine(exactlyOne, oneOf))
        .min(1)
        .max(100)
        .refine(areUnique, uniqueItems),
      withoutMyself: z.boolean().default(false),
    }),
    sample: (ids) => ({ lists: [{ folderId: ids.folderId, inherit: true, entries: [] }] }),
    data: BatchAnswer,
    codes: ['notFound', 'noPermission'],
  }),
  getShareList: call({
    summary: 'Tells who may do what with an item',
    kind: 'read',
    method: 'GET',
    path: '/services2/share/getShareList',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    gate: (input) => [{ item: itemOf(input), action: 'viewShares' }],
    input: z.strictObject(fileOrFolder).refine(exactlyOne, oneOf),
    sample: (ids) => ({ folderId: ids.folderId }),
    data: z.strictObject({
      inherit: z.boolean(),
      restricted: z.boolean(),
      entries: z.array(
        z.strictObject({
          subjectType: SubjectType,
          subjectId: z.int(),
          subjectName: z.string(),
          rights: z.int(),
          expireTime: Time.nullable(),
          /** Number of users in a department or role; 1 for a user. */
          people: z.int(),
          kind: z.enum(['inherited', 'application', 'independent']),
          ...Approval,
          source: z.strictObject({ folderId: z.int(), fName: z.string() }),
        }),
      ),
    }),
    codes: ['notFound', 'noPermission'],
  }),
  getItemManagers: call({
    summary: 'Tells whom to ask for rights on an item',
    kind: 'read',
    method: 'GET',
    path: '/services2/share/getItemManagers',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    gate: (input) => [{ item: itemOf(input), action: 'see' }],
    input: z.strictObject(fileOrFolder).refine(exactlyOne, oneOf),
    sample: (ids) => ({ folderId: ids.folderId }),
    /** The users to ask for rights: the owner and the managers of the item's library, at most 20. */
    data: z.strictObject({ list: z.array(z.strictObject({ userId: z.int(), accountName: z.string() })) }),
    codes: ['notFound'],
  }),
  /** Replaces the own entries of the targets by those of the source; -228 if the source has no own entries ([R211]). */
  batchCopyShare: call({
    summary: 'Gives items the permissions of another one',
    kind: 'batch',
    audit: 'rights',
    log: 'permissionChange',
    method: 'POST',
    path: '/services2/share/batchCopyShare',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    batch: {
      items: ({ targetFileIds, targetFolderIds }) => [...targetFileIds.map(file), ...targetFolderIds.map(folder)],
      gate: (item, { sourceFileId, sourceFolderId }) => [
        { item, action: 'grant', lock: 'change' },
        { item: sourceFileId === 0 ? folder(sourceFolderId) : file(sourceFileId), action: 'viewShares' },
      ],
    },
    input: z.strictObject({
      /** Exactly one of the two is set; the other is 0 or absent. */
      sourceFileId: Id.default(0),
      sourceFolderId: Id.default(0),
      targetFileIds: IdArray.default([]),
      targetFolderIds: IdArray.default([]),
    }),
    sample: (ids) => ({ sourceFolderId: ids.folderId, targetFolderIds: [ids.library] }),
    data: BatchAnswer,
    codes: ['notFound', 'noPermission', 'noPermissionsToPaste'],
  }),
  /**
   * Removes the items' own entries ([R212]). A caller without the right to grant removes only the entries that name
   * them, where that does not give them more ([R150], 0337).
   */
  clearShareList: call({
    summary: 'Takes away the permissions that items have of their own',
    notes:
      'Without the right to grant, only the entries that name the caller are taken away; -4 where there are none, or ' +
      'where the caller would have more rights without them.',
    kind: 'batch',
    audit: 'rights',
    log: 'permissionChange',
    method: 'POST',
    path: '/services2/share/clearShareList',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    batch: {
      items: ({ fileIds, folderIds }) => [...fileIds.map(file), ...folderIds.map(folder)],
      gate: (item) => [{ item, action: 'clearRights', lock: 'change' }],
    },
    input: z.strictObject({
      /** Also removes entries from approved requests. */
      approveSubItem: z.boolean().default(false),
      /** Whether the items inherit rights afterwards. */
      inherit: z.boolean().default(true),
      fileIds: IdArray.default([]),
      folderIds: IdArray.default([]),
    }),
    sample: (ids) => ({ folderIds: [ids.folderId] }),
    data: BatchAnswer,
    codes: ['notFound', 'noPermission'],
  }),
  /**
   * Adds rights on items for users, departments and roles. No existing rights are removed. An item on which one of the
   * subjects has an entry with a different expiry is refused with -5. Such an entry has to be changed in the list
   * itself.
   */
  shareItems: call({
    summary: 'Shares items with people, departments and roles',
    kind: 'batch',
    audit: 'rights',
    log: 'permissionChange',
    method: 'POST',
    path: '/services2/share/shareItems',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    batch: {
      items: ({ fileIdArray, folderIdArray }) => [...fileIdArray.map(file), ...folderIdArray.map(folder)],
      gate: (item) => [{ item, action: 'grant', lock: 'change' }],
    },
    input: z.strictObject({
      fileIdArray: IdArray.default([]),
      folderIdArray: IdArray.default([]),
      subjects: z.array(z.strictObject(Subject)).min(1).max(100),
      rights: RightsMask,
      expireTime: Time.nullish(),
      /** Message to the receivers. */
      message: text(300).default(''),
    }),
    sample: (ids) => ({
      subjects: [{ subjectType: 'user', subjectId: ids.userId }],
      rights: 6,
      fileIdArray: [ids.fileId],
    }),
    data: BatchAnswer,
    codes: ['notFound', 'noPermission', 'alreadyExists'],
  }),
  /** Previews who gains and who loses which rights by a list that is not set yet; writes nothing. */
  previewShareList: call({
    summary: 'Tells what a change of permissions would do to whom',
    kind: 'read',
    method: 'POST',
    path: '/services2/share/previewShareList',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: itemOf(input), action: 'grant' }],
    input: z.strictObject(wantedList).refine(exactlyOne, oneOf),
    sample: (ids) => ({ inherit: true, entries: [], folderId: ids.folderId }),
    data: z.strictObject({
      gains: z.int(),
      loses: z.int(),
      hidden: z.int().describe('How many of those who lose do not see the item any more.'),
      same: z.int(),
      list: z
        .array(
          z.strictObject({
            userId: z.int(),
            accountName: z.string(),
            groupName: z.string(),
            before: z.int(),
            after: z.int(),
          }),
        )
        .describe('The first 100 of them, who loses most first.'),
      overridden: z
        .array(z.strictObject({ userId: z.int(), by: z.string() }))
        .describe('Whose own entries count for nothing, as a department or role of theirs is denied.'),
    }),
    codes: ['notFound', 'noPermission'],
  }),
}

const shareSentences = {
  [ShareType.given]: { zh: '给了你“{item}”的权限', en: 'shared “{item}” with you' },
  [ShareType.reduced]: { zh: '减少了你对“{item}”的权限', en: 'reduced your access to “{item}”' },
  [ShareType.cancelled]: { zh: '取消了你对“{item}”的权限', en: 'removed your access to “{item}”' },
} as const

const rightsPushes = {
  /** A user granted the receiver rights on an item, or removed some or all of them ([R214], [R333]). */
  shareRemind: push({
    type: 55,
    summary: 'Somebody gave the receiver rights on an item, changed or took them',
    delivery: 'confirmed',
    notice: {
      group: 'authorization',
      key: ({ fileId, folderId, shareType, createTime }) => [fileId, folderId, shareType, createTime].join(' '),
      merge: 'later',
      // After removal the item is no longer visible to the receiver, but its name is known to them.
      item: ({ fileId, folderId, shareType }) =>
        shareType === ShareType.cancelled
          ? undefined
          : fileId === 0
            ? { fType: 2, fId: folderId }
            : { fType: 1, fId: fileId },
      actor: ({ operatorName }) => operatorName,
      sentence: ({ docName, shareType }) => ({ ...shareSentences[shareType], values: { item: docName } }),
      message: ({ message = '' }) => message,
      path({ serverId, fileId, folderId, shareType }) {
        if (shareType === ShareType.cancelled) return undefined
        return itemAddress(fileId === 0 ? { fType: 2, fId: folderId } : { serverId, fType: 1, fId: fileId })
      },
    },
    payload: z.strictObject({
      serverId: z.int(),
      remindId: z.int(),
      operatorName: z.string(),
      targetName: z.string(),
      shareType: z.enum(ShareType),
      docName: z.string(),
      /** The item; the spec has it in every push ([R341], X53). */
      fId: z.int(),
      fileId: z.int().describe('fId of a file, else 0.'),
      folderId: z.int().describe('fId of a folder, else 0.'),
      parentId: z.int().describe('Where the item is; 0 where the receiver may not see that.'),
      operate: z.int().describe('11, rights changed.'),
      createTime: Time,
      /** Not in the spec: message of the sharer. */
      message: z.string().optional(),
    }),
  }),
}

export const rights = feature({
  about: { name: 'rights', text: 'Who may do what' },
  calls: { ...rightsCalls, ...insightCalls, ...sharedCalls, ...reportCalls },
  pushes: rightsPushes,
  settings: {
    setting: {
      /** Printing is a separate right, and download depends on it (X5). */
      print_rights: z.boolean().default(false),
      /** Users who hold GRANT on a colleague's documents may share them further ([R150], [R216]). */
      colleague_files: z.boolean().default(true),
    },
    administered: {
      print_rights: {
        label: { zh: '打印权限', en: 'Right to print' },
        note: {
          zh: '打开后，打印成为一项单独的权限，可下载的人不一定可打印。',
          en: 'Makes printing a right of its own: who may download may not always print.',
        },
        power: 'system',
        group: 'files',
        as: 'switch',
      },
      colleague_files: {
        label: { zh: '同事文档可再授权', en: 'Sharing on what colleagues keep' },
        note: {
          zh: '在同事的个人文档里得到授权权限的人，可以把它再共享给别人；关闭后只有本人可以。',
          en: 'Whoever was given the right to grant in a colleague’s own documents may share them with others; off, only their owner may.',
        },
        power: 'system',
        group: 'files',
        as: 'switch',
      },
    },
  },
})
