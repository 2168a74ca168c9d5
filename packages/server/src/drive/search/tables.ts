// The tables of the index of names.
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    search_queue: { item_id: number }
    search_item: {
      item_id: number
      number: number
      library_id: number
      parent_id: number | null
      modified_at: number
      text: string
      signs: number[]
    }
  }
}

export const searchTables = {
  search_queue: { backup: 'kept' },
  search_item: { backup: 'kept' },
} as const satisfies Tables
