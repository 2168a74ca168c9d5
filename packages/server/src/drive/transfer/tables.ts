// The tables of uploads in parts.
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    upload: {
      id: string
      account_id: number
      folder_id: number
      name: string
      size: number
      part_size: number
      sha256: Buffer | null
      conflict: 'refuse' | 'version' | 'keepBoth' | 'skip'
      secret_level: Generated<number>
      secret_until: number | null
      disk_time: number | null
      metadata: string | null
      nonce: Buffer | null
      expires_at: number
      ended_at: number | null
      file_id: number | null
      version: number | null
    }
    upload_part: {
      upload_id: string
      number: number
      start: number
      claim: string
      beside: Generated<boolean>
      tag: string | null
      size: number | null
      sha256: Buffer | null
    }
  }
}

export const transferTables = {
  upload: { backup: 'left', accounts: { account_id: 'ends' } },
  upload_part: { backup: 'left' },
} as const satisfies Tables
