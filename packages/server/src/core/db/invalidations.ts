/*
 * What a process keeps of rows it has read, and how it knows that it still holds. Triggers write down whatever changes
 * (migration 0010), in the transaction that changes it. Before a request is answered from what is kept, `catchUp` asks
 * PostgreSQL which transactions have ended since it was last asked, and lets go of what they changed: one small statement,
 * shared by all requests of one moment. So what is kept is as good as read anew, on every process, and needs nobody to
 * tell it: a nudge that is lost costs nothing (ADR 35).
 *
 * Which transactions are new is not a question of numbers or times, as those that began early may end late. PostgreSQL
 * says it by snapshots: of everything written down, that counts which the last snapshot did not see.
 */
import { sql } from 'kysely'
import { gathered } from '../gather.ts'
import type { Db } from './database.ts'

/** What can be out of date, as migration 0010 numbers it. */
const kinds = { everything: 0, session: 1, account: 2, item: 3, children: 4 } as const
export type Kind = Exclude<keyof typeof kinds, 'everything'>

/** Somebody who keeps what was read. */
export interface Keeper {
  /** Lets go of what is made of this. */
  readonly forget: (kind: Kind, id: number) => void
  readonly forgetAll: () => void
}

/** A moment before a reading, by which is told whether what was read may be kept. */
export type Mark = number & { readonly mark: true }

export interface Invalidations {
  /** After this, nothing is kept that was changed before the call. */
  catchUp(): Promise<void>
  /** Tells a keeper what it must let go of, for as long as the process runs. */
  follow(keeper: Keeper): void
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
  holdsSince(mark: Mark, kind?: Kind, id?: number): boolean
}

/** With more changes at once, everything is let go of. */
const mostChanges = 2000
/** So many changes are remembered for readings that are under way. */
const mostRemembered = 10_000

const nameOf = new Map<number, keyof typeof kinds>(Object.entries(kinds).map(([name, kind]) => [kind, name as Kind]))

interface Answer {
  readonly snapshot: string
  /** Another server may have lost what this one said. */
  readonly server: string
  readonly at: number
  readonly changes: (readonly [kind: number, id: number])[] | null
}

/**
 * What one process keeps. Who has not asked for `longestMs`, by the clock of the database, lets go of everything: long
 * before what was written down is tidied away.
 */
export function createInvalidations(db: Db, { longestMs = 60_000 } = {}): Invalidations {
  const keepers: Keeper[] = []
  let last: Answer | undefined
  let told = 0
  /** What was told when, back to a moment. */
  const remembered = new Map<string, number>()
  let rememberedSince = 0
  /** Counts readings that came back and askings that began; and the latest asking that has been answered. */
  let clock = 0
  let askedAt = 0

  const forgetAll = (): void => {
    told += 1
    remembered.clear()
    rememberedSince = told
    for (const keeper of keepers) keeper.forgetAll()
  }
  const forget = (kind: Kind, id: number): void => {
    remembered.set(`${kind} ${id}`, told)
    for (const keeper of keepers) keeper.forget(kind, id)
  }

  const take = (answer: Answer): void => {
    const changes = answer.changes ?? []
    const goesOn =
      last !== undefined &&
      last.server === answer.server &&
      Math.abs(answer.at - last.at) < longestMs &&
      changes.length <= mostChanges
    last = answer
    const named = changes.map(([kind, id]) => ({ kind: nameOf.get(kind) ?? 'everything', id }))
    if (!goesOn || named.some(({ kind }) => kind === 'everything')) return forgetAll()
    if (changes.length === 0) return undefined
    if (remembered.size > mostRemembered) {
      remembered.clear()
      rememberedSince = told
    }
    told += 1
    for (const { kind, id } of named) if (kind !== 'everything') forget(kind, id)
  }

  // Two may be under way, each from the snapshot that was the last when it began: told twice is as good as told once.
  const ask = gathered(
    { most: Number.POSITIVE_INFINITY, atOnce: 2, atEndOfTurn: true },
    async (askers: readonly undefined[]) => {
      const since = last?.snapshot ?? null
      clock += 1
      const at = clock
      const { rows } = await sql<Answer>`
      select pg_current_snapshot()::text as snapshot, pg_postmaster_start_time()::text as server,
        (extract(epoch from statement_timestamp()) * 1000)::bigint as at,
        (select json_agg(json_build_array(i.kind, i.id))
          from invalidated_since(${since}::pg_snapshot, ${mostChanges + 1}) i) as changes`.execute(db)
      const [answer] = rows
      if (answer === undefined) throw new Error('PostgreSQL does not say what has changed')
      take(answer)
      askedAt = Math.max(askedAt, at)
      return askers.map(() => ({ value: undefined }))
    },
  )

  return {
    catchUp: () => ask(undefined),
    follow: (keeper) => void keepers.push(keeper),
    mark: () => told as Mark,
    readAt() {
      clock += 1
      return clock
    },
    areOfOneMoment: (readAt) => readAt < askedAt,
    holdsSince: (mark, kind, id) =>
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
