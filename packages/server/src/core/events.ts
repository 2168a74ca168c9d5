// The outbox: a change writes one event row in its own transaction, without a position, a recipient or a notification.
// The sequencer (core/push) gives committed events their place afterwards.
import type { RightsEntry } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Tx } from './db/database.ts'

/** What the rights on one item said before a change. */
export interface LevelBefore {
  readonly inherit: boolean
  readonly restricted: boolean
  readonly entries: readonly RightsEntry[]
}

/** A change to an item of the tree; who hears of it is decided at delivery, by rights before and after. */
export interface ItemEvent {
  readonly kind: 'item'
  readonly libraryId: number
  readonly itemId: number
  readonly fType: 1 | 2
  /** The item is a link, of what the kind tells where it leads. */
  readonly isLink?: true
  readonly name: string
  readonly operateType: number
  readonly operatorName: string
  readonly version: number
  readonly size: number
  readonly createdBy: number
  /** Null for a library root. */
  readonly parentId: number | null
  /** Where it was, for a move. */
  readonly beforeParentId?: number
  /** What the item's own rights were, for a change of rights. */
  readonly before?: LevelBefore
}

/** A push to named people, stored until each confirms it. */
export interface PersonalEvent {
  readonly kind: 'personal'
  readonly pushType: number
  readonly accountIds: readonly number[]
  readonly data: object
}

/** A session that ended, so that its sockets close. */
export interface SessionEvent {
  readonly kind: 'session'
  readonly sessionIds: readonly number[]
  /** Whether it ended because the account signed in elsewhere (push 5). */
  readonly elsewhere: boolean
}

/** What named people may see has changed in a way that no event of an item tells: they fetch again. */
export interface RefetchEvent {
  readonly kind: 'refetch'
  readonly accountIds: readonly number[]
}

export type NewEvent = ItemEvent | PersonalEvent | SessionEvent | RefetchEvent

/** What is kept of every changing call, for whoever asks later who did what. */
export interface AuditRow {
  readonly call: string
  readonly address: string
  readonly items: readonly number[]
  readonly detail: Readonly<Record<string, string | number | boolean | null>>
}

/** Writes the events of one change and its audit row, in one statement whatever their number. */
export async function recordChange(
  tx: Tx,
  change: { events: readonly NewEvent[]; audit: AuditRow; actorId: number | null; now: number },
): Promise<void> {
  const { events, audit, actorId, now } = change
  await sql`
    with audited as (
      insert into audit (at, account_id, call, address, items, detail)
      values (${now}, ${actorId}, ${audit.call}, ${audit.address}, ${audit.items}, ${JSON.stringify(audit.detail)})
    )
    insert into event (kind, library_id, item_id, payload, actor_id, created_at)
    select e->>'kind', (e->>'libraryId')::bigint, (e->>'itemId')::bigint, e, ${actorId}, ${now}
    from jsonb_array_elements(${JSON.stringify(events)}::jsonb) e`.execute(tx)
}
