// The table of rights.
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    entry: {
      id: Identity
      item_id: number
      subject_type: 'user' | 'group' | 'role'
      subject_id: number
      rights: number
      kind: 'independent' | 'application'
      expires_at: number | null
      created_by: number
      created_at: number
      /** The request whose approval gave it. */
      review_id: Generated<number | null>
    }
  }
}

export const rightsTables = {
  entry: { backup: 'kept', accounts: { created_by: 'stays', subject_id: 'passes' }, shown: true },
} as const satisfies Tables
