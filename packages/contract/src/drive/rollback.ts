// Returning a library or a folder to a moment: files, names, places, rights and links as they were.
import { z } from 'zod'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Flag, FType, Id, integer, pageOf, rows, Time } from '../fields.ts'
import { folder } from './items.ts'

/** What a return does to one item, or why it leaves it as it is. */
export const rollbackKinds = ['content', 'rename', 'move', 'restore', 'remove', 'rights', 'link'] as const

/** Why an item stays as it is. */
export const rollbackSkips = [
  'edited',
  'signing',
  'process',
  'protected',
  'versionMissing',
  'infected',
  'gone',
  'holdsOther',
  'changedSince',
] as const

const Change = z.strictObject({
  fId: z.int(),
  fType: FType,
  fName: z.string(),
  /** The changes, at least one unless it is skipped. */
  kinds: z.array(z.enum(rollbackKinds)),
  /** Why it stays as it is; empty if it changes. */
  skipped: z.enum(['', ...rollbackSkips]),
  /** The names of the folder in which it lies, and of the one to which it returns. */
  folderName: z.string(),
  toFolderName: z.string(),
  /** Its name at the moment. */
  toName: z.string(),
  /** The number of the current version and of that of the moment; 0 where the content stays. */
  version: z.int(),
  toVersion: z.int(),
  /** Who changed it last, and when. */
  modifierName: z.string(),
  modifyTime: Time,
})

const Counts = z.strictObject({
  content: z.int(),
  rename: z.int(),
  move: z.int(),
  restore: z.int(),
  remove: z.int(),
  rights: z.int(),
  link: z.int(),
  /** Items that change, and items that stay although they differ. */
  changed: z.int(),
  skipped: z.int(),
  /** Bytes of the contents that become new versions. */
  bytes: z.int(),
})

const Rollback = z.strictObject({
  rollbackId: z.int(),
  accountName: z.string(),
  createTime: Time,
  /** The moment; 0 for one that undoes another. */
  time: Time,
  /** The id of the return that it undoes; 0 for none. */
  undoOf: z.int(),
  withRights: z.boolean(),
  withLinks: z.boolean(),
  state: z.enum(['waiting', 'done', 'failed']),
  /** Progress from 0 to 1000. */
  progress: z.int(),
  endTime: Time,
  /** The code with which it failed; 0 if it did not. */
  problem: z.int(),
  changed: z.int(),
  skipped: z.int(),
  /** It has been undone, or is being undone. */
  undone: z.boolean(),
})

/** The moment, and whether rights and external links return too. */
const moment = {
  folderId: Id,
  /** Milliseconds since 1970. */
  at: integer(0, Number.MAX_SAFE_INTEGER),
  withRights: Flag.default(true),
  withLinks: Flag.default(true),
}
const moreCodes = [
  'notFound',
  'noPermission',
  'duplicateOperation',
  'tooDeep',
  'userSizeExceeded',
  'folderSizeExceeded',
  'colleagueSizeExceeded',
  'capacityExceeded',
] as const

const rollbackCalls = {
  previewRollback: call({
    summary: 'Tells what returning a folder to a moment would change',
    notes:
      'For the managers of the library. Nothing is changed. `earliest` is the earliest moment to which the folder can return; an earlier one is refused.',
    kind: 'read',
    method: 'GET',
    path: '/services2/rollback/preview',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    timeoutMs: 300_000,
    gate: (input) => [{ item: folder(input.folderId), action: 'rollBack' }],
    input: z.strictObject({
      ...moment,
      ...pageOf(200, 1000),
      /** Only items with this change, or only those that stay. */
      kind: z.enum(['all', 'skipped', ...rollbackKinds]).default('all'),
    }),
    sample: (ids) => ({ folderId: ids.folderId, at: ids.now }),
    data: z.strictObject({ counts: Counts, list: z.array(Change), total: z.int() }),
    codes: ['notFound', 'noPermission'],
  }),
  startRollback: call({
    summary: 'Returns a folder to a moment',
    title: { zh: '恢复到某个时间', en: 'Restore to an earlier time' },
    notes:
      'For the managers of the library. All changes become visible at once. What was created since goes to the recycle bin, old contents become new versions. `getRollbacks` tells how far it is.',
    kind: 'write',
    method: 'POST',
    path: '/services2/rollback/start',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: folder(input.folderId), action: 'rollBack', lock: 'hold' }],
    log: 'restore',
    audits: ['at'],
    input: z.strictObject(moment),
    sample: (ids) => ({ folderId: ids.folderId, at: ids.now }),
    data: z.strictObject({ rollbackId: z.int() }),
    codes: [...moreCodes],
  }),
  getRollbacks: call({
    summary: 'Lists the returns of a folder to earlier moments, newest first',
    notes: 'With the earliest moment to which the folder can return.',
    kind: 'read',
    method: 'GET',
    path: '/services2/rollback/list',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    gate: (input) => [{ item: folder(input.folderId), action: 'rollBack' }],
    input: z.strictObject({ folderId: Id, rows: rows(20, 100) }),
    sample: (ids) => ({ folderId: ids.folderId }),
    data: z.strictObject({ earliest: Time, list: z.array(Rollback) }),
    codes: ['notFound', 'noPermission'],
  }),
  getRollbackChanges: call({
    summary: 'Lists what a return of a folder changed and what it left',
    kind: 'read',
    method: 'GET',
    path: '/services2/rollback/changes',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    gate: (input) => [{ item: folder(input.folderId), action: 'rollBack' }],
    input: z.strictObject({
      folderId: Id,
      rollbackId: Count,
      skipped: Flag.default(false),
      ...pageOf(200, 1000),
    }),
    sample: (ids) => ({ folderId: ids.folderId, rollbackId: 1 }),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          fId: z.int(),
          fType: FType,
          fName: z.string(),
          kinds: z.array(z.enum(rollbackKinds)),
          skipped: z.enum(['', ...rollbackSkips]),
        }),
      ),
      total: z.int(),
    }),
    codes: ['notFound', 'noPermission'],
  }),
  undoRollback: call({
    summary: 'Undoes the return of a folder to a moment',
    title: { zh: '撤销恢复', en: 'Undo a restore' },
    notes: 'Items that somebody changed since the return stay as they are.',
    kind: 'write',
    method: 'POST',
    path: '/services2/rollback/undo',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: folder(input.folderId), action: 'rollBack', lock: 'hold' }],
    log: 'restore',
    audits: ['rollbackId'],
    input: z.strictObject({ folderId: Id, rollbackId: Count }),
    sample: (ids) => ({ folderId: ids.folderId, rollbackId: 1 }),
    data: z.strictObject({ rollbackId: z.int() }),
    codes: [...moreCodes],
  }),
}
export type RollbackKind = (typeof rollbackKinds)[number]
export type RollbackSkip = (typeof rollbackSkips)[number]

export const rollback = feature({
  about: { name: 'return to a moment', text: 'A library or folder as it was at an earlier time' },
  calls: rollbackCalls,
})
