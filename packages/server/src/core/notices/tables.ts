// The table of notices.
import type { Tables } from '../db/tables.ts'

declare module '../db/schema.ts' {
  interface Schema {
    notice: {
      account_id: number
      remind_id: number
      notice_group: string
      key: string
      push_type: number
      payload: Jsonb<object>
      item_type: 1 | 2 | null
      item_id: number | null
      created_at: number
      read_at: number | null
    }
  }
}

export const noticeTables = {
  notice: { backup: 'kept', accounts: { account_id: 'ends' } },
} as const satisfies Tables
