/*
 * Applications for downloads and links ([R251]-[R254]). A user who may not download, or whose downloads or links need an
 * approval by a rule of the administrators (操作管控), applies; reviewers decide; the approval of a download is a
 * counted grant. Decided by the review engine (review.ts).
 */
import { ApplyState, ApplyType, LinkStatus, linkPassword, nameInText } from '@cloudoc/domain'
import { z } from 'zod'
import { accountHolder, on } from '../authority.ts'
import { call } from '../call.ts'
import { file, folder } from '../drive/items.ts'
import { feature } from '../feature.ts'
import { BatchAnswer, Count, Flag, FType, Id, Nothing, pageOf, Time, text } from '../fields.ts'
import { push } from '../push.ts'
import { requestItemFields } from './request-fields.ts'
import { Person, requestFields, reviewKind } from './review.ts'

const ours = { auth: 'required', origin: 'ours' } as const
const ItemType = z.union([z.literal(1), z.literal(2)])
const Operation = z.enum(ApplyType)
/** Operation type in queries: a number, or the text that the spec uses in one place (X17). */
const OperateType = z
  .union([Operation, z.enum(['1', '2', 'download', 'external'])])
  .transform((value) =>
    value === 1 || value === '1' || value === 'download' ? ApplyType.download : ApplyType.external,
  )
const Comment = text(1000).default('')

/** The most items that a call accepts; the installation allows at most so many ([R251] {num}). */
const mostItems = 1000
const Ids = z.array(Id).max(mostItems).default([])
const items = { fileIdArray: Ids, folderIdArray: Ids }
interface Items {
  readonly fileIdArray: readonly number[]
  readonly folderIdArray: readonly number[]
}
const isSome = ({ fileIdArray, folderIdArray }: Items): boolean => fileIdArray.length + folderIdArray.length > 0
const someItem = 'a file or a folder'

/** The ways in which content leaves by an application. */
export const downloadMethods = ['file', 'zip', 'ticket', 'link', 'webDav', 'program'] as const
export type DownloadMethod = (typeof downloadMethods)[number]

/** One item of an application. */
const Item = z.strictObject({
  itemId: z.int(),
  /** 0 when the caller may not see the item, or it is gone. */
  fId: z.int(),
  fType: ItemType,
  fName: z.string(),
  extName: z.string(),
  fileSize: z.int(),
  version: z.int(),
  secretLevel: z.int(),
  secretName: z.string(),
  /** Number of files in a folder when the application was made. */
  fileCount: z.int(),
  result: z.enum(['pending', 'approved', 'rejected']),
  used: z.int().describe('How often it was downloaded by this application.'),
  mayPreview: z.boolean(),
})
export type ApplicationItem = z.output<typeof Item>

/** How an application stands: in lists and in the push of it ([R253], [R334]). */
const standing = {
  applicationId: z.int(),
  operateType: Operation,
  applicationTitle: z.string(),
  /** Type of the first item: file or folder. */
  applicationTitleType: ItemType,
  itemCount: z.int(),
  nodeState: z.enum(ApplyState),
  /** Why the approval ended (X14). */
  reason: z.enum(['revoked', 'expired']).optional(),
  /** Name of the reviewer who decided; empty while pending. */
  handlerUserName: z.string(),
}

/** The fields of an application in lists. */
const listed = {
  ...requestFields,
  ...standing,
  /** Whether only the version applied for may be downloaded. */
  hasVersionLimit: z.boolean(),
  validDays: z.int(),
  count: z.int().describe('How often each file may be downloaded; 0: any number of times.'),
  endTime: Time.nullable(),
  approvedCount: z.int().describe('How many of the items were approved.'),
  /** The link that is applied for; 0 for downloads. */
  externalId: z.int(),
}
const Listed = z.strictObject(listed).meta({ id: 'OperationApplication' })
export type OperationApplication = z.output<typeof Listed>

