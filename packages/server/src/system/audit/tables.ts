// The tables of the audit chain.
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
    audit_library: { library_id: number; seq: number }
    audit_head: { seq: number; hash: Buffer; settled: number; at: number; signature: Buffer }
    audit_archive: {
      from_seq: number
      to_seq: number
      rows: number
      since: number
      until: number
      blob_id: number
      bytes: number
      row_bytes: number
      created_at: number
    }
    audit_hour: { hour: number; kind: number; n: number }
    audit_download: { day: number; item_id: number; n: number }
  }
}

export const auditTables = {
  audit_seal: { backup: 'kept', accounts: { account_id: 'stays' } },
  audit_item: { backup: 'kept' },
  audit_library: { backup: 'kept' },
  audit_head: { backup: 'kept' },
  audit_archive: { backup: 'kept', contents: ['blob_id'] },
  audit_hour: { backup: 'kept' },
  audit_download: { backup: 'kept' },
} as const satisfies Tables
