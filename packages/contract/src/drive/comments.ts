// Comments on files and folders ([R237], [R158]) with stars, replies and mentioned users who are notified (X64).
import { itemAddress, limits, nameInText } from '@cloudoc/domain'
import { z } from 'zod'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Id, Nothing, pageOf, rows, Time, text } from '../fields.ts'

import { push } from '../push.ts'
import { exactlyOne, fileOrFolder, itemOf, oneOf } from './rights-fields.ts'

const Person = z.strictObject({ userId: z.int(), accountName: z.string() })

const written = {
  commentId: z.int(),
  userId: z.int(),
  accountName: z.string(),
  comment: z.string(),
  /** One to five stars; 0: no rating. */
  grade: z.int(),
  /** For a file: the version that the comment was written on. */
  version: z.int(),
  mentioned: z.array(Person),
  createTime: Time,
  editTime: Time.nullable(),
  /** The comment was deleted and is shown only because it has replies. */
  deleted: z.boolean(),
  mayEdit: z.boolean(),
  mayDelete: z.boolean(),
}
const Comment = z.strictObject(written).meta({ id: 'Comment' })
export type Comment = z.output<typeof Comment>
const Thread = z.strictObject({ ...written, replies: z.array(Comment) }).meta({ id: 'CommentThread' })
export type CommentThread = z.output<typeof Thread>

const gate = (input: { fileId?: number | undefined; folderId?: number | undefined }) =>
  [{ item: itemOf(input), action: 'comment' }] as const
const Grade = Count.pipe(z.int().min(1).max(5))
const codes = ['notFound', 'noPermission', 'secretLevel', 'keptByRule'] as const

const commentCalls = {
  getCommentList: call({
    summary: 'Lists the comments on an item',
    notes: 'By threads: what nobody answered to is one, what was answered stands with its answers, the oldest first.',
    kind: 'read',
    method: 'GET',
    path: '/services2/comment/getCommentList',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    gate,
    input: z
      .strictObject({
        ...fileOrFolder,
        order: z.enum(['newest', 'oldest']).default('newest'),
        ...pageOf(30, 200),
      })
      .refine(exactlyOne, oneOf),
    sample: (ids) => ({ folderId: ids.folderId }),
    data: z.strictObject({
      list: z.array(Thread),
      /** Number of threads. */
      threads: z.int(),
      /** Number of comments including replies. */
      total: z.int(),
      grades: z.strictObject({
        count: z.int(),
        /** Average rating, 0 if there is none; only the last rating of each user counts. */
        average: z.number(),
        /** Number of ratings with five, four, three, two, one stars. */
        each: z.array(z.int()),
      }),
    }),
    codes,
  }),
  /** Notifies the users in `userIdArray`. They must be able to see the item themselves. */
  addComment: call({
    summary: 'Comments on an item, or answers a comment',
    title: { zh: '评论', en: 'Comment' },
    log: 'none',
    kind: 'write',
    method: 'POST',
    path: '/services2/comment/addComment',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate,
    input: z
      .strictObject({
        ...fileOrFolder,
        comment: text(limits.longestComment),
        /** A reply has no rating. */
        grade: Grade.optional(),
        parentCommentId: Id.optional(),
        userIdArray: z.array(Id).max(limits.mostMentioned).default([]),
      })
      .refine(exactlyOne, oneOf),
    sample: (ids) => ({ comment: '好', folderId: ids.folderId }),
    data: z.strictObject({ commentId: z.int() }),
    codes,
  }),
  editComment: call({
    summary: 'Changes a comment of one’s own',
    title: { zh: '修改评论', en: 'Comment changed' },
    log: 'none',
    kind: 'write',
    method: 'POST',
    path: '/services2/comment/editComment',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate,
    input: z
      .strictObject({
        ...fileOrFolder,
        commentId: Id,
        comment: text(limits.longestComment),
        /** If absent, the rating stays unchanged; 0 removes it. */
        grade: Count.pipe(z.int().max(5)).optional(),
        userIdArray: z.array(Id).max(limits.mostMentioned).default([]),
      })
      .refine(exactlyOne, oneOf),
    sample: (ids) => ({ commentId: 1, comment: '好', folderId: ids.folderId }),
    data: Nothing,
    codes,
  }),
  /** Deletes the caller's own comment. Document managers may also delete comments of others. */
  deleteComment: call({
    summary: 'Takes a comment back',
    title: { zh: '删除评论', en: 'Comment taken back' },
    log: 'none',
    kind: 'write',
    method: 'POST',
    path: '/services2/comment/deleteComment',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate,
    input: z.strictObject({ ...fileOrFolder, commentId: Id }).refine(exactlyOne, oneOf),
    sample: (ids) => ({ commentId: 1, folderId: ids.folderId }),
    data: Nothing,
    codes,
  }),
  /** Suggestions for the mention field: matches part of the name, its pinyin or initials. */
  getCommentPeople: call({
    summary: 'Finds people whom a comment can be meant for: those who may look at the item',
    kind: 'read',
    method: 'GET',
    path: '/services2/comment/getCommentPeople',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    gate,
    input: z
      .strictObject({ ...fileOrFolder, keyword: text(60).default(''), rows: rows(8, 50) })
      .refine(exactlyOne, oneOf),
    sample: (ids) => ({ folderId: ids.folderId }),
    data: z.strictObject({ list: z.array(Person.extend({ groupName: z.string(), title: z.string() })) }),
    codes,
  }),
}

