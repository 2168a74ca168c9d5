// The tables of returns to a moment: what items were, the returns, and what each changed.
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    item_history: {
      id: Identity
      library_id: number
      item_id: number
      at: number
      what: 'item' | 'entry' | 'link' | 'version'
      ref: Generated<number>
      before: NullableJsonb<object>
    }
    rollback: {
      id: Identity
      item_id: number
      account_id: number
      created_at: number
      target_time: number | null
      undo_of: number | null
      with_rights: boolean
      with_links: boolean
      state: Generated<'waiting' | 'done' | 'failed'>
      ended_at: number | null
      problem: Generated<number>
      changed: Generated<number>
      skipped: Generated<number>
    }
    rollback_change: {
      rollback_id: number
      item_id: number
      link_id: Generated<number>
      f_type: 1 | 2
      name: string
      kind: string
      before: Jsonb<object>
      after: Jsonb<object>
      skipped: Generated<string>
    }
  }
}

export const rollbackTables = {
  item_history: { backup: 'kept' },
  rollback: { backup: 'kept', accounts: { account_id: 'stays' } },
  rollback_change: { backup: 'kept' },
} as const satisfies Tables
