/*
 * Urging: somebody asks people, departments or roles to do something about a file or folder ([R270]). Receivers confirm
 * that they read it, answer with messages, and say when they are done; reminders repeat until then or until their end.
 * The documents call an urge a "notify" on the wire; a `notifyId` is the id of an urge.
 */
import { all, any, fact, NotifyType, nameInText, RemindType, urgeFilters, urgeLimits } from '@cloudoc/domain'
import { z } from 'zod'
import { accountHolder, objectKind, on } from '../authority.ts'
import { call } from '../call.ts'
import { exactlyOne, fileOrFolder, itemOf, oneOf } from '../drive/rights-fields.ts'
import { feature } from '../feature.ts'
import { Count, Flag, Id, Nothing, pageOf, rows, Time, text } from '../fields.ts'
import { push } from '../push.ts'
import { Person } from './review.ts'

/** State of an urge: `done` once every receiver is done; `ended` by its sender. */
export const UrgeState = z.enum(['open', 'done', 'ended'])
export type UrgeState = z.output<typeof UrgeState>

/** The facts of an urge as seen by one user: its sender or one of its receivers. */
export interface FactsOfUrge {
  readonly state: UrgeState
  readonly isSender: boolean
  readonly isReceiver: boolean
  /** The receiver is done with it. */
  readonly isHandled: boolean
}

const open = fact<FactsOfUrge>('not done or ended', ({ state }) => state === 'open', 'alreadyHandled')
const sender = fact<FactsOfUrge>('who urges', ({ isSender }) => isSender)
const receiver = fact<FactsOfUrge>('who is urged', ({ isReceiver }) => isReceiver)
const notHandled = fact<FactsOfUrge>('not done with it', ({ isHandled }) => !isHandled, 'alreadyHandled')

/** Urges. An urge does not exist for users who are neither its sender nor one of its receivers. */
export const urgeKind = objectKind<FactsOfUrge, 'see' | 'handle' | 'remind' | 'end'>('urge', {
  see: any(sender, receiver),
  handle: all(receiver, notHandled, open),
  remind: all(sender, open),
  end: all(sender, open),
})

const FType = z.union([z.literal(1), z.literal(2)])
const Type = Count.pipe(z.enum(NotifyType))
const Ids = z.array(Id).max(urgeLimits.receivers).default([])
const Words = text(urgeLimits.text)
const one = { notifyId: Id }

/** Whom an urge is sent to. */
const receivers = {
  userIdArray: Ids.describe('People.'),
  groupIdArray: Ids.describe('Departments: their members at this moment, those of their sub-departments included.'),
  roleIdArray: Ids.describe('Roles: their holders at this moment.'),
}

const reading = { kind: 'read', auth: 'required', origin: 'ours' } as const
const writing = {
  kind: 'write',
  method: 'POST',
  auth: 'required',
  payload: 'json',
  origin: 'ours',
  audit: 'file',
} as const

const Subject = z.strictObject({ type: z.enum(['user', 'group', 'role']), id: z.int(), name: z.string() })

const facts = {
  notifyId: z.int(),
  notifyType: z.enum(NotifyType),
  state: UrgeState,
  fType: FType,
  /** 0 when the caller may not see the item any more. */
  fId: z.int(),
  /** The name under which it was urged. */
  fName: z.string(),
  userId: z.int().describe('Who urges.'),
  userName: z.string(),
  message: z.string(),
  createTime: Time,
  /** When it should be done. */
  deadline: Time.nullable(),
  endTime: Time.nullable(),
  /** Number of reminders sent after the first. */
  reminded: z.int(),
  isSender: z.boolean(),
  /** The receiver is done; null for the sender. */
  handleTime: Time.nullable(),
  /** The receiver has handed it on to somebody else. */
  isHandedOn: z.boolean(),
  /** There are messages that the caller has not read. */
  hasNew: z.boolean(),
  /** The newest message. */
  lastMessage: z.strictObject({ userName: z.string(), message: z.string(), createTime: Time }).nullable(),
}

