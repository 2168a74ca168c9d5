/*
 * A person's mailboxes at the mail servers of their companies and providers ([R289]). The password is stored encrypted
 * and never sent to a client. A failed sign-in pauses the mailbox until its owner changes or confirms the settings, so
 * that the provider does not lock the account.
 */
import { fact, mailProtocols } from '@cloudoc/domain'
import { z } from 'zod'
import { accountHolder, objectKind, on, systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Flag, Id, integer, Nothing, Time, text } from '../fields.ts'

export interface MailFacts {
  /** The caller owns it. */
  readonly isOwn: boolean
  readonly isGuest: boolean
  /** The e-mail feature is switched on. */
  readonly isOn: boolean
}
const own = fact<MailFacts>('their own', (f) => f.isOwn, 'notFound')
const notGuest = fact<MailFacts>('not a guest', (f) => !f.isGuest)
const isOn = fact<MailFacts>('setting email', (f) => f.isOn)
/** The rule for mailboxes, mails and drafts: only their owner has them. */
export const ownMail = { all: [own, notGuest, isOn] }

export const mailboxKind = objectKind<MailFacts, 'use'>('mailbox', { use: ownMail })

const Host = text(255).regex(/^[\w.:[\]-]*$/, 'a host name or an address')
const Port = integer(0, 65_535).default(0).describe('0: the usual port of the protocol.')
const Account = text(254).regex(/^[^\s@<>"(),:;\\]+@[^\s@<>"(),:;\\]+$/, 'a mail address')

/** The connection settings of a mailbox, with the names of [R289]; ports are our own (X77). */
const settings = {
  account: Account.describe('The mail address; also the name that signs in unless loginName is given.'),
  loginName: text(254).default('').describe('The name that signs in at the server, where it is not the address.'),
  aliases: z
    .array(Account)
    .max(20)
    .default([])
    .describe('Other addresses whose mail arrives here; mail can be sent from them.'),
  senderName: text(100).default('').describe('The name shown to receivers.'),
  mailProtocol: z.enum(mailProtocols).describe('How mail is received.'),
  imapAddress: Host.default('').describe('Host of the IMAP server.'),
  imapPort: Port,
  popAddress: Host.default('').describe('Host of the POP3 server.'),
  popPort: Port,
  smtpAddress: Host.default('').describe('Host of the SMTP server; empty: the mailbox only receives.'),
  smtpPort: Port,
  exchangeUrl: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ }).max(500)])
    .default('')
    .describe('Address of Exchange Web Services.'),
  ssl: Flag.default(true).describe('TLS from the first byte; otherwise STARTTLS where the server offers it.'),
  fetch: Flag.default(true).describe('Fetch new mail automatically.'),
} as const
/** Left out in an update, the stored password stays. */
const password = text(500).min(1).describe('Password or authorization code at the server.')

/** The state of a mailbox: what the last connection came to. */
export const mailboxStates = ['new', 'ok', 'signIn', 'unreachable', 'refused'] as const
export type MailboxState = (typeof mailboxStates)[number]

const Mailbox = z
  .strictObject({
    boxId: z.int(),
    ...settings,
    exchangeUrl: z.string(),
    account: z.string(),
    isOutlook: z.boolean().describe('It signs in at Outlook by a permission of its owner, without a password.'),
    spaceUsed: z.int().describe('Bytes used at the server.'),
    spaceTotal: z.int().describe('Bytes that the server gives; 0: it does not say.'),
    isDefault: z.boolean().describe('Mail is written from it unless another is chosen.'),
    state: z.enum(mailboxStates),
    problem: z.string().describe('What to check, in the language of the request; empty where nothing is wrong.'),
    fetchTime: Time.describe('The last complete fetch; 0: never.'),
    isFetching: z.boolean(),
    unread: z.int().describe('Unread mails in the inbox.'),
  })
  .meta({ id: 'Mailbox' })
export type Mailbox = z.output<typeof Mailbox>

/** The steps of a check, in order. */
export const checkSteps = ['receive', 'signIn', 'send', 'sendSignIn'] as const
export type CheckStep = (typeof checkSteps)[number]
const Step = z.strictObject({
  step: z.enum(checkSteps),
  state: z.enum(['passed', 'failed', 'skipped']),
  /** Host and port that the step used. */
  where: z.string(),
  ms: z.int(),
  /** What to check, with the words of the server. */
  problem: z.string(),
  /** The input field at fault. */
  field: z.enum(['', 'account', 'password', 'receive', 'send']),
})

