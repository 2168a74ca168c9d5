// The tables of signing processes.

import type { SigningState } from '@cloudoc/contract'
import type { SignFieldKind } from '@cloudoc/domain'
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'
import type { BaseLayout } from '../../documents/signing/index.ts'

/** What happened to a signing process. */
export type SignEntryWhat =
  | 'launched'
  | 'opened'
  | 'signed'
  | 'rejected'
  | 'handedOn'
  | 'reminded'
  | 'withdrawn'
  | 'expired'
  | 'archived'
  | 'notArchived'

export type SignerState = 'next' | 'now' | 'signed' | 'rejected' | 'left'

declare module '../../core/db/schema.ts' {
  interface Schema {
    sign_activity: {
      id: Identity
      launcher_id: number
      item_id: number | null
      file_name: string
      file_level: number
      file_level_until: number | null
      title: string
      comments: string
      in_order: boolean
      watermark_template_id: number | null
      archive_folder_id: number
      state: SigningState
      created_at: number
      ended_at: Generated<number | null>
      deadline: number | null
      layout: BaseLayout
      revision: Generated<number>
      objects: number
      locked_signer: Generated<number | null>
      locked_until: Generated<number>
      lock_holder: Generated<number | null>
      may_hand_on: Generated<boolean>
      archive_problem: Generated<number | null>
      archived: Generated<number[]>
      /** When the contents of its revisions were removed, long after its end. */
      contents_removed_at: Generated<number | null>
    }
    sign_revision: {
      activity_id: number
      number: number
      blob_id: number
      size: number
      sha256: Buffer
      created_at: number
    }
    sign_signer: {
      id: Identity
      activity_id: number
      place: number
      account_id: number | null
      state: SignerState
      acted_at: Generated<number | null>
      comments: Generated<string>
      address: Generated<string>
      proof: Generated<string>
      certificate_id: Generated<number | null>
      role_id: Generated<number | null>
      role_name: Generated<string>
      acted_by: Generated<number | null>
      level: Generated<string>
    }
    sign_outsider: {
      signer_id: number
      name: string
      mail: string
      phone: string
      locale: 'zh' | 'en'
      base: string
      life_days: number
    }
    sign_field: {
      id: Identity
      activity_id: number
      signer_id: number
      kind: SignFieldKind
      number: number
    }
    sign_entry: {
      id: Identity
      activity_id: number
      at: number
      what: SignEntryWhat
      account_id: number | null
      to_id: number | null
      text: Generated<string>
      outside_name: Generated<string>
    }
  }
}

export const signingTables = {
  sign_activity: { backup: 'kept', accounts: { launcher_id: 'stays' } },
  sign_revision: { backup: 'kept', contents: ['blob_id'] },
  sign_signer: { backup: 'kept', accounts: { account_id: 'stays', acted_by: 'stays' } },
  sign_outsider: { backup: 'kept' },
  sign_field: { backup: 'kept' },
  sign_entry: { backup: 'kept', accounts: { account_id: 'stays', to_id: 'stays' } },
} as const satisfies Tables
