// Who has an open push channel, in which process.
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    presence_process: { id: string; alive_until: number }
    presence: { account_id: number; process_id: string }
  }
}

export const presenceTables = {
  presence_process: { backup: 'left' },
  presence: { backup: 'left', accounts: { account_id: 'ends' } },
} as const satisfies Tables
