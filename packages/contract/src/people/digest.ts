// The mail digest: a periodic mail with the unread notices of a user.
import { z } from 'zod'
import { accountHolder, ownAccount } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Nothing, TimeZone } from '../fields.ts'

export const digestTimes = ['never', 'hourly', 'daily', 'weekdays'] as const
export type DigestTimes = (typeof digestTimes)[number]

const Every = z.enum(digestTimes)

export const digest = feature({
  about: { name: 'digest', text: 'A mail of what somebody was told and has not seen' },
  calls: {
    getDigest: call({
      summary: 'Tells when the caller gets a mail of what they have not seen',
      kind: 'read',
      method: 'GET',
      path: '/services2/notify/getDigest',
      auth: 'required',
      payload: 'none',
      origin: 'ours',
      guard: ownAccount,
      input: z.strictObject({}),
      data: z.strictObject({
        every: Every,
        email: z.string().describe('Where it goes; empty for who has told no address.'),
        ready: z.boolean().describe('Whether this server can send mail.'),
      }),
    }),
    /**
     * Applies to future notices; uses the language of the request, and links to the address that the request came to.
     */
    setDigest: call({
      summary: 'Sets when the caller gets a mail of what they have not seen',
      title: { zh: '设置通知邮件', en: 'Mail of notices set' },
      kind: 'write',
      method: 'POST',
      path: '/services2/notify/setDigest',
      auth: 'required',
      payload: 'json',
      origin: 'ours',
      guard: accountHolder,
      input: z.strictObject({
        every: Every,
        timeZone: TimeZone.default('Asia/Shanghai').describe('Daily mails come at 9 in the morning there.'),
      }),
      sample: () => ({ every: 'hourly' }),
      data: Nothing,
    }),
  },
})
