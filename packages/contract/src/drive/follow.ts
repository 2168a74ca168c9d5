// Following files and folders ([R239]): interest type 1 for changes, type 2 for downloads.
import { InterestType, itemAddress, nameInText, OperateType } from '@cloudoc/domain'
import { z } from 'zod'
import { ownAccount } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { BatchAnswer, Count, Id, IdArray, ItemRecord, pageOf, Time, text } from '../fields.ts'
import { type Sentence } from '../notices.ts'
import { push } from '../push.ts'
import { file, folder } from './items.ts'

const Type = Count.pipe(z.enum(InterestType))

/** Comma-separated ids; empty: everybody. */
const Ids = text(10_000)
  .regex(/^(\d{1,15}(,\d{1,15})*)?$/)
  .transform((written) => (written === '' ? [] : written.split(',').map(Number)))

const arrays = { fileIdArray: IdArray.default([]), folderIdArray: IdArray.default([]) }
const itemsOf = (input: { fileIdArray: number[]; folderIdArray: number[] }) => [
  ...input.fileIdArray.map(file),
  ...input.folderIdArray.map(folder),
]

/** A followed item, and whose actions are followed: those of everybody if both lists are empty. */
const FollowedItem = ItemRecord.extend({
  followedUsers: z.array(z.strictObject({ userId: z.int(), name: z.string() })),
  followedGroups: z.array(z.strictObject({ groupId: z.int(), name: z.string() })),
}).meta({ id: 'FollowedItem' })

const followCalls = {
  /**
   * Follows items; a folder includes its whole content. Actors can be limited to given users and departments; all by
   * default.
   */
  addInterest: call({
    summary: 'Follows files and folders',
    title: { zh: '关注', en: 'Follow' },
    log: 'none',
    kind: 'batch',
    method: 'POST',
    path: '/services2/interest/addInterest',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    batch: {
      items: itemsOf,
      gate: (item, { interestType }) => [
        { item, action: interestType === InterestType.download ? 'followDownloads' : 'follow' },
      ],
    },
    input: z.strictObject({
      ...arrays,
      interestType: Type,
      userIdString: Ids.default([]),
      groupIdString: Ids.default([]),
    }),
    sample: (ids) => ({ interestType: 1, fileIdArray: [ids.fileId] }),
    data: BatchAnswer,
    codes: ['notFound', 'noPermission', 'tooMany'],
  }),
  /**
   * Ends following items. If people or departments are named, only they are no longer followed; a follow whose last
   * person is removed ends. A follow of everybody names nobody, so nothing can be removed from it.
   */
  deleteInterest: call({
    summary: 'Ends following files and folders',
    title: { zh: '取消关注', en: 'Following ended' },
    log: 'none',
    kind: 'batch',
    method: 'POST',
    path: '/services2/interest/deleteInterest',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    batch: { items: itemsOf, gate: (item) => [{ item, action: 'follow' }] },
    input: z.strictObject({
      ...arrays,
      interestType: Type,
      userIdString: Ids.default([]),
      groupIdString: Ids.default([]),
    }),
    sample: (ids) => ({ interestType: 1, fileIdArray: [ids.fileId] }),
    data: BatchAnswer,
    codes: ['notFound'],
  }),
  /** Followed items that the caller may see, newest first. */
  getInterestList: call({
    summary: 'Lists what the caller follows',
    kind: 'read',
    method: 'GET',
    path: '/services2/interest/getInterestList',
    auth: 'required',
    payload: 'query',
    needs: 'follow',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({
      interestType: Type,
      ...pageOf(100, 1000),
      keyword: text(100).default(''),
      fId: Id.optional().describe('Only this item.'),
    }),
    sample: () => ({ interestType: 1 }),
    data: z.strictObject({ list: z.array(FollowedItem), total: z.int() }),
  }),
}

