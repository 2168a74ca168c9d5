/*
 * Mails of a person's mailboxes: lists, reading, flags, attachments ([R290]). A mail is fetched once; its bytes are in
 * the content store. Lists are by period, newest first.
 */
import { mailCharsets } from '@cloudoc/domain'
import { z } from 'zod'
import { accountHolder, objectKind, on } from '../authority.ts'
import { call } from '../call.ts'
import { renditionCodes } from '../documents/renditions.ts'
import { folder } from '../drive/items.ts'
import { feature } from '../feature.ts'
import { Count, Flag, Id, ItemName, integer, Nothing, rows, StoredItem, Time, text } from '../fields.ts'
import { push } from '../push.ts'
import { type MailFacts, mailboxKind, ownMail } from './mailboxes.ts'

export const mailKind = objectKind<MailFacts, 'use'>('mail', { use: ownMail })

/** The folders that every mailbox has, by their role; `other` are the person's own. */
export const mailRoles = ['inbox', 'sent', 'drafts', 'trash', 'junk', 'archive', 'other'] as const
export type MailRole = (typeof mailRoles)[number]

const Folder = z.strictObject({
  mailFolderId: z.int(),
  boxId: z.int(),
  name: z.string(),
  role: z.enum(mailRoles),
  unread: z.int(),
})
export type MailFolder = z.output<typeof Folder>

const Address = z.strictObject({ name: z.string(), address: z.string() })
export type MailPerson = z.output<typeof Address>

const listed = {
  mailId: z.int(),
  boxId: z.int(),
  mailFolderId: z.int(),
  mailTitle: z.string(),
  senderName: z.string(),
  senderAddress: z.string(),
  /** The receivers, for lists of sent mail. */
  receivers: z.string(),
  mailTime: Time,
  /** The beginning of the text. */
  summary: z.string(),
  isRead: z.boolean(),
  isStarred: z.boolean(),
  isAnswered: z.boolean(),
  attachmentCount: z.int(),
  size: z.int(),
}
const ListedMail = z.strictObject(listed).meta({ id: 'ListedMail' })
export type ListedMail = z.output<typeof ListedMail>

const Attachment = z.strictObject({
  /** Its position in the mail. */
  number: z.int(),
  name: z.string(),
  type: z.string(),
  size: z.int(),
  /** Content id by which the HTML shows it; empty for attachments proper. */
  contentId: z.string(),
})
export type MailAttachment = z.output<typeof Attachment>

const Meeting = z.strictObject({
  title: z.string(),
  place: z.string(),
  organizer: z.string(),
  people: z.array(z.string()),
  /** Milliseconds since 1970; 0 if it does not say. Of a day, and of a time without a zone, those of this clock in UTC. */
  startsAt: Time,
  endsAt: Time,
  isAllDay: z.boolean(),
  isLocal: z.boolean(),
  isRepeated: z.boolean(),
  kind: z.enum(['invitation', 'cancelled', 'answer']),
})
export type Meeting = z.output<typeof Meeting>

const MailDetail = z
  .strictObject({
    ...listed,
    to: z.array(Address),
    cc: z.array(Address),
    bcc: z.array(Address),
    replyTo: z.array(Address),
    messageId: z.string(),
    references: z.array(z.string()),
    text: z.string(),
    /** The HTML as sent. Show it only in a sandboxed frame; it may name remote content. */
    html: z.string(),
    /** Shows the HTML by getMailBody, for some minutes. */
    bodyKey: z.string(),
    /** The addresses to which the server of the mailbox has delivered it, where it says so. */
    deliveredTo: z.array(z.string()),
    attachments: z.array(Attachment),
    /** The appointments that it carries. */
    meetings: z.array(Meeting),
    /** What of the mail could not be read, in the language of the request; empty where nothing is wrong. */
    problem: z.string(),
    /** Other mails of the same thread in this mailbox, oldest first. */
    thread: z.array(ListedMail),
    /** The sender's remote pictures are shown without asking. */
    isTrusted: z.boolean(),
    /** The sender is not an address of the company. */
    isOutside: z.boolean(),
    /** The name is that of a colleague, the address is not: somebody may pretend. */
    isSuspicious: z.boolean(),
  })
  .meta({ id: 'Mail' })
