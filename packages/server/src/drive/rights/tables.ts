// The tables of rights.
import type { Generated } from 'kysely'
import type { Jsonb } from '../../core/db/schema.ts'
import type { Tables } from '../../core/db/tables.ts'
import type { LevelBefore } from '../../core/events.ts'

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
      /** The request whose approval created the entry. */
      review_id: Generated<number | null>
      /** The process whose handlers the entry lets read the file. */
      process_id: Generated<number | null>
    }
    rights_change: {
      id: Identity
      item_id: number
      account_id: number
      created_at: number
      what: 'set' | 'share' | 'paste' | 'clear' | 'undo' | 'approve' | 'revoke'
      before: Jsonb<LevelBefore>
      after: Jsonb<LevelBefore>
    }
  }
}

export const rightsTables = {
  entry: { backup: 'kept', accounts: { created_by: 'stays', subject_id: 'passes' }, inItemRecord: true },
  rights_change: { backup: 'kept', accounts: { account_id: 'stays' } },
} as const satisfies Tables
