/*
 * Exchange of files across networks ([R258]-[R262]). A user sends files to people of another server by the rules of the
 * administrators (rules.ts). Reviewers decide by the review engine (approvals/review.ts); what was approved is delivered
 * to the target server, or leaves in a bundle where there is no wire (bundles.ts). There the receiver picks it up.
 */
import { ExchangeStatus, exchangeDeliveries, exchangeLimits, exchangePassword, fact, nameInText } from '@cloudoc/domain'
import { z } from 'zod'
import { reviewKind } from '../approvals/review.ts'
import { accountHolder, auditor, objectKind, on, securityAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { file, folder } from '../drive/items.ts'
import { feature } from '../feature.ts'
import { BatchAnswer, Id, Nothing, pageOf, Time, text } from '../fields.ts'
import { push } from '../push.ts'

const ours = { auth: 'required', origin: 'ours' } as const
const read = { ...ours, kind: 'read', method: 'GET' } as const
const write = {
  ...ours,
  kind: 'write',
  audit: 'file',
  log: 'none',
  method: 'POST',
  payload: 'json',
} as const

/** The facts of received files as seen by their receiver. */
export interface FactsOfReceived {
  readonly state: 'waiting' | 'fetched' | 'expired' | 'recalled'
}
const waiting = fact<FactsOfReceived>('not yet picked up', ({ state }) => state === 'waiting', 'alreadyHandled')

/** What somebody has received from another network. It exists for the receiver only. */
export const receivedKind = objectKind<FactsOfReceived, 'see' | 'pickUp'>('exchangeReceived', {
  see: fact('their own', () => true),
  pickUp: waiting,
})

const mostItems = 100
/** One id, as in the spec, or several. */
const Ids = z
  .union([z.array(Id).max(mostItems), Id.transform((id) => [id])])
  .default([])
  .describe('One id, or a list of ids.')
const asked = {
  fileId: Ids,
  folderId: Ids,
  targetServerCode: text(40).describe('The network that the files are sent to.'),
}
const ReceiverId = z.union([Id, text(64)])
const someItem = 'a file or a folder'
interface Items {
  readonly fileId: readonly number[]
  readonly folderId: readonly number[]
}
const isSome = ({ fileId, folderId }: Items): boolean => fileId.length + folderId.length > 0
/** The items of an input. The spec sends both ids; 0 beside the other one is none. */
export function exchangedItems({ fileId, folderId }: Items): Items {
  const some = { fileId: fileId.filter((id) => id !== 0), folderId: folderId.filter((id) => id !== 0) }
  return isSome(some) ? some : { fileId, folderId }
}
const itemGates = (input: Items) => {
  const { fileId, folderId } = exchangedItems(input)
  return [
    ...fileId.map((id) => ({ item: file(id), action: 'exchange' }) as const),
    ...folderId.map((id) => ({ item: folder(id), action: 'exchange' }) as const),
  ]
}
const refusals = [
  ...(['exchangeOutsideRules', 'senderNotInRule', 'receiverNotInRule', 'folderWithoutApprover'] as const),
  ...(['levelWithoutApprover', 'exchangeFileCount', 'noFilesInFolder', 'sensitiveFile'] as const),
  ...(['notFound', 'noPermission', 'secretLevel', 'virusFile'] as const),
] as const
const wireCodes = [
  ...(['interconnectedServerInvalid', 'interconnectedServerMissing'] as const),
  ...(['interconnectedServerNotResponding', 'interconnectedServerFaulty'] as const),
] as const

export const ExchangeReceiver = z.strictObject({
  /** The id on the target; 0 in networks without a wire. */
  userId: z.int(),
  account: z.string(),
  accountName: z.string(),
  /** Departments, from the nearest one up. */
  groups: z.array(z.string()),
})
export type ExchangeReceiver = z.output<typeof ExchangeReceiver>

const Target = z.strictObject({
  targetServerCode: z.string(),
  targetName: z.string(),
  /** Whether it is reached by a wire, or by a bundle that is carried there. */
  transport: z.enum(['wire', 'bundle']),
  description: z.string(),
})
export type ExchangeTarget = z.output<typeof Target>

const Round = z.strictObject({
  needed: z.int(),
  reviewers: z.array(z.strictObject({ userId: z.int(), accountName: z.string() })),
})

const SentFile = z.strictObject({
  fName: z.string(),
  /** The folders between what was chosen and the file. */
  path: z.string(),
  fileSize: z.int(),
  version: z.int(),
  secretLevel: z.int(),
  secretName: z.string(),
  sha256: z.string(),
  /** 0 when the caller may not see the file. */
  fId: z.int(),
  mayPreview: z.boolean(),
  /** The version that the file has now; another one than `version` is not part of the exchange. */
  newVersion: z.int(),
})
export type ExchangeFile = z.output<typeof SentFile>

const listed = {
  /** The exchange at the sender; 0 for what was received. */
  applyId: z.int(),
  /** What was received; 0 at the sender. */
  approveId: z.int(),
  number: z.string(),
  name: z.string().describe('The sender.'),
  groupName: z.string(),
  /** The network of the other side. */
  networkName: z.string(),
  itemName: z.string(),
  fileCount: z.int(),
  fileSize: z.int(),
  secretLevel: z.int(),
  secretName: z.string(),
  remindStatus: z.enum(ExchangeStatus),
  delivery: z.enum(exchangeDeliveries).nullable(),
  transport: z.enum(['wire', 'bundle']),
  applyComment: z.string(),
  answer: z.string().describe('What the reviewer who decided last wrote.'),
  handledBy: z.string(),
  /** The code by which the delivery failed last; 0 for none. */
  problem: z.int(),
  receivers: z.array(z.string()),
  fetchedCount: z.int(),
  waitsFor: z.array(z.strictObject({ userId: z.int(), accountName: z.string() })),
  isAwaited: z.boolean(),
  requirePwd: z.boolean(),
  handleBefore: Time.nullable(),
  createTime: Time,
  changeTime: Time,
  /** Until when it can be picked up. */
  expireTime: Time.nullable(),
  /** Where the receiver has put it; 0 if it is not picked up, or gone. */
  fileId: z.int(),
  folderId: z.int(),
}
const Listed = z.strictObject(listed).meta({ id: 'FileExchange' })
export type FileExchange = z.output<typeof Listed>

const nodeKinds = ['submit', 'review', 'check', 'deliver', 'fetch'] as const
const Detail = z
  .strictObject({
    ...listed,
    ruleName: z.string(),
    files: z.array(SentFile),
    nodes: z.array(
      z.strictObject({
        kind: z.enum(nodeKinds),
        state: z.enum(['done', 'now', 'next', 'bad']),
        /** Reviewers of a step, or who did it. */
        names: z.array(z.string()),
        time: Time.nullable(),
      }),
    ),
    timeline: z.array(
      z.strictObject({
        at: Time,
        what: z.enum([
          ...(['asked', 'approved', 'rejected', 'handedOn', 'added', 'reminded', 'withdrawn', 'revoked'] as const),
          ...(['later', 'delivered', 'failed', 'exported', 'fetched', 'expired', 'received'] as const),
        ]),
        by: z.string(),
        comments: z.string(),
      }),
    ),
    /** The approvers at the sender, for the receiver. */
    approvers: z.array(z.string()),
    may: z.strictObject({
      decide: z.boolean(),
      cancel: z.boolean(),
      remind: z.boolean(),
      resend: z.boolean(),
      showPwd: z.boolean(),
      pickUp: z.boolean(),
      remove: z.boolean(),
    }),
  })
  .meta({ id: 'FileExchangeDetail' })
export type FileExchangeDetail = z.output<typeof Detail>

const one = { applyId: Id.describe('The exchange.') }
const ofReview = (action: 'see' | 'decide' | 'end' | 'remind' | 'remove') => ({
  gate: ({ applyId }: { applyId: number }) => [
    on(reviewKind, applyId, action, ...(action === 'see' ? [] : (['change'] as const))),
  ],
})
const sampleOne = (ids: { exchangeId: number }) => ({ applyId: ids.exchangeId })
const Comment = text(exchangeLimits.comment).default('')

const exchangeCalls = {
  getExchangeRules: call({
    ...read,
    summary: 'Tells what the caller may send to which networks; read again after push 65',
    path: '/services2/exchange/getExchangeRules',
    payload: 'query',
    guard: accountHolder,
    input: z.strictObject({}),
    data: z.strictObject({
      targets: z.array(Target),
      mostFiles: z.int().describe('How many files one exchange can have.'),
      rules: z.array(
        z.strictObject({
          targetServerCode: z.string(),
          itemIds: z.array(z.int()).describe('Folders and libraries; none: everything.'),
          exts: z.array(z.string()).describe('Extensions; none: all.'),
          maxLevel: z.int(),
        }),
      ),
    }),
  }),
  getReceiverServers: call({
    ...read,
    method: 'POST',
    summary: 'Lists the networks to which the caller may send these items',
    path: '/services2/exchange/getReceiverServers',
    payload: 'json',
    gate: itemGates,
    input: z.strictObject({ fileId: asked.fileId, folderId: asked.folderId }).refine(isSome, someItem),
    sample: (ids) => ({ fileId: ids.fileId }),
    data: z.strictObject({ list: z.array(Target) }),
    codes: refusals,
  }),
  getExchangeReceivers: call({
    ...ours,
    kind: 'staged',
    audit: 'technical',
    method: 'GET',
    payload: 'query',
    summary: 'Finds people of the other network who can receive files',
    title: { zh: '查找跨网接收人', en: 'Receivers of an exchange looked up' },
    notes: 'Asks the other server. Networks without a wire answer nobody: receivers are named by their account there.',
    path: '/services2/exchange/getExchangeReceivers',
    guard: accountHolder,
    input: z.strictObject({
      targetServerCode: asked.targetServerCode,
      keyword: text(64).default('').describe('Part of a name or account.'),
    }),
    sample: () => ({ targetServerCode: 'x' }),
    data: z.strictObject({ list: z.array(ExchangeReceiver) }),
    codes: ['senderNotInRule', ...wireCodes],
  }),
  preApplyExchange: call({
    ...read,
    method: 'POST',
    summary: 'Tells whether the caller may send these items, and who has to approve it',
    path: '/services2/exchange/preApplyExchange',
    payload: 'json',
    gate: itemGates,
    input: z.strictObject(asked).refine(isSome, someItem),
    sample: (ids) => ({ fileId: ids.fileId, targetServerCode: 'x' }),
    data: z.strictObject({
      /** The code by which it would be refused; 0: it can be sent. */
      result: z.int(),
      mostFiles: z.int(),
      fileCount: z.int(),
      fileSize: z.int(),
      secretLevel: z.int(),
      secretName: z.string(),
      ruleName: z.string(),
      requirePwd: z.boolean(),
      /** The files that no rule covers. */
      outside: z.array(z.strictObject({ fId: z.int(), fName: z.string() })),
      /** None: it leaves without an approval. */
      rounds: z.array(Round),
      /** Departments, names or accounts to which the rule limits receivers. */
      receivers: z.array(z.string()),
      handleBefore: Time.nullable(),
    }),
    codes: refusals,
  }),
  applyExchange: call({
    ...write,
    kind: 'staged',
    summary: 'Sends files to people of another network, after the approval that the rule demands',
    title: { zh: '跨网发送', en: 'Sent to another network' },
    notes:
      'The contents are those of this moment: later versions are not part of it. -182 or -192: a receiver is outside the rule.',
    audits: ['targetServerCode'],
    path: '/services2/exchange/applyExchange',
    gate: itemGates,
    input: z
      .strictObject({
        ...asked,
        applyComment: Comment.describe('Why it is sent.'),
        pwd: z
          .union([z.literal(''), z.string().regex(exchangePassword)])
          .default('')
          .describe('Four letters or digits that the receiver has to enter; empty for none.'),
        receiverIds: z
          .array(ReceiverId)
          .min(1)
          .max(exchangeLimits.receivers)
          .describe('Ids of people of the target; their accounts where there is no wire.'),
      })
      .refine(isSome, someItem),
    sample: (ids) => ({ fileId: ids.fileId, targetServerCode: 'x', receiverIds: [1] }),
    data: z.strictObject({ applyId: z.int(), number: z.string(), remindStatus: z.enum(ExchangeStatus) }),
    codes: [...refusals, ...wireCodes, 'duplicateRequest'],
  }),
  getExchangeList: call({
    ...read,
    summary: 'Lists exchanges that the caller has sent, has received or decides about',
    path: '/services2/exchange/getExchangeList',
    payload: 'query',
    guard: accountHolder,
    input: z.strictObject({
      side: z.enum(['sent', 'receive', 'review']),
      state: z
        .enum(['all', 'open', 'handled'])
        .default('all')
        .describe('`open`: not yet decided, of what was received not yet picked up.'),
      keyword: text(200).default(''),
      ...pageOf(100, 200),
    }),
    sample: () => ({ side: 'sent' }),
    data: z.strictObject({
      list: z.array(Listed),
      total: z.int(),
      counts: z.strictObject({ all: z.int(), open: z.int(), handled: z.int() }),
    }),
  }),
  getExchangeRecords: call({
    servesReading: true,
    summary: 'Lists all exchanges that were asked for, for auditors; each look is recorded',
    title: { zh: '查看交换记录', en: 'Look at the records of exchanges' },
    kind: 'write',
    method: 'POST',
    path: '/services2/exchange/getExchangeRecords',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: auditor,
    input: z.strictObject({
      keyword: text(200).default('').describe('Part of the number, the title, the sender or the network.'),
      since: Time.optional().describe('Asked for from this time on.'),
      until: Time.optional().describe('Asked for before this time.'),
      ...pageOf(50, 1000),
    }),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          applyId: z.int(),
          number: z.string(),
          itemName: z.string(),
          name: z.string(),
          groupName: z.string(),
          networkName: z.string(),
          ruleName: z.string(),
          receivers: z.array(z.string()),
          fileCount: z.int(),
          fileSize: z.int(),
          secretName: z.string(),
          remindStatus: z.enum(ExchangeStatus),
          delivery: z.enum(exchangeDeliveries).nullable(),
          applyComment: z.string(),
          handledBy: z.string(),
          answer: z.string(),
          createTime: Time,
          deliveredTime: Time.nullable(),
          fetchedTime: Time.nullable(),
        }),
      ),
      total: z.int(),
    }),
  }),
  getExchangeCount: call({
    ...read,
    summary: 'Counts the exchanges that are open, by list',
    path: '/services2/exchange/getExchangeCount',
    payload: 'query',
    guard: accountHolder,
    input: z.strictObject({}),
    data: z.strictObject({ sent: z.int(), receive: z.int(), review: z.int() }),
  }),
  getExchangeDetail: call({
    ...read,
    summary: 'Reads an exchange that the caller has sent or decides about, with its nodes',
    path: '/services2/exchange/getExchangeDetail/{applyId}',
    payload: 'none',
    ...ofReview('see'),
    input: z.strictObject(one),
    sample: sampleOne,
    data: Detail,
    codes: ['notFound'],
  }),
  getReceivedDetail: call({
    ...read,
    summary: 'Reads an exchange that the caller has received',
    path: '/services2/exchange/getReceivedDetail/{approveId}',
    payload: 'none',
    gate: ({ approveId }) => [on(receivedKind, approveId, 'see')],
    input: z.strictObject({ approveId: Id.describe('What was received.') }),
    sample: (ids) => ({ approveId: ids.receivedId }),
    data: Detail,
    codes: ['notFound'],
  }),
  cancelExchange: call({
    ...write,
    summary: 'Withdraws an exchange that has not left yet',
    title: { zh: '撤回跨网发送', en: 'Exchange withdrawn' },
    notes: '-67 once it is on its way.',
    path: '/services2/exchange/cancelExchange',
    ...ofReview('end'),
    input: z.strictObject({ ...one, comment: Comment.describe('Why.') }),
    sample: sampleOne,
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled'],
  }),
  setExchangeNodeStatus: call({
    ...write,
    audit: 'rights',
    summary: 'Approves or refuses an exchange that waits for the caller',
    title: { zh: '审批跨网发送', en: 'Exchange decided' },
    path: '/services2/exchange/setExchangeNodeStatus',
    ...ofReview('decide'),
    input: z.strictObject({
      ...one,
      status: z.enum(['approved', 'rejected']).describe('The decision.'),
      comment: Comment.describe('Why; required for a refusal.'),
    }),
    sample: (ids) => ({ applyId: ids.exchangeId, status: 'approved' }),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled', 'badRequest'],
  }),
  resendExchange: call({
    ...write,
    summary: 'Delivers an approved exchange again, after a delivery that failed',
    title: { zh: '再次送达', en: 'Exchange delivered again' },
    path: '/services2/exchange/resendExchange',
    gate: ({ applyId }) => [on(reviewKind, applyId, 'see', 'change')],
    input: z.strictObject(one),
    sample: sampleOne,
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled'],
  }),
  getExchangePwd: call({
    ...read,
    summary: 'Shows the sender the password of an exchange',
    title: { zh: '查看取件密码', en: 'Password of an exchange shown' },
    path: '/services2/exchange/getExchangePwd/{applyId}',
    payload: 'none',
    ...ofReview('see'),
    input: z.strictObject(one),
    sample: sampleOne,
    data: z.strictObject({ pwd: z.string() }),
    codes: ['notFound', 'noPermission'],
  }),
  deleteExchangeRecord: call({
    ...write,
    summary: 'Removes exchanges that are over from the lists of the caller',
    title: { zh: '删除跨网交换记录', en: 'Exchanges removed from the list' },
    audits: ['applyIdArray', 'approveIdArray'],
    path: '/services2/exchange/deleteExchangeRecord',
    guard: accountHolder,
    input: z.strictObject({
      applyIdArray: z.array(Id).max(200).default([]).describe('Exchanges that were sent or decided.'),
      approveIdArray: z.array(Id).max(200).default([]).describe('What was received.'),
    }),
    sample: (ids) => ({ applyIdArray: [ids.exchangeId], approveIdArray: [ids.receivedId] }),
    data: BatchAnswer,
  }),
  /** Picks up: puts the files where the receiver chooses. */
  verifyExchangePwd: call({
    ...write,
    kind: 'staged',
    log: 'add',
    summary: 'Picks up what was received: checks the password and stores the files',
    title: { zh: '跨网取件', en: 'Exchange picked up' },
    notes: `After ${exchangeLimits.wrongPasswords} wrong passwords -47 for ten minutes. Repeated, it answers where the files are.`,
    path: '/services2/exchange/verifyExchangePwd',
    gate: ({ approveId, folderId }) => [
      on(receivedKind, approveId, 'see', 'change'),
      ...(folderId === 0 ? [] : [{ item: folder(folderId), action: 'upload', lock: 'hold' } as const]),
    ],
    input: z.strictObject({
      approveId: Id.describe('What was received.'),
      pwd: text(20).default('').describe('The password that the sender has told.'),
      folderId: Id.default(0).describe('Where to put the files; 0: the folder for received files of the caller.'),
    }),
    sample: (ids) => ({ approveId: ids.receivedId }),
    data: z.strictObject({ fileId: z.int(), folderId: z.int() }),
    codes: [
      ...(['notFound', 'noPermission', 'alreadyHandled', 'wrongPassword', 'accountLocked', 'secretLevel'] as const),
      ...(['userSizeExceeded', 'folderSizeExceeded', 'capacityNotSatisfied'] as const),
    ],
  }),
  testExchangeNetwork: call({
    ...write,
    kind: 'staged',
    audit: 'technical',
    guard: securityAdministrator,
    summary: 'Asks a network whether it answers, and in how many milliseconds',
    title: { zh: '测试目标网络', en: 'Network of the exchange tested' },
    path: '/services2/exchange/testExchangeNetwork',
    input: z.strictObject({ targetServerCode: text(40).describe('The network.') }),
    sample: () => ({ targetServerCode: 'unknown' }),
    data: z.strictObject({ milliseconds: z.int() }),
    codes: ['notFound', ...wireCodes],
  }),
  fileExchangeGetApproveFileDetail: call({
    ...read,
    origin: 'spec',
    summary: 'Tells whether what was received can be picked up, and where it is once that is done',
    path: '/services2/exchange/fileExchangeGetApproveFileDetail/{approveId}',
    payload: 'none',
    gate: ({ approveId }) => [on(receivedKind, approveId, 'see')],
    input: z.strictObject({ approveId: Id.describe('What was received.') }),
    sample: (ids) => ({ approveId: ids.receivedId }),
    data: z.strictObject({
      status: z.enum(ExchangeStatus),
      delivery: z.enum(exchangeDeliveries).nullable(),
      requirePwd: z.boolean(),
      /** 0 until it is picked up; the folder of several files otherwise. */
      fileId: z.int(),
      folderId: z.int(),
    }),
    codes: ['notFound'],
  }),
  fileExchangeDelRemind: call({
    ...write,
    audit: 'technical',
    origin: 'spec',
    summary: 'Deletes a notice of an exchange',
    title: { zh: '删除跨网交换通知', en: 'Notice of an exchange deleted' },
    audits: ['remindId'],
    path: '/services2/exchange/fileExchangeDelRemind/{remindId}',
    guard: accountHolder,
    input: z.strictObject({ remindId: Id.describe('The notice.') }),
    sample: () => ({ remindId: 1 }),
    data: Nothing,
  }),
} as const

