/*
 * The sequencer assigns positions to committed events. Positions assigned at insert would lose events: of two writers
 * the later one may commit first, and a client that has read its position never sees the other. The leader therefore
 * numbers committed events in batches, and nudges every process once per batch.
 *
 * The row of `stamp` is locked while numbering. If two processes believe for a moment that they are the leader, they
 * number one after the other.
 */
import { sql } from 'kysely'
import { type Db, withCommit } from '../db/database.ts'
import type { Fanout } from '../fanout.ts'
import { pause } from '../leader-election.ts'

const batchSize = 1000

/** Numbers one batch. Returns how many events got a position. */
export async function sequenceBatch(db: Db, pausePoint: (point: string) => Promise<void>): Promise<number> {
  // Checked first: numbering locks and writes a row, which an idle server should not do every second. The `order by`
  // makes it use the index of unnumbered events, of which there are few.
  const waiting = await sql`select 1 from event where position is null order by id limit 1`.execute(db)
  if (waiting.rows.length === 0) return 0
  const count = await db.transaction().execute(async (tx) => {
    // Sent together, in this order: unnumbered events are read after the row is locked.
    const [, { rows }] = await Promise.all([
      sql`select value from stamp where name = 'event' for update`.execute(tx),
      sql<{ count: number }>`
        with waiting as (
          select id, row_number() over (order by id) as n from (
            select id from event where position is null order by id limit ${batchSize}) first
        ), last as (
          update stamp set value = value + (select count(*) from waiting) where name = 'event' returning value
        ), numbered as (
          update event e set position = last.value - (select count(*) from waiting) + w.n
          from waiting w, last where e.id = w.id returning e.kind, e.position, e.payload, e.created_at
        ), replaced as (
          delete from personal_push p using numbered e, jsonb_array_elements_text(e.payload->'accountIds') as t(account_id)
          where e.kind = 'personal' and e.payload ? 'newest'
            and p.account_id = t.account_id::bigint and p.push_type = (e.payload->>'pushType')::int
        ), pushed as (
          insert into personal_push (account_id, position, push_type, payload, created_at)
          select a.id, e.position, (e.payload->>'pushType')::int, e.payload->'data', e.created_at
          from numbered e, jsonb_array_elements_text(e.payload->'accountIds') as t(account_id), account a
          where e.kind = 'personal' and a.id = t.account_id::bigint
          on conflict do nothing
        ), noticed as (
          select a.id as account_id, e.position, (e.payload->>'pushType')::int as push_type, e.payload->'data' as data,
            e.created_at, n.*
          from numbered e
          cross join lateral jsonb_to_record(e.payload->'notice')
            as n ("group" text, key text, merge text, "itemType" smallint, "itemId" bigint)
          cross join lateral jsonb_array_elements_text(e.payload->'accountIds') as t(account_id)
          join account a on a.id = t.account_id::bigint
          where e.kind = 'personal' and e.payload ? 'notice'
        ), later as (
          insert into notice (account_id, remind_id, notice_group, key, push_type, payload, item_type, item_id, created_at)
          select distinct on (account_id, "group", key)
            account_id, position, "group", key, push_type, data, "itemType", "itemId", created_at
          from noticed where merge = 'later' order by account_id, "group", key, position desc
          on conflict (account_id, notice_group, key) where read_at is null do update
          set remind_id = excluded.remind_id, push_type = excluded.push_type, payload = excluded.payload,
            item_type = excluded.item_type, item_id = excluded.item_id, created_at = excluded.created_at
        ), earlier as (
          insert into notice (account_id, remind_id, notice_group, key, push_type, payload, item_type, item_id, created_at)
          select distinct on (account_id, "group", key)
            account_id, position, "group", key, push_type, data, "itemType", "itemId", created_at
          from noticed where merge = 'earlier' order by account_id, "group", key, position
          on conflict (account_id, notice_group, key) where read_at is null do nothing
        )
        select count(*) from numbered ${withCommit}`.execute(tx),
    ])
    return rows[0]?.count ?? 0
  })
  if (count > 0) await pausePoint('sequenced')
  return count
}

const batchEveryMs = 20
const pollEveryMs = 1000
const committedTopic = 'cloudoc_committed'

/** Numbers events while this process is the leader, and receives commit notifications from all processes. */
export interface Sequencer {
  /** Numbers what was committed, then waits for more or for the signal. */
  number(signal: AbortSignal): Promise<void>
  /** Called when this process has committed something. */
  committed(): void
}

export interface SequencerParts {
  readonly db: Db
  readonly fanout: Fanout
  readonly pause: (point: string) => Promise<void>
  /** Whether this process is the leader. */
  readonly isLeader: () => boolean
  /** Notifies every process that events have new positions. */
  readonly numbered: () => Promise<void>
}

export function createSequencer({ db, fanout, pause: pausePoint, isLeader, numbered }: SequencerParts): Sequencer {
  let wake: () => void = () => {}
  fanout.subscribe(committedTopic, () => wake())
  return {
    async number(signal) {
      const nudged = new Promise<void>((resolve) => {
        wake = resolve
      })
      while (!signal.aborted && (await sequenceBatch(db, pausePoint)) > 0) {
        await numbered()
        // Under load one batch numbers the events that many writers committed meanwhile.
        await pause(batchEveryMs, signal)
      }
      await Promise.race([nudged, pause(pollEveryMs, signal)])
    },
    committed() {
      if (isLeader()) wake()
      else void fanout.publish(committedTopic)
    },
  }
}
