// Comments on files and folders ([R237], [R158]): with stars, answers, and people who are told that they are meant (X64).
import { limits } from '@cloudoc/domain'
import { z } from 'zod'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Id, Nothing, rows, Time, text } from '../fields.ts'
import { push } from '../push.ts'
import { exactlyOne, fileOrFolder, itemOf, oneOf } from './rights-fields.ts'

const Person = z.strictObject({ userId: z.int(), accountName: z.string() })

const written = {
  commentId: z.int(),
  userId: z.int(),
  accountName: z.string(),
  comment: z.string(),
  /** One to five stars; 0: none were given. */
  grade: z.int(),
  /** Of a file the version that it was written about. */
  version: z.int(),
  mentioned: z.array(Person),
  createTime: Time,
  editTime: Time.nullable(),
  /** It was taken back, and stands only for what was answered to it. */
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
const codes = ['notFound', 'noPermission', 'secretLevel'] as const

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
        from: Count.default(0),
        rows: rows(30, 200),
      })
      .refine(exactlyOne, oneOf),
    data: z.strictObject({
      list: z.array(Thread),
      /** How many threads there are. */
      threads: z.int(),
      /** How many comments there are, with the answers. */
      total: z.int(),
      grades: z.strictObject({
        count: z.int(),
        /** 0 where nobody gave stars; of each person the last ones count. */
        average: z.number(),
        /** How many gave five, four, three, two, one. */
        each: z.array(z.int()),
      }),
    }),
    codes,
  }),
  /** Whoever is named in `userIdArray` is told. They must be able to look at the item themselves. */
  addComment: call({
    summary: 'Comments on an item, or answers a comment',
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
        /** An answer has none. */
        grade: Grade.optional(),
        parentCommentId: Id.optional(),
        userIdArray: z.array(Id).max(limits.mostMentioned).default([]),
      })
      .refine(exactlyOne, oneOf),
    data: z.strictObject({ commentId: z.int() }),
    codes,
  }),
  editComment: call({
    summary: 'Changes a comment of one’s own',
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
        /** Left out, the stars stay as they are; 0 takes them back. */
        grade: Count.pipe(z.int().max(5)).optional(),
        userIdArray: z.array(Id).max(limits.mostMentioned).default([]),
      })
      .refine(exactlyOne, oneOf),
    data: Nothing,
    codes,
  }),
  /** One's own, and for document managers those of others. */
  deleteComment: call({
    summary: 'Takes a comment back',
    kind: 'write',
    method: 'POST',
    path: '/services2/comment/deleteComment',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate,
    input: z.strictObject({ ...fileOrFolder, commentId: Id }).refine(exactlyOne, oneOf),
    data: Nothing,
    codes,
  }),
  /** For the field in which people are named: by part of the name, its pinyin or initials. */
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
    data: z.strictObject({ list: z.array(Person.extend({ groupName: z.string(), title: z.string() })) }),
    codes,
  }),
}

const FType = z.union([z.literal(1), z.literal(2)])

const commentPushes = {
  /** Somebody commented, or changed what they had said. */
  commentsChanged: push({
    summary: 'The comments on an item have changed',
    type: 140,
    delivery: 'replayed',
    payload: z.strictObject({ fType: FType, fId: z.int() }),
  }),
  /** Ours, in the group of what people say to one: the documents have none for comments. */
  commentRemind: push({
    summary: 'Somebody named the person in a comment, or answered them',
    type: 141,
    delivery: 'confirmed',
    notice: {
      group: 'instantMessage',
      key: ({ commentId }) => `comment ${commentId}`,
      merge: 'later',
      item: ({ fType, fId }) => ({ fType, fId }),
    },
    payload: z.strictObject({
      serverId: z.int(),
      remindId: z.int(),
      fType: FType,
      fId: z.int(),
      fName: z.string(),
      commentId: z.int(),
      comment: z.string(),
      /** False: it is an answer to what the person said. */
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
      /** People comment on what they may look at ([R158]). */
      file_folder_comment: z.boolean().default(true),
    },
    administered: { file_folder_comment: { power: 'system', group: 'files', as: 'switch' } },
  },
})
