// The tables of reviews.
import type { Generated } from 'kysely'
import type { Tables } from '../../core/db/tables.ts'

/** Why a user is a reviewer. */
export type Why = 'owner' | 'manager' | 'named' | 'role' | 'handedOn' | 'added' | 'later'

/** The recorded events of a request. */
export type What =
  | 'asked'
  | 'approved'
  | 'rejected'
  | 'handedOn'
  | 'added'
  | 'reminded'
  | 'withdrawn'
  | 'revoked'
  | 'later'

export type StoredState = 'pending' | 'approved' | 'rejected' | 'withdrawn' | 'revoked'

declare module '../../core/db/schema.ts' {
  interface Schema {
    review: {
      id: Identity
      kind: string
      launcher_id: number
      item_id: number | null
      title: string
      key: string
      subject: object
      comments: string
      state: Generated<StoredState>
      round: Generated<number>
      created_at: number
      handle_before: number | null
      remind_at: number | null
      reminded_at: Generated<number | null>
      decision: Generated<object | null>
      decided_by: Generated<number | null>
      decided_at: Generated<number | null>
      answer: Generated<string>
      ends_at: Generated<number | null>
    }
    review_round: { review_id: number; round: number; needed: number }
    review_reviewer: {
      review_id: number
      round: number
      account_id: number
      why: Why
      answer: Generated<'approved' | 'rejected' | 'handedOn' | null>
      answered_by: Generated<number | null>
      comments: Generated<string>
      at: Generated<number | null>
      is_waiting: Generated<boolean>
    }
    review_note: {
      id: Identity
      review_id: number
      at: number
      account_id: number | null
      what: What
      to_id: number | null
      comments: Generated<string>
    }
    /** Requests that a user has removed from their lists. */
    review_hidden: { review_id: number; account_id: number }
    review_stand_in: { account_id: number; stand_in_id: number; from_at: number; until_at: number | null }
    /** Stand-ins of those for whom a request waits who were told of it. */
    review_told_stand_in: { review_id: number; account_id: number }
  }
}

export const reviewTables = {
  review: { backup: 'kept', accounts: { launcher_id: 'stays', decided_by: 'stays' } },
  review_round: { backup: 'kept' },
  review_reviewer: { backup: 'kept', accounts: { account_id: 'stays', answered_by: 'stays' } },
  review_note: { backup: 'kept', accounts: { account_id: 'stays', to_id: 'stays' } },
  review_hidden: { backup: 'kept', accounts: { account_id: 'ends' } },
  review_stand_in: { backup: 'kept', accounts: { account_id: 'ends', stand_in_id: 'ends' } },
  review_told_stand_in: { backup: 'kept', accounts: { account_id: 'ends' } },
} as const satisfies Tables
