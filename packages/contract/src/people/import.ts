// Import and export of users as tables ([R347]). All rows are validated before anything is written; either all rows are
// written or none.
import { z } from 'zod'
import { systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { Count, rows, text } from '../fields.ts'

/** Columns of the user table, in order. */
export const sheetColumns = [
  'accountName',
  'account',
  'group',
  'title',
  'email',
  'phone',
  'level',
  'roles',
  'expiry',
] as const
export type SheetColumn = (typeof sheetColumns)[number]
/** Maximum rows of one import. */
export const maxImportRows = 20_000

/** One row: the cells in column order. */
const Cells = z.array(text(500)).length(sheetColumns.length)

const Sheet = z.strictObject({
  rows: z.array(Cells).min(1).max(maxImportRows),
  /** Paths of departments to create. */
  newGroups: z.array(text(500)).max(5000).default([]),
  /** Indexes of rows (from 0) whose account belongs to the same person although the name differs. */
  same: z.array(Count).max(maxImportRows).default([]),
  /** Time zone offset of the dates in the table from UTC, in minutes. */
  offset: z.int().min(-900).max(900).default(0),
})

const Checked = {
  list: z.array(
    z.strictObject({
      what: z.enum(['new', 'update', 'same', 'wrong']),
      problems: z.array(
        z.strictObject({
          column: z.enum(sheetColumns),
          problem: z.enum([
            'missing',
            'taken',
            'twice',
            'illegal',
            'noGroup',
            'noLevel',
            'noRole',
            'badDate',
            'badMail',
            'own',
          ]),
        }),
      ),
      was: z.string().describe('The name of whoever has the account.'),
      changes: z.int().describe('How many cells say something else than what is there.'),
    }),
  ),
  groups: z.array(z.string()).describe('Ways to departments that are not there.'),
  over: z.int().describe('How many more accounts there would be than there may be.'),
}

const ours = { auth: 'required', origin: 'ours', guard: systemAdministrator } as const

/** Client-chosen id of an import, used to query its progress and to cancel it. */
const ImportId = text(64).regex(/^[\w-]{16,64}$/, 'sixteen letters, digits and dashes at least')

export const sheetCalls = {
  /** Dry run of an import: returns the effect of each row and changes nothing. */
  checkPeople: call({
    summary: 'Tells what an import of people would do',
    ...ours,
    kind: 'read',
    method: 'POST',
    path: '/services2/organization/checkPeople',
    payload: 'json',
    timeoutMs: 120_000,
    input: Sheet,
    sample: () => ({ rows: [['新人', 'newcomer', '', '', '', '', '', '', '']] }),
    data: z.strictObject(Checked),
  }),
  /**
   * Runs the import if all rows are valid. If the client disconnects before the end, the import is cancelled and
   * nothing is written.
   */
  importPeople: call({
    summary: 'Imports people from the rows of a table',
    title: { zh: '导入成员', en: 'People imported' },
    ...ours,
    kind: 'staged',
    method: 'POST',
    path: '/services2/organization/importPeople',
    payload: 'json',
    timeoutMs: 600_000,
    input: Sheet.extend({ importId: ImportId.optional() }),
    sample: () => ({ rows: [['新人', 'newcomer', '', '', '', '', '', '', '']] }),
    data: z.strictObject({
      ...Checked,
      done: z.boolean(),
      cancelled: z.boolean().describe('It was called off (cancelImport): nothing was written.'),
      /** New users who still have to set their password. */
      userIds: z.array(z.int()),
      updated: z.int(),
    }),
  }),
  /** Progress of an import of the caller. */
  getImportProgress: call({
    summary: 'Tells how far an import of people is',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/organization/getImportProgress',
    payload: 'query',
    input: z.strictObject({ importId: ImportId }),
    sample: () => ({ importId: 'an-import-of-people' }),
    data: z.strictObject({
      stage: z
        .enum(['waiting', 'groups', 'people', 'libraries', 'ended'])
        .describe('waiting: for another import; libraries: everybody is there, and gets what the company gives them.'),
      /** From 0 to 1000. */
      progress: z.int(),
      /** Number of users written, or of departments during the department stage. */
      written: z.int(),
    }),
  }),
  /** Cancels an import: either nothing is written, or everything already was. */
  cancelImport: call({
    servesReading: true,
    summary: 'Calls off an import of people that is under way',
    title: { zh: '取消导入', en: 'Import called off' },
    ...ours,
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/cancelImport',
    payload: 'json',
    input: z.strictObject({ importId: ImportId }),
    sample: () => ({ importId: 'an-import-of-people' }),
    data: z.strictObject({ cancelled: z.boolean().describe('False: it had ended already.') }),
  }),
  /** All users in the import format, without those who left. */
  getPeopleSheet: call({
    summary: 'Lists people in the shape of an import',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/organization/getPeopleSheet',
    payload: 'query',
    input: z.strictObject({
      after: Count.default(0),
      rows: rows(1000, 1000),
      offset: z.coerce.number().int().min(-900).max(900).default(0),
    }),
    data: z.strictObject({ rows: z.array(z.array(z.string())), after: z.int().describe('0: there are no more.') }),
  }),
} as const
