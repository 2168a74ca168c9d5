// The tables of contact groups.
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    talk_contact_group: { id: Identity; account_id: number; name: string; created_at: number }
    talk_contact: { group_id: number; account_id: number }
  }
}

export const contactTables = {
  talk_contact_group: {
    backup: 'kept',
    accounts: { account_id: 'ends' },
    refusals: { talk_contact_group_name: 'alreadyExists' },
  },
  talk_contact: { backup: 'kept', accounts: { account_id: 'ends' } },
} as const satisfies Tables