/** The messages between servers. The text is JSON that both sides know; see server/exchange/exchanges/door.ts. */
const signed = {
  auth: 'none',
  origin: 'ours',
  kind: 'staged',
  audit: 'technical',
  open: 'a known network that signs each message with its key; what it repeats changes nothing',
  method: 'POST',
  log: 'none',
} as const
const signature = z
  .string()
  .regex(/^[\w-]{86}$/)
  .describe('Ed25519 signature of the name of the call and the message, by the exchange key of the sender.')

const doorCalls = {
  exchangeMessage: call({
    ...signed,
    summary: 'Receives a message of a linked server about an exchange',
    title: { zh: '跨网交换消息', en: 'Message about an exchange' },
    path: '/services2/exchange/exchangeMessage',
    payload: 'json',
    input: z.strictObject({ envelope: text(2_000_000).describe('What is said, as JSON text.'), signature }),
    sample: () => ({ envelope: '{}', signature: 's'.repeat(86) }),
    data: z.strictObject({ reply: z.string() }),
    codes: ['interconnectedServerInvalid', 'notFound'],
  }),
  exchangeContent: call({
    ...signed,
    unrecorded: true,
    summary: 'Receives a content of an exchange from a linked server',
    title: { zh: '跨网交换内容', en: 'Content of an exchange' },
    path: '/services2/exchange/exchangeContent',
    payload: 'raw',
    timeoutMs: 3_600_000,
    input: z.strictObject({
      envelope: text(2000).describe('Which exchange and which content it is, as JSON text.'),
      signature,
    }),
    sample: () => ({ envelope: '{}', signature: 's'.repeat(86) }),
    data: Nothing,
    codes: ['interconnectedServerInvalid', 'notFound', 'uploadInterrupted'],
  }),
} as const

