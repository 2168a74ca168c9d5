// Mail that goes out: through which server, and trying it.
import { z } from 'zod'
import { systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Nothing, Time, text } from '../fields.ts'

/** An address that mail can go to, without a name. */
export const MailAddress = text(254).regex(/^[^\s@<>"(),:;\\]+@[^\s@<>"(),:;\\]+$/, 'a mail address')

/** How the connection to the mail server is kept from others. */
const securities = ['starttls', 'tls', 'plain'] as const

const mailCalls = {
  setMailPassword: call({
    summary: 'Sets the password of the mail account; an empty one takes it away',
    kind: 'write',
    method: 'POST',
    path: '/services2/mail/setMailPassword',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ password: text(500) }),
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
      /** A server and a sender are named. */
      ready: z.boolean(),
      hasPassword: z.boolean(),
      /** The address of whoever asks, where there is one. */
      own: z.string(),
      waiting: z.int(),
      failed: z.int(),
      /** The latest that could not be sent, or could not at the last attempt, and why. */
      latest: z.strictObject({ at: Time.nullable(), why: z.string() }).nullable(),
    }),
  }),
  /** The same way as every mail goes, once; a refusal says what is wrong. */
  sendTestMail: call({
    summary: 'Sends a mail now and says what became of it',
    kind: 'staged',
    method: 'POST',
    path: '/services2/mail/sendTestMail',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ to: MailAddress }),
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
      /** The server that takes our mail; empty: none goes out. */
      mail_host: z.string().max(255).default(''),
      mail_port: z.int().min(1).max(65_535).default(587),
      mail_security: z.enum(securities).default('starttls'),
      /** Who signs in there; empty: nobody has to. */
      mail_account: z.string().max(200).default(''),
      /** What mail comes from. */
      mail_sender: z.string().max(254).default(''),
    },
    administered: {
      mail_host: { ...place, as: 'host', entered: text(255).regex(/^[\w.:-]*$/, 'a host name or an address') },
      mail_port: { ...place, as: 'number' },
      mail_security: { ...place, as: 'choice', choices: securities },
      mail_account: { ...place, as: 'text', entered: text(200) },
      mail_sender: { ...place, as: 'mail', entered: z.union([z.literal(''), MailAddress]) },
    },
  },
})
