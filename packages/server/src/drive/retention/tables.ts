// The table of retention rules.
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    retention_rule: {
      id: Identity
      name: string
      /** A library or a folder; null: every library. */
      place_id: number | null
      exts: string[]
      level_from: number
      level_to: number
      days: number
      for_good: boolean
      enabled: boolean
      changed_by: number
      changed_at: number
      next_run: number
      last_run: number | null
      last_count: Generated<number>
      last_bytes: Generated<number>
    }
  }
}

export const retentionTables = {
  retention_rule: {
    backup: 'kept',
    accounts: { changed_by: 'stays' },
    refusals: { retention_rule_name: 'alreadyExists' },
  },
} as const satisfies Tables
