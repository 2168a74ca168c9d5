/*
 * What a process keeps of rows it has read, and how it knows that it still holds. Triggers write down whatever changes
 * (migrations 0010 and 0011), in the transaction that changes it. Before a request is answered from what is kept,
 * `catchUp` asks PostgreSQL which transactions have ended since it was last asked, and lets go of what they changed: one
 * small statement, shared by all requests of one moment. So what is kept is as good as read anew, on every process, and
 * needs nobody to tell it: a nudge that is lost costs nothing (ADR 35).
 *
 * A process that owns its database need not ask before it has written something itself; every second it asks all the same,
 * for what an operator does by hand.
 *
 * Which transactions are new is not a question of numbers or times, as those that began early may end late. PostgreSQL
 * says it by snapshots: of everything written down, that counts which the last snapshot did not see.
 */
import { type RawBuilder, sql } from 'kysely'
import { batched } from '../batcher.ts'
import type { Db, Writes } from './database.ts'

/** What can be out of date, as migration 0010 numbers it. */
const kinds = { everything: 0, session: 1, account: 2, item: 3, children: 4 } as const
export type Kind = Exclude<keyof typeof kinds, 'everything'>

/** How the children of a folder are that have changed, if it was asked for and is known of each. */
export interface DescribedChildren {
  /** What `describes` says. */
  readonly now: unknown
  /** When that was asked for, to be compared with `readAt`: what was read later may be newer. */
  readonly askedAt: number
}

/** Somebody who keeps what was read. */
export interface InvalidationListener {
  /** Lets go of what is made of this; what is made of children may instead take in what is told of them. */
  readonly forget: (kind: Kind, id: number, told?: DescribedChildren) => void
  /**
   * Makes JSON of how changed children are, from the folder `f.id` and their ids `f.children`, at the moment up to which
   * changes are told. One keeper may ask for that.
   */
  readonly describes?: RawBuilder<unknown>
  readonly forgetAll: () => void
}

/** A moment before a reading, by which is told whether what was read may be kept. */
export type Mark = number & { readonly mark: true }

export interface Invalidations {
  /** After this, nothing is kept that was changed before the call. */
  catchUp(): Promise<void>
  /** Tells a keeper what it must let go of, for as long as the process runs. */
  follow(keeper: InvalidationListener): void
  mark(): Mark
  /** When a reading has come back, for `areOfOneMoment`. */
  readAt(): number
  /**
   * Whether things that were read apart and are still kept are known to have been true at once: all are when all were here
   * before it was last asked what has changed.
   */
  areOfOneMoment(readAt: number): boolean
  /**
   * Whether something that was read after the mark may be kept: nobody was told meanwhile to let go of it. Without a name,
   * whether there is anything that may be kept at all.
   */
  isCurrentSince(mark: Mark, kind?: Kind, id?: number): boolean
}

/** With more changes at once, everything is let go of. */
const mostChanges = 2000
/** With more at once it is not told how they are. */
const mostDescribed = 100
/** So many changes are remembered for readings that are under way. */
const mostRemembered = 10_000

/** What others write to the database of a process that owns it is seen within this time. */
const foreignMs = 1000

const nameOf = new Map<number, keyof typeof kinds>(Object.entries(kinds).map(([name, kind]) => [kind, name as Kind]))

interface Answer {
  readonly snapshot: string
  /** Another server may have lost what this one said. */
  readonly server: string
  readonly at: number
  /** How many were written down; with more than are told, not all are named. */
  readonly count: number
  readonly changes: (readonly [kind: number, id: number, now: unknown])[] | null
}

interface Options {
  readonly longestMs?: number
  /** What this process writes, where no other one writes to the database. */
  readonly writes?: Readonly<Writes> | undefined
}

/**
 * What one process keeps. Who has not asked for `longestMs`, by the clock of the database, lets go of everything: long
 * before what was written down is tidied away.
 */
