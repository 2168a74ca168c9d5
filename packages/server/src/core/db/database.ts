// The connection to PostgreSQL: one pool, statements prepared by their text, and the two types that functions ask for.
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

/** Reads; a transaction can stand in for it. */
export type Db = Kysely<Schema>
/** Writes happen only in a transaction, so a function that writes asks for one. */
export type Tx = Transaction<Schema>

const { builtins } = pg.types
// Ids, sizes and times are bigint columns whose values stay below 2^53.
pg.types.setTypeParser(builtins.INT8, Number)

/**
 * Statements without a word for writing: no function of ours that can be selected writes. A lock, `for update`, would end
 * with a statement that stands for itself.
 */
const onlyReads = /^\s*(?:select|with)\b(?![^]*\b(?:insert|(?<!\b(?:for|key)\s+)update|delete|merge)\b)/i

/** What is known of a statement by its text. */
interface Statement {
  /** So that PostgreSQL parses and plans it once per connection. */
  readonly name: string
  readonly mayWrite: boolean
  /** What is told when its transaction has committed. */
  readonly notifies: string | undefined
}

const notifyMark = /\/\* tells (\w+) \*\/$/

/**
 * Ends the text of a statement in a transaction: whoever listens to the pool is told `topic` when that has committed, and
 * never when it has not. A NOTIFY in the transaction would do the same, and let one transaction commit at a time.
 */
export const notifyOnCommit = (topic: string) => sql.raw(`/* tells ${topic} */`)

const statements = new Map<string, Statement>()

/** Names a statement after its text. Texts are bounded: all values are parameters, and lists are passed as one array. */
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

/** Made from its text: a configuration `pg` would copy, property by property, for each statement. */
function namedQuery(text: string, values: unknown[], callback: Answer): pg.Submittable {
  return Object.assign(new pg.Query(text, values), { name: statementOf(text).name, callback })
}

/** Without values: what a transaction or a migration is made of stays as it is. */
const alwaysTheSame = /^\s*(select|with|insert|update|delete)\b/i

const commitMark = '/* then commit */'

/**
 * Ends the text of a transaction's last statement: COMMIT leaves with it, for one trip less. Where the statement fails,
 * that COMMIT is a ROLLBACK.
 */
export const commitHere = sql.raw(commitMark)

/** How often this process may have changed something through a pool: what has left, and what has been answered of it. */
export interface Writes {
  sent: number
  answered: number
}

/** Who hears of commits of a pool ({@link notifyOnCommit}). */
type Listeners = Set<(topic: string) => void>

/** A transaction of a connection, from the sending of BEGIN to that of COMMIT or ROLLBACK. */
interface Underway {
  /** The answer of BEGIN, while it is on its way. */
  started: Promise<void> | undefined
  /** Whether a statement waits for that answer: then all that follow do. */
  isWaitedFor: boolean
  /** Whether its commit may change something. */
  mayHaveWritten: boolean
  /** What it failed by: statements that have left behind that one fail for no reason of their own. */
  failure: Error | undefined
  /** A COMMIT that has left with the statement before it. */
  committing: Promise<unknown> | undefined
  /** What is told when it has committed. */
  readonly notifies: Set<string>
}

class PreparingClient extends pg.Client {
  private gathering = false
  private transaction: Underway | undefined
  private readonly writes: Writes
  private readonly heard: Listeners

  constructor(config: pg.ClientConfig & { readonly writes: Writes; readonly heard: Listeners }) {
    super({ ...config, pipeline: true })
    this.writes = config.writes
    this.heard = config.heard
    // A connection that dies in use fails its statements; without a listener it would end the process as well.
    this.on('error', () => {})
  }

  // kysely calls query(text, values); everything else pg does itself (callbacks, cursors) passes unchanged.
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
        // Heard by whoever commits; nobody does where the statement fails.
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
    // A COMMIT of what has failed is a ROLLBACK.
    if (answer?.command !== 'COMMIT') return
    for (const topic of topics) for (const hear of this.heard) hear(topic)
  }

  /** Counts a write before whoever asked for it hears of its end. */
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
   * Nobody waits for the answer of BEGIN: it travels with what the transaction reads first. Where it fails, each statement
   * would stand for itself: what may write leaves when it is answered, and then not at all.
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
      send('begin', (error) => {
        transaction.started = undefined
        if (!error) return resolve()
        this.cut()
        reject(error)
      })
    })
    transaction.started.catch(() => {})
    this.transaction = transaction
  }

  /** Ends the connection without waiting for what it does. */
  cut(): void {
    this.socket.destroy()
  }

  private get socket(): Duplex {
    return (this as unknown as { connection: { stream: Duplex } }).connection.stream
  }

  /** Statements of one moment leave in one write: waking PostgreSQL costs more than most of them do. */
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
 * A transaction's connection, for statements of one moment together: kysely would send each when the one before it has
 * been answered. PostgreSQL does them in the order in which they were asked for.
 */
function pipelined(inTurns: SingleConnectionProvider): ConnectionProvider {
  const connection = inTurns.provideConnection((one) => Promise.resolve(one))
  return { provideConnection: async (consumer) => consumer(await connection) }
}

/** Connections of a server for what is asked of it. */
export const defaultConnections = 12

/** How long a closing pool waits for the statements that are running. */
const closeWithinMs = 500

