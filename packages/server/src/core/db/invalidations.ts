/*
 * Invalidation of the caches of database rows in a process. Triggers record every change (migrations 0010 and 0011) in
 * the transaction that makes it. Before a request is answered from a cache, `catchUp` asks PostgreSQL which
 * transactions have ended since it last asked, and removes from the caches what they changed. This is one small
 * statement, shared by all requests of one moment. Cached data is therefore as current as data read from the database,
 * in every process, and does not depend on notifications: a lost nudge does no harm (ADR 35).
 *
 * A process that owns its database need not ask before it has written something itself. It still asks every second, to
 * notice manual changes by an operator.
 *
 * New transactions cannot be found by numbers or times, because an early transaction may end late. PostgreSQL's
 * snapshots identify them: a recorded change is new if the last snapshot did not see it.
 */
import { type RawBuilder, sql } from 'kysely'
import { batched } from '../batcher.ts'
import type { Db, Writes } from './database.ts'

/** The kinds of data that can be out of date, as numbered by migration 0010. */
const kinds = { everything: 0, session: 1, account: 2, item: 3, children: 4 } as const
export type Kind = Exclude<keyof typeof kinds, 'everything'>

/** The current state of the changed children of a folder, if it was requested and is known for each child. */
export interface DescribedChildren {
  /** The result of `describes`. */
  readonly now: unknown
  /** When the state was requested, for comparison with `readAt`: data that was read later may be newer. */
  readonly askedAt: number
}

/** A cache of data read from the database. */
export interface InvalidationListener {
  /** Removes entries that depend on this object. Entries that depend on children may instead be updated from `told`. */
  readonly forget: (kind: Kind, id: number, told?: DescribedChildren) => void
  /**
   * SQL that builds JSON of the state of changed children from the folder `f.id` and their ids `f.children`, as of the
   * moment up to which changes are reported. Only one keeper may set it.
   */
  readonly describes?: RawBuilder<unknown>
  readonly forgetAll: () => void
}

/** A moment before a read. It decides whether the result may be cached. */
export type Mark = number & { readonly mark: true }

export interface Invalidations {
  /** Afterwards no cache holds data that was changed before the call. */
  catchUp(): Promise<void>
  /** Registers a cache that is notified of what to remove, for as long as the process runs. */
  follow(keeper: InvalidationListener): void
  mark(): Mark
  /** The time at which a read has returned, for `areOfOneMoment`. */
  readAt(): number
  /**
   * Whether data from several reads that is still cached is known to have been valid at one moment. This is so if all
   * reads had returned before the last check for changes.
   */
  areOfOneMoment(readAt: number): boolean
  /**
   * Whether data read after the mark may be cached: it was not invalidated meanwhile. Without a kind, whether anything
   * may be cached at all.
   */
  isCurrentSince(mark: Mark, kind?: Kind, id?: number): boolean
}

/** With more changes in one check, all caches are cleared. */
const mostChanges = 2000
/** With more changed children in one check, their state is not reported. */
const mostDescribed = 100
/** Number of changes that are remembered for running reads. */
const mostRemembered = 10_000

/** Foreign writes to the database of a process that owns it are noticed within this time. */
const foreignMs = 1000

const nameOf = new Map<number, keyof typeof kinds>(Object.entries(kinds).map(([name, kind]) => [kind, name as Kind]))

interface Answer {
  readonly snapshot: string
  /** The run of the PostgreSQL server, by its start time. Another run may have lost what this one reported. */
  readonly server: string
  readonly at: number
  /** Number of recorded changes. If it exceeds the limit, not all are listed. */
  readonly count: number
  readonly changes: (readonly [kind: number, id: number, now: unknown])[] | null
}

interface Options {
  readonly longestMs?: number
  /** The write counters of this process. Passed only when this process alone writes to the database. */
  readonly writes?: Readonly<Writes> | undefined
}

/**
 * Creates the invalidation of one process. A process that has not asked for `longestMs`, by the database's clock,
 * clears its caches. This is long before recorded changes are deleted.
 */
export function createInvalidations(db: Db, { longestMs = 60_000, writes }: Options = {}): Invalidations {
  const keepers: InvalidationListener[] = []
  let describes: RawBuilder<unknown> = sql`null::json`
  let last: Answer | undefined
  let told = 0
  /** When each object was last invalidated, back to `rememberedSince`. */
  const remembered = new Map<string, number>()
  let rememberedSince = 0
  /** A logical clock that counts returned reads and checks for changes, and the time of the latest check. */
  let clock = 0
  let askedAt = 0
  /** When PostgreSQL was last asked, and how many of this process's writes had been answered by then. */
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

  /**
   * Whether the answer would certainly be that nothing has changed. A running commit is not acknowledged to any client
   * yet.
   */
  const knowsAnswer = (): boolean =>
    writes !== undefined && writes.answered === lastAsked.answered && performance.now() < lastAsked.at + foreignMs

  // One at a time, so that each check continues from the previous one.
  const ask = batched(
    { most: Number.POSITIVE_INFINITY, atOnce: 1, atEndOfTick: true },
    async (askers: readonly undefined[]) => {
      const answers = askers.map(() => ({ value: undefined }))
      if (knowsAnswer()) {
        // During a running commit, one read may have seen its changes and another one not.
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

/** Makes every process clear its caches, for work that bypasses the triggers. */
export async function invalidateEverything(db: Db): Promise<void> {
  await sql`insert into invalidated (kind, id) values (${kinds.everything}, 0)`.execute(db)
}

/**
 * Removes recorded changes that are old, and those from another database. Called repeatedly by the cleanup. A
 * transaction is old if it had ended before a snapshot that was taken long ago.
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
