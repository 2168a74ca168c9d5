// The outbox: a change writes one event row in its own transaction, without a position, a recipient or a notification.
// The sequencer (core/push) gives committed events their place afterwards.
import type { RightsEntry } from '@cloudoc/domain'
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

export type NewEvent = ItemEvent | PersonalEvent | SessionEvent

/** Writes the events of one change. */
export async function recordEvents(
  tx: Tx,
  events: readonly NewEvent[],
  actorId: number | null,
  now: number,
): Promise<void> {
  // In parts: PostgreSQL takes at most 65,535 parameters in one statement.
  for (let from = 0; from < events.length; from += mostAtOnce) {
    await insertEvents(tx, events.slice(from, from + mostAtOnce), actorId, now)
  }
}

const mostAtOnce = 1000

async function insertEvents(tx: Tx, events: readonly NewEvent[], actorId: number | null, now: number): Promise<void> {
  await tx
    .insertInto('event')
    .values(
      events.map((event) => ({
        position: null,
        kind: event.kind,
        library_id: event.kind === 'item' ? event.libraryId : null,
        item_id: event.kind === 'item' ? event.itemId : null,
        payload: JSON.stringify(event),
        actor_id: actorId,
        created_at: now,
      })),
    )
    .execute()
}