/** What `pg` needs to connect to a target; an administrator of the database sees whose connections they are. */
export function connectionOf(target: DatabaseTarget): pg.ClientConfig {
  const named = { fallback_application_name: 'cloudoc' }
  return 'url' in target ? { connectionString: target.url, ...named } : { ...target, ...named }
}

/** What a session needs that its PostgreSQL, database or role may have other defaults for. */
const sessionSettings = {
  // Compiling a plan takes longer than anything that we ask for takes to run: ten times on uploads.
  jit: 'off',
  // Statements that were prepared once are planned once.
  plan_cache_mode: 'auto',
  // Read committed, and written to, is what transactions are made for that do not say otherwise.
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  timezone: 'UTC',
  // What takes long (a purge, a migration, a backup) is to end, and idle connections wait for work.
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
 * Sets what the product needs in a session of a PostgreSQL that others configure; the embedded one is configured so. It is
 * a statement and no option of the connection, which poolers refuse.
 */
export async function settleSession(target: DatabaseTarget, client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  if ('url' in target) await client.query(settling)
}

export interface Database {
  readonly db: Db
  readonly target: DatabaseTarget
  /** What this pool may have changed. */
  readonly writes: Readonly<Writes>
  /** Hears what transactions of this pool tell once they have committed ({@link notifyOnCommit}). */
  onCommit(heard: (topic: string) => void): void
  /** How its connections are used now. */
  use(): PoolUse
  /** Ends all connections, whatever they do; the next statements make new ones. */
  cut(): void
  /** Waits for running statements, but not long; what they changed and did not commit is undone. */
  close(): Promise<void>
}

export interface PoolUse {
  readonly busy: number
  readonly idle: number
  /** Who waits for a connection. */
  readonly waiting: number
  /** For how long the one that was taken first has been held. */
  readonly longestMs: number
}

export interface PoolOptions {
  /** How long a connection is waited for. */
  readonly connectWithinMs?: number | undefined
  /** Hears how long each connection was waited for. */
  readonly waited?: (milliseconds: number) => void
}

/** What PostgreSQL says when it, the database or the role has no connection left. */
const tooManyConnections = '53300'
const retryMs = 200

/**
 * Opens a pool of at most `size` connections, which are made when first needed. Where the server has none left, it waits
 * as for one of its own.
 */
export function openDatabase(
  target: DatabaseTarget,
  size = defaultConnections,
  { connectWithinMs = 10_000, waited }: PoolOptions = {},
): Database {
  const writes: Writes = { sent: 0, answered: 0 }
  const listeners: Listeners = new Set()
  // The pool waits for what it calls, though its types do not say so.
  const options: Omit<pg.PoolConfig, 'onConnect'> & {
    writes: Writes
    heard: Listeners
    onConnect: (client: pg.ClientBase) => Promise<void>
  } = {
    ...connectionOf(target),
    writes,
    heard: listeners,
    max: size,
    Client: PreparingClient as unknown as typeof pg.Client,
    connectionTimeoutMillis: connectWithinMs,
    idleTimeoutMillis: 60_000,
    onConnect: (client) => settleSession(target, client),
  }
  const pool = new pg.Pool(options)
  // A connection that dies while idle is replaced at its next use; without a listener it would end the process.
  pool.on('error', () => {})
  const connections = new Set<PreparingClient>()
  pool.on('connect', (client) => connections.add(client as unknown as PreparingClient))
  pool.on('remove', (client) => connections.delete(client as unknown as PreparingClient))
  /** Since when each that is in use is; the first taken comes first. */
  const takenAt = new Map<pg.PoolClient, number>()
  pool.on('acquire', (client) => takenAt.set(client, performance.now()))
  pool.on('release', (_error, client) => takenAt.delete(client))
  const take = async (): Promise<pg.PoolClient> => {
    const from = performance.now()
    try {
      for (;;) {
        try {
          return await pool.connect()
        } catch (error) {
          const isFull = (error as { code?: unknown }).code === tooManyConnections
          if (!isFull || performance.now() - from + retryMs > connectWithinMs) throw error
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
  // Transactions ask the executor for one that works on their connection alone.
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
 * Plans the statements of the rest of a transaction for their own parameters. For work on many rows: a plan that was kept
 * from a time of few rows would look at each row many times.
 */
export async function planAnew(tx: Tx): Promise<void> {
  await sql`set local plan_cache_mode = force_custom_plan`.execute(tx)
}

const deadlock = '40P01'
const serialization = '40001'

/** Whether PostgreSQL gave up a transaction that may simply be run again. */
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

/** Whether something failed because its database could not be reached, or went away in the midst of it. */
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

/** Whether a statement failed because its connection had ended, perhaps long before: pools learn of that late. */
export function isConnectionLost(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return shutdowns.has(code) || /^Connection terminated( unexpectedly)?$|is not queryable$/.test(String(message))
}

/** Whether a failed transaction is known not to have committed; after a lost connection nobody can tell. */
export function isRolledBack(error: unknown): boolean {
  if (error instanceof ResultError) return true
  const { code } = (error ?? {}) as { code?: unknown }
  // Errors in the data, broken rules, deadlocks and the like, a lock waited for in vain.
  return typeof code === 'string' && /^(22|23|40P01|40001|55P03)/.test(code)
}
