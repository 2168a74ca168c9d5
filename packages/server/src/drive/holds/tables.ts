// The tables of legal holds. The triggers that keep what they cover are in migration 0320.
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    hold: {
      id: Identity
      name: string
      number: Generated<string>
      reason: string
      told: Generated<boolean>
      created_by: number
      created_at: number
      lifted_by: number | null
      /** Null while it is in force. */
      lifted_at: number | null
      lift_reason: Generated<string>
    }
    hold_scope: {
      id: Identity
      hold_id: number
      /** Either a person or an item with everything in it. */
      account_id: number | null
      item_id: number | null
      name: string
      origin: Generated<'named' | 'library' | 'moved'>
    }
  }
}

export const holdTables = {
  hold: {
    backup: 'kept',
    accounts: { created_by: 'stays', lifted_by: 'stays' },
    refusals: {
      hold_name: 'alreadyExists',
      item_purge_held: 'keptByRule',
      item_delete_held: 'keptByRule',
      version_delete_held: 'keptByRule',
      version_change_held: 'keptByRule',
      comment_delete_held: 'keptByRule',
      comment_change_held: 'keptByRule',
      talk_message_delete_held: 'keptByRule',
      talk_message_change_held: 'keptByRule',
    },
  },
  hold_scope: { backup: 'kept', accounts: { account_id: 'stays' } },
} as const satisfies Tables
