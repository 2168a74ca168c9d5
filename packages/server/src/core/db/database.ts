// The connection to PostgreSQL: one pool, statements prepared by their text, and the two types that functions require.
import { createHash } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { ResultError } from '@cloudoc/domain'
import {
  type ConnectionProvider,
  Kysely,
  PostgresDialect,
  SingleConnectionProvider,
  sql,
  type Transaction,
} from 'kysely'
import pg from 'pg'
import type { Schema } from './schema.ts'
import type { DatabaseTarget } from './target.ts'

/** For reading. A transaction can be passed instead. */
export type Db = Kysely<Schema>
/** Writes happen only in a transaction, so a function that writes requires one. */
export type Tx = Transaction<Schema>

const { builtins } = pg.types
// Ids, sizes and times are bigint columns with values below 2^53.
pg.types.setTypeParser(builtins.INT8, Number)

/**
 * Statements without a keyword for writing. None of our functions that can be selected writes. A lock (`for update`)
 * outside a transaction would end with its own statement.
 */
const onlyReads = /^\s*(?:select|with)\b(?![^]*\b(?:insert|(?<!\b(?:for|key)\s+)update|delete|merge)\b)/i

/** What is known about a statement from its text. */
interface Statement {
  /** Makes PostgreSQL parse and plan it once per connection. */
  readonly name: string
  readonly mayWrite: boolean
  /** The topic that is announced when its transaction has committed. */
  readonly notifies: string | undefined
}

const notifyMark = /\/\* tells (\w+) \*\/$/

/**
 * Marks a statement in a transaction: listeners of the pool are notified of `topic` after the commit, and never without
 * it. A NOTIFY in the transaction would do the same, but lets only one transaction commit at a time.
 */
export const notifyOnCommit = (topic: string) => sql.raw(`/* tells ${topic} */`)

const statements = new Map<string, Statement>()

/**
 * Names a statement after its text. The number of texts is bounded: all values are parameters, and lists are passed as
 * one array.
 */
function statementOf(text: string): Statement {
  let statement = statements.get(text)
  if (statement === undefined) {
    const name = `c${createHash('sha1').update(text).digest('base64url')}`
    statement = { name, mayWrite: !onlyReads.test(text), notifies: notifyMark.exec(text)?.[1] }
    if (statements.size < 500) statements.set(text, statement)
  }
  return statement
}

type Answer = (error: Error | null, result: pg.QueryResult) => void

/** Builds the query from its text. `pg` would copy a configuration object, property by property, for each statement. */
function namedQuery(text: string, values: unknown[], callback: Answer): pg.Submittable {
  return Object.assign(new pg.Query(text, values), { name: statementOf(text).name, callback })
}

/** Statements without values, such as those that control a transaction or a migration, are not prepared. */
const alwaysTheSame = /^\s*(select|with|insert|update|delete)\b/i

const commitMark = '/* then commit */'

/**
 * Marks the last statement of a transaction: COMMIT is sent with it, which saves a round trip. If the statement fails,
 * that COMMIT acts as ROLLBACK.
 */
export const withCommit = sql.raw(commitMark)

/**
 * Counters of possible writes of this process through a pool: how many were sent, and how many of them were answered.
 */
export interface Writes {
  sent: number
  answered: number
}

/** Who hears of commits of a pool ({@link notifyOnCommit}). */
type Listeners = Set<(topic: string) => void>

/** A transaction of a connection, from sending BEGIN to sending COMMIT or ROLLBACK. */
interface Underway {
  /** The answer to BEGIN, while it is pending. */
  started: Promise<void> | undefined
  /** Whether a statement waits for that answer. Then all later ones wait too. */
  isWaitedFor: boolean
  /** Whether its commit may change something. */
  mayHaveWritten: boolean
  /** The first failure. Statements sent after it fail only because of it. */
  failure: Error | undefined
  /** A COMMIT that was sent with the statement before it. */
  committing: Promise<unknown> | undefined
  /** The topics that are announced when it has committed. */
  readonly notifies: Set<string>
}

class PreparingClient extends pg.Client {
  private gathering = false
  private transaction: Underway | undefined
  private readonly writes: Writes
  private readonly heard: Listeners

  private readonly now: (() => number) | undefined

  constructor(
    config: pg.ClientConfig & {
      readonly writes: Writes
      readonly heard: Listeners
      readonly now?: (() => number) | undefined
    },
  ) {
    super({ ...config, pipeline: true })
    this.writes = config.writes
    this.heard = config.heard
    this.now = config.now
    // A connection that dies in use fails its statements. Without a listener the error event would end the process too.
    this.on('error', () => {})
  }

