// The tables of the rules, networks and keys of the exchange.
import type { ExchangeLevel } from '@cloudoc/domain'
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

/** A public key of another network, and since when it is known. */
export interface PeerKey {
  readonly text: string
  readonly since: number
}

export interface RuleSubject {
  readonly subjectType: 'everybody' | 'user' | 'group' | 'role'
  readonly subjectId: number
}

declare module '../../core/db/schema.ts' {
  interface Schema {
    exchange_network: {
      code: string
      name: string
      description: string
      server_id: number | null
      peer_keys: readonly PeerKey[]
      bundles: Generated<number>
      created_at: number
    }
    exchange_key: {
      id: Identity
      public_text: string
      fingerprint: string
      sealed: string
      created_at: number
      retired_at: Generated<number | null>
    }
    exchange_rule: {
      id: Identity
      position: number
      name: string
      is_active: boolean
      until_at: number | null
      network_code: string
      subjects: readonly RuleSubject[]
      item_ids: readonly number[]
      receivers: readonly string[]
      exts: readonly string[]
      max_level: number
      max_files: number
      max_bytes: number
      needs_password: boolean
      levels: readonly ExchangeLevel[]
      hours: number
      at_deadline: 'wait' | 'reject' | 'managers'
    }
  }
}

export const exchangeRuleTables = {
  exchange_network: { backup: 'kept' },
  exchange_key: { backup: 'kept' },
  exchange_rule: { backup: 'kept' },
} as const satisfies Tables
