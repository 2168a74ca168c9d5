// A user who has reached the daily download limit requests more downloads ([R284]). A security administrator decides.
import { ApplyState } from '@cloudoc/domain'
import { z } from 'zod'
import { accountHolder, ownAccount } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Time, text } from '../fields.ts'
import { push } from '../push.ts'
import { decision, Person, requestFields, requestList, requestRead } from './review.ts'

const ours = { auth: 'required', origin: 'ours' } as const
/** Number of additional downloads. */
const More = z.int().min(1).max(10_000)

/** A request for more downloads, as returned to the requester and to the reviewer. */
const Application = z
  .strictObject({
    ...requestFields,
    count: z.int().describe('How many are asked for.'),
    given: z.int().describe('How many were given; 0 where none were.'),
    /** Number of downloads already used when the request was made, and the limit. */
    taken: z.int(),
    limit: z.int(),
  })
  .meta({ id: 'DownloadApplication' })
export type DownloadApplication = z.output<typeof Application>

const downloadApprovalCalls = {
  getMoreDownloadsTerms: call({
    summary: 'Tells who would decide about more downloads for the caller, and whether that is asked for already',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/download/getMoreDownloadsTerms',
    payload: 'query',
    guard: ownAccount,
    input: z.strictObject({}),
    data: z.strictObject({ reviewers: z.array(Person), pendingId: z.int().nullable() }),
  }),
  moreDownloadsApply: call({
    summary: 'Asks for more downloads than the limit of the day allows',
    title: { zh: '申请更多下载', en: 'Request for more downloads' },
    notes: 'What is given counts on the day on which it is decided, until that day ends. One request at a time.',
    ...ours,
    kind: 'write',
    audit: 'rights',
    method: 'POST',
    path: '/services2/download/moreDownloadsApply',
    payload: 'json',
    guard: accountHolder,
    input: z.strictObject({ count: More, comments: text(300).default('') }),
    sample: () => ({ count: 5 }),
    data: z.strictObject({ reviewId: z.int() }),
    codes: ['duplicateOperation', 'duplicateRequest', 'folderWithoutApprover'],
  }),
  moreDownloadsApprove: call({
    ...decision,
    summary: 'Gives somebody more downloads until the day ends',
    title: { zh: '同意更多下载', en: 'More downloads approved' },
    log: 'none',
    path: '/services2/download/moreDownloadsApprove',
    input: z.strictObject({
      ...decision.input.shape,
      count: More.optional().describe('How many; as many as were asked for unless said.'),
    }),
    sample: (ids) => ({ reviewId: ids.authorizationId }),
  }),
  moreDownloadsReject: call({
    ...decision,
    summary: 'Refuses more downloads',
    title: { zh: '拒绝更多下载', en: 'More downloads refused' },
    log: 'none',
    path: '/services2/download/moreDownloadsReject',
    sample: (ids) => ({ reviewId: ids.authorizationId }),
  }),
  getMoreDownloads: call({
    ...requestRead,
    summary: 'Reads one request for more downloads',
    path: '/services2/download/getMoreDownloads/{reviewId}',
    data: Application,
    sample: (ids) => ({ reviewId: ids.authorizationId }),
  }),
  getMoreDownloadsList: call({
    ...requestList(Application),
    summary: 'Lists requests of the caller for more downloads, the latest first',
    path: '/services2/download/getMoreDownloadsList',
  }),
  getMoreDownloadsReviewList: call({
    ...requestList(Application),
    summary: 'Lists requests for more downloads that the caller decides about, those that wait first',
    path: '/services2/download/getMoreDownloadsReviewList',
  }),
} as const

const downloadSentences = {
  [ApplyState.pending]: { zh: '申请今天再下载 {n} 次', en: 'asks for {n} more downloads today' },
  [ApplyState.approved]: { zh: '今天可以再下载 {n} 次', en: 'You may download {n} more files today' },
  [ApplyState.rejected]: { zh: '你申请的 {n} 次下载被拒绝', en: 'Your request for {n} more downloads was refused' },
  [ApplyState.over]: { zh: '多给你的 {n} 次下载已被收回', en: 'Your {n} more downloads were taken back' },
  reminder: {
    zh: '申请今天再下载 {n} 次，还在等你审批',
    en: 'still waits for your answer about {n} more downloads today',
  },
} as const

const downloadApprovalPushes = {
  /**
   * Sent to the reviewers while the request is pending, then to the requester. The requester also receives it when the
   * approval is revoked.
   */
  moreDownloads: push({
    summary: 'Somebody asks for more downloads of the day, or what the receiver asked for was decided',
    type: 211,
    delivery: 'confirmed',
    notice: {
      group: 'operationApply',
      key: ({ reviewId }) => `downloads ${reviewId}`,
      merge: 'later',
      actor: ({ nodeState, userName }) => (nodeState === ApplyState.pending ? userName : ''),
      sentence: ({ nodeState, reminder, count }) => ({
        ...downloadSentences[reminder ? 'reminder' : nodeState],
        values: { n: count },
      }),
      path: ({ nodeState, reviewId }) =>
        `/doc/folder/share/download-${nodeState === ApplyState.pending ? 'review' : 'application'}?reviewId=${reviewId}`,
    },
    payload: z.strictObject({
      serverId: z.int(),
      remindId: z.int(),
      reviewId: z.int(),
      userId: z.int(),
      userName: z.string(),
      /** The requested number; once approved, the granted number. */
      count: z.int(),
      comments: z.string(),
      createTime: Time,
      nodeState: z.enum(ApplyState),
      /** Name of the reviewer who decided; empty while pending. */
      handlerUserName: z.string(),
      answer: z.string(),
      /** Marks a repeated notification of the reviewers. */
      reminder: z.literal(true).optional(),
    }),
  }),
}

export const downloadApprovals = feature({
  about: { name: 'download approvals', text: 'Asking for more downloads of a day, and deciding about them' },
  calls: downloadApprovalCalls,
  pushes: downloadApprovalPushes,
})
