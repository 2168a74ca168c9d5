// The access report (decisions E4): who can see an item, what a user can see, now or on a past day, and the effect of a
// change that is not made yet. For auditors, who see no contents; each query is recorded.
import { z } from 'zod'
import { auditor } from '../authority.ts'
import { call } from '../call.ts'
import { DiskTime, Flag, Id, pageOf, rows, text } from '../fields.ts'
import { exactlyOne, fileOrFolder, oneOf, RightsMask, Step, Subject } from './rights-fields.ts'

/** Milliseconds since 1970; now if absent. */
const Moment = DiskTime
const named = { fId: z.int(), fName: z.string(), pathString: z.string() }
/** Ways to see an item other than by rights. */
export const accessKinds = ['link', 'talk', 'mail', 'exchange', 'workflow', 'signing'] as const
export type AccessKind = (typeof accessKinds)[number]

const Item = z.strictObject({ fType: z.union([z.literal(1), z.literal(2)]), ...named })
const ours = { auth: 'required', origin: 'ours', guard: auditor, method: 'POST', payload: 'json' } as const

/** The named groups of rights, and `custom` for all other combinations. */
const Group = z.enum(['full', 'edit', 'download', 'preview', 'custom'])

export const reportCalls = {
  /** Finds items to report on: by name, or the content of a folder. */
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
  /** Users with the most rights first. With `at`, the rights of today are returned beside the past ones. */
  getAccessReport: call({
    servesReading: true,
    summary: 'Tells who can see an item and why, now or at a moment in the past',
    title: { zh: '查看访问报告', en: 'Look at an access report' },
    ...ours,
    kind: 'write',
    path: '/services2/report/getAccessReport',
    input: z
      .strictObject({
        ...fileOrFolder,
        at: Moment.optional(),
        keyword: text(100).default(''),
        group: Group.optional(),
        /** Only users whose rights are different today. */
        differs: Flag.default(false),
        ...pageOf(50, 1000),
      })
      .refine(exactlyOne, oneOf),
    sample: (ids) => ({ folderId: ids.folderId }),
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
      /** Of the users who could see it then: how many no longer can, and how many have different rights. */
      since: z.strictObject({ lost: z.int(), changed: z.int() }),
      list: z.array(
        z.strictObject({
          userId: z.int(),
          accountName: z.string(),
          groupName: z.string(),
          rights: z.int(),
          isManager: z.boolean(),
          /** The user's secret level is below that of the file: they see the file but cannot open it. */
          belowLevel: z.boolean(),
          steps: z.array(Step),
          /** Rights of today. */
          now: z.int(),
        }),
      ),
      total: z.int(),
    }),
    codes: ['notFound'],
  }),
  /** The roots of a user's access: libraries, and the items in them with own entries that concern the user. */
  getPersonReport: call({
    servesReading: true,
    summary: 'Tells what a person can see and why, now or at a moment in the past',
    title: { zh: '查看个人访问报告', en: 'Look at the access report of a person' },
    audits: ['userId'],
    ...ours,
    kind: 'write',
    path: '/services2/report/getPersonReport',
    input: z.strictObject({
      userId: Id,
      at: Moment.optional(),
      keyword: text(100).default(''),
      ...pageOf(50, 1000),
    }),
    sample: (ids) => ({ userId: ids.userId }),
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
  /** Access without rights on the item: by links, conversations, mails, exchanges, processes and signing. */
  getOtherAccess: call({
    servesReading: true,
    summary: 'Tells who can see an item, or what a person can see, in other ways than by rights',
    title: { zh: '查看其他途径的访问报告', en: 'Look at the report of access in other ways' },
    audits: ['userId'],
    ...ours,
    kind: 'write',
    path: '/services2/report/getOtherAccess',
    input: z
      .strictObject({
        fileId: Id.optional(),
        folderId: Id.optional(),
        userId: Id.optional(),
        way: z.enum(accessKinds).optional().describe('Only this way.'),
        current: Flag.default(false).describe('Only those that are open now.'),
        ...pageOf(50, 1000),
      })
      .refine(
        ({ fileId, folderId, userId }) => [fileId, folderId, userId].filter((id) => id !== undefined).length === 1,
        'exactly one of fileId, folderId and userId',
      ),
    sample: (ids) => ({ fileId: ids.fileId }),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          way: z.enum(accessKinds),
          /** 0: somebody without an account here, or whoever has the link. */
          userId: z.int(),
          who: z.string(),
          /** The item that the way leads to: the one asked about, one below it, or a folder above it. */
          fId: z.int(),
          fName: z.string(),
          /** The conversation, the subject of the mail, the network, the process. */
          what: z.string(),
          givenBy: z.string(),
          at: z.int(),
          /** 0: without an end. */
          endTime: z.int(),
          isOpen: z.boolean(),
        }),
      ),
      total: z.int(),
    }),
    codes: ['notFound'],
  }),
  /** Evaluates entries that are not set: like `previewShareList`, but added to the existing entries. */
  whatIfShared: call({
    summary: 'Tells what it would do to whom if an item had other permissions; writes nothing',
    ...ours,
    kind: 'read',
    path: '/services2/report/whatIfShared',
    input: z
      .strictObject({
        ...fileOrFolder,
        inherit: z.boolean().optional(),
        /** Replaces the entry of each subject on the item; rights 0 removes it. */
        entries: z.array(z.strictObject({ ...Subject, rights: RightsMask })).max(100),
      })
      .refine(exactlyOne, oneOf),
    sample: (ids) => ({ entries: [], folderId: ids.folderId }),
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
