// Administration of the exchange across networks: its rules and the networks that files are sent to.
import { exchangeObstacles } from '@cloudoc/domain'
import { z } from 'zod'
import { securityAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Flag, Id, Nothing, Time, text } from '../fields.ts'

const read = { auth: 'required', origin: 'ours', kind: 'read', guard: securityAdministrator } as const
const write = {
  auth: 'required',
  origin: 'ours',
  kind: 'write',
  audit: 'administration',
  method: 'POST',
  payload: 'json',
  guard: securityAdministrator,
} as const

const subject = { subjectType: z.enum(['everybody', 'user', 'group', 'role']), subjectId: Id }
const round = {
  by: z.enum(['superior', 'owner', 'managers', 'people', 'role']),
  ids: z.array(Id).max(50).default([]),
  needs: z.enum(['any', 'all']).default('any'),
}
const named = z.strictObject({ id: z.int(), name: z.string() })
const mostLevel = 100
const Code = text(40).regex(/^[\w-]+$/)

const plain = {
  name: z.string(),
  isActive: z.boolean(),
  until: Time.nullable(),
  targetServerCode: z.string(),
  receivers: z.array(z.string()),
  exts: z.array(z.string()),
  maxLevel: z.int(),
  maxFiles: z.int(),
  maxBytes: z.int(),
  requirePwd: z.boolean(),
  hours: z.int(),
  atDeadline: z.enum(['wait', 'reject', 'managers']),
}

const Rule = z
  .strictObject({
    ruleId: z.int(),
    ...plain,
    subjects: z.array(z.strictObject({ ...subject, subjectName: z.string() })),
    items: z.array(z.strictObject({ fId: z.int(), fName: z.string() })).describe('None: all libraries.'),
    levels: z.array(
      z.strictObject({
        level: z.int(),
        isFree: z.boolean(),
        rounds: z.array(z.strictObject({ ...round, names: z.array(named) })),
      }),
    ),
  })
  .meta({ id: 'ExchangeRule' })
export type ExchangeRule = z.output<typeof Rule>

const PublicKey = z.strictObject({ text: z.string(), fingerprint: z.string(), time: Time })
const Network = z
  .strictObject({
    targetServerCode: z.string(),
    targetName: z.string(),
    transport: z.enum(['wire', 'bundle']),
    description: z.string(),
    /** The linked server; 0 for networks without a wire. */
    serverId: z.int(),
    serverName: z.string(),
    apiHost: z.string(),
    /** The key of the other side; nothing is sent or received without. */
    peerKey: PublicKey.nullable(),
    ruleCount: z.int(),
  })
  .meta({ id: 'ExchangeNetwork' })
export type ExchangeNetwork = z.output<typeof Network>

