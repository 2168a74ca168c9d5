// The table of stickers.
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    sticker: { item_id: number; account_id: number; stuck_at: number; stamped: Generated<boolean> }
  }
}

export const stickersTables = {
  sticker: { backup: 'kept', accounts: { account_id: 'ends' } },
} as const satisfies Tables
