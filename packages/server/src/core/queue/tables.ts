// The table of jobs.
import type { Generated } from 'kysely'
import type { Tables } from '../db/tables.ts'
import type { JobState } from './kind.ts'

declare module '../db/schema.ts' {
  interface Schema {
    job: {
      id: Identity
      kind: string
      key: string
      input: Jsonb<object>
      state: Generated<JobState>
      due: number | null
      attempts: Generated<number>
      fence: Generated<number>
      progress: Generated<number>
      result: Jsonb<object> | null
      error_code: string | null
      error_message: string | null
      created_at: number
      ended_at: number | null
      kept_until: number | null
    }
  }
}

export const queueTables = {
  // A job exists exactly if the change that enqueued it exists, also after a restore.
  job: { backup: 'kept' },
} as const satisfies Tables