  // kysely calls query(text, values). Everything else that pg does itself (callbacks, cursors) passes unchanged.
  override query(...args: unknown[]): never {
    const [text, values] = args
    const inherited = super.query.bind(this) as (...rest: unknown[]) => never
    this.gather()
    const plain = typeof text === 'string' && args.length <= 2
    if (plain && text === 'begin') {
      this.begin(inherited)
      return Promise.resolve({ command: 'BEGIN', rowCount: null, rows: [] }) as never
    }
    const { transaction } = this
    const statement = typeof text === 'string' ? statementOf(text) : undefined
    const mayWrite = statement?.mayWrite ?? true
    if (transaction?.started !== undefined) {
      transaction.isWaitedFor ||= mayWrite
      if (transaction.isWaitedFor) return transaction.started.then(() => this.query(...args)) as never
    }
    if (text === 'commit' || text === 'rollback') {
      this.transaction = undefined
      if (text === 'rollback') return inherited(...args)
      return (transaction?.committing ?? this.commit(transaction)) as never
    }
    if (transaction?.committing !== undefined) throw new Error('a statement after the last of a transaction')
    if (transaction !== undefined) {
      transaction.mayHaveWritten ||= mayWrite
      if (statement?.notifies !== undefined) transaction.notifies.add(statement.notifies)
    }
    if (plain && Array.isArray(values) && (values.length > 0 || alwaysTheSame.test(text))) {
      const answer = new Promise<pg.QueryResult>((resolve, reject) => {
        const answered: Answer = (error, result) => {
          if (!error) return resolve(result)
          if (transaction !== undefined) transaction.failure ??= error
          reject(transaction?.failure ?? error)
        }
        inherited(namedQuery(text, values, answered))
      })
      if (transaction !== undefined && text.endsWith(commitMark)) {
        transaction.committing = this.commit(transaction)
        // The committing code handles this rejection. Nobody does if the statement fails.
        transaction.committing.catch(() => {})
      }
      return (transaction === undefined && mayWrite ? this.counted(answer) : answer) as never
    }
    const answer = inherited(...args) as unknown
    return (transaction === undefined && answer instanceof Promise ? this.counted(answer) : answer) as never
  }

  private commit(transaction: Underway | undefined): Promise<unknown> {
    const answer: Promise<pg.QueryResult> = super.query('commit')
    if (transaction !== undefined && transaction.notifies.size > 0) void this.tell(transaction.notifies, answer)
    return transaction?.mayHaveWritten === false ? answer : this.counted(answer)
  }

  private async tell(topics: ReadonlySet<string>, commit: Promise<pg.QueryResult>): Promise<void> {
    const answer = await commit.catch(() => undefined)
    // COMMIT of a failed transaction is a ROLLBACK.
    if (answer?.command !== 'COMMIT') return
    for (const topic of topics) for (const hear of this.heard) hear(topic)
  }

  /** Counts a write before its caller learns of its end. */
  private counted<T>(answer: Promise<T>): Promise<T> {
    const { writes } = this
    writes.sent += 1
    const answered = (): void => {
      writes.answered += 1
    }
    answer.then(answered, answered)
    return answer
  }

  /**
   * Sends BEGIN without waiting for its answer: it travels with the first read of the transaction. If BEGIN failed,
   * each statement would run on its own. A possible write is therefore sent only after the answer, and not at all after
   * a failure. The time of the server goes with it, for triggers that record when something changed.
   */
  private begin(send: (text: string, done: (error: Error | null) => void) => void): void {
    const transaction: Underway = {
      started: undefined,
      isWaitedFor: false,
      mayHaveWritten: false,
      failure: undefined,
      committing: undefined,
      notifies: new Set(),
    }
    transaction.started = new Promise<void>((resolve, reject) => {
      const time = this.now === undefined ? '' : `; set local cloudoc.now = '${Math.floor(this.now())}'`
      send(`begin${time}`, (error) => {
        transaction.started = undefined
        if (!error) return resolve()
        this.cut()
        reject(error)
      })
    })
    transaction.started.catch(() => {})
    this.transaction = transaction
  }

  /** Ends the connection without waiting for running work. */
  cut(): void {
    this.socket.destroy()
  }

