// The table of users already notified that space is running out.
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    folder_space: { folder_id: number; used: number; measured_at: number; unsettled_until: number }
    space_low: { kind: 'account' | 'installation' | 'disk' | 'log' | 'archive'; id: number; at: number }
  }
}

export const quotaTables = { space_low: { backup: 'left' }, folder_space: { backup: 'kept' } } as const satisfies Tables
