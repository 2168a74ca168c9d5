// External links that need an approval ([R231]): request and decision. The link opens once it is approved.
import { z } from 'zod'
import { on } from '../authority.ts'
import { call } from '../call.ts'
import { exactlyOne, fileOrFolder, itemOf, oneOf } from '../drive/rights-fields.ts'
import { feature } from '../feature.ts'
import { Id, Time } from '../fields.ts'
import { linkTerms } from '../sharing/link-administration.ts'
import { externalLinkKind } from '../sharing/links.ts'
import { Comments, decision, Person, requestFields, requestList, requestRead } from './review.ts'

const FType = z.union([z.literal(1), z.literal(2)])
const ours = { auth: 'required', origin: 'ours' } as const
const one = { reviewId: Id }

/** A request for a link, as returned to the requester and to the reviewer. */
const Application = z
  .strictObject({
    ...requestFields,
    externalId: z.int(),
    fType: FType,
    /** 0 when the caller may not see the item. */
    fId: z.int(),
    fName: z.string(),
    pathString: z.string(),
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
  .meta({ id: 'LinkApplication' })
export type LinkApplication = z.output<typeof Application>

const list = requestList(Application)

const linkApprovalCalls = {
  getLinkPolicy: call({
    summary: 'Tells what the caller may do with a link to an item, and who would have to approve it',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/external/getLinkPolicy',
    payload: 'query',
    gate: (input) => [{ item: itemOf(input), action: 'createLink' }],
    input: z.strictObject(fileOrFolder).refine(exactlyOne, oneOf),
    sample: (ids) => ({ folderId: ids.folderId }),
    data: z.strictObject({
      ...linkTerms,
      reviewers: z.array(Person),
      mayGiveEdit: z.boolean().describe('The caller may change the item, so a link may let others change it.'),
      mayNameMails: z
        .boolean()
        .describe('A mail server is set up and the policy lets mail go somewhere, so links can be for people by mail.'),
    }),
    codes: ['notFound', 'noPermission', 'secretLevel'],
  }),
  linkApply: call({
    summary: 'Asks for the approval of a link that waits for one',
    title: { zh: '申请外链', en: 'Request for a link' },
    log: 'none',
    notes:
      'For links that were made before an approval was needed, and for those whose request was taken back or refused.',
    ...ours,
    kind: 'write',
    audit: 'rights',
    method: 'POST',
    path: '/services2/external/linkApply',
    payload: 'json',
    gate: ({ externalId }) => [on(externalLinkKind, externalId, 'change', 'change')],
    input: z.strictObject({ externalId: Id, comments: Comments, handleBefore: Time.nullable().default(null) }),
    sample: (ids) => ({ externalId: ids.externalId }),
    data: z.strictObject(one),
    codes: ['notFound', 'noPermission', 'duplicateOperation', 'duplicateRequest', 'folderWithoutApprover'],
  }),
  linkApprove: call({
    ...decision,
    summary: 'Approves a link: from now on it opens',
    title: { zh: '同意外链申请', en: 'Link approved' },
    log: 'none',
    path: '/services2/external/linkApprove',
    sample: (ids) => ({ reviewId: ids.authorizationId }),
  }),
  linkReject: call({
    ...decision,
    summary: 'Refuses a link',
    title: { zh: '拒绝外链申请', en: 'Link refused' },
    log: 'none',
    path: '/services2/external/linkReject',
    sample: (ids) => ({ reviewId: ids.authorizationId }),
  }),
  getLinkApplication: call({
    ...requestRead,
    summary: 'Reads one request for a link',
    path: '/services2/external/getLinkApplication/{reviewId}',
    data: Application,
    sample: (ids) => ({ reviewId: ids.authorizationId }),
  }),
  getLinkApplicationList: call({
    ...list,
    summary: 'Lists requests of the caller for links, the latest first',
    path: '/services2/external/getLinkApplicationList',
  }),
  getLinkReviewList: call({
    ...list,
    summary: 'Lists requests for links that the caller decides about, those that wait first',
    path: '/services2/external/getLinkReviewList',
  }),
} as const

export const linkApprovals = feature({
  about: { name: 'link approvals', text: 'Asking for links, and deciding about them' },
  calls: linkApprovalCalls,
})
