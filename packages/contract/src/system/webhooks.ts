// Webhooks: changes are sent to other programs of the company as signed HTTP requests.
import { deliveryStates, webhookStates, webhookTopics } from '@cloudoc/domain'
import { z } from 'zod'
import { systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { Flag, Id, integer, Nothing, pageOf, Time, text } from '../fields.ts'

const WebhookId = Id.describe('The webhook.')
const Name = text(100)
  .refine((name) => name.trim() !== '', 'a name')
  .describe('What administrators call it.')
const Address = z
  .url({ protocol: /^https?$/ })
  .max(1000)
  .refine((address) => !/^https?:\/\/[^/?#]*@/i.test(address), 'without an account')
  .describe(
    'Where the requests go: http or https, without an account and password in it. Addresses of the machine’s own network services are refused.',
  )
const Topics = z
  .array(z.enum(webhookTopics))
  .min(1)
  .max(webhookTopics.length)
  .describe('What it is told of. `notices`: what its owner is notified of.')
const Position = integer(0, Number.MAX_SAFE_INTEGER)

const Webhook = z
  .strictObject({
    webhookId: z.int(),
    name: z.string(),
    address: z.string(),
    topics: z.array(z.enum(webhookTopics)),
    state: z.enum(webhookStates),
    ownerId: z.int().describe('The administrator who made it: it is told what this account may know.'),
    ownerName: z.string(),
    isOwn: z.boolean(),
    createTime: Time,
    waiting: z.int().describe('Deliveries that wait or are tried again.'),
    dead: z.int().describe('Deliveries that were given up.'),
    deliveredTime: Time.describe('When the last one arrived; 0 if none has.'),
    problem: z.string().describe('What the last failed attempt met since then; empty if none.'),
  })
  .meta({ id: 'Webhook' })

const Delivery = z
  .strictObject({
    deliveryId: z.int(),
    name: z.string().describe('The name of its push, or `test`.'),
    position: z.int().describe('The position of the change among all.'),
    state: z.enum(deliveryStates),
    attempts: z.int(),
    createTime: Time,
    dueTime: Time.describe('When it is tried next, while it waits.'),
    status: z.int().describe('The HTTP status of the last answer; 0 if there was none.'),
    problem: z.string(),
  })
  .meta({ id: 'WebhookDelivery' })

const administered = { auth: 'required', origin: 'ours', guard: systemAdministrator } as const
const change = { ...administered, kind: 'write', method: 'POST', payload: 'json', audits: ['webhookId'] } as const

export const webhooks = feature({
  about: { name: 'webhooks', text: 'Changes sent to other programs of the company as signed HTTP requests' },
  calls: {
    getWebhooks: call({
      ...administered,
      summary: 'Lists the webhooks and how their deliveries stand',
      kind: 'read',
      method: 'GET',
      path: '/services2/webhook/getWebhooks',
      payload: 'none',
      input: z.strictObject({}),
      sample: () => ({}),
      data: z.strictObject({
        list: z.array(Webhook),
        position: z.int().describe('The position of the newest change.'),
        oldest: z.int().describe('The lowest position that can be replayed.'),
      }),
    }),
    createWebhook: call({
      ...change,
      summary: 'Creates a webhook, which is told what the caller may know',
      title: { zh: '新建 Webhook', en: 'Webhook created' },
      notes: 'The secret is told here alone. Requests are signed with it as Standard Webhooks says.',
      path: '/services2/webhook/createWebhook',
      audits: ['name', 'address'],
      input: z.strictObject({ name: Name, address: Address, topics: Topics }),
      sample: () => ({ name: 'ERP', address: 'https://erp.example.com/hook', topics: ['items'] }),
      data: z.strictObject({ webhookId: z.int(), secret: z.string().describe('`whsec_` and 32 bytes in base64.') }),
      codes: ['alreadyExists', 'tooMany'],
    }),
    changeWebhook: call({
      ...change,
      summary: 'Changes the name, the address and the topics of an own webhook',
      title: { zh: '修改 Webhook', en: 'Webhook changed' },
      notes: 'Only its owner changes it: it is told what this account may know.',
      path: '/services2/webhook/changeWebhook',
      audits: ['webhookId', 'name', 'address'],
      input: z.strictObject({ webhookId: WebhookId, name: Name, address: Address, topics: Topics }),
      sample: () => ({ webhookId: 987_654_321, name: 'ERP', address: 'https://erp.example.com', topics: ['items'] }),
      data: Nothing,
      codes: ['notFound', 'noPermission', 'alreadyExists'],
    }),
    pauseWebhook: call({
      ...change,
      summary: 'Pauses a webhook, or lets it go on with what has waited',
      title: { zh: '暂停或继续 Webhook', en: 'Webhook paused or resumed' },
      path: '/services2/webhook/pauseWebhook',
      audits: ['webhookId', 'paused'],
      input: z.strictObject({ webhookId: WebhookId, paused: Flag.describe('Whether it is paused.') }),
      sample: () => ({ webhookId: 987_654_321, paused: true }),
      data: Nothing,
      codes: ['notFound'],
    }),
    renewWebhookSecret: call({
      ...change,
      summary: 'Gives an own webhook a new secret',
      title: { zh: '更换 Webhook 密钥', en: 'Webhook secret renewed' },
      notes: 'For a day requests bear both signatures, so that the receiver can change over.',
      path: '/services2/webhook/renewWebhookSecret',
      input: z.strictObject({ webhookId: WebhookId }),
      sample: () => ({ webhookId: 987_654_321 }),
      data: z.strictObject({ secret: z.string() }),
      codes: ['notFound', 'noPermission'],
    }),
    deleteWebhook: call({
      ...change,
      summary: 'Deletes a webhook with what waits for it',
      title: { zh: '删除 Webhook', en: 'Webhook deleted' },
      path: '/services2/webhook/deleteWebhook',
      input: z.strictObject({ webhookId: WebhookId }),
      sample: () => ({ webhookId: 987_654_321 }),
      data: Nothing,
      codes: ['notFound'],
    }),
    testWebhook: call({
      ...change,
      summary: 'Sends a test event to a webhook',
      title: { zh: '测试 Webhook', en: 'Webhook tested' },
      notes: 'It is a delivery named `test`, signed and tried again like every other.',
      path: '/services2/webhook/testWebhook',
      input: z.strictObject({ webhookId: WebhookId }),
      sample: () => ({ webhookId: 987_654_321 }),
      data: z.strictObject({ deliveryId: z.int() }),
      codes: ['notFound', 'tooMany'],
    }),
    getWebhookDeliveries: call({
      ...administered,
      summary: 'Lists the deliveries of a webhook, the newest first',
      notes: 'Delivered ones are kept for 7 days, others for 30.',
      kind: 'read',
      method: 'GET',
      path: '/services2/webhook/getWebhookDeliveries',
      payload: 'query',
      input: z.strictObject({
        webhookId: WebhookId,
        state: z.enum(deliveryStates).optional().describe('Only those in this state.'),
        ...pageOf(50, 200),
      }),
      sample: () => ({ webhookId: 987_654_321 }),
      data: z.strictObject({ list: z.array(Delivery), total: z.int() }),
      codes: ['notFound'],
    }),
    retryWebhookDeliveries: call({
      ...change,
      summary: 'Sends given-up deliveries again; without ids all of the webhook',
      title: { zh: '重发 Webhook 消息', en: 'Webhook deliveries sent again' },
      path: '/services2/webhook/retryWebhookDeliveries',
      input: z.strictObject({
        webhookId: WebhookId,
        deliveryIds: z.array(Id).max(1000).default([]).describe('The deliveries; none stands for all.'),
      }),
      sample: () => ({ webhookId: 987_654_321 }),
      data: z.strictObject({ retried: z.array(z.int()).describe('The deliveries that were given up and wait now.') }),
      codes: ['notFound'],
    }),
    replayWebhook: call({
      ...change,
      summary: 'Sends an own webhook everything from a position on again',
      title: { zh: '重放 Webhook 消息', en: 'Webhook replayed' },
      notes:
        'Changes are kept for 7 days. A delivery has the same id as before; what the owner may no longer know is not sent.',
      path: '/services2/webhook/replayWebhook',
      audits: ['webhookId', 'position'],
      input: z.strictObject({ webhookId: WebhookId, position: Position.describe('The first position to be sent.') }),
      sample: () => ({ webhookId: 987_654_321, position: 1 }),
      data: Nothing,
      codes: ['notFound', 'noPermission'],
    }),
  },
})
