// Outgoing SMS: the gateway settings and the test call.
import { z } from 'zod'
import { systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Nothing, Time, text } from '../fields.ts'

/** A phone number as users type it; `mobileOf` in the domain package normalizes it. */
export const MobileNumber = text(32).regex(/^[+\d\s()-]*$/, 'a mobile number')

const methods = ['POST', 'GET'] as const

/** Hosts of the same network: codes may be sent unencrypted to these only. */
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

/** Headers that the HTTP connection itself sets cannot be configured. */
const ownHeaders = /^(host|content-length|transfer-encoding|connection|accept-encoding|expect|upgrade|te|trailer)$/i

const HeaderLine = text(200)
  .regex(/^[A-Za-z\d-]{1,60}: ?[\x20-\x7e]*$/, 'a line such as "Name: value"')
  .refine((line) => !ownHeaders.test(line.slice(0, line.indexOf(':'))), 'another header than those of the connection')

const smsCalls = {
  setSmsSecret: call({
    summary: 'Sets the key of the gateway for short messages; an empty one takes it away',
    title: { zh: '设置短信网关密钥', en: 'Key of the gateway for short messages' },
    kind: 'write',
    method: 'POST',
    path: '/services2/sms/setSmsSecret',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    /** Visible ASCII characters, so that the secret is valid in a header. */
    input: z.strictObject({ secret: text(500).regex(/^[\x21-\x7e]*$/) }),
    sample: () => ({ secret: 'x' }),
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
      /** True when a gateway is configured. */
      ready: z.boolean(),
      hasSecret: z.boolean(),
      /** The phone number of the caller, if there is one. */
      own: z.string(),
      waiting: z.int(),
      failed: z.int(),
      /** The newest message that could not be sent (finally or at the last attempt), and the reason. */
      latest: z.strictObject({ at: Time.nullable(), why: z.string() }).nullable(),
    }),
  }),
  /**
   * Sends one test message by the same path as every other message, with the code 000000. A refusal contains the
   * reason.
   */
  sendTestSms: call({
    summary: 'Sends a short message now and says what became of it',
    title: { zh: '发送测试短信', en: 'Test message' },
    kind: 'staged',
    method: 'POST',
    path: '/services2/sms/sendTestSms',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ phone: MobileNumber }),
    sample: () => ({ phone: '13800000000' }),
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
       * URL of the SMS gateway; empty: no SMS is sent. `{phone}`, `{code}` and `{secret}` are replaced in the URL, the
       * headers and the body.
       */
      sms_url: z.string().max(500).default(''),
      sms_method: z.enum(methods).default('POST'),
      /** One header per line. */
      sms_headers: z.array(z.string()).default([]),
      sms_body: z.string().max(1000).default(''),
      /** Text that the gateway's answer contains on success; empty: the HTTP status decides. */
      sms_success: z.string().max(200).default(''),
    },
    administered: {
      sms_url: {
        label: { zh: '短信网关地址', en: 'Gateway' },
        note: {
          zh: '短信服务商的接口，手机号、验证码和密钥处按示例写占位符 phone、code、secret；留空则不发短信，登录页也不出现。',
          en: 'The interface of your provider of short messages, with phone, code and secret in braces where they belong, as in the example; empty, none is sent and the login page shows nothing of it.',
        },
        ...place,
        as: 'gateway',
        entered: GatewayAddress,
        example: 'https://sms.example.com/send?to={phone}&code={code}',
      },
      sms_method: {
        label: { zh: '请求方法', en: 'Method' },
        note: { zh: '按服务商的接口说明选择。', en: 'As the provider describes it.' },
        ...place,
        as: 'choice',
        choices: methods,
      },
      sms_headers: {
        label: { zh: '请求头', en: 'Headers' },
        note: { zh: '每行一个；占位符同上。', en: 'One in each line, with the same words in braces.' },
        ...place,
        as: 'lines',
        entered: z.array(HeaderLine).max(20),
        example: 'Authorization: Bearer {secret}',
      },
      sms_body: {
        label: { zh: '请求内容', en: 'Body' },
        note: {
          zh: 'POST 时发送。看起来是 JSON 就按 JSON，否则按表单；也可用请求头 Content-Type 指定。',
          en: 'Sent with POST: as JSON where it looks like that, as a form otherwise, or as the header Content-Type says.',
        },
        ...place,
        as: 'text',
        entered: text(500),
        example: '{"mobile":"{phone}","code":"{code}"}',
      },
      sms_success: {
        label: { zh: '成功标志', en: 'Sign of success' },
        note: {
          zh: '应答中含有这段文字才算发出；留空则看 HTTP 状态。',
          en: 'A message counts as sent where the answer contains this; empty, the HTTP status says it.',
        },
        ...place,
        as: 'text',
        entered: text(200),
        example: '"code":0',
      },
    },
  },
})
