// What is stored about permanently deleted items.
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    gone_item: { id: number; f_type: 1 | 2; name: string }
  }
}

export const recycleTables = {
  gone_item: { backup: 'kept' },
} as const satisfies Tables
