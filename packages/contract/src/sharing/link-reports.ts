/*
 * Reports by visitors about links ([R228]). Any visitor with the address of an open link can report a problem, even
 * without entering it. Administrators receive the whole report, the creator of the link only the reason.
 */
import { linkReportReasons, linkTokenShape, nameInText } from '@cloudoc/domain'
import { z } from 'zod'
import { linkOverseer, securityAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { Id, Nothing, Time, text } from '../fields.ts'
import { push } from '../push.ts'

const ours = { auth: 'required', origin: 'ours' } as const
const Reason = z.enum(linkReportReasons)
const longestReport = 500

export const linkReportCalls = {
  reportVisitedLink: call({
    servesReading: true,
    summary: 'Reports a link to those who answer for security',
    title: { zh: '访客举报外链', en: 'Link reported by a visitor' },
    notes:
      'Who says “other” says what. The answer tells nothing of the link. From one network three an hour for a link, for a link thirty a day: -42.',
    kind: 'write',
    audit: 'file',
    method: 'POST',
    path: '/services2/visit/{linkToken}/report',
    auth: 'optional',
    payload: 'json',
    origin: 'ours',
    open: 'whoever has the address of a link may say what is wrong with it; throttled, and the answer tells nothing of the link',
    input: z
      .strictObject({
        linkToken: z.string().regex(linkTokenShape),
        reason: Reason,
        comments: text(longestReport).default(''),
        contact: text(100).default('').describe('How they can be asked, where they like.'),
      })
      .refine(({ reason, comments }) => reason !== 'other' || comments.trim() !== '', {
        path: ['comments'],
        message: 'who says other says what',
      }),
    sample: (ids) => ({ linkToken: ids.linkToken, reason: 'fraud' }),
    data: Nothing,
    codes: ['notFound', 'linkExpired', 'noPermission', 'sendingTooOften'],
  }),
  getLinkReports: call({
    summary: 'Lists what was reported of a link and nobody has looked into',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/external/getLinkReports/{externalId}',
    payload: 'none',
    guard: linkOverseer,
    input: z.strictObject({ externalId: Id }),
    sample: (ids) => ({ externalId: ids.externalId }),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          reportId: z.int(),
          time: Time,
          reason: Reason,
          comments: z.string(),
          contact: z.string(),
          visitor: z.string().describe('The name that they came in by; empty where they gave none.'),
          address: z.string(),
        }),
      ),
    }),
  }),
  settleLinkReports: call({
    summary: 'Says that what was reported of a link was looked into, and the link stays',
    title: { zh: '处理外链举报', en: 'Reports of a link settled' },
    notes: 'What is reported from now on stands again. Ending a link settles what was reported of it.',
    ...ours,
    kind: 'write',
    audit: 'administration',
    method: 'POST',
    path: '/services2/external/settleLinkReports',
    payload: 'json',
    guard: securityAdministrator,
    input: z.strictObject({ externalId: Id }),
    sample: (ids) => ({ externalId: ids.externalId }),
    data: Nothing,
    codes: ['notFound'],
  }),
} as const

export const linkReportPushes = {
  /** Not in the spec: sent to security administrators and auditors. */
  linkReported: push({
    summary: 'A visitor has reported a link',
    type: 212,
    delivery: 'confirmed',
    notice: {
      group: 'reminder',
      key: ({ externalId }) => `link ${externalId}`,
      merge: 'later',
      sentence: ({ fName, creatorName }) => ({
        zh: '有访客举报了{who}的外链“{name}”',
        en: 'A visitor reported the link of {who} to “{name}”',
        values: { name: nameInText(fName), who: nameInText(creatorName) },
      }),
      path: () => '/doc/admin/links/open?risk=reported',
    },
    payload: z.strictObject({
      serverId: z.int(),
      remindId: z.int(),
      externalId: z.int(),
      fType: z.union([z.literal(1), z.literal(2)]),
      fName: z.string(),
      creatorName: z.string(),
      reason: Reason,
      comments: z.string(),
      time: Time,
    }),
  }),
}
