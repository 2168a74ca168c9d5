/*
 * Broadcasts who holds a file's lock to users who see the file (push 12, [R316]). The event carries the state at
 * delivery, so after quick changes the last state wins. Late events are of no use: a client that reconnects reads the
 * current state.
 */
import type { PushPayload } from '@cloudoc/contract'
import { sql } from 'kysely'
import type { ItemRow } from '../../core/access.ts'
import type { Db } from '../../core/db/database.ts'
import type { FeatureEvent } from '../../core/events.ts'
import type { AudibleEvent, Audience } from '../../core/push/index.ts'
import { itemListeners } from '../../drive/rights/index.ts'

/** The holder of a file's lock has changed. */
interface LockEvent extends FeatureEvent {
  readonly kind: 'lock.changed'
  readonly itemId: number
  readonly libraryId: number
}

export const lockChanged = (row: Pick<ItemRow, 'id' | 'library_id'>): LockEvent => ({
  kind: 'lock.changed',
  itemId: row.id,
  libraryId: row.library_id,
})

/** An older event is not delivered: a page fetches the current state when it reconnects. */
const freshMs = 60_000

type Lock = PushPayload<'fileLock'>

/** All users who see the file. */
export const lockAudience: Audience<LockEvent> = {
  async prepare(db, events, now): Promise<Map<number, AudibleEvent>> {
    const fresh = events.filter(({ at }) => at > now - freshMs)
    if (fresh.length === 0) return new Map()
    const locks = await locksOf(
      db,
      fresh.map(({ event }) => event.itemId),
    )
    const there = fresh.flatMap(({ event, ...stored }) => {
      const lock = locks.get(event.itemId)
      return lock === undefined ? [] : [{ ...stored, event: { ...event, lock } }]
    })
    if (there.length === 0) return new Map()
    const viewOf = ({ lock }: { readonly lock: Lock }) => ({ name: 'fileLock' as const, payload: lock })
    return itemListeners(db, there, now, { right: 'display', viewOf })
  },
}

/** The lock state of files that are not deleted. */
async function locksOf(db: Db, fileIds: readonly number[]): Promise<Map<number, Lock>> {
  const { rows } = await sql<Lock>`
    select 0 as "serverId", i.id as "fileId", coalesce(i.editor_id, -1) as "userId", coalesce(a.name, '') as "userName",
      coalesce(i.editing_since, 0) as "lockTime"
    from item i left join account a on a.id = i.editor_id
    where i.id = any(${[...new Set(fileIds)]}) and i.deleted_at is null`.execute(db)
  return new Map(rows.map((row) => [row.fileId, row]))
}