const sides = {
  [ExchangeStatus.toReview]: {
    zh: '请你审批跨网发送《{name}》{more}',
    en: 'asks to send “{name}”{more} to another network',
  },
  [ExchangeStatus.reviewing]: {
    zh: '《{name}》{more}的跨网发送还在审批',
    en: 'Sending “{name}”{more} to another network still waits for an approval',
  },
  [ExchangeStatus.rejected]: {
    zh: '《{name}》{more}的跨网发送被拒绝',
    en: 'Sending “{name}”{more} to another network was refused',
  },
  [ExchangeStatus.approved]: {
    zh: '《{name}》{more}已送到对方网络，等待取件',
    en: '“{name}”{more} has reached the other network and waits to be picked up',
  },
  [ExchangeStatus.withdrawn]: {
    zh: '《{name}》{more}的跨网发送已撤回',
    en: 'Sending “{name}”{more} to another network was withdrawn',
  },
} as const
const received = { zh: '从{from}发来《{name}》{more}，可以取件', en: 'sent “{name}”{more} from {from}: pick it up' }
const failed = {
  zh: '《{name}》{more}没能送到对方网络',
  en: '“{name}”{more} could not be delivered to the other network',
}
const reminder = {
  zh: '请你审批跨网发送《{name}》{more}，还在等待',
  en: 'still waits for your answer about sending “{name}”{more} to another network',
}

