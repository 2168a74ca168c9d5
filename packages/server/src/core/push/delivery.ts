// Determines what a batch of events means for connected clients.
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Prepared } from './event-log.ts'
import type { Bytes, Frames } from './frames.ts'
import type { CanSee } from './parts.ts'
import type { Receiver, Receivers } from './receivers.ts'

/** A frame, and the position of its event. */
export interface Frame {
  readonly position: number
  readonly bytes: Bytes
}

/** A connected client and its cursor. */
export interface Subscriber extends Receiver {
  /** Everything at or before this position was written, or is not for this client. */
  readonly cursor: number
  /** Of the events before the login, only unconfirmed personal pushes and events after `replayAfter` count. */
  readonly joinedAt: number
  readonly replayAfter: number
}

/** Maximum number of frames determined in one batch. If it is exceeded, fewer events are read the next time. */
export const framesMost = 20_000
/**
 * Maximum number of unconfirmed pushes of one user that a login sends again. The rest follows once those are confirmed.
 */
const unconfirmedMost = 1000

/** The position after which events are read for a client. */
export function readFrom({ cursor, replayAfter }: Subscriber): number {
  return Math.max(cursor, replayAfter)
}

/**
 * Determines the frames of events for the clients, up to the event at which there are too many. A frame is made once
 * for all of its recipients.
 */
export function decide<S extends Subscriber>(
  frames: Frames,
  receivers: Receivers<S>,
  events: readonly Prepared[],
): { toSend: Map<S, Frame[]>; count: number; to: number } {
  const toSend = new Map<S, Frame[]>()
  let [count, to] = [0, 0]
  const add = (subscriber: S, frame: Frame): void => {
    count += 1
    const list = toSend.get(subscriber)
    if (list === undefined) toSend.set(subscriber, [frame])
    else list.push(frame)
  }
  const tell = (accountIds: readonly number[], frame: Frame, isFor: (subscriber: S) => boolean): void => {
    for (const accountId of accountIds) {
      for (const subscriber of receivers.ofAccount(accountId)) if (isFor(subscriber)) add(subscriber, frame)
    }
  }
  for (const { event, position, audible } of events) {
    if (count > framesMost) break
    to = position
    if (audible !== undefined) {
      const made = new Map<string, Frame>()
      let last: { view: unknown; frame: Frame } | undefined
      for (const [subscriber, view] of receivers.views(audible)) {
        if (position <= readFrom(subscriber) || !frames.isFor(subscriber.actor, view.name)) continue
        if (last?.view !== view) {
          const key = JSON.stringify(view)
          const frame = made.get(key) ?? { position, bytes: frames.push(view, position) }
          made.set(key, frame)
          last = { view, frame }
        }
        add(subscriber, last.frame)
      }
    } else if (event.kind === 'personal') {
      const bytes = frames.stored(event.pushType, event.data, position)
      if (bytes === undefined) continue
      // Pushes from before a login are read from their own table: confirmed ones must not be sent again.
      tell(
        event.accountIds,
        { position, bytes },
        (subscriber) =>
          position > Math.max(subscriber.cursor, subscriber.joinedAt) && frames.isFor(subscriber.actor, event.pushType),
      )
    } else if (event.kind === 'refetch') {
      const bytes = frames.welcome(position, { backlog: 0, refetch: true })
      tell(event.accountIds, { position, bytes }, (subscriber) => position > readFrom(subscriber))
    }
  }
  return { toSend, count, to }
}

interface Unconfirmed {
  readonly n: number
  readonly position: number
  readonly push_type: number
  readonly payload: object
  /** The item of a notice about an item. */
  readonly item_type: 1 | 2 | null
  readonly item_id: number | null
}

/** Adds unconfirmed pushes from before the login and after the cursor. */
export async function addUnconfirmed<S extends Subscriber>({
  db,
  frames,
  sees,
  toSend,
  subscribers,
  upTo,
}: {
  readonly db: Db
  readonly frames: Frames
  readonly sees: CanSee
  readonly toSend: Map<S, Frame[]>
  readonly subscribers: readonly S[]
  readonly upTo: number
}): Promise<void> {
  const asking = subscribers.filter((subscriber) => subscriber.cursor < subscriber.joinedAt)
  if (asking.length === 0) return
  const { rows: found } = await sql<Unconfirmed>`
    select a.n, p.position, p.push_type, p.payload, p.item_type, p.item_id
    from unnest(${asking.map(({ actor }) => actor.accountId)}::bigint[], ${asking.map(({ cursor }) => cursor)}::bigint[],
      ${asking.map(({ joinedAt }) => Math.min(joinedAt, upTo))}::bigint[])
      with ordinality a (account_id, after, up_to, n)
    cross join lateral (
      select u.position, u.push_type, u.payload, n.item_type, n.item_id
      from personal_push u left join notice n on n.account_id = u.account_id and n.remind_id = u.position
      where u.account_id = a.account_id and u.position > a.after and u.position <= a.up_to
      order by u.position limit ${unconfirmedMost}) p`.execute(db)
  // The user may have lost access to the item since.
  const ofItems = found.flatMap((row) => {
    const actor = asking[row.n - 1]?.actor
    if (row.item_type === null || row.item_id === null || actor === undefined) return []
    return [{ row, actor, item: { fType: row.item_type, fId: row.item_id } }]
  })
  const seen = ofItems.length === 0 ? [] : await sees(db, ofItems)
  const hidden = new Set(ofItems.filter((_, n) => seen[n] !== true).map(({ row }) => row))
  const rows = found.filter((row) => !hidden.has(row))
  const touched = new Set<Frame[]>()
  for (const { n, position, push_type, payload } of rows) {
    const subscriber = asking[n - 1]
    const bytes = frames.stored(push_type, payload, position)
    if (subscriber === undefined || !frames.isFor(subscriber.actor, push_type) || bytes === undefined) continue
    const list = toSend.get(subscriber) ?? []
    toSend.set(subscriber, list)
    list.push({ position, bytes })
    touched.add(list)
  }
  for (const list of touched) list.sort((a, b) => a.position - b.position)
}
