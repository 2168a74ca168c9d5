// The tables of download limits.
import type { DownloadMethod } from '@cloudoc/contract'
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    download_limit: {
      id: Identity
      account_id: number | null
      group_id: number | null
      role_id: number | null
      per_day: number
    }
    download_day: {
      account_id: number
      day: string
      taken: number
      /** Extra downloads granted for the day, on top of the limit. */
      more: Generated<number>
    }
    /** Counted downloads granted by an application. */
    download_grant: {
      id: Identity
      review_id: number
      item_id: number
      account_id: number
      version: number
      only_version: boolean
      /** 0: no limit. */
      most: number
      used: Generated<number>
      ends_at: number
      ended_at: Generated<number | null>
    }
    download_delivery: {
      id: Identity
      grant_id: number
      version: number
      at: number
      size: number
      sent: number
      address: string
      visitor: Generated<string>
      way: Generated<DownloadMethod>
      /** The link by which its visitor downloaded. */
      link_id: Generated<number | null>
    }
    download_taken: { account_id: number; item_id: number; version: number; at: number }
  }
}

export const downloadTables = {
  download_limit: { backup: 'kept', accounts: { account_id: 'stays' } },
  download_day: { backup: 'kept', accounts: { account_id: 'stays' } },
  download_grant: { backup: 'kept', accounts: { account_id: 'stays' }, inItemRecord: true },
  download_delivery: { backup: 'kept' },
  download_taken: { backup: 'left', accounts: { account_id: 'stays' } },
} as const satisfies Tables
