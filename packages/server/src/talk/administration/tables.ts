// The tables of rules and exports of conversations.
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

type SubjectType = 'all' | 'user' | 'group' | 'role'

declare module '../../core/db/schema.ts' {
  interface Schema {
    talk_rule: {
      id: Identity
      from_type: SubjectType
      from_id: number
      to_type: SubjectType
      to_id: number
      both_ways: boolean
      allows: boolean
      created_by: number
      created_at: number
    }
    talk_export: {
      id: Identity
      asked_by: number
      reason: string
      account_id: number | null
      conversation_id: number | null
      from_at: number
      to_at: number
      state: 'waiting' | 'agreed' | 'refused'
      created_at: number
      ended_at: Generated<number | null>
    }
    talk_export_vote: { export_id: number; account_id: number; agrees: boolean; voted_at: number }
  }
}

export const talkAdministrationTables = {
  talk_rule: {
    backup: 'kept',
    accounts: { created_by: 'stays' },
    refusals: { talk_rule_subjects: 'alreadyExists' },
  },
  talk_export: { backup: 'kept', accounts: { asked_by: 'stays', account_id: 'stays' } },
  talk_export_vote: { backup: 'kept', accounts: { account_id: 'stays' } },
} as const satisfies Tables
