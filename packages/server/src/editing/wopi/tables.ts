// The tables of co-editing on an office server.
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    shared_edit: { item_id: number; lock_id: string; since: number; until: number }
    shared_editor: { item_id: number; account_id: number; until: number }
  }
}

export const wopiTables = {
  // In the backup, like the item's status: both end at the same time.
  shared_edit: { backup: 'kept' },
  shared_editor: { backup: 'left', accounts: { account_id: 'ends' } },
} as const satisfies Tables
