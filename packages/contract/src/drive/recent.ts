// What one did of late ([R249], X63): opened, edits, handed in, and what others changed of it.
import { z } from 'zod'
import { ownAccount } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Flag, IdArray, ItemRecord, integer, Nothing, rows, Time, text } from '../fields.ts'
import { file, folder } from './items.ts'

/** What was done with an item last. */
export const recentActs = ['open', 'preview', 'download', 'edit'] as const
export type RecentAct = (typeof recentActs)[number]

const page = {
  from: Count.default(0),
  rows: rows(60, 1000),
  /** Of the name, its pinyin or its initials. */
  keyword: text(100).default(''),
  /** Of the last days only. */
  days: integer(1, 36_500).optional(),
}
const ours = {
  kind: 'read',
  method: 'GET',
  auth: 'required',
  payload: 'query',
  needs: 'files',
  origin: 'ours',
  guard: ownAccount,
} as const
const listOf = <S extends z.ZodRawShape>(id: string, more: S) =>
  z.strictObject({ list: z.array(ItemRecord.extend(more).meta({ id })), total: z.int() })

const recentCalls = {
  getRecentHistory: call({
    ...ours,
    summary: 'Lists what the caller opened, looked at, edited or downloaded, the latest first',
    path: '/services2/recent/history',
    input: z.strictObject(page),
    data: listOf('RecentItem', { recentTime: Time, recentAct: z.enum(recentActs) }),
  }),
  /** For who manages a library also those that others hold in it. */
  getRecentLocked: call({
    ...ours,
    summary: 'Lists files whose edit lock the caller holds',
    path: '/services2/recent/locked',
    input: z.strictObject(page),
    data: listOf('LockedItem', { lockTime: Time }),
  }),
  getRecentSubmit: call({
    ...ours,
    summary: 'Lists files that the caller uploaded or handed a version in of, the latest first',
    path: '/services2/recent/submit',
    input: z.strictObject(page),
    data: listOf('SubmittedItem', { submitTime: Time, submitVersion: z.int() }),
  }),
  /** Of what the caller follows, made versions of, or opened in the last 30 days. */
  getRecentChange: call({
    ...ours,
    summary: 'Lists files that others changed of late, the latest first',
    path: '/services2/recent/change',
    input: z.strictObject(page),
    data: listOf('ChangedItem', {
      /** The version that the caller knew, or that was there before; 0 where there was none. */
      changeFrom: z.int(),
      /** How many versions there are since that one. */
      changeCount: z.int(),
      /** What the newest was called by who made it, or what they said of it. */
      changeComment: z.string(),
      /** The version whose content the newest brought back; 0 for none. */
      changeRestored: z.int(),
      /** The caller has not opened it since. */
      isNew: z.boolean(),
    }),
  }),
  /** What a page shows by itself, a folder or a picture, the server does not learn of otherwise. */
  noteOpened: call({
    summary: 'Notes that the caller opened items',
    kind: 'write',
    audit: 'technical',
    method: 'POST',
    path: '/services2/recent/noteOpened',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: ({ fileIdArray, folderIdArray }) =>
      [...fileIdArray.map(file), ...folderIdArray.map(folder)].map((item) => ({ item, action: 'remember' }) as const),
    input: z.strictObject({
      fileIdArray: z.array(IdArray.element).max(20).default([]),
      folderIdArray: z.array(IdArray.element).max(20).default([]),
    }),
    data: Nothing,
    codes: ['notFound', 'noPermission'],
  }),
  deleteRecentHistory: call({
    summary: 'Forgets what the caller opened',
    kind: 'write',
    audit: 'technical',
    method: 'POST',
    path: '/services2/recent/deleteRecentHistory',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: ownAccount,
    input: z.strictObject({
      all: Flag.default(false),
      fileIdArray: IdArray.default([]),
      folderIdArray: IdArray.default([]),
    }),
    data: Nothing,
  }),
}

export const recent = feature({
  about: { name: 'recent', text: 'What one did of late' },
  calls: recentCalls,
})
