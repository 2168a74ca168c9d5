// The tables of download limits.
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    download_limit: {
      id: Identity
      account_id: number | null
      group_id: number | null
      role_id: number | null
      per_day: number
    }
    download_day: {
      account_id: number
      day: string
      taken: number
      /** Extra downloads granted for the day, on top of the limit. */
      more: Generated<number>
    }
    download_taken: { account_id: number; item_id: number; version: number; at: number }
  }
}

export const downloadTables = {
  download_limit: { backup: 'kept', accounts: { account_id: 'stays' } },
  download_day: { backup: 'kept', accounts: { account_id: 'stays' } },
  download_taken: { backup: 'left', accounts: { account_id: 'stays' } },
} as const satisfies Tables
