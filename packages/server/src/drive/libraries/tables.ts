// The tables of libraries.
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    library: {
      id: number
      kind: LibraryKind
      owner_id: number | null
      group_id: number | null
      quota: Generated<number>
      file_limit: Generated<number>
      kept_versions: Generated<number | null>
      kept_days: Generated<number | null>
      bin_days: Generated<number | null>
    }
    library_manager: { library_id: number; account_id: number }
  }
}

export const librariesTables = {
  library: { backup: 'kept', accounts: { owner_id: 'passes' }, inItemRecord: true },
  library_manager: { backup: 'kept', accounts: { account_id: 'passes' }, inItemRecord: true },
} as const satisfies Tables