const exchangePushes = {
  /** To the reviewers, then to the sender, and on the other server to the receivers ([R262], [R337]). */
  fileExchange: push({
    summary: 'An exchange waits for the receiver, was decided, has arrived, or could not be delivered',
    type: 63,
    delivery: 'confirmed',
    notice: {
      group: 'fileExchange',
      key: ({ applyId, approveId }) => (approveId > 0 ? `r${approveId}` : `${applyId}`),
      merge: 'later',
      fromMain: true,
      actor: ({ remindStatus, approveId, name }) =>
        remindStatus === ExchangeStatus.toReview || approveId > 0 ? name : '',
      sentence: ({ remindStatus, approveId, itemName, itemCount, networkName, delivery, isReminder }) => {
        const other = isReminder ? reminder : delivery === 'failed' ? failed : sides[remindStatus]
        const said = approveId > 0 && remindStatus === ExchangeStatus.approved ? received : other
        const others = itemCount - 1
        return {
          zh: said.zh.replace('{more}', others > 0 ? '等 {n} 个文件' : ''),
          en: said.en.replace('{more}', others > 0 ? ' and {others} more' : ''),
          values: { name: nameInText(itemName), n: itemCount, others, from: networkName },
        }
      },
      path: ({ remindStatus, applyId, approveId }) => {
        if (approveId > 0) return `/doc/folder/security/file-exchange-receive?approveId=${approveId}`
        const side = remindStatus === ExchangeStatus.toReview ? 'review' : 'sent'
        return `/doc/folder/security/file-exchange-${side}?applyId=${applyId}`
      },
    },
    payload: z.strictObject({
      serverId: z.int(),
      remindId: z.int(),
      remindStatus: z.enum(ExchangeStatus),
      notifyId: z.int(),
      approveId: z.int(),
      applyId: z.int(),
      name: z.string(),
      itemName: z.string(),
      createTime: Time,
      /** Not in the spec: the number of files, the other network, and how the delivery stands. */
      itemCount: z.int(),
      networkName: z.string(),
      delivery: z.enum(exchangeDeliveries).nullable(),
      requirePwd: z.boolean(),
      /** Not in the spec: marks a repeated notification of the reviewers. */
      isReminder: z.literal(true).optional(),
    }),
  }),
  /** The rules have changed: clients read them again ([R261], [R338]). */
  exchangeRulesChanged: push({
    summary: 'The rules of the exchange across networks have changed',
    type: 65,
    delivery: 'replayed',
    payload: z.strictObject({}),
  }),
}

