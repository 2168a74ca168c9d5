// Stretches of events: read from the table with who hears of them, and decided for those who listen.
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { NewEvent } from '../events.ts'
import { type AudibleEvent, type Audiences, prepareAll, type StoredEvent } from './audience.ts'
import type { Frames } from './frames.ts'
import type { Receiver, Receivers } from './receivers.ts'

/** An event with its audience, where its kind is told to one. */
export interface Prepared extends StoredEvent<NewEvent> {
  readonly audible: AudibleEvent | undefined
}

/** One frame of a listener, and the event that it tells of. */
export interface Frame {
  readonly position: number
  readonly bytes: Buffer
}

/** Somebody who listens, and where they stand among the events. */
export interface Follower extends Receiver {
  /** What is at or before this position has been written, or is not for them. */
  readonly cursor: number
  /** Of what was before the login only unconfirmed personal pushes count, and events after `replayAfter`. */
  readonly joinedAt: number
  readonly replayAfter: number
}

/** Events read at once. */
export const stretchMost = 500
/** Frames decided at once; more means that fewer events are read the next time. */
export const framesMost = 20_000
/** Pushes of one person that a login brings again; what is not among them comes after those are confirmed. */
const unconfirmedMost = 1000

/** The position after which events are read for somebody. */
export function readFrom({ cursor, replayAfter }: Follower): number {
  return Math.max(cursor, replayAfter)
}

/** Where the events end, and the oldest that is still there. */
export async function readPlace(db: Db): Promise<{ place: number; oldest: number | null }> {
  const { rows } = await sql<{ place: number; oldest: number | null }>`
    select value as place, (select min(position) from event) as oldest from stamp where name = 'event'`.execute(db)
  return rows[0] ?? { place: 0, oldest: null }
}

interface EventRow {
  readonly position: number
  readonly created_at: number
  readonly actor_id: number | null
  readonly payload: NewEvent
  readonly organisation: number
  readonly settings: number
}

/** At most so many events after a position, with the version that actors must have to be asked about them. */
export async function readAfter(
  parts: { readonly db: Db; readonly audiences: Audiences; readonly now: () => number },
  position: number,
  { upTo = Number.MAX_SAFE_INTEGER, most = stretchMost } = {},
): Promise<{ events: Prepared[]; version: number }> {
  const { rows } = await sql<EventRow>`
    select position, created_at, actor_id, payload,
      (select value from stamp where name = 'organisation') as organisation,
      (select value from stamp where name = 'settings') as settings
    from event where position > ${position} and position <= ${upTo} order by position limit ${most}`.execute(parts.db)
  const events = rows.map((row) => ({
    position: row.position,
    at: row.created_at,
    actorId: row.actor_id,
    event: row.payload,
  }))
  const audible = await prepareAll(parts.audiences, parts.db, { events, now: parts.now() })
  return {
    events: events.map((stored) => ({ ...stored, audible: audible.get(stored.position) })),
    version: (rows[0]?.organisation ?? 0) + (rows[0]?.settings ?? 0),
  }
}

/** What events are for those who listen, up to an event with which they are many: a frame is made once for all. */
export function decide<F extends Follower>(
  make: Frames,
  receivers: Receivers<F>,
  events: readonly Prepared[],
): { frames: Map<F, Frame[]>; count: number; to: number } {
  const frames = new Map<F, Frame[]>()
  let [count, to] = [0, 0]
  const add = (follower: F, frame: Frame): void => {
    count += 1
    const list = frames.get(follower)
    if (list === undefined) frames.set(follower, [frame])
    else list.push(frame)
  }
  const tell = (accountIds: readonly number[], frame: Frame, isFor: (follower: F) => boolean): void => {
    for (const accountId of accountIds) {
      for (const follower of receivers.ofAccount(accountId)) if (isFor(follower)) add(follower, frame)
    }
  }
  for (const { event, position, audible } of events) {
    if (count > framesMost) break
    to = position
    if (audible !== undefined) {
      const made = new Map<string, Frame>()
      let last: { view: unknown; frame: Frame } | undefined
      for (const [follower, view] of receivers.views(audible)) {
        if (position <= readFrom(follower)) continue
        if (last?.view !== view) {
          const key = JSON.stringify(view)
          const frame = made.get(key) ?? { position, bytes: make.push(view, position) }
          made.set(key, frame)
          last = { view, frame }
        }
        add(follower, last.frame)
      }
    } else if (event.kind === 'personal') {
      const bytes = make.stored(event.pushType, event.data, position)
      if (bytes === undefined) continue
      // Those from before a login come from their own table: confirmed ones do not come again.
      tell(event.accountIds, { position, bytes }, (follower) => position > Math.max(follower.cursor, follower.joinedAt))
    } else if (event.kind === 'refetch') {
      const bytes = make.welcome(position, { backlog: 0, refetch: true })
      tell(event.accountIds, { position, bytes }, (follower) => position > readFrom(follower))
    }
  }
  return { frames, count, to }
}

/** Adds what people have not confirmed, of the time before their login and after their cursor. */
export async function addUnconfirmed<F extends Follower>(
  db: Db,
  make: Frames,
  frames: Map<F, Frame[]>,
  group: readonly F[],
  upTo: number,
): Promise<void> {
  const asking = group.filter((follower) => follower.cursor < follower.joinedAt)
  if (asking.length === 0) return
  const { rows } = await sql<{ n: number; position: number; push_type: number; payload: object }>`
    select a.n, p.position, p.push_type, p.payload
    from unnest(${asking.map(({ actor }) => actor.accountId)}::bigint[], ${asking.map(({ cursor }) => cursor)}::bigint[],
      ${asking.map(({ joinedAt }) => Math.min(joinedAt, upTo))}::bigint[])
      with ordinality a (account_id, after, up_to, n)
    cross join lateral (
      select position, push_type, payload from personal_push
      where account_id = a.account_id and position > a.after and position <= a.up_to
      order by position limit ${unconfirmedMost}) p`.execute(db)
  const touched = new Set<Frame[]>()
  for (const { n, position, push_type, payload } of rows) {
    const follower = asking[n - 1]
    const bytes = make.stored(push_type, payload, position)
    if (follower === undefined || bytes === undefined) continue
    const list = frames.get(follower) ?? []
    frames.set(follower, list)
    list.push({ position, bytes })
    touched.add(list)
  }
  for (const list of touched) list.sort((a, b) => a.position - b.position)
}
