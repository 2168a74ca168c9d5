// The table of comments on files and folders.
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    comment: {
      id: Identity
      item_id: number
      parent_id: number | null
      account_id: number
      text: string
      grade: number | null
      version: number
      mentioned: Generated<number[]>
      /** The one- and two-character grams of the text, for search. */
      grams: Generated<string[]>
      created_at: number
      edited_at: Generated<number | null>
      deleted_at: Generated<number | null>
    }
  }
}

export const commentTables = {
  comment: { backup: 'kept', accounts: { account_id: 'stays' } },
} as const satisfies Tables
