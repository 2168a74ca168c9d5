// External links that need an approval ([R231]): what is allowed, and asking for it. Applications decide (applications.ts).
import { z } from 'zod'
import { on } from '../authority.ts'
import { call } from '../call.ts'
import { exactlyOne, fileOrFolder, itemOf, oneOf } from '../drive/rights-fields.ts'
import { feature } from '../feature.ts'
import { Id, Time } from '../fields.ts'
import { linkTerms } from '../sharing/link-administration.ts'
import { externalLinkKind } from '../sharing/links.ts'
import { Comments, Person } from './review.ts'

const ours = { auth: 'required', origin: 'ours' } as const
const one = { reviewId: Id }

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
} as const

export const linkApprovals = feature({
  about: { name: 'link approvals', text: 'Asking for the approval of links' },
  calls: linkApprovalCalls,
})