export function createInvalidations(db: Db, { longestMs = 60_000, writes }: Options = {}): Invalidations {
  const keepers: InvalidationListener[] = []
  let describes: RawBuilder<unknown> = sql`null::json`
  let last: Answer | undefined
  let told = 0
  /** What was told when, back to a moment. */
  const remembered = new Map<string, number>()
  let rememberedSince = 0
  /** Counts readings that came back and moments at which it was asked or known what has changed; and the latest of those. */
  let clock = 0
  let askedAt = 0
  /** When PostgreSQL was last asked, and how many of our writes had been answered by then. */
  let lastAsked = { at: Number.NEGATIVE_INFINITY, answered: -1 }

  const forgetAll = (): void => {
    told += 1
    remembered.clear()
    rememberedSince = told
    for (const keeper of keepers) keeper.forgetAll()
  }
  const forget = (kind: Kind, id: number, how: DescribedChildren | undefined): void => {
    remembered.set(`${kind} ${id}`, told)
    for (const keeper of keepers) keeper.forget(kind, id, how)
  }

  const take = (answer: Answer, at: number): void => {
    const changes = answer.changes ?? []
    const goesOn =
      last !== undefined &&
      last.server === answer.server &&
      Math.abs(answer.at - last.at) < longestMs &&
      answer.count <= mostChanges
    last = answer
    const named = changes.map(([kind, id, now]) => ({ kind: nameOf.get(kind) ?? 'everything', id, now }))
    if (!goesOn || named.some(({ kind }) => kind === 'everything')) return forgetAll()
    if (changes.length === 0) return undefined
    if (remembered.size > mostRemembered) {
      remembered.clear()
      rememberedSince = told
    }
    told += 1
    for (const { kind, id, now } of named)
      if (kind !== 'everything') forget(kind, id, now === null ? undefined : { now, askedAt: at })
  }

  /** Whether the answer would be that nothing has changed: what is being committed is acknowledged to nobody. */
  const knowsAnswer = (): boolean =>
    writes !== undefined && writes.answered === lastAsked.answered && performance.now() < lastAsked.at + foreignMs

  // One at a time, so that what is told goes on from what was told before.
  const ask = batched(
    { most: Number.POSITIVE_INFINITY, atOnce: 1, atEndOfTick: true },
    async (askers: readonly undefined[]) => {
      const answers = askers.map(() => ({ value: undefined }))
      if (knowsAnswer()) {
        // Of what is being committed one reading may have seen something and another one nothing.
        if (writes?.sent === writes?.answered) {
          clock += 1
          askedAt = clock
        }
        return answers
      }
      const since = last?.snapshot ?? null
      clock += 1
      const at = clock
      const asking = { at: performance.now(), answered: writes?.answered ?? 0 }
      const { rows } = await sql<Answer>`
      with told as materialized (
        select i.kind, i.id, i.child from invalidated_since(${since}::pg_snapshot, ${sql.lit(mostChanges + 1)}) i)
      select pg_current_snapshot()::text as snapshot, pg_postmaster_start_time()::text as server,
        (extract(epoch from statement_timestamp()) * 1000)::bigint as at,
        (select count(*) from told) as count,
        (select json_agg(json_build_array(f.kind, f.id, case when f.known then ${describes} end)) from (
          select kind, id, array_agg(child) as children,
            kind = ${sql.lit(kinds.children)} and count(*) = count(child)
              and (select count(*) from told) <= ${sql.lit(mostDescribed)} as known
          from (select distinct kind, id, child from told) t group by kind, id) f) as changes`.execute(db)
      const [answer] = rows
      if (answer === undefined) throw new Error('PostgreSQL does not say what has changed')
      take(answer, at)
      askedAt = at
      lastAsked = asking
      return answers
    },
  )

  return {
    catchUp: () => ask(undefined),
    follow(keeper) {
      keepers.push(keeper)
      describes = keeper.describes ?? describes
    },
    mark: () => told as Mark,
    readAt() {
      clock += 1
      return clock
    },
    areOfOneMoment: (readAt) => readAt < askedAt,
    isCurrentSince: (mark, kind, id) =>
      mark >= rememberedSince && (kind === undefined || (remembered.get(`${kind} ${id}`) ?? 0) <= mark),
  }
}

/** Tells every process to let go of everything, for work that goes past the triggers. */
export async function invalidateEverything(db: Db): Promise<void> {
  await sql`insert into invalidated (kind, id) values (${kinds.everything}, 0)`.execute(db)
}

/**
 * Removes what was written down long ago, and what comes from another database. Asked for again and again by whoever
 * tidies up: a transaction is old when it had ended before a snapshot that was taken long ago.
 */
export function createInvalidationsTidier(db: Db, { lifeMs = 5 * 60_000 } = {}): () => Promise<void> {
  const taken: { readonly oldest: string; readonly at: number }[] = []
  return async () => {
    const { rows } = await sql<{ oldest: string; at: number }>`
      select pg_snapshot_xmin(pg_current_snapshot())::text as oldest,
        (extract(epoch from statement_timestamp()) * 1000)::bigint as at`.execute(db)
    const [now] = rows
    if (now === undefined) return
    taken.push(now)
    const past = taken.findLastIndex(({ at }) => now.at - at >= lifeMs)
    const limit = past < 0 ? '0' : (taken[past]?.oldest ?? '0')
    taken.splice(0, past)
    await sql`
      delete from invalidated
      where transaction < ${limit}::xid8 or transaction >= pg_snapshot_xmax(pg_current_snapshot())`.execute(db)
  }
}
