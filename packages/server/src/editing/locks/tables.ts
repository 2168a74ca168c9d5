// The tables of exclusive editing.
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    edit_wait: {
      item_id: number
      account_id: number
      since: number
      asked_at: number | null
      kept_until: number | null
    }
  }
}

export const lockTables = {
  edit_wait: { backup: 'left', accounts: { account_id: 'ends' } },
} as const satisfies Tables
