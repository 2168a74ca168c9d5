// The tables of provisioning.
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    scim_person: {
      identity_id: number
      provider_id: number
      resource: Record<string, unknown>
      gone: Generated<boolean>
      waits_since: Generated<number>
      frozen_at: Generated<number>
      created_at: number
      changed_at: number
      revision: Generated<number>
    }
    scim_group: {
      id: Identity
      provider_id: number
      external_id: string | null
      name: string
      name_key: string
      role_id: number | null
      created_at: number
      changed_at: number
      revision: Generated<number>
    }
    scim_member: { group_id: number; identity_id: number }
    scim_request: {
      id: Identity
      provider_id: number
      at: number
      what: string
      name: string
      detail: string
      status: number
    }
  }
}

export const provisioningTables = {
  scim_person: { backup: 'kept' },
  scim_group: {
    backup: 'kept',
    refusals: { scim_group_name: 'alreadyExists', scim_group_external: 'alreadyExists' },
  },
  scim_member: { backup: 'kept' },
  scim_request: { backup: 'left' },
} as const satisfies Tables
