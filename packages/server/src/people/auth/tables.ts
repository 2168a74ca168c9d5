// The tables of sign-in.
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    session: {
      id: Identity
      token_hash: Buffer
      account_id: number
      client_type: number
      guest: Generated<boolean>
      address: string
      created_at: number
      used_at: number
      expires_at: number
      wiped: Generated<boolean>
      agent: Generated<string>
      strong: Generated<boolean>
      /** The linked server that opened it for one of its people. */
      via_server: Generated<number | null>
    }
    second_factor: {
      account_id: number
      secret: string
      last_step: Generated<number>
      recovery: Generated<Buffer[]>
    }
    throttle: { key: string; failures: number; since: number }
  }
}

export const authTables = {
  session: { backup: 'left', accounts: { account_id: 'ends' } },
  throttle: { backup: 'left' },
  second_factor: { backup: 'kept', accounts: { account_id: 'ends' } },
} as const satisfies Tables