/** An urge in a list. */
const Urge = z
  .strictObject({
    ...facts,
    /** Of the receivers that the caller knows. */
    receiverCount: z.int(),
    handledCount: z.int(),
    /** For the sender: the first of those whom it was sent to. */
    subjects: z.array(Subject),
  })
  .meta({ id: 'Urge' })
export type Urge = z.output<typeof Urge>

const Receiver = z
  .strictObject({
    ...Person.shape,
    groupName: z.string(),
    readTime: Time.nullable(),
    handleTime: Time.nullable(),
    comments: z.string(),
    /** How often this receiver was urged. */
    urged: z.int(),
  })
  .meta({ id: 'UrgeReceiver' })
export type UrgeReceiver = z.output<typeof Receiver>

const Message = z
  .strictObject({
    messageId: z.int(),
    userId: z.int(),
    userName: z.string(),
    message: z.string(),
    createTime: Time,
  })
  .meta({ id: 'UrgeMessage' })
export type UrgeMessage = z.output<typeof Message>

/** An urge with all that its window shows. */
const UrgeDetail = z
  .strictObject({
    ...facts,
    receiverCount: z.int(),
    handledCount: z.int(),
    readCount: z.int(),
    subjects: z.array(Subject),
    fileSize: z.int(),
    pathString: z.string(),
    /** As sent; explained by no document (ADR 0223). */
    partnerId: z.int().nullable(),
    serverIdArray: z.array(z.int()),
    /** Hours between repeated reminders, 0 for none, and when they end. */
    repeatHours: z.int(),
    repeatUntil: Time.nullable(),
    workdaysOnly: z.boolean(),
    /** The deadline as it was given: so many working days; null for a time. */
    deadlineWorkdays: z.int().nullable(),
    nextReminder: Time.nullable(),
    /** How often the sender may still urge today. */
    remindsLeft: z.int(),
    timeline: z.array(
      z.strictObject({
        at: Time,
        what: z.enum(['created', 'reminded', 'repeated', 'handled', 'handedOn', 'late', 'moved', 'ended', 'done']),
        /** Absent for what happens by itself. */
        by: Person.optional(),
        to: Person.optional(),
        comments: z.string(),
      }),
    ),
    may: z.strictObject({ handle: z.boolean(), remind: z.boolean(), end: z.boolean() }),
  })
  .meta({ id: 'UrgeDetail' })
export type UrgeDetail = z.output<typeof UrgeDetail>

const list = {
  ...reading,
  method: 'GET',
  payload: 'query',
  guard: accountHolder,
  input: z.strictObject({
    state: z.enum(urgeFilters).default('all'),
    keyword: text(100).default(''),
    ...pageOf(100, 200),
  }),
  data: z.strictObject({
    list: z.array(Urge),
    total: z.int(),
    /** The number of urges by filter, whatever the keyword; more than 999 count as 1000. */
    counts: z.strictObject({ all: z.int(), open: z.int(), done: z.int(), ended: z.int(), message: z.int() }),
  }),
} as const

const of = (action: 'see' | 'handle' | 'remind' | 'end', lock?: 'change') => ({
  gate: ({ notifyId }: { notifyId: number }) => [on(urgeKind, notifyId, action, lock)],
})
const sample = (ids: { notifyId: number }) => ({ notifyId: ids.notifyId })

