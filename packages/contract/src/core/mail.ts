// Outgoing mail: the mail server settings and the test call.
import { z } from 'zod'
import { systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Nothing, Time, text } from '../fields.ts'

/** A bare mail address without a display name. */
export const MailAddress = text(254).regex(/^[^\s@<>"(),:;\\]+@[^\s@<>"(),:;\\]+$/, 'a mail address')

/** Encryption of the connection to the mail server. */
const securities = ['starttls', 'tls', 'plain'] as const

const mailCalls = {
  setMailPassword: call({
    summary: 'Sets the password of the mail account; an empty one takes it away',
    title: { zh: '设置邮件密码', en: 'Password of the mail account' },
    kind: 'write',
    method: 'POST',
    path: '/services2/mail/setMailPassword',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ password: text(500) }),
    sample: () => ({ password: 'Test#2026' }),
    data: Nothing,
  }),
  getMailStatus: call({
    summary: 'Tells whether mail can go out, and what became of the latest',
    kind: 'read',
    method: 'GET',
    path: '/services2/mail/getMailStatus',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({}),
    data: z.strictObject({
      /** True when a server and a sender are configured. */
      ready: z.boolean(),
      hasPassword: z.boolean(),
      /** The mail address of the caller, if there is one. */
      own: z.string(),
      waiting: z.int(),
      failed: z.int(),
      /** The newest mail that could not be sent (finally or at the last attempt), and the reason. */
      latest: z.strictObject({ at: Time.nullable(), why: z.string() }).nullable(),
    }),
  }),
  /** Sends one test mail by the same path as every other mail. A refusal contains the reason. */
  sendTestMail: call({
    summary: 'Sends a mail now and says what became of it',
    title: { zh: '发送测试邮件', en: 'Test mail' },
    kind: 'staged',
    method: 'POST',
    path: '/services2/mail/sendTestMail',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ to: MailAddress }),
    sample: () => ({ to: 'nobody@example.com' }),
    data: Nothing,
    codes: ['mailNotSetUp', 'mailNotSent'],
  }),
}

const place = { power: 'system', group: 'mail' } as const

export const mail = feature({
  about: { name: 'mail', text: 'Mail that goes out' },
  calls: mailCalls,
  settings: {
    inner: {
      /** The outgoing mail server; empty: no mail is sent. */
      mail_host: z.string().max(255).default(''),
      mail_port: z.int().min(1).max(65_535).default(587),
      mail_security: z.enum(securities).default('starttls'),
      /** Account on the mail server; empty: no authentication. */
      mail_account: z.string().max(200).default(''),
      /** Sender address of outgoing mail. */
      mail_sender: z.string().max(254).default(''),
    },
    administered: {
      mail_host: {
        label: { zh: '邮件服务器', en: 'Mail server' },
        note: {
          zh: '公司的 SMTP 服务器，如 smtp.example.com；留空则不发邮件。',
          en: 'The SMTP server of the company, such as smtp.example.com; empty, no mail goes out.',
        },
        ...place,
        as: 'host',
        entered: text(255).regex(/^[\w.:-]*$/, 'a host name or an address'),
      },
      mail_port: {
        label: { zh: '端口', en: 'Port' },
        note: {
          zh: 'STARTTLS 通常为 587，TLS 通常为 465，不加密通常为 25。',
          en: 'Usually 587 for STARTTLS, 465 for TLS, 25 without encryption.',
        },
        ...place,
        as: 'number',
      },
      mail_security: {
        label: { zh: '加密方式', en: 'Encryption' },
        note: { zh: '不加密只适合同一内网里的服务器。', en: 'Without it only for a server in the same network.' },
        ...place,
        as: 'choice',
        choices: securities,
      },
      mail_account: {
        label: { zh: '登录账号', en: 'Account' },
        note: { zh: '邮件服务器不要求登录时留空。', en: 'Empty where the mail server asks nobody to sign in.' },
        ...place,
        as: 'text',
        entered: text(200),
      },
      mail_sender: {
        label: { zh: '发件地址', en: 'Sender' },
        note: {
          zh: '邮件由此地址发出，显示的名称是企业名称。',
          en: 'Mail comes from this address; the name shown is that of the company.',
        },
        ...place,
        as: 'mail',
        entered: z.union([z.literal(''), MailAddress]),
      },
    },
  },
})