export type MailDetail = z.output<typeof MailDetail>

const ours = { auth: 'required', origin: 'ours' } as const
const one = { mailId: Id.describe('The mail.') }
const gateOfMail = ({ mailId }: { mailId: number }) => [on(mailKind, mailId, 'use')]
const Charset = z
  .enum(mailCharsets)
  .optional()
  .describe('Read it in this character set, instead of those that it names or seems to have.')
const MailIds = z.array(Id).min(1).max(500).describe('Mails, by their ids.')

const mailCalls = {
  getMailFolders: call({
    summary: 'Lists the folders of a mailbox with their counts',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/mail/folders/{boxId}',
    payload: 'none',
    gate: ({ boxId }) => [on(mailboxKind, boxId, 'use')],
    input: z.strictObject({ boxId: Id.describe('The mailbox.') }),
    sample: (ids) => ({ boxId: ids.boxId }),
    data: z.strictObject({ list: z.array(Folder) }),
    codes: ['notFound'],
  }),
  getMailList: call({
    summary: 'Lists mails of the caller by period, newest first',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/mail/list',
    payload: 'query',
    guard: accountHolder,
    input: z.strictObject({
      boxId: Id.optional().describe('Only this mailbox.'),
      mailFolderId: Id.optional().describe('Only this folder of a mailbox.'),
      role: z.enum(mailRoles).optional().describe('Only the folders of this role, of all mailboxes.'),
      beginTime: integer(0, 9_999_999_999_999).optional().describe('Mails from this time on.'),
      endTime: integer(0, 9_999_999_999_999).optional().describe('Mails before this time.'),
      keyword: text(200).default('').describe('Words of subject, people or text.'),
      unread: Flag.default(false).describe('Only unread mails.'),
      starred: Flag.default(false).describe('Only starred mails.'),
      attached: Flag.default(false).describe('Only mails with attachments.'),
      before: text(40)
        .regex(/^(\d{1,15}-\d{1,15})?$/)
        .default('')
        .describe('Continues a list: `next` of the page before.'),
      rows: rows(50, 200),
    }),
    data: z.strictObject({
      list: z.array(ListedMail),
      /** Passed as `before` for the next page; empty on the last. */
      next: z.string(),
    }),
  }),
  getMailDetail: call({
    summary: 'Answers a mail with its text and the list of its attachments',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/mail/detail/{mailId}',
    payload: 'query',
    gate: gateOfMail,
    input: z.strictObject({ ...one, charset: Charset }),
    sample: (ids) => ({ mailId: ids.mailId }),
    data: MailDetail,
    codes: ['notFound'],
  }),
  /**
   * For a frame without scripts. The policy of the answer loads nothing but the pictures inside the mail, and remote ones
   * with `pictures`.
   */
  getMailBody: call({
    summary: 'Answers the HTML of a mail as a page of its own',
    title: { zh: '查看邮件正文', en: 'Text of a mail' },
    origin: 'ours',
    auth: 'none',
    answers: 'text/html',
    kind: 'stream',
    method: 'GET',
    path: '/services2/mail/body/{mailId}',
    payload: 'query',
    open: 'the key, which getMailDetail gives to the owner for some minutes, admits to this text alone',
    input: z.strictObject({
      ...one,
      key: text(100).describe('`bodyKey` of getMailDetail.'),
      pictures: Flag.default(false).describe('Load remote pictures.'),
      charset: Charset,
    }),
    sample: (ids) => ({ mailId: ids.mailId, key: 'none' }),
    data: z.never(),
    codes: ['notFound'],
  }),
  getMailAttachment: call({
    summary: 'Answers an attachment of a mail',
    title: { zh: '下载邮件附件', en: 'Attachment of a mail' },
    ...ours,
    auth: 'query',
    answers: 'application/octet-stream',
    kind: 'stream',
    method: 'GET',
    path: '/services2/mail/attachment/{mailId}/{number}',
    payload: 'none',
    gate: gateOfMail,
    input: z.strictObject({ ...one, number: Count.describe('The number of the attachment, from 0 on.') }),
    sample: (ids) => ({ mailId: ids.mailId, number: 0 }),
    data: z.never(),
    codes: ['notFound', 'conversionFailed'],
  }),
  getMailAttachmentPreview: call({
    summary: 'Answers what is shown of an attachment of a mail',
    title: { zh: '预览邮件附件', en: 'Preview of an attachment of a mail' },
    notes: 'A rendition, as for a file of an archive (archiveEntryServlet). -205 where nothing shows it.',
    ...ours,
    auth: 'query',
    answers: 'application/octet-stream',
    kind: 'stream',
    method: 'GET',
    path: '/services2/mail/attachmentPreview/{mailId}/{number}',
    payload: 'none',
    gate: gateOfMail,
    input: z.strictObject({ ...one, number: Count.describe('The number of the attachment, from 0 on.') }),
    sample: (ids) => ({ mailId: ids.mailId, number: 0 }),
    data: z.never(),
    codes: ['notFound', ...renditionCodes],
  }),
  getMailSource: call({
    summary: 'Answers a mail as it was received, as an eml file',
    title: { zh: '下载邮件原文', en: 'Mail as received' },
    ...ours,
    auth: 'query',
    answers: 'message/rfc822',
    kind: 'stream',
    method: 'GET',
    path: '/services2/mail/source/{mailId}',
    payload: 'none',
    gate: gateOfMail,
    input: z.strictObject(one),
    sample: (ids) => ({ mailId: ids.mailId }),
    data: z.never(),
    codes: ['notFound'],
  }),
  fetchMail: call({
    summary: 'Fetches new mail now',
    title: { zh: '收取邮件', en: 'Mail fetched' },
    ...ours,
    log: 'none',
    kind: 'write',
    audit: 'technical',
    method: 'POST',
    path: '/services2/mail/fetch/{boxId}',
    payload: 'none',
    gate: ({ boxId }) => [on(mailboxKind, boxId, 'use', 'change')],
    input: z.strictObject({ boxId: Id.describe('The mailbox.') }),
    sample: (ids) => ({ boxId: ids.boxId }),
    data: Nothing,
    codes: ['notFound'],
  }),
  /** Flags are set at the server of the mailbox too, where its protocol has them. */
  markMails: call({
    summary: 'Marks mails as read, unread, starred or not',
    title: { zh: '标记邮件', en: 'Mails marked' },
    ...ours,
    log: 'none',
    kind: 'write',
    audit: 'technical',
    method: 'POST',
    path: '/services2/mail/mark',
    payload: 'json',
    gate: ({ mailIdArray }) => [mailIdArray].flat().map((id) => on(mailKind, id, 'use', 'change')),
    input: z.strictObject({
      mailIdArray: MailIds,
      isRead: Flag.optional().describe('Whether they are read.'),
      isStarred: Flag.optional().describe('Whether they have a star.'),
    }),
    sample: (ids) => ({ mailIdArray: [ids.mailId], isRead: true }),
    data: Nothing,
    codes: ['notFound'],
  }),
  /** Without a folder that plays the role, the server of the mailbox is asked to create it. */
  moveMails: call({
    summary: 'Moves mails into another folder of their mailbox',
    title: { zh: '移动邮件', en: 'Mails moved' },
    ...ours,
    log: 'none',
    kind: 'write',
    method: 'POST',
    path: '/services2/mail/move',
    payload: 'json',
    gate: ({ mailIdArray }) => [mailIdArray].flat().map((id) => on(mailKind, id, 'use', 'change')),
    input: z.strictObject({
      mailIdArray: MailIds,
      mailFolderId: Id.optional().describe('The folder; or a role.'),
      role: z.enum(['inbox', 'trash', 'junk', 'archive']).optional().describe('The folder of this role.'),
    }),
    sample: (ids) => ({ mailIdArray: [ids.mailId], role: 'trash' }),
    data: Nothing,
    codes: ['notFound', 'badRequest'],
  }),
  deleteMails: call({
    summary: 'Deletes mails here and at the server of their mailbox',
    title: { zh: '彻底删除邮件', en: 'Mails deleted for good' },
    ...ours,
    log: 'none',
    kind: 'write',
    method: 'POST',
    path: '/services2/mail/delete',
    payload: 'json',
    gate: ({ mailIdArray }) => [mailIdArray].flat().map((id) => on(mailKind, id, 'use', 'change')),
    input: z.strictObject({ mailIdArray: MailIds }),
    sample: (ids) => ({ mailIdArray: [ids.mailId] }),
    data: Nothing,
    codes: ['notFound'],
  }),
  trustSender: call({
    summary: 'Always shows the remote pictures of a sender, or asks again',
    title: { zh: '信任发件人', en: 'Sender trusted' },
    ...ours,
    kind: 'write',
    method: 'POST',
    path: '/services2/mail/trust',
    payload: 'json',
    guard: accountHolder,
    audits: ['address'],
    input: z.strictObject({
      address: text(254).describe('The mail address of the sender.'),
      isTrusted: Flag.default(true).describe('Whether remote pictures of the sender are shown.'),
    }),
    sample: () => ({ address: 'partner@example.com' }),
    data: Nothing,
  }),
  saveMailAttachment: call({
    summary: 'Saves an attachment of a mail, or the mail itself, into a folder of the drive',
    ...ours,
    kind: 'staged',
    method: 'POST',
    path: '/services2/mail/save',
    payload: 'json',
    gate: ({ mailId, folderId }) => [
      on(mailKind, mailId, 'use'),
      { item: folder(folderId), action: 'upload', lock: 'hold' },
    ],
    log: 'add',
    input: z.strictObject({
      ...one,
      folderId: Id,
      number: Count.optional().describe('The attachment; the mail as eml file without it.'),
      fileName: ItemName.optional().describe('Another name than that of the attachment.'),
    }),
    sample: (ids) => ({ mailId: ids.mailId, folderId: ids.folderId }),
    data: StoredItem.extend({ fileId: z.int() }),
    codes: ['notFound', 'noPermission', 'alreadyExists', 'conversionFailed'],
  }),
}

