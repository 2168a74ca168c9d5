// The tables of watermarks.
import type { WatermarkLayout } from '@cloudoc/domain'
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    watermark_template: {
      id: Identity
      name: string
      name_key: string
      words: string
      image: string
      rotate: number
      padding: number
      opacity: number
      line_gap: number
      size: number
      color: string
      layout: WatermarkLayout
      on_preview: boolean
      on_download: boolean
      standard: Generated<boolean>
      /** The person whose own it is; null for those of the company. */
      owner_id: Generated<number | null>
      modified_at: number
    }
    watermark_rule: {
      id: Identity
      template_id: number
      account_id: number | null
      library_id: number | null
      level: number | null
    }
    watermark_trace: {
      id: number
      shown: string
      at: number
      last_at: number
      account_id: number | null
      link: string | null
      visitor: Generated<string>
      item_id: number
      name: string
      version: number
      address: string
      agent: string
    }
    watermark_search: {
      id: Identity
      at: number
      account_id: number
      name: string
      trace_id: number | null
    }
  }
}

export const watermarkTables = {
  watermark_template: { backup: 'kept', accounts: { owner_id: 'ends' } },
  watermark_rule: { backup: 'kept', accounts: { account_id: 'ends' } },
  watermark_trace: { backup: 'kept', accounts: { account_id: 'stays' } },
  watermark_search: { backup: 'kept', accounts: { account_id: 'stays' } },
} as const satisfies Tables
