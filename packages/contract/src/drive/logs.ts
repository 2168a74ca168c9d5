// What happened to a file or a folder, for whoever sees it ([R189], [R190]).
import { LogBit } from '@cloudoc/domain'
import { z } from 'zod'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Id, rows, Time, text } from '../fields.ts'
import { file, folder } from './items.ts'

const everyKind = Object.values(LogBit).reduce((sum, bit) => sum | bit, 0)

/** What is looked for; what is left out is no condition. */
const filters = {
  /** Kinds as a mask of log bits; 0: all. */
  types: Count.pipe(z.int().max(everyKind)).default(0),
  /** Who did it. */
  userId: Id.optional(),
  /** Part of the name of whoever did it. */
  query: text(100).default(''),
  /** Days by the clock of the server, today among them. */
  range: z.enum(['all', 'today', 'last7days', 'last30days']).default('all'),
}

const LogEntry = z.strictObject({
  logId: z.int(),
  time: Time,
  /** One of the log bits. */
  type: z.int(),
  /** 0 where time did it, by the rule of the library or the end of a level. */
  userId: z.int(),
  userName: z.string(),
  /** What it was done to: the file or folder itself, or something in the folder. */
  fId: z.int(),
  fType: z.union([z.literal(1), z.literal(2)]),
  fName: z.string(),
  /** The version that it was about; 0 for none. */
  version: z.int(),
  /**
   * The other value of a change: the name before, the version that was brought back, versions that went, of conflicts the
   * version that was changed. Empty for none.
   */
  from: z.string(),
  /** What it became; of a conflict that ended: overwrite or saveAs. */
  to: z.string(),
})

const page = {
  data: z.strictObject({
    list: z.array(LogEntry),
    /**
     * The next page goes on after it; 0 where there is none. Of a folder with thousands of items a page ends when so much
     * of what happened has been looked at: it may be short, or empty, and have a next one.
     */
    next: z.int().min(0),
  }),
  codes: ['notFound'],
} as const
const after = Count.pipe(z.int().min(1)).optional()

const logCalls = {
  /**
   * Who has looked at a file or taken it, and what was done to its rights and links, is told to those who may give rights
   * on it; to others their own part of that.
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
    ...page,
  }),
  exportFileLog: call({
    summary: 'Answers the log of a file as a table',
    answers: 'text/csv',
    kind: 'stream',
    method: 'GET',
    path: '/services2/log/exportFileLog/{fileId}',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    gate: (input) => [{ item: file(input.fileId), action: 'see' }],
    input: z.strictObject({ fileId: Id, ...filters }),
    data: z.never(),
    codes: ['notFound'],
  }),
  exportFolderLog: call({
    summary: 'Answers the log of a folder as a table',
    answers: 'text/csv',
    kind: 'stream',
    method: 'GET',
    path: '/services2/log/exportFolderLog/{folderId}',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    gate: (input) => [{ item: folder(input.folderId), action: 'measure' }],
    input: z.strictObject({ folderId: Id, ...filters }),
    data: z.never(),
    codes: ['notFound'],
  }),
}

export const logs = feature({
  about: { name: 'logs', text: 'What happened to files and folders' },
  calls: logCalls,
})
