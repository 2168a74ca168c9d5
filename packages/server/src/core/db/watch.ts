/*
 * Monitors the database on a separate connection. A database that stops answering (a frozen machine, a network that
 * drops packets) leaves statements waiting forever, without any other sign.
 */
import { sql } from 'kysely'
import type { Log } from '../log.ts'
import { type Database, type Db, isDatabaseAway, openDatabase } from './database.ts'

export interface DatabaseWatch {
  /** Runs a short query. Undefined if the database does not answer in time. */
  ask<T>(question: (db: Db) => Promise<T>): Promise<T | undefined>
  /** Seconds that the shortest query takes now. NaN if it is not answered. */
  latency(): Promise<number>
  /**
   * A log that reports once that the database is unavailable and once that it is back. It suppresses failures caused by
   * the outage.
   */
  readonly log: Log
  close(): Promise<void>
}

export interface WatchTimes {
  /** How long a health check waits for the database. */
  readonly promptlyMs: number
  readonly checkEveryMs: number
  /** A connection in use for this long triggers a check of the database. */
  readonly suspectAfterMs: number
  /**
   * If the shortest query is not answered within this time, the database is unavailable and all connections are closed.
   */
  readonly goneAfterMs: number
}

/** A waiting caller gets an error within half a minute, including ten seconds for a new connection. */
const usualTimes: WatchTimes = { promptlyMs: 1500, checkEveryMs: 2000, suspectAfterMs: 5000, goneAfterMs: 8000 }

/** The outcome of a query: a value, the end of the connection, or a timeout. */
type Answer<T> = { readonly value: T } | 'lost' | 'silent'

/** Monitors the connections of a pool until it is closed. */
export function watchDatabase(database: Database, log: Log, times: WatchTimes = usualTimes): DatabaseWatch {
  const { promptlyMs, checkEveryMs, suspectAfterMs, goneAfterMs } = times
  const own = openDatabase(database.target, 1, { connectWithinMs: goneAfterMs })
  /** The first failure, while it is unknown whether it is an outage. */
  let suspicion: { tell: () => void } | undefined
  let isAway = false

  const once = async <T>(question: (db: Db) => Promise<T>, withinMs: number): Promise<Answer<T>> => {
    const late = Promise.withResolvers<'silent'>()
    const timer = setTimeout(() => {
      own.cut()
      late.resolve('silent')
    }, withinMs)
    try {
      return await Promise.race([question(own.db).then((value) => ({ value })), late.promise])
    } catch (error) {
      if (isDatabaseAway(error)) return 'lost'
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
  /** Repeats the query if the monitoring connection had already ended. */
  const twice = async <T>(question: (db: Db) => Promise<T>, withinMs = promptlyMs): Promise<Answer<T>> => {
    const answer = await once(question, withinMs)
    return answer === 'lost' ? once(question, withinMs) : answer
  }
  const shortest = (withinMs: number): Promise<Answer<unknown>> => twice((db) => sql`select`.execute(db), withinMs)

  let looking: Promise<void> | undefined
  const look = (): void => {
    looking ??= (async () => {
      // An error answer is an answer.
      const answer = await shortest(goneAfterMs).catch((error: unknown) => ({ value: error }))
      const isThere = typeof answer === 'object'
      if (answer === 'silent') database.cut()
      if (!isThere && !isAway) log.error('the database is away; what needs it fails until it is back')
      if (isThere && isAway) log.info('the database is back')
      // The failure had another cause and is logged now.
      if (isThere && !isAway) suspicion?.tell()
      suspicion = undefined
      isAway = !isThere
    })().finally(() => {
      looking = undefined
    })
  }
  const looks = setInterval(() => {
    if (isAway || database.use().longestMs > suspectAfterMs) look()
  }, checkEveryMs)
  looks.unref()

  /** Whether a log line is about a reported outage, or possibly about a starting one. */
  const holdsBack = (error: unknown, tell: () => void): boolean => {
    if (!isDatabaseAway(error)) return false
    if (isAway || suspicion !== undefined) return true
    suspicion = { tell }
    look()
    return true
  }
  const sparing = (level: 'error' | 'warn') =>
    function spare(...line: [object | string, ...unknown[]]): void {
      const [about] = line
      const tell = (): void => Reflect.apply(log[level], log, line) as void
      const error = typeof about === 'object' ? (about as { err?: unknown }).err : undefined
      if (error === undefined || !holdsBack(error, tell)) tell()
    }

  return {
    async ask(question) {
      const answer = await twice(question)
      return typeof answer === 'object' ? answer.value : undefined
    },
    async latency() {
      const from = performance.now()
      return typeof (await shortest(promptlyMs)) === 'object' ? (performance.now() - from) / 1000 : Number.NaN
    },
    log: Object.assign(Object.create(log) as Log, { error: sparing('error'), warn: sparing('warn') }),
    async close() {
      clearInterval(looks)
      await own.close()
    },
  }
}
