// The tables of programs for people's computers and of the logs that they send.
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    client_package: {
      id: Identity
      type: 'client' | 'editor'
      sys: 'windows' | 'mac' | 'linux'
      cpu: 'x64' | 'arm64'
      version: string
      name: string
      blob_id: number
      notes: string
      created_at: number
      created_by: number
    }
    client_release: { id: number; sealed_key: string; generation: number }
    client_log: {
      id: Identity
      account_id: number
      note: string
      happened_at: number
      created_at: number
      size: number
      pack: Buffer
      done: Generated<boolean>
    }
  }
}

export const clientTables = {
  client_package: {
    backup: 'kept',
    accounts: { created_by: 'stays' },
    contents: ['blob_id'],
    refusals: { client_package_version: 'alreadyExists' },
  },
  client_release: { backup: 'kept' },
  client_log: { backup: 'kept', accounts: { account_id: 'stays' } },
} as const satisfies Tables
