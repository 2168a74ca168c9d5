// The access report (admin.md E4): who can see an item, what a person can see, now or on a day in the past, and what a
// change that nobody has made would do. For the auditor, who sees no contents; each look is on record.
import { z } from 'zod'
import { auditor } from '../authority.ts'
import { call } from '../call.ts'
import { Count, DiskTime, Flag, Id, rows, text } from '../fields.ts'
import { exactlyOne, fileOrFolder, oneOf, RightsMask, Step, Subject } from './rights-fields.ts'

/** Milliseconds since 1970; now where it is left out. */
const Moment = DiskTime
const named = { fId: z.int(), fName: z.string(), pathString: z.string() }
const Item = z.strictObject({ fType: z.union([z.literal(1), z.literal(2)]), ...named })
const ours = { auth: 'required', origin: 'ours', guard: auditor, method: 'POST', payload: 'json' } as const

/** The named groups, and what is none of them. */
const Group = z.enum(['full', 'edit', 'download', 'preview', 'custom'])

export const reportCalls = {
  /** To name what a report is about: whatever is called so, or what is in a folder. */
  findReportItems: call({
    summary: 'Finds files and folders to report on, by name or in a folder',
    ...ours,
    method: 'GET',
    payload: 'query',
    kind: 'read',
    path: '/services2/report/findReportItems',
    input: z.strictObject({ keyword: text(100).default(''), parentId: Id.default(0), rows: rows(30, 200) }),
    data: z.strictObject({ list: z.array(Item) }),
  }),
  /** Those who could do most first. With `at`, what they can do today stands beside it. */
  getAccessReport: call({
    summary: 'Tells who can see an item and why, now or at a moment in the past',
    ...ours,
    kind: 'write',
    path: '/services2/report/getAccessReport',
    input: z
      .strictObject({
        ...fileOrFolder,
        at: Moment.optional(),
        keyword: text(100).default(''),
        group: Group.optional(),
        /** Only those for whom it is different today. */
        differs: Flag.default(false),
        from: Count.default(0),
        rows: rows(50, 1000),
      })
      .refine(exactlyOne, oneOf),
    data: z.strictObject({
      item: Item,
      at: z.int(),
      counts: z.strictObject({
        all: z.int(),
        full: z.int(),
        edit: z.int(),
        download: z.int(),
        preview: z.int(),
        custom: z.int(),
      }),
      /** Of those who could see it then, who can no longer, and for whom it is different. */
      since: z.strictObject({ lost: z.int(), changed: z.int() }),
      list: z.array(
        z.strictObject({
          userId: z.int(),
          accountName: z.string(),
          groupName: z.string(),
          rights: z.int(),
          isManager: z.boolean(),
          /** Their secret level is below that of the file: they see it and open nothing. */
          belowLevel: z.boolean(),
          steps: z.array(Step),
          /** What they may do today. */
          now: z.int(),
        }),
      ),
      total: z.int(),
    }),
    codes: ['notFound'],
  }),
  /** Where somebody's rights begin: libraries, and what in them has entries of its own that concern them. */
  getPersonReport: call({
    summary: 'Tells what a person can see and why, now or at a moment in the past',
    ...ours,
    kind: 'write',
    path: '/services2/report/getPersonReport',
    input: z.strictObject({
      userId: Id,
      at: Moment.optional(),
      keyword: text(100).default(''),
      from: Count.default(0),
      rows: rows(50, 1000),
    }),
    data: z.strictObject({
      userId: z.int(),
      accountName: z.string(),
      groupName: z.string(),
      at: z.int(),
      list: z.array(
        z.strictObject({
          item: Item,
          isLibrary: z.boolean(),
          rights: z.int(),
          isManager: z.boolean(),
          belowLevel: z.boolean(),
          steps: z.array(Step),
          now: z.int(),
        }),
      ),
      total: z.int(),
    }),
    codes: ['notFound'],
  }),
  /** The same evaluation on entries that are not set: as `previewShareList`, beside those that there are. */
  whatIfShared: call({
    summary: 'Tells what it would do to whom if an item had other permissions; writes nothing',
    ...ours,
    kind: 'read',
    path: '/services2/report/whatIfShared',
    input: z
      .strictObject({
        ...fileOrFolder,
        inherit: z.boolean().optional(),
        /** In the place of what each of them was given there; rights 0 takes it away. */
        entries: z.array(z.strictObject({ ...Subject, rights: RightsMask })).max(100),
      })
      .refine(exactlyOne, oneOf),
    data: z.strictObject({
      gains: z.int(),
      loses: z.int(),
      hidden: z.int(),
      same: z.int(),
      list: z.array(
        z.strictObject({
          userId: z.int(),
          accountName: z.string(),
          groupName: z.string(),
          before: z.int(),
          after: z.int(),
        }),
      ),
    }),
    codes: ['notFound'],
  }),
} as const