const ours = { auth: 'required', origin: 'ours' } as const

const mailboxCalls = {
  getMailboxes: call({
    summary: 'Lists the mailboxes of the caller',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/mail/mailbox/list',
    payload: 'none',
    guard: accountHolder,
    input: z.strictObject({}),
    data: z.strictObject({
      list: z.array(Mailbox),
      canBindOutlook: z.boolean().describe('An administrator has set up the binding of Outlook mailboxes.'),
    }),
  }),
  getMailbox: call({
    summary: 'Answers the settings of a mailbox, without its password',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/mail/mailbox/detail/{boxId}',
    payload: 'none',
    gate: ({ boxId }) => [on(mailboxKind, boxId, 'use')],
    input: z.strictObject({ boxId: Id.describe('The mailbox.') }),
    sample: (ids) => ({ boxId: ids.boxId }),
    data: Mailbox,
    codes: ['notFound'],
  }),
  createMailbox: call({
    summary: 'Adds a mailbox and begins to fetch its mail',
    title: { zh: '添加邮箱', en: 'Mailbox added' },
    ...ours,
    kind: 'write',
    method: 'POST',
    path: '/services2/mail/mailbox/create',
    payload: 'json',
    guard: accountHolder,
    audits: ['account'],
    input: z.strictObject({ ...settings, password }),
    sample: () => ({
      account: 'anna@example.com',
      mailProtocol: 'imap',
      imapAddress: 'imap.example.com',
      password: 'Test#2026',
      fetch: false,
    }),
    data: z.strictObject({ boxId: z.int() }),
    codes: ['alreadyExists', 'tooMany', 'badRequest'],
  }),
  updateMailbox: call({
    summary: 'Changes a mailbox; a paused one is used again',
    title: { zh: '修改邮箱设置', en: 'Mailbox changed' },
    ...ours,
    log: 'none',
    kind: 'write',
    method: 'POST',
    path: '/services2/mail/mailbox/update/{boxId}',
    payload: 'json',
    gate: ({ boxId }) => [on(mailboxKind, boxId, 'use', 'change')],
    input: z.strictObject({
      boxId: Id.describe('The mailbox.'),
      ...settings,
      password: password.optional(),
      isDefault: Flag.optional().describe('Whether mails are sent from it unless another is chosen.'),
    }),
    sample: (ids) => ({
      boxId: ids.boxId,
      account: 'anna@example.com',
      mailProtocol: 'imap',
      imapAddress: 'imap.example.com',
      fetch: false,
    }),
    data: Nothing,
    codes: ['notFound', 'alreadyExists', 'badRequest'],
  }),
  /** The mails at the provider stay there. */
  deleteMailbox: call({
    summary: 'Removes a mailbox with everything that was fetched from it',
    title: { zh: '删除邮箱', en: 'Mailbox removed' },
    ...ours,
    log: 'none',
    kind: 'write',
    method: 'POST',
    path: '/services2/mail/mailbox/delete/{boxId}',
    payload: 'none',
    gate: ({ boxId }) => [on(mailboxKind, boxId, 'use', 'change')],
    input: z.strictObject({ boxId: Id.describe('The mailbox.') }),
    sample: (ids) => ({ boxId: ids.boxId }),
    data: Nothing,
    codes: ['notFound'],
  }),
  /** With `boxId` and without a password, the stored password is used if servers and name are those stored. */
  checkMailbox: call({
    summary: 'Tries settings of a mailbox and says which step fails',
    ...ours,
    kind: 'read',
    method: 'POST',
    path: '/services2/mail/check',
    payload: 'json',
    guard: accountHolder,
    input: z.strictObject({
      boxId: Id.optional().describe('The mailbox to check with its stored password; absent for a new one.'),
      ...settings,
      password: password.optional(),
    }),
    sample: () => ({
      account: 'anna@example.com',
      mailProtocol: 'imap',
      imapAddress: '127.0.0.1',
      password: 'Test#2026',
    }),
    data: z.strictObject({ passed: z.boolean(), steps: z.array(Step) }),
    codes: ['badRequest', 'notFound', 'sendingTooOften'],
  }),
  /** The mailbox that is bound is that of whoever signs in at Microsoft. */
  startOutlookBinding: call({
    summary: 'Begins to bind an Outlook mailbox and answers the page of Microsoft to go to',
    title: { zh: '开始绑定 Outlook 邮箱', en: 'Outlook binding begun' },
    ...ours,
    kind: 'staged',
    audit: 'technical',
    log: 'none',
    method: 'POST',
    path: '/services2/mail/outlook/start',
    payload: 'json',
    guard: accountHolder,
    audits: ['boxId'],
    input: z.strictObject({
      boxId: Id.optional().describe('The mailbox whose permission has ended; absent for another one.'),
    }),
    sample: () => ({}),
    data: z.strictObject({ address: z.string() }),
    codes: ['mailNotSetUp', 'notFound', 'providerUnavailable', 'sendingTooOften'],
  }),
  finishOutlookBinding: call({
    summary: 'Finishes the binding of an Outlook mailbox and begins to fetch its mail',
    title: { zh: '绑定 Outlook 邮箱', en: 'Outlook mailbox bound' },
    ...ours,
    kind: 'staged',
    log: 'none',
    method: 'POST',
    path: '/services2/mail/outlook/finish',
    payload: 'json',
    guard: accountHolder,
    input: z.strictObject({ query: text(8000).describe('What Microsoft appended to the address of the page.') }),
    sample: () => ({ query: '?code=x&state=x' }),
    data: z.strictObject({ boxId: z.int(), account: z.string() }),
    codes: ['signInAbnormal', 'signInRejected', 'providerUnavailable', 'badRequest', 'tooMany'],
  }),
  setOutlookSecret: call({
    summary: 'Sets the secret of the application by which people bind Outlook; an empty one takes it away',
    title: { zh: '设置 Outlook 应用密钥', en: 'Secret of the Outlook application' },
    ...ours,
    kind: 'write',
    method: 'POST',
    path: '/services2/mail/outlook/setSecret',
    payload: 'json',
    guard: systemAdministrator,
    input: z.strictObject({ secret: text(500).describe('The client secret.') }),
    sample: () => ({ secret: 'Test#2026' }),
    data: Nothing,
  }),
  getOutlookStatus: call({
    summary: 'Tells what the binding of Outlook still needs, and how many mailboxes are bound',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/mail/outlook/status',
    payload: 'none',
    guard: systemAdministrator,
    input: z.strictObject({}),
    data: z.strictObject({
      ready: z.boolean(),
      hasSecret: z.boolean(),
      returnAddress: z.string().describe('The redirect address to register at Microsoft.'),
      mailboxes: z.int(),
    }),
  }),
  guessMailbox: call({
    summary: 'Proposes the servers of a mail address, by its provider',
    ...ours,
    kind: 'read',
    method: 'GET',
    path: '/services2/mail/mailbox/guess',
    payload: 'query',
    guard: accountHolder,
    input: z.strictObject({ account: Account.describe('The mail address.') }),
    sample: () => ({ account: 'anna@163.com' }),
    data: z.strictObject({
      isKnown: z.boolean(),
      mailProtocol: z.enum(mailProtocols),
      imapAddress: z.string(),
      imapPort: z.int(),
      smtpAddress: z.string(),
      smtpPort: z.int(),
      ssl: z.boolean(),
      /** The provider accepts an authorization code, not the password. */
      needsCode: z.boolean(),
      /** Where its settings page gives the code; empty if there is none. */
      codeAddress: z.string(),
    }),
  }),
}

