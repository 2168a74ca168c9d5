/*
 * Mails that people write ([R290]): drafts on the server, sending at once or later, undo. A draft has a version; sending
 * names the version, so that an older text is never sent. Once the mail server has accepted a mail, nothing sends it
 * again.
 */
import { type CodeName, fact, limits } from '@cloudoc/domain'
import { z } from 'zod'
import { accountHolder, objectKind, on } from '../authority.ts'
import { call } from '../call.ts'
import { MailAddress } from '../core/mail.ts'
import { file } from '../drive/items.ts'
import { feature } from '../feature.ts'
import { Count, Flag, Id, IdArray, Nothing, pageOf, Time, text } from '../fields.ts'
import { type MailFacts, mailboxKind, ownMail } from './mailboxes.ts'
import { mailKind } from './mails.ts'

/** Milliseconds in which a mail that is sent at once can be taken back. */
export const mailUndoMs = 10_000
/** Maximum total size of attached copies in bytes. */
export const maxMailBytes = 20 * 1024 * 1024

/**
 * `draft`: being written. `queued`: waits for its time or for the end of the undo time. `handing`: the mail server is
 * receiving it. `accepted`: the server has it; the copy is being filed. `filed`: done. `failed`: the server refused it.
 * `unsure`: the process ended while handing over; the person decides whether to send again.
 */
export const outgoingStates = ['draft', 'queued', 'handing', 'accepted', 'filed', 'failed', 'unsure'] as const
export type OutgoingState = (typeof outgoingStates)[number]

interface OutgoingFacts extends MailFacts {
  readonly state: OutgoingState
}
const written = fact<OutgoingFacts>(
  'not handed over',
  (f) => ['draft', 'failed', 'unsure'].includes(f.state),
  'duplicateOperation',
)
const takenBack = fact<OutgoingFacts>('waiting to be sent', (f) => f.state === 'queued', 'duplicateOperation')
const settled = fact<OutgoingFacts>(
  'not being sent',
  (f) => !['queued', 'handing'].includes(f.state),
  'duplicateOperation',
)

export const outgoingMailKind = objectKind<OutgoingFacts, 'see' | 'write' | 'takeBack' | 'discard'>('outgoingMail', {
  see: ownMail,
  write: { all: [ownMail, written] },
  takeBack: { all: [ownMail, takenBack] },
  discard: { all: [ownMail, settled] },
})

const Receiver = z.strictObject({ name: text(200).default(''), address: MailAddress })
const Receivers = z
  .array(Receiver)
  .refine((list) => list.length <= limits.mailReceivers, {
    message: `at most ${limits.mailReceivers} receivers`,
    params: { resultCode: 'tooMany' satisfies CodeName },
  })
  .default([])
const Subject = text(500).refine((value) => !/[\r\n]/.test(value), 'one line')

/** What the person writes. */
const content = {
  boxId: Id.describe('The mailbox that it is sent from.'),
  fromAddress: z
    .union([z.literal(''), MailAddress])
    .default('')
    .describe('An alias of the mailbox that it leaves from; empty: its own address.'),
  to: Receivers.describe('The receivers, as mail addresses.'),
  cc: Receivers.describe('Who receives a copy.'),
  bcc: Receivers.describe('Who receives a copy that the others are not told of.'),
  subject: Subject.default('').describe('The subject.'),
  html: text(2_000_000).default('').describe('The text as HTML.'),
  text: text(500_000).default('').describe('The text without markup, for receivers that show no HTML.'),
  replyOf: Id.optional().describe('The mail that it answers or forwards.'),
  isForward: Flag.default(false).describe('It forwards `replyOf` instead of answering it.'),
}

const Attached = z.strictObject({ attachmentId: z.int(), name: z.string(), size: z.int(), fId: z.int() })
const People = z.array(z.strictObject({ name: z.string(), address: z.string() }))
const OutgoingMail = z
  .strictObject({
    outgoingId: z.int(),
    version: z.int(),
    state: z.enum(outgoingStates),
    boxId: z.int(),
    account: z.string().describe('The address that it is sent from.'),
    fromAddress: z.string(),
    to: People,
    cc: People,
    bcc: People,
    subject: z.string(),
    html: z.string(),
    text: z.string(),
    replyOf: z.int().describe('0: it answers none.'),
    isForward: z.boolean(),
    attachments: z.array(Attached),
    /** When it is sent; 0 for a draft. */
    sendTime: Time,
    modifyTime: Time,
    /** Why it was not sent, in the language of the request. */
    problem: z.string(),
    /** Receivers that the server refused while it accepted others. */
    refusedReceivers: z.array(z.string()),
  })
  .meta({ id: 'OutgoingMail' })
