// The tables of external links.
import type { VisitKind } from '@cloudoc/contract'
import type { linkReportReasons } from '@cloudoc/domain'
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'
import type { Approval } from './link-state.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    external_link: {
      id: Identity
      token: string
      item_id: number
      account_id: number
      rights: number
      password: string | null
      pass_version: Generated<number>
      starts_at: number
      ends_at: number
      visit_limit: Generated<number>
      download_limit: Generated<number>
      visits: Generated<number>
      downloads: Generated<number>
      people: Generated<number[]>
      mails: Generated<string[]>
      note: Generated<string>
      greeting: Generated<string>
      secret_level: number
      notify: Generated<boolean>
      approval: Approval | null
      /** The version of the file that it is approved for. */
      only_version: number | null
      end_set_at: number
      paused_at: number | null
      cancelled_at: number | null
      created_at: number
      modified_at: number
      shown: Generated<boolean>
      spread_told_at: Generated<number | null>
      marked: Generated<boolean>
      template_id: Generated<number | null>
    }
    link_policy: {
      id: Identity
      account_id: number | null
      group_id: number | null
      role_id: number | null
      may_create: boolean
      default_days: number
      longest_days: number
      needs_password: boolean
      may_download: boolean
      needs_approval: boolean
      domains: string[]
      approvers: number[]
    }
    external_visit: {
      id: Identity
      link_id: number
      at: number
      what: VisitKind
      item_id: number | null
      name: Generated<string>
      visitor: Generated<string>
      account_id: number | null
      pass: string | null
      address: string
      agent: Generated<string>
      bytes: Generated<number>
      /** The version that the visitor received; null for what is not one file, and in rows of older builds. */
      version: Generated<number | null>
    }
    link_report: {
      id: Identity
      link_id: number
      at: number
      reason: (typeof linkReportReasons)[number]
      comments: string
      contact: string
      visitor: string
      address: string
      settled_at: Generated<number | null>
    }
  }
}

export const linkTables = {
  external_link: { backup: 'kept', accounts: { account_id: 'passes' } },
  link_policy: { backup: 'kept', accounts: { account_id: 'stays' } },
  external_visit: { backup: 'kept', accounts: { account_id: 'stays' } },
  link_report: { backup: 'kept' },
} as const satisfies Tables