/** What can be done by an application; visitors of its link also look and leave files. */
const uses = ['open', 'preview', 'download', 'print', 'upload', 'edit'] as const

const Detail = z
  .strictObject({
    ...listed,
    items: z.array(Item),
    pathString: z.string(),
    /** The most that a reviewer can give: as applied for. */
    applied: z.strictObject({ validDays: z.int(), count: z.int() }),
    link: z
      .strictObject({
        rights: z.int(),
        startTime: Time,
        endTime: Time,
        hasPassword: z.boolean(),
        visitLimit: z.int(),
        downloadLimit: z.int(),
        people: z.array(Person),
        mails: z.array(z.string()),
        note: z.string(),
      })
      .nullable(),
    may: z.strictObject({
      decide: z.boolean(),
      withdraw: z.boolean(),
      remind: z.boolean(),
      revoke: z.boolean(),
      remove: z.boolean(),
    }),
    /** What the applicant did in the last 30 days; for reviewers. */
    recent: z.strictObject({ applications: z.int(), approved: z.int(), downloads: z.int() }).nullable(),
    /** The links that exist by this application: the one that was applied for, or those to what it gives. */
    links: z.array(
      z.strictObject({
        externalId: z.int(),
        fName: z.string(),
        note: z.string(),
        status: z.enum(LinkStatus),
        mayManage: z.boolean().describe('The caller may read and change the link.'),
      }),
    ),
    /** Every download by this application, or every visit of its link, the latest first. */
    uses: z.array(
      z.strictObject({
        time: Time,
        what: z.enum(uses),
        way: z.enum(downloadMethods),
        fName: z.string(),
        version: z.int().describe('The version that was taken; 0 for what is not one file.'),
        /** Whoever took it: the applicant, or the visitor of a link as they named themselves. */
        person: z.string(),
        address: z.string(),
        externalId: z.int().describe('The link by which it was taken; 0 for none.'),
      }),
    ),
  })
  .meta({ id: 'OperationApplicationDetail' })
export type OperationApplicationDetail = z.output<typeof Detail>

const one = { applicationId: Id }
const decision = {
  ...ours,
  kind: 'write',
  audit: 'rights',
  method: 'POST',
  payload: 'json',
  log: 'none',
  gate: ({ applicationId }: { applicationId: number }) => [on(reviewKind, applicationId, 'decide', 'change')],
  data: Nothing,
  codes: ['notFound', 'noPermission', 'alreadyHandled'],
} as const

const States = z.strictObject({ all: z.int(), open: z.int(), handled: z.int(), others: z.int() })

