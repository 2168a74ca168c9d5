// The tables of the live channel: events, and unconfirmed pushes.
import type { Tables } from '../db/tables.ts'

declare module '../db/schema.ts' {
  interface Schema {
    event: {
      id: Identity
      position: number | null
      kind: string
      library_id: number | null
      item_id: number | null
      payload: Jsonb<object>
      actor_id: number | null
      outsider: NullableJsonb<Outsider>
      created_at: number
    }
    personal_push: {
      account_id: number
      position: number
      push_type: number
      payload: Jsonb<object>
      created_at: number
    }
  }
}

export const pushTables = {
  event: { backup: 'kept', accounts: { actor_id: 'stays' } },
  personal_push: { backup: 'kept', accounts: { account_id: 'ends' } },
} as const satisfies Tables