export const exchange = feature({
  about: { name: 'exchange', text: 'Sending files to people of another network, after an approval' },
  switchedBy: 'exchange',
  calls: { ...exchangeCalls, ...doorCalls },
  objects: { exchangeReceived: receivedKind },
  pushes: exchangePushes,
  settings: {
    setting: {
      /** Files can be sent to other networks, as far as a rule permits it ([R161]). */
      exchange_file_enabled: z.boolean().default(true),
    },
    inner: {
      /** {number} of [R258]. */
      exchange_files: z.int().min(1).max(1000).default(50),
      exchange_keep_days: z.int().min(1).max(365).default(7),
    },
    administered: {
      exchange_file_enabled: {
        label: { zh: '跨网交换', en: 'Exchange across networks' },
        note: {
          zh: '打开后，规则允许的人可以把文件发到别的网络；没有规则允许的，一律不能发送。',
          en: 'Lets people send files to other networks, as far as a rule permits it. Without a rule nothing can be sent.',
        },
        power: 'security',
        group: 'files',
        as: 'switch',
      },
      exchange_files: {
        label: { zh: '一次最多跨网发送的文件数', en: 'Most files in one exchange' },
        note: { zh: '文件夹按里面的文件数计算。', en: 'A folder counts by its files.' },
        power: 'security',
        group: 'files',
        as: 'number',
      },
      exchange_keep_days: {
        label: { zh: '跨网收件保留天数', en: 'Days to pick up received files' },
        note: {
          zh: '到期没有取件的，内容会清除，发送人可以重新发送。',
          en: 'What is not picked up by then is removed; its sender can send it again.',
        },
        power: 'security',
        group: 'files',
        as: 'number',
      },
    },
  },
})