const applicationCalls = {
  getApplyTerms: call({
    summary: 'Tells who would decide about an application of the caller, and what it may ask for',
    ...ours,
    kind: 'read',
    method: 'POST',
    path: '/services2/apply/getApplyTerms',
    payload: 'json',
    gate: ({ operateType, fileIdArray, folderIdArray }) => {
      const action = operateType === ApplyType.download ? ('applyDownload' as const) : ('createLink' as const)
      return [
        ...fileIdArray.map((id) => ({ item: file(id), action })),
        ...folderIdArray.map((id) => ({ item: folder(id), action })),
      ]
    },
    input: z.strictObject({ operateType: OperateType, ...items }).refine(isSome, someItem),
    sample: (ids) => ({ operateType: 1, fileIdArray: [ids.fileId] }),
    data: z.strictObject({
      mostItems: z.int(),
      mostDays: z.int(),
      /** 0: the number of downloads need not be limited. */
      mostDownloads: z.int(),
      onlyVersion: z.boolean().describe('Only the present version can be applied for.'),
      needsComment: z.boolean(),
      mayChoose: z.boolean().describe('The applicant may choose among the reviewers of the first round.'),
      isAutomatic: z.boolean().describe('It is approved without a reviewer.'),
      rounds: z.array(
        z.strictObject({
          needed: z.int(),
          reviewers: z.array(
            z.strictObject({
              ...Person.shape,
              why: z.enum(['owner', 'manager', 'named', 'role']),
              standIn: Person.nullable(),
              /** The usual time until this reviewer answers, in minutes; absent without earlier answers. */
              minutes: z.int().optional(),
            }),
          ),
          /** The secret level that makes the round necessary; 0 for rounds of all applications. */
          fromLevel: z.int(),
        }),
      ),
      handleBefore: Time.nullable(),
      atDeadline: z.enum(['wait', 'reject', 'managers']),
      /** Items for which an application of the caller is open. */
      openItems: z.array(z.int()),
    }),
    codes: ['notFound', 'noPermission', 'secretLevel', 'virusFile'],
  }),
  applyDownload: call({
    summary: 'Applies for downloads of files and folders',
    title: { zh: '申请下载', en: 'Application for downloads' },
    notes:
      '-95 while an application of the caller for the same items is open. The content of a folder is what it is now. `verifierIdArray` chooses among the reviewers of the first round. `hasVersionLimit`: only the version that is applied for.',
    ...ours,
    kind: 'write',
    audit: 'rights',
    log: 'none',
    method: 'POST',
    path: '/services2/apply/applyDownload',
    payload: 'json',
    gate: ({ fileIdArray, folderIdArray }) => [
      ...fileIdArray.map((id) => ({ item: file(id), action: 'applyDownload' }) as const),
      ...folderIdArray.map((id) => ({ item: folder(id), action: 'applyDownload' }) as const),
    ],
    input: z
      .strictObject({
        comment: Comment,
        ...items,
        hasVersionLimit: Flag.default(true),
        verifierIdArray: z.array(Id).max(50).default([]),
        validDays: Count.pipe(z.int().min(1).max(3650)).default(1),
        count: Count.pipe(z.int().max(10_000)).default(1),
      })
      .refine(isSome, someItem),
    sample: (ids) => ({ comment: 'x', fileIdArray: [ids.fileId] }),
    data: z.strictObject({ applicationId: z.int(), nodeState: z.enum(ApplyState) }),
    codes: [
      'notFound',
      'noPermission',
      'secretLevel',
      'virusFile',
      'duplicateRequest',
      'folderWithoutApprover',
      'tooMany',
    ],
  }),
  applyLink: call({
    summary: 'Makes links to files and folders that wait for their approval',
    title: { zh: '申请外链', en: 'Application for links' },
    notes:
      'One link and one application for each item. A link that needs no approval opens at once: `applicationId` 0. `hasVersionLimit`: it waits for an approval again when there is a new version.',
    ...ours,
    kind: 'write',
    audit: 'rights',
    log: 'createLink',
    method: 'POST',
    path: '/services2/apply/applyLink',
    payload: 'json',
    gate: ({ fileIdArray, folderIdArray }) => [
      ...fileIdArray.map((id) => ({ item: file(id), action: 'createLink', lock: 'change' }) as const),
      ...folderIdArray.map((id) => ({ item: folder(id), action: 'createLink', lock: 'change' }) as const),
    ],
    input: z
      .strictObject({
        comment: Comment,
        ...items,
        hasVersionLimit: Flag.default(false),
        verifierIdArray: z.array(Id).max(50).default([]),
        validDays: Count.pipe(z.int().min(1).max(3650)).default(7),
        count: Count.pipe(z.int().max(1_000_000)).default(0),
        rights: Count.pipe(z.int().min(1).max(1_000_000)).default(4),
        password: z.string().regex(linkPassword).default(''),
      })
      .refine(isSome, someItem),
    sample: (ids) => ({ folderIdArray: [ids.folderId] }),
    data: z.strictObject({
      list: z.array(z.strictObject({ fType: ItemType, fId: z.int(), externalId: z.int(), applicationId: z.int() })),
    }),
    codes: [
      'notFound',
      'noPermission',
      'secretLevel',
      'virusFile',
      'duplicateRequest',
      'folderWithoutApprover',
      'tooMany',
    ],
  }),
  getApplyList: call({
    summary: 'Lists applications of the caller, or those that they decide about',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/apply/getApplyList',
    payload: 'query',
    guard: accountHolder,
    input: z.strictObject({
      operateType: OperateType,
      side: z.enum(['creation', 'review']),
      /** `open`: not decided, of a reviewer those that wait for them; `others`: decided by other reviewers. */
      state: z.enum(['all', 'open', 'handled', 'others']).default('all'),
      keyword: text(200).default(''),
      /** Applications since this time. */
      since: Count.pipe(z.int())
        .or(
          z
            .string()
            .regex(/^\d{1,15}$/)
            .transform(Number),
        )
        .default(0),
      ...pageOf(100, 200),
    }),
    sample: () => ({ operateType: 1, side: 'creation' }),
    data: z.strictObject({ list: z.array(Listed), total: z.int(), counts: States }),
  }),
  getApplyCount: call({
    summary: 'Counts the applications of the caller that are open, and those that wait for them',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/apply/getApplyCount',
    payload: 'query',
    guard: accountHolder,
    input: z.strictObject({}),
    data: z.strictObject({
      downloadCreation: z.int(),
      downloadReview: z.int(),
      linkCreation: z.int(),
      linkReview: z.int(),
    }),
  }),
  getApplyDetail: call({
    summary: 'Reads one application with its items, its terms and its uses',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/apply/getApplyDetail/{applicationId}',
    payload: 'none',
    gate: ({ applicationId }) => [on(reviewKind, applicationId, 'see')],
    input: z.strictObject(one),
    sample: (ids) => ({ applicationId: ids.authorizationId }),
    data: Detail,
    codes: ['notFound'],
  }),
  getApplyFolder: call({
    summary: 'Lists the content of a folder as it was when the application was made',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/apply/getApplyFolder',
    payload: 'query',
    gate: ({ applicationId }) => [on(reviewKind, applicationId, 'see')],
    input: z.strictObject({ ...one, folderId: Id, ...pageOf(100, 200) }),
    sample: (ids) => ({ applicationId: ids.authorizationId, folderId: ids.folderId }),
    data: z.strictObject({ list: z.array(Item.extend({ path: z.string() })), total: z.int(), fileSize: z.int() }),
    notes: 'Of a link to a folder: what it would hand out now, for its maker and whoever decides.',
    codes: ['notFound', 'tooMany'],
  }),
  applyApprove: call({
    ...decision,
    summary: 'Approves an application, or some of its items',
    title: { zh: '同意操作申请', en: 'Application approved' },
    notes: 'Items that `results` leaves out are approved. Days and downloads can be lowered, not raised.',
    path: '/services2/apply/applyApprove',
    input: z.strictObject({
      ...one,
      comment: Comment,
      results: z
        .array(z.strictObject({ fType: FType, id: Id, approve: z.boolean() }))
        .max(mostItems)
        .default([]),
      validDays: Count.optional(),
      count: Count.optional(),
    }),
    sample: (ids) => ({ applicationId: ids.authorizationId }),
  }),
  applyReject: call({
    ...decision,
    summary: 'Rejects an application',
    title: { zh: '拒绝操作申请', en: 'Application rejected' },
    path: '/services2/apply/applyReject',
    input: z.strictObject({ ...one, comment: Comment }),
    sample: (ids) => ({ applicationId: ids.authorizationId }),
  }),
  applyRevoke: call({
    ...decision,
    summary: 'Withdraws an application, or revokes its approval with all that it gave',
    title: { zh: '撤销操作申请', en: 'Application revoked' },
    notes: 'The applicant withdraws or gives back; a reviewer revokes. What it gave ends with the next request.',
    path: '/services2/apply/applyRevoke',
    gate: ({ applicationId }) => [on(reviewKind, applicationId, 'end', 'change')],
    input: z.strictObject({ ...one, comment: Comment }),
    sample: (ids) => ({ applicationId: ids.authorizationId }),
  }),
  applyDelete: call({
    ...ours,
    summary: 'Removes applications that are over from the lists of the caller',
    title: { zh: '删除操作申请记录', en: 'Applications removed from the list' },
    kind: 'write',
    audit: 'rights',
    log: 'none',
    audits: ['applicationIdArray'],
    method: 'POST',
    path: '/services2/apply/applyDelete',
    payload: 'json',
    guard: accountHolder,
    input: z.strictObject({ applicationIdArray: z.array(Id).min(1).max(200) }),
    sample: (ids) => ({ applicationIdArray: [ids.authorizationId] }),
    data: BatchAnswer,
  }),
} as const

