/*
 * Whether the database is there, asked on a connection of its own: one that has stopped answering (a frozen machine, a
 * network that swallows) leaves statements waiting for ever, and every other sign of it is missing.
 */
import { sql } from 'kysely'
import type { Log } from '../log.ts'
import { type Database, type Db, isDatabaseAway, openDatabase } from './database.ts'

export interface DatabaseWatch {
  /** What a short question is answered; undefined where the database does not answer in time. */
  ask<T>(question: (db: Db) => Promise<T>): Promise<T | undefined>
  /** Seconds that the shortest question takes now; NaN where it is not answered. */
  latency(): Promise<number>
  /** The same log, which says once that the database is away and once that it is back, and not what fails for it. */
  readonly log: Log
  close(): Promise<void>
}

export interface WatchTimes {
  /** How long who asks after the server's health waits for the database. */
  readonly promptlyMs: number
  readonly checkEveryMs: number
  /** A connection that has been in use for so long is worth the question whether there is still somebody. */
  readonly suspectAfterMs: number
  /** Whoever has not answered the shortest of questions by then is not there: all connections are given up. */
  readonly goneAfterMs: number
}

/** Whoever waits is told within half a minute, ten seconds of it for a new connection. */
const usualTimes: WatchTimes = { promptlyMs: 1500, checkEveryMs: 2000, suspectAfterMs: 5000, goneAfterMs: 8000 }

/** What came back: a value, the end of the connection, or nothing in time. */
type Answer<T> = { readonly value: T } | 'lost' | 'silent'

/** Looks after the connections of a pool until it is closed. */
export function watchDatabase(database: Database, log: Log, times: WatchTimes = usualTimes): DatabaseWatch {
  const { promptlyMs, checkEveryMs, suspectAfterMs, goneAfterMs } = times
  const own = openDatabase(database.target, 1, { connectWithinMs: goneAfterMs })
  /** The first failure of an outage, while nobody knows yet whether it is one. */
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
  /** Asks again where its own connection may have ended long before. */
  const twice = async <T>(question: (db: Db) => Promise<T>, withinMs = promptlyMs): Promise<Answer<T>> => {
    const answer = await once(question, withinMs)
    return answer === 'lost' ? once(question, withinMs) : answer
  }
  const shortest = (withinMs: number): Promise<Answer<unknown>> => twice((db) => sql`select`.execute(db), withinMs)

  let looking: Promise<void> | undefined
  const look = (): void => {
    looking ??= (async () => {
      // What it answers with an error is an answer.
      const answer = await shortest(goneAfterMs).catch((error: unknown) => ({ value: error }))
      const isThere = typeof answer === 'object'
      if (answer === 'silent') database.cut()
      if (!isThere && !isAway) log.error('the database is away; what needs it fails until it is back')
      if (isThere && isAway) log.info('the database is back')
      // What failed by itself is told after all.
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

  /** Whether a line is about an outage that is told already, or may be one. */
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