const urgingCalls = {
  addNotify: call({
    ...writing,
    summary: 'Urges people to do something about a file or folder',
    title: { zh: '发起催办', en: 'Follow-up sent' },
    log: 'none',
    audits: ['notifyType'],
    notes:
      'Departments and roles are their members now. People who may not see the item get nothing: they are named in the answer.',
    path: '/services2/notify/addNotify',
    gate: (input) => [{ item: itemOf(input), action: 'urge', lock: 'hold' }],
    input: z
      .strictObject({
        ...fileOrFolder,
        ...receivers,
        message: Words,
        notifyType: Type.default(NotifyType.handle),
        partnerId: Id.optional().describe('Stored and returned; explained by no document.'),
        serverIdArray: z.array(Id).max(100).default([]).describe('Linked servers; stored and returned.'),
        deadline: Time.nullable().default(null).describe('Until when it should be done; null for no time.'),
        deadlineWorkdays: Count.pipe(z.int().max(250))
          .default(0)
          .describe('Instead of a time: working days by the calendar of the company; 0 for none.'),
        repeatHours: Count.pipe(z.int().max(urgeLimits.hours)).default(0),
        repeatUntil: Time.nullable().default(null),
        workdaysOnly: Flag.default(false).describe('Whether repeated reminders leave out days on which nobody works.'),
      })
      .refine(exactlyOne, oneOf),
    sample: (ids) => ({ folderId: ids.folderId, userIdArray: [ids.userId], message: '请处理' }),
    data: z.strictObject({
      ...one,
      receiverCount: z.int(),
      /** Those of the receivers who may not see the item: at most 20 of them by name. */
      unseenCount: z.int(),
      unseen: z.array(Person),
    }),
    codes: ['notFound', 'noPermission', 'tooMany'],
  }),
  /** Counts receivers before an urge is sent. */
  getNotifyReach: call({
    ...reading,
    summary: 'Tells how many people an urge would reach, and who of them may not see the item',
    method: 'POST',
    payload: 'json',
    path: '/services2/notify/getNotifyReach',
    gate: (input) => [{ item: itemOf(input), action: 'urge' }],
    input: z.strictObject({ ...fileOrFolder, ...receivers }).refine(exactlyOne, oneOf),
    sample: (ids) => ({ folderId: ids.folderId, userIdArray: [ids.userId] }),
    data: z.strictObject({ receiverCount: z.int(), unseenCount: z.int(), unseen: z.array(Person) }),
    codes: ['notFound', 'noPermission', 'tooMany'],
  }),
  getNotifyCreationList: call({
    ...list,
    summary: 'Lists urges that the caller sent, the latest first',
    path: '/services2/notify/getNotifyCreationList',
  }),
  getNotifyReviewList: call({
    ...list,
    summary: 'Lists urges that the caller received, the latest first',
    path: '/services2/notify/getNotifyReviewList',
  }),
  getNotifyDetail: call({
    ...reading,
    ...of('see'),
    summary: 'Reads one urge',
    method: 'GET',
    payload: 'none',
    origin: 'spec',
    path: '/services2/notify/getNotifyDetail/{notifyId}',
    input: z.strictObject(one),
    sample,
    data: UrgeDetail,
    codes: ['notFound'],
  }),
  getNotifyReceiverList: call({
    ...reading,
    ...of('see'),
    summary: 'Lists the receivers of an urge, those who are not done first',
    notes: 'Receivers are listed the people they may know of.',
    method: 'GET',
    payload: 'query',
    path: '/services2/notify/getNotifyReceiverList',
    input: z.strictObject({ ...one, ...pageOf(100, urgeLimits.receivers) }),
    sample,
    data: z.strictObject({ list: z.array(Receiver), total: z.int() }),
    codes: ['notFound'],
  }),
  getNotifyMessageList: call({
    ...reading,
    ...of('see'),
    summary: 'Lists messages on an urge, the latest first',
    method: 'GET',
    payload: 'query',
    path: '/services2/notify/getNotifyMessageList',
    input: z.strictObject({ ...one, before: Id.optional().describe('Older than this one.'), rows: rows(100, 200) }),
    sample,
    data: z.strictObject({ list: z.array(Message), total: z.int() }),
    codes: ['notFound'],
  }),
  /** Receipt: the receiver, or the sender for messages, has it on the screen. A call of its own, because reading acts on nothing. */
  readNotify: call({
    servesReading: true,
    ...writing,
    ...of('see', 'change'),
    summary: 'Confirms that the caller has read an urge and its messages',
    title: { zh: '已读催办', en: 'Follow-up read' },
    audit: 'technical',
    log: 'none',
    path: '/services2/notify/readNotify',
    input: z.strictObject(one),
    sample,
    data: Nothing,
    codes: ['notFound'],
  }),
  addNotifyMessage: call({
    ...writing,
    ...of('see', 'change'),
    summary: 'Writes a message on an urge, for its sender and all receivers',
    title: { zh: '催办留言', en: 'Message on a follow-up' },
    log: 'none',
    path: '/services2/notify/addNotifyMessage',
    input: z.strictObject({ ...one, message: Words }),
    sample: (ids) => ({ notifyId: ids.notifyId, message: '好' }),
    data: z.strictObject({ messageId: z.int() }),
    codes: ['notFound'],
  }),
  approveNotify: call({
    ...writing,
    ...of('handle', 'change'),
    summary: 'Says that the caller is done with what an urge asks for',
    title: { zh: '催办办完', en: 'Follow-up handled' },
    log: 'none',
    notes: 'Feedback (notifyType 3) needs words: these, or a message written before.',
    path: '/services2/notify/approveNotify',
    input: z.strictObject({ ...one, comments: Words.default('') }),
    sample,
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled'],
  }),
  handOnNotify: call({
    ...writing,
    ...of('handle', 'change'),
    summary: 'Hands an urge on to somebody else, who is urged instead of the caller',
    title: { zh: '转交催办', en: 'Follow-up forwarded' },
    log: 'none',
    audits: ['userId'],
    path: '/services2/notify/handOnNotify',
    input: z.strictObject({ ...one, userId: Id, comments: Words.default('') }),
    sample: (ids) => ({ notifyId: ids.notifyId, userId: ids.userId }),
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled'],
  }),
  remindNotify: call({
    ...writing,
    ...of('remind', 'change'),
    summary: 'Urges again those who are not done',
    title: { zh: '再次催办', en: 'Follow-up repeated' },
    log: 'none',
    notes: `At most ${urgeLimits.perDay} times in 24 hours, the first time included.`,
    path: '/services2/notify/remindNotify',
    input: z.strictObject(one),
    sample,
    data: z.strictObject({ receiverCount: z.int() }),
    codes: ['notFound', 'noPermission', 'alreadyHandled', 'duplicateOperation'],
  }),
  revokeNotify: call({
    ...writing,
    ...of('end', 'change'),
    summary: 'Ends an urge: nobody has to do anything about it any more',
    title: { zh: '结束催办', en: 'Follow-up ended' },
    log: 'none',
    path: '/services2/notify/revokeNotify',
    input: z.strictObject({ ...one, comments: Words.default('') }),
    sample,
    data: Nothing,
    codes: ['notFound', 'noPermission', 'alreadyHandled'],
  }),
} as const