const texts = {
  [ApplyType.download]: {
    [ApplyState.pending]: { zh: '申请下载《{name}》{more}', en: 'asks to download “{name}”{more}' },
    [ApplyState.approved]: { zh: '《{name}》{more}的下载申请已通过', en: 'You may download “{name}”{more}' },
    [ApplyState.rejected]: {
      zh: '《{name}》{more}的下载申请被拒绝',
      en: 'Your request to download “{name}”{more} was refused',
    },
    [ApplyState.over]: {
      zh: '《{name}》{more}的下载批准已撤销',
      en: 'The approval to download “{name}”{more} was taken back',
    },
    expired: { zh: '《{name}》{more}的下载申请已过期', en: 'The approval to download “{name}”{more} has expired' },
    reminder: {
      zh: '申请下载《{name}》{more}，还在等你审批',
      en: 'still waits for your answer about downloading “{name}”{more}',
    },
    late: {
      zh: '你申请下载《{name}》{more}，已到期限，还没有人审批',
      en: 'Your request to download “{name}”{more} has not been decided in time',
    },
  },
  [ApplyType.external]: {
    [ApplyState.pending]: { zh: '申请《{name}》的外链', en: 'asks for a link to “{name}”' },
    [ApplyState.approved]: { zh: '《{name}》的外链已通过审批', en: 'The link to “{name}” is approved' },
    [ApplyState.rejected]: { zh: '《{name}》的外链没有通过审批', en: 'The link to “{name}” was refused' },
    [ApplyState.over]: {
      zh: '《{name}》的外链审批被撤销，链接已失效',
      en: 'The approval of the link to “{name}” was taken back: it does not open any more',
    },
    expired: { zh: '《{name}》的外链已到期', en: 'The link to “{name}” has expired' },
    reminder: { zh: '申请的《{name}》外链还在等你审批', en: 'still waits for your answer about a link to “{name}”' },
    late: {
      zh: '你为《{name}》申请的外链已到期限，还没有人审批',
      en: 'Your request for a link to “{name}” has not been decided in time',
    },
  },
} as const

