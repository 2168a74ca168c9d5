// The table of favourites.
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    favorite: { account_id: number; item_id: number; created_at: number }
  }
}

export const favoriteTables = {
  favorite: { backup: 'kept', accounts: { account_id: 'ends' } },
} as const satisfies Tables