const exchangeRuleCalls = {
  getExchangeAdministration: call({
    ...read,
    summary: 'Lists the rules of the exchange in their order, and the networks',
    method: 'GET',
    path: '/services2/exchange/getExchangeAdministration',
    payload: 'query',
    input: z.strictObject({}),
    data: z.strictObject({
      rules: z.array(Rule),
      networks: z.array(Network),
      /** Linked servers that a network can use. */
      servers: z.array(z.strictObject({ serverId: z.int(), serverName: z.string() })),
      libraries: z.array(z.strictObject({ libraryId: z.int(), name: z.string() })),
      /** The key of this server, for the administrators of other networks. */
      ownKey: PublicKey,
    }),
  }),
  setExchangeRule: call({
    ...write,
    summary: 'Adds or changes a rule of the exchange',
    title: { zh: '设置跨网交换规则', en: 'Rule of the exchange set' },
    notes:
      '`ruleId` 0 adds one. Refused with -187 if a level up to `maxLevel` neither is free nor has approvers. Exchanges that are under way keep the rule that they were sent by.',
    audits: ['ruleId'],
    path: '/services2/exchange/setExchangeRule',
    input: z.strictObject({
      ruleId: Id.default(0).describe('0 adds a rule.'),
      name: text(100).min(1),
      isActive: Flag.default(true),
      until: Time.nullable().default(null).describe('When it ends; null: never.'),
      targetServerCode: Code.describe('The network.'),
      subjects: z
        .array(z.strictObject(subject))
        .min(1)
        .max(200)
        .describe('Who may send: everybody, people, departments, roles.'),
      itemIds: z.array(Id).max(200).default([]).describe('Folders and libraries that may be sent from; none: all.'),
      receivers: z
        .array(text(100).min(1))
        .max(200)
        .default([])
        .describe('Who may receive: departments, names or accounts of the target; none: everybody.'),
      exts: z.array(text(20).min(1)).max(100).default([]).describe('Extensions; none: all.'),
      maxLevel: Count.pipe(z.int().max(mostLevel)).default(0).describe('The highest secret level that may be sent.'),
      maxFiles: Count.pipe(z.int().max(1000)).default(0).describe('Files of one exchange; 0: as many as the setting.'),
      maxBytes: z.int().min(0).default(0).describe('Bytes of one exchange; 0: no limit.'),
      requirePwd: Flag.default(false).describe('The receiver has to enter a password.'),
      levels: z
        .array(
          z.strictObject({
            level: z.int().min(0).max(mostLevel),
            isFree: Flag.default(false),
            rounds: z.array(z.strictObject(round)).max(5).default([]),
          }),
        )
        .max(mostLevel + 1)
        .describe('Who approves exchanges of each secret level, step by step.'),
      hours: Count.pipe(z.int().max(24 * 90))
        .default(0)
        .describe('Hours until the deadline of an approval; 0: none.'),
      atDeadline: plain.atDeadline.default('wait').describe('What happens at the deadline.'),
    }),
    sample: (ids) => ({
      ...{ name: 'x', targetServerCode: 'sample-net' },
      subjects: [{ subjectType: 'user', subjectId: ids.userId }],
      levels: [{ level: 0, isFree: true }],
    }),
    data: z.strictObject({ ruleId: z.int() }),
    codes: ['notFound', 'levelWithoutApprover'],
  }),
  removeExchangeRule: call({
    ...write,
    summary: 'Removes a rule of the exchange',
    title: { zh: '删除跨网交换规则', en: 'Rule of the exchange removed' },
    audits: ['ruleId'],
    path: '/services2/exchange/removeExchangeRule',
    input: z.strictObject({ ruleId: Id.describe('The rule.') }),
    sample: () => ({ ruleId: 987_654_321 }),
    data: Nothing,
    codes: ['notFound'],
  }),
  orderExchangeRules: call({
    ...write,
    summary: 'Orders the rules: the first that permits an exchange decides how it is approved',
    title: { zh: '调整跨网交换规则顺序', en: 'Rules of the exchange ordered' },
    audits: ['ruleIdArray'],
    path: '/services2/exchange/orderExchangeRules',
    input: z.strictObject({ ruleIdArray: z.array(Id).min(1).max(500).describe('All rules in their new order.') }),
    sample: () => ({ ruleIdArray: [987_654_321] }),
    data: Nothing,
    codes: ['notFound'],
  }),
  tryExchangeRules: call({
    ...read,
    summary: 'Tells which rule would apply if somebody sent a file, and who would approve it',
    method: 'POST',
    path: '/services2/exchange/tryExchangeRules',
    payload: 'json',
    input: z.strictObject({
      userId: Id.describe('The sender.'),
      folderId: Id.default(0).describe('Where the file is; 0: anywhere.'),
      ext: text(20).default('').describe('Its extension.'),
      secretLevel: Count.default(0).describe('Its secret level.'),
      targetServerCode: text(40).describe('The network.'),
      receiver: text(100).default('').describe('Account, name or department of the receiver.'),
    }),
    sample: (ids) => ({ userId: ids.userId, targetServerCode: 'x' }),
    data: z.strictObject({
      /** The code of the refusal; 0: it can be sent. */
      result: z.int(),
      /** The rule that decides, or that comes nearest; 0: none does. */
      ruleId: z.int(),
      ruleName: z.string(),
      /** The rules for that network, in their order, up to the one that decides, each with why it does not. */
      tried: z.array(
        z.strictObject({
          ruleId: z.int(),
          ruleName: z.string(),
          reason: z.enum(['decides', 'off', 'over', 'sender', ...exchangeObstacles]),
        }),
      ),
      requirePwd: z.boolean(),
      rounds: z.array(z.strictObject({ needed: z.int(), names: z.array(z.string()) })),
    }),
    codes: ['notFound'],
  }),
  setExchangeNetwork: call({
    ...write,
    summary: 'Adds or changes a network that files are sent to',
    title: { zh: '设置目标网络', en: 'Network of the exchange set' },
    notes:
      'With `serverId` it is a linked server. Without, files are carried there in bundles. `peerKey` is the public key that the administrator there has handed over; each side needs that of the other.',
    audits: ['serverId'],
    path: '/services2/exchange/setExchangeNetwork',
    input: z.strictObject({
      targetServerCode: Code.describe('Its short name, which never changes.'),
      targetName: text(100).min(1).describe('Its name.'),
      description: text(200).default('').describe('What it is for, for administrators.'),
      serverId: Id.default(0).describe('The linked server; 0: there is no wire.'),
      peerKey: text(500).default('').describe('The public key of the other side; empty: as it is.'),
    }),
    sample: () => ({ targetServerCode: 'x', targetName: 'x' }),
    data: Nothing,
    codes: ['notFound', 'badRequest'],
  }),
  removeExchangeNetwork: call({
    ...write,
    summary: 'Removes a network, with the rules for it',
    title: { zh: '移除目标网络', en: 'Network of the exchange removed' },
    path: '/services2/exchange/removeExchangeNetwork',
    input: z.strictObject({ targetServerCode: text(40).describe('The network.') }),
    sample: () => ({ targetServerCode: 'unknown' }),
    data: Nothing,
    codes: ['notFound'],
  }),
  renewExchangeKey: call({
    ...write,
    summary: 'Makes a new key of this server; the old one opens bundles for seven more days',
    title: { zh: '更换跨网交换密钥', en: 'Key of the exchange renewed' },
    path: '/services2/exchange/renewExchangeKey',
    input: z.strictObject({}),
    data: PublicKey,
  }),
} as const

export const exchangeRules = feature({
  about: { name: 'exchange rules', text: 'Who may send what to which network, and who approves it' },
  switchedBy: 'exchange',
  calls: exchangeRuleCalls,
})