  private get socket(): Duplex {
    return (this as unknown as { connection: { stream: Duplex } }).connection.stream
  }

  /** Statements of one moment are sent in one write: waking PostgreSQL costs more than most of them do. */
  private gather(): void {
    if (this.gathering) return
    const stream = this.socket
    this.gathering = true
    stream.cork()
    process.nextTick(() => {
      this.gathering = false
      stream.uncork()
    })
  }
}

/**
 * The connection of a transaction with pipelining, for statements of one moment. kysely would send each statement only
 * after the previous answer. PostgreSQL executes them in the order in which they were sent.
 */
function pipelined(inTurns: SingleConnectionProvider): ConnectionProvider {
  const connection = inTurns.provideConnection((one) => Promise.resolve(one))
  return { provideConnection: async (consumer) => consumer(await connection) }
}

/** Number of connections of a server for requests. */
export const defaultConnections = 12

/** How long a closing pool waits for running statements. */
const closeWithinMs = 500

/**
 * The connection options of `pg` for a target. The application name shows a database administrator whose connections
 * they are.
 */
export function connectionOf(target: DatabaseTarget): pg.ClientConfig {
  const named = { fallback_application_name: 'cloudoc' }
  return 'url' in target ? { connectionString: target.url, ...named } : { ...target, ...named }
}

/** Session settings for which the PostgreSQL, database or role may have other defaults. */
const sessionSettings = {
  // Compiling a plan takes longer than any of our statements runs: ten times as long on uploads.
  jit: 'off',
  // Prepared statements are planned once.
  plan_cache_mode: 'auto',
  // Transactions rely on read committed and read-write unless they specify otherwise.
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  timezone: 'UTC',
  // Long work (a purge, a migration, a backup) must be able to finish, and idle connections wait for work.
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  transaction_timeout: '0',
}

const settling = `select ${Object.entries(sessionSettings)
  .map(
    // An older PostgreSQL has no transaction_timeout.
    ([name, value]) =>
      `case when current_setting('${name}', true) is not null then set_config('${name}', '${value}', false) end`,
  )
  .join(', ')}`

/**
 * Applies the session settings in an externally managed PostgreSQL. The embedded one is configured with them. It is a
 * statement and not a connection option, because poolers refuse the option.
 */
export async function settleSession(target: DatabaseTarget, client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  if ('url' in target) await client.query(settling)
}

export interface Database {
  readonly db: Db
  readonly target: DatabaseTarget
  /** The counters of possible writes of this pool. */
  readonly writes: Readonly<Writes>
  /** Hears what transactions of this pool tell once they have committed ({@link notifyOnCommit}). */
  onCommit(heard: (topic: string) => void): void
  /** The current usage of its connections. */
  use(): PoolUse
  /** Ends all connections, even busy ones. The next statements open new ones. */
  cut(): void
  /** Waits for running statements, but only briefly. Uncommitted changes are rolled back. */
  close(): Promise<void>
}

export interface PoolUse {
  readonly busy: number
  readonly idle: number
  /** Number of requests that wait for a connection. */
  readonly waiting: number
  /** How long the connection that was taken first has been in use. */
  readonly longestMs: number
}

export interface PoolOptions {
  /** Maximum wait for a connection. */
  readonly connectWithinMs?: number | undefined
  /** The clock of the server, which triggers read as `history_time()`. Without it they use the clock of the database. */
  readonly now?: (() => number) | undefined
  /** Called with the time that each connection was waited for. */
  readonly waited?: (milliseconds: number) => void
}

/** PostgreSQL's error code if the server, the database or the role has no connection left. */
const tooManyConnections = '53300'
const retryMs = 200
/** A timer that fires later than this after its time tells of a process that stood still. */
const lateMs = 1000

/**
 * Opens a pool of at most `size` connections, which are opened when first needed. If the server has none left, it waits
 * like for a connection of the pool.
 */
