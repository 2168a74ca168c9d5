// Administration of external links ([R222], [R231]): the policies and the overview of links.
import { z } from 'zod'
import { linkOverseer, securityAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { Count, Flag, Id, Nothing, pageOf, Time, text } from '../fields.ts'

const ours = { auth: 'required', origin: 'ours' } as const
const Person = z.strictObject({ userId: z.int(), accountName: z.string() })
const mostDays = 3650
const Days = Count.pipe(z.int().max(mostDays))

const whom = { subjectType: z.enum(['everybody', 'user', 'group', 'role']), subjectId: Id }
/** The terms of a link policy. */
export const linkTerms = {
  mayCreate: z.boolean(),
  defaultDays: z.int(),
  longestDays: z.int().describe('How long a link may live; 0: as long as one likes.'),
  needsPassword: z.boolean().describe('A link that opens to whoever knows its address has a password.'),
  mayDownload: z.boolean(),
  needsApproval: z.boolean(),
  domains: z.array(z.string()).describe('To which domains of mail links may be sent; none: to all.'),
}
const Policy = z
  .strictObject({
    policyId: z.int(),
    ...whom,
    subjectName: z.string(),
    ...linkTerms,
    approvers: z.array(Person).describe('Who decides; nobody: whoever owns or manages the library.'),
  })
  .meta({ id: 'LinkPolicy' })
export type LinkPolicy = z.output<typeof Policy>

/** Reasons why an administrator should check a link. */
export const linkRisks = ['reported', 'noPassword', 'long', 'sensitive', 'downloads'] as const
const Risk = z.enum(linkRisks)

export const linkAdministrationCalls = {
  getLinkPolicies: call({
    summary: 'Lists what is allowed of links, and to whom',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/external/getLinkPolicies',
    payload: 'query',
    guard: linkOverseer,
    input: z.strictObject({}),
    data: z.strictObject({ list: z.array(Policy) }),
  }),
  setLinkPolicy: call({
    summary: 'Says what somebody may do with links',
    title: { zh: '设置外链策略', en: 'Policy of links set' },
    notes:
      'What is said of a person counts before their roles, of which the strictest does, before the nearest department, before everybody. It binds the links that are there from the next request on.',
    ...ours,
    kind: 'write',
    audit: 'administration',
    method: 'POST',
    path: '/services2/external/setLinkPolicy',
    payload: 'json',
    guard: securityAdministrator,
    input: z.strictObject({
      subjectType: whom.subjectType,
      subjectId: Id.default(0),
      mayCreate: Flag.default(true),
      defaultDays: Days.default(7),
      longestDays: Days.default(0),
      needsPassword: Flag.default(false),
      mayDownload: Flag.default(true),
      needsApproval: Flag.default(false),
      domains: z
        .array(
          z
            .string()
            .regex(/^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u)
            .max(253),
        )
        .max(50)
        .default([]),
      userIdArray: z.array(Id).max(20).default([]).describe('Who decides where an approval is needed.'),
    }),
    sample: () => ({ subjectType: 'everybody' }),
    data: z.strictObject({ policyId: z.int() }),
    codes: ['notFound'],
  }),
  removeLinkPolicy: call({
    summary: 'Takes back what was said of somebody’s links',
    title: { zh: '取消外链策略', en: 'Policy of links taken back' },
    ...ours,
    kind: 'write',
    audit: 'administration',
    method: 'POST',
    path: '/services2/external/removeLinkPolicy',
    payload: 'json',
    guard: securityAdministrator,
    input: z.strictObject({ policyId: Id }),
    sample: () => ({ policyId: 987_654_321 }),
    data: Nothing,
    codes: ['notFound'],
  }),
  getAllLinks: call({
    summary: 'Lists the links of everybody that are open, the riskiest first',
    notes: 'Neither addresses nor passwords are told.',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/external/getAllLinks',
    payload: 'query',
    guard: linkOverseer,
    input: z.strictObject({
      risk: z.enum(['all', 'any', ...linkRisks]).default('all'),
      keyword: text(100).default('').describe('Of the item or of who made it.'),
      ...pageOf(30, 1000),
    }),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          externalId: z.int(),
          fType: z.union([z.literal(1), z.literal(2)]),
          fName: z.string(),
          extName: z.string(),
          secretLevel: z.int(),
          note: z.string(),
          creatorId: z.int(),
          creatorName: z.string(),
          groupName: z.string(),
          rights: z.int(),
          hasPassword: z.boolean(),
          people: z.int().describe('For so many people by name; 0: for whoever knows it.'),
          startTime: Time,
          endTime: Time,
          createTime: Time,
          visits: z.int(),
          downloads: z.int(),
          risks: z.array(Risk),
          reports: z.int().describe('What visitors reported of it and nobody has looked into.'),
          applicationId: z.int().describe('The application by which it opens; 0 without one.'),
        }),
      ),
      total: z.int(),
      counts: z.strictObject({
        all: z.int(),
        any: z.int(),
        reported: z.int(),
        noPassword: z.int(),
        long: z.int(),
        sensitive: z.int(),
        downloads: z.int(),
      }),
    }),
  }),
  cancelLinks: call({
    summary: 'Ends links of whomever for good; those who made them are told why',
    title: { zh: '批量取消外链', en: 'Links ended' },
    ...ours,
    kind: 'write',
    audit: 'rights',
    method: 'POST',
    path: '/services2/external/cancelLinks',
    payload: 'json',
    guard: securityAdministrator,
    input: z.strictObject({ externalIdArray: z.array(Id).min(1).max(200), comments: text(300).default('') }),
    sample: () => ({ externalIdArray: [987_654_321] }),
    data: z.strictObject({
      list: z
        .array(z.strictObject({ externalId: z.int(), result: z.int() }))
        .describe('For each what became of it: 0, or a code.'),
    }),
  }),
} as const
