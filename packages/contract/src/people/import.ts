// People from and to tables ([R347]): every row is checked before anything is written, and all are written or none.
import { z } from 'zod'
import { systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { Count, rows, text } from '../fields.ts'

/** The columns of a table of people, in their order. */
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
/** The most rows of one import. */
export const maxImportRows = 20_000

/** One row: the cells in the order of the columns. */
const Cells = z.array(text(500)).length(sheetColumns.length)

const Sheet = z.strictObject({
  rows: z.array(Cells).min(1).max(maxImportRows),
  /** Ways to departments that are to be made. */
  newGroups: z.array(text(500)).max(5000).default([]),
  /** Rows, from 0 on, whose account is the same person though the name differs. */
  same: z.array(Count).max(maxImportRows).default([]),
  /** Minutes from the time of whoever wrote the dates to UTC. */
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

/** What the page calls an import, to ask how far it is and to call it off. */
const ImportId = text(64).regex(/^[\w-]{16,64}$/, 'sixteen letters, digits and dashes at least')

export const sheetCalls = {
  /** What an import would do, row by row; changes nothing. */
  checkPeople: call({
    summary: 'Tells what an import of people would do',
    ...ours,
    kind: 'read',
    method: 'POST',
    path: '/services2/organization/checkPeople',
    payload: 'json',
    timeoutMs: 120_000,
    input: Sheet,
    data: z.strictObject(Checked),
  }),
  /** Does it, if no row is wrong; whoever goes away before it is done has called it off, and nothing is written. */
  importPeople: call({
    summary: 'Imports people from the rows of a table',
    ...ours,
    kind: 'staged',
    method: 'POST',
    path: '/services2/organization/importPeople',
    payload: 'json',
    timeoutMs: 600_000,
    input: Sheet.extend({ importId: ImportId.optional() }),
    data: z.strictObject({
      ...Checked,
      done: z.boolean(),
      cancelled: z.boolean().describe('It was called off (cancelImport): nothing was written.'),
      /** The people who are new and set their password yet. */
      userIds: z.array(z.int()),
      updated: z.int(),
    }),
  }),
  /** How far an import of the caller's is. */
  getImportProgress: call({
    summary: 'Tells how far an import of people is',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/organization/getImportProgress',
    payload: 'query',
    input: z.strictObject({ importId: ImportId }),
    data: z.strictObject({
      stage: z
        .enum(['waiting', 'groups', 'people', 'libraries', 'ended'])
        .describe('waiting: for another import; libraries: everybody is there, and gets what the company gives them.'),
      /** From 0 to 1000. */
      progress: z.int(),
      /** People, or in their stage departments, that have been written. */
      written: z.int(),
    }),
  }),
  /** Calls an import off: nothing of it is written, or all of it has been. */
  cancelImport: call({
    summary: 'Calls off an import of people that is under way',
    ...ours,
    kind: 'write',
    method: 'POST',
    path: '/services2/organization/cancelImport',
    payload: 'json',
    input: z.strictObject({ importId: ImportId }),
    data: z.strictObject({ cancelled: z.boolean().describe('False: it had ended already.') }),
  }),
  /** People as an import takes them, without those who left. */
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
