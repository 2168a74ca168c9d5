// Rules that make downloads and links of users need an approval, and say who reviews it (操作管控).
import { z } from 'zod'
import { securityAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Flag, Id, Nothing, text } from '../fields.ts'

const ours = { auth: 'required', origin: 'ours' } as const
const write = {
  ...ours,
  kind: 'write',
  audit: 'administration',
  method: 'POST',
  payload: 'json',
  guard: securityAdministrator,
} as const

const subject = {
  subjectType: z.enum(['everybody', 'user', 'group', 'role']),
  subjectId: Id,
  isExempt: z.boolean().describe('The rule does not apply to these people.'),
}
/** The reviewers of one round. */
const round = {
  by: z.enum(['people', 'role', 'managers', 'owner']),
  /** The people, or the role. */
  ids: z.array(Id).max(50),
  /** One of the reviewers is enough, or all have to approve. */
  needs: z.enum(['one', 'all']),
  /** The round takes place only for items of at least this secret level. */
  fromLevel: z.int().min(0).max(100),
}
const fields = {
  name: text(100).min(1),
  operation: z.enum(['download', 'link']),
  isActive: z.boolean(),
  /** People who hold the right need an approval too. For links always true. */
  bindsHolders: z.boolean(),
  mayChoose: z.boolean(),
  hours: z
    .int()
    .min(0)
    .max(24 * 90),
  atDeadline: z.enum(['wait', 'reject', 'managers']),
  autoFiles: z.int().min(0).max(1000),
  autoLevel: z.int().min(0).max(100),
  autoOwnDepartment: z.boolean(),
}

const Rule = z
  .strictObject({
    ruleId: z.int(),
    ...fields,
    subjects: z.array(z.strictObject({ ...subject, subjectName: z.string() })),
    items: z.array(z.strictObject({ fId: z.int(), fName: z.string() })).describe('None: all libraries.'),
    rounds: z.array(z.strictObject({ ...round, names: z.array(z.strictObject({ id: z.int(), name: z.string() })) })),
  })
  .meta({ id: 'OperationRule' })
export type OperationRule = z.output<typeof Rule>

const operationRuleCalls = {
  getOperationRules: call({
    summary: 'Lists the rules by which downloads and links need an approval, in their order',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/apply/getOperationRules',
    payload: 'query',
    guard: securityAdministrator,
    input: z.strictObject({}),
    data: z.strictObject({
      list: z.array(Rule),
      /** The libraries that a rule can name, without personal ones. */
      libraries: z.array(z.strictObject({ libraryId: z.int(), name: z.string() })),
    }),
  }),
  setOperationRule: call({
    ...write,
    summary: 'Adds or changes a rule by which downloads or links need an approval',
    title: { zh: '设置操作管控规则', en: 'Rule for operations set' },
    notes: '`ruleId` 0 adds one. It holds from the next request on, also for links that exist.',
    path: '/services2/apply/setOperationRule',
    input: z.strictObject({
      ruleId: Id.default(0),
      ...fields,
      isActive: Flag.default(true),
      bindsHolders: Flag.default(true),
      mayChoose: Flag.default(true),
      hours: Count.pipe(fields.hours).default(0),
      atDeadline: fields.atDeadline.default('wait'),
      autoFiles: Count.pipe(fields.autoFiles).default(0),
      autoLevel: Count.pipe(fields.autoLevel).default(0),
      autoOwnDepartment: Flag.default(true),
      subjects: z
        .array(z.strictObject({ ...subject, isExempt: Flag.default(false) }))
        .min(1)
        .max(200),
      itemIds: z.array(Id).max(200).default([]),
      rounds: z.array(z.strictObject(round)).min(1).max(5),
    }),
    sample: (ids) => ({
      name: 'x',
      operation: 'link',
      subjects: [{ subjectType: 'user', subjectId: ids.userId }],
      rounds: [{ by: 'managers', ids: [], needs: 'one', fromLevel: 0 }],
    }),
    data: z.strictObject({ ruleId: z.int() }),
    codes: ['notFound'],
  }),
  removeOperationRule: call({
    ...write,
    summary: 'Removes a rule by which downloads or links need an approval',
    title: { zh: '删除操作管控规则', en: 'Rule for operations removed' },
    path: '/services2/apply/removeOperationRule',
    input: z.strictObject({ ruleId: Id }),
    sample: () => ({ ruleId: 987_654_321 }),
    data: Nothing,
    codes: ['notFound'],
  }),
  orderOperationRules: call({
    ...write,
    summary: 'Orders the rules: the first that matches names the reviewers',
    title: { zh: '调整操作管控规则顺序', en: 'Rules for operations ordered' },
    audits: ['ruleIdArray'],
    path: '/services2/apply/orderOperationRules',
    input: z.strictObject({ ruleIdArray: z.array(Id).min(1).max(500) }),
    sample: () => ({ ruleIdArray: [987_654_321] }),
    data: Nothing,
    codes: ['notFound'],
  }),
} as const

export const operationRules = feature({
  about: { name: 'operation rules', text: 'Whose downloads and links need an approval, and who reviews them' },
  calls: operationRuleCalls,
})
