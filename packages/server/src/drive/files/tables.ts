// The table of the sort orders of folders.
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    folder_order: { folder_id: number; sort: 'name' | 'time' | 'size' | 'type'; descending: boolean }
  }
}

export const filesTables = {
  folder_order: { backup: 'kept' },
} as const satisfies Tables
