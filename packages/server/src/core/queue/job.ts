// What a feature declares of work that waits, and what it gets while it does it.
import type { z } from 'zod'
import type { Db, Tx } from '../db/database.ts'
import type { Log } from '../log.ts'
import type { JobKind } from './kind.ts'

/** A transaction and its moment, as every {@link WriteContext} has them. */
export interface Write {
  readonly tx: Tx
  /** Milliseconds since 1970. */
  readonly now: number
}

/** One attempt at a job, seen by who runs it. */
export interface JobContext {
  readonly db: Db
  /** Of all attempts at this job, from 1 on. */
  readonly attempt: number
  /**
   * Aborted when the job was cancelled, when its time is over, when another process has taken it, and when this process
   * stops. Whoever runs a job ends soon after: as long as it does not, it takes up one of the places of its kind.
   */
  readonly signal: AbortSignal
  readonly log: Log
  /** Says how far it is, from 0 to 1000; written about once a second. */
  progress(thousandths: number): void
}

/**
 * A kind of work. It is done at least once: whoever runs it may end at any point, also when everything is done and nothing
 * written of it, and another begins from the start. What `run` does outside the database has to bear being done twice;
 * what `commit` writes is written once, in the transaction that ends the job, by none but the one who still has it.
 */
export interface Job<I = unknown, R = unknown> extends JobKind<I, R> {
  /** How often it is tried. One that failed so often, or whose process ended so often, has failed. */
  readonly attempts: number
  /** How many of this kind a process runs at once; however many wait, no other kind waits for them. */
  readonly concurrency: number
  /** What was asked for last is done first: who has just saved does not wait for what others brought in thousands. */
  readonly newestFirst?: boolean
  /** How long one attempt may take. */
  readonly timeoutMs: number
  /** How long to wait after a failed attempt, by its number; {@link usualBackoff} unless said otherwise. */
  backoffMs?(attempt: number): number
  run(context: JobContext, input: I): Promise<R>
  commit?(write: Write, input: I, result: R): Promise<void>
}

/** Declares a kind of work. */
export function job<I, R = void>(declaration: Job<I, R>): Job<I, R> {
  return declaration
}

/** One second, four, sixteen, and so on up to an hour. */
export function usualBackoff(attempt: number): number {
  return Math.min(1000 * 4 ** (attempt - 1), 60 * 60_000)
}

/** A failure that further attempts would not change. */
export class HopelessJob extends Error {
  override name = 'HopelessJob'
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The signal's reason for who no longer has the job: it was cancelled, or another process has taken it. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/** Reads what was stored as JSON by a schema that may have changed since. */
export function readStored<T>(schema: z.ZodType<T>, stored: unknown): T {
  const read = schema.safeParse(stored)
  if (read.success) return read.data
  throw new HopelessJob('input', `what is stored is not what this build reads: ${read.error.issues[0]?.code}`)
}