const asked = {
  [NotifyType.handle]: { zh: '请你处理《{item}》', en: 'asks you to handle “{item}”' },
  [NotifyType.read]: { zh: '请你查看《{item}》', en: 'asks you to read “{item}”' },
  [NotifyType.feedback]: { zh: '请你对《{item}》给出反馈', en: 'asks you for feedback on “{item}”' },
} as const
const askedAgain = {
  [NotifyType.handle]: { zh: '再次催你处理《{item}》', en: 'asks you again to handle “{item}”' },
  [NotifyType.read]: { zh: '再次催你查看《{item}》', en: 'asks you again to read “{item}”' },
  [NotifyType.feedback]: { zh: '再次催你对《{item}》给出反馈', en: 'asks you again for feedback on “{item}”' },
} as const
const changes = {
  ended: {
    zh: '结束了对《{item}》的催办，不用再办',
    en: 'ended the follow-up on “{item}”; there is nothing left to do',
  },
  moved: {
    zh: '《{item}》的最晚时间按工作日历改变了',
    en: 'The working-day calendar moved the due time of “{item}”',
  },
  late: {
    zh: '你对《{item}》的催办已到期限，还有 {rest} 人没办完',
    en: 'Your follow-up on “{item}” is due; {rest} not finished',
  },
} as const
const others = {
  [RemindType.message]: { zh: '在《{item}》的催办里留言', en: 'wrote in the follow-up on “{item}”' },
  [RemindType.handled]: {
    zh: '办完了《{item}》（{done}/{count}）',
    en: 'finished “{item}” ({done} of {count})',
  },
} as const

