// The table of certificates for signing.
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    sign_certificate: {
      id: Identity
      authority_id: number | null
      account_id: number | null
      subject: string
      issuer: string
      serial: string
      certificate: Buffer
      sealed_key: string
      not_before: number
      not_after: number
      created_at: number
      revoked_at: Generated<number | null>
      is_current: boolean
      kind: 'authority' | 'issued' | 'person' | 'company'
      chain: Generated<Buffer[]>
    }
  }
}

export const certificateTables = {
  sign_certificate: { backup: 'kept', accounts: { account_id: 'stays' } },
} as const satisfies Tables
