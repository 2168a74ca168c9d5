// The notification centre ([R088]-[R101]): what a person was told, and what of it they have not seen.
import { z } from 'zod'
import { ownAccount } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Flag, Id, Nothing, rows, Time, text } from '../fields.ts'
import { noticeGroups } from '../notices.ts'
import { push } from '../push.ts'

const Group = z.enum(noticeGroups)

/** One notice, as it is kept. */
const Notice = z.strictObject({
  remindId: z.int(),
  group: Group,
  /** Of unread notices of one group, those of one key tell of one thing. */
  key: z.string(),
  pushType: z.int(),
  /** What the push says, with its `remindId`, as JSON text. */
  message: z.string(),
  time: Time,
  read: z.boolean(),
})

const noticeCalls = {
  /** What is unread: how much in each group, and the newest of each; the group with the newest first. */
  getNotices: call({
    summary: 'Tells what the caller has not seen, by groups',
    kind: 'read',
    method: 'GET',
    path: '/services2/notify/getNotices',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({ rows: rows(20, 100) }),
    data: z.strictObject({
      total: z.int(),
      /** The newest that there is, read or not: what is told of with a smaller number is in this answer or is read. */
      upTo: z.int(),
      groups: z.array(z.strictObject({ group: Group, total: z.int(), list: z.array(Notice) })),
    }),
  }),
  /** Everything that is kept, newest first. */
  getNoticeList: call({
    summary: 'Lists what the caller was told, read or not',
    kind: 'read',
    method: 'GET',
    path: '/services2/notify/getNoticeList',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({
      group: Group.optional(),
      keyword: text(100).default(''),
      unread: Flag.default(false),
      /** Older than this one. */
      before: Id.optional(),
      rows: rows(60, 200),
    }),
    data: z.strictObject({ list: z.array(Notice), hasMore: z.boolean() }),
  }),
  /** Marks as read: some by their numbers, whole groups, or everything; nothing that came after `upTo`. */
  ignoreNotices: call({
    summary: 'Marks notices as read',
    kind: 'write',
    method: 'POST',
    path: '/services2/notify/ignoreNotices',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({
      remindIds: z.array(z.int()).max(1000).default([]),
      groups: z.array(Group).default([]),
      all: z.boolean().default(false),
      upTo: z.int().optional(),
    }),
    data: z.strictObject({ count: z.int(), ignoredAt: Time }),
  }),
  /** Makes unread again what was ignored at that moment. */
  restoreNotices: call({
    summary: 'Takes back that notices were marked as read',
    kind: 'write',
    method: 'POST',
    path: '/services2/notify/restoreNotices',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({ ignoredAt: Time }),
    data: z.strictObject({ count: z.int() }),
  }),
}

const noticePushes = {
  /** Ours: what is unread has changed by the receiver's own hand, here or on another machine. */
  noticesRead: push({
    summary: 'Notices were read or brought back on another page of the person',
    type: 101,
    delivery: 'replayed',
    payload: Nothing,
  }),
}

export const notices = feature({
  about: { name: 'notices', text: 'What a person was told, and what of it they have not seen' },
  calls: noticeCalls,
  pushes: noticePushes,
})
