// The tables of bundles: those that were exported, and those that were imported.
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'
import type { Receipt } from './format.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    exchange_bundle: {
      id: Identity
      network_code: string
      number: number
      name: string
      network_name: string
      created_by: number
      created_at: number
      recipient: string
      manifest: string
      signature: string
      receipt: Generated<Receipt | null>
    }
    exchange_import: {
      id: Identity
      network_code: string
      network_name: string
      bundle_name: string
      manifest_sha256: Buffer
      imported_by: number
      imported_at: number
      file_count: number
      bytes: number
      receipt: string
    }
  }
}

export const bundleTables = {
  exchange_bundle: { backup: 'kept', accounts: { created_by: 'stays' } },
  exchange_import: { backup: 'kept', accounts: { imported_by: 'stays' } },
} as const satisfies Tables
