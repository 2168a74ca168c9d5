// Confirms received personal pushes ([R309]) and returns the position of the channel.
import { z } from 'zod'
import { ownAccount } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { ClientType, Count, text } from '../fields.ts'

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
      /** The best server for programs: host, web port, file port and push port, separated by `|` ([R043]). */
      best_server: z.string().max(300).default(''),
      /** `proxy`: the best server is a proxy, which carries WebSockets only. */
      best_server_property: z.string().max(20).default(''),
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
      best_server: {
        label: { zh: '最佳服务器', en: 'Best server' },
        note: {
          zh: '给客户端程序：主机|网页端口|文件端口|推送端口，不填的部分按服务器自己的地址。本地编辑经文件端口收发内容，连不上时改用服务器自己的端口。',
          en: 'For programs: host|web port|file port|push port; parts left empty are those of the server itself. Local editing transfers contents through the file port, or through the server’s own port if that cannot be reached.',
        },
        power: 'system',
        group: 'network',
        as: 'text',
        example: 'doc.huaxin.example|443||8016',
        entered: text(300).regex(/^([^|\s]*(\|\d{0,5}){0,3})?$/),
      },
      best_server_property: {
        label: { zh: '最佳服务器的类型', en: 'Kind of best server' },
        note: {
          zh: '填 proxy 表示它是代理，程序和网页经过它只用即时推送；留空表示不是代理。',
          en: 'proxy if it is a proxy: programs and pages then use live updates only. Left empty it is none.',
        },
        power: 'system',
        group: 'network',
        as: 'text',
        example: 'proxy',
        entered: text(20).regex(/^(proxy)?$/),
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
