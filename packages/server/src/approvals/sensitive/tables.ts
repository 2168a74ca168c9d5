// The tables of sensitive content.
import type { SensitiveRuleInput, SensitiveState } from '@cloudoc/contract'
import type { Generated, JSONColumnType } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'
import type { Finding } from './matcher.ts'
import type { LeftOut, Outcome, StoredHit } from './outcome.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    sensitive_rule: {
      id: Identity
      rule: JSONColumnType<SensitiveRuleInput>
      version: Generated<number>
      changed_at: number
      deleted_at: number | null
    }
    sensitive_reviewer: { subject_type: 'user' | 'role'; subject_id: number }
    sensitive_result: {
      blob_id: number
      kind: string
      rule_set: string
      text_key: string
      outcome: Exclude<Outcome['outcome'], 'pending'>
      reason: Outcome['reason']
      findings: JSONColumnType<Finding[]>
      whole: boolean
      left_out: JSONColumnType<LeftOut[]>
      ms: number
      at: number
    }
    sensitive_file: {
      id: Identity
      item_id: number
      version: number
      blob_id: number
      name: string
      uploader_id: number
      state: SensitiveState
      pending: boolean
      pending_since: number
      tries: Generated<number>
      outcome: Generated<Outcome['outcome']>
      reason: Generated<Outcome['reason']>
      action: Generated<StoredAction>
      hits: JSONColumnType<StoredHit[]>
      asked: JSONColumnType<[ruleId: number, hash: string][]>
      review_id: number | null
      created_at: number
      found_at: number | null
      decided_at: number | null
    }
    sensitive_release: {
      item_id: number
      library_id: number
      blob_id: number
      rule_id: number
      hash: string
      review_id: number
      at: number
    }
    sensitive_log: {
      id: Identity
      at: number
      what: string
      account_id: number | null
      check_id: number
      item_id: number
      name: string
      version: number
      action: StoredAction
      reason: Outcome['reason']
      hits: JSONColumnType<StoredHit[]>
      comments: string
      place: string
    }
    sensitive_run: {
      id: Identity
      state: 'running' | 'done' | 'stopped'
      started_by: number
      started_at: number
      ended_at: number | null
      last_id: Generated<number>
      total: number
      done: Generated<number>
      found: Generated<number>
    }
  }
  type StoredAction = 'none' | 'note' | 'audit' | 'block'
}

export const sensitiveTables = {
  sensitive_rule: { backup: 'kept' },
  sensitive_reviewer: { backup: 'kept' },
  // Included in backups: checking all contents again takes hours.
  sensitive_result: { backup: 'kept' },
  sensitive_file: { backup: 'kept', accounts: { uploader_id: 'stays' } },
  sensitive_release: { backup: 'kept' },
  sensitive_log: { backup: 'kept', accounts: { account_id: 'stays' } },
  sensitive_run: { backup: 'kept', accounts: { started_by: 'stays' } },
} as const satisfies Tables
