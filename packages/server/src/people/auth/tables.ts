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
      /** The device that it was opened from. */
      device_id: Generated<number | null>
      /** The program whose token it is. */
      program_id: Generated<number | null>
    }
    second_factor: {
      account_id: number
      secret: string
      last_step: Generated<number>
      recovery: Generated<Buffer[]>
      /** The confirmed phone that codes are sent to; empty: an authenticator shows them. */
      phone: Generated<string>
      code_hash: Generated<Buffer | null>
      code_until: Generated<number>
      code_sent_at: Generated<number>
      /** The session in which it was switched on. */
      set_in: Generated<number>
    }
    device: {
      id: Identity
      account_id: number
      mark: Buffer
      name: Generated<string>
      agent: Generated<string>
      client_type: number
      state: 'waiting' | 'approved' | 'refused' | 'wiped'
      description: Generated<string>
      sandbox: Generated<string>
      address: string
      created_at: number
      used_at: number
      decided_by: number | null
      decided_at: Generated<number>
      cleared_at: Generated<number>
    }
    program: {
      id: Identity
      account_id: number
      kind: 'personal' | 'service' | 'app'
      name: string
      scopes: string[]
      library_ids: number[]
      ending: string
      secret_hash: Buffer | null
      created_by: number | null
      created_at: number
      expires_at: number
      used_at: Generated<number>
    }
    throttle: { key: string; failures: number; since: number }
  }
}

export const authTables = {
  session: { backup: 'left', accounts: { account_id: 'ends' } },
  device: { backup: 'kept', accounts: { account_id: 'ends', decided_by: 'stays' } },
  program: { backup: 'kept', accounts: { account_id: 'ends', created_by: 'stays' } },
  throttle: { backup: 'left' },
  second_factor: { backup: 'kept', accounts: { account_id: 'ends' } },
} as const satisfies Tables
