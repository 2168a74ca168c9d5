// Short messages that go out: through which gateway, and trying it.
import { z } from 'zod'
import { systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Nothing, Time, text } from '../fields.ts'

/** A number that a message can go to, as people write it; `mobileOf` of the domain makes it one for machines. */
export const MobileNumber = text(32).regex(/^[+\d\s()-]*$/, 'a mobile number')

const methods = ['POST', 'GET'] as const

/** Machines of the same network: codes go to them unencrypted at most. */
const near =
  /^(localhost|127\.\d+\.\d+\.\d+|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|172\.(1[6-9]|2\d|3[01])\.\d+\.\d+|\[::1\]|\[f[cd][\da-f]{2}:[\da-f:]+\])$/i
const gateway = /^(https?):\/\/([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?([/?][^\s\\#]*)?$/i

function isGateway(address: string): boolean {
  const [, protocol = '', host = ''] = gateway.exec(address) ?? []
  return protocol.toLowerCase() === 'https' || (protocol !== '' && near.test(host))
}

const GatewayAddress = text(500).refine(
  (value) => value === '' || isGateway(value),
  'an address that begins with https://, or with http:// in the same network',
)

/** What the connection itself says is not set. */
const ownHeaders = /^(host|content-length|transfer-encoding|connection|accept-encoding|expect|upgrade|te|trailer)$/i

const HeaderLine = text(200)
  .regex(/^[A-Za-z\d-]{1,60}: ?[\x20-\x7e]*$/, 'a line such as "Name: value"')
  .refine((line) => !ownHeaders.test(line.slice(0, line.indexOf(':'))), 'another header than those of the connection')

const smsCalls = {
  setSmsSecret: call({
    summary: 'Sets the key of the gateway for short messages; an empty one takes it away',
    kind: 'write',
    method: 'POST',
    path: '/services2/sms/setSmsSecret',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    /** Visible characters of ASCII, so that it can stand in a header. */
    input: z.strictObject({ secret: text(500).regex(/^[\x21-\x7e]*$/) }),
    data: Nothing,
  }),
  getSmsStatus: call({
    summary: 'Tells whether short messages can go out, and what became of the latest',
    kind: 'read',
    method: 'GET',
    path: '/services2/sms/getSmsStatus',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({}),
    data: z.strictObject({
      /** A gateway is named. */
      ready: z.boolean(),
      hasSecret: z.boolean(),
      /** The phone of whoever asks, where there is one. */
      own: z.string(),
      waiting: z.int(),
      failed: z.int(),
      /** The latest that could not be sent, or could not at the last attempt, and why. */
      latest: z.strictObject({ at: Time.nullable(), why: z.string() }).nullable(),
    }),
  }),
  /** The same way as every message goes, once, with the code 000000; a refusal says what is wrong. */
  sendTestSms: call({
    summary: 'Sends a short message now and says what became of it',
    kind: 'staged',
    method: 'POST',
    path: '/services2/sms/sendTestSms',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ phone: MobileNumber }),
    data: Nothing,
    codes: ['smsNotSetUp', 'smsNotSent', 'invalidMobileNumber'],
  }),
}

const place = { power: 'system', group: 'sms' } as const

export const sms = feature({
  about: { name: 'sms', text: 'Short messages that go out' },
  calls: smsCalls,
  settings: {
    inner: {
      /**
       * The gateway that takes our short messages; empty: none goes out. `{phone}`, `{code}` and `{secret}` are filled in
       * here, in the headers and in the body.
       */
      sms_url: z.string().max(500).default(''),
      sms_method: z.enum(methods).default('POST'),
      /** One in each line. */
      sms_headers: z.array(z.string()).default([]),
      sms_body: z.string().max(1000).default(''),
      /** What stands in the answer where the gateway has taken a message; empty: the status of the answer says it. */
      sms_success: z.string().max(200).default(''),
    },
    administered: {
      sms_url: {
        ...place,
        as: 'gateway',
        entered: GatewayAddress,
        example: 'https://sms.example.com/send?to={phone}&code={code}',
      },
      sms_method: { ...place, as: 'choice', choices: methods },
      sms_headers: {
        ...place,
        as: 'lines',
        entered: z.array(HeaderLine).max(20),
        example: 'Authorization: Bearer {secret}',
      },
      sms_body: {
        ...place,
        as: 'text',
        entered: text(500),
        example: '{"mobile":"{phone}","code":"{code}"}',
      },
      sms_success: { ...place, as: 'text', entered: text(200), example: '"code":0' },
    },
  },
})
