// The tables of pictures of signatures, and of seals with the log of their uses.
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

declare module '../../core/db/schema.ts' {
  interface Schema {
    sign_picture: {
      id: Identity
      account_id: number
      kind: 'drawn' | 'typed' | 'picture'
      name: string
      picture: Buffer
      is_default: boolean
      created_at: number
    }
    sign_seal: {
      id: Identity
      name: string
      picture: Buffer
      user_ids: number[]
      role_ids: number[]
      created_at: number
      removed_at: Generated<number | null>
    }
    sign_seal_use: {
      id: Identity
      seal_id: number
      account_id: number
      activity_title: string
      at: number
      address: string
      is_done: boolean
    }
  }
}

export const signatureTables = {
  sign_picture: { backup: 'kept', accounts: { account_id: 'ends' } },
  sign_seal: { backup: 'kept' },
  sign_seal_use: { backup: 'kept', accounts: { account_id: 'stays' } },
} as const satisfies Tables
