// The tables of urging.
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

/** What happened to an urge. */
export type UrgeWhat =
  | 'created'
  | 'message'
  | 'reminded'
  | 'repeated'
  | 'handled'
  | 'handedOn'
  | 'late'
  | 'moved'
  | 'ended'
  | 'done'

declare module '../../core/db/schema.ts' {
  interface Schema {
    urge: {
      id: Identity
      sender_id: number
      item_id: number | null
      f_type: 1 | 2
      title: string
      notify_type: 1 | 2 | 3
      message: string
      user_ids: number[]
      group_ids: number[]
      role_ids: number[]
      partner_id: number | null
      server_ids: number[]
      state: Generated<'open' | 'done' | 'ended'>
      created_at: number
      ended_at: Generated<number | null>
      deadline: number | null
      deadline_workdays: number | null
      workdays_only: Generated<boolean>
      calendar: string | null
      late_at: Generated<number | null>
      repeat_hours: number
      repeat_until: number | null
      next_at: number | null
      reminded: Generated<number>
      receiver_count: number
      handled_count: Generated<number>
      last_message_id: Generated<number>
      sender_seen_id: Generated<number>
    }
    urge_receiver: {
      urge_id: number
      account_id: number
      is_waiting: Generated<boolean>
      read_at: Generated<number | null>
      handled_at: Generated<number | null>
      comments: Generated<string>
      urged: Generated<number>
      seen_id: Generated<number>
      handed_to: Generated<number | null>
    }
    urge_entry: {
      id: Identity
      urge_id: number
      at: number
      account_id: number | null
      what: UrgeWhat
      to_id: number | null
      text: Generated<string>
    }
  }
}

export const urgingTables = {
  urge: { backup: 'kept', accounts: { sender_id: 'stays' } },
  urge_receiver: { backup: 'kept', accounts: { account_id: 'stays', handed_to: 'stays' } },
  urge_entry: { backup: 'kept', accounts: { account_id: 'stays', to_id: 'stays' } },
} as const satisfies Tables
