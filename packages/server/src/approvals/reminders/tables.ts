// The table of reminders that are due and not yet sent.

import type { Jsonb } from '../../core/db/schema.ts'
import type { Tables } from '../../core/db/tables.ts'
import type { PersonalEvent } from '../../core/events.ts'

/** A reminder as a push, without the person. */
export type StoredReminder = Omit<PersonalEvent, 'accountIds'>

declare module '../../core/db/schema.ts' {
  interface Schema {
    reminder_waiting: {
      id: Identity
      account_id: number
      subject: string
      push: Jsonb<StoredReminder>
      created_at: number
    }
  }
}

export const reminderTables = {
  reminder_waiting: { backup: 'kept', accounts: { account_id: 'stays' } },
} as const satisfies Tables
