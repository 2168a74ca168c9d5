// The tables of webhooks.
import type { DeliveryState, WebhookTopic } from '@cloudoc/domain'
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'
import type { NewEvent } from '../../core/events.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    webhook: {
      id: Identity
      name: string
      address: string
      topics: WebhookTopic[]
      owner_id: number
      sealed_secret: string
      /** The secret before the last change, with which requests are signed as well until `old_secret_until`. */
      old_secret: string | null
      old_secret_until: number | null
      state: Generated<'active' | 'paused'>
      created_at: number
      /** When the last delivery arrived, and what attempts have met since then. */
      delivered_at: Generated<number>
      problem: Generated<string>
    }
    webhook_delivery: {
      id: Identity
      webhook_id: number
      position: number
      is_test: Generated<boolean>
      /** Deliveries about one object are sent in order. */
      object: string
      /** The name of the push; null until its owner is known to be among those who may know it. */
      name: string | null
      event: NewEvent
      actor_id: number | null
      happened_at: number
      created_at: number
      state: Generated<DeliveryState>
      /** From when on it may be sent. While it is being sent: until when nobody else sends it. */
      due: number
      attempts: Generated<number>
      status: Generated<number>
      problem: Generated<string>
    }
  }
}

export const webhookTables = {
  webhook: {
    backup: 'kept',
    accounts: { owner_id: 'stays' },
    refusals: { webhook_name: 'alreadyExists' },
  },
  webhook_delivery: { backup: 'kept', accounts: { actor_id: 'stays' } },
} as const satisfies Tables
