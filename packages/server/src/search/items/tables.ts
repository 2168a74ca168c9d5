// The tables of the search index and of saved searches.
import type { SearchQuery } from '@cloudoc/contract'
import type { Generated, JSONColumnType } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'
import type { TextSection } from '../../documents/index.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    search_queue: { item_id: number }
    search_rebuild: { item_id: number }
    search_item: {
      item_id: number
      number: number
      library_id: number
      parent_id: number | null
      modified_at: number
      text: string
      signs: number[]
    }
    search_document: {
      item_id: number
      number: number
      blob_id: number | null
      name: string
      raw: string | null
      signs: number[]
    }
    content_text: {
      blob_id: number
      kind: string
      readers: number
      sections: JSONColumnType<TextSection[]>
      text: string
      problem: string | null
    }
    saved_search: {
      id: Generated<number>
      account_id: number
      name: string
      query: JSONColumnType<SearchQuery>
      created_at: number
    }
  }
}

export const searchTables = {
  search_queue: { backup: 'kept' },
  search_rebuild: { backup: 'kept' },
  search_item: { backup: 'kept' },
  search_document: { backup: 'kept' },
  // It is removed with its content and included in backups, because extracting all text again takes hours.
  content_text: { backup: 'kept' },
  saved_search: { backup: 'kept', accounts: { account_id: 'ends' } },
} as const satisfies Tables
