// The table of web push.
import type { Locale } from '@cloudoc/domain'
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    push_subscription: {
      session_id: number
      account_id: number
      endpoint_hash: Buffer
      /** The address and the keys of the browser. */
      sealed: string
      locale: Locale
      quiet_from: number | null
      quiet_to: number | null
      time_zone: string
      told_up_to: number
      next_at: Generated<number>
    }
  }
}

/** As the sessions that the subscriptions belong to. */
export const webPushTables = {
  push_subscription: { backup: 'left', accounts: { account_id: 'ends' } },
} as const satisfies Tables
