// The log of a file or folder, for users who see it ([R189], [R190]).
import { LogBit } from '@cloudoc/domain'
import { z } from 'zod'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Id, rows, Time, text } from '../fields.ts'
import { file, folder } from './items.ts'

const everyKind = Object.values(LogBit).reduce((sum, bit) => sum | bit, 0)

/** Filters; an absent field does not filter. */
const filters = {
  /** Event kinds as a mask of log bits; 0: all. */
  types: Count.pipe(z.int().max(everyKind)).default(0),
  /** The acting user. */
  userId: Id.optional(),
  /** Part of the acting user's name. */
  query: text(100).default(''),
  /** Days in the server's time zone, including today. */
  range: z.enum(['all', 'today', 'last7days', 'last30days']).default('all'),
}

const LogEntry = z.strictObject({
  logId: z.int(),
  time: Time,
  /** One log bit. */
  type: z.int(),
  /** 0 for automatic events: the retention rule of the library, or an expired secret level. */
  userId: z.int(),
  userName: z.string(),
  /** The target: the file or folder itself, or an item in the folder. */
  fId: z.int(),
  fType: z.union([z.literal(1), z.literal(2)]),
  fName: z.string(),
  /** The version concerned; 0 for none. */
  version: z.int(),
  /**
   * The second value of an event: the previous name, the restored version, the deleted versions, or, for conflicts, the
   * version that was changed. Empty if there is none.
   */
  from: z.string(),
  /** The new value; for a resolved conflict: overwrite or saveAs. */
  to: z.string(),
})

const page = {
  data: z.strictObject({
    list: z.array(LogEntry),
    /**
     * Cursor of the next page; 0 if there is none. For a folder with thousands of items a page ends after a fixed
     * number of scanned events. Such a page may be short or empty and still have a next one.
     */
    next: z.int().min(0),
  }),
  codes: ['notFound'],
} as const
const after = Count.pipe(z.int().min(1)).optional()

const logCalls = {
  /**
   * Views, downloads, and changes of rights and links are shown to users who may grant rights on the item. Other users
   * see only their own entries of these kinds.
   */
  getFileLog: call({
    summary: 'Lists what happened to a file, the newest first',
    kind: 'read',
    method: 'GET',
    path: '/services2/log/file/{fileId}',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    gate: (input) => [{ item: file(input.fileId), action: 'see' }],
    input: z.strictObject({ fileId: Id, ...filters, after, rows: rows(50, 200) }),
    sample: (ids) => ({ fileId: ids.fileId }),
    ...page,
  }),
  getFolderLog: call({
    summary: 'Lists what happened to a folder and what is in it, the newest first',
    kind: 'read',
    method: 'GET',
    path: '/services2/log/folder/{folderId}',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    gate: (input) => [{ item: folder(input.folderId), action: 'measure' }],
    input: z.strictObject({ folderId: Id, ...filters, after, rows: rows(50, 200) }),
    sample: (ids) => ({ folderId: ids.folderId }),
    ...page,
  }),
  exportFileLog: call({
    summary: 'Answers the log of a file as a table',
    title: { zh: '导出文件日志', en: 'Log of a file exported' },
    answers: 'text/csv',
    kind: 'stream',
    method: 'GET',
    path: '/services2/log/exportFileLog/{fileId}',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    gate: (input) => [{ item: file(input.fileId), action: 'see' }],
    input: z.strictObject({ fileId: Id, ...filters }),
    sample: (ids) => ({ fileId: ids.fileId }),
    data: z.never(),
    codes: ['notFound'],
  }),
  exportFolderLog: call({
    summary: 'Answers the log of a folder as a table',
    title: { zh: '导出文件夹日志', en: 'Log of a folder exported' },
    answers: 'text/csv',
    kind: 'stream',
    method: 'GET',
    path: '/services2/log/exportFolderLog/{folderId}',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    gate: (input) => [{ item: folder(input.folderId), action: 'measure' }],
    input: z.strictObject({ folderId: Id, ...filters }),
    sample: (ids) => ({ folderId: ids.folderId }),
    data: z.never(),
    codes: ['notFound'],
  }),
}

export const logs = feature({
  about: { name: 'logs', text: 'What happened to files and folders' },
  calls: logCalls,
})
