// The tables of contents and versions.
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    blob: { id: Identity; sha256: Buffer; size: number; key: string; created_at: number }
    blob_sums: { blob_id: number; piece: number; sums: Buffer }
    version: {
      item_id: number
      number: number
      blob_id: number
      size: number
      created_by: number
      created_at: number
      creator_outsider: NullableJsonb<Outsider>
      comment: Generated<string>
      name: Generated<string>
      restored_from: Generated<number | null>
      /** Its content is held back: nobody gets it once it is no longer the current version. */
      held: Generated<boolean>
      /** It waits for its inspection: nobody gets it once it is no longer the current version. */
      uninspected: Generated<boolean>
      disk_time: Generated<number | null>
      /** The accounts that contributed, if there are several. */
      editors: NullableJsonb<number[]>
    }
    dropped_object: { key: string; dropped_at: number }
    blob_problem: { blob_id: number; kind: Damage; found_at: number; seen_at: number }
    scan: {
      blob_id: number
      scanned_at: number
      virus: string | null
      /** The administrator who let it be used without an inspection. */
      released_by: Generated<number | null>
    }
  }
}

export const contentTables = {
  blob: { backup: 'kept' },
  blob_sums: { backup: 'kept' },
  version: { backup: 'kept', accounts: { created_by: 'stays' }, contents: ['blob_id'] },
  dropped_object: { backup: 'left' },
  blob_problem: { backup: 'left' },
  scan: { backup: 'kept', accounts: { released_by: 'stays' } },
} as const satisfies Tables
