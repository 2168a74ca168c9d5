// The table of linked servers.
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    linked_server: { id: number; name: string; api_host: string; key: string }
  }
}

export const serversTables = {
  linked_server: { backup: 'kept' },
} as const satisfies Tables
