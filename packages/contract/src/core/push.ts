// Confirms received personal pushes ([R309]) and returns the position of the channel.
import { z } from 'zod'
import { ownAccount } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { ClientType, Count } from '../fields.ts'

const pushCalls = {
  /** Confirms the caller's own pushes. Identities of other users' pushes match nothing. */
  confirmMsg: call({
    servesReading: true,
    summary: 'Confirms pushes that arrived',
    kind: 'write',
    audit: 'technical',
    method: 'POST',
    path: '/services2/push/confirmMsg/{clientType}',
    auth: 'required',
    payload: 'json',
    bodyField: 'list',
    origin: 'spec',
    quiet: true,
    guard: ownAccount,
    input: z.strictObject({
      clientType: ClientType,
      list: z.array(z.strictObject({ pushType: Count, identity: z.string().regex(/^\d{1,18}$/) })).max(100),
    }),
    sample: () => ({ clientType: 6, list: [] }),
    data: z.strictObject({ confirmed: z.int() }),
  }),
  /**
   * Returns the channel position. A client misses no event if it calls this before it reads its data and then logs in
   * to the channel with this position.
   */
  getPushPosition: call({
    summary: 'Tells where the pushes of the live channel stand',
    kind: 'read',
    method: 'GET',
    path: '/services2/push/getPushPosition',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    quiet: true,
    guard: ownAccount,
    input: z.strictObject({}),
    data: z.strictObject({
      epoch: z.string().describe('Of this installation and its database; positions of another epoch mean nothing.'),
      lastIdentity: z
        .string()
        .describe('The newest identity: what a login to the channel names as the last it has seen.'),
    }),
  }),
}

export const push = feature({
  about: { name: 'push', text: 'Beside the live channel, which /services2/asyncapi.json describes' },
  calls: pushCalls,
  settings: {
    setting: {
      /** Pages use the JSON push channel; if false, the old channel alone ([R342], X25). */
      use_websocket: z.boolean().default(true),
    },
    beside: {
      /** Also enables the old binary channel ([R307], X32). */
      old_push: z.boolean().default(false),
    },
    administered: {
      use_websocket: {
        label: { zh: '即时推送', en: 'Live updates' },
        note: {
          zh: '同事的改动马上显示。关闭后网页改用旧推送通道，即使下面没有启用它。下次登录起生效。',
          en: 'Changes of others show at once. When off, pages use the old push channel instead, even if it is not enabled below. Applies from their next sign-in.',
        },
        power: 'system',
        group: 'network',
        as: 'switch',
      },
      old_push: {
        label: { zh: '旧推送通道', en: 'Old push channel' },
        note: {
          zh: '给旧版客户端用的二进制通道；网页在即时推送连不上时也用它。另开 8016 端口要在启动服务器时指定。',
          en: 'The binary channel of older programs; pages use it as well when live updates cannot connect. Port 8016 is opened by an option at the start of the server.',
        },
        power: 'system',
        group: 'network',
        as: 'switch',
      },
    },
  },
})