/** The sentences for changes of followed items ([R091]). */
const changeSentences: Readonly<Partial<Record<number, Sentence>>> = {
  [OperateType.add]: { zh: '上传了 {item}', en: 'added {item}' },
  [OperateType.edit]: { zh: '编辑了 {item}', en: 'edited {item}' },
  [OperateType.delete]: { zh: '删除了 {item}', en: 'deleted {item}' },
  [OperateType.restore]: { zh: '还原了 {item}', en: 'restored {item}' },
  [OperateType.copy]: { zh: '复制了 {item}', en: 'made the copy {item}' },
  [OperateType.move]: { zh: '移动了 {item}', en: 'moved {item}' },
  [OperateType.rename]: { zh: '重命名为 {item}', en: 'renamed it to {item}' },
  [OperateType.rights]: { zh: '修改了 {item} 的权限', en: 'changed the permissions of {item}' },
  [OperateType.download]: { zh: '下载了 {item}', en: 'downloaded {item}' },
  [OperateType.conflict]: { zh: '提交的 {item} 与新版本冲突', en: 'submitted {item} over a newer version' },
  [OperateType.conflictResolved]: { zh: '解决了 {item} 的版本冲突', en: 'resolved the conflict of {item}' },
  [OperateType.deleteSubFolder]: { zh: '删除了子文件夹 {item}', en: 'deleted the subfolder {item}' },
  [OperateType.deleteSubFile]: { zh: '删除了其中的文件 {item}', en: 'deleted the file {item} in it' },
}
const deletions: readonly number[] = [OperateType.delete, OperateType.deleteSubFolder, OperateType.deleteSubFile]
const otherChange: Sentence = { zh: '更改了 {item}', en: 'changed {item}' }

const followPushes = {
  /**
   * An event on an item that the receiver follows, or inside it ([R313], [R341]). The receiver's own actions are not
   * sent.
   */
  followChange: push({
    summary: 'Something happened to what the person follows',
    type: 6,
    delivery: 'confirmed',
    notice: {
      group: 'fileChange',
      key: ({ fType, fId }) => `${fType} ${fId}`,
      merge: 'later',
      // A deleted item is no longer visible; its former parent folder is used.
      item: ({ fType, fId, operateType, parentFolderId }) =>
        deletions.includes(operateType) && parentFolderId !== 0 ? { fType: 2, fId: parentFolderId } : { fType, fId },
      actor: ({ operatorName }) => operatorName,
      sentence: ({ operateType, fName }) => ({
        ...(changeSentences[operateType] ?? otherChange),
        values: { item: nameInText(fName) },
      }),
      path({ serverId, operateType, fType, fId, parentFolderId }) {
        if (!deletions.includes(operateType)) return itemAddress({ serverId, fType, fId })
        return parentFolderId === 0 ? undefined : itemAddress({ fType: 2, fId: parentFolderId })
      },
    },
    payload: z.strictObject({
      serverId: z.int(),
      remindId: z.int(),
      pushType: z.int(),
      fId: z.int(),
      fType: z.union([z.literal(1), z.literal(2)]),
      fName: z.string(),
      /** Same as fId; the spec has it in every push ([R341], X53). */
      fileId: z.int().describe('fId of a file, else 0.'),
      folderId: z.int().describe('fId of a folder, else 0.'),
      /** 0 when the receiver may not see it. */
      parentFolderId: z.int(),
      parentId: z.int().describe('The same as parentFolderId.'),
      parentFolderName: z.string(),
      /** Two encodings of the same event; the spec names it in two ways. */
      operate: z.int(),
      operateType: z.int(),
      operateTime: Time,
      operatorId: z.int(),
      operatorName: z.string(),
    }),
  }),
  /** Not in the spec: the receiver followed or unfollowed an item, on this or another device. */
  followsChanged: push({
    summary: 'What the person follows has changed on another page',
    type: 102,
    delivery: 'replayed',
    payload: z.strictObject({ fId: z.int(), fType: z.union([z.literal(1), z.literal(2)]) }),
  }),
}

export const follow = feature({
  about: { name: 'following', text: 'Being told what others do to files and folders' },
  calls: followCalls,
  pushes: followPushes,
})