export function openDatabase(
  target: DatabaseTarget,
  size = defaultConnections,
  { connectWithinMs = 10_000, now, waited }: PoolOptions = {},
): Database {
  const writes: Writes = { sent: 0, answered: 0 }
  const listeners: Listeners = new Set()
  // The pool awaits the callbacks it calls, although its types do not declare it.
  const options: Omit<pg.PoolConfig, 'onConnect'> & {
    writes: Writes
    heard: Listeners
    now: (() => number) | undefined
    onConnect: (client: pg.ClientBase) => Promise<void>
  } = {
    ...connectionOf(target),
    writes,
    heard: listeners,
    now,
    max: size,
    Client: PreparingClient as unknown as typeof pg.Client,
    connectionTimeoutMillis: connectWithinMs,
    idleTimeoutMillis: 60_000,
    onConnect: (client) => settleSession(target, client),
  }
  const pool = new pg.Pool(options)
  // A connection that dies while idle is replaced at its next use. Without a listener the error event would end the
  // process.
  pool.on('error', () => {})
  const connections = new Set<PreparingClient>()
  pool.on('connect', (client) => connections.add(client as unknown as PreparingClient))
  pool.on('remove', (client) => connections.delete(client as unknown as PreparingClient))
  /** When each connection in use was taken, in the order of taking. */
  const takenAt = new Map<pg.PoolClient, number>()
  pool.on('acquire', (client) => takenAt.set(client, performance.now()))
  pool.on('release', (_error, client) => takenAt.delete(client))
  const take = async (): Promise<pg.PoolClient> => {
    const from = performance.now()
    let until = from + connectWithinMs
    try {
      for (;;) {
        try {
          return await pool.connect()
        } catch (error) {
          const now = performance.now()
          const isFull = (error as { code?: unknown }).code === tooManyConnections
          // The timer of a process that stood still, as on a suspended machine, fires late: nobody has waited that long.
          const hasStoodStill = until === from + connectWithinMs && now > until + lateMs
          if (hasStoodStill) until = now + connectWithinMs
          else if (!isFull || now + retryMs > until) throw error
        }
        await delay(retryMs)
      }
    } finally {
      waited?.(performance.now() - from)
    }
  }
  const cut = (): void => {
    for (const client of connections) client.cut()
  }
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: { options: pool.options, connect: take, end: () => pool.end() } }),
  })
  // Transactions ask the executor for one that works only on their connection.
  const executor = db.getExecutor()
  const onProvider = executor.withConnectionProvider.bind(executor)
  executor.withConnectionProvider = (provider) =>
    onProvider(provider instanceof SingleConnectionProvider ? pipelined(provider) : provider)
  return {
    db,
    target,
    writes,
    onCommit: (heard) => void listeners.add(heard),
    use() {
      const [first] = takenAt.values()
      return {
        busy: takenAt.size,
        idle: pool.idleCount,
        waiting: pool.waitingCount,
        longestMs: first === undefined ? 0 : performance.now() - first,
      }
    },
    cut,
    async close() {
      const late = setTimeout(cut, closeWithinMs)
      await db.destroy()
      clearTimeout(late)
    },
  }
}

/**
 * Makes PostgreSQL plan the remaining statements of a transaction for their actual parameters. For work on many rows: a
 * plan cached when there were few rows would scan each row many times.
 */
export async function planAnew(tx: Tx): Promise<void> {
  await sql`set local plan_cache_mode = force_custom_plan`.execute(tx)
}

const deadlock = '40P01'
const serialization = '40001'

/** Whether PostgreSQL aborted a transaction that can simply be run again. */
export function isRetryable(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === deadlock || code === serialization
}

const unreachable = new Set<unknown>([
  'ECONNREFUSED',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P03',
  '55000',
])

/** Whether a failure was caused by a database that was unreachable, or that became unavailable meanwhile. */
export function isDatabaseAway(error: unknown): boolean {
  if (isConnectionLost(error)) return true
  const { code, message, syscall } = (error ?? {}) as { code?: unknown; message?: unknown; syscall?: unknown }
  if (
    /^(timeout exceeded when trying to connect|Connection terminated due to connection timeout)$/.test(String(message))
  )
    return true
  return unreachable.has(code) && (syscall === undefined || syscall === 'connect' || syscall === 'getaddrinfo')
}

const shutdowns = new Set<unknown>(['57P01', '57P02', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_DESTROYED'])

/** Whether a statement failed because its connection had ended, possibly long before: pools notice it late. */
export function isConnectionLost(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return shutdowns.has(code) || /^Connection terminated( unexpectedly)?$|is not queryable$/.test(String(message))
}

/** Whether a failed transaction certainly did not commit. After a lost connection this is unknown. */
export function isRolledBack(error: unknown): boolean {
  if (error instanceof ResultError) return true
  const { code } = (error ?? {}) as { code?: unknown }
  // Data errors, constraint violations, deadlocks and serialization failures, and lock timeouts.
  return typeof code === 'string' && /^(22|23|40P01|40001|55P03)/.test(code)
}