const mailPushes = {
  /** A new mail in an inbox ([R291], [R324]). */
  emailReceived: push({
    summary: 'A mail has arrived in a mailbox of the person',
    type: 23,
    delivery: 'confirmed',
    notice: {
      group: 'email',
      key: ({ mailId }) => String(mailId),
      merge: 'later',
      actor: ({ senderName }) => senderName,
      sentence: ({ mailTitle }) =>
        mailTitle === ''
          ? { zh: '发来一封无主题的邮件', en: 'sent a mail without a subject' }
          : { zh: '发来邮件：{title}', en: 'sent a mail: {title}', values: { title: mailTitle } },
      path: ({ mailId }) => `/doc/folder/email?mailId=${mailId}`,
    },
    payload: z.strictObject({
      serverId: z.int(),
      remindId: z.int(),
      mailId: z.int(),
      mailTime: Time,
      senderName: z.string(),
      mailTitle: z.string(),
    }),
  }),
  /** Not in the spec: mails or mailboxes of the person have changed; lists are fetched again. */
  mailChanged: push({
    summary: 'Mails of the person have changed on the server or on another page',
    type: 130,
    delivery: 'replayed',
    payload: z.strictObject({ boxId: z.int() }),
  }),
}

export const mails = feature({
  about: { name: 'mails', text: 'Reading the mail of mailboxes' },
  switchedBy: 'mail',
  calls: mailCalls,
  objects: { mail: mailKind },
  pushes: mailPushes,
})