/** The pages of each kind of application. */
const pages = {
  [ApplyType.download]: '/doc/folder/security/apply-download',
  [ApplyType.external]: '/doc/folder/security/apply-link',
} as const

const applicationPushes = {
  /**
   * Sent to the reviewers while the application is pending, then to the applicant ([R253], [R334]). The applicant is
   * also notified when the answer is late.
   */
  operateApplication: push({
    summary:
      'Somebody applies for a download or a link that the receiver decides about, or the receiver’s own was decided',
    type: 57,
    delivery: 'confirmed',
    notice: {
      group: 'operationApply',
      key: ({ applicationId }) => String(applicationId),
      merge: 'later',
      // The reviewer of an application need not see the item.
      item: ({ nodeState, late, fType, fId }) =>
        nodeState === ApplyState.pending && !late ? undefined : { fType, fId },
      actor: ({ nodeState, late, userName }) => (nodeState === ApplyState.pending && !late ? userName : ''),
      sentence: ({ operateType, nodeState, reminder, late, reason, applicationTitle, itemCount }) => {
        const of = texts[operateType]
        const text = late ? of.late : reminder ? of.reminder : reason === 'expired' ? of.expired : of[nodeState]
        const others = itemCount - 1
        return {
          zh: text.zh.replace('{more}', others > 0 ? '等 {n} 项' : ''),
          en: text.en.replace('{more}', others > 0 ? ' and {others} more' : ''),
          values: { name: nameInText(applicationTitle), n: itemCount, others },
        }
      },
      path: ({ operateType, nodeState, late, applicationId }) => {
        const side = nodeState === ApplyState.pending && !late ? 'review' : 'creation'
        return `${pages[operateType]}-${side}?applicationId=${applicationId}`
      },
    },
    payload: z.strictObject({
      serverId: z.int(),
      remindId: z.int(),
      ...standing,
      createTime: Time,
      fType: ItemType,
      fId: z.int(),
      ...requestItemFields,
      userId: z.int(),
      userName: z.string(),
      /** Not in the spec: id of the link, 0 for downloads; and the comment of the reviewer. */
      externalId: z.int(),
      answer: z.string(),
      /** Not in the spec: marks a repeated notification of the reviewers. */
      reminder: z.literal(true).optional(),
      /** Not in the spec: notifies the applicant that nobody has decided by the deadline. */
      late: z.literal(true).optional(),
    }),
  }),
}