const FType = z.union([z.literal(1), z.literal(2)])

const commentPushes = {
  /** A user added or changed a comment. */
  commentsChanged: push({
    summary: 'The comments on an item have changed',
    type: 140,
    delivery: 'replayed',
    payload: z.strictObject({ fType: FType, fId: z.int() }),
  }),
  /** Not in the spec, which has no notice for comments: belongs to the group of personal messages. */
  commentRemind: push({
    summary: 'Somebody named the person in a comment, or answered them',
    type: 141,
    delivery: 'confirmed',
    notice: {
      group: 'instantMessage',
      key: ({ commentId }) => `comment ${commentId}`,
      merge: 'later',
      item: ({ fType, fId }) => ({ fType, fId }),
      actor: ({ operatorName }) => operatorName,
      sentence: ({ fName, comment, mentioned }) => ({
        ...(mentioned
          ? { zh: '在“{item}”的评论里提到你：{comment}', en: 'named you in a comment on “{item}”: {comment}' }
          : { zh: '在“{item}”里回复你：{comment}', en: 'replied to you on “{item}”: {comment}' }),
        values: { item: nameInText(fName), comment },
      }),
      // Opens the comments of the item in the side panel.
      path: (comment) => `${itemAddress(comment)}&panel=comments`,
    },
    payload: z.strictObject({
      serverId: z.int(),
      remindId: z.int(),
      fType: FType,
      fId: z.int(),
      fName: z.string(),
      commentId: z.int(),
      comment: z.string(),
      /** False: the push is for a reply to the receiver's comment. */
      mentioned: z.boolean(),
      operatorId: z.int(),
      operatorName: z.string(),
      operateTime: Time,
    }),
  }),
}

export const comments = feature({
  about: { name: 'comments', text: 'What people say of files and folders' },
  calls: commentCalls,
  pushes: commentPushes,
  settings: {
    setting: {
      /** Users may comment on items that they may view ([R158]). */
      file_folder_comment: z.boolean().default(true),
    },
    administered: {
      file_folder_comment: {
        label: { zh: '评论', en: 'Comments' },
        note: {
          zh: '可以预览的人评论文件和文件夹，并用 @ 提到同事；关闭后已有的评论不再显示。',
          en: 'Who may preview a file or folder comments on it and names colleagues with @; switched off, comments are not shown.',
        },
        power: 'system',
        group: 'files',
        as: 'switch',
      },
    },
  },
})