const forReceiver = (type: RemindType): boolean => type === RemindType.created || type === RemindType.repeated

const urgingPushes = {
  /** To the receivers: 1, 2, and 5 when it ends. To the sender: 4, and 5 when it is due. To both: 3 ([R272], [R328]). */
  urgeRemind: push({
    summary: 'Somebody urges the person, or something happened to an urge that they sent or received',
    type: 40,
    delivery: 'confirmed',
    notice: {
      group: 'reminder',
      // What a receiver has to do stands once: a reminder replaces the one before, and the end replaces both.
      key: ({ notifyId, remindType, change }) =>
        `${notifyId}${remindType === RemindType.message || remindType === RemindType.handled ? ` ${remindType}` : change === 'late' || change === 'moved' ? ` ${change}` : ''}`,
      merge: 'later',
      firstOf: ({ remindType }) => (forReceiver(remindType) ? String(remindType) : undefined),
      item: ({ fType, fId }) => ({ fType, fId }),
      actor: ({ userName, change }) => (change === 'late' || change === 'moved' ? '' : userName),
      sentence({ remindType, notifyType, change, fName, handledCount, receiverCount }) {
        const values = {
          item: nameInText(fName),
          done: handledCount,
          count: receiverCount,
          rest: receiverCount - handledCount,
        }
        if (remindType === RemindType.created) return { ...asked[notifyType], values }
        if (remindType === RemindType.repeated) return { ...askedAgain[notifyType], values }
        if (remindType === RemindType.changed) return { ...changes[change ?? 'ended'], values }
        return { ...others[remindType], values }
      },
      message: ({ message }) => message,
      path: ({ remindType, notifyId }) =>
        `/doc/folder/cooperate/${forReceiver(remindType) ? 'urge-review' : 'urge-creation'}?notifyId=${notifyId}`,
    },
    payload: z.strictObject({
      serverId: z.int(),
      remindId: z.int(),
      notifyId: z.int(),
      remindType: z.enum(RemindType),
      /** Who did it. */
      userName: z.string(),
      fName: z.string(),
      createTime: Time,
      /** Not in the spec: who did it, the item, the words, what is asked for, and how far it is. */
      userId: z.int(),
      fType: FType,
      fId: z.int(),
      message: z.string(),
      notifyType: z.enum(NotifyType),
      handledCount: z.int(),
      receiverCount: z.int(),
      /** Only with remindType 5. */
      change: z.enum(['ended', 'late', 'moved']).optional(),
    }),
  }),
  /** Not in the spec: an urge of the person has changed, on another page or by somebody else. */
  urgeChanged: push({
    summary: 'An urge that the person sent or received has changed',
    type: 220,
    delivery: 'replayed',
    payload: z.strictObject({ notifyId: z.int() }),
  }),
}

export const urging = feature({
  about: { name: 'urging', text: 'Asking people to do something about a file or folder, until it is done' },
  calls: urgingCalls,
  objects: { urge: urgeKind },
  pushes: urgingPushes,
  settings: {
    setting: {
      /** Users may urge others about items that they see ([R156]). */
      temp_file_folder_notify: z.boolean().default(true),
    },
    administered: {
      temp_file_folder_notify: {
        label: { zh: '催办', en: 'Urging' },
        note: {
          zh: '可以对看得到的文件和文件夹催同事处理、查看或反馈；关闭后已发出的催办仍可办完。',
          en: 'People urge colleagues about files and folders that they see; switched off, urges already sent can still be handled.',
        },
        power: 'system',
        group: 'files',
        as: 'switch',
      },
    },
  },
})
