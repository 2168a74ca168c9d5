// The tables of co-editing in the page.
import type { CoeditRebase } from '@cloudoc/contract'
import type { Tables } from '../../core/db/tables.ts'
import type { Encoding } from './codec.ts'

/** A structural change of a workbook, and the version that it made. */
export interface StoredRebase extends CoeditRebase {
  readonly made: number
}

declare module '../../core/db/schema.ts' {
  interface Schema {
    together_document: {
      item_id: number
      generation: number
      version: number
      form: Encoding
      state: Buffer
      state_seq: number
      seq: number
      saved_seq: number
      stamp: number
      authors: readonly number[]
      unsaved_since: number | null
      touched_at: number
      turns: readonly StoredRebase[]
    }
    together_update: { item_id: number; seq: number; stamp: number; change: Buffer }
    together_client: { item_id: number; client: number; account_id: number }
    together_member: {
      item_id: number
      client: number
      account_id: number
      session_id: number
      cursor: string
      can_write: boolean
      seen_at: number
    }
  }
}

export const coeditTables = {
  together_document: { backup: 'kept' },
  together_update: { backup: 'kept' },
  together_client: { backup: 'kept', accounts: { account_id: 'stays' } },
  together_member: { backup: 'left', accounts: { account_id: 'ends' } },
} as const satisfies Tables