const outlook = { power: 'system', group: 'mail' } as const

export const mailboxes = feature({
  about: { name: 'mailboxes', text: 'Mailboxes of people at their mail servers' },
  switchedBy: 'mail',
  calls: mailboxCalls,
  objects: { mailbox: mailboxKind },
  settings: {
    setting: {
      /** People may use their mailboxes here ([R159]). */
      email: z.boolean().default(true),
    },
    inner: {
      /** Mail servers at addresses of this machine that people may name. */
      mailbox_local_hosts: z.array(z.string().max(255)).default([]),
      /** The application registered at Microsoft ([R290]); empty: no Outlook mailbox can be bound. */
      outlook_client_id: z.string().max(200).default(''),
      outlook_authority: z.string().max(300).default('https://login.microsoftonline.com/common/v2.0'),
      outlook_scope: z
        .string()
        .max(600)
        .default(
          'openid email profile offline_access https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send',
        ),
      outlook_imap: z.string().max(260).default('outlook.office365.com:993'),
      outlook_smtp: z.string().max(260).default('smtp.office365.com:587'),
    },
    administered: {
      email: {
        label: { zh: '电子邮件', en: 'E-mail' },
        note: {
          zh: '同事可以在这里收发自己邮箱的邮件，并用邮件发送文件；关闭后邮件页面和“发送邮件”都不再出现，已收取的邮件保留。',
          en: 'People read and write the mail of their own mailboxes here, and send files by mail. Off, the page and the action are not shown; what was fetched stays.',
        },
        power: 'system',
        group: 'mail',
        as: 'switch',
      },
      mailbox_local_hosts: {
        label: { zh: '本机邮件服务器', en: 'Mail servers on this machine' },
        note: {
          zh: '默认不连接本机地址，以免有人用邮箱设置探测本机服务；邮件服务器装在本机时，在此填写它的主机名，每行一个。',
          en: 'Addresses of this machine are refused, so that nobody probes its services by mailbox settings. If the mail server runs here, enter its host name, one on each line.',
        },
        power: 'system',
        group: 'mail',
        as: 'lines',
      },
      outlook_client_id: {
        label: { zh: 'Outlook 应用 ID', en: 'Outlook application ID' },
        note: {
          zh: '在 Microsoft Entra 注册的应用的客户端 ID；填写后，同事可以用 Microsoft 账号绑定 Outlook 邮箱，无需密码。留空则不提供绑定。',
          en: 'The client ID of an application registered in Microsoft Entra. People can then bind their Outlook mailboxes with their Microsoft account, without a password. Empty, binding is not offered.',
        },
        ...outlook,
        as: 'text',
        entered: text(200).regex(/^[\w-]*$/, 'a client ID'),
      },
      outlook_authority: {
        label: { zh: 'Microsoft 登录地址', en: 'Microsoft sign-in address' },
        note: {
          zh: '只允许本企业的账号时，把 common 改为租户 ID；世纪互联运营的版本填 https://login.partner.microsoftonline.cn/common/v2.0。',
          en: 'Replace common by your tenant ID to admit accounts of your company alone. For Microsoft 365 operated by 21Vianet: https://login.partner.microsoftonline.cn/common/v2.0.',
        },
        ...outlook,
        as: 'text',
        entered: text(300).regex(/^https?:\/\/[^\s?#]+$/, 'an address'),
      },
      outlook_scope: {
        label: { zh: 'Outlook 权限范围', en: 'Outlook permissions' },
        note: {
          zh: '必须包含 offline_access。世纪互联版本把 outlook.office.com 改为 partner.outlook.cn。',
          en: 'Must contain offline_access. For 21Vianet replace outlook.office.com by partner.outlook.cn.',
        },
        ...outlook,
        as: 'text',
        entered: text(600).regex(/\boffline_access\b/, 'a scope with offline_access'),
      },
      outlook_imap: {
        label: { zh: 'Outlook 收信服务器', en: 'Outlook receiving server' },
        note: {
          zh: '主机名:端口，世纪互联版本为 partner.outlook.cn:993。',
          en: 'Host:port; for 21Vianet partner.outlook.cn:993.',
        },
        ...outlook,
        as: 'text',
        entered: text(260).regex(/^[\w.-]+(:\d{1,5})?$/, 'a host name and a port'),
      },
      outlook_smtp: {
        label: { zh: 'Outlook 发信服务器', en: 'Outlook sending server' },
        note: {
          zh: '主机名:端口，世纪互联版本为 partner.outlook.cn:587。',
          en: 'Host:port; for 21Vianet partner.outlook.cn:587.',
        },
        ...outlook,
        as: 'text',
        entered: text(260).regex(/^[\w.-]+(:\d{1,5})?$/, 'a host name and a port'),
      },
    },
  },
})
