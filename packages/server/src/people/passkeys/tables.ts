// The table of passkeys.
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    passkey: {
      id: Identity
      account_id: number
      credential_id: string
      public_key: Buffer
      counter: number
      transports: Generated<string[]>
      host: string
      name: string
      created_at: number
      used_at: Generated<number>
    }
  }
}

export const passkeyTables = {
  passkey: {
    backup: 'kept',
    accounts: { account_id: 'ends' },
    refusals: { passkey_credential: 'alreadyExists' },
  },
} as const satisfies Tables
