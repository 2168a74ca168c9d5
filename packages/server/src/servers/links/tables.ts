// The tables of linked servers: their links, keys and accounts, and the keys of this server.
import type { ServerCause, ServerState } from '@cloudoc/contract'
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    server_key: {
      public_key: string
      sealed_key: string
      created_at: number
      retired_at: Generated<number | null>
      revoked_at: Generated<number | null>
    }
    linked_server: {
      id: number
      name: string
      api_host: string
      ca_certificate: Generated<string>
      server_code: Generated<string>
      best_server: Generated<string>
      public_key: Generated<string>
      told_key: Generated<string>
      admits: Generated<boolean>
      visits: Generated<boolean>
      same_names: Generated<boolean>
      is_paused: Generated<boolean>
      checked_with: Generated<string>
      checked_at: Generated<number>
      state: Generated<Exclude<ServerState, 'paused'>>
      cause: Generated<ServerCause>
      cause_detail: Generated<string>
      state_since: Generated<number>
      failures: Generated<number>
      retry_at: Generated<number>
      seen_at: Generated<number>
      latency_ms: Generated<number>
      version: Generated<string>
    }
    linked_server_key: {
      public_key: string
      server_id: number
      since: number
      retired_at: Generated<number | null>
      revoked_at: Generated<number | null>
      next_key: Generated<string>
    }
    linked_account: {
      server_id: number
      their_number: number
      their_account: string
      account_id: number
      created_at: number
    }
  }
}

export const serversTables = {
  server_key: { backup: 'kept' },
  linked_server: { backup: 'kept' },
  linked_server_key: { backup: 'kept' },
  linked_account: { backup: 'kept', accounts: { account_id: 'ends' } },
} as const satisfies Tables