export type OutgoingMail = z.output<typeof OutgoingMail>

const ours = { auth: 'required', origin: 'ours' } as const
const one = { outgoingId: Id.describe('The draft or sent mail.') }

const outgoingCalls = {
  getOutgoingMails: call({
    summary: 'Lists drafts and mails that wait, failed or were sent, newest first',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/mail/outgoing/list',
    payload: 'query',
    guard: accountHolder,
    input: z.strictObject({
      what: z.enum(['drafts', 'waiting', 'sent']).default('drafts'),
      ...pageOf(50, 200),
    }),
    data: z.strictObject({
      list: z.array(OutgoingMail.omit({ html: true, text: true }).extend({ summary: z.string() })),
      drafts: z.int(),
      waiting: z.int(),
    }),
  }),
  getOutgoingMail: call({
    summary: 'Answers a draft or a sent mail whole',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/mail/outgoing/detail/{outgoingId}',
    payload: 'none',
    gate: ({ outgoingId }) => [on(outgoingMailKind, outgoingId, 'see')],
    input: z.strictObject(one),
    sample: (ids) => ({ outgoingId: ids.outgoingId }),
    data: OutgoingMail,
    codes: ['notFound'],
  }),
  createMailDraft: call({
    summary: 'Begins a mail; an answer or a forward begins with the mail that it is about',
    title: { zh: '写邮件', en: 'Mail begun' },
    ...ours,
    log: 'none',
    kind: 'write',
    audit: 'technical',
    method: 'POST',
    path: '/services2/mail/outgoing/create',
    payload: 'json',
    gate: ({ boxId, replyOf }) => [
      on(mailboxKind, boxId, 'use'),
      ...(replyOf === undefined ? [] : [on(mailKind, replyOf, 'use')]),
    ],
    input: z.strictObject({
      ...content,
      withAttachments: Flag.default(false).describe('A forward takes the attachments of the mail along.'),
    }),
    sample: (ids) => ({ boxId: ids.boxId, subject: '合同' }),
    data: OutgoingMail,
    codes: ['notFound', 'tooMany'],
  }),
  /** -39 if `version` is not the draft's: it was changed on another page. */
  saveMailDraft: call({
    summary: 'Saves a draft',
    title: { zh: '保存邮件草稿', en: 'Draft saved' },
    ...ours,
    log: 'none',
    kind: 'write',
    audit: 'technical',
    method: 'POST',
    path: '/services2/mail/outgoing/save/{outgoingId}',
    payload: 'json',
    gate: ({ outgoingId, boxId }) => [
      on(outgoingMailKind, outgoingId, 'write', 'change'),
      on(mailboxKind, boxId, 'use'),
    ],
    input: z.strictObject({
      ...one,
      version: Count.describe('The version of the draft that the caller has seen.'),
      ...content,
    }),
    sample: (ids) => ({ outgoingId: ids.outgoingId, version: 1, boxId: ids.boxId }),
    data: z.strictObject({ version: z.int(), modifyTime: Time }),
    codes: ['notFound', 'fileConflict', 'duplicateOperation', 'tooMany'],
  }),
  discardMail: call({
    summary: 'Deletes a draft, or the record of a sent mail',
    title: { zh: '删除邮件草稿', en: 'Draft deleted' },
    ...ours,
    log: 'none',
    kind: 'write',
    method: 'POST',
    path: '/services2/mail/outgoing/delete/{outgoingId}',
    payload: 'none',
    gate: ({ outgoingId }) => [on(outgoingMailKind, outgoingId, 'discard', 'change')],
    input: z.strictObject(one),
    sample: (ids) => ({ outgoingId: ids.outgoingId }),
    data: Nothing,
    codes: ['notFound', 'duplicateOperation'],
  }),
  /** Copies of files of the drive: the version of this moment is attached. -68 for a sensitive file ([R256]). */
  attachFilesToMail: call({
    summary: 'Attaches copies of files of the drive to a draft',
    title: { zh: '邮件添加文件', en: 'File attached to a mail' },
    log: 'download',
    ...ours,
    kind: 'write',
    method: 'POST',
    path: '/services2/mail/outgoing/attachFiles/{outgoingId}',
    payload: 'json',
    gate: ({ outgoingId, fileIdArray }) => [
      on(outgoingMailKind, outgoingId, 'write', 'change'),
      ...fileIdArray.map((fId) => ({ item: file(fId), action: 'sendMail' as const })),
    ],
    input: z.strictObject({ ...one, fileIdArray: IdArray.min(1).max(50) }),
    sample: (ids) => ({ outgoingId: ids.outgoingId, fileIdArray: [ids.fileId] }),
    data: z.strictObject({ version: z.int(), attachments: z.array(Attached) }),
    codes: ['notFound', 'noPermission', 'sensitiveFile', 'mailTooLarge', 'duplicateOperation'],
  }),
  attachToMail: call({
    summary: 'Attaches the body of the request to a draft',
    title: { zh: '邮件上传附件', en: 'Attachment uploaded' },
    ...ours,
    log: 'none',
    kind: 'staged',
    audit: 'technical',
    method: 'PUT',
    path: '/services2/mail/outgoing/attach/{outgoingId}',
    payload: 'raw',
    gate: ({ outgoingId }) => [on(outgoingMailKind, outgoingId, 'write', 'change')],
    input: z.strictObject({ ...one, fileName: text(255).min(1) }),
    sample: (ids) => ({ outgoingId: ids.outgoingId, fileName: 'a.txt' }),
    data: z.strictObject({ version: z.int(), attachments: z.array(Attached) }),
    codes: ['notFound', 'mailTooLarge', 'duplicateOperation', 'sensitiveFile'],
  }),
  detachFromMail: call({
    summary: 'Takes an attachment off a draft',
    title: { zh: '移除邮件附件', en: 'Attachment removed' },
    ...ours,
    log: 'none',
    kind: 'write',
    audit: 'technical',
    method: 'POST',
    path: '/services2/mail/outgoing/detach/{outgoingId}',
    payload: 'json',
    gate: ({ outgoingId }) => [on(outgoingMailKind, outgoingId, 'write', 'change')],
    input: z.strictObject({ ...one, attachmentId: Id.describe('The attachment.') }),
    sample: (ids) => ({ outgoingId: ids.outgoingId, attachmentId: 1 }),
    data: z.strictObject({ version: z.int(), attachments: z.array(Attached) }),
    codes: ['notFound', 'duplicateOperation'],
  }),
  /** It waits for the undo time first. -39 if `version` is not the draft's. */
  sendMail: call({
    summary: 'Sends a draft, now or later',
    title: { zh: '发送邮件', en: 'Mail sent' },
    ...ours,
    log: 'none',
    kind: 'write',
    audit: 'file',
    method: 'POST',
    path: '/services2/mail/send',
    payload: 'json',
    gate: ({ outgoingId }) => [on(outgoingMailKind, outgoingId, 'write', 'change')],
    input: z.strictObject({
      ...one,
      version: Count,
      sendTime: Time.optional().describe('When to send it, within a year; at once without it.'),
    }),
    sample: (ids) => ({ outgoingId: ids.outgoingId, version: 1 }),
    data: z.strictObject({
      /** Until then it can be taken back. */
      undoUntil: Time,
    }),
    codes: ['notFound', 'fileConflict', 'badRequest', 'mailNotSetUp', 'sensitiveFile', 'duplicateOperation'],
  }),
  takeMailBack: call({
    summary: 'Stops a mail that has not been handed over; it is a draft again',
    title: { zh: '撤回待发邮件', en: 'Mail taken back' },
    ...ours,
    log: 'none',
    kind: 'write',
    method: 'POST',
    path: '/services2/mail/undo/{outgoingId}',
    payload: 'none',
    gate: ({ outgoingId }) => [on(outgoingMailKind, outgoingId, 'takeBack', 'change')],
    input: z.strictObject(one),
    sample: (ids) => ({ outgoingId: ids.outgoingId }),
    data: z.strictObject({ version: z.int() }),
    codes: ['notFound', 'duplicateOperation'],
  }),
  getMailContacts: call({
    summary: 'Proposes receivers: people of the company, and whom the caller wrote to',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/mail/contacts',
    payload: 'query',
    guard: accountHolder,
    input: z.strictObject({ keyword: text(100).default('') }),
    data: z.strictObject({
      list: z.array(z.strictObject({ name: z.string(), address: z.string(), isColleague: z.boolean() })),
    }),
  }),
}

export const outgoingMails = feature({
  about: { name: 'outgoing mails', text: 'Mails that people write and send from their mailboxes' },
  switchedBy: 'mail',
  calls: outgoingCalls,
  objects: { outgoingMail: outgoingMailKind },
})
