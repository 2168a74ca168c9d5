// The tables of announcements.
import type { AnnouncementKind } from '@cloudoc/contract'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    announcement: {
      id: Identity
      title: string
      words: string
      kind: AnnouncementKind
      starts_at: number
      ends_at: number
      asks_reading: boolean
      created_by: number
      created_at: number
      /** When people were told of it; null before it begins. */
      told_at: number | null
    }
    announcement_group: { announcement_id: number; group_id: number }
    announcement_reader: { announcement_id: number; account_id: number; at: number }
  }
}

export const announcementTables = {
  announcement: { backup: 'kept', accounts: { created_by: 'stays' } },
  announcement_group: { backup: 'kept' },
  announcement_reader: { backup: 'kept', accounts: { account_id: 'ends' } },
} as const satisfies Tables
