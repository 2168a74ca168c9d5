// The tables of exchanges: what was sent, and what was received.
import type { ExchangeDelivery } from '@cloudoc/domain'
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'
import type { Manifest } from './messages.ts'

/** A receiver of an exchange, as the sender knows them. */
export interface KnownReceiver {
  /** The id on the target; 0 in networks without a wire. */
  readonly userId: number
  readonly account: string
  readonly name: string
  readonly groups: readonly string[]
  readonly fetchedAt?: number
}

declare module '../../core/db/schema.ts' {
  interface Schema {
    exchange: {
      review_id: number
      number: string
      sender_id: number
      network_code: string
      network_name: string
      server_id: number | null
      rule_name: string
      secret_level: number
      file_count: number
      bytes: number
      sealed_password: string
      password_hash: string
      receivers: readonly KnownReceiver[]
      delivery: Generated<ExchangeDelivery | null>
      problem: Generated<number>
      failures: Generated<number>
      delivered_at: Generated<number | null>
      expires_at: Generated<number | null>
      fetched_at: Generated<number | null>
      bundle_id: Generated<number | null>
      changed_at: number
    }
    exchange_file: {
      review_id: number
      n: number
      item_id: number
      version: number
      blob_id: number
      name: string
      path: string
      bytes: number
      sha256: Buffer
      secret_level: number
    }
    exchange_event: { id: Identity; review_id: number; at: number; what: string; by_name: string; comments: string }
    exchange_arrival: {
      id: Identity
      origin: string
      number: string
      network_name: string
      manifest: Manifest
      complete_at: Generated<number | null>
      recalled_at: Generated<number | null>
      import_id: Generated<number | null>
      created_at: number
    }
    exchange_arrival_content: { arrival_id: number; sha256: Buffer; blob_id: number }
    exchange_received: {
      id: Identity
      arrival_id: number
      account_id: number
      state: 'waiting' | 'fetched' | 'expired' | 'recalled'
      created_at: number
      expires_at: number
      fetched_at: Generated<number | null>
      item_id: Generated<number | null>
      item_type: Generated<1 | 2 | null>
      wrong: Generated<number>
      locked_until: Generated<number>
      is_hidden: Generated<boolean>
    }
  }
}

export const exchangeTables = {
  exchange: { backup: 'kept', accounts: { sender_id: 'stays' } },
  exchange_file: { backup: 'kept', contents: ['blob_id'] },
  exchange_event: { backup: 'kept' },
  exchange_arrival: { backup: 'kept' },
  exchange_arrival_content: { backup: 'kept', contents: ['blob_id'] },
  exchange_received: { backup: 'kept', accounts: { account_id: 'passes' } },
} as const satisfies Tables
