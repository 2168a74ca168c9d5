// Users who want a digest mail.
import type { DigestTimes } from '@cloudoc/contract'
import type { Locale } from '@cloudoc/domain'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    digest: {
      account_id: number
      every: Exclude<DigestTimes, 'never'>
      locale: Locale
      time_zone: string
      origin: string
      next_at: number
      told_up_to: number
    }
  }
}

export const digestTables = {
  digest: { backup: 'kept', accounts: { account_id: 'ends' } },
} as const satisfies Tables
