// Who may do what with an item ([R208], decisions "Rights evaluation" and "Wire shapes").
import { ShareType } from '@cloudoc/domain'
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
  /** Others than managers see only what they uploaded themselves ([R210]). */
  restricted: z.boolean().optional(),
  entries: z.array(z.strictObject({ ...Subject, rights: RightsMask, expireTime: Time.nullish() })).max(1000),
}

const rightsCalls = {
  setShareList: call({
    summary: 'Sets who may do what with an item',
    kind: 'write',
    audit: 'rights',
    method: 'POST',
    path: '/services2/share/setShareList',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: itemOf(input), action: 'grant', lock: 'change' }],
    /**
     * Replaces the independent entries of the item; application entries stay. Nobody gives more than they hold; owner and
     * managers of the library hold every right.
     */
    log: 'permissionChange',
    input: z
      .strictObject({
        ...wantedList,
        /**
         * The caller knows that they can not change the list any more after this; without it, such a list is refused.
         */
        withoutMyself: z.boolean().default(false),
      })
      .refine(exactlyOne, oneOf),
    data: Nothing,
    codes: ['notFound', 'noPermission'],
  }),
  /** Each item as if it were set alone, and answered alone; what came of it can be taken back by `changeId` ([R208]). */
  setShareLists: call({
    summary: 'Sets who may do what with several items',
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
          /** How many people a department or role is; 1 for a person. */
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
    /** Whom to ask for rights: the owner and the managers of the library that the item is in, at most 20 of them. */
    data: z.strictObject({ list: z.array(z.strictObject({ userId: z.int(), accountName: z.string() })) }),
    codes: ['notFound'],
  }),
  /**
   * Gives the targets what the source has of its own, in the place of what they have; -228 where the source has nothing of
   * its own ([R211]).
   */
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
      /** One of the two; the other one is 0 or left out. */
      sourceFileId: Id.default(0),
      sourceFolderId: Id.default(0),
      targetFileIds: IdArray.default([]),
      targetFolderIds: IdArray.default([]),
    }),
    data: BatchAnswer,
    codes: ['notFound', 'noPermission', 'noPermissionsToPaste'],
  }),
  /** Takes away what items were given themselves ([R212]). */
  clearShareList: call({
    summary: 'Takes away the permissions that items have of their own',
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
      gate: (item) => [{ item, action: 'grant', lock: 'change' }],
    },
    input: z.strictObject({
      /** Also what approved requests have given. */
      approveSubItem: z.boolean().default(false),
      /** Whether they inherit from then on. */
      inherit: z.boolean().default(true),
      fileIds: IdArray.default([]),
      folderIds: IdArray.default([]),
    }),
    data: BatchAnswer,
    codes: ['notFound', 'noPermission'],
  }),
  /**
   * Gives people, departments and roles rights on items, beside what they have: nothing is taken from anybody. An item on
   * which one of them has an entry that ends at another time is refused with -5: that is changed in the list itself.
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
      /** Told to those who are given something. */
      message: text(300).default(''),
    }),
    data: BatchAnswer,
    codes: ['notFound', 'noPermission', 'alreadyExists'],
  }),
  /** Who gains and who loses what by a list that is not set yet; writes nothing. */
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

const rightsPushes = {
  /** Somebody gave the receiver rights on an item, took some of them or all ([R214], [R333]). */
  shareRemind: push({
    type: 55,
    summary: 'Somebody gave the receiver rights on an item, changed or took them',
    delivery: 'confirmed',
    notice: {
      group: 'authorization',
      key: ({ fileId, folderId, shareType, createTime }) => [fileId, folderId, shareType, createTime].join(' '),
      merge: 'later',
      // What was taken is not seen any more; who had it knows its name.
      item: ({ fileId, folderId, shareType }) =>
        shareType === ShareType.cancelled
          ? undefined
          : fileId === 0
            ? { fType: 2, fId: folderId }
            : { fType: 1, fId: fileId },
    },
    payload: z.strictObject({
      serverId: z.int(),
      remindId: z.int(),
      operatorName: z.string(),
      targetName: z.string(),
      shareType: z.enum(ShareType),
      docName: z.string(),
      /** The item, as the documents have it in every push ([R341], X53). */
      fId: z.int(),
      fileId: z.int().describe('fId of a file, else 0.'),
      folderId: z.int().describe('fId of a folder, else 0.'),
      parentId: z.int().describe('Where the item is; 0 where the receiver may not see that.'),
      operate: z.int().describe('11, rights changed.'),
      createTime: Time,
      /** Ours: what the sharer says with it. */
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
      /** Printing is a right of its own, and download depends on it (X5). */
      print_rights: z.boolean().default(false),
      /** Whoever was given GRANT on documents of a colleague may share them on ([R150], [R216]). */
      colleague_files: z.boolean().default(true),
    },
    administered: {
      print_rights: { power: 'system', group: 'files', as: 'switch' },
      colleague_files: { power: 'system', group: 'files', as: 'switch' },
    },
  },
})
