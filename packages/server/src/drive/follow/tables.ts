// The table of followed items.
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    follow: {
      account_id: number
      item_id: number
      kind: 1 | 2
      people: number[]
      groups: number[]
      created_at: number
    }
  }
}

export const followTables = {
  follow: { backup: 'kept', accounts: { account_id: 'ends' } },
} as const satisfies Tables
