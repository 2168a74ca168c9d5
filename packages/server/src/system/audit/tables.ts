// The tables of the audit's chain.
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    audit_seal: {
      seq: number
      audit_id: number
      kind: number
      at: number
      account_id: number | null
      address: string
      refused: boolean
      hash: Buffer
    }
    audit_item: { item_id: number; seq: number }
    audit_head: { seq: number; hash: Buffer; settled: number; at: number; signature: Buffer }
    audit_hour: { hour: number; kind: number; n: number }
  }
}

export const auditTables = {
  audit_seal: { backup: 'kept', accounts: { account_id: 'stays' } },
  audit_item: { backup: 'kept' },
  audit_head: { backup: 'kept' },
  audit_hour: { backup: 'kept' },
} as const satisfies Tables
