// Who has been told that space runs out.
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    space_low: { kind: 'account' | 'installation' | 'disk' | 'log'; id: number; at: number }
  }
}

export const quotaTables = { space_low: { backup: 'left' } } as const satisfies Tables
