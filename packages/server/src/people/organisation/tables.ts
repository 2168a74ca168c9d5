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
    }
    account: {
      id: Identity
      account: string
      account_key: string
      name: string
      name_sort: string
      search_text: string
      password_hash: string
      group_id: number
      secret_level: Generated<number>
      state: Generated<AccountState>
      is_admin: Generated<boolean>
      must_change_password: Generated<boolean>
      created_at: number
      quota: Generated<number | null>
    }
    role: { id: Identity; name: string; name_key: string; search_text: string }
    role_account: { role_id: number; account_id: number }
  }
}

export const organisationTables = {
  org_group: { backup: 'kept' },
  account: { backup: 'kept', shown: true },
  role: { backup: 'kept' },
  role_account: { backup: 'kept', accounts: { account_id: 'ends' } },
} as const satisfies Tables
