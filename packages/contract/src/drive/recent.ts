// Recent activity of the caller ([R249], X63): opened items, edits, submitted versions, and changes by others.
import { z } from 'zod'
import { ownAccount } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Flag, IdArray, ItemRecord, integer, Nothing, pageOf, Time, text } from '../fields.ts'
import { file, folder } from './items.ts'

/** The last action on an item. */
export const recentActs = ['open', 'preview', 'download', 'edit'] as const
export type RecentAct = (typeof recentActs)[number]

const page = {
  ...pageOf(60, 1000),
  /** Matches the name, its pinyin or its initials. */
  keyword: text(100).default(''),
  /** Only the last days. */
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
  /** Managers of a library also see items in it that others have locked. */
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
  /** Changes of items that the caller follows, created versions of, or opened in the last 30 days. */
  getRecentChange: call({
    ...ours,
    summary: 'Lists files that others changed of late, the latest first',
    path: '/services2/recent/change',
    input: z.strictObject(page),
    data: listOf('ChangedItem', {
      /** The version that the caller last knew, or the previous one; 0 if there was none. */
      changeFrom: z.int(),
      /** Number of versions since then. */
      changeCount: z.int(),
      /** The name or comment that the author gave the newest version. */
      changeComment: z.string(),
      /** The version that the newest version restored; 0 for none. */
      changeRestored: z.int(),
      /** True if the caller has not opened the item since. */
      isNew: z.boolean(),
    }),
  }),
  /**
   * Records that the caller opened an item. Needed for items that the page displays by itself (a folder, a picture), of
   * which the server does not learn otherwise.
   */
  noteOpened: call({
    servesReading: true,
    summary: 'Notes that the caller opened items',
    log: 'none',
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
    sample: (ids) => ({ fileIdArray: [ids.fileId] }),
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
    sample: (ids) => ({ fileIdArray: [ids.fileId] }),
    data: Nothing,
  }),
}

export const recent = feature({
  about: { name: 'recent', text: 'What one did of late' },
  calls: recentCalls,
})
