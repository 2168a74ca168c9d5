// The tables of sign-in providers.
import type { ProviderSettings } from '@cloudoc/contract'
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'
import type { Values } from './mapping-plan.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    provider: {
      id: Identity
      name: string
      enabled: boolean
      settings: ProviderSettings
      secret: string
      created_at: number
      read_with: Generated<string>
      synced_at: Generated<number>
      brake_from: Generated<number>
    }
    provider_identity: {
      id: Identity
      provider_id: number
      external_id: string
      account_id: number | null
      label: string
      account_name: string
      account_key: string
      /** Its person has bound it; nobody else says that it is theirs. */
      bound_by_owner: Generated<boolean>
      frozen_here: Generated<boolean>
      role_ids: Generated<number[]>
      claims: Generated<Values>
      claims_at: Generated<number>
      mapping_waits: Generated<number>
      mapping_kept: Generated<string>
      mapped_at: Generated<number>
    }
    provider_run: {
      id: Identity
      provider_id: number
      dry: boolean
      state: string
      started_at: number
      ended_at: Generated<number>
      confirmed_id: Generated<number>
      counts: Generated<Record<string, number>>
      problem: Generated<string>
      changes: Generated<unknown[]>
    }
    provider_session: { session_id: number; provider_id: number; subject: string; sid: string }
  }
}

export const providersTables = {
  provider: {
    backup: 'kept',
    refusals: { provider_name: 'alreadyExists', provider_service_account: 'alreadyExists' },
  },
  provider_identity: {
    backup: 'kept',
    accounts: { account_id: 'ends' },
    refusals: { provider_identity_account: 'alreadyExists' },
  },
  provider_run: { backup: 'left', refusals: { provider_run_one: 'duplicateOperation' } },
  provider_session: { backup: 'left' },
} as const satisfies Tables
