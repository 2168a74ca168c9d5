// The tables of WebDAV: locks that clients hold, and properties that clients store.
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    dav_lock: {
      token: string
      item_id: number
      account_id: number
      session_id: number
      /** Whether the lock covers all that a folder holds. */
      deep: boolean
      shared: boolean
      /** What the client says about its owner, as XML. */
      owner: string
      expires_at: number
    }
    dav_property: { item_id: number; ns: string; name: string; value: string }
    drive_limit_notice: { program_id: number; notified_at: number }
  }
}

export const davTables = {
  // A lock lasts at most half an hour; its client takes it again.
  dav_lock: { backup: 'left', accounts: { account_id: 'ends' } },
  dav_property: { backup: 'kept' },
  // In the backup, as the tokens are: nobody is notified twice.
  drive_limit_notice: { backup: 'kept' },
} as const satisfies Tables
