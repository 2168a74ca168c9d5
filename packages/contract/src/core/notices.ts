// The notification centre ([R088]-[R101]): the notices of a user, and which of them are unread.
import { z } from 'zod'
import { ownAccount } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Flag, Id, Nothing, rows, Time, text } from '../fields.ts'
import { noticeGroups } from '../notices.ts'
import { push } from '../push.ts'

const Group = z.enum(noticeGroups)

/** One stored notice. */
const Notice = z.strictObject({
  remindId: z.int(),
  group: Group,
  /** Unread notices with the same group and key concern the same subject. */
  key: z.string(),
  pushType: z.int(),
  /** The payload of the push, including its `remindId`, as JSON text. */
  message: z.string(),
  time: Time,
  read: z.boolean(),
})

const noticeCalls = {
  /** Unread notices: the count and the newest ones of each group. The group with the newest notice comes first. */
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
      /** The newest notice id, read or unread. Any notice with a smaller or equal id is in this answer or is read. */
      upTo: z.int(),
      groups: z.array(z.strictObject({ group: Group, total: z.int(), list: z.array(Notice) })),
    }),
  }),
  /** All stored notices, newest first. */
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
      /** Only notices older than this one. */
      before: Id.optional(),
      rows: rows(60, 200),
    }),
    data: z.strictObject({ list: z.array(Notice), hasMore: z.boolean() }),
  }),
  /** Marks notices as read: single ones by id, whole groups, or all. Notices newer than `upTo` are not changed. */
  ignoreNotices: call({
    servesReading: true,
    summary: 'Marks notices as read',
    title: { zh: '忽略通知', en: 'Notices ignored' },
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
  /** Marks the notices unread again that were ignored at that time. */
  restoreNotices: call({
    servesReading: true,
    summary: 'Takes back that notices were marked as read',
    title: { zh: '恢复通知', en: 'Notices brought back' },
    kind: 'write',
    method: 'POST',
    path: '/services2/notify/restoreNotices',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({ ignoredAt: Time }),
    sample: () => ({ ignoredAt: 1 }),
    data: z.strictObject({ count: z.int() }),
  }),
}

const noticePushes = {
  /** Not in the spec: the receiver changed which notices are unread, on this or another device. */
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