const numbers = { power: 'security', group: 'files', as: 'number' } as const

export const applications = feature({
  about: { name: 'applications', text: 'Applying for downloads and links, and deciding about it' },
  calls: applicationCalls,
  pushes: applicationPushes,
  settings: {
    setting: {
      /** Users who may not download can apply for it ([R145]). */
      operation_application: z.boolean().default(true),
    },
    inner: {
      /** {num} of [R251]. */
      operation_items: z.int().min(1).max(mostItems).default(100),
      operation_days: z.int().min(1).max(3650).default(7),
      /** 0: no limit. */
      operation_downloads: z.int().min(0).max(10_000).default(3),
      operation_comment: z.boolean().default(true),
      operation_version: z.boolean().default(false),
    },
    administered: {
      operation_application: {
        label: { zh: '操作申请', en: 'Applications for downloads' },
        note: {
          zh: '打开后，不能下载的人可以申请下载；关闭后没有申请入口。外链审批由规则决定，不受影响。',
          en: 'Lets people who may not download apply for it. Approvals of links follow their rules and do not depend on it.',
        },
        power: 'security',
        group: 'files',
        as: 'switch',
      },
      operation_items: {
        label: { zh: '一次最多申请的文件数', en: 'Most files in one application' },
        note: {
          zh: '超过时提示申请人拆成多份；文件夹算 1 个。',
          en: 'Whoever wants more sends several applications. A folder counts as one.',
        },
        ...numbers,
      },
      operation_days: {
        label: { zh: '申请最长有效天数', en: 'Longest time to download, in days' },
        note: { zh: '从同意时算起。', en: 'Counted from the approval.' },
        ...numbers,
      },
      operation_downloads: {
        label: { zh: '每个文件最多申请次数', en: 'Most downloads of each file' },
        note: { zh: '0 表示申请人可以不限次数。', en: '0 lets the applicant ask for any number.' },
        ...numbers,
      },
      operation_comment: {
        label: { zh: '申请理由必填', en: 'A reason is required' },
        note: { zh: '申请下载时必须写理由。', en: 'Applications for downloads have to give a reason.' },
        power: 'security',
        group: 'files',
        as: 'switch',
      },
      operation_version: {
        label: { zh: '只允许申请现在的版本', en: 'Only the present version' },
        note: {
          zh: '打开后，批准只对申请时的版本有效，新版本要再申请。',
          en: 'An approval is for the version that was applied for; a new version takes a new application.',
        },
        power: 'security',
        group: 'files',
        as: 'switch',
      },
    },
  },
})
