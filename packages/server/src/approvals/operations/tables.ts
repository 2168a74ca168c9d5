// The tables of rules for operations that need an approval.
import type { Tables } from '../../core/db/tables.ts'

/** The reviewers of one round, as a rule names them. */
export interface RuleRound {
  readonly by: 'people' | 'role' | 'managers' | 'owner'
  readonly ids: readonly number[]
  readonly needs: 'one' | 'all'
  readonly fromLevel: number
}

declare module '../../core/db/schema.ts' {
  interface Schema {
    operation_rule: {
      id: Identity
      position: number
      name: string
      operation: 'download' | 'link'
      is_active: boolean
      binds_holders: boolean
      item_ids: number[]
      rounds: object
      may_choose: boolean
      hours: number
      at_deadline: 'wait' | 'reject' | 'managers'
      auto_files: number
      auto_level: number
      auto_own_department: boolean
    }
    operation_rule_subject: {
      rule_id: number
      subject_type: 'everybody' | 'user' | 'group' | 'role'
      subject_id: number
      is_exempt: boolean
    }
  }
}

export const operationTables = {
  operation_rule: { backup: 'kept' },
  operation_rule_subject: { backup: 'kept' },
} as const satisfies Tables
