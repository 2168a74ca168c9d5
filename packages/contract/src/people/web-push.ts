// Web push: notices that reach a device while no page is open.
import { z } from 'zod'
import { accountHolder, ownAccount } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Nothing, TimeZone, text } from '../fields.ts'

const Minute = z
  .int()
  .min(0)
  .max(24 * 60 - 1)
  .describe('Minutes after midnight.')
const Quiet = z.strictObject({ from: Minute, to: Minute }).describe('May span midnight.')

const place = { power: 'system', group: 'network' } as const

export const webPush = feature({
  about: { name: 'webPush', text: 'Notices by the push service of a browser' },
  calls: {
    getWebPush: call({
      summary: 'Tells whether notices reach this device while no page is open',
      kind: 'read',
      method: 'GET',
      path: '/services2/notify/getWebPush',
      auth: 'required',
      payload: 'none',
      origin: 'ours',
      guard: ownAccount,
      input: z.strictObject({}),
      data: z.strictObject({
        offered: z.boolean().describe('Whether the operator has switched it on.'),
        on: z.boolean().describe('Whether the session of the caller has a subscription.'),
        quiet: Quiet.nullable(),
      }),
    }),
    prepareWebPush: call({
      summary: 'Returns the public key with which a browser subscribes',
      title: { zh: '准备推送通知', en: 'Web push prepared' },
      notes: 'The key pair is made at the first call; the private key is stored sealed.',
      kind: 'write',
      method: 'POST',
      path: '/services2/notify/prepareWebPush',
      auth: 'required',
      payload: 'none',
      origin: 'ours',
      guard: accountHolder,
      input: z.strictObject({}),
      sample: () => ({}),
      data: z.strictObject({ publicKey: z.string() }),
    }),
    setWebPush: call({
      summary: 'Subscribes the session of the caller to notices by web push',
      title: { zh: '开启推送通知', en: 'Web push switched on' },
      notes:
        'Ends with the session. In quiet hours nothing is sent; what is still unread afterwards is. An address in a private network is refused unless the operator has named its host.',
      kind: 'write',
      method: 'POST',
      path: '/services2/notify/setWebPush',
      auth: 'required',
      payload: 'json',
      origin: 'ours',
      guard: accountHolder,
      input: z.strictObject({
        endpoint: text(2000).describe('The address at the push service.'),
        p256dh: text(100).describe('The public key of the browser, as base64url.'),
        auth: text(40).describe('The secret of the subscription, as base64url.'),
        quiet: Quiet.optional(),
        timeZone: TimeZone.default('Asia/Shanghai').describe('Where the quiet hours are.'),
      }),
      sample: () => ({
        endpoint: 'https://push.example.com/subscription',
        p256dh: `B${'A'.repeat(86)}`,
        auth: 'A'.repeat(22),
      }),
      data: Nothing,
      codes: ['badRequest'],
    }),
    endWebPush: call({
      summary: 'Ends the subscription of the session of the caller',
      title: { zh: '关闭推送通知', en: 'Web push switched off' },
      kind: 'write',
      method: 'POST',
      path: '/services2/notify/endWebPush',
      auth: 'required',
      payload: 'none',
      origin: 'ours',
      guard: accountHolder,
      input: z.strictObject({}),
      sample: () => ({}),
      data: Nothing,
    }),
  },
  settings: {
    inner: {
      /** Off: nothing is sent to push services. */
      web_push: z.boolean().default(false),
      /** Whether the sentence of a notice is sent, or only that there is one. */
      web_push_titles: z.boolean().default(false),
      /** Hosts of push services in a private network. */
      web_push_hosts: z.array(z.string().max(255)).default([]),
    },
    administered: {
      web_push: {
        label: { zh: '手机推送通知', en: 'Web push' },
        note: {
          zh: '网页关着时，也把新通知送到同事的手机；经过手机浏览器厂商的推送服务器，内容加密。',
          en: 'Notices reach the phones of people while no page is open. They pass through the push service of the browser’s maker, encrypted.',
        },
        ...place,
        as: 'switch',
      },
      web_push_titles: {
        label: { zh: '推送里写明内容', en: 'Notices in web push' },
        note: {
          zh: '关闭时，推送只说有新通知，打开网页才看到内容。',
          en: 'Off, a push only says that there are notices; the page shows what they are.',
        },
        ...place,
        as: 'switch',
      },
      web_push_hosts: {
        label: { zh: '内网推送服务器', en: 'Push services in the private network' },
        note: {
          zh: '默认不向内网地址发送推送，以免有人借此探测内网；推送服务器在内网时，在此填写它的主机名，每行一个。',
          en: 'Nothing is sent to private addresses, so that nobody probes the network. If the push service is in it, enter its host name, one on each line.',
        },
        ...place,
        as: 'lines',
      },
    },
  },
})
