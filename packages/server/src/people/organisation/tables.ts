// The tables of people, departments and roles.
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    org_group: {
      id: Identity
      parent_id: number | null
      name: string
      name_key: string
      name_sort: string
      search_text: string
      search_grams: Generated<string[]>
      place: Generated<number>
    }
    account: {
      id: Identity
      account: string
      account_key: string
      name: string
      name_sort: string
      search_text: string
      search_grams: Generated<string[]>
      /** Empty until the person has set one. */
      password_hash: string
      password_at: Generated<number>
      group_id: number
      secret_level: Generated<number>
      state: Generated<AccountState>
      is_admin: Generated<boolean>
      must_change_password: Generated<boolean>
      created_at: number
      quota: Generated<number | null>
      title: Generated<string>
      email: Generated<string>
      phone: Generated<string>
      expires_at: Generated<number | null>
      signed_in_at: Generated<number | null>
      gender: Generated<number>
      avatar: Generated<string>
      visitor_hash: Generated<string>
      visitor_until: Generated<number>
      second_factor: Generated<boolean>
      /** Only tokens of programs open it. */
      service: Generated<boolean>
    }
    membership: { account_id: number; group_id: number }
    group_manager: { group_id: number; account_id: number }
    role: {
      id: Identity
      name: string
      name_key: string
      search_text: string
      external: Generated<boolean>
      second_factor: Generated<boolean>
    }
    role_capability: { role_id: number; capability: string }
    withheld_capability: { capability: string }
    administrator: { account_id: number; power: string; since: number }
    group_administrator: { account_id: number; group_id: number; tasks: string[]; since: number }
    /** A change of the holders of a power that waits for a second administrator. */
    power_proposal: { id: Identity; power: string; account_id: number; created_at: number }
    power_proposal_person: { proposal_id: number; account_id: number }
    role_account: { role_id: number; account_id: number }
    role_group: { role_id: number; group_id: number }
    role_title: { role_id: number; title: string }
    /** The history of memberships; written by triggers. */
    member_change: { id: Identity; at: Generated<number>; kind: string; one: number; other: string; added: boolean }
  }
}

export const organisationTables = {
  org_group: { backup: 'kept' },
  account: { backup: 'kept', inItemRecord: true },
  membership: { backup: 'kept', accounts: { account_id: 'ends' } },
  group_manager: { backup: 'kept', accounts: { account_id: 'passes' } },
  role: { backup: 'kept' },
  role_capability: { backup: 'kept' },
  withheld_capability: { backup: 'kept' },
  administrator: { backup: 'kept', accounts: { account_id: 'ends' } },
  group_administrator: { backup: 'kept', accounts: { account_id: 'ends' } },
  power_proposal: { backup: 'kept', accounts: { account_id: 'ends' } },
  power_proposal_person: { backup: 'kept', accounts: { account_id: 'ends' } },
  role_group: { backup: 'kept' },
  role_title: { backup: 'kept' },
  role_account: { backup: 'kept', accounts: { account_id: 'ends' } },
  member_change: { backup: 'kept' },
} as const satisfies Tables
