// The tables of tags and of tagged items.
import { type TagColour } from '@cloudoc/domain'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    tag: {
      id: Identity
      /** Null: a company tag. */
      owner_id: number | null
      name: string
      name_key: string
      name_sort: string
      search_text: string
      colour: TagColour
      created_at: number
      used_at: number
    }
    item_tag: { item_id: number; tag_id: number; account_id: number; created_at: number }
  }
}

export const tagTables = {
  tag: { backup: 'kept', accounts: { owner_id: 'ends' } },
  item_tag: { backup: 'kept', accounts: { account_id: 'stays' } },
} as const satisfies Tables
