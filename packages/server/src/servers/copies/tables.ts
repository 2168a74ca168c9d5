// The tables of copies between servers.
import type { ServerCopyState } from '@cloudoc/contract'
import type { CodeName } from '@cloudoc/domain'
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    server_copy: {
      id: Identity
      account_id: number
      source_server: number
      target_server: number
      target_folder: number
      target_name: Generated<string>
      conflict: 'refuse' | 'keepBoth' | 'skip'
      is_move: boolean
      state: Generated<ServerCopyState>
      code: Generated<CodeName | ''>
      waiting_for: Generated<number | null>
      waiting_code: Generated<CodeName | ''>
      address: string
      strong: boolean
      device_id: number | null
      via_server: number | null
      created_at: number
      ended_at: Generated<number | null>
    }
    item_origin: {
      item_id: number
      server: string
      author: string
      created_at: number
    }
    server_copy_item: {
      id: Identity
      copy_id: number
      parent_id: number | null
      f_type: 1 | 2
      source_id: number
      name: Generated<string>
      version: Generated<number>
      size: Generated<number>
      disk_time: Generated<number>
      secret_level: Generated<number>
      author: Generated<string>
      created_at: Generated<number>
      state: Generated<'waiting' | 'making' | 'listing' | 'done' | 'refused'>
      made_name: Generated<string>
      list_after: Generated<string | null>
      upload_id: Generated<string | null>
      sha256: Generated<Buffer | null>
      sent: Generated<number>
      target_id: Generated<number | null>
      tries: Generated<number>
      code: Generated<CodeName | ''>
      removal: Generated<'' | 'begun' | 'done'>
    }
  }
}

export const serverCopyTables = {
  // A copy that ran when the backup was made has gone on since.
  server_copy: { backup: 'left', accounts: { account_id: 'ends' } },
  server_copy_item: { backup: 'left' },
  item_origin: { backup: 'kept' },
} as const satisfies Tables
