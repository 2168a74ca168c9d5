// The table of recently opened items.
import type { RecentAct } from '@cloudoc/contract'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    recent: { account_id: number; item_id: number; act: RecentAct; at: number }
  }
}

export const recentTables = {
  recent: { backup: 'kept', accounts: { account_id: 'ends' } },
} as const satisfies Tables
