// What the page of webhooks and its drawer share: a row, and the key of the list in the query cache.
import type { Answer, calls } from '@cloudoc/contract'

export type Webhook = Answer<typeof calls.getWebhooks>['list'][number]

export const webhooksKey = ['admin', 'webhooks'] as const
